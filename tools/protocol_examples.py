"""Examples of every message and request, for docs/protocol.md.

What they show of the game is not made up: it comes from a table with a fixed secret.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

import msgspec

from coatl._version import __version__
from coatl.analysis.data import (
    BetterMove,
    ChancePoint,
    JudgedTurn,
    MoveChance,
    Report,
    SeatGrade,
    TurningPoint,
)
from coatl.fairness import derive_seed, promise_of
from coatl.hints import Advice, Fact, FactKind, Hint
from coatl.puzzles import shipped, solution
from coatl.rulebook import load
from coatl.server import protocol
from coatl.server.rest import catalogue, lessons, puzzles, replays, rules
from coatl.server.rest.operation import Call, Handler
from coatl.server.roles import Role
from coatl.server.room import Room
from coatl.server.startup import StartupStatus
from coatl.server.store import StoredTable
from coatl.server.table_state import place_infos, table_state
from coatl.table import NoteKind, PlaceKind, PlaceSpec, Status
from coatl.table.entries import AnyEntry, Decided, HandedOver, Joined, Opened
from coatl.table.errors import Code

TABLE, REMATCH = "Zk3v9QxT2mLa", "b7RfW0sYhE1u"
ANA = "9vYk2mQx7LrT4bWz8NcH3sJd6PfG1aXe"
BEN = "hT5cV8nKq2ZwR7yM4jL0xB3gS6dF9pAu"
OWNER = "Q1wE4rT7yU0iO3pA6sD9fG2hJ5kL8zXc"
WATCH = "mN7bV4cX1zL8kJ5hG2fD9sA6pO3iU0yT"
INVITE = "x3C6v9B2n5M8q1W4e7R0t3Y6u9I2o5Pa"
SECRET = "6a0f3c9be1d24875a6b90c3d5e7f81229bc4d5e6f708192a3b4c5d6e7f8091a2"
NONCES = (
    "b1946ac92492d2347c6235b4d2611184e2a1c3d5f7091b2d4f60718293a4b5c6",
    "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03",
)
JOIN_ID = "d41c8b7e93a5f60214b8d9e7c3a6f51208e4b7d9c1a3f506"
ID = "5e2b8c1e-0f0a-4c7c-9a55-0d3f1d0f8a11"
FILE_ID = "file-3f0a9c1e5b7d2846a1c3e5f708192b4d"
CREATED = 1767225600.0
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
MOVE, FORBIDDEN_MOVE = "take b3", "1+R"

PERSON, OPEN, BOT = (PlaceKind.PERSON, "Ana"), (PlaceKind.OPEN,), (PlaceKind.BOT, "", "greedy")
PLACES = tuple(PlaceSpec(*place) for place in (PERSON, OPEN, BOT))
OPENING: tuple[AnyEntry, ...] = (
    Opened(places=PLACES, promise=promise_of(SECRET)),
    Joined(0, "Ana", NONCES[0]),
)
BEGUN = (*OPENING, Joined(1, "Ben", NONCES[1]))
SETUP = ((0, "done"), (1, "drop {Y}"), (1, "done"), (2, "drop {Y}"), (2, "drop KKK"), (2, "done"))
SET_UP = (*BEGUN, *(Decided(place, move) for place, move in SETUP))


def room_after(entries: Sequence[AnyEntry]) -> Room:
    return Room(TABLE, StoredTable(SECRET, CREATED, list(entries), {}))


def state_of(
    room: Room, place: int | None, base: int = 0, present: Sequence[int] = (0, 1)
) -> protocol.TableState:
    """What the server would send, with those connected who have joined and are present."""
    table = room.table
    taken = room.taken_places if table.game is None else ()
    places = place_infos(table, lambda at: table.places[at].is_ready and at in present, taken)
    return table_state(room.id, table, place, base, places)


def answer_of(handler: Handler, body: Any = None) -> Any:
    """The answer of a handler that needs no table."""
    nothing: Any = None
    call: Any = handler(Call(nothing, nothing, body))
    return asyncio.run(call)


def finished_record() -> str:
    """The example's game, continued with the first legal move until it is over."""
    table = room_after(SET_UP).table
    game = table.game
    assert game is not None
    while not game.over:
        game.play(game.legal_moves()[0])
    return table.record()


def hint_example() -> Hint:
    """With chances that are made up: those of a search differ between machines."""
    game = room_after(SET_UP).table.game
    assert game is not None
    best, other = game.move(MOVE), game.move("take b1")
    nearer = Fact(FactKind.NEARER, 0, "RGRG", missing=1, before=2)
    return Hint(0, Advice((best,), (nearer,), 0.4312), Advice((other,), (), 0.4127), 0.3854)


def report_example() -> Report:
    """Of a game that was won in its only turn; made up, as an analysis takes long."""
    best, played = MoveChance("1+G>", 1.0), MoveChance("take b1", 0.08, "KR")
    return Report(
        version=1,
        depth="quick",
        margin=0.03,
        seed="analysis",
        weights="0f3c9be1d24875a6",
        record="b90c3d5e7f81229bc4d5e6f708192a3b",
        players=2,
        names=("Ana", "Ben"),
        winners=(0,),
        points=(3, 0),
        course=(
            ChancePoint(40, None, "setup", (0.11, 0.89), (3, 0)),
            ChancePoint(41, 1, "take", (1.0, 0.0), (3, 0), "KR"),
        ),
        turns=(
            JudgedTurn(
                turn=41,
                seat=1,
                moves=("take b1",),
                chance=1.0,
                choices=1,
                loss=0.92,
                better=BetterMove(0, played, best, ("1+G>", "done"), ()),
                points_lost=4.0,
            ),
        ),
        turning_points=(TurningPoint(41, 1, "missed", -0.89, 0.92),),
        grades=(SeatGrade(0, 0, 0.0, 0.0, None), SeatGrade(1, 1, 0.92, 0.0, 41, 4.0)),
    )


def first_move(number: int) -> str:
    """The first move of the answer to a puzzle."""
    return solution(shipped().puzzle(number))[0]


@cache
def messages() -> dict[str, msgspec.Struct]:
    """By type: an example of each message, and of some of their parts."""
    room, version = room_after(SET_UP), len(SET_UP)
    reason, view = room.table.why(0, FORBIDDEN_MOVE), room.table.view(0)
    assert view is not None
    after = room_after((*SET_UP, Decided(0, MOVE, ID)))
    stale = protocol.CODE_MEANINGS[Code.STALE]
    nonces = {"0": NONCES[0], "1": NONCES[1]}
    examples: list[msgspec.Struct] = [
        protocol.Hello(ANA, version, protocol=protocol.PROTOCOL),
        protocol.Join(ID, NONCES[0], "Ana"),
        protocol.Decide(ID, version, MOVE),
        protocol.Undo(ID, version + 1),
        protocol.AskWhy(ID, FORBIDDEN_MOVE),
        protocol.AskClosings(ID),
        protocol.HandOver(ID, "random"),
        protocol.TakeBack(ID),
        protocol.GiveUp(ID),
        protocol.Shown(version),
        protocol.Ping(ID),
        msgspec.structs.replace(state_of(after, 0, room.event_count), reply=ID),
        protocol.Refused(Code.STALE, stale, reply=ID),
        protocol.ReasonMessage(ID, FORBIDDEN_MOVE, reason.clause, reason.cause, reason.text),
        protocol.ClosingsFound(ID, version, (14, None)),
        protocol.Presence((True, True, False), 1),
        protocol.Pong(ID),
        protocol.NoteInfo(version + 1, NoteKind.BOT_FAILED, 2, "no answer within 10 s", 42),
        protocol.RankInfo(1, 0, 31, 9, 14),
        protocol.VerdictInfo("cards", (0, 2)),
        protocol.TurnsInfo((2, 0), (0,)),
        protocol.FairnessInfo(SECRET, nonces, derive_seed(SECRET, dict(enumerate(NONCES)))),
        view.data,
        protocol.ProblemMessage(Code.TAKEN, "every open place has been taken"),
    ]
    return {type(example).__name__.removesuffix("Message"): example for example in examples}


@cache
def requests() -> dict[str, tuple[msgspec.Struct | None, msgspec.Struct | str]]:
    """By the name of the operation: a body and its answer."""
    reason = room_after(SET_UP).table.why(0, FORBIDDEN_MOVE)
    handed = room_after((*BEGUN, HandedOver(1, "greedy", True)))
    record = finished_record()
    step = protocol.ReplayRequest(record, step=7, seat=0)
    steps = protocol.ReplayRange(record, first=7, count=2, seat=0)
    whole = protocol.ReplayRecord(record)
    place = protocol.ReplayPlace(record, step=7)
    asked = protocol.AnalysisState(TABLE, "waiting", "normal", ahead=1, yours=True)
    half = protocol.AnalysisState(TABLE, "running", "normal", 31, 124, yours=True)
    stopped = protocol.AnalysisState(TABLE, "stopped", "normal", 33, 124, yours=True)
    of_file = msgspec.structs.replace(asked, id=FILE_ID)
    analysed = protocol.AnalysisState(FILE_ID, "done", "quick", 4, 4, 0, True, report_example())
    picture = protocol.AnalysisPicture("<svg …>…</svg>")
    learnt = protocol.LessonRequest(("next", "take b4"))
    moved = protocol.PuzzleRequest((first_move(1),), check=True)
    serpent = protocol.TryCoatl("<BBRB", ("{B}", "!BB!", "noG/9"))
    new_places = tuple(protocol.NewPlace(*place) for place in (PERSON, OPEN, BOT))
    tokens = (OWNER, WATCH, INVITE, (ANA, None, None))
    names, bots = ("Ana", "Ben", "greedy"), (None, None, "greedy")
    summary = (TABLE, Role.SEAT, 0, Status.PLAYING, True, 1, names, CREATED, 0, False, bots)
    return {
        "open_table": (
            protocol.NewTable(new_places),
            protocol.TableOpened(TABLE, promise_of(SECRET), *tokens),
        ),
        "list_tables": (
            protocol.MyTables((ANA,)),
            protocol.TableList((protocol.TableSummary(*summary),)),
        ),
        "read_table": (None, state_of(room_after(OPENING), 0)),
        "invitation": (None, protocol.Invitation(hints=False)),
        "join_table": (protocol.JoinTable(INVITE, JOIN_ID), protocol.SeatTaken(TABLE, 1, BEN)),
        "free_place": (protocol.FreePlace(1), state_of(room_after(OPENING), None, present=[0])),
        "hand_over": (protocol.HandOverSeat(1), state_of(handed, None, present=[0])),
        "hint": (None, protocol.HintGiven(len(SET_UP) + 1, hint_example())),
        "rematch": (None, protocol.RematchOpened(REMATCH)),
        "read_record": (None, record),
        "why": (
            protocol.WhyMove(FORBIDDEN_MOVE),
            protocol.MoveReason(FORBIDDEN_MOVE, reason.clause, reason.cause, reason.text),
        ),
        "replay": (step, replays.step_of(step)),
        "replay_steps": (steps, replays.steps_of(steps)),
        "replay_position": (place, replays.position_of(place)),
        "replay_overview": (whole, replays.overview_of(whole)),
        "begin_analysis": (protocol.NewAnalysis("normal"), asked),
        "read_analysis": (None, half),
        "cancel_analysis": (None, stopped),
        "draw_analysis": (None, picture),
        "begin_file_analysis": (protocol.RecordAnalysis(record, "quick"), of_file),
        "read_file_analysis": (None, analysed),
        "cancel_file_analysis": (None, msgspec.structs.replace(stopped, id=FILE_ID)),
        "draw_file_analysis": (None, picture),
        "read_rules": (None, load("en")),
        "read_cards": (None, rules.card_texts("en")),
        "try_coatl": (serpent, rules.tried(serpent)),
        "list_lessons": (None, lessons.lessons_in("en")),
        "learn": (learnt, lessons.follow("first", "en", learnt)),
        "list_puzzles": (None, puzzles.all_puzzles()),
        "puzzle_of_day": (None, puzzles.day_puzzle(NOON)),
        "solve": (moved, puzzles.puzzle_state("1", moved)),
        "list_cards": (None, answer_of(catalogue.list_cards)),
        "list_bots": (None, answer_of(catalogue.list_bots)),
        "startup": (None, protocol.StartupState(StartupStatus.COMPILING, 0.36)),
        "health": (None, protocol.Health("ok", __version__, protocol.PROTOCOL, 12, 31)),
        "ready": (None, protocol.Ready("ok")),
    }
