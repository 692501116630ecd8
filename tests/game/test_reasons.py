"""Why a move is not allowed: one cause each, with its clause and a sentence."""

from __future__ import annotations

from collections import Counter

import pytest

from coatl import Game, IllegalMove, Move
from coatl.reasons import REASONS
from coatl.rules import compiled
from coatl.rules.cards import prophecies
from coatl.rules.causes import Cause
from coatl.rules.decisions import N_DECISIONS, temple_from_pile
from tests.game.games import at_position, bytes_of
from tests.position import Position


def cards_without(*names: str) -> str:
    """The printed Prophecy cards without some of them."""
    left = Counter({card.name: card.copies for card in prophecies()})
    left.subtract(names)
    return ",".join(left.elements())


ROW = ("YG", "RK", "YB", "GB", "KG", "YK")
NOTHING_TO_DRAW = (
    f"solo row={','.join(ROW)} deck=- | | cards=KKK,RRR,BBB "
    f"fulfilled={cards_without(*ROW, 'KKK', 'RRR', 'BBB')}"
)
OPEN, CLOSED = "coatl=<YYYBBBG", "coatl=<YYYBBBGG>"
THREE = f"{CLOSED}:{{Y}} coatl=<KRRRG>:RRR coatl=<RKKKG>:KKK"
LAST_TURN = "2p end=third trigger=1 seat=2"
ONLY_WITHOUT_BLUE = "piles=noblue/R=B/10,R=Y/12"  # the one requirement that CLOSED may meet

# Of each cause a position and a move, or the number of a decision that no text names there.
FORBIDDEN: list[tuple[str, str | int, Cause]] = [
    ("2p phase=setup | hand=YG,RK,YB |", "take b1", Cause.S5_FIRST),
    ("3p phase=setup seat=2 | | hand=YG,RK,YB,GB | hand=KKK", "done", Cause.S5_TOO_MANY),
    ("2p phase=setup | hand=YG,RK,YB |", "drop KKK", Cause.S5_HAND),
    ("2p", "token future", Cause.S6_TOKENS),
    ("2p phase=pick | hand=YG |", "take b1", Cause.T0_PICKING),
    ("2p phase=assemble", "take b1", Cause.T0_ASSEMBLING),
    ("2p", "done", Cause.T0_NOTHING),
    ("2p", "step", Cause.T0_STEP),
    ("2p supply=-,BY,KG,RB,YG,KR,B,Y,G,K", "take b1", Cause.T1_EMPTY),
    ("2p | board=7R |", "take b1", Cause.T2_ROOM),
    ("2p row=-,RK,YB,GB,KG,YK", "pick -@1", Cause.P1_EMPTY),
    ("2p phase=pick picked=0", "done", Cause.P1_NONE_TAKEN),
    ("2p | hand=YG,RK,YB,GB,KG |", "draw", Cause.P2_FULL),
    ("solo levels=2 | hand=YG,RK,YB,GB | cards=KKK", "draw", Cause.P2_LEVEL_2),
    ("2p | hand=YG |", "drop YG", Cause.P4_HAND),
    ("2p", "new K", Cause.A1_PIECE),
    ("2p | board=K coatl=K coatl=R |", "new K", Cause.A1_INCOMPLETE),
    (f"2p | board=K {CLOSED}:{{Y}} coatl=K coatl=R |", "new K", Cause.A1_THREE),
    ("2p | coatl=K |", "1+R", Cause.A2_PIECE),
    ("2p | board=R coatl=K |", "2+R", Cause.A2_COATL),
    ("2p | coatl=KKK |", "1:KKK", Cause.A3_HAND),
    ("2p | hand=KKK coatl=KKK |", "2:KKK", Cause.A3_COATL),
    ("2p | hand=KKK coatl=K |", "1:KKK", Cause.A3_UNSATISFIED),
    ("2p | board=<R coatl=<K |", "<R+1", Cause.A4_HEAD_THERE),
    ("2p | board=R> coatl=K> |", "1+R>", Cause.A4_TAIL_THERE),
    (f"2p | hand=BBB {OPEN}:{{Y}},YYY,YB,YYBBB |", "1:BBB", Cause.A6_FOUR),
    ("2p | hand={R} coatl=<KRRRR:{R} |", "1:{R}", Cause.A6_IDENTICAL),
    ("2p | board=K> hand={K} coatl=<K |", "1+K>", Cause.A7_BODY),
    ("2p | board=R> coatl=<KRRR |", "1+R>", Cause.A8_CARD),
    ("2p phase=fulfil pending=1 | hand={K} coatl=<KKK> |", "take b1", Cause.A9_FIRST),
    (f"2p phase=fulfil pending=1 piles=noK/8,noB/10 | hand={{Y}} {CLOSED} |", "1:noK/8",
     Cause.A9_PROPHECIES),
    ("2p phase=fulfil pending=1 | hand={K} coatl=<KKK> |", "done", Cause.A9_ONE_CARD),
    ("2p piles=noK/8,noB/10 | coatl=<YKKK |", "1:noK/8", Cause.A9_NO_COMPLETION),
    (f"2p phase=temple pending=1 piles=noB/10,noK/8 | {CLOSED}:{{Y}} |", "1:noB/10",
     Cause.A9_UNMET),
    (f"2p phase=temple pending=1 piles=-,noK/8:15 | {CLOSED}:{{Y}} |", temple_from_pile(0),
     Cause.A9_PILE),
    (f"2p phase=temple pending=1 | temples=noK/8 {CLOSED}:{{Y}} |", "1:noR/11", Cause.A9_HAND),
    (f"2p | board=R {CLOSED}:{{Y}} |", "1+R", Cause.A10_COMPLETE),
    ("2p tokens | tokens=future,priest |", "token pick KK", Cause.K1_USED),
    ("2p tokens | tokens=pick,priest |", "token future", Cause.K2_USED),
    ("2p tokens phase=future | tokens=pick |", "take b1", Cause.K2_UNFINISHED),
    ("2p tokens phase=future | tokens=pick hand=YG |", "drop KKK", Cause.K2_HAND),
    ("2p tokens | tokens=pick,future |", "token priest 1", Cause.K3_USED),
    ("2p tokens piles=-,noK/8:15", "token priest 1", Cause.K3_PILE),
    ("2p phase=over end=passed |", "take b1", Cause.E4_OVER),
    ("solo", "token priest 1", Cause.D1_TOKENS),
    ("solo phase=setup | hand=YG,RK,YB,GB |", "done", Cause.D2_TOO_MANY),
    ("solo phase=setup | hand=YG,RK,YB |", "drop YG", Cause.D2_TOO_FEW),
    ("solo phase=adam | | cards=KKK", "take b1", Cause.D2_ADAM),
    (f"solo levels=1 phase=temple pending=1 | {CLOSED}:{{Y}} | cards=KKK", "done",
     Cause.D10_LEVEL_1),
    (f"solo levels=3 | hand={{B}} {OPEN}:{{Y}} | cards=KKK", "1:{B}", Cause.D10_LEVEL_3),
    (NOTHING_TO_DRAW, "draw", Cause.R3_NONE),
    ("2p", "pass", Cause.R5_POSSIBLE),
    (f"{LAST_TURN} second | {THREE} |", "pass", Cause.R5_SECOND),
    ("2p tokens | board=3<K |", "token pick <K", Cause.R7_END),
    (f"2p tokens | coatl={'K' * 24} |", "token pick KB", Cause.R7_PAIR),
    (f"solo levels=4 phase=fulfil pending=1 | hand=YYY {CLOSED}:{{Y}} | cards=RRR", "done",
     Cause.R9_NOT_FOUR),
    (f"solo levels=1 piles=R=Y/12,R=G/6 | board=G> hand={{Y}} {OPEN} | cards=RRR", "1+G>",
     Cause.R9_LEVEL_1),
    (f"solo levels=4 | board=G> hand={{Y}},YYY,YB {OPEN} | cards=RRR", "1+G>", Cause.R9_LEVEL_4),
    (f"solo promo levels=14 {ONLY_WITHOUT_BLUE} | board=G> hand={{Y}},YYY,BBB,YB {OPEN} |", "1+G>",
     Cause.R9_LEVELS_1_4),
    (f"solo levels=34 | board=G> hand={{Y}},{{B}},YYY,BBB {OPEN} |", "1+G>", Cause.R9_LEVELS_3_4),
    (f"solo promo levels=134 {ONLY_WITHOUT_BLUE} | board=G> hand={{Y}},{{B}},YYY,YB,YYBBB {OPEN} |",
     "1+G>", Cause.R9_LEVELS_1_3_4),
]  # fmt: skip
# No decision means these.
ELSEWHERE = {Cause.T0_UNKNOWN, Cause.T0_UNDO, Cause.A4_HEAD_SIDE, Cause.A4_TAIL_SIDE}


def asked(game: Game, move: str | int) -> list[Move | str]:
    """A move as a text and as a `Move`."""
    return [move, game.move(move)] if isinstance(move, str) else [game._state.move(move)]


def test_the_table_of_forbidden_moves_has_every_cause() -> None:
    here = [cause for _, _, cause in FORBIDDEN]
    assert here == [cause for cause in Cause if cause and cause not in ELSEWHERE]


@pytest.mark.parametrize(("position", "move", "cause"), FORBIDDEN, ids=lambda value: str(value)[:9])
def test_why_names_the_one_cause(position: str, move: str | int, cause: Cause) -> None:
    """With its clause and a sentence; and without changing anything."""
    game = at_position(position)
    before = bytes_of(game)
    for text in asked(game, move):
        reason = game.why(text)
        assert reason is not None
        assert reason.cause == cause.code
        assert (reason.clause, reason.text) == (cause.clause, REASONS[cause])
    assert bytes_of(game) == before


@pytest.mark.parametrize(("position", "move", "cause"), FORBIDDEN, ids=lambda value: str(value)[:9])
def test_playing_a_forbidden_move_raises_and_changes_nothing(
    position: str, move: str | int, cause: Cause
) -> None:
    game = at_position(position)
    before, record = bytes_of(game), game.record()
    for played in asked(game, move):
        with pytest.raises(IllegalMove) as refused:
            game.play(played)
        error = refused.value
        assert error.move == (played if isinstance(played, str) else played.text)
        assert (error.clause, error.cause, error.reason) == (
            cause.clause,
            cause.code,
            REASONS[cause],
        )
        assert error.position == game.position
        assert f"({cause.clause})" in str(error)
    assert (bytes_of(game), game.record(), game.events()) == (before, record, [])
    assert not game.can_undo


@pytest.mark.parametrize(
    ("position", "move", "cause"),
    [
        (f"2p | hand=YYY {CLOSED}:{{Y}} |", "1:YYY", "A10.complete"),
        ("2p tokens | tokens=future,priest |", "token pick <K", "K1.used"),
        ("2p tokens | board=8R |", "token pick <K", "T2.room"),
        ("2p tokens | board=7R |", "token pick KK", "T2.room"),
        ("2p phase=over end=passed | hand=YG |", "drop YG", "E4.over"),
        ("2p phase=over end=passed |", "done", "E4.over"),
        ("2p phase=over end=passed |", "step", "E4.over"),
        ("solo phase=adam | | cards=KKK", "done", "D2.adam"),
    ],
)
def test_the_same_cause_against_another_kind_of_move(position: str, move: str, cause: str) -> None:
    assert cause_of(position, move) == cause


def cause_of(position: str, move: str) -> str:
    reason = at_position(position).why(move)
    return "" if reason is None else reason.cause


@pytest.mark.parametrize("number", [-1, N_DECISIONS])
def test_T0_a_number_that_is_no_decision(number: int) -> None:
    table = Position("2p")
    assert compiled.why_not(table.cards, table.states, 0, number) == Cause.T0_UNKNOWN


@pytest.mark.parametrize(("move", "cause"), [("1+<K", "A4.head_side"), ("K>+1", "A4.tail_side")])
def test_A4_a_head_or_tail_on_the_wrong_side_has_its_cause(move: str, cause: str) -> None:
    """No decision says that, but whoever drops one there is told why."""
    assert cause_of("2p | board=<K,K> coatl=R |", move) == cause


def test_A9_a_temple_card_after_a_completion_that_none_fitted() -> None:
    """With no card in hand and none that fits, the closing piece completes the Cóatl at once."""
    game = at_position("2p piles=noK/8:8,noB/10:7 | board=G> coatl=<KBRRRG:RRR |")
    game.play("1+G>")
    assert game.view(0).data.seats[0].coatls[0].complete
    reason = game.why("1:noK/8")
    assert reason is not None
    assert (reason.clause, reason.cause) == ("A9", "A9.no_completion")


def test_A9_another_coatl_waits_until_the_closed_one_is_complete() -> None:
    position = f"2p phase=fulfil pending=1 | hand={{Y}},KKK {CLOSED} coatl=KKK |"
    assert cause_of(position, "2:KKK") == "A9.first"
    assert cause_of(position, "1:KKK") == "A3.unsatisfied"


def test_R9_a_card_that_would_leave_no_temple_card_is_told_level_1() -> None:
    words = f"solo promo levels=1 {ONLY_WITHOUT_BLUE} phase=fulfil pending=1"
    assert cause_of(f"{words} | hand=YB,YYY {CLOSED} |", "1:YB") == "R9.level_1"
    assert cause_of(f"{words} | hand=YB,YYY {CLOSED} |", "1:YYY") == ""
    assert cause_of(f"{words} | hand=YYY {CLOSED}:YB |", "done") == "R9.level_1"
