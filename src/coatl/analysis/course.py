"""The course of a finished game: its turns, and what the table was like before each decision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

from coatl.compiler.records import records_in
from coatl.game import Game, Outcome
from coatl.moves import Move, MoveKind
from coatl.rules.cards import standard_deck
from coatl.rules.chance import new_chance
from coatl.rules.pieces import COLOURS, SPACES
from coatl.rules.state import NONE, StateRecord
from coatl.state import State, Tools

HEAD_LINES = 16  # of a record: more than the lines before its first move that anybody looks for
SEATS = "Seats: "
MOST_DECISIONS = 6000  # many times those of any game that is played

# What a turn was about: of the kinds of its moves the first in this list.
_ACTIONS = (
    (MoveKind.TOKEN, "token"),
    (MoveKind.BEGIN, "assemble"),
    (MoveKind.ADD, "assemble"),
    (MoveKind.FULFIL, "assemble"),
    (MoveKind.PICK, "choose"),
    (MoveKind.DRAW, "choose"),
    (MoveKind.TAKE, "take"),
    (MoveKind.PASS, "pass"),
)
ACTIONS = ("setup", "take", "choose", "assemble", "complete", "token", "pass")


class AnalysisError(ValueError):
    """A game that cannot be analysed; the message says in one sentence why."""


class NoSuchSeat(AnalysisError):  # noqa: N818 - it is the seat that is missing
    """A seat that the game does not have."""

    def __init__(self, players: int) -> None:
        super().__init__(f"the seats of this game are 0 to {players - 1}")
        self.players = players


@dataclass(frozen=True)
class Decision:
    """A decision that stood, with the bytes of the state before it."""

    before: bytes
    move: Move
    drew: bool  # something hidden came to light by it


@dataclass(frozen=True)
class Turn:
    """What one seat decided in one turn; setup is turn 0."""

    number: int
    seat: int
    decisions: tuple[Decision, ...]
    after: bytes  # the state when somebody else came to decide, or at the end
    completed: tuple[int, ...]  # points of the Cóatl that were completed in it

    @cached_property
    def action(self) -> str:
        """What it was about: one of ACTIONS."""
        if self.number == 0:
            return "setup"
        if self.completed:
            return "complete"
        kinds = {decision.move.kind for decision in self.decisions}
        return next((name for kind, name in _ACTIONS if kind in kinds), "pass")

    @cached_property
    def taken(self) -> str:
        """The pieces that were taken from the supply."""
        found = (taken_by(decision.before, decision.move) for decision in self.decisions)
        return " ".join(filter(None, found))


@dataclass(frozen=True)
class Course:
    """A finished game, read from its record; what was taken back is left out."""

    game: Game  # after its last decision
    turns: tuple[Turn, ...]
    outcome: Outcome
    start: bytes  # the state when the first turn after setup begins
    tools: Tools = field(repr=False)

    @property
    def players(self) -> int:
        return self.game.options.players

    @property
    def columns(self) -> int:
        """How many can win: in solo A.D.A.M. is the second."""
        return max(self.players, 2)

    @property
    def played(self) -> tuple[Turn, ...]:
        """The turns after the setup."""
        return tuple(turn for turn in self.turns if turn.number > 0)

    @property
    def shares(self) -> tuple[float, ...]:
        """The result: 1 for a win, a part of it where it is shared (F2)."""
        winners = self.outcome.winners
        return tuple(float(seat in winners) / len(winners) for seat in range(self.columns))

    def state(self, content: bytes) -> State:
        return State(content, self.tools)


def taken_by(before: bytes, move: Move) -> str:
    """The pieces that a move takes from the supply, in the notation: ``KR``, ``<K`` or ``K>``."""
    if move.space is None:
        return ""
    supply = records_in(StateRecord, bytearray(before))[0].supply
    space = SPACES.index(move.space)
    colours = "".join(COLOURS[colour] for colour in supply[space].tolist() if colour != NONE)
    match move.space[0]:
        case "h":
            return f"<{colours}"
        case "t":
            return f"{colours}>"
    return colours


def seats_of_people(text: str) -> tuple[int, ...] | None:
    """Where people sat, as a record names those who played; None if it names no person."""
    head = (line for line in text.splitlines()[:HEAD_LINES] if line.startswith(SEATS))
    names = next(head, SEATS).removeprefix(SEATS).split(",")
    people = (seat for seat, name in enumerate(map(str.strip, names)) if name and not is_bot(name))
    return tuple(people) or None


def is_bot(name: str) -> bool:
    """As a record names those who played."""
    return name.startswith("bot:")


def read_course(text: str) -> Course:
    """The course of a recorded game; raises `AnalysisError` or `RecordError`."""
    if any(line.startswith("Deck: ") for line in text.splitlines()[:HEAD_LINES]):
        raise AnalysisError(
            "only games with the printed cards can be analysed, not one with a deck of its own"
        )
    steps: list[tuple[int, int, Decision]] = []
    last, now = None, b""
    for number, game in enumerate(Game.steps(text)):
        if number > MOST_DECISIONS:
            raise AnalysisError(f"a game of more than {MOST_DECISIONS} decisions is not analysed")
        if last is not None:
            _note(game, now, steps)
        last, now = game, bytes(game.state.buffer)
    assert last is not None
    if not last.over:
        raise AnalysisError("the game is not over; only finished games can be analysed")
    if not steps:
        raise AnalysisError("nothing was decided in this game")
    return _course(last, steps, now)


def _note(game: Game, before: bytes, steps: list[tuple[int, int, Decision]]) -> None:
    """Add the last decision of a game, or take one away that was taken back."""
    entry = game.log[-1]
    if entry.is_undo:
        steps.pop()
    else:
        steps.append((entry.turn, entry.seat, Decision(before, entry.move, bool(entry.draws))))


def _course(game: Game, steps: list[tuple[int, int, Decision]], end: bytes) -> Course:
    tools = Tools(standard_deck(), new_chance("course"))
    groups = [
        (number, seat, tuple(decision for _, _, decision in group))
        for (number, seat), group in groupby(steps, lambda step: step[:2])
    ]
    befores = [decisions[0].before for _, _, decisions in groups]
    turns = []
    for (number, seat, decisions), after in zip(groups, [*befores[1:], end], strict=True):
        before = State(decisions[0].before, tools)
        completed = tuple(_completed(before, State(after, tools), seat))
        turns.append(Turn(number, seat, decisions, after, completed))
    start = next((before for (n, _, _), before in zip(groups, befores, strict=True) if n), end)
    return Course(game, tuple(turns), game.outcome(), start, tools)


def _completed(before: State, after: State, seat: int) -> Iterator[int]:
    """Points of the Cóatl of a seat that are complete now and were not."""
    old = before.records[0].players[seat]
    new = after.records[0].players[seat]
    values = after.values(seat)
    for number in range(int(new.n_coatls)):
        was = number < int(old.n_coatls) and bool(old.coatls[number].complete)
        if new.coatls[number].complete and not was:
            yield values[number]
