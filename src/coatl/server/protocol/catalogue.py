"""Answers of the requests about cards, bots and the server itself."""

from __future__ import annotations

from typing import Literal

from coatl.players.bots import BotKind
from coatl.server.protocol.fields import ServerMessage
from coatl.server.startup import StartupStatus


class ProphecyInfo(ServerMessage, frozen=True):
    """A Prophecy card."""

    name: str  # as in the notation
    pattern: str  # what it asks for, as in a deck file
    colour: str  # of the card: red, black, blue, yellow or green
    copies: int  # how many there are in the deck
    promo: bool  # of the promo pack
    levels: dict[str, int]  # times met -> points
    sentence: str  # what it asks for, in English


class TempleInfo(ServerMessage, frozen=True):
    """A Temple card."""

    name: str  # as in the notation
    requirements: tuple[str, ...]  # as in a deck file
    levels: tuple[int, ...]  # points for one requirement met, for two
    copies: int  # how many there are in the deck
    promo: bool  # of the promo pack
    sentence: str  # what it asks for, in English


class RuleNumbers(ServerMessage, frozen=True):
    """How many places there are to be drawn, and what games there are."""

    coatls: int  # that a player may have (A1)
    board: int  # spaces of a player's board (C5)
    cards: int  # Prophecy cards on one Cóatl (A6)
    hand: int  # Prophecy cards in a hand (P2)
    kept: int  # Prophecy cards that are kept at setup, at most (S5)
    kept_solo: int  # the same in the solo game, exactly (D2)
    players: tuple[int, ...]  # how many may play together; 1 is the solo game
    tokens: tuple[int, ...]  # how many may play with Sacrifice tokens (S6, D1)
    fewer_bodies: tuple[int, ...]  # how many may play with fewer body segments (R22)
    levels: tuple[int, ...]  # of the solo game (D10)
    level_hands: tuple[int, ...]  # Prophecy cards in a hand, by level of the solo game (D10)


class CardList(ServerMessage, frozen=True):
    """Every printed card, those of the promo pack too, and the numbers of the rules."""

    prophecies: tuple[ProphecyInfo, ...]  # the Prophecy cards
    temples: tuple[TempleInfo, ...]  # the Temple cards
    numbers: RuleNumbers  # of the rules
    digest: str  # a hash of all of them


class BotInfo(ServerMessage, frozen=True):
    """A bot, described for people. Titles and sentences are by language: en, fr, de."""

    name: str  # as in a request
    kind: BotKind  # an opponent for people, or one to measure others by
    title: dict[str, str]  # what it is called
    text: dict[str, str]  # one sentence
    strength: int | None  # a rating, 1000 being greedy's; null if it was not measured
    stand_in: bool  # what it learnt cannot be read, so planner plays in its place


class BotList(ServerMessage, frozen=True):
    """The bots that may play at a table."""

    bots: tuple[str, ...]  # by name
    described: tuple[BotInfo, ...]  # the same, in the same order
    default: str  # for somebody who has not chosen


class StartupState(ServerMessage, frozen=True):
    """How far the server is with starting. Until it is ready it refuses all but the rules."""

    status: StartupStatus  # what it is doing
    compiled: float  # the share of the rules, from 0 to 1; while starting 0


class Health(ServerMessage, frozen=True):
    """How the server is."""

    # storage: its data file is gone, so nothing can be stored; closing: it is about to stop
    status: Literal["ok", "storage", "closing"]
    version: str  # of the program
    protocol: int  # of this protocol; it changes when clients have to
    tables: int  # in memory
    connections: int  # open sockets
    refused: dict[str, int] | None = None  # what and why -> how often; only told to this machine


class Ready(ServerMessage, frozen=True):
    """Tables can be opened and played, and what is done there is stored."""

    status: Literal["ok"]  # anything else is answered with an error
