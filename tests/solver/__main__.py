"""`python -m tests.solver 5000`: hold as many made-up positions against brute force."""

from __future__ import annotations

import sys

from tests.solver.checking import assert_best
from tests.solver.positions import MadeUp

if __name__ == "__main__":
    wanted = int(sys.argv[1])
    made_up = MadeUp(f"by hand {sys.argv[2:]}", most_pieces=6)
    closable = sum(assert_best(*made_up.position()) for _ in range(wanted))
    print(f"{wanted} positions, {closable} in which a Cóatl can be closed: all as brute force says")
