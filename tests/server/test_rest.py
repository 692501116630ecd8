"""Every request: what it answers, and every error that it documents."""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
import schemathesis
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from starlette.routing import Route

from coatl import Game, analysis, lessons, rulebook
from coatl.events import Event, EventKind
from coatl.hints.hint import Hint
from coatl.moves import make_move
from coatl.net.weights import ENVIRONMENT as WEIGHTS
from coatl.players.registry import player_names
from coatl.rulebook import Language, Rulebook
from coatl.rules import decisions
from coatl.rules.cards import standard_deck
from coatl.rules.pieces import BODY
from coatl.server import hints, protocol
from coatl.server.analyses import file_id
from coatl.server.analysis_job import Job
from coatl.server.database import StorageError
from coatl.server.openapi import openapi
from coatl.server.protocol import PROTOCOL, ErrorCode, ReplayRecord, ServerCode, StepKind
from coatl.server.rest import OPERATIONS
from coatl.server.rest.operation import Operation
from coatl.server.rest.replays import kind_of, overview_of
from coatl.server.rest.rules import card_texts
from coatl.server.rest.status import status_of
from coatl.server.settings import ServerSettings
from coatl.table import table as table_module
from coatl.table.errors import Code
from coatl.view import View
from tests.server.first_move import FirstMove
from tests.server.fuzzing import (
    CODES,
    HttpAnswer,
    LocalServer,
    ask,
    compiled,
    exchange,
    finish,
    join,
    local_server,
    open_socket,
)
from tests.server.harness import PATH_PARTS, Json, as_json, wait_until
from tests.server.slow_analysis import SlowAnalysis

pytestmark = compiled

PERSON, OPEN, BOT = {"kind": "person"}, {"kind": "open"}, {"kind": "bot", "bot": "random"}
NO_TOKEN = "A" * 32
NEW_ADVISER = hints._new_adviser
ROLES = ("seat", "owner", "watch", "invite")
NAMES = {operation.name: operation for operation in OPERATIONS}
WITH_TABLE = [operation for operation in OPERATIONS if "{table}" in operation.path]


@dataclass(repr=False)
class Scene:
    """A server with a table before the game, one in the middle, and one where it is over."""

    server: LocalServer
    waiting: Json  # place 0 has joined, place 1 is open, place 2 a bot
    playing: Json  # two people (one came by the invitation) and a bot; it is place 0's turn
    over: Json
    last_state: Json
    alone: Json  # a person and a bot; it is the person's turn
    tokens: dict[str, str] = field(default_factory=dict)  # of the playing table, by role

    def table_for(self, name: str) -> Json:
        if name in ("rematch", "read_record") or name.endswith("analysis"):
            return self.over
        if name == "free_place":
            return take_a_place(self.server)
        if name == "hint":
            return self.alone
        return self.waiting if name == "join_table" else self.playing

    def body_for(self, name: str) -> Any:
        bodies: dict[str, Any] = {
            "open_table": {"places": [PERSON, BOT]},
            "list_tables": {"tokens": [self.playing["seats"][0]]},
            "join_table": {"invite": self.waiting["invite"]},
            "hand_over": {"place": 0},
            "free_place": {"place": 1},
            "why": {"move": "take b1"},
            "learn": {"path": ["next"]},
            "solve": {"path": []},
            "try_coatl": {"coatl": "<BBRB", "cards": ["{B}"]},
            "begin_analysis": {"depth": "quick"},
        }
        if name.startswith("replay") or name == "begin_file_analysis":
            return {"record": self.record}
        return bodies.get(name)

    @property
    def record(self) -> str:
        table, token = self.over["table"], self.over["watch"]
        return str(self.server.request("GET", f"/api/tables/{table}/record", token=token)[1])

    def call(self, name: str, **changes: Any) -> HttpAnswer:
        """A request as it should be, but for what is changed."""
        operation, opened = NAMES[name], changes.pop("at", None) or self.table_for(name)
        table = changes.pop("table", opened["table"])
        role = "owner" if name in ("hand_over", "free_place", "rematch") else "seat"
        token = opened["owner"] if role == "owner" else opened["seats"][0]
        wanted = {"body": self.body_for(name), "token": token if operation.needs_token else None}
        language, lesson = changes.pop("language", "en"), changes.pop("lesson", "first")
        file = changes.pop("analysis", "")
        if "{analysis}" in operation.path:
            file = file or file_id(self.record)
        parts = {"table": table, "language": language, "name": lesson, "analysis": file}
        path = operation.path.format(**parts, number=changes.pop("puzzle", "1"))
        return ask(self.server, operation.method, path, **(wanted | changes))


def start_playing(server: LocalServer) -> Json:
    """Two people and a bot, in the middle of their game."""
    opened = server.open_table("person", "open", "random")
    path = f"/api/tables/{opened['table']}/join"
    opened["seats"][1] = server.request("POST", path, {"invite": opened["invite"]})[1]["token"]
    for token in opened["seats"][:2]:
        with open_socket(server, opened["table"], token) as client:
            join(client)
            client.hear_until("state", reply="join")
    return opened


def play_alone(server: LocalServer) -> Json:
    opened = server.open_table("person", "random")
    with open_socket(server, opened["table"], opened["seats"][0]) as client:
        join(client)
        client.hear_until("state", reply="join")
    return opened


def take_a_place(server: LocalServer) -> Json:
    """A table that waits for two people; one has taken place 1, and has not joined yet."""
    opened = server.open_table("person", "open", "random")
    path = f"/api/tables/{opened['table']}/join"
    opened["seats"][1] = server.request("POST", path, {"invite": opened["invite"]})[1]["token"]
    return opened


def sit_down_alone(server: LocalServer) -> Json:
    opened = server.open_table("person", "open", "random")
    with open_socket(server, opened["table"], opened["seats"][0]) as client:
        join(client)
        client.hear_until("state", reply="join")
    return opened


def make_scene(server: LocalServer) -> Scene:
    over = server.open_table("person", "random")
    state = finish(server, over)
    playing = start_playing(server)
    tokens = {role: playing[role] for role in ("owner", "watch", "invite")}
    tokens["seat"] = playing["seats"][0]
    scene = Scene(server, sit_down_alone(server), playing, over, state, play_alone(server), tokens)
    for name in ("begin_analysis", "begin_file_analysis"):
        assert scene.call(name).status == 200
        wait_until(lambda: not server.manager.analyses.count, "the analysis")
    return scene


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with (
        local_server(tmp_path_factory.mktemp("rest") / "data") as server,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(hints, "_new_adviser", FirstMove)
        patch.setattr(analysis, "Analysis", SlowAnalysis)
        SlowAnalysis.forget()
        SlowAnalysis.allow(10_000)
        yield make_scene(server)


@pytest.fixture
def nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner need not wait a minute."""
    monkeypatch.setattr(table_module, "AWAY_SECONDS", 0.0)


# ---------------------------------------------------------------- every documented error

Provoke = Callable[[Scene, str], HttpAnswer]


def fail_to_store(scene: Scene, name: str) -> HttpAnswer:
    def fail(*_: object) -> Any:
        raise StorageError("the disk is on fire")

    store, at, body = scene.server.store, scene.table_for(name), scene.body_for(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "load", fail)
        patch.setattr(store, "find_access", fail)
        patch.setattr(store, "ask", fail)
        patch.setattr(store, "_commit", lambda _: StorageError("the disk is full"))
        patch.setattr(scene.server.manager, "rooms", {})
        return scene.call(name, at=at, body=body)


def ask_while_closing(scene: Scene, name: str) -> HttpAnswer:
    at = scene.table_for(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scene.server.manager, "closing", True)
        return scene.call(name, at=at)


def send_too_much(scene: Scene, name: str) -> HttpAnswer:
    limits = scene.server.limits
    most = limits.max_record if NAMES[name].takes_record else limits.max_body
    return scene.call(name, body=b" " * (most + 1))


def send_too_slowly(scene: Scene, name: str) -> HttpAnswer:
    """At a server of little patience; the body is read before anything else is looked at."""
    path = NAMES[name].path.format(table="any", **PATH_PARTS)
    start = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{{"
    with (
        tempfile.TemporaryDirectory() as folder,
        local_server(Path(folder) / "data", COATL_REQUEST_SECONDS="0.1") as server,
    ):
        return exchange(server, start.encode())


def use_wrong_token(scene: Scene, name: str) -> HttpAnswer:
    if name == "join_table":
        return scene.call(name, body={"invite": NO_TOKEN})
    return scene.call(name, token=NO_TOKEN)


def use_wrong_role(scene: Scene, name: str) -> HttpAnswer:
    at = scene.table_for(name)
    if name == "join_table":
        return scene.call(name, body={"invite": at["seats"][0]})
    if name == "rematch":
        return scene.call(name, token=at["watch"])
    if name in ("hand_over", "free_place"):
        return scene.call(name, at=at, token=at["seats"][0])
    return scene.call(name, at=scene.playing, token=scene.playing["invite"])


def use_damaged_table(scene: Scene, name: str) -> HttpAnswer:
    at = scene.table_for(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scene.server.manager, "rooms", {})
        patch.setattr(scene.server.manager, "_damaged", {at["table"]})
        return scene.call(name, at=at)


EVERYWHERE: dict[str, Provoke] = {
    ServerCode.DAMAGED: use_damaged_table,
    ServerCode.WRONG_ORIGIN: lambda s, n: s.call(n, headers={"Origin": "http://elsewhere.example"}),
    ServerCode.BAD_JSON: lambda s, n: s.call(n, body=b"no JSON"),
    ServerCode.BAD_MESSAGE: lambda s, n: s.call(n, body={"nosuch": 1}),
    ServerCode.TOO_LARGE: send_too_much,
    ServerCode.TOO_SLOW: send_too_slowly,
    ServerCode.STORAGE: fail_to_store,
    ServerCode.SHUTTING_DOWN: ask_while_closing,
    ServerCode.BAD_TOKEN: use_wrong_token,
    ServerCode.UNKNOWN_TABLE: lambda s, n: s.call(n, table="nosuch"),
    ServerCode.FORBIDDEN: use_wrong_role,
    Code.NOT_OVER: lambda s, n: s.call(n, at=s.playing),
}


def open_with(*places: Json, **options: object) -> Provoke:
    return lambda s, n: s.call(n, body={"places": places, **options})


def take_every_place(scene: Scene, name: str) -> HttpAnswer:
    opened = scene.server.open_table("open", "random")
    body = {"invite": opened["invite"]}
    assert scene.call(name, at=opened, body=body).status == 200
    return scene.call(name, at=opened, body=body)


def hand_over_twice(scene: Scene, name: str) -> HttpAnswer:
    playing = start_playing(scene.server)
    assert scene.call(name, at=playing, body={"place": 1}).status == 200
    return scene.call(name, at=playing, body={"place": 1})


def do_too_often(scene: Scene, name: str) -> HttpAnswer:
    with pytest.MonkeyPatch.context() as patch:
        for most in ("MOST_FREED", "MOST_HAND_OVERS", "MOST_HINTS"):
            patch.setattr(table_module, most, 0)
        return scene.call(name, at=play_alone(scene.server) if name == "hint" else None)


def hand_over_to_too_many(scene: Scene, name: str) -> HttpAnswer:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scene.server.manager, "settings", ServerSettings(bots_per_address=1))
        return scene.call(name)


def learn_by(*path: str, **more: object) -> Provoke:
    return lambda s, n: s.call(n, body={"path": path, **more})


def ask_why_when_it_is_over(scene: Scene, name: str) -> HttpAnswer:
    body = {"at": len(lessons.load_lesson("solo").steps), "why": "done"}
    return scene.call(name, lesson="solo", body=body)


def hand_over_while_there(scene: Scene, name: str) -> HttpAnswer:
    with (
        pytest.MonkeyPatch.context() as patch,
        open_socket(scene.server, scene.playing["table"], scene.playing["seats"][0]),
    ):
        patch.setattr(table_module, "AWAY_SECONDS", 1e-9)
        return scene.call(name)


def hand_over_at(scene: Scene, table: str) -> None:
    """Let a bot play for the first place."""
    server = scene.server
    room = server.manager.rooms[table]
    server.call(server.manager.change(room, lambda at: at.hand_over(0, "random")))


def ask_for_a_hint_where_a_bot_plays(scene: Scene, name: str) -> HttpAnswer:
    alone = play_alone(scene.server)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scene.server.manager._runner, "wake", lambda _: None)
        hand_over_at(scene, alone["table"])
        return scene.call(name, at=alone)


def move_on_meanwhile(scene: Scene, name: str) -> HttpAnswer:
    """In another window, while the server thinks."""
    alone = play_alone(scene.server)

    class Slow(FirstMove):
        def hint(self, view: View) -> Hint:
            hand_over_at(scene, alone["table"])
            return super().hint(view)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scene.server.manager.hints, "_adviser", Slow())
        return scene.call(name, at=alone)


def ask_without_weights(scene: Scene, name: str) -> HttpAnswer:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scene.server.manager.hints, "_adviser", None)
        patch.setattr(hints, "_new_adviser", NEW_ADVISER)
        patch.setenv(WEIGHTS, "nosuch.npz")
        return scene.call(name)


def analyse_beside(*addresses: str) -> Provoke:
    """While analyses for some addresses wait, and there is no room for another."""

    def provoke(scene: Scene, name: str) -> HttpAnswer:
        body = {**scene.body_for(name), "depth": "deep"}
        with pytest.MonkeyPatch.context() as patch:
            queue = scene.server.manager.analyses
            patch.setattr(queue, "_most", 1)
            waiting = {address: Job(address, "", "quick", address) for address in addresses}
            patch.setattr(queue, "_jobs", waiting)
            return scene.call(name, body=body)

    return provoke


SPECIFIC: dict[tuple[str, str], Provoke] = {
    ("open_table", Code.BAD_OPTIONS): open_with(PERSON),
    ("open_table", Code.BAD_POSITION): open_with(PERSON, BOT, practice={"position": "2p seets=2"}),
    ("open_table", Code.BAD_NAME): open_with({"kind": "person", "name": "a,b"}, BOT),
    ("open_table", Code.UNKNOWN_BOT): open_with(PERSON, {"kind": "bot", "bot": "os:system"}),
    ("open_table", Code.NO_PERSON): open_with(BOT, BOT),
    ("join_table", Code.TAKEN): take_every_place,
    ("free_place", Code.TOO_OFTEN): do_too_often,
    ("hand_over", Code.TOO_OFTEN): do_too_often,
    ("free_place", Code.NO_PERSON): lambda s, n: s.call(n, body={"place": 0}),
    ("free_place", Code.STARTED): lambda s, n: s.call(n, at=s.playing),
    ("hand_over", ServerCode.TOO_MANY_BOTS): hand_over_to_too_many,
    ("hand_over", Code.NOT_AWAY): hand_over_while_there,
    ("hand_over", Code.BOT_PLAYS): hand_over_twice,
    ("hand_over", Code.NO_PERSON): lambda s, n: s.call(n, body={"place": 3}),
    ("hand_over", Code.NOT_STARTED): lambda s, n: s.call(n, at=s.waiting),
    ("hand_over", Code.OVER): lambda s, n: s.call(n, at=s.over),
    ("hand_over", Code.UNKNOWN_BOT): lambda s, n: s.call(n, body={"place": 0, "bot": "nosuch"}),
    ("hand_over", Code.BOT_TOO_STRONG): lambda s, n: s.call(n, body={"place": 0, "bot": "priest"}),
    ("hint", Code.HINTS_OFF): lambda s, n: s.call(n, at=s.playing),
    ("hint", Code.NOT_YOUR_TURN): lambda s, n: s.call(n, token=s.alone["watch"]),
    ("hint", Code.BOT_PLAYS): ask_for_a_hint_where_a_bot_plays,
    ("hint", Code.NOT_STARTED): lambda s, n: s.call(n, at=s.waiting),
    ("hint", Code.OVER): lambda s, n: s.call(n, at=s.over),
    ("hint", Code.TOO_OFTEN): do_too_often,
    ("hint", Code.STALE): move_on_meanwhile,
    ("hint", ServerCode.NO_WEIGHTS): ask_without_weights,
    ("why", Code.NOT_YOUR_TURN): lambda s, n: s.call(n, token=s.playing["seats"][1]),
    ("why", Code.NOT_STARTED): lambda s, n: s.call(n, at=s.waiting),
    ("why", Code.OVER): lambda s, n: s.call(n, at=s.over),
    ("why", Code.UNREADABLE): lambda s, n: s.call(n, body={"move": "what?"}),
    ("read_rules", ServerCode.NOT_FOUND): lambda s, n: s.call(n, language="it"),
    ("list_lessons", ServerCode.NOT_FOUND): lambda s, n: s.call(n, language="it"),
    ("learn", ServerCode.NOT_FOUND): lambda s, n: s.call(n, lesson="second"),
    ("learn", ServerCode.BAD_PATH): learn_by("take b2"),
    ("learn", Code.ILLEGAL): learn_by("next", "take b3"),
    ("learn", Code.UNREADABLE): learn_by("next", "what?"),
    ("learn", Code.NOT_YOUR_TURN): learn_by("next", "take b4", why="take b2"),
    ("learn", Code.OVER): ask_why_when_it_is_over,
    ("solve", ServerCode.NOT_FOUND): lambda s, n: s.call(n, puzzle="0"),
    ("solve", Code.ILLEGAL): lambda s, n: s.call(n, body={"path": ["take b1"]}),
    ("solve", Code.UNREADABLE): lambda s, n: s.call(n, body={"path": ["what?"]}),
    ("read_cards", ServerCode.NOT_FOUND): lambda s, n: s.call(n, language="it"),
    ("try_coatl", ServerCode.NOT_FOUND): lambda s, n: s.call(
        n, body={"coatl": "B", "cards": ["BBBB"]}
    ),
    **{
        (name, ServerCode.BAD_RECORD): lambda s, n: s.call(n, body={"record": "no record"})
        for name in ("replay", "replay_steps", "replay_overview", "replay_position")
    },
    ("begin_file_analysis", ServerCode.BAD_RECORD): lambda s, n: s.call(
        n, body={"record": "no record"}
    ),
    ("begin_file_analysis", ServerCode.NOT_ANALYSABLE): lambda s, n: s.call(
        n, body={"record": Game.new(players=2, seed=1).record()}
    ),
    **{
        (name, code): provoke
        for name in ("begin_analysis", "begin_file_analysis")
        for code, provoke in (
            (ServerCode.ONE_ANALYSIS, analyse_beside("127.0.0.1")),
            (ServerCode.TOO_MANY_ANALYSES, analyse_beside("192.0.2.1")),
            (ServerCode.NO_WEIGHTS, ask_without_weights),
        )
    },
    ("draw_analysis", ServerCode.NOT_FOUND): lambda s, n: s.call(n, language="it"),
    **{
        (name, ServerCode.NOT_FOUND): lambda s, n: s.call(n, analysis="nosuch")
        for name in ("read_file_analysis", "cancel_file_analysis", "draw_file_analysis")
    },
}
ERRORS = [(operation.name, code) for operation in OPERATIONS for code in operation.errors]


@pytest.mark.parametrize(("name", "code"), ERRORS, ids=lambda part: str(part))
@pytest.mark.usefixtures("nobody_waits")
def test_every_documented_error(scene: Scene, name: str, code: ErrorCode) -> None:
    provoke = SPECIFIC.get((name, code)) or EVERYWHERE[code]
    answer = provoke(scene, name)
    assert answer.brief == (status_of(code), str(code))
    assert answer.headers["content-type"] == "application/json"
    assert answer.json["text"]
    assert set(answer.json) <= {"code", "text", "clause", "cause", "line"}


def test_errors_are_those_of_the_protocol() -> None:
    assert {code for _, code in ERRORS} <= CODES
    assert set(SPECIFIC) <= set(ERRORS)


def test_a_table_that_cannot_be_rebuilt(scene: Scene) -> None:
    """What went wrong here is no secret, but how stays in the log."""
    opened = scene.server.open_table("person", "random")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_module.Table, "rebuild", lambda *_: (_ for _ in ()).throw(ValueError))
        answer = scene.call("read_table", at=opened)
    assert answer.brief == (500, "damaged")
    assert scene.call("read_table", at=opened).brief == (500, "damaged")  # until the next start


def test_a_crash_is_answered_in_json(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> Any:
        raise ZeroDivisionError("with a secret in it")

    monkeypatch.setattr(scene.server.manager, "enter", crash)
    answer = scene.call("read_table")
    assert answer.brief == (500, "internal")
    assert b"secret" not in answer.body


# ---------------------------------------------------------------- tokens and roles

ALLOWED = {
    "read_table": {"seat", "owner", "watch"},
    "read_record": {"seat", "owner", "watch"},
    "rematch": {"seat", "owner"},
    "hand_over": {"owner"},
    "free_place": {"owner"},
    "hint": {"seat"},
    "why": {"seat"},
}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", ALLOWED)
def test_roles(scene: Scene, name: str, role: str) -> None:
    """Who may is told whether it can be done now; who may not is told that."""
    answer = scene.call(name, at=scene.playing, token=scene.tokens[role])
    may = role in ALLOWED[name]
    if name == "hint" and may:
        assert answer.brief == (409, "hints_off")
    elif name in ("hint", "why") and not may:  # nobody but a seat ever has a turn
        assert answer.brief == (409, "not_your_turn")
    elif name in ("rematch", "read_record"):
        assert answer.brief == ((409, "not_over") if may else (403, "forbidden"))
    elif name == "hand_over" and may:
        assert answer.brief == (409, "not_away")
    elif name == "free_place" and may:
        assert answer.brief == (409, "started")
    else:
        assert answer.brief == ((200, "") if may else (403, "forbidden"))


@pytest.mark.parametrize("role", ROLES)
def test_only_the_invitation_takes_a_place(scene: Scene, role: str) -> None:
    opened = scene.server.open_table("person", "open")
    token = opened["seats"][0] if role == "seat" else opened[role]
    answer = scene.call("join_table", at=opened, body={"invite": token})
    assert answer.status == (200 if role == "invite" else 403)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("operation", WITH_TABLE, ids=lambda operation: operation.name)
def test_tokens_of_another_table(scene: Scene, operation: Operation, role: str) -> None:
    other = scene.server.open_table("person", "open")
    token = other["seats"][0] if role == "seat" else other[role]
    changes: Json = {"token": token}
    if operation.name == "join_table":
        changes = {"body": {"invite": token}}
    assert scene.call(operation.name, **changes).brief == (401, "bad_token")


GARBLED = [
    "",
    " ",
    "Bearer",
    "Bearer ",
    "Basic {token}",
    "Token {token}",
    "{token}",
    "Bearer{token}",
    "Bearer {token}x",
    "Bearer {token} {token}",
    'Bearer "{token}"',
    "Bearer \xff\xfe\xe9",
    "Bearer " + "x" * 10_000,
    "Bearer null",
    "Bearer ' OR 1=1 --",
]


@pytest.mark.parametrize("text", GARBLED, ids=lambda text: repr(text)[:30])
def test_garbled_authorization(scene: Scene, text: str) -> None:
    headers = {"Authorization": text.format(token=scene.tokens["seat"])}
    assert scene.call("read_table", token=None, headers=headers).brief == (401, "bad_token")


@pytest.mark.parametrize("name", ALLOWED)
def test_no_authorization(scene: Scene, name: str) -> None:
    assert scene.call(name, token=None).brief == (401, "bad_token")


@pytest.mark.parametrize("start", ["Bearer ", "bearer ", "BEARER ", "Bearer   "])
def test_authorization_is_read_kindly(scene: Scene, start: str) -> None:
    headers = {"Authorization": f"{start}{scene.tokens['seat']} "}
    assert scene.call("read_table", token=None, headers=headers).status == 200


def test_a_token_in_the_address_opens_nothing(scene: Scene) -> None:
    path = f"/api/tables/{scene.playing['table']}?token={scene.tokens['seat']}"
    assert ask(scene.server, "GET", path).brief == (401, "bad_token")


# ---------------------------------------------------------------- methods and paths

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
PATHS = sorted({operation.path for operation in OPERATIONS} | {"/api/openapi.json"})


def methods_of(path: str) -> set[str]:
    methods = {operation.method for operation in OPERATIONS if operation.path == path}
    if path == "/api/tables/mine":
        methods.add("GET")  # it could be a table of that name
    if path == "/api/puzzles/day":
        methods.add("POST")  # it could be the number of a puzzle
    methods |= {"GET"} if path == "/api/openapi.json" else set()
    return methods | ({"HEAD"} if "GET" in methods else set())


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("path", PATHS)
def test_methods(scene: Scene, path: str, method: str) -> None:
    answer = ask(scene.server, method, path.replace("{table}", "nosuch"))
    if method in methods_of(path):
        assert answer.status != 405
        return
    assert answer.status == 405
    assert set(answer.headers["allow"].split(", ")) <= methods_of(path)
    if method != "HEAD":
        assert answer.code == "method_not_allowed"


@pytest.mark.parametrize("path", ["/healthz", "/api/cards", "/api/openapi.json"])
def test_head_is_get_without_the_body(scene: Scene, path: str) -> None:
    head, whole = (ask(scene.server, method, path) for method in ("HEAD", "GET"))
    assert (head.status, head.body) == (200, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert int(head.headers["content-length"]) == len(whole.body)


@pytest.mark.parametrize(
    "path",
    [
        "/nosuch",
        "/api",
        "/api/nosuch",
        "/api/tables/x/nosuch",
        "/api/tables/x/socket",
        "/api/tables//join",
        "/API/CARDS",
        "/api/tables/x%2Fy",
        "/../etc/passwd",
        "/api/../healthz",
        "//healthz",
        "/%00",
        "/" + "x" * 10_000,
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_unknown_paths(scene: Scene, path: str, method: str) -> None:
    answer = ask(scene.server, method, path)
    assert answer.brief == (404, "not_found")
    assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize("path", ["/api/cards/", "/api/cards%2F", "/healthz/"])
def test_a_slash_too_many(scene: Scene, path: str) -> None:
    """Is unknown, or leads to where it was meant."""
    answer = ask(scene.server, "GET", path, headers={"Host": "here.example"})
    if answer.status != 404:
        assert answer.status == 307
        wanted = path.removesuffix("/").removesuffix("%2F")
        assert answer.headers["location"] == f"http://here.example{wanted}"


@pytest.mark.parametrize("table", ["%00", "%ff", "..", "%2e%2e", "'", "x" * 5000, "%F0%9F%90%8D"])
def test_odd_tables(scene: Scene, table: str) -> None:
    assert scene.call("read_table", table=table).code in ("unknown_table", "not_found")


# ---------------------------------------------------------------- the description


def test_the_description_is_valid(scene: Scene) -> None:
    answer = ask(scene.server, "GET", "/api/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json["openapi"] == "3.1.0"
    schema = schemathesis.openapi.from_dict(answer.json)
    schema.validate()
    found = {f"{method.upper()} {path}" for path in schema for method in schema[path]}
    assert found == {f"{operation.method} {operation.path}" for operation in OPERATIONS}
    for part in answer.json["components"]["schemas"].values():
        Draft202012Validator.check_schema(part)


def test_every_route_is_described(scene: Scene) -> None:
    described = {
        (path, method.upper()) for path, methods in openapi()["paths"].items() for method in methods
    }
    routes = {
        (route.path, method)
        for route in scene.server.app.app.routes
        if isinstance(route, Route) and is_operation(route.path)
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert described == routes


def is_operation(path: str) -> bool:
    """Not the page, and not the description itself."""
    return path.startswith(("/api/", "/healthz", "/readyz")) and path != "/api/openapi.json"


def test_statuses_are_described() -> None:
    for operation in OPERATIONS:
        responses = openapi()["paths"][operation.path][operation.method.lower()]["responses"]
        expected = {str(status_of(code)) for code in operation.errors} | {"200", "429", "503"}
        assert set(responses) == expected | ({"304"} if operation.keeps else set())


def assert_as_described(name: str, answer: HttpAnswer) -> None:
    operation = NAMES[name]
    described = openapi()["paths"][operation.path][operation.method.lower()]
    content = described["responses"][str(answer.status)]["content"]
    if operation.answer is str and answer.status == 200:
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        return
    assert answer.headers["content-type"] == "application/json"
    schema = {**content["application/json"]["schema"], "components": openapi()["components"]}
    Draft202012Validator(schema).validate(answer.json)


@pytest.mark.usefixtures("nobody_waits")
@pytest.mark.parametrize("name", NAMES)
def test_answers_are_as_described(scene: Scene, name: str) -> None:
    changes = {"at": start_playing(scene.server)} if name == "hand_over" else {}
    answer = scene.call(name, **changes)
    assert answer.status == 200
    assert_as_described(name, answer)


@pytest.mark.parametrize("role", ["seat", "owner", "watch"])
@pytest.mark.parametrize("moment", ["waiting", "playing", "over"])
def test_states_are_as_described(scene: Scene, moment: str, role: str) -> None:
    opened: Json = getattr(scene, moment)
    token = opened["seats"][0] if role == "seat" else opened[role]
    answer = scene.call("read_table", at=opened, token=token)
    assert answer.json["status"] == moment
    assert answer.json["place"] == (0 if role == "seat" else None)
    assert_as_described("read_table", answer)


# ---------------------------------------------------------------- what they answer


def test_open_a_table(scene: Scene) -> None:
    body = {"places": [PERSON, {**OPEN, "name": "Ben"}, BOT], "promo": True}
    opened = scene.call("open_table", body=body).json
    tokens = [opened["owner"], opened["watch"], opened["invite"], opened["seats"][0]]
    assert opened["seats"][1:] == [None, None]
    assert len({*tokens, opened["table"]}) == 5
    assert min(map(len, tokens)) >= 32
    state = scene.call("read_table", at=opened).json
    assert state["promise"] == opened["promise"]
    assert [place["kind"] for place in state["places"]] == ["person", "open", "bot"]
    assert "secret" not in str(state)


def test_no_open_place_no_invitation(scene: Scene) -> None:
    assert scene.call("open_table").json["invite"] is None


@pytest.mark.parametrize(
    "body",
    [
        {"places": []},
        {"places": [PERSON] * 5},
        {"places": [{"kind": "person", "name": "x" * 41}, BOT]},
        {"places": [{"kind": "nobody"}, BOT]},
        {"places": [PERSON, BOT], "tokens": "yes"},
        {"places": [PERSON, BOT], "secret": "a" * 64},
        {"places": [PERSON], "levels": [1] * 6},
    ],
    ids=lambda body: repr(body)[:40],
)
def test_tables_that_are_no_message(scene: Scene, body: Json) -> None:
    assert scene.call("open_table", body=body).brief == (400, "bad_message")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"places": [PERSON, BOT], "levels": [1]}, "bad_options"),
        ({"places": [PERSON], "levels": [6]}, "bad_options"),
        ({"places": [PERSON] * 4, "fewer_bodies": True}, "bad_options"),
        ({"places": [{**PERSON, "name": "Ana"}] * 2}, "bad_name"),
        ({"places": [{**PERSON, "name": "bot:greedy"}, BOT]}, "bad_name"),
        ({"places": [{**PERSON, "name": "a\nb"}, BOT]}, "bad_name"),
        ({"places": [PERSON, {"kind": "bot"}]}, "unknown_bot"),
        ({"places": [{"kind": "bot", "bot": "greedy"}], "levels": []}, "no_person"),
    ],
    ids=lambda part: repr(part)[:40],
)
def test_tables_that_cannot_be(scene: Scene, body: Json, code: str) -> None:
    assert scene.call("open_table", body=body).brief == (400, code)


def test_solo(scene: Scene) -> None:
    opened = scene.call("open_table", body={"places": [PERSON], "levels": []}).json
    assert len(opened["seats"]) == 1


def test_take_an_open_place(scene: Scene) -> None:
    opened = scene.server.open_table("open", "open")
    taken = [
        scene.call("join_table", at=opened, body={"invite": opened["invite"]}).json
        for _ in range(2)
    ]
    assert [seat["place"] for seat in taken] == [0, 1]
    assert len({seat["token"] for seat in taken}) == 2
    for seat in taken:
        state = scene.call("read_table", at=opened, token=seat["token"]).json
        assert state["place"] == seat["place"]


def test_list_tables(scene: Scene) -> None:
    first, second = (scene.server.open_table("person", "random") for _ in range(2))
    tokens = [NO_TOKEN, first["seats"][0], second["owner"], second["watch"], first["seats"][0]]
    tables = scene.call("list_tables", body={"tokens": tokens}).json["tables"]
    found = [(t["table"], t["role"], t["place"], t["token"]) for t in tables]
    assert sorted(found[:2]) == [
        (second["table"], "owner", None, 2),
        (second["table"], "watch", None, 3),
    ]
    assert found[2:] == [(first["table"], "seat", 0, 1)]
    assert {t["status"] for t in tables} == {"waiting"}
    assert {tuple(t["names"]) for t in tables} == {("", "random")}


def test_whose_turn_it_is_in_the_list(scene: Scene) -> None:
    seats = scene.playing["seats"][:2]
    tables = scene.call("list_tables", body={"tokens": seats}).json["tables"]
    turns = {t["token"]: t["your_turn"] for t in tables}
    assert turns == {0: True, 1: False}


@pytest.mark.parametrize("tokens", [[], ["x" * 32] * 50], ids=["none", "as many as may be"])
def test_lists_of_nothing(scene: Scene, tokens: list[str]) -> None:
    assert scene.call("list_tables", body={"tokens": tokens}).json == {"tables": []}


@pytest.mark.parametrize("tokens", [["x" * 32] * 51, ["short"], ["x" * 65], [None], "x" * 32])
def test_lists_that_are_refused(scene: Scene, tokens: object) -> None:
    answer = scene.call("list_tables", body={"tokens": tokens})
    assert answer.brief == (400, "bad_message")


def test_spectators_see_no_hands(scene: Scene) -> None:
    view = scene.call("read_table", token=scene.tokens["watch"]).json["view"]
    assert view["moves"] == []
    assert all(seat["hand"] == [] for seat in view["seats"])
    own = scene.call("read_table").json["view"]["seats"]
    assert own[0]["hand"]
    assert own[1]["hand"] == []


def test_the_owner_hands_over(scene: Scene, nobody_waits: None) -> None:
    playing = start_playing(scene.server)
    state = scene.call("hand_over", at=playing, body={"place": 1, "bot": "random"}).json
    assert state["places"][1]["bot"] == "random"
    assert [(n["kind"], n["place"], n["text"]) for n in state["notes"]] == [("hand", 1, "owner")]


def test_the_owner_waits_a_minute(scene: Scene) -> None:
    answer = scene.call("hand_over", at=start_playing(scene.server))
    assert answer.brief == (409, "not_away")


def test_a_rematch_is_one_table(scene: Scene) -> None:
    opened = scene.server.open_table("person", "random")
    finish(scene.server, opened)
    answers = [scene.call("rematch", at=opened, token=t) for t in (opened["owner"],) * 2]
    answers.append(scene.call("rematch", at=opened, token=opened["seats"][0]))
    again = {answer.json["table"] for answer in answers}
    assert len(again) == 1
    state = scene.call("read_table", at={**opened, "table": again.pop()}).json
    assert state["place"] == 1  # the next player is first
    assert scene.call("read_table", at=opened).json["rematch"] == state["table"]


def test_the_record(scene: Scene) -> None:
    text = scene.call("read_record").body.decode()
    game = Game.replay(text)
    assert game.seed is not None
    assert game.fairness is not None
    assert game.fairness.problems(game.seed) == []
    assert game.fairness.promise == scene.over["promise"]
    assert game.fairness.secret == scene.last_state["fairness"]["secret"]


@pytest.mark.parametrize("moment", ["waiting", "playing"])
def test_no_record_before_the_end(scene: Scene, moment: str) -> None:
    answer = scene.call("read_record", at=getattr(scene, moment))
    assert answer.brief == (409, "not_over")


def test_why(scene: Scene) -> None:
    move = scene.call("read_table").json["view"]["moves"][0]["text"]
    assert scene.call("why", body={"move": move}).json == {"move": move}
    reason = scene.call("why").json
    assert reason["move"] == "take b1"
    assert (reason["clause"], reason["cause"]) == ("S5", "S5.first")
    assert reason["text"]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_deprecated_requests(scene: Scene, operation: Operation) -> None:
    """They say so, whatever the answer; the others do not."""
    is_deprecated = operation.name in ("why", "replay")
    described = openapi()["paths"][operation.path][operation.method.lower()]
    assert described.get("deprecated", False) is is_deprecated
    good, bad = scene.call(operation.name), scene.call(operation.name, body=b"?", token=NO_TOKEN)
    for answer in (good, bad):
        assert bool(re.fullmatch(r"@\d+", answer.headers.get("deprecation", ""))) is is_deprecated


def test_replay_every_step(scene: Scene) -> None:
    record = scene.record
    steps = scene.call("replay", body={"record": record}).json["steps"]
    last = scene.call("replay", body={"record": record, "step": steps - 1, "seat": 1}).json
    assert (last["over"], len(last["views"])) == (True, 1)
    beyond = scene.call("replay", body={"record": record, "step": steps})
    assert beyond.brief == (400, "bad_message")
    first = scene.call("replay", body={"record": record}).json
    assert (first["move"], len(first["views"]), first["over"]) == (None, 2, False)


@pytest.mark.parametrize(
    "changes", [{"seat": 2}, {"seat": -1}, {"step": -1}, {"step": 10**6}, {"seat": "0"}], ids=str
)
def test_replays_of_what_is_not_there(scene: Scene, changes: Json) -> None:
    answer = scene.call("replay", body={"record": scene.record, **changes})
    assert answer.brief == (400, "bad_message")


def test_replay_some_steps(scene: Scene) -> None:
    record = scene.record
    steps = scene.call("replay", body={"record": record}).json["steps"]
    for seat in (0, None):
        body = {"record": record, "first": steps - 3, "count": 8, "seat": seat}
        found = scene.call("replay_steps", body=body).json["steps"]
        assert found == [
            scene.call("replay", body={"record": record, "step": step, "seat": seat}).json
            for step in range(steps - 3, steps)
        ]
    beyond = scene.call("replay_steps", body={"record": record, "first": steps})
    assert beyond.brief == (400, "bad_message")
    assert scene.call("replay_steps", body={"record": record, "count": 65}).status == 400


def test_replay_overview(scene: Scene) -> None:
    """Every decision once, its events and points as the steps tell them."""
    record = scene.record
    game = Game.replay(record)
    found = scene.call("replay_overview").json
    texts = [move["move"]["text"] if move["move"] else "undo" for move in found["moves"]]
    assert texts == list(game.moves_made)
    assert found["moves"][-1]["points"] == game.scores()
    assert (found["players"], found["over"], found["levels"]) == (2, True, None)
    assert found["winners"] == list(game.outcome().winners)
    events = [event for move in found["moves"] for event in move["events"]]
    assert events == as_json(game.all_events())
    kinds = {move["kind"] for move in found["moves"]}
    assert {"setup", "take"} <= kinds <= set(get_args(StepKind))
    completed = [move for move in found["moves"] if move["kind"] == "complete"]
    assert len(completed) == sum(event["kind"] == "coatl" for event in events)


def test_the_seats_and_turns_of_an_overview() -> None:
    """As the lines of the record tell them, steps taken back and solo among them."""
    for options in ({"players": 3, "tokens": True}, {"solo": [1, 5]}):
        game = Game.new(**options, seed="overview")
        rng = random.Random(7)
        while not game.over:
            game.play(rng.choice(game.legal_moves()))
            if game.can_undo and rng.random() < 0.2:
                game.undo()
        told = [
            (int(turn), int(seat))
            for turn, seat, moves in re.findall(r"^(\d+)\.(\d) ([^#\n]+)", game.record(), re.M)
            for _ in moves.split(", ")
        ]
        found = overview_of(ReplayRecord(game.record()))
        assert [(move.turn, move.seat) for move in found.moves] == told
        assert all(len(move.points) == max(found.players, 2) for move in found.moves)
        texts = [str(move.move or "undo") for move in found.moves]
        assert texts == list(game.moves_made)
        assert "undo" in texts
        assert found.levels == ((1, 5) if found.players == 1 else None)


def test_what_a_decision_was_for() -> None:
    phases = {"pick": "choose", "future": "token", "assemble": "assemble", "temple": "assemble"}
    done = make_move(decisions.DONE)
    assert {phase: kind_of(done, phase, []) for phase in phases} == phases
    kinds = {
        decisions.take(2): "take",
        decisions.pick(3): "choose",
        decisions.DRAW: "choose",
        decisions.begin(0): "assemble",
        decisions.add(0, BODY, left=False): "assemble",
        decisions.fulfil(0, 5): "assemble",
        decisions.temple_from_pile(1): "assemble",
        decisions.FUTURE_TOKEN: "token",
        decisions.discard(5): "token",
        decisions.PASS: "pass",
    }
    assert {number: kind_of(make_move(number, "KKK"), "main", []) for number in kinds} == kinds
    assert kind_of(None, "assemble", []) == "undo"
    assert kind_of(make_move(decisions.discard(5), "KKK"), "setup", []) == "setup"
    assert kind_of(done, "temple", [Event(EventKind.COATL)]) == "complete"


@pytest.mark.parametrize("name", ["replay", "replay_steps", "replay_overview"])
def test_a_broken_record_is_told_with_its_line(scene: Scene, name: str) -> None:
    lines = scene.record.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("1.0 "))
    lines[at] = lines[at].split(" ")[0] + " take z9"
    answer = scene.call(name, body={"record": "\n".join(lines)})
    assert answer.brief == (400, "bad_record")
    assert answer.json["line"] == at + 1
    assert answer.json["text"].startswith(f"line {at + 1}: ")


def test_cards_and_bots(scene: Scene) -> None:
    cards = scene.call("list_cards").json
    assert (len(cards["prophecies"]), len(cards["temples"])) == (
        len({card["name"] for card in cards["prophecies"]}),
        len({card["name"] for card in cards["temples"]}),
    )
    found = scene.call("list_bots").json
    assert found["bots"] == [bot["name"] for bot in found["described"]] == list(player_names())
    assert found["default"] in ("apprentice", "planner")
    for bot in found["described"]:
        assert set(bot["title"]) == set(bot["text"]) == {"en", "fr", "de"}
        assert bot["stand_in"] <= (bot["name"] in player_names()[:5])


@pytest.mark.parametrize("language", rulebook.LANGUAGES)
def test_the_rules(scene: Scene, language: Language) -> None:
    answer = scene.call("read_rules", language=language)
    assert msgspec.json.decode(answer.body, type=Rulebook) == rulebook.load(language)
    clauses = {
        item["id"] for c in answer.json["chapters"] for p in c["parts"] for item in p["items"]
    }
    assert {"A8", "R18", "adam-turn"} <= clauses


@pytest.mark.parametrize("language", ["EN", "it", "en-GB", "%20", "..", "book"])
def test_no_rules_in_other_languages(scene: Scene, language: str) -> None:
    assert scene.call("read_rules", language=language).brief == (404, "not_found")


def test_the_rules_may_be_kept(scene: Scene) -> None:
    first = scene.call("read_rules")
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"
    assert tag != scene.call("read_rules", language="fr").headers["etag"]
    for known in (tag, f'"other", {tag}', "*"):
        again = scene.call("read_rules", headers={"If-None-Match": known})
        assert (again.status, again.body) == (304, b"")
        assert again.headers["etag"] == tag
        assert again.headers["cache-control"] == "no-cache"
    for unknown in ("", '"other"', tag[:-2]):
        again = scene.call("read_rules", headers={"If-None-Match": unknown})
        assert (again.status, again.body) == (200, first.body)


@pytest.mark.parametrize("language", rulebook.LANGUAGES)
def test_the_cards_in_words(scene: Scene, language: Language) -> None:
    answer = scene.call("read_cards", language=language)
    found = msgspec.json.decode(answer.body, type=protocol.CardTexts)
    assert found == card_texts(language)
    listed = scene.call("list_cards").json
    names = [card["name"] for card in (*listed["prophecies"], *listed["temples"])]
    assert [card.name for card in found.cards] == names
    again = scene.call(
        "read_cards", language=language, headers={"If-None-Match": answer.headers["etag"]}
    )
    assert (again.status, again.body) == (304, b"")


def test_trying_a_coatl_tells_what_the_rules_say(scene: Scene) -> None:
    deck = standard_deck()
    names = ["!BB!", "{B}", "noG/9", "nored/Y=K"]
    found = scene.call("try_coatl", body={"coatl": "<KBBRBB", "cards": names}).json
    for told in found["prophecies"]:
        matches = deck.prophecies[deck.prophecy_ids[told["card"]]].matches("<KBBRBB")
        assert (told["points"], told["times"]) == (matches.points, matches.times)
        assert [tuple(match) for match in told["matches"]] == list(matches.positions)
    assert [told["card"] for told in found["prophecies"]] == names[:2]
    assert [told["met"] for told in found["temples"]] == [[True, False], [False, False]]
    assert (found["complete"], found["clause"]) == (False, None)


@pytest.mark.parametrize(
    ("coatl", "complete", "clause"),
    [("<KR>", False, "A7"), ("<KRB>", True, None), ("<K", False, None), ("K>", False, None)],
)
def test_a_coatl_that_cannot_lie_on_a_table(
    scene: Scene, coatl: str, complete: bool, clause: str | None
) -> None:
    found = scene.call("try_coatl", body={"coatl": coatl, "cards": ["{K}"]}).json
    assert (found["complete"], found["clause"]) == (complete, clause)


@pytest.mark.parametrize(
    "body",
    [
        {"coatl": "", "cards": ["{B}"]},
        {"coatl": "K" * 25, "cards": ["{B}"]},
        {"coatl": "K<R", "cards": ["{B}"]},
        {"coatl": "W", "cards": ["{B}"]},
        {"coatl": "K", "cards": []},
        {"coatl": "K", "cards": ["{B}"] * 9},
        {"coatl": "K", "cards": ["{B}" * 20]},
    ],
)
def test_what_cannot_be_tried(scene: Scene, body: Json) -> None:
    assert scene.call("try_coatl", body=body).brief == (400, "bad_message")


def test_health(scene: Scene) -> None:
    health = scene.call("health").json
    assert (health["status"], health["protocol"]) == ("ok", PROTOCOL)
    assert health["tables"] == len(scene.server.manager.rooms)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scene.server.manager, "closing", True)
        assert scene.call("health").json["status"] == "closing"


def test_the_folder_is_the_server_s(scene: Scene, tmp_path: Path) -> None:
    files = {file.name.split("-")[0] for file in scene.server.folder.iterdir()}
    assert files == {"lock", "control", "coatl.sqlite3"}
