"""Analyses from the server: asked for, waited for, cancelled, gone on with, stored and shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from coatl import Game, analysis
from coatl.server import analyses, priority
from tests.analysis.games import LAST_CHANCE, missed_win
from tests.server.fuzzing import HttpAnswer, LocalServer, ask, compiled, local_server, open_socket
from tests.server.harness import Json, wait_until
from tests.server.slow_analysis import STEPS, SlowAnalysis

pytestmark = compiled
ELSEWHERE = {"X-Forwarded-For": "192.0.2.2"}  # as a proxy on this machine tells the address
QUICK = {"depth": "quick"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with local_server(tmp_path_factory.mktemp("analyses") / "data") as running:
        yield running


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> type[SlowAnalysis]:
    SlowAnalysis.forget()
    monkeypatch.setattr(analysis, "Analysis", SlowAnalysis)
    monkeypatch.setattr(analyses, "SAVE_SECONDS", 0.0)
    return SlowAnalysis


def finished(server: LocalServer) -> Json:
    """A table whose game is over after one decision."""
    opened = open_practice(server)
    with open_socket(server, opened["table"]) as client:
        state = client.hello(opened["seats"][1])
        client.send({"type": "join", "id": "j", "nonce": "ab" * 32, "name": "Ben"})
        state = client.hear_until("state", reply="j")
        client.send({"type": "decide", "id": "d", "version": state["version"], "move": "take b1"})
        assert client.hear_until("state", reply="d")["status"] == "over"
    return opened


def open_practice(server: LocalServer) -> Json:
    return server.open_table("greedy", "person", practice={"position": LAST_CHANCE})


def request(
    server: LocalServer,
    opened: Json,
    what: str = "",
    body: Json | None = None,
    token: str | None = None,
    headers: Json | None = None,
) -> HttpAnswer:
    """GET, or POST where there is a body or something to do."""
    method = "GET" if body is None and what != "/cancel" else "POST"
    path = f"/api/tables/{opened['table']}/analysis{what}"
    return ask(server, method, path, body, token or opened["seats"][1], headers)


def status(server: LocalServer, opened: Json) -> str:
    return str(request(server, opened).json["status"])


def wait_for(server: LocalServer, opened: Json, wanted: str) -> Json:
    wait_until(lambda: status(server, opened) == wanted, wanted)
    answer: Json = request(server, opened).json
    return answer


def count_rows(server: LocalServer) -> int:
    return int(server._query("SELECT count(*) FROM analyses")[0][0])


# ---------------------------------------------------------------- a real one


def test_a_game_is_analysed_once_and_shown_to_those_who_were_there(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = finished(server)
    assert request(server, opened).json == {"id": opened["table"], "status": "none"}
    assert request(server, opened, body=QUICK).status == 200
    report = wait_for(server, opened, "done")["report"]
    assert report["names"] == ["bot:greedy", "Ben"]
    assert [grade["seat"] for grade in report["grades"]] == [1]  # the person's
    assert report["turns"][0]["better"]["best"]["move"] == "1+G>"
    monkeypatch.setattr(analysis, "Analysis", None)  # whoever asks again gets the same
    for token in (opened["seats"][1], opened["owner"], opened["watch"]):
        again = request(server, opened, body=QUICK, token=token).json
        assert (again["status"], again["report"]) == ("done", report)
    picture = request(server, opened, "/curve/fr").json["svg"]
    assert "gagner" in "".join(ElementTree.fromstring(picture).itertext())
    assert request(server, opened, "/curve/it").brief == (404, "not_found")


def test_a_file_is_analysed(server: LocalServer) -> None:
    asked = ask(server, "POST", "/api/analyses", {"record": missed_win(), **QUICK}).json
    path = f"/api/analyses/{asked['id']}"
    wait_until(lambda: ask(server, "GET", path).json["status"] == "done", "the analysis")
    state = ask(server, "GET", path).json
    assert [grade["seat"] for grade in state["report"]["grades"]] == [0, 1]  # nobody is named
    assert "<svg" in ask(server, "GET", f"{path}/curve/en").json["svg"]


# ---------------------------------------------------------------- what cannot be analysed


@pytest.mark.parametrize(
    ("record", "code", "words"),
    [
        ("no record", "bad_record", "line 1"),
        (missed_win().replace("take b1", "take b9"), "bad_record", "line"),
        (missed_win().replace("Coatl record 2", "Coatl record 99"), "bad_record", "99"),
        (Game.new(players=2, seed=1).record(), "not_analysable", "not over"),
    ],
    ids=["no record", "damaged", "another version", "unfinished"],
)
def test_what_cannot_be_analysed_is_refused_in_a_sentence(
    server: LocalServer, record: str, code: str, words: str
) -> None:
    refused = ask(server, "POST", "/api/analyses", {"record": record})
    assert refused.brief == (400, code)
    text = refused.json["text"]
    assert words in text
    assert "\n" not in text


def test_a_game_that_goes_on_is_not_analysed(server: LocalServer) -> None:
    opened = open_practice(server)
    for body in (None, QUICK):
        assert request(server, opened, body=body).brief == (409, "not_over")


def test_an_invitation_is_no_way_in(server: LocalServer) -> None:
    opened = server.open_table("person", "open")
    answer = request(server, opened, token=opened["invite"])
    assert answer.brief == (403, "forbidden")
    assert request(server, opened, token="x" * 32).brief == (401, "bad_token")


@pytest.mark.parametrize("id", ["file-0", "nobody"])
def test_an_analysis_that_there_is_not(server: LocalServer, id: str) -> None:
    answer = ask(server, "GET", f"/api/analyses/{id}")
    if id.startswith("file-"):
        assert answer.json["status"] == "none"
    else:
        assert answer.brief == (404, "not_found")


def test_a_tables_analysis_is_not_found_as_a_file(
    server: LocalServer, slow: type[SlowAnalysis]
) -> None:
    opened = finished(server)
    slow.allow()
    request(server, opened, body=QUICK)
    wait_for(server, opened, "done")
    assert ask(server, "GET", f"/api/analyses/{opened['table']}").brief == (404, "not_found")


# ---------------------------------------------------------------- the queue


def test_it_is_cancelled_and_gone_on_with(server: LocalServer, slow: type[SlowAnalysis]) -> None:
    opened = finished(server)
    request(server, opened, body=QUICK)
    slow.allow(2)
    wait_until(lambda: slow.made and slow.made[0].done == 2, "two steps")
    running = wait_for(server, opened, "running")
    assert (running["depth"], running["steps"], running["yours"]) == ("quick", STEPS, True)
    assert request(server, opened, token=opened["watch"]).json.get("yours", False) is False
    refused = request(server, opened, "/cancel", token=opened["watch"])
    assert refused.brief == (403, "forbidden")
    assert request(server, opened, "/cancel").json["status"] == "stopped"
    wait_until(lambda: not server.manager.analyses.count, "it has ended")
    stopped = request(server, opened).json
    assert (stopped["status"], stopped["done"], stopped["steps"]) == ("stopped", 2, STEPS)
    slow.allow()
    request(server, opened, body=QUICK)
    wait_for(server, opened, "done")
    assert [one.first for one in slow.made] == [0, 2]
    assert slow.made[0].niceness == priority.LOWEST
    assert slow.made[0].seats == (1,)


def test_one_at_a_time_for_a_visitor_and_some_in_all(
    tmp_path: Path, slow: type[SlowAnalysis]
) -> None:
    with local_server(tmp_path / "data", COATL_ANALYSES="2") as server:
        first, second, third = (finished(server) for _ in range(3))
        assert request(server, first, body=QUICK).status == 200
        wait_for(server, first, "running")
        assert request(server, first, body=QUICK).json["status"] == "running"
        assert request(server, second, body=QUICK).brief == (429, "one_analysis")
        waiting = request(server, second, body=QUICK, headers=ELSEWHERE).json
        assert (waiting["status"], waiting["ahead"]) == ("waiting", 1)
        other = {"X-Forwarded-For": "192.0.2.3"}
        full = request(server, third, body=QUICK, headers=other)
        assert full.brief == (429, "too_many_analyses")
        assert full.json["text"] == "too many analyses wait here; try again in a few minutes"
        request(server, second, "/cancel")  # before it has begun
        slow.allow()
        wait_for(server, first, "done")
        wait_until(lambda: not server.manager.analyses.count, "both have ended")
        assert (len(slow.made), status(server, second)) == (1, "none")
        slow.allow()
        assert request(server, third, body=QUICK).status == 200
        wait_for(server, third, "done")


def test_a_deeper_one_replaces_what_there_is(server: LocalServer, slow: type[SlowAnalysis]) -> None:
    opened = finished(server)
    slow.allow()
    request(server, opened, body={"depth": "normal"})
    wait_for(server, opened, "done")
    wait_until(lambda: not server.manager.analyses.count, "it has ended")
    assert request(server, opened, body=QUICK).json["report"]["depth"] == "normal"
    deeper = request(server, opened, body={"depth": "deep"}).json
    assert (deeper["depth"], deeper["report"]["depth"]) == ("deep", "normal")
    slow.allow()
    wait_for(server, opened, "done")
    assert request(server, opened).json["report"]["depth"] == "deep"
    assert [one.depth for one in slow.made] == ["normal", "deep"]


def test_it_runs_out_of_time_and_goes_on(tmp_path: Path, slow: type[SlowAnalysis]) -> None:
    slow.allow(100)
    with local_server(tmp_path / "data", COATL_ANALYSIS_SECONDS="1e-9") as server:
        opened = finished(server)
        for done in range(1, STEPS):
            request(server, opened, body=QUICK)
            wait_until(lambda: not server.manager.analyses.count, "it has ended")
            state = request(server, opened).json
            assert (state["status"], state["done"]) == ("stopped", done)


def test_what_was_found_outlives_the_server(tmp_path: Path, slow: type[SlowAnalysis]) -> None:
    with local_server(tmp_path / "data") as server:
        opened = finished(server)
        request(server, opened, body=QUICK)
        slow.allow(1)
        wait_until(lambda: slow.made and slow.made[0].done == 1, "a step")
    with local_server(tmp_path / "data") as server:
        state = request(server, opened).json
        assert (state["status"], state["done"], state["steps"]) == ("stopped", 1, STEPS)
        slow.allow()
        request(server, opened, body=QUICK)
        wait_for(server, opened, "done")
    assert [one.first for one in slow.made] == [0, 1]


def test_it_is_deleted_with_its_table_and_stops(
    server: LocalServer, slow: type[SlowAnalysis]
) -> None:
    opened = finished(server)
    before = count_rows(server)
    request(server, opened, body=QUICK)
    wait_for(server, opened, "running")
    assert count_rows(server) == before + 1
    assert server.call(server.manager.remove_table(opened["table"]))
    assert count_rows(server) == before
    slow.allow(1)
    wait_until(lambda: not server.manager.analyses.count, "it has ended")
    assert slow.made[0].done == 1
    assert count_rows(server) == before


def test_one_that_fails_makes_way_for_the_next(
    server: LocalServer, slow: type[SlowAnalysis], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_self: object) -> bool:
        raise RuntimeError("on purpose")

    opened = finished(server)
    with monkeypatch.context() as patch:
        patch.setattr(SlowAnalysis, "step", fail)
        request(server, opened, body=QUICK)
        wait_until(lambda: not server.manager.analyses.count, "it has ended")
    assert status(server, opened) == "none"
    slow.allow()
    request(server, opened, body=QUICK)
    wait_for(server, opened, "done")


def test_of_files_only_the_newest_are_kept(
    server: LocalServer, slow: type[SlowAnalysis], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coatl.server.stored_analyses.MOST_FILES", 2)
    slow.allow(100)
    ids = []
    for name in ("Ana", "Ben", "Cleo"):
        record = missed_win().replace("Seed:", f"Seats: {name}, bot:greedy\nSeed:")
        ids.append(ask(server, "POST", "/api/analyses", {"record": record, **QUICK}).json["id"])
        wait_until(lambda: not server.manager.analyses.count, "it has ended")
    found = [ask(server, "GET", f"/api/analyses/{id}").json["status"] for id in ids]
    assert found == ["none", "done", "done"]
