"""A game is a value: it can be copied, pickled and shown, and makes nothing before it is asked."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import coatl.game.observer
from coatl import Game, Move
from coatl.view import View
from tests.game.decks import SMALL, deck_file
from tests.game.games import MODES, any_move, at_position, new_game, play_on
from tests.play import Mode

Copier = Callable[[Game], Game]
COPIERS: dict[str, Copier] = {
    "copy": Game.copy,
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
}


def some_moves(game: Game, n: int) -> Game:
    chooser = Random(8)
    for _ in range(n):
        if not game.over:
            game.play(any_move(game, chooser))
    return game


@pytest.mark.parametrize("make", COPIERS.values(), ids=COPIERS)
@pytest.mark.parametrize("mode", [MODES[0], MODES[-1]], ids=str)
def test_a_copy_has_the_same_past_and_the_same_future(make: Copier, mode: Mode) -> None:
    game = some_moves(new_game(mode, 5), 30)
    game.seats = [f"Player {seat}" for seat in range(mode.players)]
    twin = make(game)
    assert twin.record(reveal_seed=True) == game.record(reveal_seed=True)
    assert twin.all_events() == game.all_events()
    assert twin.legal_moves() == game.legal_moves()
    assert play_on(twin, 9).record() == play_on(game, 9).record()


@pytest.mark.parametrize("make", COPIERS.values(), ids=COPIERS)
def test_a_copy_is_independent(make: Copier) -> None:
    game = some_moves(Game.new(players=2, seed=5), 20)
    record, events = game.record(), game.all_events()
    twin = make(game)
    play_on(twin, 9, undo=0.2)
    twin.seats = ["Ana", "Ben"]
    assert (game.record(), game.all_events(), game.seats) == (record, events, ())
    last = twin.record()
    play_on(game, 4)
    assert twin.record() == last


@pytest.mark.parametrize("make", COPIERS.values(), ids=COPIERS)
def test_a_copy_can_take_back_what_the_game_could(make: Copier) -> None:
    game = at_position("2p | board=2K,R |")
    game.play("new K")
    game.play("1+R")
    twin = make(game)
    twin.undo()
    assert game.can_undo
    assert twin.legal_moves() != game.legal_moves()
    game.undo()
    assert twin.record(reveal_seed=True) == game.record(reveal_seed=True)


def test_a_game_with_a_deck_of_ones_own_can_be_pickled(tmp_path: Path) -> None:
    game = some_moves(Game.new(players=2, deck=deck_file(tmp_path, SMALL), seed=5), 12)
    twin = pickle.loads(pickle.dumps(game))
    assert twin.deck.digest == game.deck.digest
    assert play_on(twin, 3).digest == play_on(game, 3).digest


def test_the_standard_deck_stays_the_one_and_only() -> None:
    game = pickle.loads(pickle.dumps(Game.new(seed=5)))
    assert "\nDeck: " not in game.record()


# ---------------------------------------------------------------- shown


def test_repr_is_one_line() -> None:
    assert repr(Game.new(players=3, seed=1)) == ("<Game: 3 players, turn 0, seat 0 to move, setup>")
    assert repr(play_on(Game.new(solo=[], seed=1), 1)).startswith("<Game: solo, turn ")
    assert repr(play_on(Game.new(solo=[], seed=1), 1)).endswith(", over>")


def test_str_is_the_board_of_the_terminal_without_secrets() -> None:
    game = at_position("2p row=YG,RK,YB,GB,KG,YK | hand=KKK board=<K,2R | hand=RRR coatl=<BB")
    text = str(game)
    assert text.startswith("Turn 1: Seat 0 =")
    assert "<BB" in text.replace(" ", "")
    assert "KKK" not in text
    assert "RRR" not in text
    assert max(len(line) for line in text.splitlines()) <= 80


def test_str_names_those_who_sit_there() -> None:
    game = Game.new(players=2, seed=1)
    game.seats = ["Ana", "bot:greedy"]
    assert str(game).startswith("Setup: Ana =")


# ---------------------------------------------------------------- nothing before it is asked for


def test_events_are_made_when_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    made = coatl.game.observer.Observer.made

    def noted(observer: object, before: object, move: Move) -> object:
        told.append(move.text)
        return made(observer, before, move)  # type: ignore[arg-type]

    monkeypatch.setattr(coatl.game.observer.Observer, "made", noted)
    game = Game.new(players=2, seed=3)
    happened = [game.play(game.legal_moves()[-1]) for _ in range(4)]
    assert told == []
    assert len(happened[2]) > 0
    assert told == list(game.moves_made)
    game.play(game.legal_moves()[0])
    assert game.event_count > 0
    assert told == list(game.moves_made)  # each is told once


@pytest.mark.parametrize("players", [1, 2, 4])
def test_events_are_the_same_whether_one_asks_after_each_decision_or_late(players: int) -> None:
    """After each decision two states are compared; later the decisions are carried out again."""
    options = {"solo": [1, 5]} if players == 1 else {"players": players}
    soon, late = (Game.new(seed=8, **options) for _ in range(2))
    chooser = Random(5)
    while not soon.over:
        move = chooser.choice(soon.legal_moves())
        soon.play(move)
        assert soon.event_count > 0
        late.play(move)
    assert soon.all_events() == late.all_events()


def test_what_play_returns_stays_what_it_was() -> None:
    """Looked at late, after more moves and after an undo, it is still about its own move."""
    game, early = Game.new(players=2, seed=3), Game.new(players=2, seed=3)
    kept = []
    for text in ("drop", "done", "drop", "done"):
        move = next(move for move in game.legal_moves() if move.text.startswith(text))
        kept.append((game.play(move), list(early.play(move))))
    game.play(next(move for move in game.legal_moves() if move.text.startswith("pick")))
    game.undo()
    assert [list(late) for late, _ in kept] == [soon for _, soon in kept]
    assert kept[0][0] == kept[0][1]
    assert kept[0][0] + kept[1][0] == kept[0][1] + kept[1][1]
    assert [] + kept[0][0] == kept[0][1]


def test_a_snapshot_is_read_when_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(view: View) -> object:
        raise AssertionError("nobody asked")

    monkeypatch.setattr(View, "_content", property(refuse))
    monkeypatch.setattr(Game, "_snapshot", property(refuse))
    game = Game.new(players=2, seed=3)
    for _ in range(20):
        game.play(game.legal_moves()[-1])
        game.view(0)


# ---------------------------------------------------------------- moves of other positions


def test_a_move_of_another_position_means_its_text() -> None:
    """Its number is of another place of the row: the card counts."""
    one = at_position("2p row=YG,RK,YB,GB,KG,YK")
    two = at_position("2p row=RK,YG,YB,GB,KG,YK")
    kept = one.move("pick YG")
    assert two.move("pick YG") != kept
    two.play(kept)
    assert two.view(0).data.seats[0].hand == ("YG",)
    assert two.last_move == "pick YG"


def test_equal_moves_are_one_value() -> None:
    game, other = Game.new(seed=1), Game.new(seed=1)
    for mine, theirs in zip(game.legal_moves(), other.legal_moves(), strict=True):
        assert mine == theirs == Move(theirs.text, theirs.decision) == eval(repr(theirs))
        assert hash(mine) == hash(theirs)
