"""Games that the network plays out to the end, to see how many points a decision costs."""

from __future__ import annotations

import numpy as np
import pytest

from coatl import Game
from coatl.compiler.functions import DISABLED
from coatl.net.weights import Policy
from coatl.players.network import NetworkPlayer
from coatl.rules.chance import new_chance
from coatl.search.playouts.playouts import Playouts
from coatl.view import View
from tests.analysis.games import LAST_CHANCE, short_record
from tests.game.truth import replace_truth
from tests.players.small_network import small_policy

pytestmark = pytest.mark.skipif(DISABLED, reason="the search needs compiled code")

STOP = np.zeros(1, np.int8)
GAMES = 5


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    return small_policy(tmp_path_factory.mktemp("weights"))


def lead(policy: Policy, view: View, decision: int, games: int = GAMES, seed: str = "1") -> float:
    return Playouts(policy).lead(view, decision, games, new_chance(seed), STOP)


def played_in_python(policy: Policy, view: View, decision: int, stream: int) -> float:
    """One of the games, by a player of the library."""
    state = view.sample(new_chance("1", stream))
    player = NetworkPlayer(new_chance("unused"), policy)
    state.apply(decision)
    while state.seat is not None:
        seen = state.view(state.seat)
        state.apply(player.choose(seen, seen.moves).decision)
    scores = state.scores()
    others = [points for seat, points in enumerate(scores) if seat != view.seat]
    return scores[view.seat] - sum(others) / len(others)


def first_position(players: int) -> Game:
    return next(Game.steps(short_record(players)))


def view_of(game: Game) -> View:
    return game.view(game.seat)


def late_view(players: int) -> View:
    return view_of(first_position(players))


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_it_plays_as_the_network_would(policy: Policy, players: int) -> None:
    view = late_view(players)
    for move in view.moves[:3]:
        games = [played_in_python(policy, view, move.decision, n) for n in range(GAMES)]
        assert lead(policy, view, move.decision) == pytest.approx(sum(games) / GAMES)


def test_it_sees_what_the_last_turn_is_worth(policy: Policy) -> None:
    """The other seat has 3 points; closing the Cóatl brings 4, and anything else nothing."""
    game = Game.from_position(LAST_CHANCE, seed=1)
    view = view_of(game)
    closing = next(move for move in view.moves if move.text == "1+G>")
    taking = next(move for move in view.moves if move.text == "take b1")
    assert lead(policy, view, closing.decision) == 1
    assert lead(policy, view, taking.decision) == -3


def test_other_deals_end_otherwise(policy: Policy) -> None:
    view = late_view(2)
    leads = {lead(policy, view, view.moves[0].decision, 1, str(n)) for n in range(8)}
    assert len(leads) > 1


def test_H1_it_does_not_depend_on_hidden_cards(policy: Policy) -> None:
    game, other = first_position(3), first_position(3)
    view = view_of(game)
    replace_truth(other, view.sample(new_chance("another truth")).records)
    assert other.position != game.position
    decision = view.moves[0].decision
    assert lead(policy, view_of(other), decision) == lead(policy, view, decision)


def test_what_was_played_out_before_does_not_matter(policy: Policy) -> None:
    used, deals = Playouts(policy), new_chance("1")
    for players in (2, 1, 3, 2):
        view = late_view(players)
        decision = view.moves[0].decision
        assert used.lead(view, decision, GAMES, deals, STOP) == lead(policy, view, decision)


def test_it_can_be_stopped(policy: Policy) -> None:
    view, stopped = late_view(2), np.ones(1, np.int8)
    decision = view.moves[0].decision
    assert Playouts(policy).lead(view, decision, 10**9, new_chance("1"), stopped) == 0


def test_what_cannot_be_played_out(policy: Policy) -> None:
    view = late_view(2)
    with pytest.raises(ValueError, match="not legal"):
        lead(policy, view, 412)
    with pytest.raises(ValueError, match="number of games"):
        lead(policy, view, view.moves[0].decision, games=0)
