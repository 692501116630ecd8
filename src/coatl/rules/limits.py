"""How many cards somebody is dealt or may have (S3, S5, P2, D2, D10).

Plain functions of numbers: Python calls them, and the kernel compiles its own copy of each.
"""

from __future__ import annotations

from coatl.rules.state import HAND_LIMIT, KEPT_AT_SETUP, LEVEL_2, LEVEL_5, MAX_ADAM_CARDS

SOLO_CARDS_DEALT = 5  # D2


def hand_limit(levels: int) -> int:
    """The hand limit: Prophecy cards in hand at most (P2); solo level 2: one fewer (D10)."""
    return HAND_LIMIT - 1 if levels & LEVEL_2 else HAND_LIMIT


def cards_dealt(players: int, seat: int) -> int:
    """S5: 3, 4, 5, 6 Prophecy cards in turn order; D2: 5 in solo."""
    return SOLO_CARDS_DEALT if players == 1 else KEPT_AT_SETUP + seat


def temples_dealt(players: int) -> int:
    """S3: one Temple card to each player; R23: none in solo."""
    return 0 if players == 1 else 1


def adam_cards(levels: int) -> int:
    """D2: A.D.A.M. has three cards; D10 level 5, R19: four throughout."""
    return MAX_ADAM_CARDS if levels & LEVEL_5 else MAX_ADAM_CARDS - 1
