"""Writes docs/observation.md from the table of the observation (`coatl.encode.layout`).

`python -m tools.observation_docs` runs it; a test compares the result with the file.
"""

from __future__ import annotations

from pathlib import Path

from coatl.encode import layout
from coatl.encode import meanings as means

PAGE = Path(__file__).parent.parent / "docs" / "observation.md"

INTRODUCTION = """# The observation

What a network sees: a row of {size} signed bytes about one decision, from the point of view of the
seat to move. It is written from what that seat may know (`rules.knowledge.redact`) and from nothing
else, so the cards in other hands and the order of the deck cannot leak into it; a test deals the
hidden cards anew and compares every byte. Layout version {version}.

This page is made from the table in `coatl/encode/layout.py` by `make observation`.
*Scale* is what a network multiplies the bytes of a field by. Cards and Temple cards are in the
order of `coatl cards`, colours in the order K R B Y G; kinds are heads, tails and bodies by colour.
"""

ACTIONS = """
## Actions
{count} actions, by meaning: they name the thing, not the place where it lies. Where two places hold
the same thing, the first is taken. Open Cóatl are counted in the order in which they were begun.

| first | how many | action |
| ---: | ---: | --- |
"""


def make_page() -> str:
    page = INTRODUCTION.format(size=layout.N_OBSERVED, version=layout.VERSION)
    first = 0
    for block in layout.BLOCKS:
        page += f"\n## {block.meaning}\n"
        if block.times > 1:
            page += f"{block.times} times, {block.size} bytes each, from byte {first} on.\n"
        else:
            page += f"{block.size} bytes.\n"
        page += "\n| byte | size | field | scale | meaning |\n| ---: | ---: | --- | ---: | --- |\n"
        for entry in block.fields:
            page += (
                f"| {first + entry.offset} | {entry.size} | `{entry.name}` "
                f"| {entry.scale:g} | {entry.meaning} |\n"
            )
        first += block.size * block.times
    unused = layout.N_OBSERVED - layout.N_USED
    page += f"\nThe last {unused} bytes are 0: rows begin at whole 16 bytes.\n" if unused else ""
    return page + make_actions()


def make_actions() -> str:
    rows = (
        (means.TAKE_PAIR, "take a pair of body segments, by pair of colours"),
        (means.TAKE_HEAD, "take a head, by colour"),
        (means.TAKE_TAIL, "take a tail, by colour"),
        (means.PICK, "choose a face-up Prophecy card"),
        (means.DRAW, "draw the top card of the deck"),
        (means.BEGIN, "begin a Cóatl, by kind"),
        (means.PERFECT_END, "Perfect Pick of a head or tail, by kind"),
        (means.PERFECT_PAIR, "Perfect Pick of two body segments, by pair of colours"),
        (means.FUTURE_TOKEN, "See the Future"),
        (means.PRIEST, "Priest Commitment, by Temple card"),
        (means.TEMPLE, "lay a Temple card from the hand or a pile"),
        (means.DISCARD, "discard a Prophecy card (setup, See the Future)"),
        (means.DONE, "done"),
        (means.PASS, "pass"),
        (
            means.OPEN,
            "first open Cóatl: add head, tail, body left, body right (by colour); lay",
        ),
        (means.OPEN + means.OPEN_ACTIONS, "second open Cóatl, likewise"),
    )
    ends = [first for first, _ in rows[1:]] + [means.N_ACTIONS]
    lines = [
        f"| {first} | {end - first} | {text} |"
        for (first, text), end in zip(rows, ends, strict=True)
    ]
    return ACTIONS.format(count=means.N_ACTIONS) + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(make_page(), encoding="utf-8")
