"""A state read in one go into plain Python objects.

Reading fields of a NumPy record one by one is slow; its bytes come in one call and nearly every
field is one signed byte. Attribute names are those of :mod:`coatl.rules.state`.
"""

from __future__ import annotations

from typing import Any

from coatl.rules.pieces import COLOURS, N_KINDS
from coatl.rules.records import dtype_of
from coatl.rules.state import (
    MAX_ADAM_CARDS,
    NONE,
    STATE,
    Adam,
    Coatl,
    Player,
    States,
)


def _places(dtype: Any) -> dict[str, tuple[int, int]]:
    """Offset and size of each field."""
    return {name: (field[1], field[0].itemsize) for name, field in dtype.fields.items()}


_STATE = _places(STATE)
_PLAYER = _places(dtype_of(Player))
_COATL = _places(dtype_of(Coatl))
_ADAM = _places(dtype_of(Adam))
_PLAYER_SIZE = dtype_of(Player).itemsize
_COATL_SIZE = dtype_of(Coatl).itemsize
_PLAYERS, _ADAM_AT = _STATE["players"][0], _STATE["adam"][0]

_STATE_NUMBERS = [
    (name, offset)
    for name, (offset, size) in _STATE.items()
    if size == 1 and name not in ("players", "adam")
]
_STATE_LISTS = [
    (name, offset, offset + size)
    for name, (offset, size) in _STATE.items()
    if size > 1 and name not in ("players", "adam", "turn", "supply", "recycled")
]


class CoatlSnapshot:
    __slots__ = ("cards", "complete", "has_head", "has_tail", "length", "pieces", "temple")

    def __init__(self, data: memoryview, at: int) -> None:
        place = _COATL
        self.length = data[at + place["length"][0]]
        self.has_head = data[at + place["has_head"][0]]
        self.has_tail = data[at + place["has_tail"][0]]
        self.complete = data[at + place["complete"][0]]
        self.temple = data[at + place["temple"][0]]
        first = at + place["cards"][0]
        self.cards = data[first : first + data[at + place["n_cards"][0]]].tolist()
        first = at + place["colours"][0]
        letters = "".join([COLOURS[c] for c in data[first : first + self.length]])
        self.pieces = "<" * self.has_head + letters + ">" * self.has_tail


class PlayerSnapshot:
    __slots__ = (
        *("buried", "coatls", "hand", "n_hand", "n_temples", "pieces", "seen"),
        *("temples", "temples_seen", "tokens"),
    )

    def __init__(self, data: memoryview, at: int) -> None:
        def numbers(name: str, n: int) -> list[int]:
            first = at + _PLAYER[name][0]
            return data[first : first + n].tolist()

        def number(name: str) -> int:
            return data[at + _PLAYER[name][0]]

        self.n_hand = number("n_hand")
        self.n_temples = number("n_temples")
        self.pieces = numbers("pieces", N_KINDS)
        self.hand = numbers("hand", self.n_hand)
        self.seen = numbers("seen", self.n_hand)
        self.temples = numbers("temples", self.n_temples)
        self.temples_seen = numbers("temples_seen", self.n_temples)
        self.tokens = numbers("tokens", 3)
        self.buried = numbers("buried", number("n_buried"))
        first = at + _PLAYER["coatls"][0]
        self.coatls = [
            CoatlSnapshot(data, first + i * _COATL_SIZE) for i in range(number("n_coatls"))
        ]

    @property
    def n_complete(self) -> int:
        return sum(coatl.complete for coatl in self.coatls)


class AdamSnapshot:
    __slots__ = ("cards", "fulfilled", "holding", "looking", "pieces", "space", "step")

    def __init__(self, data: memoryview, at: int) -> None:
        place = _ADAM
        self.step = data[at + place["step"][0]]
        self.looking = data[at + place["looking"][0]]
        self.space = data[at + place["space"][0]]
        n_cards = data[at + place["n_cards"][0]]
        first = at + place["cards"][0]
        self.cards = data[first : first + n_cards].tolist()
        first = at + place["pieces"][0]
        self.pieces = [
            data[first + i * N_KINDS : first + (i + 1) * N_KINDS].tolist()
            for i in range(MAX_ADAM_CARDS)
        ]
        first = at + place["holding"][0]
        self.holding = data[first : first + N_KINDS].tolist()
        first, size = at + place["fulfilled"][0], place["fulfilled"][1]
        self.fulfilled = data[first : first + size].tolist()


class Snapshot:
    """The state at one moment; plain numbers and lists, never changed."""

    n_players: int
    with_tokens: int
    with_promo: int
    fewer_bodies: int
    levels: int
    current: int
    phase: int
    pending: int
    picked: int
    actions_left: int
    second_action: int
    passes: int
    end: int
    trigger: int
    turns_left: int
    n_deck: int
    n_discard: int
    reshuffled: int
    n_pool: int
    bag: list[int]
    gone: list[int]
    row: list[int]
    deck: list[int]
    discard: list[int]
    pile_top: list[int]
    pile_size: list[int]
    pool: list[int]

    def __init__(self, states: States, i: int = 0) -> None:
        data = memoryview(states[i : i + 1].tobytes()).cast("b")
        fields = self.__dict__
        for name, at in _STATE_NUMBERS:
            fields[name] = data[at]
        for name, at, end in _STATE_LISTS:
            fields[name] = data[at:end].tolist()
        at = _STATE["turn"][0]
        self.turn = int.from_bytes(bytes(data[at : at + 2]), "little")
        at = _STATE["supply"][0]
        self.supply = [
            [colour for colour in data[at + 2 * space : at + 2 * space + 2] if colour != NONE]
            for space in range(10)
        ]
        self.players = [
            PlayerSnapshot(data, _PLAYERS + seat * _PLAYER_SIZE) for seat in range(self.n_players)
        ]
        self.adam = AdamSnapshot(data, _ADAM_AT) if self.n_players == 1 else None
