"""Points that a Cóatl may reach, worked out by hand."""

from __future__ import annotations

import pytest

from coatl.compiler.jit import EntryPoint
from coatl.compiler.records import RecordArray, record_array
from coatl.heuristics.card_potential import DeckTables, deck_tables
from coatl.heuristics.projection import Projection, projected_points
from coatl.rules.state import States
from tests.heuristics.entries import compiled_entry
from tests.position import Position

IN_HAND, ON_BOARD, ELSEWHERE = 0.8, 0.9, 0.5


def project_first(
    deck: DeckTables, projections: RecordArray[Projection], states: States, taken: int
) -> float:
    """Of the first Cóatl of the first seat."""
    player = states[0].players[0]
    return projected_points(deck, projections[0], player.coatls[0], player, taken)


@pytest.fixture(scope="module")
def compiled() -> EntryPoint[[DeckTables, RecordArray[Projection], States, int], float]:
    return compiled_entry(project_first)


class Projector:
    """Projects positions given as the first seat's words."""

    def __init__(
        self, entry: EntryPoint[[DeckTables, RecordArray[Projection], States, int], float]
    ) -> None:
        self.entry = entry
        self.records = record_array(Projection, 1)
        discounts = self.records["discounts"]
        discounts["in_hand"], discounts["on_board"] = IN_HAND, ON_BOARD
        discounts["elsewhere"] = ELSEWHERE

    def points(self, words: str, taken: int = 0) -> float:
        position = Position(f"2p | {words}")
        tables = deck_tables(position.deck, 0.75)
        return self.entry(tables, self.records, position.states, taken)

    @property
    def used(self) -> int:
        return int(self.records["used"][0])


@pytest.fixture
def projector(
    compiled: EntryPoint[[DeckTables, RecordArray[Projection], States, int], float],
) -> Projector:
    return Projector(compiled)


def test_pieces_on_the_board_are_discounted_less_than_others(projector: Projector) -> None:
    points = 3 * IN_HAND
    assert projector.points("coatl=Y hand=YYY board=2Y") == pytest.approx(points * ON_BOARD**2)
    both = ON_BOARD * ELSEWHERE
    assert projector.points("coatl=Y hand=YYY board=Y") == pytest.approx(points * both)
    assert projector.points("coatl=Y hand=YYY") == pytest.approx(points * ELSEWHERE**2)


def test_points_reached_count_in_full_unless_more_is_likely(projector: Projector) -> None:
    assert projector.points("coatl=YYY:YYY") == 3
    assert projector.points("coatl=YYY:YYY board=3Y") == pytest.approx(7 * ON_BOARD**3)


def test_a_card_in_hand_counts_less_and_is_used_once(projector: Projector) -> None:
    assert projector.points("coatl=YYY hand=YYY") == pytest.approx(3 * IN_HAND)
    assert projector.used == 1
    assert projector.points("coatl=YYY hand=YYY", taken=1) == 0
    assert projector.used == 0
    assert projector.points("coatl=YYY:{Y} hand={Y}") == 2, "A6: never two alike"
    assert projector.used == 0


def test_a_coatl_has_room_for_four_cards(projector: Projector) -> None:
    laid = "coatl=YYYBBB:{Y},{B},YB"
    assert projector.points(laid) == 2 + 2 + 1
    assert projector.points(f"{laid} hand=YYY,YYBBB") == pytest.approx(5 + 6 * IN_HAND)


def test_pieces_are_added_at_the_open_end(projector: Projector) -> None:
    at_left = 1 * IN_HAND * ON_BOARD
    assert projector.points("coatl=BK> hand=YB board=Y") == pytest.approx(at_left)
    assert projector.points("coatl=B hand=YB board=Y") == pytest.approx(at_left)
    at_right = at_left * ELSEWHERE
    assert projector.points("coatl=<KB hand=YB board=Y") == pytest.approx(at_right)
