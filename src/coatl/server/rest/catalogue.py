"""The requests about cards, bots and the server itself."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Literal

from coatl._version import __version__
from coatl.card_text import prophecy_sentence, temple_sentence
from coatl.players.bots import BOTS
from coatl.players.registry import PLAYERS, default_bot, needs_weights, stand_in_note
from coatl.rules.cards import standard_deck
from coatl.rules.limits import hand_limit
from coatl.rules.pieces import BOARD_SPACES, FEWER_BODIES_OF_A_COLOUR
from coatl.rules.state import (
    HAND_LIMIT,
    KEPT_AT_SETUP,
    LEVELS,
    MAX_CARDS_ON_COATL,
    MAX_COATLS,
    MAX_PLAYERS,
    MIN_PLAYERS,
)
from coatl.server import protocol
from coatl.server.database import StorageError
from coatl.server.manager import TableManager
from coatl.server.origin import is_here
from coatl.server.protocol import ServerCode
from coatl.server.rest.operation import Call, Operation
from coatl.server.startup import StartupStatus


@lru_cache(maxsize=1)
def _cards() -> protocol.CardList:
    deck = standard_deck()
    return protocol.CardList(
        prophecies=tuple(
            protocol.ProphecyInfo(
                name=card.name,
                pattern=card.pattern.text,
                colour=card.colour,
                copies=card.copies,
                promo=card.promo,
                levels={str(times): points for times, points in sorted(card.levels.items())},
                sentence=prophecy_sentence(card),
            )
            for card in deck.prophecies
        ),
        temples=tuple(
            protocol.TempleInfo(
                name=card.name,
                requirements=tuple(requirement.text for requirement in card.requirements),
                levels=card.levels,
                copies=card.copies,
                promo=card.promo,
                sentence=temple_sentence(card),
            )
            for card in deck.temples
        ),
        numbers=_numbers(),
        digest=deck.digest,
    )


def _numbers() -> protocol.RuleNumbers:
    together = tuple(range(MIN_PLAYERS, MAX_PLAYERS + 1))
    return protocol.RuleNumbers(
        coatls=MAX_COATLS,
        board=BOARD_SPACES,
        cards=MAX_CARDS_ON_COATL,
        hand=HAND_LIMIT,
        kept=KEPT_AT_SETUP,
        kept_solo=KEPT_AT_SETUP,
        players=(1, *together),
        tokens=together,
        fewer_bodies=tuple(FEWER_BODIES_OF_A_COLOUR),
        levels=LEVELS,
        level_hands=tuple(hand_limit(1 << (level - 1)) for level in LEVELS),
    )


async def list_cards(call: Call) -> protocol.CardList:
    return _cards()


async def list_bots(call: Call) -> protocol.BotList:
    return await asyncio.to_thread(_bots)


def _bots() -> protocol.BotList:
    """Reads the weights when it is first asked, to know whether they can be used."""
    missing = stand_in_note(PLAYERS) is not None
    described = [
        protocol.BotInfo(
            name=bot.name,
            kind=bot.kind,
            title=bot.title,
            text=bot.text,
            strength=bot.strength,
            stand_in=missing and needs_weights(bot.name),
        )
        for bot in BOTS
    ]
    return protocol.BotList(tuple(bot.name for bot in BOTS), tuple(described), default_bot())


async def health(call: Call) -> protocol.Health:
    refusals = call.services.refusals
    return protocol.Health(
        status=_status(call.manager),
        version=__version__,
        protocol=protocol.PROTOCOL,
        tables=len(call.manager.rooms),
        connections=call.services.connections(),
        refused=dict(refusals.totals) if is_here(call.request.scope) else None,
    )


def _status(manager: TableManager) -> Literal["ok", "storage", "closing"]:
    if not manager.is_taking:
        return "closing"
    try:
        manager.store.check()
    except StorageError:
        return "storage"
    return "ok"


async def ready(call: Call) -> protocol.Ready:
    await call.manager.check_storage()
    return protocol.Ready("ok")


async def startup(call: Call) -> protocol.StartupState:
    """Before the server is ready, `coatl.server.front` answers this."""
    return protocol.StartupState(StartupStatus.READY, compiled=1.0)


OPERATIONS = (
    Operation(
        "GET",
        "/api/cards",
        "list_cards",
        "Every card.",
        list_cards,
        protocol.CardList,
        compresses=True,
    ),
    Operation(
        "GET",
        "/api/bots",
        "list_bots",
        "The bots by name.",
        list_bots,
        protocol.BotList,
        compresses=True,
    ),
    Operation(
        "GET",
        "/api/startup",
        "startup",
        "How far the server is with starting; answered at any time.",
        startup,
        protocol.StartupState,
    ),
    Operation("GET", "/healthz", "health", "Is the server well?", health, protocol.Health),
    Operation(
        "GET",
        "/readyz",
        "ready",
        "Can tables be played and stored? Writes to the database and reads it.",
        ready,
        protocol.Ready,
        errors=(ServerCode.STORAGE, ServerCode.SHUTTING_DOWN),
    ),
)
