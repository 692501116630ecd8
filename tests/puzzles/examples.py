"""Puzzles by hand, one of each kind, whose answers are easy to see."""

from __future__ import annotations

from coatl.puzzles import Puzzle, PuzzleKind

CLOSE = Puzzle(
    PuzzleKind.CLOSE,
    "2p phase=assemble piles=noK/8,noG/9 | board=K>,R,G hand=RRR,YG coatl=<KRR |",
    "<KRRRK>:RRR,noG/9",
    3 + 3,
)
CARDS = Puzzle(
    PuzzleKind.CARDS,
    "2p phase=fulfil pending=1 piles=noR/11,noB/10 | hand={R},RRR,YG,KKK coatl=<BRRRK> |",
    "<BRRRK>:RRR,{R}",
    5,
)
WIN = Puzzle(
    PuzzleKind.WIN,
    "2p phase=assemble end=third trigger=2 piles=noK/8,noG/9 | board=K>,R,G hand=RRR coatl=<KRR "
    "| coatl=<YKKKY>:{K} coatl=<RKB>:RK coatl=<GYG>:YG",
    "<KRRRK>:RRR,noG/9",
    3 + 3,
)
ADAM = Puzzle(
    PuzzleKind.ADAM,
    "solo phase=assemble piles=noR/11,noB/10 | board=K>,2R hand=RRR coatl=<BRRK>:!RR! "
    "coatl=<YGB>:YG coatl=<BR | fulfilled=YB",
    "<BRRRK>:RRR",
    3,
)
