"""The clauses of docs/rules.md that can forbid a decision, as small numbers for the kernel."""

from __future__ import annotations

CLAUSES = (
    "",  # not forbidden
    *("S5", "S6", "T0", "T1", "T2", "P1", "P2", "P4"),
    *("A1", "A2", "A3", "A4", "A6", "A7", "A8", "A9", "A10"),
    *("K1", "K2", "K3", "E4", "D1", "D2", "D10", "R3", "R5", "R7", "R9"),
)

ALLOWED = 0
S5, S6 = CLAUSES.index("S5"), CLAUSES.index("S6")
T0, T1, T2 = CLAUSES.index("T0"), CLAUSES.index("T1"), CLAUSES.index("T2")
P1, P2, P4 = CLAUSES.index("P1"), CLAUSES.index("P2"), CLAUSES.index("P4")
A1, A2, A3, A4 = (CLAUSES.index(c) for c in ("A1", "A2", "A3", "A4"))
A6, A7, A8, A9, A10 = (CLAUSES.index(c) for c in ("A6", "A7", "A8", "A9", "A10"))
K1, K2, K3 = CLAUSES.index("K1"), CLAUSES.index("K2"), CLAUSES.index("K3")
E4 = CLAUSES.index("E4")
D1, D2, D10 = CLAUSES.index("D1"), CLAUSES.index("D2"), CLAUSES.index("D10")
R3, R5, R7, R9 = (CLAUSES.index(c) for c in ("R3", "R5", "R7", "R9"))
