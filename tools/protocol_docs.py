"""Writes docs/protocol.md: how to talk to the server, made from the types of its messages.

`python -m tools.protocol_docs` runs it; a test compares the result with the file, and checks that
every message and request has an example that can be read. What is told about the game in the
examples is not made up: it comes from a table that is set up here with a fixed secret.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from functools import cache
from string import Template
from typing import Any

import msgspec
from msgspec import inspect as msg

from coatl._version import __version__
from coatl.events import Event
from coatl.fairness import derive_seed, promise_of
from coatl.moves import Move
from coatl.server import incoming, protocol, rest, socket
from coatl.server.protocol import CODE_MEANINGS, ErrorCode, ServerCode
from coatl.server.rest import OPERATIONS, Operation, status_of
from coatl.server.roles import Role
from coatl.server.room import Room
from coatl.server.settings import Settings
from coatl.server.store import StoredTable
from coatl.table.entries import AnyEntry, Decided, HandedOver, Joined, Opened, PlaceKind, PlaceSpec
from coatl.table.errors import Code
from coatl.table.table import NoteKind, Status
from coatl.view import ViewData
from tools.protocol_types import (
    FROM_CLIENT,
    ROOT,
    TO_CLIENT,
    Field,
    StructClass,
    description_of,
    fields_of,
    limits_of,
    structs_in,
    tag_of,
    types_of,
)

FILE = ROOT / "docs" / "protocol.md"
WIDTH = 100

# ---------------------------------------------------------------- examples

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
ID = "5e2b8c1e-0f0a-4c7c-9a55-0d3f1d0f8a11"
CREATED = 1767225600.0
MOVE = "take b3"
FORBIDDEN_MOVE = "1+R"

OPENING: tuple[AnyEntry, ...] = (
    Opened(
        places=(
            PlaceSpec(PlaceKind.PERSON, "Ana"),
            PlaceSpec(PlaceKind.OPEN),
            PlaceSpec(PlaceKind.BOT, bot="greedy"),
        ),
        promise=promise_of(SECRET),
    ),
    Joined(0, "Ana", NONCES[0]),
)
BEGUN = (*OPENING, Joined(1, "Ben", NONCES[1]))
SET_UP = (
    *BEGUN,
    *(Decided(0, "done"), Decided(1, "drop {Y}"), Decided(1, "done")),
    *(Decided(2, "drop {Y}"), Decided(2, "drop KKK"), Decided(2, "done")),
)


def room_after(entries: Sequence[AnyEntry]) -> Room:
    return Room(TABLE, StoredTable(SECRET, CREATED, list(entries), {}))


def state_of(
    room: Room, place: int | None, base: int = 0, present: Sequence[int] = (0, 1)
) -> protocol.TableState:
    """What the server would send, with those connected who have joined and are present."""
    state = room._state(place, base)
    places = tuple(
        msgspec.structs.replace(at, connected=at.ready and number in present)
        for number, at in enumerate(state.places)
    )
    return msgspec.structs.replace(state, places=places)


@cache
def state_after_a_move() -> protocol.TableState:
    """Ana has just taken pieces from the supply."""
    before = room_after(SET_UP)
    after = room_after((*SET_UP, Decided(0, MOVE, ID)))
    return msgspec.structs.replace(state_of(after, 0, before.event_count), reply=ID)


def view_of_a_turn() -> msgspec.Struct:
    """What Ana sees when it is her turn."""
    view = room_after(SET_UP).table.view(0)
    assert view is not None
    return view.data


def reason_for(move: str) -> tuple[str, str, str]:
    reason = room_after(SET_UP).table.why(0, move)
    return reason.clause, reason.cause, reason.text


def ask(handler: rest.Handler, body: Any = None) -> Any:
    """The answer of a handler that needs no table."""
    nothing: Any = None
    call: Any = handler(rest.Call(nothing, nothing, body))
    return asyncio.run(call)


@cache
def finished_record() -> str:
    """The example's game, played on with whatever move comes first."""
    table = room_after(SET_UP).table
    game = table.game
    assert game is not None
    while not game.over:
        game.play(game.legal_moves()[0])
    return table.record()


@cache
def messages() -> dict[StructClass, msgspec.Struct]:
    """An example of each message, and of some of their parts."""
    version = len(SET_UP)
    reason = reason_for(FORBIDDEN_MOVE)
    examples: list[msgspec.Struct] = [
        protocol.Hello(ANA, version, protocol=protocol.PROTOCOL),
        protocol.Join(ID, NONCES[0], "Ana"),
        protocol.Decide(ID, version, MOVE),
        protocol.Undo(ID, version + 1),
        protocol.AskWhy(ID, FORBIDDEN_MOVE),
        protocol.HandOver(ID, "random"),
        protocol.TakeBack(ID),
        protocol.GiveUp(ID),
        protocol.Ping(),
        state_after_a_move(),
        protocol.Refused(Code.STALE, CODE_MEANINGS[Code.STALE], reply=ID),
        protocol.Reason(ID, FORBIDDEN_MOVE, *reason),
        protocol.Presence((True, True, False), 1),
        protocol.Pong(),
        protocol.NoteInfo(version + 1, NoteKind.BOT_FAILED, 2, "no answer within 10 s"),
        protocol.RankInfo(1, 0, 31, 9, 14),
        protocol.VerdictInfo("cards", (0, 2)),
        protocol.TurnsInfo((2, 0), (0,)),
        protocol.FairnessInfo(
            SECRET,
            {"0": NONCES[0], "1": NONCES[1]},
            derive_seed(SECRET, dict(enumerate(NONCES))),
        ),
        view_of_a_turn(),
        protocol.Problem(Code.TAKEN, "every open place has been taken"),
    ]
    return {type(example): example for example in examples}


@cache
def requests() -> dict[str, tuple[msgspec.Struct | None, msgspec.Struct | str]]:
    """By the name of the operation: a body and its answer."""
    handed = room_after((*BEGUN, HandedOver(1, "greedy", True)))
    place = protocol.NewPlace
    wish = protocol.ReplayRequest(finished_record(), step=7, seat=0)
    span = protocol.ReplayRange(finished_record(), first=7, count=2, seat=0)
    whole = protocol.ReplayRecord(finished_record())
    reason = reason_for(FORBIDDEN_MOVE)
    summary = protocol.TableSummary(
        table=TABLE,
        role=Role.SEAT,
        place=0,
        status=Status.PLAYING,
        your_turn=True,
        turn=1,
        names=("Ana", "Ben", "greedy"),
        created=CREATED,
        token=0,
    )
    return {
        "open_table": (
            protocol.NewTable(
                (
                    place(PlaceKind.PERSON, "Ana"),
                    place(PlaceKind.OPEN),
                    place(PlaceKind.BOT, bot="greedy"),
                )
            ),
            protocol.TableOpened(
                TABLE, promise_of(SECRET), OWNER, WATCH, INVITE, (ANA, None, None)
            ),
        ),
        "list_tables": (protocol.MyTables((ANA,)), protocol.TableList((summary,))),
        "read_table": (None, state_of(room_after(OPENING), 0)),
        "join_table": (protocol.JoinTable(INVITE), protocol.SeatTaken(TABLE, 1, BEN)),
        "hand_over": (protocol.HandOverSeat(1), state_of(handed, None, present=[0])),
        "rematch": (None, protocol.RematchOpened(REMATCH)),
        "read_record": (None, finished_record()),
        "why": (
            protocol.WhyMove(FORBIDDEN_MOVE),
            protocol.MoveReason(FORBIDDEN_MOVE, *reason),
        ),
        "replay": (wish, ask(rest.replay, wish)),
        "replay_steps": (span, ask(rest.replay_steps, span)),
        "replay_overview": (whole, ask(rest.replay_overview, whole)),
        "list_cards": (None, ask(rest.list_cards)),
        "list_bots": (None, ask(rest.list_bots)),
        "health": (None, protocol.Health("ok", __version__, protocol.PROTOCOL, 12, 31)),
    }


# ---------------------------------------------------------------- examples as text

DOTS, DOTS_IN_BRACES = "...", "{...}"
LONGEST_TEXT = 80
LONGEST_WORD = 20  # shorter ones share a line
MOST_OBJECTS = 3


def show(example: msgspec.Struct) -> str:
    return fence("json", as_json(example))


def as_json(example: msgspec.Struct) -> str:
    """An example as JSON that people can read."""
    data = msgspec.json.decode(msgspec.json.encode(example))
    if isinstance(example, protocol.TableState) and data["view"] is not None:
        data["view"] = DOTS_IN_BRACES
    if isinstance(example, protocol.ReplayStep):
        data["views"] = [DOTS_IN_BRACES] * len(data["views"])
    if isinstance(example, protocol.ReplaySteps):
        for step in data["steps"]:
            step["views"] = [DOTS_IN_BRACES] * len(step["views"])
    return pretty(shorten(data), "", 0)


def fence(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"


def shorten(value: Any) -> Any:
    """Long texts and long lists of objects are cut."""
    match value:
        case dict():
            return {name: shorten(part) for name, part in value.items()}
        case [{}, *_] if len(value) > MOST_OBJECTS:
            return [shorten(value[0]), DOTS]
        case list():
            return [shorten(part) for part in value]
        case str() if len(value) > LONGEST_TEXT:
            return value[: LONGEST_TEXT - 20] + DOTS
    return value


def pretty(value: Any, indent: str, used: int) -> str:
    """JSON, broken where a line would be too long; `used` is what stands before it in its line."""
    flat = _flat(value)
    if used + len(flat) < WIDTH or not isinstance(value, dict | list):
        return flat
    inner = indent + "  "
    heads = [f"{json.dumps(name)}: " for name in value] if isinstance(value, dict) else []
    parts = list(value.values()) if isinstance(value, dict) else value
    heads = heads or [""] * len(parts)
    words = [head + _flat(part) for head, part in zip(heads, parts, strict=True)]
    if max(map(len, words)) <= LONGEST_WORD:
        lines = _fill(words, inner)
    else:
        lines = ",\n".join(
            inner + head + pretty(part, inner, len(inner + head))
            for head, part in zip(heads, parts, strict=True)
        )
    return f"{flat[0]}\n{lines}\n{indent}{flat[-1]}"


def _flat(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text.replace(f'"{DOTS}"', DOTS).replace(f'"{DOTS_IN_BRACES}"', DOTS_IN_BRACES)


def _fill(words: Iterable[str], indent: str) -> str:
    """As many words to a line as fit."""
    lines = [indent]
    for n, word in enumerate(words):
        lines[-1] += "," if n else ""
        if len(lines[-1]) + len(word) + 2 > WIDTH:
            lines.append(indent)
        lines[-1] += word if lines[-1] == indent else f" {word}"
    return "\n".join(lines)


def show_record(record: str) -> str:
    """The head and the end of a record."""
    lines = [line if len(line) < WIDTH else line[:60] + DOTS for line in record.splitlines()]
    setup = next(n for n, line in enumerate(lines) if line.startswith("0 #"))
    return fence("text", "\n".join([*lines[: setup + 5], DOTS, *lines[-3:]]))


# ---------------------------------------------------------------- types in words

_IN_API = {ViewData, Event, Move}  # these, and what they are made of, are explained there
_WORDS: dict[type[msg.Type], str] = {
    msg.StrType: "text",
    msg.IntType: "whole number",
    msg.FloatType: "number",
    msg.BoolType: "true or false",
    msg.NoneType: "null",
}
_MANY: dict[type[msg.Type], str] = {msg.StrType: "texts", msg.IntType: "whole numbers"}


def link_to(struct: StructClass) -> str:
    name = tag_of(struct) or struct.__name__
    page = "api.md" if struct in _IN_API else ""
    return f"[`{name}`]({page}#{name.lower()})"


def words_of(kind: msg.Type) -> str:
    """A type in plain words."""
    match kind:
        case msg.StructType(cls=cls):
            return link_to(cls)
        case msg.RawType():
            return link_to(ViewData)
        case msg.UnionType(types=types):
            return " or ".join(map(words_of, types))
        case msg.VarTupleType(item_type=msg.UnionType() as item):
            return f"list, each {words_of(item)}"
        case msg.VarTupleType(item_type=item):
            return f"list of {_MANY.get(type(item)) or words_of(item)}"
        case msg.DictType(key_type=key, value_type=value):
            return f"object: {words_of(key)} → {words_of(value)}"
        case msg.LiteralType(values=values):
            return " or ".join(f"`{value}`" for value in values)
        case msg.EnumType(cls=cls):
            return " or ".join(f"`{member.value}`" for member in cls)
    return _WORDS[type(kind)]


def table_of(struct: StructClass) -> str:
    """The fields of a struct."""
    rows = [[f"`{field.name}`", *_cells(field)] for field in fields_of(struct)]
    return make_table(("field", "type", "meaning", "default"), rows) if rows else ""


def _cells(field: Field) -> list[str]:
    meaning = "; ".join(filter(None, (field.comment, limits_of(field.type))))
    return [words_of(field.type), meaning, f"`{field.default_text}`" if field.has_default else ""]


def make_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(text) for text in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


# ---------------------------------------------------------------- messages


def message_index(kinds: Sequence[StructClass]) -> str:
    rows = [(link_to(kind), description_of(kind).split("\n\n")[0]) for kind in kinds]
    return make_table(("message", "is"), rows)


def message_section(struct: StructClass, told: set[StructClass]) -> list[str]:
    """A message: what it is for, its fields, an example, and then its parts."""
    parts = [f"### `{tag_of(struct)}`\n{description_of(struct)}", table_of(struct)]
    return [*parts, show(messages()[struct]), *part_sections(struct, told)]


def part_sections(struct: StructClass, told: set[StructClass]) -> list[str]:
    """What a message is made of, as far as it has not been told before."""
    sections = []
    for part in dict.fromkeys(structs_in(msg.type_info(struct))):
        if part is struct or part in told or part.__module__ != protocol.__name__:
            continue
        told.add(part)
        sections += [f"#### `{part.__name__}`\n{description_of(part)}", table_of(part)]
        if part in messages():
            sections.append(show(messages()[part]))
    return sections


# ---------------------------------------------------------------- requests


def anchor_of(operation: Operation) -> str:
    """As it is made from the heading."""
    path = "".join(letter for letter in operation.path if letter.isalnum() or letter in "_-")
    return f"{operation.method.lower()}-{path}"


def request_index() -> str:
    rows = [
        (
            f"[`{operation.method} {operation.path}`](#{anchor_of(operation)})",
            operation.summary,
            "yes" if operation.needs_token else "",
        )
        for operation in OPERATIONS
    ]
    return make_table(("request", "does", "token in the header"), rows)


def request_section(operation: Operation, told: set[StructClass]) -> list[str]:
    """A request: what it does, takes and answers, what can go wrong, an example of it."""
    answer = requests()[operation.name][1]
    sections = [
        f"### `{operation.method} {operation.path}`\n{operation.summary}",
        _facts(operation),
        show_request(operation),
        show_record(answer) if isinstance(answer, str) else show(answer),
    ]
    for struct in types_of(operation):
        if struct not in told and tag_of(struct) is None:
            told.add(struct)
            sections += [f"#### `{struct.__name__}`\n{description_of(struct)}", table_of(struct)]
            sections += part_sections(struct, told)
    return sections


def _facts(operation: Operation) -> str:
    facts = [f"- answer: {_answer_words(operation)}"]
    if operation.body is not None:
        facts.insert(0, f"- body: {link_to(operation.body)}")
    if operation.errors:
        facts.append(f"- errors: {_error_words(operation.errors)}")
    return "\n".join(facts)


def show_request(operation: Operation) -> str:
    body = requests()[operation.name][0]
    lines = [f"{operation.method} {operation.path.format(table=TABLE)}"]
    if operation.needs_token:
        lines.append(f"Authorization: Bearer {OWNER if operation.name == 'hand_over' else ANA}")
    if body is not None:
        lines += ["", as_json(body)]
    return fence("http", "\n".join(lines))


def _answer_words(operation: Operation) -> str:
    if operation.answer is str:
        return "text (`text/plain`), [a record](notation.md#records)"
    return link_to(operation.answer)


def _error_words(codes: Iterable[ErrorCode]) -> str:
    """The codes by status."""
    by_status: dict[int, list[str]] = {}
    for code in dict.fromkeys(codes):
        by_status.setdefault(status_of(code), []).append(f"`{code}`")
    return "; ".join(f"{status} {', '.join(of)}" for status, of in sorted(by_status.items()))


# ---------------------------------------------------------------- codes

ANY_REQUEST = (
    ServerCode.TOO_FAST,
    ServerCode.NOT_FOUND,
    ServerCode.METHOD_NOT_ALLOWED,
    ServerCode.INTERNAL,
)

# What a close code tells a client: what happened, and whether to come back.
CLOSE_MEANINGS = {
    1009: ("a message was longer than the server takes", "no: mend the client"),
    1011: ("something went wrong at the server", "yes, after a while"),
    1012: ("the server stops or starts anew", "yes, in a moment"),
    4400: ("the client does not speak this protocol", "no: mend the client"),
    4401: ("the token is not one of this table", "no"),
    4403: ("the token, or a page of another site, opens no socket", "no"),
    4404: ("there is no such table", "no"),
    4426: ("the client speaks another version of the protocol", "when it is up to date"),
    socket.TOO_SLOW: ("the client did not read fast enough", "yes"),
    4429: ("too much at once", "yes, after a while"),
}


def close_table() -> str:
    codes: dict[int, list[str]] = {code: [] for code in sorted(CLOSE_MEANINGS)}
    for error, code in socket.CLOSE.items():
        codes[code].append(f"`{error.value}`")
    rows = [
        (str(code), *CLOSE_MEANINGS[code][:1], ", ".join(errors), CLOSE_MEANINGS[code][1])
        for code, errors in codes.items()
    ]
    return make_table(("close code", "what happened", "error codes", "come back?"), rows)


def error_table() -> str:
    """Every code; a status only where a request can be answered with it."""
    by_request = {str(code) for operation in OPERATIONS for code in operation.errors}
    by_request |= {code.value for code in ANY_REQUEST}
    rows = [
        (f"`{code}`", meaning, str(status_of(code)) if code in by_request else "socket only")
        for code, meaning in CODE_MEANINGS.items()
    ]
    return make_table(("code", "meaning", "status"), rows)


def limit_table() -> str:
    limits = Settings()
    rows = [
        ("a socket's message", f"{limits.max_message:,} bytes"),
        ("a request's body", f"{limits.max_body:,} bytes; with a record {limits.max_record:,}"),
        (
            "messages of a socket",
            f"{limits.messages_per_second:g} a second, {limits.message_burst} at once",
        ),
        (
            "requests of an address",
            f"{limits.requests_per_second:g} a second, {limits.request_burst} at once",
        ),
        (
            "new tables of an address",
            f"{limits.tables_per_minute:g} a minute, {limits.table_burst} at once",
        ),
        (
            "sockets",
            f"{limits.connections_per_seat} a seat, {limits.connections_per_address} an address, "
            f"{limits.connections:,} in all",
        ),
        ("until `hello`", f"{limits.hello_seconds:g} seconds"),
    ]
    return make_table(("what", "at most"), rows)


# ---------------------------------------------------------------- the page

INTRO = Template("""\
# The protocol of the server

A client opens tables and asks questions with [requests](#requests), and plays over
[a WebSocket](#sockets). All of it is JSON. The page in the browser has no other way in, so a
client of your own can do all that the page can.

This page is made by `python -m tools.protocol_docs` from
[the types](../src/coatl/server/protocol.py): change those, not this page. `GET /api/openapi.json`
describes the requests for programs, and `web/src/lib/protocol.ts` has everything for TypeScript.

This is version $protocol of the protocol. The number changes when clients have to. A client tells
the version it speaks in [`hello`](#hello); one that tells none is taken to speak version 1. If it
is not the server's, the answer is `refused` with `wrong_protocol`, whose `text` tells both
numbers, and the socket is closed with 4426: the page is to be reloaded, a program to be updated.
The page of version 1 does not know this code; it is sent `wrong_origin` instead, after which it
stops trying, and shows that it is to be reloaded. [`/healthz`](#get-healthz) tells a server's
version beforehand.

In the tables below a field without a default is always there. One with a default may be left out,
by you and by the server, and then means the default. The server refuses fields it does not know;
a client should ignore those it does not know. In the examples `...` stands for what is left out.

## Tables, places and seats
A table has *places*, counted from 0. When the game begins each place gets a *seat* in it, also
counted from 0: the first seat begins. `seating` tells which place a seat belongs to; the two
numbers differ only if the order was drawn by lot. [Views](api.md#viewdata) and
[events](api.md#event) speak of seats, everything else of places.

## Tokens
There are no accounts: whoever holds a token is what the token says.

| role | for | socket | requests |
| --- | --- | --- | --- |
| `seat` | one person at one place | plays | the table as the seat sees it, why, record, rematch |
| `owner` | who opened the table | none | as `watch`; give absent people's seats to bots, rematch |
| `watch` | spectators | watches | the table as a spectator sees it, record |
| `invite` | those who may take an open place | none | take a place, nothing else |

A link that is passed on has the token behind its `#`, in the fragment, which browsers send to
nobody. From there it goes into the first message of a socket, [`hello`](#hello), or into the
header `Authorization: Bearer TOKEN` of a request, or into its body where that asks for it. It
never stands in a path, so it is in no log. The server keeps only hashes of tokens: one that is
lost is lost.

## How a game starts
1. Somebody opens a table with [`POST /api/tables`](#post-apitables) and passes the links on. A
   place is for a `person` with a link of their own, `open` for whoever comes first with the
   invitation ([`POST /api/tables/{table}/join`](#post-apitablestablejoin)), or for a `bot`.
2. Everybody opens a socket, says [`hello`](#hello), and gets a state with the status `waiting`.
3. Everybody sends [`join`](#join) with a nonce: 32 random bytes that the client draws. So nobody
   can choose the game's chance ([how](fairness.md)). Keep the nonce and the table's promise to
   check that later.
4. With the last nonce the game begins: everybody gets a state with the status `playing` and a
   view.

## Versions and ids
Every change of a table makes its *version* one greater. A decision names the version of the state
it was made by. If that is not the table's, it is refused and a fresh state follows:

- `stale`: something has happened meanwhile. Look at the state; if the move is still among the
  view's `moves` you may send it again, with the new version.
- `ahead`: the server knows less than you, since it was set back to an older copy. Forget what you
  had and take the state.

Each message that changes something has an *id* of your choice, such as a UUID. The answer repeats
it as `reply`. If no answer came, because the connection broke, send the same message with the
same id again: what has been done is answered again with a state, not done again. Only `join` is
done once for all; sent again it is refused as `taken`, and the state tells that you have joined.
An id that was refused was not used up.

## States and events
After each change everybody at the table gets [a state](#state): all they may know, every time. So
a client needs no memory of its own, and after a lost connection the next state is enough. What
happened since the last state of the same socket is told as [events](api.md#event), for a log or
an animation; in the first state of a socket these are all events of the game. `first_event` is
the number of the first of them. A client that is slow gets fewer states with more events each,
and none is left out.

A state is sent only after it has been stored. What you have seen survives a power cut.

[The view](api.md#viewdata) has the legal moves of your seat: what each of them does, and its
`text` in [the notation](notation.md#moves). A client needs to know no rule, and not the notation
either: it shows the moves, and sends the text of one back.

## Sockets
The address is `/api/tables/{table}/socket`, with `wss:` where pages come by `https:`. One message
is one JSON object in a text frame, and its `type` tells what it is. The first is `hello`. Then
the server sends a state and `presence` (before them `refused` with `ahead`, if the client knew
more), and from then on what happens. Answers come in the order of the messages.

A socket is for one seat of one table, or for a spectator. The same seat may have several, in two
windows say: each gets every state, and `reply` only comes on the socket that asked.

What cannot be read or is not allowed is answered with [`refused`](#refused), and the socket stays
open; after $offences messages that could not be read it is closed. Where a client may have an old
picture a fresh state follows, that is after
$refreshing and `storage`.
Before a socket is closed for an error, `refused` tells which; not before 1007 (a text frame that is
not UTF-8), 1009 (a message far too long) and 1012 (the server stops), which come at once.

$close

A page of another site is refused before the socket is open, with the HTTP status 403; browsers
only report the close code 1006.

### Limits
These are the server's own; whoever runs it may set others.

$limits

A message of a socket that comes too fast is not refused and not lost: the server waits before it
reads it, so the answer comes later, and answers still come in the order of the messages. A client
that sends a message when the one before has been answered need not know the limit. Only when more
than $early messages wait is the socket closed, with `too_fast` and 4429; what has not been
answered may then be sent again on a new socket, with the same ids.

A request that comes too fast is not done: it is answered with 429 and `too_fast`, and the header
`Retry-After` tells after how many seconds to ask again.
""")

REQUESTS = Template("""\
## Requests
Bodies and answers are JSON. A request that fails is answered with a status of 400 or more and
[`Problem`](#problem). Besides the errors named below every request may be answered with
$any.

$index
""")

ERRORS = "## Errors\nThese stand in `code` of [`refused`](#refused) and [`Problem`](#problem)."

VIEW = """\
#### A view
What stands for `{...}` above is [`ViewData`](api.md#viewdata), whose fields are explained there.
Ana's before her move:
"""


def introduction() -> str:
    refreshing = sorted(code.value for code in socket._REFRESHING)
    return INTRO.substitute(
        protocol=protocol.PROTOCOL,
        offences=socket.MOST_OFFENCES,
        early=incoming.MOST_EARLY,
        refreshing=", ".join(f"`{code}`" for code in refreshing),
        close=close_table(),
        limits=limit_table(),
    )


def message_sections() -> list[str]:
    told: set[StructClass] = set()
    sections = ["## Messages to the server", message_index(FROM_CLIENT)]
    for kind in FROM_CLIENT:
        sections += message_section(kind, told)
    sections += ["## Messages from the server", message_index(TO_CLIENT)]
    for kind in TO_CLIENT:
        sections += message_section(kind, told)
        if kind is protocol.TableState:
            sections += [VIEW, show(messages()[ViewData])]
    return sections


def request_sections() -> list[str]:
    told: set[StructClass] = set()
    words = REQUESTS.substitute(any=_error_words(ANY_REQUEST), index=request_index())
    sections = [words, f"### `Problem`\n{description_of(protocol.Problem)}"]
    sections += [table_of(protocol.Problem), show(messages()[protocol.Problem])]
    for operation in OPERATIONS:
        sections += request_section(operation, told)
    return sections


def make_page() -> str:
    """The whole page."""
    errors = [ERRORS, error_table()]
    sections = [introduction(), *message_sections(), *request_sections(), *errors]
    return "\n\n".join(section.strip("\n") for section in sections if section) + "\n"


def main() -> None:
    FILE.write_text(make_page(), encoding="utf-8")
    print(FILE.relative_to(ROOT))


if __name__ == "__main__":
    main()
