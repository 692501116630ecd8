"""Playing: facts that add up, and the same rows however a run was interrupted or shared out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from coatl.compiler.functions import DISABLED
from coatl.lab.facts import GameFacts, Source
from coatl.lab.play import play_lab_game
from coatl.lab.run import GAMES_FILE, Book, run
from coatl.lab.setup import Setup
from coatl.parallel.runs import RunError
from coatl.rules.cards import standard_deck

pytestmark = pytest.mark.skipif(DISABLED, reason="whole games, too slow in plain Python")

DECK = standard_deck()
SETUP = Setup("random", (2, 3, 4), (4, 4, 4), seed="test")


def quiet(done: int, total: int) -> None:
    """Reports nothing."""


@pytest.fixture(scope="module")
def whole() -> list[GameFacts]:
    return run(SETUP, DECK, None, 1, quiet)[0].results()


@pytest.fixture(scope="module")
def greedy() -> GameFacts:
    return play_lab_game(Setup("greedy", (2,), (1,), seed="test"), DECK, 2, 0)


# ---------------------------------------------------------------- facts


def test_no_card_is_lost(whole: list[GameFacts], greedy: GameFacts) -> None:
    """Cards that came to a hand were discarded, laid, or are there still."""
    for facts in [*whole, greedy]:
        for seat in facts.seats:
            came = Counter(seat.dealt) + Counter(one.card for one in seat.taken)
            laid = Counter(card.card for coatl in seat.coatls for card in coatl.cards)
            gone = Counter(seat.buried) + Counter(seat.dropped) + Counter(seat.left)
            assert came == laid + gone
            assert Counter(seat.held) == came - Counter(seat.buried)


def test_points_are_those_of_complete_coatl(whole: list[GameFacts], greedy: GameFacts) -> None:
    for facts in [*whole, greedy]:
        for seat in facts.seats:
            assert seat.points == sum(coatl.value for coatl in seat.complete)
            for coatl in seat.complete:
                assert coatl.pieces.startswith("<")
                assert coatl.pieces.endswith(">")
                assert 1 <= (coatl.turn or 0) <= seat.turns
                parts = [card.points for card in coatl.cards]
                parts += [coatl.temple.points] if coatl.temple else []
                assert sum(parts) == coatl.value


def test_the_win_is_shared_out(whole: list[GameFacts]) -> None:
    for facts in whole:
        assert sum(seat.share for seat in facts.seats) == pytest.approx(1.0)
        best = max(seat.points for seat in facts.seats)
        assert all(seat.points == best for seat in facts.seats if seat.share)


def test_setup_and_opening(whole: list[GameFacts]) -> None:
    for facts in whole:
        assert [len(seat.dealt) for seat in facts.seats] == [3, 4, 5, 6][: facts.players]  # S5
        assert all(seat.temple in DECK.temple_names for seat in facts.seats)  # S3
        assert sum(seat.turns for seat in facts.seats) == facts.turns
        for seat in facts.seats:
            assert len(seat.opening) == min(4, seat.turns)
            assert len(seat.dealt) - len(seat.buried) <= 3


def test_the_first_face_up_card(whole: list[GameFacts], greedy: GameFacts) -> None:
    seats = [seat for facts in [*whole, greedy] for seat in facts.seats]
    assert any(seat.first_pick for seat in seats)
    for seat in seats:
        from_row = [one.card for one in seat.taken if one.source is Source.ROW]
        assert (seat.first_pick.card if seat.first_pick else None) == next(iter(from_row), None)
        if seat.first_pick:
            assert seat.first_pick.card in seat.first_pick.offered
            assert len(seat.first_pick.offered) <= 6
            assert not seat.first_pick.is_random


def test_who_ended_the_game(whole: list[GameFacts], greedy: GameFacts) -> None:
    for facts in [*whole, greedy]:
        assert (facts.trigger is not None) == (facts.end == "third")
        if facts.trigger is not None:
            assert len(facts.seats[facts.trigger].complete) == 3


def test_one_seat_takes_its_first_card_by_lot(whole: list[GameFacts]) -> None:
    setup = msgspec.structs.replace(SETUP, random_first_pick=True, games=(8, 1, 1))
    games = run(setup, DECK, None, 1, quiet)[0].results()
    lots = [
        [at for at, seat in enumerate(facts.seats) if seat.first_pick and seat.first_pick.is_random]
        for facts in games
    ]
    assert all(len(seats) <= 1 for seats in lots)
    assert {at for seats in lots for at in seats} >= {0, 1}  # not always the same seat
    for facts in games:
        for seat in facts.seats:
            if seat.first_pick:
                assert seat.first_pick.card in seat.first_pick.offered
    assert [seat.dealt for seat in games[0].seats] == [seat.dealt for seat in whole[0].seats]


# ---------------------------------------------------------------- runs


def test_interrupted_and_resumed_to_the_same_rows(tmp_path: Path, whole: list[GameFacts]) -> None:
    def interrupt(done: int, total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    part, interrupted = run(SETUP, DECK, tmp_path, 1, interrupt)
    assert interrupted
    assert len(part.results()) == 5
    with open(tmp_path / GAMES_FILE, "ab") as file:
        file.write(b'{"players":2,"game":3,"tu')  # the power went
    reported: list[tuple[int, int]] = []
    resumed, interrupted = run(SETUP, DECK, tmp_path, 1, lambda *n: reported.append(n))
    assert not interrupted
    assert (reported[0], reported[-1]) == ((5, 12), (12, 12))
    assert resumed.results() == whole
    again = Book(SETUP, tmp_path)
    assert again.missing() == []
    assert again.results() == whole
    fewer = Book(msgspec.structs.replace(SETUP, games=(2, 1, 0)), tmp_path)
    assert [(facts.players, facts.game) for facts in fewer.results()] == [(2, 0), (2, 1), (3, 0)]


def test_an_interrupted_run_has_some_of_each_size() -> None:
    order = list(Setup("random", (2, 4), (3, 1)).wanted())
    assert order == [(2, 0), (4, 0), (2, 1), (2, 2)]


@pytest.mark.games
def test_several_processes_play_the_same_games(whole: list[GameFacts]) -> None:
    setup = msgspec.structs.replace(SETUP, games=(2, 1, 1))
    found = run(setup, DECK, None, 2, quiet)[0].results()
    assert found == [facts for facts in whole if facts.game < (2 if facts.players == 2 else 1)]


def test_a_bot_that_fails_is_one_line() -> None:
    setup = Setup("tests.arena.failing_players:Raising", (2,), (1,))
    with pytest.raises(RunError, match=r"^game 0 of 2 players, .*: SystemExit: I have had enough$"):
        run(setup, DECK, None, 1, quiet)
