"""Whole games by keys, several people, hints, saving, and the way out."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from textual.widgets import OptionList

from coatl.cli.application.dialogs import Curtain, Reading
from coatl.cli.application.game_screen import GameScreen
from coatl.cli.application.home import Home
from coatl.cli.application.replay_screen import ReplayScreen
from coatl.cli.application.things import Space
from coatl.cli.play import load_game
from coatl.cli.play_request import PlayRequest
from coatl.game import Game
from coatl.hints import Advice, Hint
from coatl.moves import Move
from coatl.view import View
from tests.cli.application.driver import Player, kept_moves, new_game, run
from tests.cli.program import compiled

pytestmark = [compiled, pytest.mark.slow]
EAGERNESS = {"fulfil": 9.0, "temple": 8.0, "add": 6.0, "begin": 4.0, "take": 5.0, "pick": 4.0}
MOST_MOVES = 400


def choose(moves: list[Move], chooser: Random) -> int:
    """The place of a move in the list; laying and taking bring a game to its end."""
    worth = [EAGERNESS.get(move.kind, 1.0) * chooser.random() for move in moves]
    return worth.index(max(worth))


@pytest.mark.games
def test_a_whole_game_by_keys() -> None:
    """Each move from the list with the arrow keys; at the end the score sheet and the replay."""
    chooser = Random(5)

    async def script(player: Player) -> None:
        table = player.table
        for _ in range(MOST_MOVES):
            if table.game.over:
                break
            at = choose(list(table.moves), chooser)
            if player.app.focused is not table.query_one("#moves", OptionList):
                await player.press("shift+tab")
            after = len(table.moves) - 1 - at
            way = ["home", *["down"] * at] if at <= after else ["end", *["up"] * after]
            await player.press(*way, "enter")
        assert table.game.over
        assert isinstance(player.screen, Reading)
        assert "Score sheet" in player.text
        points = table.game.outcome().points
        assert all(f": {n} point" in player.text for n in points)
        await player.press("p")
        assert isinstance(player.screen, ReplayScreen)
        await player.press("end")
        assert player.table.view.seats[0].points == points[0]

    run(script, new_game(tokens=False))


# ---------------------------------------------------------------- several people


def test_between_two_people_nothing_of_the_table_shows() -> None:
    async def script(player: Player) -> None:
        assert isinstance(player.screen, Curtain)
        assert "Ana, press Enter when you are alone." in player.text
        assert "b1" not in player.text
        await player.press("enter")
        assert player.table.view.seat == 0
        await player.press("h")
        assert "without hints" in player.message  # which they have to agree on
        hand = player.table.own_seat.hand
        assert all(card in player.text for card in hand)
        await player.press("e")
        assert isinstance(player.screen, Curtain)
        assert not [card for card in hand if card in player.text]
        assert "It is Ben's turn" in player.text
        below = player.app.screen_stack[-2]
        assert isinstance(below, GameScreen)
        assert below.own is None  # should the curtain be torn
        await player.press("enter")
        assert player.table.view.seat == 1

    run(script, new_game(people="Ana,Ben", bots=None))


# ---------------------------------------------------------------- undo and hints


def test_undo_ends_where_a_secret_came_out() -> None:
    async def script(player: Player) -> None:
        await player.press("u")
        assert "Nothing can be taken back" in player.message
        player.table.query_one("#moves", OptionList).focus()
        await player.press("home", "enter")
        assert player.table.own_seat.hand_size == 2
        await player.press("u")
        assert player.table.own_seat.hand_size == 3

    run(script, new_game())


class SlyAdviser:
    """Would always take the same."""

    def hint(self, view: View) -> Hint:
        move = next(move for move in view.moves if move.text == "take b3")
        return Hint(0, Advice((move,), chance=0.6), chance=0.5)


def test_a_hint_is_said_and_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coatl.hints.Adviser", SlyAdviser, raising=False)

    async def script(player: Player) -> None:
        await player.press("e", "h")
        assert player.message == "Hint: take b3. Chance of winning: 50 % now, 60 % then."
        assert player.widget(Space("b3")).has_class("hinted")
        assert not player.widget(Space("b2")).has_class("hinted")

    run(script, new_game())


# ---------------------------------------------------------------- bots that fail


class Raises:
    """A bot of somebody else."""

    def choose(self, view: View, moves: object) -> Move:
        raise RuntimeError("[/oops]")


def test_a_bot_that_fails_is_replaced() -> None:
    screen = new_game()
    screen._seats[1].bot = Raises()

    async def script(player: Player) -> None:
        await player.press("e")
        assert player.table.moves
        assert player.game.turn == 1

    run(script, screen)


# ---------------------------------------------------------------- saving and leaving


def test_a_saved_game_goes_on(tmp_path: Path) -> None:
    async def script(player: Player) -> None:
        await player.press("e", "s")
        await player.type("evening.coatl")
        assert "coatl play --terminal --load evening.coatl" in player.message
        await player.press("s")
        await player.type("no/such/folder")
        assert "cannot be written" in player.message

    run(script, new_game())
    game = load_game(PlayRequest(load=tmp_path / "evening.coatl"))
    assert game.turn == 1
    assert game.seats == ("You", "bot:greedy")


@pytest.mark.parametrize("key", ["m", "ctrl+q"])
def test_nobody_leaves_a_game_without_being_asked(key: str, tmp_path: Path) -> None:
    async def script(player: Player) -> None:
        table = player.screen
        await player.press("e", key)
        assert "Save the game to a file?" in player.text
        await player.press("escape")
        assert player.screen is table
        await player.press(key)
        await player.type("kept")
        assert (tmp_path / "kept").exists()
        assert player.app._exit if key == "ctrl+q" else isinstance(player.screen, Home)

    run(script, new_game())


# ---------------------------------------------------------------- replay


def test_a_replay_goes_by_steps_and_turns() -> None:
    game = Game.new(players=2, tokens=True, seed="4")
    for move in kept_moves("two_players")[:20]:
        game.play(move)
    screen = ReplayScreen(game.record(reveal_seed=True))

    async def script(player: Player) -> None:
        player.app.push_screen(screen)
        await player.settle()
        assert "the deal" in player.text
        await player.press("right")
        assert "1 of 20" in player.text
        await player.press("end")
        assert screen.view.seats == tuple(game.view(seat).data.seats[seat] for seat in (0, 1))
        turn = screen.view.turn
        await player.press("up", "up")
        assert screen.view.turn == turn - 1
        await player.press("down")
        assert screen.view.turn == turn
        before = screen.own
        await player.press("p")
        assert screen.own == 1 - before
        await player.press("u")
        assert "recorded game" in player.message
        await player.press("m")
        assert isinstance(player.screen, Home)

    run(script)
