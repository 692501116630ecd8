"""Single games of a batch seen as players see them: a view, and the action of a move."""

from __future__ import annotations

from coatl.compiler.arguments import check_whole
from coatl.compiler.records import copy_records
from coatl.env.batch import Batch
from coatl.env.compiled import meaning
from coatl.players.base import Player
from coatl.rules import compiled
from coatl.rules.cards import standard_deck
from coatl.rules.causes import ALLOWED
from coatl.rules.decisions import N_DECISIONS
from coatl.rules.state import States, new_states
from coatl.rules.tables import card_tables
from coatl.view import View, make_view


def view_of(batch: Batch, game: int) -> View:
    """What the seat to move in a game may know."""
    state, deck = _state_of(batch, game), standard_deck()
    return make_view(deck, card_tables(deck), state, int(state["current"][0]))


def choose_with_player(batch: Batch, game: int, player: Player) -> int:
    """The action of the move that a player chooses."""
    view = view_of(batch, game)
    decision = player.choose(view, view.moves).decision
    return action_of(batch, game, decision)


def action_of(batch: Batch, game: int, decision: int) -> int:
    """The legal action that a legal decision means; ValueError if it is not legal."""
    state = _state_of(batch, game)
    number = check_whole(decision, "a decision", 0, N_DECISIONS - 1)
    if compiled.why_not(card_tables(standard_deck()), state, 0, number) != ALLOWED:
        raise ValueError(f"game {game}: the decision {number} is not legal now")
    return meaning(state, 0, number)


def _state_of(batch: Batch, game: int) -> States:
    """A copy of one state."""
    at = check_whole(game, "the number of a game", 0, batch.n - 1)
    batch.check_dealt()
    state = new_states()
    copy_records(state, batch.states[at : at + 1])
    return state
