"""A state read in one go into plain Python objects.

Reading fields of a NumPy record one by one is slow; its bytes come in one call and nearly every
field is one signed byte. Attribute names are those of :mod:`coatl.rules.state`.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from operator import itemgetter
from typing import Any

from coatl.compiler.records import dtype_of
from coatl.rules.pieces import COLOURS, N_KINDS
from coatl.rules.state import (
    MAX_ADAM_CARDS,
    MAX_PLAYERS,
    N_TOKENS,
    NONE,
    STATE,
    Adam,
    Coatl,
    PlayerRecord,
    States,
)


def _places(dtype: Any) -> dict[str, tuple[int, int]]:
    """Offset and size of each field."""
    return {name: (field[1], field[0].itemsize) for name, field in dtype.fields.items()}


_STATE = _places(STATE)
_PLAYER = _places(dtype_of(PlayerRecord))
_COATL = _places(dtype_of(Coatl))
_ADAM = _places(dtype_of(Adam))
_PLAYER_SIZE = dtype_of(PlayerRecord).itemsize
_COATL_SIZE = dtype_of(Coatl).itemsize
PLAYERS_AT = _STATE["players"][0]  # where the seats begin in the bytes of a state
LEVELS_AT, PENDING_AT, PHASE_AT = [_STATE[name][0] for name in ("levels", "pending", "phase")]
PILE_TOPS_AT = _STATE["pile_top"][0]
_PLAYER_PLACES = [PLAYERS_AT + seat * _PLAYER_SIZE for seat in range(MAX_PLAYERS)]
_ADAM_AT = _STATE["adam"][0]

# All before the seats in one go: single bytes, but for `turn`, which takes two.
_TURN = _STATE["turn"][0]
_TABLE = struct.Struct(f"<{_TURN}bh{PLAYERS_AT - _TURN - 2}b")


def _place(name: str) -> int:
    """Where a field stands among the numbers that `_TABLE` unpacks."""
    offset = _STATE[name][0]
    return offset if offset <= _TURN else offset - 1


_NUMBER_NAMES = [
    name
    for name, (offset, size) in _STATE.items()
    if offset < PLAYERS_AT and size <= 2 - (offset != _TURN)
]
_pick_numbers = itemgetter(*map(_place, _NUMBER_NAMES))
_LISTS = [
    (name, _place(name), _place(name) + _STATE[name][1])
    for name in ("bag", "gone", "row", "deck", "discard", "pile_top", "pile_size", "pool")
]
_SUPPLY_AT = _place("supply")


@lru_cache(maxsize=1024)
def _supply(colours: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The content of the ten spaces."""
    return tuple([tuple([c for c in colours[at : at + 2] if c != NONE]) for at in range(0, 20, 2)])


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
        self.cards = tuple(data[first : first + data[at + place["n_cards"][0]]].tolist())
        first = at + place["colours"][0]
        letters = "".join([COLOURS[c] for c in data[first : first + self.length]])
        self.pieces = "<" * self.has_head + letters + ">" * self.has_tail


_AT = {name: offset for name, (offset, _) in _PLAYER.items()}
_COATLS_AT = _AT["coatls"]


class PlayerSnapshot:
    """One seat; `key` are its bytes."""

    __slots__ = (
        *("buried", "coatls", "hand", "key", "n_hand", "n_temples", "pieces", "seen"),
        *("temples", "temples_seen", "tokens"),
    )

    def __init__(self, key: bytes) -> None:
        data = memoryview(key).cast("b")

        numbers = data[:_COATLS_AT].tolist()
        self.key = key
        self.n_hand = n_hand = numbers[_AT["n_hand"]]
        self.n_temples = n_temples = numbers[_AT["n_temples"]]
        self.pieces = numbers[_AT["pieces"] : _AT["pieces"] + N_KINDS]
        self.hand = numbers[_AT["hand"] : _AT["hand"] + n_hand]
        self.seen = numbers[_AT["seen"] : _AT["seen"] + n_hand]
        self.temples = numbers[_AT["temples"] : _AT["temples"] + n_temples]
        self.temples_seen = numbers[_AT["temples_seen"] : _AT["temples_seen"] + n_temples]
        self.tokens = numbers[_AT["tokens"] : _AT["tokens"] + N_TOKENS]
        self.buried = numbers[_AT["buried"] : _AT["buried"] + numbers[_AT["n_buried"]]]
        self.coatls = [
            CoatlSnapshot(data, _COATLS_AT + i * _COATL_SIZE)
            for i in range(numbers[_AT["n_coatls"]])
        ]

    @property
    def n_complete(self) -> int:
        return sum(coatl.complete for coatl in self.coatls)


# Most seats are as they were a moment ago. Such a seat is the same object again, which other caches
# can find by its identity, without comparing its bytes.
_player = lru_cache(maxsize=4096)(PlayerSnapshot)


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
        self.fulfilled = tuple(data[first : first + size].tolist())


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
    bag: tuple[int, ...]
    gone: tuple[int, ...]
    row: tuple[int, ...]
    deck: tuple[int, ...]
    discard: tuple[int, ...]
    pile_top: tuple[int, ...]
    pile_size: tuple[int, ...]
    pool: tuple[int, ...]
    turn: int
    supply: tuple[tuple[int, ...], ...]

    def _read_players(self, content: bytes) -> list[PlayerSnapshot]:
        places = _PLAYER_PLACES[: self.n_players]
        return [_player(content[at : at + _PLAYER_SIZE]) for at in places]

    def __init__(self, states: States, i: int = 0) -> None:
        content = states[i : i + 1].tobytes()
        numbers = _TABLE.unpack_from(content)
        fields = self.__dict__
        fields.update(zip(_NUMBER_NAMES, _pick_numbers(numbers), strict=True))
        for name, at, end in _LISTS:
            fields[name] = numbers[at:end]
        self.supply = _supply(numbers[_SUPPLY_AT : _SUPPLY_AT + 20])
        self.players = self._read_players(content)
        self.adam = (
            AdamSnapshot(memoryview(content).cast("b"), _ADAM_AT) if self.n_players == 1 else None
        )
