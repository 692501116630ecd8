"""docs/analysis.md names every field of the JSON, and states the depths as they are."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from coatl.analysis import DEPTHS, data

PAGE = (Path(__file__).parents[2] / "docs" / "analysis.md").read_text("utf-8")
STRUCTS = [
    value
    for value in vars(data).values()
    if isinstance(value, type)
    and issubclass(value, msgspec.Struct)
    and value.__module__ == data.__name__
    if not value.__name__.startswith("_")
]


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_field_is_documented(struct: type[msgspec.Struct]) -> None:
    section = PAGE.partition(f"#### `{struct.__name__}`\n")[2].partition("\n#")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    named = re.findall(r"`(\w+)`", " ".join(rows))
    assert sorted(named) == sorted(struct.__struct_fields__)


def test_the_depths_are_those_of_the_table() -> None:
    rows = [
        f"| `{depth.name}` | {depth.samples} | {depth.simulations:,} | {100 * depth.margin:g} % "
        f"| {depth.games} |"
        for depth in DEPTHS.values()
    ]
    assert "\n".join(rows) in PAGE
