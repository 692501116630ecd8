"""A state read in one go into plain Python objects.

Reading fields of a NumPy record one by one is slow; its bytes come in one call and nearly every
field is one signed byte. Lists are read when they are first asked for. Attribute names are those of
:mod:`coatl.rules.state`.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

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
PLAYER_SIZE = dtype_of(PlayerRecord).itemsize
_COATL_SIZE = dtype_of(Coatl).itemsize
PLAYERS_AT = _STATE["players"][0]  # where the seats begin in the bytes of a state
LEVELS_AT, PENDING_AT, PHASE_AT = [_STATE[name][0] for name in ("levels", "pending", "phase")]
PILE_TOPS_AT = _STATE["pile_top"][0]
_PLAYER_PLACES = [PLAYERS_AT + seat * PLAYER_SIZE for seat in range(MAX_PLAYERS)]


def bytes_of(first: str, last: str | None = None) -> slice:
    """Where a field lies in the bytes of a state, or some that follow one another."""
    offset, size = _STATE[last or first]
    return slice(_STATE[first][0], offset + size)


_ADAM_BYTES = bytes_of("adam")

# Read when they are first asked for: few of them ever are.
_LISTS = {
    name: bytes_of(name)
    for name in ("bag", "gone", "row", "deck", "discard", "pile_top", "pile_size", "pool")
}
_SINGLE = {name: bytes_of(name).start for name in ("n_deck", "n_discard", "reshuffled", "n_pool")}
_SUPPLY = bytes_of("supply")
_FIELDS = {name: bytes_of(name) for name in _STATE}


class Head(NamedTuple):
    """What a state begins with: options, whose turn it is, and where in it."""

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
    turn: int


HEAD = bytes_of("n_players", "turn")
_HEAD = struct.Struct(f"<{HEAD.stop - 2}bh")  # single bytes, but for `turn`, which takes two


def read_head(content: bytes) -> Head:
    """From the bytes of a state, or the first of them."""
    return Head._make(_HEAD.unpack_from(content))


@lru_cache(maxsize=4096)
def _supply(colours: bytes) -> tuple[tuple[int, ...], ...]:
    """The content of the ten spaces; the same object as long as nothing changes there."""
    none = NONE & 0xFF
    return tuple([tuple([c for c in colours[at : at + 2] if c != none]) for at in range(0, 20, 2)])


class CoatlSnapshot:
    """One Cóatl; `key` are its bytes."""

    __slots__ = ("cards", "complete", "has_head", "has_tail", "key", "length", "pieces", "temple")

    def __init__(self, key: bytes) -> None:
        place, data = _COATL, memoryview(key).cast("b")
        self.key = key
        self.length = data[place["length"][0]]
        self.has_head = data[place["has_head"][0]]
        self.has_tail = data[place["has_tail"][0]]
        self.complete = data[place["complete"][0]]
        self.temple = data[place["temple"][0]]
        first = place["cards"][0]
        self.cards = tuple(data[first : first + data[place["n_cards"][0]]].tolist())
        first = place["colours"][0]
        letters = "".join([COLOURS[c] for c in key[first : first + self.length]])
        self.pieces = "<" * self.has_head + letters + ">" * self.has_tail


_coatl = lru_cache(maxsize=1024)(CoatlSnapshot)


_AT = {name: offset for name, (offset, _) in _PLAYER.items()}
_COATLS_AT = _AT["coatls"]
_COATL_PLACES = range(_COATLS_AT, PLAYER_SIZE, _COATL_SIZE)
_COMPLETED = itemgetter(
    *[
        player + coatl + _COATL["complete"][0]
        for player in _PLAYER_PLACES
        for coatl in _COATL_PLACES
    ]
)


class PlayerSnapshot:
    """One seat; `key` are its bytes."""

    __slots__ = (
        *("buried", "coatls", "hand", "key", "n_hand", "n_temples", "pieces", "seen"),
        *("temples", "temples_seen", "tokens"),
    )

    def __init__(self, key: bytes) -> None:
        numbers = tuple(memoryview(key)[:_COATLS_AT].cast("b"))
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
            _coatl(key[at : at + _COATL_SIZE]) for at in _COATL_PLACES[: numbers[_AT["n_coatls"]]]
        ]

    @property
    def n_complete(self) -> int:
        return sum(coatl.complete for coatl in self.coatls)


# Most seats and Cóatl are as they were a moment ago, and such a one is the same object again. They
# hold tuples of numbers, which the garbage collector of a server leaves alone, unlike lists.
read_player = lru_cache(maxsize=1024)(PlayerSnapshot)


class AdamSnapshot:
    __slots__ = ("cards", "fulfilled", "holding", "looking", "pieces", "space", "step")

    def __init__(self, key: bytes) -> None:
        place, data = _ADAM, memoryview(key).cast("b")
        self.step = data[place["step"][0]]
        self.looking = data[place["looking"][0]]
        self.space = data[place["space"][0]]
        n_cards = data[place["n_cards"][0]]
        first = place["cards"][0]
        self.cards = data[first : first + n_cards].tolist()
        first = place["pieces"][0]
        self.pieces = [
            data[first + i * N_KINDS : first + (i + 1) * N_KINDS].tolist()
            for i in range(MAX_ADAM_CARDS)
        ]
        first = place["holding"][0]
        self.holding = data[first : first + N_KINDS].tolist()
        first, size = place["fulfilled"]
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
    players: list[PlayerSnapshot]
    adam: AdamSnapshot | None

    def __init__(self, content: bytes) -> None:
        """From the bytes of a state."""
        self.content = content
        self.__dict__.update(zip(Head._fields, _HEAD.unpack_from(content), strict=True))

    @classmethod
    def of(cls, states: States, i: int = 0) -> Snapshot:
        return cls(states[i : i + 1].tobytes())

    def has_same(self, field: str, other: Snapshot) -> bool:
        """Is a field of the table the same in another state? Nothing is read for that."""
        place = _FIELDS[field]
        return self.content[place] == other.content[place]

    @property
    def completed(self) -> tuple[int, ...]:
        """Whether each Cóatl of each seat is complete."""
        found: tuple[int, ...] = _COMPLETED(self.content)
        return found

    def coatl_count(self, seat: int) -> int:
        """The Cóatl that a seat has begun."""
        return self.content[_PLAYER_PLACES[seat] + _AT["n_coatls"]]

    def coatl_length(self, seat: int, number: int) -> int:
        return self.content[_PLAYER_PLACES[seat] + _COATL_PLACES[number] + _COATL["length"][0]]

    def __reduce__(self) -> tuple[type[Snapshot], tuple[bytes]]:
        """A pickle of it is its bytes."""
        return Snapshot, (self.content,)

    def __getattr__(self, name: str) -> Any:
        """A field that is asked for the first time."""
        found = self._read(name)
        self.__dict__[name] = found
        return found

    def _read(self, name: str) -> Any:
        content = self.content
        if name in _LISTS:
            return tuple(memoryview(content)[_LISTS[name]].cast("b").tolist())
        if name in _SINGLE:
            return content[_SINGLE[name]]
        if name == "supply":
            return _supply(content[_SUPPLY])
        if name == "players":
            places = _PLAYER_PLACES[: self.n_players]
            return [read_player(content[at : at + PLAYER_SIZE]) for at in places]
        if name == "adam":
            return AdamSnapshot(content[_ADAM_BYTES]) if self.n_players == 1 else None
        raise AttributeError(name)
