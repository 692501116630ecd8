"""Section 5 of the rules: how a game ends (E1-E4)."""

from __future__ import annotations

import pytest

from coatl.rules.pieces import COLOURS
from coatl.rules.turns import seats_since_third, seats_to_come
from tests.position import Position

NO_TEMPLE = "piles=R=Y/12,Y=G/6"  # neither fits the Cóatl that seats complete here
LAST_PIECE = "board=K> hand={K} coatl=<RRR>:{R} coatl=<BBB>:{B} coatl=<KKK"
THIRD_COATL = ("3+K>", "3:{K}", "done")
SEATS_OF_GAMES = [(players, seat) for players in (2, 3, 4) for seat in range(1, players + 1)]


def about_to_complete(players: int, seat: int, words: str = "") -> Position:
    """It is the turn of a seat that has all it needs for its third Cóatl."""
    sections = [LAST_PIECE if other == seat else "" for other in range(1, players + 1)]
    return Position(f"{players}p seat={seat} {NO_TEMPLE} {words} | " + " | ".join(sections))


def body_segments(but: str) -> str:
    """All body segments of a game as one long piece of Cóatl, but for some."""
    return "".join(colour * (24 - but.count(colour)) for colour in COLOURS)


def with_bodies_left(players: int, seat: int, bodies: str) -> Position:
    """Only `bodies` are left, on the first spaces of the Supply board, and one head beside them."""
    pairs = [bodies[i : i + 2] for i in range(0, len(bodies), 2)]
    supply = ",".join([*pairs, *["-"] * (6 - len(pairs)), "K", "-", "-", "-"])
    return Position(f"{players}p seat={seat} supply={supply} | coatl={body_segments(bodies)}")


def play_out(table: Position) -> list[int]:
    """Every seat takes the first space it may until the game is over; whose actions these were."""
    seats = []
    while not table.over:
        seats.append(table.turn_of)
        table.do(next(move for move in table.legal if move.startswith("take ")))
        assert len(seats) < 20
    return seats


# ---------------------------------------------------------------- E1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_E1_the_game_goes_on_in_turn_order(players: int) -> None:
    table = Position(f"{players}p")
    for turn in range(3 * players):
        assert table.turn_of == turn % players + 1
        assert not table.over
        assert table.word("end") is None
        table.do(*(("draw", "done") if turn % 2 else (f"take b{turn // 2 + 1}",)))


def test_E1_two_complete_coatls_do_not_end_it() -> None:
    sections = "board=K> hand={K} coatl=<RRR>:{R} coatl=<KKK |"
    table = Position(f"2p {NO_TEMPLE} | {sections}").do("2+K>", "2:{K}", "done")
    assert table.coatls() == ["<RRR>:{R}", "<KKKK>:{K}"]
    assert table.word("end") is None
    table.do("take b1", "take b2", "take b3")
    assert not table.over
    assert table.word("end") is None


def test_E1_a_third_coatl_begun_but_not_complete_does_not_end_it() -> None:
    table = about_to_complete(2, 1).do("draw", "done")
    assert table.word("end") is None
    assert table.turn_of == 2


def test_E1_body_segments_on_the_board_keep_the_game_going() -> None:
    """The bag of bodies is empty, the board not yet."""
    table = with_bodies_left(2, 1, "KKRR").do("take b1")
    assert table.word("end") is None
    table.do("take b2")
    assert table.word("end") == "bodies"


def test_E1_body_segments_in_the_bag_keep_the_game_going() -> None:
    """The board is emptied of bodies, but the bag still has two."""
    bodies = body_segments("KKRR")
    table = Position(f"2p supply=KK,-,-,-,-,-,K,-,-,- | coatl={bodies} |").do("take b1")
    assert table.word("end") is None
    assert str(table.word("supply")).startswith("RR,-")


# ---------------------------------------------------------------- E2


@pytest.mark.parametrize(("players", "seat"), SEATS_OF_GAMES)
def test_E2_one_final_turn_for_every_other_player(players: int, seat: int) -> None:
    """Clockwise; two actions for those later in turn order, one for earlier ones, none for it."""
    table = about_to_complete(players, seat).do(*THIRD_COATL)
    assert table.word("end") == "third"
    assert table.word("trigger") == str(seat)
    later = [other for other in range(seat + 1, players + 1) for _ in range(2)]
    assert play_out(table) == later + list(range(1, seat))


def test_E2_the_example_of_the_rulebook() -> None:
    """4 players, player 2 triggers; 3 and 4 have two actions each, 1 has one, 2 none."""
    table = about_to_complete(4, 2).do(*THIRD_COATL)
    assert table.turn_of == 3
    table.do("take b1")
    assert table.turn_of == 3
    table.do("draw", "done")
    assert table.turn_of == 4
    table.do("take b2", "take b3")
    assert table.turn_of == 1
    assert not table.over
    table.do("take b4")
    assert table.over


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_E2_up_to_two_actions(seat: int) -> None:
    """Later players may leave it at one; `done` ends no one's first action."""
    table = about_to_complete(4, seat).do(*THIRD_COATL)
    for later in range(seat + 1, 5):
        assert table.turn_of == later
        assert table.why("done") == "T0"
        table.do(f"take b{later}")
        assert table.turn_of == later
        table.do("done")
    for earlier in range(1, seat):
        assert table.turn_of == earlier
        assert table.why("done") == "T0"
        table.do(f"take b{earlier}")
    assert table.over


def test_E2_two_actions_can_be_any_two() -> None:
    """A piece taken in the first action can be assembled in the second."""
    table = about_to_complete(2, 1).do(*THIRD_COATL, "take h1")
    piece = str(table.seat(2, "board"))
    table.do(f"new {piece}")
    assert table.phase == "assemble"
    table.do("done")
    assert table.over
    assert table.coatls(2) == [piece]


def test_E2_a_third_coatl_in_a_final_turn_gives_nobody_another() -> None:
    sections = "| ".join([LAST_PIECE, LAST_PIECE.replace("K", "G"), ""])
    table = Position(f"3p {NO_TEMPLE} | {sections}").do(*THIRD_COATL)
    table.do("3+G>", "3:{G}", "done", "done")
    assert table.word("trigger") == "1"
    assert play_out(table) == [3, 3]


# ---------------------------------------------------------------- E3


@pytest.mark.parametrize(("players", "seat"), SEATS_OF_GAMES)
def test_E3_the_round_is_finished_then_one_turn_each(players: int, seat: int) -> None:
    """All have had the same number of turns when the final round begins, in which each has one."""
    table = with_bodies_left(players, seat, "KK").do("take b1")
    assert table.word("end") == "bodies"
    everyone = list(range(1, players + 1))
    assert play_out(table) == everyone[seat:] + everyone


def test_E3_a_final_turn_has_one_action() -> None:
    table = with_bodies_left(2, 2, "KK").do("take b1")
    for seat in (1, 2):
        assert table.turn_of == seat
        table.do("draw", "draw", "done")
    assert table.over


def test_E3_a_third_coatl_completed_after_it_changes_nothing() -> None:
    """R11: seat 1 completes its third Cóatl in the final round; seat 2 still has one action."""
    bodies = "K" * 20 + "R" * 23 + "B" * 23 + "Y" * 24 + "G" * 24
    sections = f"{LAST_PIECE} | coatl={bodies}"
    table = Position(f"2p seat=2 {NO_TEMPLE} supply=KK,-,-,-,-,-,K,-,-,- | {sections}").do(
        "take b1"
    )
    table.do(*THIRD_COATL)
    assert table.word("end") == "bodies"
    assert table.word("trigger") is None
    assert play_out(table) == [2]


# ---------------------------------------------------------------- E4


def test_E4_after_the_last_turn_nothing_can_be_done() -> None:
    table = about_to_complete(2, 2, "tokens").do(*THIRD_COATL)
    assert table.turn_of == 1
    assert not table.over
    table.do("take b1")
    assert table.phase == "over"
    assert table.legal == []
    row_card = str(table.word("row")).split(",")[0]
    for move in ("take b2", "draw", f"pick {row_card}", "new K", "1+K", "1:KKK", "drop KKK"):
        assert table.why(move) == "E4", move
    for move in ("token future", "token pick BB", "token priest 1", "done", "pass", "step"):
        assert table.why(move) == "E4", move


def test_E4_then_the_scores_are_counted() -> None:
    """As things lie after the last action: seat 2 completes a Cóatl in its final turn."""
    other = "board=G> hand={G} coatl=<GGGG"
    sections = f"{LAST_PIECE} | {other}"
    table = Position(f"2p {NO_TEMPLE} | {sections}").do(*THIRD_COATL)
    assert not table.over
    table.do("1+G>", "1:{G}", "done", "done")
    assert table.over
    assert table.scores() == ([2 + 2 + 3, 4], [1])


# ---------------------------------------------------------------- the order, foretold


def turns_foretold(table: Position) -> list[int]:
    """Whose turns there are from now on, as they are played; each time they are as foretold."""
    played: list[int] = []
    foretold: list[tuple[int, ...]] = []
    while not table.over:
        played.append(table.turn_of)
        foretold.append(tuple(seat + 1 for seat in seats_to_come(table.state)))
        turn = int(table.state.turn)
        while not table.over and table.state.turn == turn:
            table.do(next(move for move in table.legal if move.startswith(("take ", "done"))))
    for at, seats in enumerate(foretold):
        assert seats == tuple(played[at + 1 :])
    return played


@pytest.mark.parametrize(("players", "seat"), SEATS_OF_GAMES)
def test_E2_the_last_turns_are_foretold(players: int, seat: int) -> None:
    *completing, done = THIRD_COATL
    table = about_to_complete(players, seat).do(*completing)
    assert seats_since_third(table.state) == ()
    table.do(done)
    had = [seat]
    while not table.over:
        assert [other + 1 for other in seats_since_third(table.state)] == had
        had.append(table.turn_of)
        left = seats_to_come(table.state)
        assert len(left) == players - len(had)
        turn = int(table.state.turn)
        while not table.over and table.state.turn == turn:
            table.do(next(move for move in table.legal if move.startswith(("take ", "done"))))
        if left:
            assert table.turn_of == left[0] + 1


@pytest.mark.parametrize(("players", "seat"), SEATS_OF_GAMES)
def test_E3_the_last_turns_are_foretold(players: int, seat: int) -> None:
    table = with_bodies_left(players, seat, "KK").do("take b1")
    assert seats_since_third(table.state) == ()
    played = turns_foretold(table)
    assert len(played) == players - seat + players


@pytest.mark.parametrize("players", [2, 3, 4])
def test_E1_before_the_end_is_triggered_only_the_next_turn_is_foretold(players: int) -> None:
    for seat in range(1, players + 1):
        state = Position(f"{players}p seat={seat}").state
        assert seats_to_come(state) == (seat % players,)
        assert seats_since_third(state) == ()
