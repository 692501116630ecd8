"""What a process knows of the others on the same database: who is connected there, and how much.

Each tells the others when somebody comes to one of its tables or leaves, and every second how many
sockets and bots its addresses have and what they took of their limits. A process that is silent for
too long is gone. Addresses are told as salted hashes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

GONE_SECONDS = 5.0  # without a word; one is said every second
MOST_TOLD = 100  # addresses in a message, the busiest
TABLES_A_MESSAGE = 100
WATCHING = -1  # stands for the place of spectators

Here = dict[int, int]  # connections by place
ByAddress = dict[str, int]


class Message(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="is"):
    """What one process says to all others."""

    sender: str


class Changed(Message, frozen=True, tag="changed"):
    """Entries or tokens of these tables were stored, or the tables are gone."""

    tables: tuple[str, ...]


class Present(Message, frozen=True, tag="present"):
    """Who is connected to some tables at the sender; nobody, if it is empty."""

    tables: dict[str, Here]


class Alive(Message, frozen=True, tag="alive"):
    """Said every second."""

    sockets: ByAddress = {}  # of the busiest addresses
    bots: ByAddress = {}
    all_sockets: int = 0
    all_bots: int = 0


class Taken(Message, frozen=True, tag="taken"):
    """What addresses took of a limit since the last time."""

    limit: str
    counts: ByAddress


class Arrived(Message, frozen=True, tag="arrived"):
    """The sender knows nothing: everybody tells who is present at their tables, or one does."""

    asks: str = ""


class Left(Message, frozen=True, tag="left"):
    """The sender ends."""


AnyMessage = Changed | Present | Alive | Taken | Arrived | Left
_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[AnyMessage] = msgspec.json.Decoder(AnyMessage)


def encode(message: Message) -> str:
    return _ENCODER.encode(message).decode()


def decode(text: str) -> AnyMessage | None:
    """None for what a process of another version says."""
    try:
        return _DECODER.decode(text)
    except msgspec.DecodeError:
        return None


def in_parts(tables: Mapping[str, Here], sender: str) -> Iterator[Present]:
    """Messages that are not too long."""
    ids = list(tables)
    for first in range(0, len(ids), TABLES_A_MESSAGE):
        yield Present(sender, {id: tables[id] for id in ids[first : first + TABLES_A_MESSAGE]})


def busiest(counts: Mapping[str, int]) -> ByAddress:
    return dict(Counter(counts).most_common(MOST_TOLD))


@dataclass
class Peer:
    """Another process."""

    heard: float
    here: dict[str, Here] = field(default_factory=dict)  # by table
    alive: Alive = field(default_factory=lambda: Alive(""))


class Peers:
    """The other processes. The methods that change something return the tables it is about."""

    def __init__(self) -> None:
        self.all: dict[str, Peer] = {}

    def hear(self, message: AnyMessage) -> Iterable[str]:
        if isinstance(message, Left):
            return self.forget(message.sender)
        peer = self.all.get(message.sender)
        if peer is None:
            peer = self.all[message.sender] = Peer(0.0)
        peer.heard = time.monotonic()
        if isinstance(message, Alive):
            peer.alive = message
        if not isinstance(message, Present):
            return ()
        for table, here in message.tables.items():
            if here:
                peer.here[table] = here
            else:
                peer.here.pop(table, None)
        return message.tables

    def forget(self, process: str) -> Iterable[str]:
        peer = self.all.pop(process, None)
        return () if peer is None else list(peer.here)

    def forget_silent(self) -> list[str]:
        """Those that have said nothing for too long."""
        oldest = time.monotonic() - GONE_SECONDS
        silent = [process for process, peer in self.all.items() if peer.heard < oldest]
        return [table for process in silent for table in self.forget(process)]

    def elsewhere(self, table: str) -> Here:
        """Connections to a table at all others, by place."""
        total: Counter[int] = Counter()
        for peer in self.all.values():
            total.update(peer.here.get(table, {}))
        return dict(total)

    def is_used(self, table: str) -> bool:
        return any(table in peer.here for peer in self.all.values())

    def first_at(self, table: str) -> str | None:
        """Of the processes to which somebody at a table is connected, the first by name."""
        return min((name for name, peer in self.all.items() if table in peer.here), default=None)

    def sockets(self, address: str | None = None) -> int:
        """Of an address, told by its hash; of all, without one."""
        if address is None:
            return sum(peer.alive.all_sockets for peer in self.all.values())
        return sum(peer.alive.sockets.get(address, 0) for peer in self.all.values())

    def bots(self, address: str | None = None) -> int:
        if address is None:
            return sum(peer.alive.all_bots for peer in self.all.values())
        return sum(peer.alive.bots.get(address, 0) for peer in self.all.values())
