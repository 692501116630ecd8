"""What messages are made of: the two base classes, and texts and numbers with their limits."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

Token = Annotated[str, Meta(min_length=16, max_length=64)]
Id = Annotated[str, Meta(min_length=1, max_length=64)]
MoveText = Annotated[str, Meta(min_length=1, max_length=100)]
Name = Annotated[str, Meta(max_length=40)]
Nonce = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
BotName = Annotated[str, Meta(min_length=1, max_length=40)]
PlaceNumber = Annotated[int, Meta(ge=0, le=3)]
Version = Annotated[int, Meta(ge=0, le=1_000_000_000)]
ProtocolNumber = Annotated[int, Meta(ge=1, le=1_000_000)]


class ClientMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A message from outside: unknown fields are refused."""


class ServerMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message from the server."""
