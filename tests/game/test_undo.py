"""Undo: as far as the last revealed secret or the end of the turn; never an erasure."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from coatl import Game, IllegalMove
from coatl.events import Event, EventKind
from tests.game.games import MODES, any_move, at_position, bytes_of, new_game, play_on
from tests.game.shorthand import place_text
from tests.play import Mode


def ends_undo(events: Sequence[Event], seat: int, after: int | None) -> bool:
    """Did something come out that nobody can put back, or did the turn (or choice) end?"""
    return seat != after or any(
        event.kind in ("turn", "over")
        or place_text(event.source) == "deck"
        or (place_text(event.source) == "bag" and event.seat is None)
        or (event.kind == "temple" and event.source == event.target)
        for event in events
    )


@pytest.mark.games
@pytest.mark.parametrize("mode", MODES, ids=str)
def test_undo_restores_the_exact_bytes_wherever_it_is_allowed(mode: Mode) -> None:
    """And it is allowed exactly when no secret came out and the turn goes on."""
    game, chooser = new_game(mode, 6), Random(6)
    before: list[bytes] = []
    while not game.over:
        before.append(bytes_of(game))
        seat = game.seat
        assert seat is not None
        if ends_undo(game.play(any_move(game, chooser)), seat, game.seat):
            before.clear()
        assert game.can_undo == bool(before)
        if before and chooser.random() < 0.3:
            take_back(game, before, chooser.randint(1, len(before)))


def take_back(game: Game, before: list[bytes], steps: int) -> None:
    for _ in range(steps):
        game.undo()
        assert bytes_of(game) == before.pop()
        assert game.can_undo == bool(before)


@pytest.mark.games
@pytest.mark.parametrize("mode", MODES[::2], ids=str)
def test_a_decision_taken_back_and_made_again_changes_nothing(mode: Mode) -> None:
    """No chance is used up: the game goes on to the same end."""
    game, other, chooser = new_game(mode, 8), new_game(mode, 8), Random(8)
    while not game.over:
        move = any_move(game, chooser)
        events = game.play(move)
        assert other.play(move) == events
        if other.can_undo:
            other.undo()
            assert other.legal_moves() == tuple(other.move(m.text) for m in other.legal_moves())
            assert other.play(move) == events
    assert game.position == other.position
    assert game.outcome() == other.outcome()


# ---------------------------------------------------------------- how far

ROW = "row=YG,RK,YB,GB,KG,YK"
LEVELLED = "board=K> hand={K} coatl=<KKK"

TAKEN_BACK = [
    ("2p | board=K,R |", ["new K", "1+R"]),
    ("2p | hand=KKK coatl=KKK |", ["1:KKK"]),
    (f"2p {ROW}", ["pick YG", "pick YK"]),
    (f"2p piles=noK/8,R=Y/12 | {LEVELLED} |", ["1+K>", "1:{K}"]),
    ("2p phase=setup | hand=YG,RK,YB | hand=GB", ["drop YG", "drop YB"]),
    ("solo phase=setup | hand=YG,RK,YB,GB,KG |", ["drop YG", "drop YB"]),
    ("2p tokens phase=future picked=0 | hand=YG,RK tokens=- |", ["drop YG", "drop RK", "done"]),
    # E2, R14: the first of two actions of one turn, where it revealed nothing
    (
        "2p seat=2 end=third trigger=1 actions=2 | coatl=<KKK>:{K} coatl=<RRR>:{R} coatl=<BBB>:{B}"
        " | board=K",
        ["new K", "done"],
    ),
]


@pytest.mark.parametrize(("position", "moves"), TAKEN_BACK, ids=lambda value: str(value)[:30])
def test_what_revealed_nothing_can_be_taken_back(position: str, moves: list[str]) -> None:
    game = at_position(position)
    before, legal = [], game.legal_moves()
    for move in moves:
        before.append(bytes_of(game))
        game.play(move)
    take_back(game, before, len(moves))
    assert game.legal_moves() == legal


REVEALED = [
    ("2p", ["draw"]),  # a card drawn blind
    ("2p | board=K | board=R", ["new K", "done"]),  # the end of a turn
    ("2p", ["take b1"]),  # likewise
    (f"2p {ROW}", ["pick YG", "done"]),  # likewise, with a new card in the row
    ("2p tokens", ["token future"]),  # six new cards
    (f"2p piles=noR/11,R=Y/12 | {LEVELLED} |", ["1+K>", "1:{K}", "1:noR/11"]),
    ("2p phase=setup | hand=YG,RK,YB | hand=GB", ["drop YG", "done"]),  # done with one's choice
    ("2p phase=setup seat=2 | hand=YG | hand=GB", ["drop GB", "done"]),
    ("solo phase=setup | hand=YG,RK,YB,GB,KG |", ["drop YG", "drop RK", "done"]),
    ("solo", ["take b1"]),
    ("solo | board=K | cards=YG,RK,YB", ["new K", "done"]),  # A.D.A.M. moved, and drew nothing
    # the second action of a final turn, after a refill in the first
    (
        "2p seat=2 end=third trigger=1 actions=2 supply=-,-,-,-,-,KR,B,Y,G,K"
        " | coatl=<KKK>:{K} coatl=<RRR>:{R} coatl=<BBB>:{B} |",
        ["take b6"],
    ),
]


@pytest.mark.parametrize(("position", "moves"), REVEALED, ids=lambda value: str(value)[:30])
def test_not_past_a_secret_or_the_end_of_a_turn(position: str, moves: list[str]) -> None:
    game = at_position(position)
    for move in moves:
        game.play(move)
    before = bytes_of(game)
    assert not game.can_undo
    with pytest.raises(IllegalMove) as refused:
        game.undo()
    assert refused.value.move == "undo"
    assert (refused.value.clause, refused.value.cause) == ("T0", "T0.undo")
    assert refused.value.position == game.position
    assert bytes_of(game) == before


def test_only_back_to_the_secret() -> None:
    game = at_position(f"2p {ROW}")
    game.play("pick YG")
    game.play("draw")
    after_secret = bytes_of(game)
    game.play("pick RK")
    game.undo()
    assert bytes_of(game) == after_secret
    assert not game.can_undo


def test_nothing_to_undo_at_the_start() -> None:
    game = Game.new(seed=1)
    assert not game.can_undo
    with pytest.raises(IllegalMove, match="nothing of this turn"):
        game.undo()
    assert game.events() == []


def test_nobody_takes_back_the_choice_of_another() -> None:
    """R13: until its owner says done; then the next seat has nothing of its own yet."""
    game = Game.new(players=3, seed=1)
    game.play(game.legal_moves()[0])
    assert (game.can_undo, game.seat) == (True, 0)
    game.play("done")
    assert (game.can_undo, game.seat) == (False, 1)


# ---------------------------------------------------------------- it stays in the log


def test_undo_is_an_entry_of_the_log() -> None:
    game = Game.new(seed=3)
    dropped = game.legal_moves()[0]
    card = dropped.text
    game.play(card)
    n_events = len(game.events())
    game.undo()
    game.play("done")
    assert f"\n0.0 {card}, undo, done\n" in game.record()
    assert game.events(0)[n_events] == Event(EventKind.UNDO, 0, move=dropped)


def test_the_undo_of_a_setup_choice_does_not_tell_others_the_card() -> None:
    """R13: the others see only how many cards were kept, never which were discarded."""
    game = Game.new(seed=3)
    card = game.legal_moves()[0].text
    game.play(card)
    game.undo()
    name = card.split()[1]
    for seat in (1, None):
        assert not any(name in str(event) for event in game.events(seat))
        assert any(name in str(event) for event in game.events(0))


def test_the_undo_of_a_public_move_tells_everyone_what_it_was() -> None:
    game = at_position("2p | board=K |")
    begun = game.move("new K")
    game.play("new K")
    game.undo()
    for seat in (0, 1, None):
        assert game.events(seat)[-1] == Event(EventKind.UNDO, 0, move=begun)


@pytest.mark.games
@pytest.mark.parametrize("mode", MODES[::4], ids=str)
def test_the_log_tells_every_undo_in_order(mode: Mode) -> None:
    """Moves and undos of the record give the game: nothing was erased."""
    game = play_on(new_game(mode, 5), 5, undo=0.3)
    turns = [line for line in game.record().splitlines() if line[:1].isdecimal()][1:]
    words = [word for line in turns for word in line.split(" # ")[0].split(" ", 1)[1].split(", ")]
    undone = sum(event.kind == "undo" for event in game.events())
    assert words.count("undo") == undone > 0
    again = new_game(mode, 5)
    for word in words:
        if word == "undo":
            again.undo()
        else:
            again.play(word)
    assert again.record() == game.record()
    assert again.events(0) == game.events(0)
