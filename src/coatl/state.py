"""A game in full, light enough for search: quick to copy, to ask and to play on.

>>> import random
>>> from coatl import State
>>> state = State.new(players=2, seed=7)
>>> while not state.over:
...     state.apply(random.choice(state.legal))
>>> len(state.scores())
2

It knows everything, so it is for simulations and for guesses: a bot gets one from
`View.sample`. Decisions are numbers; `State.move` says what one means. There is no log, no undo and
no record: those are a `Game`'s.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from coatl.compiler.jit import EntryPoint
from coatl.compiler.records import RecordArray, byte_view, record_array, records_in
from coatl.errors import IllegalMove
from coatl.moves import Move
from coatl.notation import format_position, parse_position
from coatl.notation.moves import move_table, parse_decision
from coatl.options import Options, check_seed
from coatl.reasons import reason_of
from coatl.rules import compiled
from coatl.rules.cards import Deck, standard_deck
from coatl.rules.chance import Chance, Chances, new_chance
from coatl.rules.decisions import Choices, new_choices
from coatl.rules.deckfile import load_deck
from coatl.rules.scoring import POINTS
from coatl.rules.state import N_PILES, NONE, OVER, PHASES, STATE, TEMPLE, Phase, StateRecord, States
from coatl.rules.tables import CardTables, card_tables
from coatl.rules.turns import TurnOrder

if TYPE_CHECKING:
    from coatl.assembly import Assembly
    from coatl.view import View


def offset_of(field: str) -> int:
    fields = STATE.fields
    assert fields is not None
    return int(fields[field][1])


# Where single bytes of a state lie: reading one is quicker than any NumPy record.
_PLAYERS, _CURRENT, _PHASE, _TURN = map(offset_of, ("n_players", "current", "phase", "turn"))
_ROW, _PILE_TOP, _PENDING = map(offset_of, ("row", "pile_top", "pending"))
_ROW_END = _ROW + STATE["row"].itemsize
_END, _TRIGGER, _TURNS_LEFT = map(offset_of, ("end", "trigger", "turns_left"))
_SIZE = STATE.itemsize


class Tools:
    """What all copies of a state share: cards, a generator, and room for the kernel's answers."""

    __slots__ = ("advance", "cards", "chances", "choices", "deck", "drawn", "items", "moves")

    def __init__(self, deck: Deck, chances: Chances) -> None:
        self.deck = deck
        self.cards: CardTables = card_tables(deck)
        self.moves = move_table(deck)
        self.chances = chances
        self.drawn = chances["drawn"][0]
        self.choices: RecordArray[Choices] = new_choices()
        self.items = byte_view(self.choices).cast("h")  # the number, then the list
        self.advance = ready(compiled.advance)


class Observation(NamedTuple):
    """What the seat to move sees, as numbers (docs/observation.md), and what it may do."""

    values: npt.NDArray[np.int8]
    mask: npt.NDArray[np.int8]  # 1: a legal action (`coatl.encode.meanings`)
    decisions: npt.NDArray[np.int16]  # the decision that carries out each legal action


class State:
    """A game in full. Seats are counted from 0; in solo A.D.A.M. plays by himself."""

    __slots__ = ("_legal", "_tools", "buffer", "records")

    buffer: bytearray  # the bytes of the record
    records: States  # the same for the kernel: an array of one record

    def __init__(self, content: bytes | bytearray, tools: Tools) -> None:
        """From the bytes of a record, for `new`, `from_position` and `View.sample`."""
        self.buffer = bytearray(content)
        self.records = records_in(StateRecord, self.buffer)
        self._tools = tools
        self._legal: tuple[int, ...] | None = None

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
    ) -> State:
        """A new game; the arguments are those of `Game.new`, and so is what a seed deals."""
        options = Options.make(players, tokens, solo, promo, fewer_bodies)
        return cls.dealt(options, as_deck(deck), new_chance(seed_text(seed)))

    @classmethod
    def dealt(cls, options: Options, deck: Deck, chances: Chances) -> State:
        """A new game whose chance comes from `chances`."""
        deck.check_enough_for(options.players, options.promo)
        state = cls(options.blank_states().tobytes(), Tools(deck, chances))
        chances["n_drawn"] = 0
        compiled.new_game(state._tools.cards, state.records, 0, options.bodies, chances)
        return state

    @classmethod
    def from_position(
        cls,
        text: str,
        seed: int | str | None = None,
        deck: Deck | str | Path | None = None,
    ) -> State:
        """The game that a position describes (docs/notation.md)."""
        cards = as_deck(deck)
        content = parse_position(text, cards).tobytes()
        return cls(content, Tools(cards, new_chance(seed_text(seed))))

    # -------------------------------------------------------------- where it stands

    @property
    def players(self) -> int:
        """How many; 1 is solo."""
        return self.buffer[_PLAYERS]

    @property
    def over(self) -> bool:
        return self.buffer[_PHASE] == OVER

    @property
    def seat(self) -> int | None:
        """Whose decision it is; None when the game is over."""
        return None if self.buffer[_PHASE] == OVER else self.buffer[_CURRENT]

    @property
    def mover(self) -> int:
        """The same, and after the end whose the last one was."""
        return self.buffer[_CURRENT]

    @property
    def turn(self) -> int:
        """Turns begun, A.D.A.M.'s included; 0 at setup."""
        return self.buffer[_TURN] | self.buffer[_TURN + 1] << 8

    @property
    def turn_order(self) -> TurnOrder:
        """What whose turns follow depends on (`coatl.rules.turns`)."""
        content = self.buffer
        trigger = content[_TRIGGER]
        return TurnOrder(
            content[_PLAYERS],
            content[_CURRENT],
            content[_END],
            trigger if trigger < 128 else trigger - 256,
            content[_TURNS_LEFT],
        )

    @property
    def phase(self) -> Phase:
        return PHASES[self.buffer[_PHASE]]

    @property
    def deck(self) -> Deck:
        return self._tools.deck

    @property
    def cards(self) -> CardTables:
        """The cards as the kernel has them."""
        return self._tools.cards

    @property
    def chances(self) -> Chances:
        """The generator that it draws from; its copies do, too."""
        return self._tools.chances

    @property
    def position(self) -> str:
        """All of it as text."""
        return format_position(self.records[0], self.deck)

    def __repr__(self) -> str:
        players = "solo" if self.players == 1 else f"{self.players} players"
        return f"<State: {players}, turn {self.turn}, {_whose(self.seat)}, {self.phase}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.buffer == other.buffer and self.deck.digest == other.deck.digest

    __hash__ = None  # type: ignore[assignment]  # it can be changed

    # -------------------------------------------------------------- playing

    @property
    def legal(self) -> tuple[int, ...]:
        """The legal decisions, in a fixed order; none when the game is over."""
        if self._legal is None:
            tools = self._tools
            compiled.legal_decisions(tools.cards, self.records, 0, tools.choices)
            self._legal = _listed(tools)
        return self._legal

    def apply(self, decision: int) -> None:
        """Carry out a decision and, in solo, A.D.A.M.'s turn after it; raises `IllegalMove`."""
        self.advance(decision)

    def advance(self, decision: int) -> int:
        """The same; returns the number of draws (`drawn`)."""
        tools = self._tools
        try:
            drawn = tools.advance(
                tools.cards, self.records, decision.__index__(), tools.chances, tools.choices
            )
        except (AttributeError, OverflowError):
            raise self._unknown(decision) from None
        if drawn < 0:
            raise self.refusal(decision, -drawn)
        self._legal = _listed(tools)
        return drawn

    def drawn(self, number: int) -> tuple[int, ...]:
        """What the last decision drew, which were so many."""
        return tuple(self._tools.drawn[:number].tolist())

    def _unknown(self, decision: object) -> ValueError:
        return ValueError(f"a decision is one of the numbers in `legal`, not {decision!r}")

    def refusal(self, decision: int, cause: int) -> ValueError:
        """The error that says why a decision is not legal."""
        try:
            move = self.move(int(decision))
        except ValueError:
            return self._unknown(decision)
        return IllegalMove(move.text, reason_of(cause), self.position)

    # -------------------------------------------------------------- copies

    def clone(self, chances: Chances | None = None) -> State:
        """A copy, independent but for chance: it draws from the same generator, or from another."""
        twin = _new_state(State)
        twin.buffer = buffer = self.buffer[:]
        twin.records = _new_array(1, STATE, buffer)
        twin._tools = self._tools if chances is None else Tools(self.deck, chances)
        twin._legal = self._legal
        return twin

    def copy(self) -> State:
        """A copy with a generator of its own, which has the same future."""
        return self.clone(copy_chances(self.chances))

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: object) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[Callable[..., State], tuple[object, ...]]:
        return _restored, (bytes(self.buffer), self.chances.tobytes(), self.deck)

    def restore(self, content: bytes) -> None:
        """Go back to the bytes of an earlier `buffer`."""
        self.buffer[:] = content
        self._legal = None

    # -------------------------------------------------------------- what it is worth

    def final_scores(self) -> tuple[list[int], int]:
        """Points, cards and best Cóatl, three numbers a seat, and the winners as bits (F2)."""
        out = np.zeros(12, np.int64)
        winners = compiled.scores(self.cards, self.records, 0, out)
        return out.tolist(), winners

    def scores(self) -> list[int]:
        """Points of each seat so far, from complete Cóatl; in solo yours and A.D.A.M.'s."""
        return self.final_scores()[0][POINTS : 3 * max(self.players, 2) : 3]

    def winners(self) -> tuple[int, ...]:
        """Who has won, or would if the game ended now (F2); in solo seat 1 is A.D.A.M."""
        bits = self.final_scores()[1]
        return tuple(seat for seat in range(max(self.players, 2)) if bits >> seat & 1)

    def values(self, seat: int) -> list[int]:
        """What the cards on each Cóatl of a seat are worth now (F1)."""
        return self._coatl_numbers(seat)[0]

    def closings(self, seat: int) -> list[int | None]:
        """What closing each Cóatl of a seat with a head and a tail would score; None: it cannot be.

        A quick answer that counts no further body segments: `best_closings` has the best one.
        """
        return [None if value == NONE else value for value in self._coatl_numbers(seat)[1]]

    def best_assembly(self, seat: int | None = None) -> Assembly:
        """The assembly that scores most for a seat (without one: for whoever is to move)."""
        from coatl.assembly import best_assembly

        return best_assembly(self.deck, self.records, self._asked_seat(seat))

    def best_closings(self, seat: int | None = None) -> tuple[Assembly | None, ...]:
        """How each Cóatl of a seat, and a new one, can be closed now for most points, if at all."""
        from coatl.assembly import best_closings

        return best_closings(self.deck, self.records, self._asked_seat(seat))

    def _asked_seat(self, seat: int | None) -> int:
        if seat is None:
            return self.mover
        self._check_seat(seat)
        return seat

    def _coatl_numbers(self, seat: int) -> tuple[list[int], list[int]]:
        self._check_seat(seat)
        values = np.zeros(6, np.int64)
        compiled.coatl_values(self.cards, self.records, 0, seat, _scratch(), values)
        count = int(self.records["players"][0]["n_coatls"][seat])
        numbers = values.tolist()
        return numbers[:count], numbers[3 : 3 + count]

    def _check_seat(self, seat: int) -> None:
        if not isinstance(seat, int) or not 0 <= seat < self.players:
            raise ValueError(f"seats are 0 to {self.players - 1}, not {seat!r}")

    # -------------------------------------------------------------- moves, views

    def move(self, decision: int) -> Move:
        """What a decision means here, legal or not."""
        return self._tools.moves.move(decision, self)

    def moves(self) -> tuple[Move, ...]:
        """The legal decisions as moves."""
        moves = self._tools.moves
        if self.buffer[_PHASE] != TEMPLE:
            return moves.several(self.legal, self.row)
        return tuple([moves.move(decision, self) for decision in self.legal])

    def parse(self, text: str) -> Move:
        """The move that a text names here; raises `NotationError` if it cannot be read."""
        return self.move(parse_decision(self.deck, self, text))

    # What the texts of moves depend on (`coatl.notation.moves.MoveContext`).

    @property
    def row(self) -> bytes:
        return bytes(self.buffer[_ROW:_ROW_END])

    @property
    def pile_top(self) -> list[int]:
        return _signed(self.buffer[_PILE_TOP : _PILE_TOP + N_PILES])

    @property
    def pending(self) -> int:
        return _signed(self.buffer[_PENDING : _PENDING + 1])[0]

    @property
    def temples(self) -> list[int]:
        player = self.records[0].players[self.mover]
        return [int(card) for card in player.temples[: player.n_temples]]

    def view(self, seat: int | None = None) -> View:
        """What a seat may know; None is a spectator."""
        from coatl.view import make_view

        if seat is not None:
            self._check_seat(seat)
        return make_view(self.deck, self.cards, self.records, seat)

    def observation(self) -> Observation:
        """The observation of the seat to move, made from what that seat may know."""
        from coatl.encode.single import observe_state

        seat = self.seat
        if seat is None:
            raise ValueError("the game is over: nobody is to move")
        return Observation(*observe_state(self.deck, self.view(seat).known))


_new_state: Callable[[type[State]], State] = State.__new__
_new_array: Any = np.ndarray  # `records_in`, without what it would look up each time


def ready(entry: EntryPoint[..., int]) -> Callable[..., int]:
    """An entry of the kernel without what makes its first call load it."""
    entry.load()
    return entry.call


def _listed(tools: Tools) -> tuple[int, ...]:
    items = tools.items
    return tuple(items[1 : 1 + items[0]].tolist())


def _restored(content: bytes, chance: bytes, deck: Deck) -> State:
    chances = record_array(Chance, 1)
    byte_view(chances)[:] = chance
    return State(content, Tools(deck, chances))


def copy_chances(chances: Chances) -> Chances:
    """A generator that will draw the same."""
    twin = record_array(Chance, 1)
    byte_view(twin)[:] = byte_view(chances)
    return twin


@cache
def _scratch() -> States:
    return record_array(StateRecord, 1)


def _signed(content: bytearray) -> list[int]:
    return memoryview(content).cast("b").tolist()


def _whose(seat: int | None) -> str:
    return "over" if seat is None else f"seat {seat} to move"


def as_deck(deck: Deck | str | Path | None) -> Deck:
    if deck is None:
        return standard_deck()
    return deck if isinstance(deck, Deck) else load_deck(deck)


def seed_text(seed: int | str | None) -> str:
    """A seed as text; without one, a new one that nobody can foresee."""
    return secrets.token_hex(16) if seed is None else check_seed(seed)
