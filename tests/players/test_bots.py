"""Every bot of the registry: fair, legal in every mode, fixed by its seed, described."""

from __future__ import annotations

from typing import Any

import pytest

from coatl.compiler.functions import DISABLED
from coatl.game import Game
from coatl.options import Options
from coatl.players import make_player, player_names
from coatl.players.bots import BOTS, LADDER, LANGUAGES, YARDSTICK
from coatl.players.planner import SOLO_WEIGHTS, WEIGHTS, PlannerPlayer
from coatl.players.registry import UnknownPlayer, find_player
from coatl.rules.cards import standard_deck
from coatl.rules.chance import new_chance
from coatl.simulate import play_game, play_out
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
    arguments: dict[str, Any] = {"promo": options.promo, "fewer_bodies": options.fewer_bodies}
    if options.solo is not None:
        return arguments | {"solo": options.solo}
    return arguments | {"players": options.players, "tokens": options.tokens}


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
    for game in range(16):
        names = ["planner", "greedy"] if game % 2 == 0 else ["greedy", "planner"]
        won += play_game(Options(2), names, "planner", game // 2).winners == (game % 2,)
    assert won >= 10


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
        ("greedy@first.npz", "greedy takes no weights"),
        ("artisan@none.npz", r"artisan@none.npz: there is no weights file .*none\.npz"),
        ("nobody@none.npz", "no player is called 'nobody@none.npz'"),
    ],
)
def test_a_number_is_for_those_who_take_one(name: str, reason: str) -> None:
    with pytest.raises(UnknownPlayer, match=reason):
        find_player(name)


def test_a_number_of_playouts() -> None:
    assert find_player("montecarlo:50").playouts == 50  # type: ignore[attr-defined]
    assert find_player("montecarlo").playouts == 200  # type: ignore[attr-defined]
