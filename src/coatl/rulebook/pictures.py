"""The pictures that the rules may promise: each has to be drawn wherever the rules are shown."""

from __future__ import annotations

from enum import StrEnum


class RulePictureName(StrEnum):
    """What a picture of the rules shows. Its Cóatl and its cards are told with it."""

    PIECES = "pieces"  # a head, a body segment and a tail of each colour
    SUPPLY = "supply"  # the Supply board, full
    SUPPLY_NUMBERS = "supply_numbers"  # the Supply board with the numbers of its spaces
    BOARD = "board"  # a player board
    COATL = "coatl"  # its Cóatl
    OPEN_ENDS = "open_ends"  # its Cóatl, with a place for a piece at each open end
    CARDS = "cards"  # its cards
    EXAMPLE = "example"  # its Cóatl and cards; pieces that count are lit, cards have their points
    PERFECT_PICK = "perfect_pick"  # the Sacrifice token of that name
    SEE_THE_FUTURE = "see_the_future"  # the Sacrifice token of that name
    PRIEST_COMMITMENT = "priest_commitment"  # the Sacrifice token of that name
    FINAL_TURNS = "final_turns"  # four players and the actions that each has left
    ROW = "row"  # the Prophecy row of the solo game, sliding to the right
    ADAM_LOOKS = "adam_looks"  # A.D.A.M.'s cards, the leftmost with what it lacks
    ADAM_TAKES = "adam_takes"  # the Supply board with the space that A.D.A.M. takes
    ADAM_LAYS = "adam_lays"  # pieces that go to A.D.A.M.'s cards
    ADAM_FULFILS = "adam_fulfils"  # a full card of A.D.A.M.'s, its pieces on their way to the next
    ADAM_DRAWS = "adam_draws"  # the rightmost card of the row, on its way to A.D.A.M.


PICTURES = tuple(RulePictureName)
