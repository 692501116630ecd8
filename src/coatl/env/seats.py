"""Single games of a batch seen as players see them: a view, and the action of a move."""

from __future__ import annotations

import numpy as np

from coatl.env.batch import Batch
from coatl.env.stepping import meaning
from coatl.players.base import Player
from coatl.rules.cards import standard_deck
from coatl.rules.tables import card_tables
from coatl.view import View, make_view


def view_of(batch: Batch, game: int) -> View:
    """What the seat to move in a game may know."""
    deck = standard_deck()
    one = batch.states[game : game + 1].copy()
    return make_view(deck, card_tables(deck), one, int(batch.movers[game]))


def choose_with_player(batch: Batch, game: int, player: Player) -> int:
    """The action of the move that a player chooses."""
    view = view_of(batch, game)
    decision = player.choose(view, view.moves).decision
    return action_of(batch, game, decision)


def action_of(batch: Batch, game: int, decision: int) -> int:
    """The legal action that a legal decision means."""

    action = meaning(batch.states, game, decision)
    assert batch.masks[game, action] == 1, np.flatnonzero(batch.masks[game])
    return action
