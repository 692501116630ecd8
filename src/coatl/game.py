"""One running game: moves in words, reasons, views, undo, record.

>>> import coatl
>>> game = coatl.Game.new(players=3, seed=7)
>>> while not game.over:
...     events = game.play(game.legal_moves()[0])
>>> len(game.scores())
3
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from coatl.errors import IllegalMove, NotationError
from coatl.events import Event, Recorded, observer_of
from coatl.fairness import Fairness
from coatl.moves import Move, format_decision, parse_decision
from coatl.notation import format_position
from coatl.options import Options, check_seed
from coatl.reasons import Reason, reason_of
from coatl.record import (
    Line,
    Record,
    RecordReader,
    check_seats,
    commitment_of,
    draw_words,
    format_record,
)
from coatl.rules import actions as act
from coatl.rules import kernel
from coatl.rules.cards import Deck, standard_deck
from coatl.rules.causes import Cause
from coatl.rules.chance import CARD_DRAWN, TEMPLE_DRAWN, Chances, new_chance
from coatl.rules.deckfile import load_deck
from coatl.rules.scoring import BEST_COATL, CARDS_LAID, POINTS, DecidedBy, ranks, verdict
from coatl.rules.state import ADAM, ENDS, OVER, PHASES, StateRecord, States
from coatl.rules.tables import card_tables
from coatl.snapshot import Snapshot
from coatl.view import View, list_moves, make_view


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. In solo seat 1 is A.D.A.M."""

    winners: tuple[int, ...]
    points: tuple[int, ...]
    cards: tuple[int, ...]  # on complete Cóatl, the first tie-break (F2); A.D.A.M.: in his pile
    best_coatl: tuple[int, ...]  # the second
    end: str  # "third", "bodies" or "passed"
    ranks: tuple[int, ...]  # 1: won; equal ranks share (F2)
    decided_by: DecidedBy  # which tie-break it took, if any (F2); "adam": a tie he wins (D9)


@dataclass(slots=True)
class _Entry:
    """One decision of the log."""

    seat: int
    turn: int
    text: str
    draws: tuple[int, ...]


class Game:
    """A game and its log. Seats are counted from 0."""

    def __init__(self, options: Options, deck: Deck, chances: Chances, seed: str | None) -> None:
        self.options = options
        self.deck = deck
        self.seed = seed  # None: only its commitment is known
        self._cards = card_tables(deck)
        self._chances = chances
        self._choices = act.new_choices()
        self._observer = observer_of(deck)
        self._states = options.blank_states()
        kernel.new_game(self._cards, self._states, 0, options.bodies, chances)
        self._setup_draws = self._take_draws()
        self._log: list[_Entry] = []
        self._undoable: list[tuple[_Entry, bytes]] = []  # with the state before
        self._events: list[Recorded] = []
        self._changed()

    @classmethod
    def new(
        cls,
        players: int | None = None,
        tokens: bool | None = None,
        solo: Iterable[int] | None = None,
        promo: bool = False,
        fewer_bodies: bool = False,
        deck: Deck | str | Path | None = None,
        seed: int | str | None = None,
    ) -> Game:
        """A new game; `solo` is a list of A.D.A.M.'s levels, empty for the base game.

        `deck` is a file in the format of ``cards.toml``. Without a `seed` nobody can foresee the
        game; with one it is the same on every machine.
        """
        options = Options.make(players, tokens, solo, promo, fewer_bodies)
        cards = _as_deck(deck)
        cards.check_enough_for(options.players, options.promo)
        text = secrets.token_hex(16) if seed is None else check_seed(seed)
        return cls(options, cards, new_chance(text), text)

    # -------------------------------------------------------------- where the game stands

    def _changed(self) -> None:
        self._snapshot = Snapshot(self._states)
        self._moves: tuple[Move, ...] | None = None

    @property
    def over(self) -> bool:
        return self._snapshot.phase == OVER

    @property
    def seat(self) -> int | None:
        """Whose decision it is; None when the game is over."""
        return None if self.over else self._snapshot.current

    @property
    def turn(self) -> int:
        return self._snapshot.turn

    @property
    def phase(self) -> str:
        return PHASES[self._snapshot.phase]

    @property
    def state(self) -> StateRecord:
        """The truth, for tests and tools; players get a `view`."""
        return self._states[0]

    @property
    def position(self) -> str:
        """The whole truth as text."""
        return format_position(self._states[0], self.deck)

    @property
    def digest(self) -> str:
        """A hash of the log and the position, as text, so that it outlives the state's layout."""
        log = [f"{entry.turn}.{entry.seat} {entry.text}" for entry in self._log]
        return hashlib.sha256("\n".join([*log, self.position]).encode()).hexdigest()[:32]

    @property
    def commitment(self) -> str:
        """Binds the game to its seed without telling it."""
        return self._commitment if self.seed is None else commitment_of(self.seed)

    @property
    def seats(self) -> tuple[str, ...]:
        """Who sits where, for the record: names of people, or ``bot:greedy``; empty if unsaid."""
        return self._seats

    @seats.setter
    def seats(self, names: Iterable[str]) -> None:
        seats = tuple(names)
        check_seats(seats, self.options.players)
        self._seats = seats

    fairness: Fairness | None = None
    """Where the chance of a game at a table comes from; in its record once it is over."""

    _seats: tuple[str, ...] = ()
    _commitment = ""  # of a game replayed without its seed
    _replayed = False  # True: such a game, which has no chance of its own

    # -------------------------------------------------------------- moves

    def legal_moves(self) -> tuple[Move, ...]:
        """What may be done now, in a fixed order; empty when the game is over."""
        if self._moves is None:
            moves: tuple[Move, ...] = ()
            if not self.over:
                moves = list_moves(self.deck, self._cards, self._states, self._snapshot)
            self._moves = moves
        return self._moves

    def move(self, text: str) -> Move:
        """The move a text names here; raises `NotationError` if it cannot be read."""
        decision = parse_decision(self.deck, self._snapshot, text)
        return Move(format_decision(self.deck, self._snapshot, decision), decision)

    def why(self, move: Move | str) -> Reason | None:
        """Why a move is not allowed; None if it is."""
        try:
            decision = self.move(move).decision if isinstance(move, str) else move.decision
        except NotationError as error:  # a head on the right, say: no decision, but a cause
            if error.why is None:
                raise
            return error.why
        cause = kernel.why_not(self._cards, self._states, 0, decision)
        return reason_of(cause) if cause else None

    def play(self, move: Move | str) -> list[Event]:
        """Carry out a move and, in solo, A.D.A.M.'s turn after it; what happened, in full.

        Raises `NotationError` if the text cannot be read, `IllegalMove` if it is not allowed.
        """
        if self._replayed:
            raise ValueError("a game replayed without its seed cannot go on")
        decision = (
            parse_decision(self.deck, self._snapshot, move)
            if isinstance(move, str)
            else move.decision
        )
        cause = kernel.why_not(self._cards, self._states, 0, decision)
        if cause:
            named = self.move(move) if isinstance(move, str) else move
            raise IllegalMove(named.text, reason_of(cause), self.position)
        text = format_decision(self.deck, self._snapshot, decision)
        before = self._states.tobytes()
        seat, turn = self._snapshot.current, self._snapshot.turn
        happened = self._carry_out(decision)
        while self._snapshot.phase == ADAM:
            happened += self._carry_out(act.STEP)
        draws = self._take_draws()
        entry = _Entry(seat, turn, text, draws)
        self._log.append(entry)
        if draws or self._snapshot.turn != turn or self._snapshot.current != seat or self.over:
            self._undoable.clear()  # a secret came out, or the turn is over
        else:
            self._undoable.append((entry, before))
        self._events += happened
        return [recorded.event for recorded in happened]

    def _carry_out(self, decision: int) -> list[Recorded]:
        before, drawn = self._snapshot, int(self._chances["n_drawn"][0])
        kernel.apply(self._cards, self._states, 0, decision, self._chances, self._choices)
        self._changed()
        results = self._draws_since(drawn)
        cards_drawn = sum(CARD_DRAWN <= result < TEMPLE_DRAWN for result in results)
        return self._observer.watch(before, decision, self._snapshot, cards_drawn)

    def _draws_since(self, start: int) -> list[int]:
        chance = self._chances
        end = int(chance["n_drawn"][0])
        drawn = chance["drawn"][0]
        return [int(drawn[n % len(drawn)]) for n in range(start, end)]

    def _take_draws(self) -> tuple[int, ...]:
        draws = tuple(self._draws_since(0))
        self._chances["n_drawn"] = 0
        return draws

    # -------------------------------------------------------------- undo

    @property
    def can_undo(self) -> bool:
        """Is there a decision of this turn since the last secret came out?"""
        return bool(self._undoable)

    def undo(self) -> None:
        """Take back the last decision. The log keeps it, and that it was taken back."""
        if not self._undoable:
            raise IllegalMove("undo", reason_of(Cause.T0_UNDO), self.position)
        entry, before = self._undoable.pop()
        self._states[:] = np.frombuffer(before, self._states.dtype)
        self._changed()
        self._log.append(_Entry(entry.seat, entry.turn, "undo", ()))
        secret = entry.seat if self.phase == "setup" else None  # R13
        self._events.append(Recorded(Event("undo", entry.seat, entry.text), secret))

    # -------------------------------------------------------------- what others see

    def view(self, seat: int | None = None) -> View:
        """What a seat may know; None is a spectator."""
        if seat is not None and not 0 <= seat < self.options.players:
            raise ValueError(f"seats are 0 to {self.options.players - 1}, not {seat}")
        return make_view(self.deck, self._cards, self._states, seat, self._snapshot)

    def events(self, seat: int | None = None, since: int = 0) -> list[Event]:
        """All that happened from event number `since` on, as a seat (or a spectator) saw it."""
        return [recorded.for_seat(seat) for recorded in self._events[since:]]

    def all_events(self, since: int = 0) -> list[Event]:
        """The same with everybody's secrets, for replays with all cards open."""
        return [recorded.event for recorded in self._events[since:]]

    @property
    def moves_made(self) -> tuple[str, ...]:
        """The texts of the log, `undo` among them; with everybody's secrets."""
        return tuple(entry.text for entry in self._log)

    @property
    def last_move(self) -> str | None:
        """The last of them; None before the first."""
        return self._log[-1].text if self._log else None

    @property
    def event_count(self) -> int:
        """How many events there are, for whoever asks for those `since`."""
        return len(self._events)

    # -------------------------------------------------------------- the end

    def _final(self) -> tuple[list[int], int]:
        out = np.zeros(12, np.int64)
        winners = kernel.scores(self._cards, self._states, 0, out)
        return out.tolist(), winners

    def scores(self) -> list[int]:
        """Points of each seat so far, from complete Cóatl; in solo yours and A.D.A.M.'s."""
        return self._final()[0][POINTS : 3 * self._columns : 3]

    @property
    def _columns(self) -> int:
        return max(self.options.players, 2)

    def outcome(self) -> Outcome:
        """Who won and how it was decided; raises `ValueError` while the game goes on."""
        if not self.over:
            raise ValueError("the game is not over")
        numbers, bits = self._final()
        last = 3 * self._columns
        cards = numbers[CARDS_LAID:last:3]
        if self._snapshot.adam is not None:
            cards[1] = sum(self._snapshot.adam.fulfilled)
        return Outcome(
            winners=tuple(seat for seat in range(self._columns) if bits >> seat & 1),
            points=tuple(numbers[POINTS:last:3]),
            cards=tuple(cards),
            best_coatl=tuple(numbers[BEST_COATL:last:3]),
            end=ENDS[self._snapshot.end],
            ranks=ranks(np.array(numbers), self.options.players),
            decided_by=verdict(np.array(numbers), self.options.players).by,
        )

    # -------------------------------------------------------------- records

    def record(self, reveal_seed: bool = False) -> str:
        """The game as text; the seed stands in it when the game is over, or if asked for."""
        lines: list[Line] = []
        for entry in self._log:
            if not lines or (lines[-1].turn, lines[-1].seat) != (entry.turn, entry.seat):
                lines.append(Line(entry.turn, entry.seat, [], []))
            lines[-1].moves.append(entry.text)
            lines[-1].draws += draw_words(self.deck, entry.draws)
        shown = self.seed if self.over or reveal_seed else None
        return format_record(
            Record(
                options=self.options,
                seed=shown,
                commitment=self.commitment,
                deck=None if self.deck is standard_deck() else self.deck.digest,
                setup_draws=draw_words(self.deck, self._setup_draws),
                lines=lines,
                result=self._result(),
                digest=self.digest,
                seats=self.seats,
                fairness=self.fairness if self.over else None,
            )
        )

    def _result(self) -> str:
        if not self.over:
            return "unfinished"
        outcome = self.outcome()
        points = " ".join(map(str, outcome.points))
        return f"{outcome.end}; points {points}; winners {' '.join(map(str, outcome.winners))}"

    @classmethod
    def replay(cls, text: str, deck: Deck | str | Path | None = None) -> Game:
        """The game of a record, bit for bit; raises `RecordError` with line and reason."""
        game: Game | None = None
        for game in cls.steps(text, deck):  # noqa: B007 - the last one is wanted
            pass
        assert game is not None
        return game

    @classmethod
    def steps(cls, text: str, deck: Deck | str | Path | None = None) -> Iterator[Game]:
        """The same game after its setup and after each decision of a record, one by one."""
        reader = RecordReader(text, _as_deck(deck))
        record = reader.record
        chances = reader.chances()
        game = cls(record.options, reader.deck, chances, record.seed)
        game._commitment = record.commitment
        game._seats = record.seats
        game.fairness = record.fairness
        reader.check_setup(draw_words(game.deck, game._setup_draws), game.commitment)
        yield game
        for number, line in reader.lines():
            reader.script(game._chances, line)
            draws: list[str] = []
            for move in line.moves:
                reader.check_turn(number, line, game.turn, game.seat)
                with reader.blaming(number):
                    if move == "undo":
                        game.undo()
                    else:
                        game.play(move)
                        draws += draw_words(game.deck, game._log[-1].draws)
                yield game
            reader.check_draws(number, line, draws)
        game._replayed = record.seed is None
        reader.check_end(game._result(), game.digest)


def _as_deck(deck: Deck | str | Path | None) -> Deck:
    if deck is None:
        return standard_deck()
    return deck if isinstance(deck, Deck) else load_deck(deck)


def states_of(game: Game) -> States:
    """The truth as the kernel holds it, for tests and tools; players get a `view`."""
    return game._states
