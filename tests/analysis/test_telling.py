"""An analysis in words, as a curve and as a page."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from string import Formatter
from xml.etree import ElementTree

import msgspec
import pytest

from coatl.analysis import Analysis, Report, from_json
from coatl.analysis.course import ACTIONS
from coatl.analysis.curve import BARS, curve
from coatl.analysis.data import ChancePoint, SeatGrade, TurningPoint
from coatl.analysis.page import html
from coatl.analysis.words import NO_BREAK, Phrases, Speaker, load_phrases
from coatl.compiler.functions import DISABLED
from coatl.rulebook import LANGUAGES, Language
from tests.analysis.games import missed_win

pytestmark = pytest.mark.skipif(DISABLED, reason="the search needs compiled code")

DATA = Path(__file__).parents[1] / "data"
SVG = "{http://www.w3.org/2000/svg}"


@lru_cache(maxsize=1)
def missed() -> Report:
    return Analysis.of_record(missed_win(), "quick").run()


def fields(phrases: Phrases) -> dict[str, set[str]]:
    """Every phrase by its place, with the names that are put into it."""
    found: dict[str, set[str]] = {}
    for group, value in msgspec.to_builtins(phrases).items():
        texts = value if isinstance(value, dict) else {"": value}
        for name, text in texts.items():
            found[f"{group} {name}"] = {
                field for _, field, _, _ in Formatter().parse(text) if field
            }
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_phrases(language: Language) -> None:
    assert fields(load_phrases(language)) == fields(load_phrases("en"))


def test_every_action_has_words_and_a_bar() -> None:
    assert set(load_phrases("en").deed) - {"complete_several"} == set(BARS) == set(ACTIONS)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Seat 1 completes several Cóatl for 7 + 6 points"),
        ("fr", "Place 1 complète plusieurs Cóatl pour 7 + 6 points"),
        ("de", "Platz 1 vervollständigt mehrere Cóatl für 7 + 6 Punkte"),
    ],
)
def test_two_coatl_in_a_turn(language: Language, text: str) -> None:
    point = ChancePoint(3, 0, "complete", (1.0, 0.0), (13, 0), completed=(7, 6))
    assert Speaker(missed(), language).deed(point).replace(NO_BREAK, " ") == text


EXPECTED = {
    "en": ("Seat 1 won: Seat 1 3, Seat 2 0.", "Better: add G> to Cóatl 1 ("),
    "fr": ("Victoire de Place 1 : Place 1 3, Place 2 0.", "Mieux : ajouter G> au Cóatl 1 ("),
    "de": ("Sieg für Platz 1: Platz 1 3, Platz 2 0.", "Besser: G> an Cóatl 1 anfügen ("),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_summary_tells_result_turning_point_and_grades(language: Language) -> None:
    """The lead changes in turn 41: whatever the network thinks, seat 2 leads before it."""
    report = missed()
    before = msgspec.structs.replace(report.course[0], chances=(0.4, 0.6))
    report = msgspec.structs.replace(report, course=(before, *report.course[1:]))
    result, lead, turning, *grades = [
        sentence.replace(NO_BREAK, " ") for sentence in Speaker(report, language).summary()
    ]
    assert result == EXPECTED[language][0]
    assert "41" in lead
    assert EXPECTED[language][1] in turning
    assert len(grades) == 2
    assert not re.search(r"[{}]", "".join([result, lead, turning, *grades]))


@pytest.mark.parametrize(
    ("move", "text"),
    [
        ("take b3", "take KR"),
        ("pick YK+R@4", "choose YK+R"),
        ("draw", "draw a card from the deck"),
        ("new <K", "begin a Cóatl with <K"),
        ("<K+1", "add <K to Cóatl 1"),
        ("2+K>", "add K> to Cóatl 2"),
        ("1:YK+R", "fulfil YK+R with Cóatl 1"),
        ("1:{R}", "fulfil {R} with Cóatl 1"),
        ("2:noK/8@2", "lay the Temple card noK/8 on Cóatl 2"),
        ("1:R=Y/12", "lay the Temple card R=Y/12 on Cóatl 1"),
        ("token pick BG", "use Perfect Pick: BG"),
        ("token future", "use See the Future"),
        ("token priest 1", "use Priest Commitment: Temple pile 1"),
        ("drop KKK", "discard KKK"),
        ("done", "end it there"),
        ("pass", "pass"),
    ],
)
def test_moves_in_words(move: str, text: str) -> None:
    assert Speaker(missed(), "en").move(move, "KR" if move.startswith("take") else "") == text


def point(turn: int, seat: int | None, *chances: float) -> ChancePoint:
    return ChancePoint(turn, seat, "take", chances, (0,) * len(chances), "KR")


def test_the_lead_is_told() -> None:
    course = (point(0, None, 0.6, 0.4), point(1, 0, 0.4, 0.6), point(2, 1, 0.7, 0.3))
    report = msgspec.structs.replace(missed(), course=course, winners=(0,))
    (sentence,) = Speaker(report).lead()
    assert sentence == "Seat 1 was ahead from turn 2 on; the lead changed hands 2 times."
    (sentence,) = Speaker(msgspec.structs.replace(report, course=course[:1])).lead()
    assert sentence == "Seat 1 was ahead all the time."
    assert not list(Speaker(msgspec.structs.replace(report, winners=(0, 1))).lead())


@pytest.mark.parametrize(
    ("winners", "words"), [((0,), "Ana beat A.D.A.M."), ((1,), "A.D.A.M. beat Ana")]
)
def test_solo_in_words(winners: tuple[int, ...], words: str) -> None:
    solo = msgspec.structs.replace(
        missed(), players=1, names=("Ana",), winners=winners, points=(31, 28)
    )
    assert Speaker(solo).result().replace(NO_BREAK, " ") == f"{words}: Ana 31, A.D.A.M. 28."


def with_names(*names: str) -> Report:
    return msgspec.structs.replace(missed(), names=names)


def test_the_curve_is_a_picture_by_itself() -> None:
    drawing = curve(with_names("A & <B>", "bot:greedy"), "fr")
    root = ElementTree.fromstring(str(drawing))
    assert root.tag == f"{SVG}svg"
    lines = root.findall(f"{SVG}polyline")
    assert len(lines) == 2
    assert len(str(lines[0].get("points")).split()) == len(missed().course)
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert "A & <B>" in texts
    assert "greedy" in texts
    assert "1" in texts  # the turning point


def test_the_curve_of_an_analysis_under_way() -> None:
    empty = Analysis.of_record(missed_win(), "quick").report()
    ElementTree.fromstring(str(curve(empty)))
    ElementTree.fromstring(html(empty))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_needs_nothing_else(language: Language) -> None:
    page = html(with_names("A & <B>", "bot:greedy"), language)
    root = ElementTree.fromstring(page)
    assert root.get("lang") == language
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not tags & {"script", "link", "img", "iframe", "object"}
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not attributes & {"src", "href"}
    assert set(re.findall(r"https?://[^\"' ]+", page)) == {
        "http://www.w3.org/1999/xhtml",
        "http://www.w3.org/2000/svg",
    }
    assert "url(" not in page
    assert "A &amp; &lt;B&gt;" in page


def test_an_analysis_of_version_1_0_is_still_told() -> None:
    """It has no points lost."""
    report = from_json((DATA / "1.0" / "analysis.json").read_bytes())
    assert {grade.points_lost for grade in report.grades} == {None}
    assert html(report)
    ana = next(text for text in Speaker(report).summary() if text.startswith("Ana gave away"))
    assert "Artisan" not in ana


def test_points_lost_are_told_with_their_margin() -> None:
    lost = SeatGrade(0, 20, 0.031, 0.6, 7, points_lost=-0.04, points_margin=1.25)
    english, german = (Speaker(missed(), language) for language in ("en", "de"))
    assert (
        english.grade(lost).replace(NO_BREAK, " ").endswith(" 0.0 ± 1.2 points a turn were lost.")
    )
    worse = msgspec.structs.replace(lost, points_lost=-1.5)
    assert german.points_lost(worse).replace(NO_BREAK, " ") == "\u22121,5 ± 1,2"
    assert html(msgspec.structs.replace(missed(), grades=(worse,))).count("\u22121.5") == 1


def test_without_turning_points_the_page_says_so() -> None:
    calm = msgspec.structs.replace(missed(), turning_points=(), turns=())
    assert "No turn changed much." in html(calm)


def test_a_drop_without_a_better_move_says_so() -> None:
    course = (point(0, None, 0.6, 0.4), point(41, 1, 0.8, 0.2))
    fine = msgspec.structs.replace(missed().turns[0], loss=0.0, better=None)
    report = msgspec.structs.replace(missed(), course=course, turns=(fine,))
    told = list(Speaker(report).turning_point(TurningPoint(41, 1, "drop", -0.2, 0.0)))
    assert told[1] == "Nothing better was found."
