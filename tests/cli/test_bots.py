"""`coatl bots` lists every bot, the opponents by their strength."""

from __future__ import annotations

from coatl.net.weights import ENVIRONMENT
from coatl.players.bots import BOTS, LADDER
from tests.cli import program

pytestmark = program.compiled


def test_every_bot_is_listed_with_strength_and_sentence() -> None:
    text = program.flowing(program.output("bots"))
    for bot in BOTS:
        assert f"{bot.name} {bot.strength or '-'} {bot.text['en']}" in text
    assert "stands in" not in text


def test_opponents_are_listed_from_the_weakest() -> None:
    lines = program.output("bots").splitlines()
    ladder = {bot.name: bot.strength for bot in BOTS if bot.kind == LADDER}
    listed = [line.split()[0] for line in lines if line.split() and line.split()[0] in ladder]
    assert listed == sorted(ladder, key=lambda name: ladder[name] or 0)


def test_a_stand_in_is_told() -> None:
    text = program.flowing(program.run("bots", env={ENVIRONMENT: "nowhere.npz"}).out)
    assert "planner stands in for novice, apprentice, artisan, priest, high-priest" in text
