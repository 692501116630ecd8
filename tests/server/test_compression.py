"""Answers go out compressed where a client takes that, and where nothing secret is in them."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from coatl.server import pages
from coatl.server.encoding import choose_encoding
from coatl.server.rest import OPERATIONS
from tests.server.fuzzing import HttpAnswer, LocalServer, ask, compiled, finish, local_server

pytestmark = compiled

TEXT = b"let points = 5;\n" * 1000
BROTLI = b"stands for the same in Brotli"


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        ("", None),
        ("identity", None),
        ("br", "br"),
        ("gzip, deflate, br, zstd", "br"),
        ("GZIP", "gzip"),
        ("gzip;q=1.0, br;q=0", "gzip"),
        ("br;q=0, gzip; q=0.001", "gzip"),
        ("br ; q=0.5", "br"),
        ("*", "br"),
        ("*, br;q=0", "gzip"),
        ("*;q=0", None),
        ("br;q=much", None),
        ("deflate", None),
        (",,;", None),
    ],
)
def test_which_form_is_chosen(accepted: str, chosen: str | None) -> None:
    assert choose_encoding(accepted, ("br", "gzip")) == chosen


# ---------------------------------------------------------------- files of the page


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """With a small page of its own."""
    folder = tmp_path_factory.mktemp("compression")
    assets = folder / "static" / "assets"
    assets.mkdir(parents=True)
    (folder / "static" / "index.html").write_text("<!doctype html>")
    (assets / "index-1.js").write_bytes(TEXT)
    (assets / "index-1.js.br").write_bytes(BROTLI)
    (assets / "older-1.css").write_bytes(TEXT)  # nobody has compressed it
    (assets / "tiny-1.js").write_bytes(b"0")
    (assets / "font-1.woff2").write_bytes(TEXT)  # is compressed as it is
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "FOLDER", folder / "static")
        with local_server(folder / "data") as server:
            yield server


def fetch(server: LocalServer, path: str, accepted: str, **headers: str) -> HttpAnswer:
    return ask(server, "GET", path, headers={"Accept-Encoding": accepted, **headers})


@pytest.mark.parametrize(
    ("accepted", "encoding", "content"),
    [("br, gzip", "br", BROTLI), ("gzip", "gzip", None), ("identity", None, TEXT)],
)
def test_a_script(
    server: LocalServer, accepted: str, encoding: str | None, content: bytes | None
) -> None:
    answer = fetch(server, "/assets/index-1.js", accepted)
    assert answer.status == 200
    assert answer.headers["content-encoding"] == encoding
    assert answer.headers["vary"] == "accept-encoding"
    assert answer.headers["cache-control"] == pages.FOR_EVER
    assert "javascript" in str(answer.headers["content-type"])
    assert int(str(answer.headers["content-length"])) == len(answer.body)
    if content is None:
        assert gzip.decompress(answer.body) == TEXT
        assert len(answer.body) < len(TEXT) / 10
    else:
        assert answer.body == content


def test_each_form_has_a_tag_of_its_own(server: LocalServer) -> None:
    """So a browser that has one is not told that it has another."""
    tags = []
    for accepted in ("br", "gzip", "identity"):
        tag = str(fetch(server, "/assets/index-1.js", accepted).headers["etag"])
        again = fetch(server, "/assets/index-1.js", accepted, **{"If-None-Match": tag})
        assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
        assert again.headers["vary"] == "accept-encoding"
        tags.append(tag)
    assert len(set(tags)) == 3
    other = fetch(server, "/assets/index-1.js", "gzip", **{"If-None-Match": tags[0]})
    assert other.status == 200


def test_a_head_has_no_body(server: LocalServer) -> None:
    for accepted in ("br", "gzip", "identity"):
        answer = ask(server, "HEAD", "/assets/index-1.js", headers={"Accept-Encoding": accepted})
        assert (answer.status, answer.body) == (200, b"")


def test_what_was_not_compressed_when_it_was_built(server: LocalServer) -> None:
    answer = fetch(server, "/assets/older-1.css", "br, gzip")
    assert answer.headers["content-encoding"] == "gzip"
    assert str(answer.headers["content-type"]).startswith("text/css")


@pytest.mark.parametrize("name", ["tiny-1.js", "font-1.woff2"])
def test_what_is_not_worth_it(server: LocalServer, name: str) -> None:
    answer = fetch(server, f"/assets/{name}", "br, gzip")
    assert (answer.status, answer.headers["content-encoding"]) == (200, None)
    assert answer.headers["cache-control"] == pages.FOR_EVER


# ---------------------------------------------------------------- answers of requests


def test_public_answers_are_compressed(server: LocalServer) -> None:
    plain = fetch(server, "/api/cards", "identity")
    small = fetch(server, "/api/cards", "br, gzip")
    assert (plain.headers["content-encoding"], small.headers["content-encoding"]) == (None, "gzip")
    assert gzip.decompress(small.body) == plain.body
    for answer in (plain, small):
        assert answer.headers["vary"] == "accept-encoding"
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["cache-control"] == "no-store"


def test_what_may_be_kept_has_one_tag_in_every_form(server: LocalServer) -> None:
    plain = fetch(server, "/api/rules/de", "identity")
    small = fetch(server, "/api/rules/de", "gzip")
    assert gzip.decompress(small.body) == plain.body
    assert len(small.body) < len(plain.body) / 2
    tag = plain.headers["etag"]
    assert small.headers["etag"] == tag
    for accepted in ("identity", "gzip"):
        again = fetch(server, "/api/rules/de", accepted, **{"If-None-Match": tag})
        assert (again.status, again.body) == (304, b"")
        assert again.headers["vary"] == "accept-encoding"
        assert again.headers["content-encoding"] is None


def test_a_record_comes_back_compressed(server: LocalServer) -> None:
    opened = server.open_table("person", "random")
    finish(server, opened)
    record = ask(server, "GET", f"/api/tables/{opened['table']}/record", token=opened["owner"])
    assert record.headers["content-encoding"] is None
    body = {"record": record.body.decode()}
    plain = ask(server, "POST", "/api/replay/overview", body)
    headers = {"Accept-Encoding": "gzip"}
    small = ask(server, "POST", "/api/replay/overview", body, headers=headers)
    assert small.headers["content-encoding"] == "gzip"
    assert gzip.decompress(small.body) == plain.body


def test_answers_with_secrets_are_not() -> None:
    """Their length would say something about them to whoever can put text beside them."""
    compressing = {operation.name for operation in OPERATIONS if operation.compresses}
    assert compressing == {
        "learn",
        "list_bots",
        "list_cards",
        "list_lessons",
        "list_puzzles",
        "read_cards",
        "read_rules",
        "replay",
        "replay_overview",
        "replay_position",
        "replay_steps",
        "solve",
    }
    assert not [op.name for op in OPERATIONS if op.compresses and op.needs_token]


def test_the_built_page_is_compressed() -> None:
    folder = Path(pages.__file__).parent.parent / "static" / "assets"
    if not folder.is_dir():
        pytest.skip("the page is not built: make web")
    texts = [file for file in folder.iterdir() if file.suffix in pages.COMPRESSIBLE]
    assert len(texts) > 5
    for file in texts:
        smaller = file.with_name(file.name + pages.BROTLI)
        assert smaller.is_file(), f"{smaller.name}: build the page anew"
