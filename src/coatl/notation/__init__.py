"""Positions as text: one compact notation for everything a state holds.

A position is a list of words. A bar ``|`` begins the section of the next seat; in solo the section
after the player's is A.D.A.M.'s. Words are ``name=value`` or flags, in any order::

    2p tokens seat=2 row=YG,{Y},KKK,-,-,- | hand=RK^,{Y} coatl=<KRRRB:{R} | board=<K,2R

Pieces: ``<K`` head, ``K`` body, ``K>`` tail, ``2R`` two of them. A Cóatl reads from head to tail,
cards after a colon, its Temple card among them. ``^`` marks a card in hand that everyone has seen.
What is left out gets a sensible default: pieces and cards not mentioned are in the bags, the deck
and the piles; the supply, the row and the pile tops are filled in a fixed order. docs/notation.md
lists every word.
"""

from coatl.notation.check import problems
from coatl.notation.read import parse_position
from coatl.notation.write import format_position

__all__ = ["format_position", "parse_position", "problems"]
