"""What is kept of a game, by seat, and how it is read from the game's events and last views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import msgspec

from coatl.events import Event, EventKind, SpotKind
from coatl.game import Game
from coatl.moves import MoveKind
from coatl.view import CoatlView

OPENING = 4  # turns that are kept of how somebody began


class Action(StrEnum):
    """What a turn was used for."""

    TAKE = "take"  # pieces
    CARDS = "cards"  # Prophecy cards
    BUILD = "build"  # assemble
    TOKEN = "token"
    PASS = "pass"


class Source(StrEnum):
    """Where a Prophecy card came from."""

    ROW = "row"  # it lay face up
    DECK = "deck"


class Taken(msgspec.Struct, frozen=True, array_like=True):
    """A Prophecy card that came to a hand after the setup; turns are the seat's own, from 1."""

    card: str
    source: Source
    turn: int


class FirstPick(msgspec.Struct, frozen=True, array_like=True):
    """The first face-up Prophecy card that a seat took."""

    card: str
    offered: tuple[str, ...]  # all that lay there, this one among them
    is_random: bool  # it was drawn by lot, not chosen


class Laid(msgspec.Struct, frozen=True, array_like=True):
    """A Prophecy card on a Cóatl, as it was met at the end (Q8)."""

    card: str
    times: int
    points: int


class LaidTemple(msgspec.Struct, frozen=True, array_like=True):
    card: str
    met: int  # requirements
    points: int


class CoatlFacts(msgspec.Struct, frozen=True, array_like=True):
    pieces: str  # head to tail, such as <KRRY>
    turn: int | None  # when it was completed; None: it never was
    value: int
    cards: tuple[Laid, ...]
    temple: LaidTemple | None

    @property
    def colours(self) -> str:
        return self.pieces.strip("<>")

    @property
    def length(self) -> int:
        return len(self.colours)


class Spent(msgspec.Struct, frozen=True, array_like=True):
    """A Sacrifice token that was used."""

    token: str
    turn: int


class SeatFacts(msgspec.Struct, frozen=True):
    """One seat of a game."""

    share: float  # of the win
    points: int
    turns: int
    dealt: tuple[str, ...]  # Prophecy cards at setup
    buried: tuple[str, ...]  # those of them that were discarded at once
    temple: str | None  # the Temple card that was dealt
    taken: tuple[Taken, ...]
    first_pick: FirstPick | None
    dropped: tuple[str, ...]  # by See the Future
    left: tuple[str, ...]  # Prophecy cards in hand at the end
    coatls: tuple[CoatlFacts, ...]
    tokens: tuple[Spent, ...]
    opening: tuple[Action, ...]  # of the first turns
    first_pieces: tuple[str, ...]  # of the first take

    @property
    def complete(self) -> list[CoatlFacts]:
        return [coatl for coatl in self.coatls if coatl.turn is not None]

    @property
    def held(self) -> list[str]:
        """Prophecy cards that were kept at setup or came to the hand later."""
        kept = list(self.dealt)
        for card in self.buried:
            kept.remove(card)
        return [*kept, *(one.card for one in self.taken)]


class GameFacts(msgspec.Struct, frozen=True):
    """One line of `games.jsonl`; seats in turn order."""

    players: int
    game: int
    turns: int
    end: str  # third, bodies or passed
    trigger: int | None  # the seat whose third Cóatl ended the game
    seats: tuple[SeatFacts, ...]


@dataclass
class SeatStart:
    """What a seat had before its first decision, and the first card it took from the row."""

    dealt: tuple[str, ...] = ()
    temple: str | None = None
    first_pick: FirstPick | None = None


ACTIONS = {
    MoveKind.TAKE: Action.TAKE,
    MoveKind.PICK: Action.CARDS,
    MoveKind.DRAW: Action.CARDS,
    MoveKind.BEGIN: Action.BUILD,
    MoveKind.ADD: Action.BUILD,
    MoveKind.FULFIL: Action.BUILD,
    MoveKind.TOKEN: Action.TOKEN,
    MoveKind.PASS: Action.PASS,
}


@dataclass
class SeatCourse:
    """What a seat did, gathered event by event."""

    turns: int = 0
    acted_in: int = 0  # the last turn whose action is known
    taken: list[Taken] = field(default_factory=list)
    buried: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    completed: dict[int, int] = field(default_factory=dict)  # Cóatl -> turn
    tokens: list[Spent] = field(default_factory=list)
    opening: list[Action] = field(default_factory=list)
    first_pieces: list[str] = field(default_factory=list)
    first_take: int = 0  # its turn

    def watch(self, event: Event) -> None:
        """An event of this seat."""
        match event.kind:
            case EventKind.TURN:
                self.turns += 1
            case EventKind.MOVE if event.move is not None:
                self._act(event.move.kind)
            case EventKind.PROPHECY if event.card is not None:
                self._move_card(event, event.card)
            case EventKind.PIECE if event.source is not None:
                if event.source.kind is SpotKind.SUPPLY:
                    self._take_piece(event.piece or "")
            case EventKind.TOKEN if event.token is not None:
                self.tokens.append(Spent(event.token, self.turns))
            case EventKind.COATL if event.target is not None:
                self.completed[event.target.at or 0] = self.turns

    def _act(self, kind: MoveKind) -> None:
        """The first decision of a turn says what the turn is for."""
        if kind in ACTIONS and self.acted_in < self.turns:
            self.acted_in = self.turns
            if len(self.opening) < OPENING:
                self.opening.append(ACTIONS[kind])

    def _move_card(self, event: Event, card: str) -> None:
        if event.source is None or event.target is None:
            return
        if event.target.kind is SpotKind.HAND:
            source = Source.ROW if event.source.kind is SpotKind.ROW else Source.DECK
            self.taken.append(Taken(card, source, self.turns))
        elif event.target.kind is SpotKind.DISCARD and event.source.kind is SpotKind.HAND:
            (self.dropped if self.turns else self.buried).append(card)

    def _take_piece(self, piece: str) -> None:
        if not self.first_take or self.first_take == self.turns:
            self.first_take = self.turns
            self.first_pieces.append(piece)


def read_facts(game: Game, number: int, starts: Sequence[SeatStart]) -> GameFacts:
    """The facts of a finished game."""
    players = game.options.players
    courses = [SeatCourse() for _ in range(players)]
    trigger = None
    for event in game.all_events():
        if event.kind is EventKind.END and event.end == "third":
            trigger = event.seat
        if event.seat is not None:
            courses[event.seat].watch(event)
    outcome = game.outcome()
    share = 1 / len(outcome.winners)
    seats = [
        _seat_facts(game, seat, courses[seat], starts[seat], share * (seat in outcome.winners))
        for seat in range(players)
    ]
    return GameFacts(players, number, game.turn, outcome.end, trigger, tuple(seats))


def _seat_facts(
    game: Game, seat: int, course: SeatCourse, start: SeatStart, share: float
) -> SeatFacts:
    data = game.view(seat).data.seats[seat]
    return SeatFacts(
        share=share,
        points=data.points,
        turns=course.turns,
        dealt=start.dealt,
        buried=tuple(course.buried),
        temple=start.temple,
        taken=tuple(course.taken),
        first_pick=start.first_pick,
        dropped=tuple(course.dropped),
        left=data.hand,
        coatls=tuple(
            _coatl_facts(coatl, course.completed.get(number))
            for number, coatl in enumerate(data.coatls)
        ),
        tokens=tuple(course.tokens),
        opening=tuple(course.opening),
        first_pieces=tuple(course.first_pieces),
    )


def _coatl_facts(coatl: CoatlView, turn: int | None) -> CoatlFacts:
    temple = coatl.temple
    return CoatlFacts(
        coatl.pieces,
        turn,
        coatl.value,
        tuple(Laid(card.card, card.times, card.points) for card in coatl.cards),
        None if temple is None else LaidTemple(temple.card, sum(temple.met), temple.points),
    )
