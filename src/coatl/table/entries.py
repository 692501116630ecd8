"""The log of a table. Entry number 0 opens it; folding all entries in order gives the table.

An entry holds what was decided, never what followed from it. The table's version is the number of
its entries.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec


class PlaceKind(StrEnum):
    """Who sits at a place, or is to. The values stand in logs and messages."""

    PERSON = "person"
    BOT = "bot"
    OPEN = "open"  # until somebody has come there


class PlaceSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who is to sit at a place: a person with a link, a bot, or whoever comes first (`open`)."""

    kind: PlaceKind
    name: str = ""
    bot: str | None = None


class Practice(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is practised: a position to play on from, and the first draws if they are given."""

    position: str
    draws: tuple[str, ...] = ()


class Entry(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do"):
    """Something that changed a table."""


class Opened(Entry, frozen=True, tag="open"):
    """The table: who may sit there, what is played, and what it promises about its secret."""

    places: tuple[PlaceSpec, ...]
    promise: str
    tokens: bool = True
    promo: bool = False
    fewer_bodies: bool = False
    levels: tuple[int, ...] | None = None  # None: not solo
    draw_seats: bool = False
    rematch_of: str | None = None
    practice: Practice | None = (
        None  # its options are those of its position, and `promise` is empty
    )
    hints: bool = False  # agreed on by several people; one person alone needs no agreement


class Joined(Entry, frozen=True, tag="join"):
    """A person came to a place, with a name and a nonce. The last one to come starts the game."""

    place: int
    name: str
    nonce: str
    id: str | None = None


class Freed(Entry, frozen=True, tag="free"):
    """The owner freed a place that was opened for whoever comes first; the game has not begun."""

    place: int


class Decided(Entry, frozen=True, tag="move"):
    """A decision of the game; `id` is the client's, none for a bot."""

    place: int
    move: str
    id: str | None = None


class Undone(Entry, frozen=True, tag="undo"):
    place: int
    id: str | None = None


class Hinted(Entry, frozen=True, tag="hint"):
    """A person was given a hint, for the first time in this turn. The game stays as it is."""

    place: int


class HandedOver(Entry, frozen=True, tag="hand"):
    """A bot plays for a person, until the person takes the seat back."""

    place: int
    bot: str
    by_owner: bool = False
    id: str | None = None


class TakenBack(Entry, frozen=True, tag="back"):
    """The person plays on: at once, or when the turn that the bot has begun is over."""

    place: int
    id: str | None = None
    after_turn: bool = False


class GaveUp(Entry, frozen=True, tag="give_up"):
    """A bot plays on; the place ranks last."""

    place: int
    bot: str
    id: str | None = None


class BotFailed(Entry, frozen=True, tag="bot_failed"):
    """A bot raised, was too slow or played illegally; another takes over."""

    place: int
    reason: str
    bot: str


class Rematched(Entry, frozen=True, tag="rematch"):
    """The same people meet again at another table."""

    table: str
    id: str | None = None


AnyEntry = (
    Opened
    | Joined
    | Freed
    | Decided
    | Undone
    | Hinted
    | HandedOver
    | TakenBack
    | GaveUp
    | BotFailed
    | Rematched
)

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)


def encode_entry(entry: Entry) -> bytes:
    return _ENCODER.encode(entry)


def decode_entry(data: bytes) -> AnyEntry:
    """Raises `msgspec.ValidationError` for anything else than an entry."""
    return _DECODER.decode(data)
