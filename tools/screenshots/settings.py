"""The games that the pictures are taken of: usual ones, and some that need all the room there is.

They are played from fixed secrets, so the same screens come out every time. The crowded ones begin
from a position: names of 40 letters, Cóatl of 16 pieces, full hands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from coatl.table import Practice, Table
from tests.browser.prepared import Prepared, in_turn, prepare, view_of

LONG = "Wilhelmina-Friederike von Hohenschwangau"  # as long as a name may be
UNBROKEN = "Llanfairpwllgwyngyllgogerychwyrndrobwlll"  # the same without a space
OTHER = "Maximiliano Etxeberria Goikoetxea-Urruti"


@dataclass(frozen=True)
class Setting:
    """A table, and how far it is played."""

    name: str
    kinds: tuple[str, ...]
    until: Callable[[Table], bool]
    seed: int
    options: Mapping[str, object] = field(default_factory=dict)

    def prepare(self, folder: Path, id: str) -> Prepared:
        return prepare(
            folder,
            *self.kinds,
            until=self.until,
            seed=self.seed,
            hurry=False,
            id=id,
            **self.options,
        )


def never(_table: Table) -> bool:
    return False


def my_final_turn(table: Table) -> bool:
    view = table.view(0)
    return view is not None and view.data.end is not None and table.to_move == 0


def may_choose(table: Table) -> bool:
    """Am I to decide in the middle of the game, with room in the hand for two cards?"""
    view = view_of(table, 0)
    return in_turn(20)(table) and not view.get("end") and view["seats"][0]["hand_size"] in (1, 2, 3)


WITH_TOKENS = {"tokens": True}
PEOPLE = ("Ana", "Ben", "Cleo")
CROWD = (LONG, f"bot:greedy as {UNBROKEN}", f"bot:greedy as {OTHER}", "bot:greedy as Wu")

# The bots come first, so that there is something to read in the log.
CROWDED_POSITION = """
4p tokens seat=2 turn=58 row=RB*+BR,GK*+KG,YKRGB,YYBBB,{G},YB+G
| hand=KB*+BK,RRRGG,RKBYG,{K},GR+K temples=R=Y/12^,noB/10 board=<K,R,R,G,B,Y>
  tokens=pick,future coatl=<GYYGRRBBKKYYGRRK:YG,{R},!YY!,!RR! coatl=<RKRKBRBRKB:RK,RB
| hand=YRYR,KGRBY,GY+G,{B} board=R,G,B,K,<Y,R>
  coatl=<BGGBKKYYRBBGKYY>:GB,{Y},B=K/9 coatl=<YKYKR
| hand=RGRG,YK,!BB! board=K,B coatl=<RYBYBGYBGG:YB coatl=<GRRR
| hand=- board=R,Y,G>
"""
FINAL_POSITION = """
4p tokens end=third trigger=2 left=2 seat=3 turn=68 actions=2
| hand=KB*+BK,RRRGG,RKBYG,{K},GR+K board=<K,R
  coatl=<GYYGRRBBKKYYGRRB>:YG,{R},R=Y/12 coatl=<RKRKBRB:RK
| hand=- coatl=<BGGBKKYYYRBBGK>:GB,{Y} coatl=<YKYK>:YK coatl=<RYBY>:YB
| coatl=<KGG board=R,B | board=R
"""
COMPLETION_POSITION = """
4p tokens phase=fulfil pending=1 turn=58
| hand={Y},RRBB,{K},YK,GR+K temples=R=Y/12^,noB/10 board=R,R,G
  tokens=pick,future coatl=<GYYGRRBBKKYYGRRB>:YG,{R} coatl=<RKRKBRB:RK
| hand=YRYR,KGRBY,GY+G board=R,G,B | coatl=<KGG | board=R
"""
BARE_COMPLETION_POSITION = """
2p tokens phase=fulfil pending=1 turn=20 | board=R tokens=- coatl=<YGB>:YG | board=R
"""
BARE_POSITION = "2p tokens turn=9 | tokens=- | board=R"
SOLO_POSITION = """
solo levels=235 turn=30
| hand=KB*+BK,RRRGG,RKBYG board=<K,R,R,G,B,Y
  coatl=<GYYGRRBBKKYYGRRB>:YG,{R},!YY!,R=G/6 coatl=<RKRKBRB:RK
| cards=YRYR(Y),KGRBY(K,R),GY+G(G),YK fulfilled=GB,{Y},RB,YB
"""


def from_position(position: str) -> dict[str, object]:
    return {"practice": Practice(" ".join(position.split()), ())}


SETUP = Setting("setup", PEOPLE, in_turn(0, phase="setup"), 204, WITH_TOKENS)
SOLO_SETUP = Setting("solo-setup", ("Ana",), in_turn(0, phase="setup"), 203, {"levels": (3,)})
EARLY = Setting("early", ("Ana", "bot:greedy"), in_turn(5), 205, WITH_TOKENS)
HINTED = Setting("hinted", ("Ana", "bot:greedy", "bot:greedy"), in_turn(20), 205, WITH_TOKENS)
MIDDLE = Setting("middle", PEOPLE, in_turn(40), 206, WITH_TOKENS)
CHOOSING = Setting("choosing", PEOPLE, may_choose, 216, WITH_TOKENS)
ASSEMBLY = Setting("assembly", PEOPLE, in_turn(40, phase="assemble"), 206, WITH_TOKENS)
FOUR = Setting("four", (*PEOPLE, "Dov"), in_turn(58, place=2), 212, WITH_TOKENS)
FINAL = Setting("final", PEOPLE, my_final_turn, 210, WITH_TOKENS)
COMPLETION = Setting("completion", ("Ana", "Ben"), in_turn(20, phase="fulfil"), 209, WITH_TOKENS)
SOLO = Setting("solo", ("Ana",), in_turn(24), 207, {"levels": (2, 3)})
OVER = Setting("over", PEOPLE, never, 210, WITH_TOKENS)
TWO_OVER = Setting("two-over", ("Ana", "Ben"), never, 211, WITH_TOKENS)
SOLO_OVER = Setting("solo-over", ("Ana",), never, 213, {"levels": (1,)})

CROWDED = Setting("crowded", CROWD, in_turn(58), 220, from_position(CROWDED_POSITION))
CROWDED_FOUR = Setting(
    "crowded-four", (LONG, UNBROKEN, OTHER, "Wu"), in_turn(66, place=1), 221, WITH_TOKENS
)
CROWDED_FINAL = Setting("crowded-final", CROWD, in_turn(69), 222, from_position(FINAL_POSITION))
CROWDED_COMPLETION = Setting(
    "crowded-completion",
    CROWD,
    in_turn(58, phase="fulfil"),
    223,
    from_position(COMPLETION_POSITION),
)
CROWDED_SOLO = Setting("crowded-solo", (LONG,), in_turn(30), 224, from_position(SOLO_POSITION))
CROWDED_OVER = Setting("crowded-over", CROWD, never, 225, from_position(CROWDED_POSITION))
BARE = Setting("bare", ("Ana", "bot:greedy"), in_turn(9), 226, from_position(BARE_POSITION))
BARE_COMPLETION = Setting(
    "bare-completion",
    ("Ana", "bot:greedy"),
    in_turn(20, phase="fulfil"),
    227,
    from_position(BARE_COMPLETION_POSITION),
)

# Tables that the home screen lists; each with a secret of its own, and so with other tokens.
MY_TABLES = (
    Setting("mine-1", ("Ana", "bot:greedy"), in_turn(31), 231, WITH_TOKENS),
    Setting("mine-2", PEOPLE, in_turn(40, place=1), 232, WITH_TOKENS),
    Setting("mine-3", ("Ana",), in_turn(12), 233, {"levels": (1,)}),
    Setting("mine-4", ("Ana", "Ben"), never, 234, WITH_TOKENS),
)
MY_CROWDED_TABLES = (
    Setting("mine-5", (LONG, UNBROKEN, OTHER, "Wu"), in_turn(50), 235, WITH_TOKENS),
    Setting("mine-6", CROWD, in_turn(58), 236, from_position(CROWDED_POSITION)),
    Setting("mine-7", (LONG, UNBROKEN, OTHER), never, 237, WITH_TOKENS),
)
