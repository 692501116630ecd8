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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from coatl.assembly import Assembly
from coatl.errors import IllegalMove, NotationError
from coatl.events import Event
from coatl.fairness import Fairness
from coatl.game.history import History, HistoryEntry, LazyEvents
from coatl.game.record import (
    Line,
    Record,
    RecordReader,
    check_seats,
    commitment_of,
    draw_words,
    format_record,
    read_draws,
)
from coatl.moves import Move
from coatl.notation import parse_position
from coatl.options import Options
from coatl.reasons import Reason, reason_of
from coatl.rules import compiled
from coatl.rules.cards import Deck, standard_deck
from coatl.rules.causes import Cause
from coatl.rules.chance import Chances, new_chance, set_script
from coatl.rules.scoring import BEST_COATL, CARDS_LAID, POINTS, DecidedBy, ranks, verdict
from coatl.rules.snapshot import Snapshot
from coatl.rules.state import ENDS, Phase, States
from coatl.rules.turns import TurnOrder
from coatl.state import State, Tools, as_deck, seed_text
from coatl.view import View, make_view, view_json


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


class Game:
    """A game and its log. Seats are counted from 0."""

    def __init__(self, options: Options, deck: Deck, chances: Chances, seed: str | None) -> None:
        """A game dealt from `chances`; `Game.new` is the usual way."""
        state = State.dealt(options, deck, chances)
        self._begin(options, state, seed)
        self._setup_draws = state.drawn(int(chances["n_drawn"][0]))

    def _begin(self, options: Options, state: State, seed: str | None) -> None:
        self.options = options
        self.seed = seed  # None: only its commitment is known
        self._state = state
        self._history = History(state.deck)
        self._undoable: list[tuple[HistoryEntry, bytes]] = []  # with the state before
        self._moves: tuple[Move, ...] | None = None
        self._read: Snapshot | None = None

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
        text = seed_text(seed)
        return cls(options, as_deck(deck), new_chance(text), text)

    @classmethod
    def from_position(
        cls,
        position: str,
        seed: int | str | None = None,
        deck: Deck | str | Path | None = None,
        draws: str | Iterable[str] = (),
    ) -> Game:
        """A game that goes on from a position (docs/notation.md); what lies hidden is in its words.

        `draws` are the first things that will be drawn, as a record writes them: ``"K R <B YG+K"``.
        One that cannot be drawn where it stands is left to chance, like all after the last.
        """
        cards, text = as_deck(deck), seed_text(seed)
        words = draws.split() if isinstance(draws, str) else list(draws)
        return cls._open(position, cards, text, new_chance(text), words)

    @classmethod
    def _open(
        cls, position: str, deck: Deck, seed: str | None, chances: Chances, draws: list[str]
    ) -> Game:
        states = parse_position(position, deck)
        set_script(chances, read_draws(deck, draws))
        game = cls.__new__(cls)
        game._begin(
            Options.of_state(states[0]), State(states.tobytes(), Tools(deck, chances)), seed
        )
        game._start, game._forced = game.position, tuple(draws)
        return game

    _seats: tuple[str, ...] = ()
    _commitment = ""  # of a game replayed without its seed
    _replayed = False  # True: such a game, which has no chance of its own
    _setup_draws: tuple[int, ...] = ()
    _start: str | None = None  # the position that it began from, if not from the setup
    _forced: tuple[str, ...] = ()  # the draws that it was given
    fairness: Fairness | None = None
    """Where the chance of a game at a table comes from; in its record once it is over."""

    # -------------------------------------------------------------- a value

    def copy(self) -> Game:
        """An independent game with the same past and the same future."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._state = self._state.copy()
        twin._history = self._history.copy()
        twin._undoable = list(self._undoable)
        return twin

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Game:
        return self.copy()

    def __repr__(self) -> str:
        players = "solo" if self.options.players == 1 else f"{self.options.players} players"
        seat = "over" if self.seat is None else f"seat {self.seat} to move, {self.phase}"
        return f"<Game: {players}, turn {self.turn}, {seat}>"

    def __str__(self) -> str:
        """The board of the terminal, as a spectator sees it."""
        from coatl.text.board import board_text

        return board_text(self.view().data, self.deck, self.seats)

    def _repr_svg_(self) -> str:
        """A picture for notebooks, of what a spectator sees."""
        from coatl import svg

        return str(svg.game(self))

    # -------------------------------------------------------------- where the game stands

    @property
    def _snapshot(self) -> Snapshot:
        """The state, read in one go."""
        if self._read is None:
            self._read = Snapshot.of(self._state.records)
        return self._read

    @property
    def deck(self) -> Deck:
        return self._state.deck

    @property
    def over(self) -> bool:
        return self._state.over

    @property
    def seat(self) -> int | None:
        """Whose decision it is; None when the game is over."""
        return self._state.seat

    @property
    def turn(self) -> int:
        return self._state.turn

    @property
    def phase(self) -> Phase:
        return self._state.phase

    @property
    def turn_order(self) -> TurnOrder:
        """What whose turns follow depends on (`coatl.rules.turns`)."""
        return self._state.turn_order

    @property
    def state(self) -> State:
        """The truth as a `State` of its own, for search and tools; players get a `view`."""
        return self._state.copy()

    @property
    def position(self) -> str:
        """The whole truth as text."""
        return self._state.position

    @property
    def digest(self) -> str:
        """A hash of the log and the position, as text, so that it outlives the state's layout."""
        log = [f"{entry.turn}.{entry.seat} {entry.text}" for entry in self._history.entries]
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

    # -------------------------------------------------------------- moves

    def legal_moves(self) -> tuple[Move, ...]:
        """What may be done now, in a fixed order; empty when the game is over."""
        if self._moves is None:
            self._moves = self._state.moves()
        return self._moves

    def move(self, text: str) -> Move:
        """The move a text names here; raises `NotationError` if it cannot be read."""
        return self._state.parse(text)

    def why(self, move: Move | str) -> Reason | None:
        """Why a move is not allowed; None if it is."""
        try:
            decision = self._own(move).decision
        except NotationError as error:  # a head on the right, say: no decision, but a cause
            if error.why is None:
                raise
            return error.why
        state = self._state
        cause = compiled.why_not(state.cards, state.records, 0, decision)
        return reason_of(cause) if cause else None

    def _own(self, move: Move | str) -> Move:
        """The move in this position: one from another position is read anew by its text."""
        if isinstance(move, str):
            return self._state.parse(move)
        own = self._state.move(move.decision)
        return own if own is move or own == move else self._state.parse(move.text)

    def play(self, move: Move | str) -> LazyEvents:
        """Carry out a move and, in solo, A.D.A.M.'s turn after it; what happened, in full.

        Raises `NotationError` if the text cannot be read, `IllegalMove` if it is not allowed.
        """
        if self._replayed:
            raise ValueError("a game replayed without its seed cannot go on")
        state, made = self._state, self._own(move)
        before, seat, turn = bytes(state.buffer), state.mover, state.turn
        drawn = state.advance(made.decision)
        self._moves = self._read = None
        entry = HistoryEntry(seat, turn, made, state.drawn(drawn) if drawn else ())
        self._history.add(entry, before, state.buffer)
        if drawn or state.turn != turn or state.mover != seat or state.over:
            self._undoable.clear()  # a secret came out, or the turn is over
        else:
            self._undoable.append((entry, before))
        return LazyEvents(self._history, len(self._history.entries) - 1)

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
        undone = msgspec.structs.replace(entry, draws=(), is_undo=True)
        self._state.restore(before)
        self._moves = self._read = None
        self._history.add_undo(undone, self.phase == "setup")

    # -------------------------------------------------------------- what others see

    def view(self, seat: int | None = None) -> View:
        """What a seat may know; None is a spectator."""
        self._check_seat(seat)
        return make_view(self.deck, self._state.cards, self._state.records, seat)

    def view_json(self, seat: int | None = None) -> bytes:
        """The same as JSON, as `View.to_json` gives it, in one go."""
        self._check_seat(seat)
        return view_json(self.deck, self._state.cards, self._state.records, seat)

    def best_assembly(self, seat: int | None = None) -> Assembly:
        """The assembly that scores most for a seat (without one: for whoever is to move)."""
        return self.view(self._state.mover if seat is None else seat).best_assembly()

    def best_closings(self, seat: int | None = None) -> tuple[Assembly | None, ...]:
        """How each Cóatl of a seat, and a new one, can be closed now for most points, if at all."""
        return self.view(self._state.mover if seat is None else seat).best_closings()

    def _check_seat(self, seat: int | None) -> None:
        if seat is not None and not 0 <= seat < self.options.players:
            raise ValueError(f"seats are 0 to {self.options.players - 1}, not {seat}")

    def events(self, seat: int | None = None, since: int = 0) -> list[Event]:
        """All that happened from event number `since` on, as a seat (or a spectator) saw it."""
        return [recorded.for_seat(seat) for recorded in self._history.events()[since:]]

    def all_events(self, since: int = 0) -> list[Event]:
        """The same with everybody's secrets, for replays with all cards open."""
        return [recorded.event for recorded in self._history.events()[since:]]

    @property
    def log(self) -> tuple[HistoryEntry, ...]:
        """Every decision, also those taken back, and that they were; with everybody's secrets."""
        return tuple(self._history.entries)

    @property
    def moves_made(self) -> tuple[str, ...]:
        """The texts of the log, `undo` among them."""
        return tuple(entry.text for entry in self._history.entries)

    @property
    def last_move(self) -> str | None:
        """The last of them; None before the first."""
        return self._history.entries[-1].text if self._history.entries else None

    @property
    def event_count(self) -> int:
        """How many events there are, for whoever asks for those `since`."""
        return len(self._history.events())

    # -------------------------------------------------------------- the end

    def scores(self) -> list[int]:
        """Points of each seat so far, from complete Cóatl; in solo yours and A.D.A.M.'s."""
        return self._state.scores()

    def outcome(self) -> Outcome:
        """Who won and how it was decided; raises `ValueError` while the game goes on."""
        if not self.over:
            raise ValueError("the game is not over")
        numbers, bits = self._state.final_scores()
        columns = max(self.options.players, 2)
        last = 3 * columns
        cards = numbers[CARDS_LAID:last:3]
        if self._snapshot.adam is not None:
            cards[1] = sum(self._snapshot.adam.fulfilled)
        return Outcome(
            winners=tuple(seat for seat in range(columns) if bits >> seat & 1),
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
        for entry in self._history.entries:
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
                position=self._start,
                forced=list(self._forced),
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
        reader = RecordReader(text, as_deck(deck))
        record = reader.record
        game = cls._of_record(reader)
        game._commitment = record.commitment
        game._seats = record.seats
        game.fairness = record.fairness
        reader.check_setup(draw_words(game.deck, game._setup_draws), game.commitment)
        yield game
        for number, line in reader.lines():
            reader.script(game._state.chances, number, line)
            draws: list[str] = []
            for move in line.moves:
                reader.check_turn(number, line, game.turn, game.seat)
                with reader.blaming(number):
                    if move == "undo":
                        game.undo()
                    else:
                        game.play(move)
                        draws += draw_words(game.deck, game._history.entries[-1].draws)
                yield game
            reader.check_draws(number, line, draws)
        game._replayed = record.seed is None
        reader.check_end(game._result(), game.digest)

    @classmethod
    def _of_record(cls, reader: RecordReader) -> Game:
        record, chances = reader.record, reader.chances()
        if record.position is None:
            return cls(record.options, reader.deck, chances, record.seed)
        return cls._open(record.position, reader.deck, record.seed, chances, record.forced)


def states_of(game: Game) -> States:
    """The truth as the kernel holds it, for tests and tools; players get a `view`."""
    return game._state.records
