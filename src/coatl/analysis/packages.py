"""What is compiled for an analysis; a server has it compiled beforehand."""

from __future__ import annotations

from coatl.players.bots import SEARCH

NEEDED_FOR_ANALYSES = (*SEARCH, "coatl.solver", "coatl.search.playouts")
