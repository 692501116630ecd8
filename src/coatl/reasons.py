"""Why a move is not allowed: one short sentence for each clause that can forbid something."""

from __future__ import annotations

from dataclasses import dataclass

from coatl.rules.clauses import CLAUSES


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is not allowed: a clause of docs/rules.md and a sentence."""

    clause: str
    text: str


def reason_of(number: int) -> Reason:
    """The reason behind a number that the kernel returned."""
    clause = CLAUSES[number]
    return Reason(clause, REASONS[clause])


REASONS = {
    "S5": "first choose which Prophecy cards to keep: at most three",
    "S6": "this table plays without Sacrifice tokens",
    "T0": "one action a turn: finish what you are doing with 'done', or do something first",
    "T1": "there is nothing in that space",
    "T2": "there is not enough room on your board of eight spaces",
    "P1": "there is no card at that place, or you have not taken one yet",
    "P2": "your hand is full",
    "P4": "cards leave your hand only by being fulfilled or by See the Future",
    "A1": "begin with a piece from your board; two incomplete Cóatl and three in all are the most",
    "A2": "there is no such piece on your board, or no such Cóatl",
    "A3": "that card is not in your hand, or the Cóatl does not satisfy it yet",
    "A4": "a head goes on the left, a tail on the right, and nothing beyond them",
    "A6": "a Cóatl has at most four Prophecy cards, never two identical ones",
    "A7": "a complete Cóatl has at least one body segment",
    "A8": "that piece would close the Cóatl, and no Prophecy card is laid or fits",
    "A9": "a Cóatl that is closed is completed first: its Prophecy cards, then one Temple card",
    "A10": "a complete Cóatl takes no more pieces or cards",
    "K1": "Perfect Pick has been used",
    "K2": "See the Future has been used, or is not finished",
    "K3": "Priest Commitment has been used, or that pile is empty",
    "E4": "the game is over",
    "D1": "there are no Sacrifice tokens in the solo game",
    "D2": "keep exactly three cards; then it is A.D.A.M.'s turn",
    "D10": "the chosen solo levels forbid it",
    "R3": "there is no card left to draw",
    "R5": "you can still do something, so you may not pass",
    "R7": "the bag does not hold those colours",
    "R9": "the Cóatl could not be completed as the chosen solo levels ask",
}

assert set(REASONS) == set(CLAUSES) - {""}
