"""Attacks by way of tables and records: what costs the server time to work out."""

from __future__ import annotations

import time
from contextlib import ExitStack, suppress

from bench.attack.target import Target, frame
from coatl.game import Game

RECORD_BYTES = 180_000
BOT = "high-priest"
MOST_TABLES = 120


def long_record() -> str:
    """A game with as many moves taken back and made again as the bytes allow."""
    game = Game.new(players=2, seed=1)
    move = game.legal_moves()[0]
    while len(game.record()) < RECORD_BYTES:
        for _ in range(2000):
            game.play(move)
            game.undo()
    return game.record()


def replay_overview(target: Target) -> None:
    record = long_record()
    target.begin = time.monotonic()  # what was prepared is no attack
    while not target.is_over:
        target.ask("POST", "/api/replay/overview", {"record": record})


def my_tables(target: Target) -> None:
    """A list of many tables, each of which has to be loaded."""
    opened = [table for _ in range(30) if (table := target.open_table()) is not None]
    tokens = [token for table in opened for token in table["seats"]]
    while not target.is_over:
        target.ask("POST", "/api/tables/mine", {"tokens": tokens[:50]})


def bots_alone(target: Target) -> None:
    """Tables at which strong bots play while nobody watches."""
    for _ in range(MOST_TABLES):
        if target.is_over:
            return
        table = target.open_table(BOT, BOT, BOT)
        if table is None:
            time.sleep(0.5)
            continue
        with target.connected() as raw:
            target.upgrade(raw, table["table"])
            target.greet(raw, table["seats"][0])
            raw.sendall(frame({"type": "join", "id": "join", "nonce": "0" * 64}))
            raw.sendall(frame({"type": "hand_over", "id": "bot", "bot": BOT}))
            time.sleep(0.05)
    while not target.is_over:
        time.sleep(0.1)


def hand_over(target: Target) -> None:
    """Let a bot play and take the seat back, as fast as messages are taken."""
    table = target.open_table()
    with ExitStack() as stack:
        for token in table["seats"]:
            raw = stack.enter_context(target.connect())
            target.upgrade(raw, table["table"])
            target.greet(raw, token)
            raw.sendall(frame({"type": "join", "id": "join", "nonce": "0" * 64}))
        number = 0
        with suppress(OSError):
            while not target.is_over:
                kind = "take_back" if number % 2 else "hand_over"
                raw.sendall(frame({"type": kind, "id": str(number)}))
                number += 1
                target.tally[kind] += 1
                raw.recv(1 << 20)


ATTACKS = (replay_overview, my_tables, bots_alone, hand_over)
