"""Why a decision is forbidden: every cause there is, as a small number for the kernel.

A cause belongs to one clause of docs/rules.md and is told apart from the others of that clause by a
word. Its code, such as ``A1.incomplete``, is told to clients and does not change; the sentences for
people are in :mod:`coatl.reasons`.
"""

from __future__ import annotations

from enum import IntEnum, auto


class Cause(IntEnum):
    """One cause each. `compiled.why_not` returns the number: ``Cause(number).code``."""

    ALLOWED = 0
    S5_FIRST = auto()  # what to keep is chosen before anything else
    S5_TOO_MANY = auto()
    S5_HAND = auto()
    S6_TOKENS = auto()
    T0_UNKNOWN = auto()  # no decision has that number
    T0_PICKING = auto()  # an action is under way
    T0_ASSEMBLING = auto()
    T0_NOTHING = auto()  # no action is under way that could be ended
    T0_STEP = auto()
    T0_UNDO = auto()
    T1_EMPTY = auto()
    T2_ROOM = auto()
    P1_EMPTY = auto()
    P1_NONE_TAKEN = auto()
    P2_FULL = auto()
    P2_LEVEL_2 = auto()
    P4_HAND = auto()
    A1_PIECE = auto()
    A1_INCOMPLETE = auto()
    A1_THREE = auto()
    A2_PIECE = auto()
    A2_COATL = auto()
    A3_HAND = auto()
    A3_COATL = auto()
    A3_UNSATISFIED = auto()
    A4_HEAD_THERE = auto()
    A4_TAIL_THERE = auto()
    A4_HEAD_SIDE = auto()
    A4_TAIL_SIDE = auto()
    A6_FOUR = auto()
    A6_IDENTICAL = auto()
    A7_BODY = auto()
    A8_CARD = auto()
    A9_FIRST = auto()  # the closed Cóatl is completed before anything else
    A9_PROPHECIES = auto()  # (i) comes before (ii)
    A9_ONE_CARD = auto()
    A9_NO_COMPLETION = auto()
    A9_UNMET = auto()
    A9_PILE = auto()
    A9_HAND = auto()
    A10_COMPLETE = auto()
    K1_USED = auto()
    K2_USED = auto()
    K2_UNFINISHED = auto()
    K2_HAND = auto()
    K3_USED = auto()
    K3_PILE = auto()
    E4_OVER = auto()
    D1_TOKENS = auto()
    D2_TOO_MANY = auto()
    D2_TOO_FEW = auto()
    D2_ADAM = auto()
    D10_LEVEL_1 = auto()
    D10_LEVEL_3 = auto()
    R3_NONE = auto()
    R5_POSSIBLE = auto()
    R5_SECOND = auto()
    R7_END = auto()
    R7_PAIR = auto()
    R9_NOT_FOUR = auto()  # (i) is left too early
    R9_LEVEL_1 = auto()  # the fewest of the chosen levels that cannot be met together
    R9_LEVEL_4 = auto()
    R9_LEVELS_1_4 = auto()
    R9_LEVELS_3_4 = auto()
    R9_LEVELS_1_3_4 = auto()

    @property
    def clause(self) -> str:
        """The clause of docs/rules.md; empty for ALLOWED."""
        return self.name.partition("_")[0] if self else ""

    @property
    def code(self) -> str:
        """The clause and a word, such as ``A1.incomplete``; empty for ALLOWED."""
        clause, _, word = self.name.partition("_")
        return f"{clause}.{word.lower()}" if self else ""


ALLOWED = int(Cause.ALLOWED)
