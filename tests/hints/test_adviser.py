"""Hints: legal lines from what a seat may know, with facts that are true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from coatl import load_deck
from coatl.compiler.functions import DISABLED
from coatl.game import Game
from coatl.hints import Advice, Adviser, Effort, Fact, FactKind, Hint
from coatl.hints.adviser import _Action, _actions, _with_a_reason
from coatl.net.weights import Policy
from coatl.options import Options
from coatl.players.greedy import GreedyPlayer
from coatl.rules.chance import new_chance
from coatl.search.search import Search
from coatl.view import View
from tests.game.decks import SMALL, deck_file
from tests.players.small_network import (
    MODES,
    first_view,
    new_game,
    small_policy,
    views_of_two_truths,
)

pytestmark = pytest.mark.skipif(DISABLED, reason="the network needs compiled code")
BRIEF = Effort(
    simulations=60,
    seconds=0.0,
    second_seconds=0.0,
    further_simulations=10,
    further_seconds=0.0,
    line_seconds=0.0,
)


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    return small_policy(tmp_path_factory.mktemp("weights"))


def adviser(policy: Policy, seed: int = 1) -> Adviser:
    return Adviser(new_chance(seed), policy, BRIEF)


def some_views(game: Game, every: int) -> Iterator[View]:
    """Views of whoever is to move, in a game between greedy players."""
    player, made = GreedyPlayer(new_chance(3)), 0
    while game.seat is not None:
        view = game.view(game.seat)
        if made % every == every // 2:
            yield view
        game.play(player.choose(view, view.moves))
        made += 1


@pytest.mark.parametrize("options", MODES, ids=str)
def test_a_line_can_be_played_and_ends_with_the_turn_or_a_draw(
    policy: Policy, options: Options
) -> None:
    seen = 0
    for view in some_views(new_game(options, "hints"), every=25):
        hint = adviser(policy).hint(view)
        assert hint.seat == view.seat
        for advice in [hint.best, *([hint.second] if hint.second else [])]:
            state = view.sample(new_chance(9))
            for number, move in enumerate(advice.moves):
                here = state.view(view.seat)
                assert move in here.moves
                is_final = move in here.final
                assert is_final == (number == len(advice.moves) - 1)
                state.apply(move.decision)
        seen += 1
    assert seen >= 2


def test_a_hint_rests_on_nothing_hidden(policy: Policy) -> None:
    """Two truths that look the same to a seat give the same hint."""
    for step, one, other in views_of_two_truths(60, "hints"):
        if step % 6 == 0:
            assert adviser(policy).hint(one) == adviser(policy).hint(other)


def test_the_second_best_is_another_action(policy: Policy) -> None:
    """Not the same assembly in another order."""
    found, longer = 0, Adviser(new_chance(1), policy, replace(BRIEF, simulations=400))
    for view in some_views(Game.new(players=2, seed=4), every=9):
        hint = longer.hint(view)
        if hint.second is None or hint.chance is None:
            continue
        found += 1
        assert hint.second.moves[0] != hint.best.moves[0]
        kinds = [advice.moves[0].kind for advice in (hint.best, hint.second)]
        assert not {"begin", "add", "fulfil", "temple"}.issuperset(kinds)
    assert found >= 2


def test_there_is_a_second_best_wherever_there_is_another_action(policy: Policy) -> None:
    """Also where the search would hardly look at anything else."""
    game = Game.new(players=2, seed=4)
    player, seen = adviser(policy), 0
    for view in some_views(game, every=4):
        if game.phase == "main" and len(view.moves) > 1:
            seen += 1
            assert player.hint(view).second is not None
    assert seen >= 5


def test_what_is_drawn_speaks_for_nothing(policy: Policy) -> None:
    """The sample on which a line is played has some card on top of the deck; no seat knows it."""
    position = (
        "2p row=YYY,GGG,BBB,KKK,GB,RK | hand={Y} board=2R,2B,<K,K> coatl=KRRBBR:RB coatl=G | hand=-"
    )
    view = Game.from_position(position).view(0)
    draw = next(move for move in view.moves if move.text == "draw")
    found = {
        adviser(policy, seed)._advice(view, _Action(draw.decision, 1, 0.5)).facts
        for seed in range(20)
    }
    assert found == {(Fact(FactKind.NO_CARD_MET), Fact(FactKind.FEW_CARDS, count=1))}


def test_the_next_temple_card_of_a_pile_speaks_for_nothing(policy: Policy) -> None:
    """Priest Commitment reveals it, and the sample has one there; no seat knows it before."""
    position = (
        "2p tokens piles=noR/11,noB/10 | tokens=priest hand=RRR board=3R,B> coatl=<BRR"
        " | tokens=pick hand=-"
    )
    view = Game.from_position(position).view(0)
    priest = next(move for move in view.moves if move.text == "token priest 1")
    found = {
        adviser(policy, seed)._advice(view, _Action(priest.decision, 1, 0.5)).facts
        for seed in range(10)
    }
    assert found == {(Fact(FactKind.TEMPLES, count=1, before=0),)}


def test_where_no_fact_speaks_for_a_move_it_may_make_no_difference() -> None:
    fact, equal = Fact(FactKind.FEW_CARDS, count=1), Fact(FactKind.EQUAL)
    told = Advice((), (fact,), 0.5)
    assert _with_a_reason(told, 0.5) == told
    assert _with_a_reason(Advice((), (), 0.5), 0.496) == Advice((), (equal,), 0.5)
    assert _with_a_reason(Advice((), (), 0.496), 0.5) == Advice((), (equal,), 0.496)
    for chance, before in ((0.5, 0.49), (0.5, None), (None, None), (0.49, 0.5)):
        assert _with_a_reason(Advice((), (), chance), before).facts == ()


def test_loading_takes_nothing_from_the_time_of_a_hint(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first call of a process loads compiled code; the clock is looked at from then on."""
    now, slices = [0.0], [0]
    simulate = Search._simulate

    def slow(self: Search, stop: Any, fresh: bool, more: int) -> bool:
        now[0] += 100.0 if fresh else 0.3
        slices[0] += not fresh
        return simulate(self, stop, fresh, more)

    monkeypatch.setattr("coatl.search.search.time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(Search, "_simulate", slow)
    game = Game.new(players=2, seed=4)
    assert game.seat is not None
    timed = Adviser(new_chance(1), policy, replace(BRIEF, simulations=1000, seconds=0.5))
    timed._visits(game.view(game.seat), timed._first)
    assert slices == [2]


def test_a_line_is_played_to_its_end_when_its_time_is_over(policy: Policy) -> None:
    game = Game.new(players=2, seed=4)
    hurried = Adviser(new_chance(1), policy, replace(BRIEF, line_seconds=1e-9))
    for view in some_views(game, every=9):
        state = view.sample(new_chance(9))
        *moves, last = hurried.hint(view).best.moves
        for move in moves:
            state.apply(move.decision)
        assert last in state.view(view.seat).final


def test_actions_that_were_hardly_looked_at_are_left_out() -> None:
    game = first_view("hints")
    view = game.view(game.seat)
    first, second = [move.decision for move in view.moves if move.kind == "take"][:2]
    visits = {first: (500, 0.4, 0.5), second: (29, 0.3, 0.5)}
    assert [action.first for action in _actions(view, visits)] == [first]
    visits[second] = (30, 0.3, 0.5)
    assert [action.first for action in _actions(view, visits)] == [first, second]


def test_the_second_best_never_looks_better() -> None:
    game = first_view("hints")
    view = game.view(game.seat)
    first, second = [move.decision for move in view.moves if move.kind == "take"][:2]
    lucky = {first: (500, 0.4, 0.5), second: (100, 0.5, 0.5)}
    assert [action.first for action in _actions(view, lucky)] == [first]
    close = {first: (500, 0.4, 0.5), second: (200, 0.5, 0.5)}
    assert [action.first for action in _actions(view, close)] == [second, first]


def test_where_there_is_no_choice_there_is_no_chance(policy: Policy) -> None:
    for view in some_views(Game.new(players=2, seed=2), every=1):
        if len(view.moves) == 1:
            hint = adviser(policy).hint(view)
            assert hint.best.moves[0] == view.moves[0]
            assert (hint.chance, hint.best.chance, hint.second) == (None, None, None)
            return
    raise AssertionError("no such position")


def test_only_whoever_is_to_move_gets_one(policy: Policy) -> None:
    game = Game.new(players=2, seed=2)
    assert game.seat is not None
    with pytest.raises(ValueError, match="turn"):
        adviser(policy).hint(game.view(1 - game.seat))


def test_another_deck_is_refused(policy: Policy, tmp_path: Path) -> None:
    game = Game.new(players=2, seed=2, deck=load_deck(deck_file(tmp_path, SMALL)))
    assert game.seat is not None
    with pytest.raises(ValueError, match="standard"):
        adviser(policy).hint(game.view(game.seat))


def test_hints_are_plain_data(policy: Policy) -> None:
    game = Game.new(players=2, seed=2)
    assert game.seat is not None
    hint = adviser(policy).hint(game.view(game.seat))
    assert msgspec.json.decode(msgspec.json.encode(hint), type=Hint) == hint
    assert all(fact.kind in FactKind for fact in hint.best.facts)


def test_closings_count_every_piece_on_the_board(policy: Policy) -> None:
    """A tail is taken, with which a Cóatl can be closed that needs more body segments, too."""
    game = Game.from_position(
        "2p supply=KR,BY,GG,GG,RR,KB,K,R,K,G | hand=RRR,{R} temples=noY/7 board=2R,2B coatl=<BR |"
    )
    before = game.view(0)
    assert [closing and closing.value for closing in before.best_closings()] == [None, None]
    line = [move for move in before.moves if move.text == "take t1"]
    assert line
    advice = Adviser(new_chance(1), policy, BRIEF)._advice(
        before, _Action(line[0].decision, 1, 0.5)
    )
    closing = next(fact for fact in advice.facts if fact.kind is FactKind.CLOSING)
    assert (closing.coatl, closing.points, closing.before) == (0, 12, None)
    assert (closing.becomes or "").startswith("<BR")
