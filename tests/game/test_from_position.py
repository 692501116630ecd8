"""Games that begin from a position: they play on, take back, and have a record (format 2)."""

from __future__ import annotations

import pytest

from coatl import Game, NotationError, PositionError, RecordError
from coatl.options import OptionsError
from tests.game.games import MODES, new_game, play_on
from tests.play import Mode

POSITION = "2p tokens seat=2 turn=7 | board=K hand=YG coatl=<KRR | board=<B,2R hand={R},RB"


@pytest.mark.parametrize("mode", MODES[::5], ids=str)
def test_a_game_goes_on_from_any_position_of_a_game(mode: Mode) -> None:
    """With the options of the position, to the end, and replayed from its record."""
    first = new_game(mode, 7)
    for _ in range(25):
        first.play(first.legal_moves()[-1])
    game = Game.from_position(first.position, seed=3)
    assert (game.options, game.position) == (first.options, first.position)
    assert game.legal_moves() == first.legal_moves()
    play_on(game, 2, undo=0.1)
    assert game.over
    again = Game.replay(game.record())
    assert again.digest == game.digest
    assert again.record() == game.record()


def test_a_seed_fixes_what_is_drawn() -> None:
    one, two, other = (Game.from_position(POSITION, seed=seed) for seed in (1, 1, 2))
    for game in (one, two, other):
        game.play("draw")
    assert one.position == two.position
    assert play_on(one, 1).digest == play_on(two, 1).digest
    assert play_on(other, 1).digest != one.digest


def test_the_record_has_the_position_and_no_setup() -> None:
    game = Game.from_position(POSITION, seed=1)
    game.play("new <B")
    lines = game.record().splitlines()
    assert lines[0] == "Coatl record 2"
    assert lines[1:3] == ["Players: 2", "Options: tokens"]
    assert lines[3] == f"Position: {Game.from_position(POSITION).position}"
    assert lines[4].startswith("Commitment: ")
    assert lines[5] == "7.1 new <B"
    game.undo()
    assert Game.replay(game.record(reveal_seed=True)).record() == game.record()


def test_a_record_in_which_nothing_was_decided() -> None:
    game = Game.from_position(POSITION, seed=1)
    assert Game.replay(game.record()).digest == game.digest


def test_an_unfinished_record_replays_from_its_draws() -> None:
    game = Game.from_position(POSITION, seed=1)
    for move in ("draw", "done", "take b1"):
        game.play(move)
    assert "\nSeed:" not in game.record()
    again = Game.replay(game.record())
    assert again.digest == game.digest
    with pytest.raises(ValueError, match="cannot go on"):
        again.play(again.legal_moves()[0])


def test_a_game_from_the_setup_keeps_format_1() -> None:
    """What 0.1 could read it can still read."""
    assert Game.new(seed=1).record().startswith("Coatl record 1\n")


# ---------------------------------------------------------------- draws that are given


def test_draws_come_as_they_are_given() -> None:
    game = Game.from_position("2p supply=-,-,-,KK,-,-,B,Y,G,K", seed=1, draws="Y Y G G R R B B")
    game.play("take b4")
    supply = game.view().data.supply
    assert [supply[f"b{n}"] for n in range(1, 5)] == ["YY", "GG", "RR", "BB"]
    card = Game.from_position("2p", seed=1, draws=["RB"])
    card.play("draw")
    assert card.view(0).data.seats[0].hand == ("RB",)


def test_draws_are_in_the_record() -> None:
    game = Game.from_position("2p", seed=1, draws="RB YG")
    for move in ("draw", "draw", "draw", "done"):
        game.play(move)
    record = game.record(reveal_seed=True)
    assert "\nDraws: RB YG\n" in record
    assert Game.replay(record).digest == game.digest
    assert play_on(Game.replay(record), 3).digest == play_on(game, 3).digest


def test_a_draw_that_cannot_be_is_left_to_chance() -> None:
    game = Game.from_position("2p | hand=KKK |", seed=1, draws="KKK")  # there is one such card
    game.play("draw")
    assert game.view(0).data.seats[0].hand_size == 2


@pytest.mark.parametrize("draw", ["K", "K>"])
def test_a_piece_is_not_drawn_from_another_bag(draw: str) -> None:
    """The refill begins with a head; a body segment or a tail cannot be drawn for it."""
    game = Game.from_position("2p supply=KR,BY,KG,RB,YG,KR,-,-,-,K", seed=1, draws=draw)
    game.play("take t2")
    assert game.view().data.supply["h1"] in set("KRBYG")
    assert Game.from_position(game.position).position == game.position


@pytest.mark.parametrize("draws", ["RB XX", ["RB YG"], " ".join(["K"] * 600)])
def test_draws_that_cannot_be_read(draws: str | list[str]) -> None:
    with pytest.raises(NotationError):
        Game.from_position("2p", draws=draws)


# ---------------------------------------------------------------- wrong input


def test_positions_that_are_none() -> None:
    with pytest.raises(NotationError, match="seets"):
        Game.from_position("2p seets=2")
    with pytest.raises(PositionError) as refused:
        Game.from_position("2p | board=4<K |")
    assert refused.value.clauses == ("C2",)
    with pytest.raises(OptionsError):
        Game.from_position("2p", seed=" two ")


RECORD = Game.from_position(POSITION, seed=1, draws="RB").record(reveal_seed=True)


@pytest.mark.parametrize(
    ("change", "line", "reason"),
    [
        (("record 2", "record 1"), 4, "a Position needs format 2"),
        (("Position: 2p tokens", "Position: 2p"), 4, "the position has other options"),
        (("seat=2", "seat=3"), 4, ""),
        (("Position: ", "Position: nonsense "), 4, ""),
        (("Draws: RB", "Draws: XX"), 5, "nothing that can be drawn is called 'XX'"),
        (("Seed: 1", "Seed: 2"), 7, "the commitment is not that of the seed"),
    ],
)
def test_a_changed_record_is_refused(change: tuple[str, str], line: int, reason: str) -> None:
    text = RECORD.replace(*change)
    assert text != RECORD
    with pytest.raises(RecordError) as refused:
        Game.replay(text)
    assert refused.value.line == line
    assert reason in refused.value.reason


def test_draws_without_a_position_are_refused() -> None:
    text = Game.new(seed=1).record().replace("Players: 2", "Players: 2\nDraws: RB")
    with pytest.raises(RecordError, match="Draws belong to a Position"):
        Game.replay(text)
