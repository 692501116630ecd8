"""The headers of every answer, and who may ask: pages of this server and programs, nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from coatl.server import installing, pages
from coatl.server.headers import SECURITY_HEADERS
from coatl.server.protocol import PROTOCOL
from coatl.server.rest import OPERATIONS
from tests.server.fuzzing import (
    HttpAnswer,
    LocalServer,
    ask,
    compiled,
    connections,
    exchange,
    finish,
    local_server,
    open_socket,
    wait_until_empty,
)
from tests.server.harness import PATH_PARTS, Json

pytestmark = compiled

NEW_TABLE = {"places": [{"kind": "person"}, {"kind": "bot", "bot": "random"}]}
EXPECTED = {name.decode(): value.decode() for name, value in SECURITY_HEADERS}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with local_server(tmp_path_factory.mktemp("headers") / "data") as server:
        yield server


@pytest.fixture(scope="module")
def over(server: LocalServer) -> Json:
    opened = server.open_table("person", "random")
    finish(server, opened)
    return opened


def assert_safe(answer: HttpAnswer, kept: str = "no-store") -> None:
    """All security headers, each once; nothing for pages of other sites."""
    for name, value in (EXPECTED | {"cache-control": kept}).items():
        assert answer.headers.get_all(name) == [value]
    names = [name.lower() for name in answer.headers]
    assert not [name for name in names if name.startswith("access-control-")]
    assert not {"server", "set-cookie", "x-powered-by", "www-authenticate"} & set(names)
    assert answer.headers.get_all("content-type") is not None


def test_what_the_headers_say() -> None:
    """No frames, no foreign scripts, no guessing of types, no addresses to other sites."""
    policy = dict(part.split(" ", 1) for part in EXPECTED["content-security-policy"].split("; "))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["worker-src"] == policy["manifest-src"] == "'self'"
    assert "script-src" not in policy  # so scripts are like everything else
    assert "style-src" not in policy  # nor any style that stands in the markup
    assert [name for name, value in policy.items() if "unsafe" in value] == []
    assert not [value for value in policy.values() if "*" in value or "http" in value]
    assert EXPECTED["x-content-type-options"] == "nosniff"
    assert EXPECTED["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
@pytest.mark.parametrize("right", [True, False])
def test_every_operation(server: LocalServer, over: Json, operation: Any, right: bool) -> None:
    """Whatever it answers."""
    path = operation.path.format(table=over["table"], **PATH_PARTS)
    body = NEW_TABLE if right else b"garbage"
    token = over["owner"] if right else None
    sent = body if operation.body is not None else None
    kept = "no-cache" if operation.keeps else "no-store"
    assert_safe(ask(server, operation.method, path, sent, token), kept)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nosuch", 404),
        ("GET", "/api/tables/x/socket", 404),
        ("OPTIONS", "/api/tables", 405),
        ("DELETE", "/api/cards", 405),
        ("HEAD", "/api/cards", 200),
        ("GET", "/api/openapi.json", 200),
    ],
)
def test_other_answers(server: LocalServer, method: str, path: str, status: int) -> None:
    answer = ask(server, method, path)
    assert answer.status == status
    assert_safe(answer)


def test_a_redirect(server: LocalServer) -> None:
    answer = ask(server, "GET", "/api/cards/")
    for name, value in EXPECTED.items():
        assert answer.headers.get_all(name) == [value]


# ---------------------------------------------------------------- the page


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalServer]:
    """A server with a small page of its own, and files around it that are no part of it."""
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html>")
    (static / "icon.svg").write_text("<svg/>")
    (static / "assets" / "index-1.js").write_text("0")
    for name in installing.TYPES:
        (static / name).write_text("0")
    (static / "secret.txt").write_text("secret")
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(pages, "FOLDER", static)
    with local_server(tmp_path / "data") as server:
        yield server


def test_the_page(page: LocalServer) -> None:
    """Asked for anew each time; its parts, which are named after their content, are kept."""
    answers = {path: ask(page, "GET", path) for path in ("/", "/icon.svg", "/assets/index-1.js")}
    assert [answer.status for answer in answers.values()] == [200] * 3
    assert_safe(answers["/"], "no-cache")
    assert answers["/"].headers["content-type"] == "text/html; charset=utf-8"
    assert_safe(answers["/icon.svg"])
    assert_safe(answers["/assets/index-1.js"], pages.FOR_EVER)
    assert "javascript" in str(answers["/assets/index-1.js"].headers["content-type"])


@pytest.mark.parametrize(
    "path",
    [
        "/assets/nosuch.js",
        "/assets/",
        "/assets/../secret.txt",
        "/assets/../../secret.txt",
        "/assets/%2e%2e/secret.txt",
        "/assets/..%2fsecret.txt",
        "/assets/..%5csecret.txt",
        "/assets//etc/passwd",
        "/assets/%00",
        "/assets/" + "x" * 3000,
        "/secret.txt",
        "/index.html/..",
    ],
)
def test_nothing_but_the_page(page: LocalServer, path: str) -> None:
    answer = ask(page, "GET", path)
    assert answer.brief == (404, "not_found")
    assert_safe(answer)


def test_what_makes_the_page_installable(page: LocalServer) -> None:
    """Asked for anew each time: a kept worker would keep an old page."""
    for name, kind in installing.TYPES.items():
        answer = ask(page, "GET", f"/{name}")
        assert answer.status == 200
        assert str(answer.headers["content-type"]).split(";")[0] == kind
        assert_safe(answer, "no-cache")


def test_answers_of_the_api_tell_the_protocol(page: LocalServer) -> None:
    """Also those to a request that went wrong; the page's files do not."""
    for path in ("/api/cards", "/api/nosuch"):
        assert ask(page, "GET", path).headers.get_all("coatl-protocol") == [str(PROTOCOL)]
    assert ask(page, "GET", "/").headers.get_all("coatl-protocol") is None


@pytest.mark.parametrize("path", ["/", "/assets/index-1.js"])
def test_the_page_is_only_read(page: LocalServer, path: str) -> None:
    answer = ask(page, "POST", path, b"x")
    assert answer.brief == (405, "method_not_allowed")
    assert_safe(answer)


def test_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "FOLDER", tmp_path / "nosuch")
    with local_server(tmp_path / "data") as server:
        answer = ask(server, "GET", "/")
        assert (answer.status, answer.body.decode()) == (503, pages.NOT_BUILT)
        assert_safe(answer)
        assert ask(server, "GET", "/icon.svg").status == 404
        assert ask(server, "GET", "/healthz").status == 200


# ---------------------------------------------------------------- when something is wrong


def test_too_large(server: LocalServer) -> None:
    answer = ask(server, "POST", "/api/tables", b" " * 100_000)
    assert answer.status == 413
    assert_safe(answer)


def test_a_crash(server: LocalServer, over: Json, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(server.manager, "enter", crash)
    answer = ask(server, "GET", f"/api/tables/{over['table']}", token=over["owner"])
    assert answer.brief == (500, "internal")
    assert_safe(answer)


def test_what_is_not_http(server: LocalServer) -> None:
    """Is answered before the application is asked, with nothing of what was sent."""
    answer = exchange(server, b"<script>alert(1)</script>\r\n\r\n")
    assert answer.brief == (400, "bad_request")
    assert b"script" not in answer.body
    assert answer.headers["connection"] == "close"
    assert_safe(answer)


# ---------------------------------------------------------------- preflights and other sites

FOREIGN = [
    "http://elsewhere.example",
    "https://elsewhere.example",
    "http://127.0.0.1",
    "http://127.0.0.1:1",
    "http://127.0.0.1:{port}.elsewhere.example",
    "http://elsewhere.example:{port}",
    "http://localhost:{port}",
    "http://user@127.0.0.1:{port}",
    "null",
    "",
    "file://",
    "127.0.0.1:{port}",
    "http://[::1",
    "http://127.0.0.1:{port}, http://elsewhere.example",
    "chrome-extension://abcdefgh",
]
foreign = pytest.mark.parametrize("origin", FOREIGN)


def origin_at(server: LocalServer, origin: str) -> str:
    return origin.replace("{port}", str(server.port))


@foreign
def test_posts_of_other_sites(server: LocalServer, origin: str) -> None:
    before = server.store.count_tables()
    headers = {"Origin": origin_at(server, origin)}
    answer = ask(server, "POST", "/api/tables", NEW_TABLE, headers=headers)
    assert answer.brief == (403, "wrong_origin")
    assert_safe(answer)
    assert server.store.count_tables() == before


@foreign
def test_sockets_of_other_sites(server: LocalServer, over: Json, origin: str) -> None:
    headers = {"Origin": origin_at(server, origin)}
    with (
        pytest.raises(InvalidStatus) as refused,
        open_socket(server, over["table"], over["seats"][0], additional_headers=headers),
    ):
        pass
    assert refused.value.response.status_code == 403
    wait_until_empty(server)


@pytest.mark.parametrize(
    "operation",
    [operation for operation in OPERATIONS if operation.method == "POST"],
    ids=lambda operation: operation.name,
)
def test_every_post_asks_where_it_comes_from(
    server: LocalServer, over: Json, operation: Any
) -> None:
    path = operation.path.format(table=over["table"], **PATH_PARTS)
    headers = {"Origin": "http://elsewhere.example"}
    answer = ask(server, "POST", path, NEW_TABLE, over["owner"], headers)
    assert answer.brief == (403, "wrong_origin")


def same_origins(server: LocalServer) -> list[dict[str, str]]:
    """None, as programs; ours; ours behind a proxy that keeps the name."""
    return [
        {},
        {"Origin": server.url},
        {"Origin": "https://coatl.example", "Host": "coatl.example"},
        {"Origin": "https://coatl.example:8443", "Host": "coatl.example:8443"},
    ]


@pytest.mark.parametrize("number", range(4))
def test_posts_of_our_own(server: LocalServer, number: int) -> None:
    headers = same_origins(server)[number]
    assert ask(server, "POST", "/api/tables", NEW_TABLE, headers=headers).status == 200


@pytest.mark.parametrize("number", [0, 1])
def test_sockets_of_our_own(server: LocalServer, over: Json, number: int) -> None:
    headers = same_origins(server)[number]
    wait_until_empty(server)
    with open_socket(server, over["table"], over["seats"][0], additional_headers=headers):
        assert connections(server) == 1


def test_reading_needs_a_token_and_no_origin(server: LocalServer, over: Json) -> None:
    """A page elsewhere may ask, but its browser does not let it read the answer."""
    headers = {"Origin": "http://elsewhere.example"}
    answer = ask(server, "GET", "/api/cards", headers=headers)
    assert answer.status == 200
    assert_safe(answer)


@pytest.mark.parametrize("path", ["/api/tables", "/api/cards", "/api/tables/x/why"])
def test_preflights_get_no_permission(server: LocalServer, path: str) -> None:
    headers = {
        "Origin": "http://elsewhere.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }
    answer = ask(server, "OPTIONS", path, headers=headers)
    assert answer.brief == (405, "method_not_allowed")
    assert_safe(answer)
