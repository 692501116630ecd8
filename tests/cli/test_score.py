"""`coatl score`: the cards that a Cóatl satisfies, their points, and the pieces they use."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from coatl.rules.cards import card_name, prophecies
from tests.cli import program
from tests.rules import brute_force

pytestmark = program.compiled

Row = tuple[str, int, int]  # name, points, times

CARD_ROW = re.compile(r"(?P<card>\S+)  +(?P<levels>\S→.*?)  +(?P<points>\d+)  +(?P<met>\d+)×  +")
TEMPLE_ROW = re.compile(r"(?P<card>\S+)  +(?P<points>\d+)  +(?P<met>\S.*)")


def section(text: str, title: str) -> list[str]:
    """The lines of a table, without its heading."""
    lines = text.splitlines()
    start = lines.index(title) + 2 if title in lines else len(lines)
    return [line.rstrip() for line in lines[start:]]


def prophecy_rows(text: str) -> list[Row]:
    found = map(CARD_ROW.match, section(text, "Prophecy cards"))
    return [(row["card"], int(row["points"]), int(row["met"])) for row in found if row]


def temple_rows(text: str) -> list[tuple[str, int]]:
    found = map(TEMPLE_ROW.match, section(text, "Temple cards"))
    return [(row["card"], int(row["points"])) for row in found if row]


def pieces_used(text: str, card: str) -> str:
    """The last column of a card."""
    rows = [line for line in section(text, "Prophecy cards") if line.startswith(f"{card} ")]
    assert len(rows) == 1
    return rows[0].split()[-1]


def satisfied(colours: str, promo: bool = False) -> set[Row]:
    """By the brute force: nothing of it comes from the package."""
    rows = set()
    for card in brute_force.PROPHECIES:
        times = brute_force.times(card.pattern, colours)
        points = brute_force.points(card.levels, times)
        if points and (promo or not card.promo):
            rows.add((card_name(card.pattern), points, times))
    return rows


def temples_met(colours: str, promo: bool = False) -> set[tuple[str, int]]:
    rows = set()
    for temple in brute_force.TEMPLES:
        points = brute_force.temple_points(temple, colours)
        if points and (promo or not temple.promo):
            rows.add(("/".join(temple.requirements).replace(" ", ""), points))
    return rows


def test_the_cards_of_a_coatl() -> None:
    text = program.output("score", "<KRRBGY>")
    assert "Cóatl  <KRRBGY>  6 pieces" in text
    assert prophecy_rows(text) == [("!RR!", 2, 1), ("RB", 1, 1)]
    assert pieces_used(text, "!RR!") == "<kRRbgy>"
    assert pieces_used(text, "RB") == "<krRBgy>"
    assert temple_rows(text)[0] == ("Y=G/6", 7)
    assert "as many yellow as green pieces, at least one each; exactly 6 pieces" in (
        program.flowing(text)
    )
    assert set(temple_rows(text)) == temples_met("KRRBGY")


def some_coatls() -> list[str]:
    """Open and closed ones in which patterns are likely, of the lengths that games have."""
    random = Random(14)
    cards = random.sample(brute_force.PROPHECIES, 6)
    bodies = [brute_force.sample(random, card.pattern, random.randrange(5, 16)) for card in cards]
    ends = (("<", ">"), ("", ""), ("<", ""), ("", ">"), ("<", ">"), ("<", ">"))
    return [f"{left}{body}{right}" for body, (left, right) in zip(bodies, ends, strict=True)]


@pytest.mark.parametrize("number", range(9))
def test_points_and_times_are_those_of_the_brute_force(number: int) -> None:
    coatl = ["RRR", "<RGRGRGRG", "KKKKKK>", *some_coatls()][number]
    promo = number % 2 == 0
    text = program.output("score", coatl, *(["--promo"] if promo else []))
    colours = coatl.strip("<>")
    rows = prophecy_rows(text)
    assert set(rows) == satisfied(colours, promo)
    assert [points for _, points, _ in rows] == sorted((row[1] for row in rows), reverse=True)
    assert set(temple_rows(text)) == temples_met(colours, promo)
    for card in prophecies(promo):
        if card.points(coatl):
            used = {at for match in card.matches(coatl).positions for at in match}
            shown = [c if at in used else c.lower() for at, c in enumerate(colours)]
            assert pieces_used(text, card.name).strip("<>") == "".join(shown)


def test_the_samples_have_something_to_score() -> None:
    rows = [satisfied(coatl.strip("<>"), promo=True) for coatl in some_coatls()]
    assert sum(map(len, rows)) > 20
    assert any(len(name) > 3 and name[0] == "{" for found in rows for name, _, _ in found)
    assert any(times > 1 for found in rows for _, _, times in found)


def test_a_coatl_that_satisfies_nothing() -> None:
    assert satisfied("KR") == set()
    text = program.output("score", "KR")
    assert "Cóatl  KR  2 pieces" in text
    assert "No Prophecy card is satisfied." in text
    assert set(temple_rows(text)) == temples_met("KR")


def test_a_deck_of_ones_own(tmp_path: Path) -> None:
    deck = program.write(tmp_path, "my.toml", program.SMALL_DECK)
    text = program.output("score", "<KBKRYYR>", "--deck", deck)
    found = {("{Y}", 2, 2), ("{R}", 2, 2), ("{K}", 2, 2), ("!RB!Y", 1, 1)}
    assert set(prophecy_rows(text)) == found
    assert temple_rows(text) == [("noY/7", 3), ("R=Y/12", 3)]


@pytest.mark.parametrize(
    ("coatl", "reason"),
    [
        ("<K!", "the letters KRBYG, not '<K!'"),
        ("", "at least one piece"),
        ("<>", "at least one piece"),
        ("<K>", "at least one body segment (A7)"),
        ("<KR>", "at least one body segment (A7)"),
        ("<krr", "the letters KRBYG, not '<krr'"),
        ("K<R", "the letters KRBYG, not 'K<R'"),
        ("<K R R>", "the letters KRBYG, not '<K R R>'"),
        ("КRR", "the letters KRBYG"),  # a Cyrillic letter
    ],
)
def test_what_is_no_coatl(coatl: str, reason: str) -> None:
    assert reason in program.failure("score", coatl)
