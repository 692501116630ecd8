"""What the opponent plays in a lesson where no moves are given: a bot that is always the same."""

from __future__ import annotations

from coatl.game import Game
from coatl.lessons.lesson import Lesson
from coatl.players.registry import make_player
from coatl.rules.chance import new_chance


def choose_move(lesson: Lesson, game: Game) -> str:
    """The bot's move, unless the lesson wants it left to the learner.

    Its chance depends on nothing but the number of the turn, so that the same path always leads to
    the same game.
    """
    left = [move for move in game.legal_moves() if move.text not in lesson.leaves]
    moves = left or game.legal_moves()
    chosen = bot_move(lesson.opponent, game)
    return chosen if chosen in [move.text for move in moves] else moves[0].text


def bot_move(bot: str, game: Game) -> str:
    """What a bot would do for whoever is to move."""
    assert game.seat is not None
    player = make_player(bot, new_chance(f"lesson {game.turn}"))
    return player.choose(game.view(game.seat), game.legal_moves()).text
