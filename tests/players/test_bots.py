"""Every bot of the registry: fair, legal in every mode, fixed by its seed, described."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest

from coatl.compiler.functions import DISABLED
from coatl.game import Game
from coatl.moves import Move
from coatl.options import Options
from coatl.players import ladder, make_player, player_names
from coatl.players.bots import BOTS, LADDER, LANGUAGES, YARDSTICK
from coatl.players.planner import SOLO_WEIGHTS, WEIGHTS, PlannerPlayer
from coatl.players.registry import (
    UnknownPlayer,
    default_bot,
    find_player,
    needs_weights,
    stand_in_note,
)
from coatl.rules.cards import standard_deck
from coatl.rules.chance import Chances, new_chance
from coatl.simulate import play_game, play_out
from coatl.view import View
from tests.game.truth import replace_truth

QUICK = {"montecarlo": "montecarlo:20", "priest": "priest:8", "high-priest": "high-priest:8"}
NAMES = [QUICK.get(name, name) for name in player_names()]
MODES = [
    Options(2, True, promo=True),
    Options(3, True, fewer_bodies=True),
    Options(4, False),
    Options(1, False, solo=()),
    Options(1, False, promo=True, solo=(1, 2, 3, 4, 5)),
]
compiled_only = pytest.mark.skipif(DISABLED, reason="too slow in plain Python")


@compiled_only
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", MODES, ids=str)
def test_bots_are_fixed_by_their_seed_and_blind_to_hidden_cards(
    name: str, options: Options
) -> None:
    """The same view and the same generator give the same choice, whatever the truth is."""
    game, other = (Game.new(**_new(options), seed="blind") for _ in range(2))
    driver = make_player("random", new_chance("driver"))
    for step in range(40):
        if game.seat is None:
            break
        view = game.view(game.seat)
        if step % 3 == 0:
            replace_truth(other, view.sample(new_chance(step)).records)
            choices = [
                make_player(name, new_chance("g", stream=step)).choose(seen, seen.moves)
                for seen in (view, other.view(game.seat))
            ]
            assert choices[0].text == choices[1].text
            assert choices[0] in view.moves
        game.play(driver.choose(view, view.moves))


def _new(options: Options) -> dict[str, Any]:
    wish: dict[str, Any] = {"promo": options.promo, "fewer_bodies": options.fewer_bodies}
    if options.solo is not None:
        return wish | {"solo": options.solo}
    return wish | {"players": options.players, "tokens": options.tokens}


@compiled_only
@pytest.mark.games
@pytest.mark.parametrize("name", ["planner", "montecarlo:20"])
@pytest.mark.parametrize("options", MODES, ids=str)
def test_whole_games_in_every_mode(name: str, options: Options) -> None:
    first = play_game(options, [name] * options.players, "modes", 0)
    assert first.turns > 10
    if name == "planner":
        assert first == play_game(options, [name] * options.players, "modes", 0)


@compiled_only
@pytest.mark.games
@pytest.mark.parametrize(("players", "matters"), [(1, True), (2, False)])
def test_the_planner_has_weights_of_its_own_for_solo(players: int, matters: bool) -> None:
    options = Options(1, False, solo=()) if players == 1 else Options(2)
    results = []
    for solo in (SOLO_WEIGHTS, WEIGHTS):
        game = Game(options, standard_deck(), new_chance("solo"), "solo")
        seats = [PlannerPlayer(new_chance(seat), solo_weights=solo) for seat in range(players)]
        results.append(play_out(game, seats))
    assert (results[0] != results[1]) == matters


@compiled_only
@pytest.mark.games
def test_the_planner_beats_the_greedy_one() -> None:
    won = 0
    for game in range(24):
        names = ["planner", "greedy"] if game % 2 == 0 else ["greedy", "planner"]
        won += play_game(Options(2), names, "planner", game // 2).winners == (game % 2,)
    assert won >= 15


def test_everything_is_described_in_three_languages() -> None:
    assert [bot.name for bot in BOTS] == list(player_names())
    for bot in BOTS:
        assert tuple(bot.title) == tuple(bot.text) == LANGUAGES
        assert bot.kind in (LADDER, YARDSTICK)
        assert all(text.endswith(".") and len(text) < 90 for text in bot.text.values())


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("greedy:3", "greedy takes no number"),
        ("montecarlo:0", "montecarlo:0: a number from 1 to 1000000"),
        ("montecarlo:many", "No module named 'montecarlo'"),
        ("greedy:3s", "greedy takes no clock"),
        ("priest:0s", "priest:0s: more than 0 and up to 600 seconds"),
        ("priest:601.5s", "priest:601.5s: more than 0 and up to 600 seconds"),
        ("priest:-1s", "No module named 'priest'"),
    ],
)
def test_a_number_is_for_those_who_take_one(name: str, reason: str) -> None:
    with pytest.raises(UnknownPlayer, match=reason):
        find_player(name)


def test_a_number_of_playouts() -> None:
    assert find_player("montecarlo:50").playouts == 50  # type: ignore[attr-defined]
    assert find_player("montecarlo").playouts == 200  # type: ignore[attr-defined]
    assert find_player("priest:70").simulations == 70  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["priest:0.25s", "high-priest:0.25s"])
def test_a_clock_instead_of_a_number(name: str) -> None:
    player: Any = make_player(name, new_chance(1))
    plan = player._player.plan
    assert (plan.seconds, plan.simulations) == (0.25, ladder.MOST_SIMULATIONS)
    unhurried: Any = make_player(name.partition(":")[0], new_chance(1))
    assert unhurried._player.plan.seconds == 0.0


# ---------------------------------------------------------------- the ladder


class Taught:
    """What a network that was found would play."""

    def __init__(self, chances: Chances, policy: object = None, strength: object = None) -> None:
        self.strength = strength

    def choose(self, view: View, moves: Sequence[Move]) -> Move:
        return moves[-1]


def use_network(monkeypatch: pytest.MonkeyPatch, problem: str | None) -> None:
    """A module in the place of `coatl.players.network`, with weights or without."""
    network: Any = ModuleType("coatl.players.network")

    class WeightsError(ValueError):
        pass

    def load_policy(path: object = None) -> None:
        if problem is not None:
            raise WeightsError(problem)

    network.WeightsError, network.load_policy = WeightsError, load_policy
    network.NetworkPlayer, network.NOVICE, network.APPRENTICE = Taught, "novice", "apprentice"
    monkeypatch.setitem(sys.modules, "coatl.players.network", network)


def test_without_weights_the_planner_stands_in_and_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_network(monkeypatch, "the weights file x.npz is damaged\n(its arrays do not fit)")
    note = stand_in_note(["greedy", "artisan", "priest:9", "artisan"])
    assert note == (
        "planner stands in for artisan, priest:9: "
        "the weights file x.npz is damaged (its arrays do not fit)"
    )
    assert default_bot() == "planner"
    for name in ("novice", "apprentice", "artisan", "priest", "high-priest"):
        player: Any = make_player(name, new_chance(1))
        assert needs_weights(name)
        assert player.stand_in
        assert isinstance(player._player, PlannerPlayer)


def test_without_the_network_itself_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "_NETWORK", "coatl.players.no_such_network")
    assert stand_in_note(["novice"]) == "planner stands in for novice: this version has no network"


def test_with_weights_the_network_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    use_network(monkeypatch, None)
    assert stand_in_note(player_names()) is None
    assert default_bot() == "apprentice"
    strengths = {"novice": "novice", "apprentice": "apprentice", "artisan": None}
    for name, strength in strengths.items():
        player: Any = make_player(name, new_chance(1))
        assert not player.stand_in
        assert player._player.strength == strength


def test_nobody_waits_for_weights_that_are_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    use_network(monkeypatch, "missing")
    assert stand_in_note(["planner", "greedy", "tests.players.test_players:FirstMove"]) is None
