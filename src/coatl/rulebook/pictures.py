"""The pictures that the rules may promise: each has to be drawn wherever the rules are shown."""

from __future__ import annotations

# By name: what it shows. Those that say so also have a Cóatl or cards of their own.
PICTURES = {
    "pieces": "a head, a body segment and a tail of each colour",
    "supply": "the Supply board, full",
    "supply_numbers": "the Supply board with the numbers of its spaces",
    "board": "a player board",
    "coatl": "its Cóatl",
    "open_ends": "its Cóatl, with a place for a piece at each open end",
    "cards": "its cards",
    "example": "its Cóatl and cards: the pieces that count are lit, each card has its points",
    "perfect_pick": "the Sacrifice token of that name",
    "see_the_future": "the Sacrifice token of that name",
    "priest_commitment": "the Sacrifice token of that name",
    "final_turns": "four players and the actions that each has left",
    "row": "the Prophecy row of the solo game, sliding to the right",
    "adam_looks": "A.D.A.M.'s cards, the leftmost with what it lacks",
    "adam_takes": "the Supply board with the space that A.D.A.M. takes",
    "adam_lays": "pieces that go to A.D.A.M.'s cards",
    "adam_fulfils": "a full card of A.D.A.M.'s, and its pieces on their way to the next",
    "adam_draws": "the rightmost card of the row, on its way to A.D.A.M.",
}
