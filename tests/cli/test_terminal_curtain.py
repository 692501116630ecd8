"""Two people at one machine: neither finds the other's hidden cards on the screen."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from coatl import Game
from tests.cli.terminal_driver import (
    ALONE,
    HIDE,
    MISTAKES,
    UP,
    WIPE_SCROLLBACK,
    Crowd,
    Terminal,
    prompt_of,
)

NAMES = ("Ana", "Ben")
ANA, BEN = map(prompt_of, NAMES)


def known_to(game: Game, seat: int) -> set[str]:
    """All the words that this seat may read: of the table as it sees it, and of what happened."""
    table = set(re.findall(r'"([^"]*)"', game.view(seat).to_json().decode()))
    return table | {event.card for event in game.events(seat) if event.card is not None}


def held_by_others(game: Game, seat: int) -> set[str]:
    """The cards that the others hold or have discarded unseen."""
    others = [other for other in range(game.options.players) if other != seat]
    hands = [game.view(other).data.seats[other] for other in others]
    return {name for own in hands for name in (*own.hand, *own.temples, *own.buried)}


def words(text: str) -> set[str]:
    return set(re.split(r"[\s,;:()]+", text))


class WatchedCrowd(Crowd):
    """People whose game is played along, so that it is known what each of them may see."""

    def __init__(self, terminal: Terminal, names: Sequence[str], seed: int, game: Game) -> None:
        super().__init__(terminal, names, seed)
        self.game = game
        self.curtains = 0
        self.secrets = 0  # cards that could have been given away
        self.known: set[str] = set()  # to the one who sits there, since the curtain

    def at_curtain(self, text: str) -> None:
        if re.search(ALONE, text) is None:
            return
        self.curtains += 1
        self.known = set()
        assert WIPE_SCROLLBACK in self.terminal.written[-len(text) - 50 :]
        assert re.fullmatch(rf"It is (\w+)'s turn\. \1, {ALONE.strip()}", self.terminal.visible())

    def decide(self, text: str) -> str:
        seat = self.game.seat
        assert seat is not None
        self.known |= known_to(self.game, seat)
        hidden = held_by_others(self.game, seat) - self.known
        self.secrets += len(hidden)
        assert not hidden & words(self.terminal.visible())
        moves = self.game.legal_moves()
        assert len(self.offers) == len(moves)
        for offer, move in zip(self.offers, moves, strict=True):
            assert offer.text in (None, move.text)
        line = super().decide(text)
        if line == "undo" and self.game.can_undo:
            self.game.undo()
        elif line.isdecimal() and 1 <= int(line) <= len(moves):
            self.game.play(moves[int(line) - 1])
        elif line in {move.text for move in moves}:
            self.game.play(line)
        return line


@pytest.mark.games
def test_nobody_sees_the_others_hand_in_a_whole_game() -> None:
    game = Game.new(players=2, tokens=True, seed=11)
    arguments = ("play", "--people", "Ana,Ben", "--tokens", "--seed", "11")
    with Terminal(*arguments, NO_COLOR="1") as terminal:
        crowd = WatchedCrowd(terminal, NAMES, 11, game)
        crowd.play()
        assert game.over
        assert crowd.curtains > 20
        assert crowd.secrets > 100


def test_the_curtain_hides_the_hand_and_the_scrollback() -> None:
    game = Game.new(players=2, tokens=True, seed=4)
    with Terminal("play", "--people", "Ana,Ben", "--seed", "4", rows=24) as terminal:
        terminal.read(ALONE)
        terminal.answer("", ANA)
        hand = set(game.view(0).data.seats[0].hand)
        assert hand <= words(terminal.visible())
        terminal.answer("cards", ANA)
        terminal.answer("drop RKBYG", ANA)
        terminal.answer("done", HIDE)
        game.play("drop RKBYG")
        game.play("done")
        start = len(terminal.written)
        assert terminal.answer("", ALONE).strip().startswith("It is Ben's turn.")
        assert WIPE_SCROLLBACK in terminal.written[start:]
        assert terminal.visible() == "It is Ben's turn. Ben, press Enter when you are alone."
        terminal.answer("", BEN)
        terminal.answer("log", BEN)
        terminal.answer("cards", BEN)
        hidden = held_by_others(game, 1) - known_to(game, 1)
        assert "RKBYG" in hidden
        assert not hidden & words(terminal.visible())


def test_the_lines_of_the_one_before_cannot_be_called_back() -> None:
    """What Ana typed at setup, such as a card she discarded, is her secret (R13)."""
    with Terminal("play", "--people", "Ana,Ben", "--seed", "4") as terminal:
        terminal.read(ALONE)
        terminal.answer("", ANA)
        terminal.answer("drop RKBYG", ANA)
        terminal.answer("done", HIDE)
        terminal.answer("", ALONE)
        terminal.answer("", BEN)
        terminal.press(UP + UP + UP)
        terminal.enter("xyz")
        assert "RKBYG" not in terminal.read(BEN)


def test_mistakes_are_no_moves() -> None:
    """What the driver types as a mistake is never legal, or the games would not be played along."""
    game = Game.new(players=2, seed=4)
    while not game.over:
        assert not {move.text for move in game.legal_moves()} & set(MISTAKES)
        game.play(game.legal_moves()[-1])
