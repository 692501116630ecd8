"""What a window announces to those who listen, compared with what happened, event by event.

A script in the page notes each line that is added to the live region (``[data-announcer]``), and
whether it could be heard: a modal dialog silences all that is outside of it. What happened is heard
from the page's own socket. `Announced.check` wants each event that the log tells in one line, in
its turn, and no line that no event explains; and a line for each who came or went, let a bot play
or gave up. The words are those of the page in English.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, WebSocket

from coatl.players.bots import BOTS
from coatl.rules.pieces import COLOUR_NAMES

TITLES = {bot.name: bot.title["en"] for bot in BOTS}
Json = dict[str, Any]

NOTE_ANNOUNCEMENTS = """
(() => {
  window.announced = [];
  const note = (line) => {
    const region = line.closest("[data-announcer]");
    const modal = [...document.querySelectorAll("dialog:modal")];
    const heard = region.isConnected && modal.every((dialog) => dialog.contains(region));
    const urgent = line.parentElement.getAttribute("aria-live") === "assertive";
    announced.push({ text: line.textContent, urgent, heard });
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node.nodeType === 1 && node.matches("[data-announcer] [aria-live] > p")) note(node);
  }).observe(document, { childList: true, subtree: true });
})();
"""

LETTERS = dict(zip("KRBYG", COLOUR_NAMES, strict=True))
PIECE = re.compile(rf"\b({'|'.join(COLOUR_NAMES)}) (head|segment|tail)\b")
TOKENS = {"pick": "Perfect Pick", "future": "See the Future", "priest": "Priest Commitment"}
WHOLE = "the whole line"  # of a line that one event explains


def piece_name(piece: str) -> str:
    kind = "head" if piece.startswith("<") else "tail" if piece.endswith(">") else "segment"
    return f"{LETTERS[piece.strip('<>')]} {kind}"


@dataclass
class Line:
    """One line that was announced, and what of it no event has explained yet."""

    text: str
    urgent: bool
    heard: bool
    left: Counter[str] = field(default_factory=Counter)
    is_used: bool = False

    def __post_init__(self) -> None:
        pieces = [" ".join(found) for found in PIECE.findall(self.text)]
        cards = re.search(r"(?:draws?|discards?) (\d+) cards?", self.text)
        if pieces and not re.search("fulfil|choose|Temple card", self.text):  # cards name pieces
            self.left.update(pieces)
        else:
            self.left[WHOLE] = int(cards[1]) if cards else 1

    def explains(self, told: Told) -> bool:
        return bool(re.match(told.frame, self.text)) and self.left[told.item] > 0

    def use(self, told: Told) -> None:
        self.is_used = True
        if not told.may_share:
            self.left[told.item] -= 1


@dataclass(frozen=True)
class Told:
    """How the page tells of an event: the line's beginning, and the event's part in it."""

    frame: str
    item: str = WHOLE
    may_share: bool = False  # others may be told with it, and the words do not say how many


@dataclass(frozen=True)
class Names:
    """Who is who for a window: its seat is "You"."""

    names: Sequence[str]  # by seat
    seat: int | None

    def does(self, seat: int | None, you: str, others: str) -> str:
        if seat is None:
            return rf"A\.D\.A\.M\. {others}"
        name = re.escape(self.names[seat])
        return f"You {you}" if seat == self.seat else f"{name} {others}"


def told_as(event: Json, names: Names) -> list[Told]:
    """None for what the log does not tell; several for a card that its owner is told, too."""
    kind, seat = event["kind"], event.get("seat")
    source, target = event.get("source") or {}, event.get("target") or {}
    does = names.does
    match kind:
        case "turn" if seat is not None and seat == names.seat:
            return [Told(r"Your turn\.")]
        case "piece":
            return _piece(event, source, target, names)
        case "prophecy":
            return _prophecy(event, source, target, names)
        case "temple" if target["kind"] == "coatl":
            return [Told(does(seat, "lay", "lays") + " the Temple card")]
        case "temple" if target["kind"] == "temples":
            return [Told(does(seat, "take", "takes") + " the Temple card")]
        case "token" if event["token"] == "pick":
            return []  # with the pieces that it brought
        case "token":
            return [Told(f"{does(seat, 'use', 'uses')} {TOKENS[event['token']]}", WHOLE, True)]
        case "coatl":
            n, points = len(event["pieces"].strip("<>")), event.get("points") or 0
            worth = f"{points} point{'s' if points != 1 else ''}$"
            begin = does(seat, "complete", "completes")
            return [Told(f"{begin} a Cóatl of {n} pieces for {worth}")]
        case "shuffle":
            return [Told("The discarded cards become a new deck")]
        case "pass":
            return [Told(does(seat, "pass$", "passes$"))]
        case "undo":
            return [Told(does(seat, "take", "takes") + " back a step")]
        case "end" if event["end"] != "passed":
            ends = (
                "The game is over" if len(names.names) == 1 else "These are the last turns"
            )  # R18
            return [Told(f"The .* {ends}|A third .* {ends}")]
    return []


def _piece(event: Json, source: Json, target: Json, names: Names) -> list[Told]:
    seat, item = event.get("seat"), piece_name(event["piece"])
    place = (source["kind"], target["kind"])
    match place:
        case ("supply", "adam_holding"):
            return [Told(r"A\.D\.A\.M\. takes from space", item, True)]
        case ("adam_holding", "adam_card"):
            where = f"A\\.D\\.A\\.M\\. takes from space .* on card {target['at'] + 1}"
            return [Told(where, item)]
        case ("adam_holding", _):
            return [Told(r"A\.D\.A\.M\. takes from space .* out of the game", item)]
        case ("adam_card", "adam_card"):
            return [Told(f"A\\.D\\.A\\.M\\. lays .* on his card {target['at'] + 1}", item)]
        case ("adam_card", _):
            return []  # with the card that he fulfilled
        case ("bag", "supply"):
            return [Told("The supply is filled: ", item)]
        case ("bag", "board"):
            return [Told(names.does(seat, "use", "uses") + " Perfect Pick: ", item)]
        case (_, "coatl") if event.get("at") is None:
            return [Told(names.does(seat, "begin", "begins") + " a Cóatl with ", item)]
        case (_, "coatl"):
            add = names.does(seat, "add", "adds")
            return [Told(f"{add} .* to Cóatl {target['at'] + 1}$", item)]
        case (_, "board"):
            return [Told(names.does(seat, "take", "takes") + " ", item)]
    raise AssertionError(f"a piece goes a way that nobody told of: {place}")


def _prophecy(event: Json, source: Json, target: Json, names: Names) -> list[Told]:
    seat, does = event.get("seat"), names.does
    match (source["kind"], target["kind"]):
        case (_, "row") | ("row", "discard"):
            return []
        case (_, "coatl"):
            fulfil = does(seat, "fulfil", "fulfils")
            return [Told(f"{fulfil} .* with Cóatl {target['at'] + 1}$")]
        case (_, "adam_fulfilled"):
            return [Told(r"A\.D\.A\.M\. fulfils ")]
        case (_, "adam_card"):
            return [Told(r"A\.D\.A\.M\. takes .* from the row", WHOLE, True)]
        case (_, "discard"):
            return [Told(does(seat, "discard", "discards") + " ")]
        case ("deck", _):
            draw = Told(does(seat, "draw", "draws") + r" \d")
            return [draw, Told("You drew: ")] if seat == names.seat else [draw]
    return [Told(does(seat, "choose", "chooses") + " ", WHOLE, True)]


def note_text(note: Json, names: Names) -> str:
    """`names` are by place, as notes are."""
    name = names.names[note["place"]]
    if note["kind"] == "bot_failed":
        return f"The bot of {name} failed; another one plays on"
    if note["kind"] == "hand" and note.get("text") == "owner":
        return f"A bot plays for {name}, who is away"
    words = {
        "hand": ("You let a bot play", "lets a bot play"),
        "back": ("You play on yourself", "takes over again"),
        "give_up": ("You give up; a bot plays on", "gives up; a bot plays on"),
    }
    you, others = words[note["kind"]]
    return you if note["place"] == names.seat else f"{name} {others}"


NOTED = re.compile(
    "lets? a bot play|takes over again|You play on yourself"
    "|bot plays on|another one plays on|bot plays for .* away"
)
HAPPENED = re.compile(
    r"You drew|The supply is filled|A\.D\.A\.M\.[: ](?!plays)|.* new deck"
    r"|.* (?:last turns)|The (?:third|body segments) .* over"
    r"|\S+ (?:takes?|uses?|begins?|adds?|chooses?|draws?|discards?|fulfils?|lays?|completes?|pass)"
)

CAME = re.compile(r" (is here now|has left, but may come back)\.$")
OVER = re.compile(r" wins? with \d+ points\. ")  # what is said when the game has ended


class Announced:
    """The announcements of one page, from the first state of its table on."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.states: dict[int | None, Json] = {}  # the newest of each place
        self.first: dict[int | None, int] = {}  # how many events are history for it
        self.first_notes: dict[int | None, int] = {}
        self.events: dict[int | None, list[Json]] = {}
        self.here: list[bool] | None = None  # who is connected, by place
        self.comings: list[str] = []  # how those who came and went are told
        page.add_init_script(NOTE_ANNOUNCEMENTS)
        page.on("websocket", self._hear_socket)

    def _hear_socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._hear)

    def _hear(self, frame: str | bytes) -> None:
        state = json.loads(frame)
        if state["type"] == "presence" and self.states:
            self._hear_presence(state["connected"])
        if state["type"] != "state" or state.get("view") is None:
            return
        place = state["place"]
        known = self.events.get(place, [])[: state["first_event"]]
        self.events[place] = [*known, *state["events"]]
        self.first.setdefault(place, len(self.events[place]))
        self.first_notes.setdefault(place, len(state.get("notes", [])))
        before = self.states.get(place)
        if before is None or before["table"] != state["table"]:
            self.here, self.comings = None, []  # counts from when all seats of this are there
        self.states[place] = state
        self._hear_presence([one["connected"] for one in state["places"]])

    def _hear_presence(self, connected: list[bool]) -> None:
        """Bots, those for whom one plays, and this window's own people are not told."""
        state = next(reversed(self.states.values()))
        before, self.here = self.here, connected
        if before is None or len(before) != len(connected):  # of another table
            return
        for place, (was, now) in enumerate(zip(before, connected, strict=True)):
            is_told = place not in self.states and state["places"][place].get("bot") is None
            if was != now and is_told and state["status"] != "over":
                how = "is here now." if now else "has left, but may come back."
                self.comings.append(f"{_name(state, place)} {how}")

    def _notes(self, place: int | None) -> list[str]:
        """How what happened outside the game is told."""
        state = self.states[place]
        names = Names([_name(state, one) for one in range(len(state["places"]))], place)
        return [
            note_text(note, names) for note in state.get("notes", [])[self.first_notes[place] :]
        ]

    def lines(self) -> list[Line]:
        return [Line(**one) for one in self.page.evaluate("window.announced")]

    def texts(self, urgent: bool = False) -> list[str]:
        return [line.text for line in self.lines() if line.urgent == urgent]

    def check(self, place: int | None = 0) -> int:
        """Compare what was announced with what a place has heard of; the number of events told."""
        state = self.states[place]
        names = Names([_name(state, place) for place in state["seating"]], state["seat"])
        lines = self.lines()
        silent = [line.text for line in lines if not line.heard]
        assert not silent, f"announced where nobody can hear it: {silent}"
        assert [line.text for line in lines if CAME.search(line.text)] == self.comings
        noted = [line for line in lines if NOTED.search(line.text)]
        assert [line.text for line in noted] == self._notes(place)
        count, turn = 0, _turn(lines, 0)
        for event in self.events[place][self.first[place] :]:
            for told in told_as(event, names):
                if event["kind"] == "turn":
                    turn = _turn(lines, turn.stop)
                line = _find(lines[turn], told)
                assert line is not None, _report(event, told, lines[turn])
                line.use(told)
                count += 1
        for line in (line for line in lines if line not in noted):
            is_about_the_game = (
                not line.urgent and HAPPENED.match(line.text) and not OVER.search(line.text)
            )
            left = [item for item, n in line.left.items() if n > 0 and item != WHOLE]
            if is_about_the_game and (not line.is_used or (left and "A.D.A.M." not in line.text)):
                raise AssertionError(f"announced, but it did not happen: {line.text} {left}")
        return count


def _name(state: Json, place: int) -> str:
    info = state["places"][place]
    return str(info["name"] or TITLES[info["bot"]])


def _turn(lines: Sequence[Line], begin: int) -> slice:
    """The lines from there on, up to the next turn of the one who listens."""
    later = range(begin + 1, len(lines))
    end = next((at for at in later if lines[at].text.startswith("Your turn.")), len(lines))
    return slice(begin, end)


def _find(lines: Sequence[Line], told: Told) -> Line | None:
    """A line for an event; what may share one has a line of its own if there is one."""
    found = [line for line in lines if not line.urgent and line.explains(told)]
    return next((line for line in found if not line.is_used), found[0] if found else None)


def _report(event: Json, told: Told, lines: Sequence[Line]) -> str:
    rest = "\n".join(f"  {line.text} {dict(line.left)}" for line in lines)
    return f"{event}\nwas not announced as {told}\namong\n{rest}"
