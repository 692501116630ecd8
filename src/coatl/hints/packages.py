"""What is compiled for hints; whoever needs to know that does not need hints themselves."""

from __future__ import annotations

from coatl.players.bots import SEARCH

NEEDED_FOR_HINTS = (*SEARCH, "coatl.solver")
