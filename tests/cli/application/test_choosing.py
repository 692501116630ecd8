"""Moves by mouse and keys, and what is said where there is none."""

from __future__ import annotations

import pytest

from coatl.cli.application.game_screen import GameScreen
from coatl.cli.application.key_bar import KeyBar
from coatl.cli.application.things import (
    BoardPiece,
    DeckTop,
    EndButton,
    HandCard,
    HandTemple,
    Lane,
    LaneEnd,
    RowCard,
    Space,
    TemplePile,
    Thing,
    TokenThing,
    moves_with,
)
from coatl.game import Game
from coatl.moves import Side
from tests.cli.application.driver import SMALL, Player, game_after, kept_moves, new_game, run
from tests.cli.program import compiled

pytestmark = compiled
RIGHT, LEFT = Side.RIGHT, Side.LEFT
BEGUN = 18  # moves of the game of two, after which Cóatl 1 is a B


def assembling() -> GameScreen:
    return game_after(kept_moves("two_players")[:BEGUN], ["You", "bot:greedy"], players=2)


def positions() -> list[Game]:
    """A whole game of two with tokens, after each of its moves."""
    game = Game.new(players=2, tokens=True, seed="4")
    found = [game.copy()]
    for move in kept_moves("two_players"):
        game.play(move)
        found.append(game.copy())
    return found


def things_of(game: Game) -> list[Thing]:
    """All that could be pointed at."""
    view = game.view(game.seat).data
    own = view.seats[game.seat or 0]
    found: list[Thing] = [DeckTop(), EndButton(), *map(Space, view.supply)]
    found += [RowCard(place) for place, card in enumerate(view.row) if card]
    found += [*map(TokenThing, own.tokens), *(TemplePile(n) for n in range(2))]
    found += [*map(BoardPiece, own.board), *map(HandCard, own.hand), *map(HandTemple, own.temples)]
    found += [Lane(n) for n in range(-1, len(own.coatls))]
    return found


def test_every_legal_move_can_be_reached_by_pointing() -> None:
    for game in positions():
        things = things_of(game)
        for move in game.legal_moves():
            assert [thing for thing in things if thing.is_in(move)], move


def test_no_thing_belongs_to_all_moves() -> None:
    """Or choosing it would leave everything open."""
    game = positions()[40]
    for thing in things_of(game):
        assert len(moves_with([thing], game.legal_moves())) < len(game.legal_moves())


def test_a_click_takes_a_space() -> None:
    async def script(player: Player) -> None:
        await player.press("e")
        await player.click(Space("b3"))
        assert player.game.moves_made[1:3] != ()
        assert player.table.own_seat.board == ("R", "R")
        assert "greedy" in player.message

    run(script, new_game())


def test_arrows_and_enter_take_a_space() -> None:
    async def script(player: Player) -> None:
        await player.press("e", "right")
        assert player.app.focused is player.widget(Space("b1"))
        await player.press("right", "down")
        assert player.app.focused is player.widget(Space("h2"))
        await player.press("up", "left", "right", "enter")
        assert player.table.own_seat.board == ("R", "B")

    run(script, new_game())


def test_tab_goes_from_area_to_area_and_to_the_list() -> None:
    async def script(player: Player) -> None:
        await player.press("e", "tab")
        assert player.app.focused is player.widget(Space("b1"))
        await player.press("tab")
        assert player.app.focused is player.widget(Space("h1"))
        await player.press("shift+tab", "shift+tab")
        assert player.app.focused is player.table.query_one("#moves")
        await player.press("home", "down", "enter")  # the second of the list
        assert player.table.own_seat.board == ("R", "B")

    run(script, new_game())


def test_a_piece_and_then_its_place() -> None:
    async def script(player: Player) -> None:
        await player.click(BoardPiece("Y"))
        assert player.widget(BoardPiece("Y")).has_class("chosen")
        assert player.widget(LaneEnd(0, RIGHT)).has_class("legal")
        assert not player.widget(BoardPiece("<B")).has_class("legal")
        await player.click(LaneEnd(0, LEFT))
        assert player.table.own_seat.coatls[0].pieces == "YB"
        await player.press("u")
        assert player.table.own_seat.coatls[0].pieces == "B"

    run(script, assembling())


def test_escape_lets_go_and_another_thing_takes_its_place() -> None:
    async def script(player: Player) -> None:
        await player.click(BoardPiece("Y"))
        await player.press("escape")
        assert player.table.chosen == []
        await player.click(BoardPiece("Y"))
        await player.click(BoardPiece("R"))
        assert player.table.chosen == [BoardPiece("R")]

    run(script, assembling())


def test_what_is_not_allowed_says_why_in_the_words_of_the_game() -> None:
    async def script(player: Player) -> None:
        await player.press("e")
        await player.click(Space("b3"))
        await player.click(Space("b3"))
        reason = player.game.why("take b3")
        assert reason is not None
        assert reason.text in player.message
        assert reason.clause in player.message
        await player.point(HandCard(player.table.own_seat.hand[0]))
        await player.press("w")
        assert "is not allowed" in player.message

    run(script, new_game())


def test_a_head_does_not_go_to_the_right() -> None:
    async def script(player: Player) -> None:
        await player.click(BoardPiece("Y"))
        await player.press("escape")
        player.table.chosen = [BoardPiece("<B")]
        await player.click(LaneEnd(0, RIGHT))
        reason = player.game.why("1+<B")
        assert reason is not None
        assert reason.text in player.message

    run(script, assembling())


def test_a_card_explains_itself_when_the_focus_is_on_it() -> None:
    async def script(player: Player) -> None:
        await player.point(RowCard(0))
        assert "Three red in a row" in player.message

    run(script, new_game(bots="greedy,greedy"))


def test_a_move_can_be_typed() -> None:
    async def script(player: Player) -> None:
        await player.press("e", "colon")
        await player.type("take b3")
        assert player.table.own_seat.board == ("R", "R")
        await player.press("colon")
        await player.type("take b9")
        assert "take names a space" in player.message
        await player.press("escape", "w")
        await player.type("take b3")
        assert "not allowed" in player.message

    run(script, new_game())


@pytest.mark.parametrize("key", ["c", "r", "l", "question_mark"])
def test_screens_to_read_open_and_close(key: str) -> None:
    shown = {
        "c": "The cards in words",
        "r": "The rules of Cóatl",
        "l": "greedy",
        "question_mark": "Escape",
    }

    async def script(player: Player) -> None:
        table = player.screen
        await player.press(key)
        assert shown[key] in player.text
        await player.press("escape")
        assert player.screen is table

    run(script, new_game())


def test_a_long_message_is_seen_to_its_end() -> None:
    async def script(player: Player) -> None:
        player.table.say("what a strong player would do " * 12 + "end.")
        await player.settle()
        assert " end." in player.text
        player.table.say("short")
        await player.settle()
        assert player.table.query_one("#message").size.height == 2

    run(script, new_game(), SMALL)


def test_keys_can_be_clicked() -> None:
    async def script(player: Player) -> None:
        bar = player.screen.query_one(KeyBar)
        await player.pilot.click(bar, offset=(str(bar.visual).index("Undo") + 1, 0))
        await player.settle()
        assert "Nothing can be taken back" in player.message

    run(script, new_game())


def test_it_follows_the_size_of_the_terminal() -> None:
    async def script(player: Player) -> None:
        assert "LOG" in player.text
        await player.resize(80, 24)
        assert "LOG" not in player.text
        assert "You 0 · greedy 0" in player.text
        await player.resize(120, 40)
        assert "LOG" in player.text

    run(script, new_game())
