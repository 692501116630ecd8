"""Why a move is not allowed: one short sentence for each cause."""

from __future__ import annotations

from dataclasses import dataclass

from coatl.rules.causes import Cause

REASONS = {
    Cause.S5_FIRST: "first choose which Prophecy cards to keep",
    Cause.S5_TOO_MANY: "keep three Prophecy cards at most: discard the others first",
    Cause.S5_HAND: "that card is not in your hand",
    Cause.S6_TOKENS: "this table plays without Sacrifice tokens",
    Cause.T0_UNKNOWN: "there is no such decision",
    Cause.T0_PICKING: "one action a turn: you are choosing Prophecy cards",
    Cause.T0_ASSEMBLING: "one action a turn: you are assembling",
    Cause.T0_NOTHING: "you have not begun an action that could be ended",
    Cause.T0_STEP: "it is not A.D.A.M.'s turn",
    Cause.T0_UNDO: "nothing of this turn can be taken back",
    Cause.T1_EMPTY: "there is nothing in that space",
    Cause.T2_ROOM: "there is not enough room on your board of eight spaces",
    Cause.P1_EMPTY: "there is no card at that place",
    Cause.P1_NONE_TAKEN: "take at least one card first",
    Cause.P2_FULL: "your hand is full: five Prophecy cards are the most",
    Cause.P2_LEVEL_2: "your hand is full: at level 2 four Prophecy cards are the most",
    Cause.P4_HAND: "cards leave your hand only by being fulfilled or by See the Future",
    Cause.A1_PIECE: "there is no such piece on your board",
    Cause.A1_INCOMPLETE: "you have two incomplete Cóatl already",
    Cause.A1_THREE: "you have three Cóatl already",
    Cause.A2_PIECE: "there is no such piece on your board",
    Cause.A2_COATL: "you have no such Cóatl",
    Cause.A3_HAND: "that card is not in your hand",
    Cause.A3_COATL: "you have no such Cóatl",
    Cause.A3_UNSATISFIED: "the Cóatl does not satisfy that card yet",
    Cause.A4_HEAD_THERE: "nothing goes to the left of a head",
    Cause.A4_TAIL_THERE: "nothing goes to the right of a tail",
    Cause.A4_HEAD_SIDE: "a head goes on the left end",
    Cause.A4_TAIL_SIDE: "a tail goes on the right end",
    Cause.A6_FOUR: "the Cóatl has four Prophecy cards already",
    Cause.A6_IDENTICAL: "an identical card lies on the Cóatl already",
    Cause.A7_BODY: "that piece would close the Cóatl, and it has no body segment",
    Cause.A8_CARD: "that piece would close the Cóatl, and no Prophecy card is laid or fits",
    Cause.A9_FIRST: "before anything else, complete the Cóatl that is closed",
    Cause.A9_PROPHECIES: "its Prophecy cards come first: end them with 'done'",
    Cause.A9_ONE_CARD: "lay at least one Prophecy card on the closed Cóatl first",
    Cause.A9_NO_COMPLETION: "a Temple card is laid only while a Cóatl is being completed: none is",
    Cause.A9_UNMET: "the Cóatl meets no requirement of that Temple card",
    Cause.A9_PILE: "that pile is empty",
    Cause.A9_HAND: "that Temple card is not in your hand",
    Cause.A10_COMPLETE: "a complete Cóatl takes no more pieces or cards",
    Cause.K1_USED: "Perfect Pick has been used",
    Cause.K2_USED: "See the Future has been used",
    Cause.K2_UNFINISHED: "finish See the Future first",
    Cause.K2_HAND: "that card is not in your hand",
    Cause.K3_USED: "Priest Commitment has been used",
    Cause.K3_PILE: "that pile is empty",
    Cause.E4_OVER: "the game is over",
    Cause.D1_TOKENS: "there are no Sacrifice tokens in the solo game",
    Cause.D2_TOO_MANY: "keep exactly three cards: discard the others first",
    Cause.D2_TOO_FEW: "keep exactly three cards: discard no more",
    Cause.D2_ADAM: "it is A.D.A.M.'s turn",
    Cause.D10_LEVEL_1: "level 1: a Temple card has to be fulfilled with this Cóatl",
    Cause.D10_LEVEL_3: "level 3: a card of that card colour lies on the Cóatl already",
    Cause.R3_NONE: "there is no card left to draw",
    Cause.R5_POSSIBLE: "you can still take pieces, choose cards or assemble, so you may not pass",
    Cause.R5_SECOND: "a second action is declined with 'done', not passed",
    Cause.R7_END: "the bag does not hold that piece",
    Cause.R7_PAIR: "the bag does not hold those two body segments",
    Cause.R9_NOT_FOUR: "level 4: lay four Prophecy cards on the closed Cóatl first",
    Cause.R9_LEVEL_1: "level 1: no Temple card on top of a pile would fit the Cóatl",
    Cause.R9_LEVEL_4: "level 4: the Cóatl could not get four Prophecy cards",
    Cause.R9_LEVELS_1_4: "levels 1 and 4: with four Prophecy cards no Temple card would fit",
    Cause.R9_LEVELS_3_4: "levels 3 and 4: it could not get four cards of different card colours",
    Cause.R9_LEVELS_1_3_4: "no choice of cards would meet levels 1, 3 and 4 together",
}

assert set(REASONS) == set(Cause) - {Cause.ALLOWED}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is not allowed: a clause of docs/rules.md, a sentence, and the code of the cause.

    A clause may forbid something for several causes, such as ``A1.piece`` and ``A1.incomplete``.
    """

    clause: str
    text: str
    cause: str


def reason_of(number: int) -> Reason:
    """The reason behind a number that the kernel returned (`compiled.why_not`), other than 0."""
    cause = Cause(number)
    return Reason(cause.clause, REASONS[cause], cause.code)
