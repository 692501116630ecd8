"""Lessons over HTTP: the list, the path, wrong turns, refusals, and nothing that is kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from coatl.lessons import LESSONS, NEXT, load_lesson, load_words, path_to
from coatl.rulebook import LANGUAGES, Language
from coatl.server import protocol
from tests.server.fuzzing import HttpAnswer, LocalServer, ask, compiled, local_server
from tests.server.harness import Json

pytestmark = compiled


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with local_server(tmp_path_factory.mktemp("lessons") / "data") as server:
        yield server


def post(server: LocalServer, name: str, language: str = "en", **body: Any) -> HttpAnswer:
    return ask(server, "POST", f"/api/lessons/{language}/{name}", body=body)


def learn(server: LocalServer, name: str, language: str = "en", **body: Any) -> Json:
    """The answer, which is of its type."""
    answer = post(server, name, language, **body)
    assert answer.status == 200, answer.json
    msgspec.convert(answer.json, protocol.LessonState)
    found: Json = answer.json
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list(server: LocalServer, language: Language) -> None:
    answer = ask(server, "GET", f"/api/lessons/{language}")
    found = answer.json["lessons"]
    assert [lesson["name"] for lesson in found] == list(LESSONS)
    for lesson in found:
        words = load_words(lesson["name"], language)
        assert (lesson["title"], lesson["sentence"]) == (words.title, words.sentence)
        assert lesson["steps"] == len(load_lesson(lesson["name"]).steps)
        assert 1 <= lesson["minutes"] <= 10
    assert answer.headers["etag"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_from_beginning_to_end(server: LocalServer, name: str, language: Language) -> None:
    """As a page does it: it knows nothing but the answers."""
    path: list[str] = []
    events = 0
    answer = learn(server, name, language)
    while answer["number"] < answer["count"]:
        state, step = answer["state"], answer["step"]
        assert (state["practice"], state["place"], state["seat"]) == (True, 0, 0)
        assert state["first_event"] == events
        events += len(state["events"])
        path.append(NEXT if step["kind"] == "read" else step["show"][0])
        answer = learn(server, name, language, path=path, events=events)
        assert answer["path"] == path
        assert "astray" not in answer
    assert answer["title"] == load_words(name, language).title
    assert len(answer["starts"]) == answer["count"]


def test_the_coach_has_a_name(server: LocalServer) -> None:
    places = learn(server, "first", "de")["state"]["places"]
    assert [place["kind"] for place in places] == ["person", "bot"]
    assert places[1]["name"] == "Coach"
    assert len(learn(server, "solo")["state"]["places"]) == 1


def test_a_wrong_turn_and_back(server: LocalServer) -> None:
    answer = learn(server, "first", path=[NEXT, "take b4"])
    assert answer["number"] == 1
    assert answer["astray"] == load_words("first", "en").steps["take"].wrong["space"]
    assert "show" not in answer["step"]
    assert answer["state"]["view"]["to_move"] == 1
    back = answer["path"][: answer["starts"][answer["number"]]]
    again = learn(server, "first", path=back)
    assert (again["number"], again["path"]) == (1, [NEXT])
    assert "astray" not in again


def test_what_was_achieved(server: LocalServer) -> None:
    answer = learn(server, "first", path=[NEXT, "take b2"])
    assert "8 pieces" in answer["said"]
    assert next(event["kind"] for event in answer["state"]["events"]) == "move"


@pytest.mark.parametrize("number", range(len(load_lesson("first").steps) + 1))
def test_beginning_at_a_step(server: LocalServer, number: int) -> None:
    answer = learn(server, "first", at=number)
    assert answer["number"] == number
    assert answer["path"] == list(path_to("first", number))


def test_why(server: LocalServer) -> None:
    refused = learn(server, "first", path=[NEXT], why="take b3")["reason"]
    assert (refused["move"], refused["clause"]) == ("take b3", "T1")
    assert refused["cause"]
    assert refused["text"]
    assert learn(server, "first", path=[NEXT], why="take b1")["reason"] == {"move": "take b1"}
    assert post(server, "first", path=[NEXT], why="what?").brief == (400, "unreadable")


def test_a_move_that_the_rules_forbid(server: LocalServer) -> None:
    answer = post(server, "first", path=[NEXT, "take b3"])
    assert answer.brief == (409, "illegal")
    assert answer.json["clause"] == "T1"
    assert answer.json["cause"]


@pytest.mark.parametrize(
    ("body", "refused"),
    [
        ({"path": ["take b2"]}, (400, "bad_path")),
        ({"path": [NEXT, NEXT]}, (400, "bad_path")),
        ({"path": [NEXT, "take b3", "take b2"]}, (400, "bad_path")),
        ({"at": 11}, (400, "bad_path")),
        ({"at": 0, "path": [NEXT]}, (400, "bad_message")),
        ({"at": -1}, (400, "bad_message")),
        ({"path": [NEXT] * 201}, (400, "bad_message")),
        ({"path": ["x" * 101]}, (400, "bad_message")),
        ({"path": [""]}, (400, "bad_message")),
        ({"events": -1}, (400, "bad_message")),
        ({"pace": []}, (400, "bad_message")),
    ],
)
def test_bodies_that_are_refused(server: LocalServer, body: Json, refused: tuple[int, str]) -> None:
    assert post(server, "first", **body).brief == refused


def test_more_events_than_there_are(server: LocalServer) -> None:
    """After a path was cut: what is left of them is known already."""
    state = learn(server, "first", path=[NEXT], events=1000)["state"]
    assert state["first_event"] == 0
    assert state["events"] == []


@pytest.mark.parametrize("address", ["it/first", "en/second", "en/..%2ffirst", "en/first%00"])
def test_no_such_lesson(server: LocalServer, address: str) -> None:
    answer = ask(server, "POST", f"/api/lessons/{address}", body={})
    assert answer.brief == (404, "not_found")


def test_nothing_is_kept(server: LocalServer) -> None:
    before = ask(server, "GET", "/healthz").json["tables"]
    learn(server, "first", path=[NEXT, "take b2"])
    assert ask(server, "GET", "/healthz").json["tables"] == before
