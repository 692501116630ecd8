"""How hard a puzzle is: which bots of the ladder find its answer without working it out.

A bot that works out its last action with the exact solver finds every answer, which says nothing;
so here they all rely on their network, and on searching from it.

Bots play to win, and a puzzle asks for points. So where a puzzle is not about winning, the bots get
it as the last action of a game (E2) that only the best answer wins, or few answers do: it is about
their third Cóatl, and the other player has as many points as that makes, but fewer cards (F2).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache

from coatl.card_examples import prophecy_examples
from coatl.errors import PositionError
from coatl.players.base import Player
from coatl.players.network import NetworkPlayer
from coatl.players.registry import make_player
from coatl.players.search import SearchPlayer
from coatl.puzzles.attempt import completed
from coatl.puzzles.puzzle import BOTS, SOLVER_SEAT, Puzzle, PuzzleKind
from coatl.rules.cards import standard_deck
from coatl.rules.chance import Chances, new_chance
from coatl.rules.state import MAX_COATLS
from coatl.state import State

ASSEMBLING = frozenset(("assemble", "fulfil", "temple"))
LAST_ACTION = "2p end=third trigger=2"
DEALS = 2000  # of Cóatl to choose from


def bots_that_find(puzzle: Puzzle, seed: str) -> tuple[str, ...]:
    """Each bot assembles once."""
    position = position_for_bots(puzzle)
    return tuple(bot for bot in BOTS if finds(bot, puzzle, position, f"{seed} {bot}"))


def finds(bot: str, puzzle: Puzzle, position: str, seed: str) -> bool:
    state = State.from_position(position, f"{seed} {position}")
    target = next(k for k, text in enumerate(_coatls(state)) if not text)
    player = _estimating_player(bot, new_chance(f"{seed} {position} player"))
    while state.seat == SOLVER_SEAT and state.phase in ASSEMBLING:
        view = state.view(SOLVER_SEAT)
        state.apply(player.choose(view, view.moves).decision)
    return _coatls(state)[target] == puzzle.answer


def _estimating_player(bot: str, chances: Chances) -> Player:
    """The bot, without the exact solver for its last action."""
    player = make_player(bot, chances)
    if isinstance(player, NetworkPlayer):
        player.strength = replace(player.strength, reckons=False)
    elif isinstance(player, SearchPlayer):
        player.reckons = False
    return player


def _coatls(state: State) -> list[str]:
    """The complete Cóatl as answers are written; an open one is empty."""
    own = state.view(SOLVER_SEAT).data.seats[SOLVER_SEAT]
    return [completed(coatl).text if coatl.complete else "" for coatl in own.coatls]


def position_for_bots(puzzle: Puzzle) -> str:
    """The position of a puzzle, as the last action of a game that the best answer wins."""
    if puzzle.kind in (PuzzleKind.WIN, PuzzleKind.ADAM):
        return puzzle.position
    table, mine, _ = puzzle.position.split("|")
    for own, theirs in _complete_coatls(puzzle):
        start = f"{table.replace('2p', LAST_ACTION, 1)}|{mine}{own} | {theirs}"
        with suppress(PositionError):  # the pieces or cards are in the puzzle
            State.from_position(start)
            return start
    return puzzle.position  # made of too much that the others would need


def _complete_coatls(puzzle: Puzzle) -> Iterator[tuple[str, str]]:
    """Two Cóatl of one's own and three of the other player's, each with one card.

    Those come first that make the best answer the only one that wins, or nearly so.
    """
    chance = random.Random(puzzle.position)
    dealt = [chance.sample(_examples(), 2 * MAX_COATLS - 1) for _ in range(DEALS)]
    halves = [(some[: MAX_COATLS - 1], some[MAX_COATLS - 1 :]) for some in dealt]
    leads = [(_points(theirs) - _points(own), own, theirs) for own, theirs in halves]
    for lead, own, theirs in sorted(leads, key=lambda one: -one[0]):
        if lead <= puzzle.points:
            yield _written(own), _written(theirs)


def _points(examples: Sequence[tuple[int, str]]) -> int:
    return sum(points for points, _ in examples)


def _written(examples: Sequence[tuple[int, str]]) -> str:
    return " ".join(f"coatl={text}" for _, text in examples)


@cache
def _examples() -> tuple[tuple[int, str], ...]:
    """For each level of each card a Cóatl that meets it, and its points."""
    cards = [card for card in standard_deck().prophecies if not card.promo]
    return tuple(
        (example.points, f"{example.coatl}:{card.name}")
        for card in cards
        for example in prophecy_examples(card)
    )
