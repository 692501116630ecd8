"""The page's texts: none missing, unused or left in English; and the built page has them."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coatl.card_text import prophecy_sentence, temple_sentence
from coatl.players.bots import BOTS
from coatl.rulebook import LANGUAGES, Language
from coatl.rulebook.files import read_language
from coatl.rules.cards import prophecies, temples

ROOT = Path(__file__).parent.parent
MESSAGES, SOURCES = ROOT / "web" / "messages", ROOT / "web" / "src"
STATIC = ROOT / "src" / "coatl" / "static"
LARGEST = 365_000  # bytes of all its screens in all languages, gzipped, without fonts

# Texts that are the same in English and in another language, and rightly so.
ALIKE = {
    "fr": {"a_bot", "adam", "coatl_number", "menu", "seat_bot", "segments", "temple_pile"}
    | {"tokens", "replay_pause", "temples", "two_segments", "points_of", "card_points"}
    | {"final_points", "games_points", "is_bot", "notation", "pace_normal", "pause"}
    | {"try_segment", "lesson_coach", "puzzle_temple"},
    "de": {
        "adam",
        "lesson_coach",
        "colon",
        "deck",
        "coatl_number",
        "count_coatls",
        "name_hint",
        "seat_bot",
        "seat_link",
    }
    | {"notation", "pace_normal", "replay_pause", "as_system", "card_size_normal"}
    | {"try_segment", "lesson_coach", "puzzle_temple"},
}


def read(language: str) -> dict[str, Any]:
    return dict(json.loads((MESSAGES / f"{language}.json").read_text(encoding="utf-8")))


def texts(entry: Any) -> list[str]:
    """A message's texts: one, or one for each plural."""
    return [entry] if isinstance(entry, str) else list(entry[0]["match"].values())


def inputs(entry: Any) -> set[str]:
    return {name for text in texts(entry) for name in re.findall(r"\{(\w+)\}", text)}


def keys(language: str) -> list[str]:
    return [key for key in read(language) if not key.startswith("$")]


def test_every_language_has_every_key() -> None:
    assert set(keys("fr")) == set(keys("en")) == set(keys("de"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_are_sorted_and_there_once(language: str) -> None:
    text = (MESSAGES / f"{language}.json").read_text(encoding="utf-8")
    pairs: list[tuple[str, Any]] = json.loads(text, object_pairs_hook=list)
    found = [key for key, _ in pairs if not key.startswith("$")]
    assert found == sorted(set(found))


def test_every_key_is_used_in_the_page() -> None:
    files = [
        file
        for file in SOURCES.rglob("*")
        if file.suffix in (".svelte", ".ts") and "paraglide" not in file.parts
    ]
    used = set(re.findall(r"\bm\.(\w+)", "\n".join(f.read_text(encoding="utf-8") for f in files)))
    assert set(keys("en")) - used == set()


@pytest.mark.parametrize("language", ["fr", "de"])
def test_no_text_is_left_in_english(language: str) -> None:
    english, other = read("en"), read(language)
    same = {key for key in keys("en") if texts(english[key]) == texts(other[key])}
    same = {key for key in same if re.sub(r"\{\w+\}|\W|\d", "", "".join(texts(english[key])))}
    assert same - ALIKE[language] == set()


@pytest.mark.parametrize("language", ["fr", "de"])
def test_texts_have_the_same_inputs_in_every_language(language: str) -> None:
    english, other = read("en"), read(language)
    assert {key: inputs(other[key]) for key in keys("en")} == {
        key: inputs(english[key]) for key in keys("en")
    }


def built() -> list[Path]:
    if not (STATIC / "index.html").is_file():
        pytest.skip("the page is not built: make web")
    return [file for file in STATIC.rglob("*") if file.is_file()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_built_page_has_the_sentences_of_each_language(language: str) -> None:
    """With its plugin missing, paraglide builds a page whose texts are all undefined."""
    script = "".join(file.read_text(encoding="utf-8") for file in built() if file.suffix == ".js")
    catalogue = read(language)
    for key in ("tagline", "draw_warning", "prompt_main"):
        assert catalogue[key] in script


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_file_of_a_language_has_every_text_by_its_name(language: str) -> None:
    """The page takes them from there by name, while it runs: the first screen from one of two."""
    files = [file for file in built() if re.match(rf"{language}-.*\.js$", file.name)]
    assert len(files) == 2
    first, further = [exported(file) for file in files]
    assert set(keys(language)) <= first | further
    assert not first & further


def exported(script: Path) -> set[str]:
    names = script.read_text(encoding="utf-8").rsplit("export{", 1)[1].split(",")
    return {name.rpartition(" as ")[2].strip('";}\n ') for name in names}


def test_the_font_comes_with_its_licence() -> None:
    (licence,) = [file for file in built() if file.name == "alegreya-sans-OFL.txt"]
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence.read_text(encoding="utf-8")


def test_the_built_page_is_small() -> None:
    """All of it; what the first screen takes is counted in `tests/browser/test_light.py`."""
    apart = (".woff", ".woff2", ".br", ".png")  # the pictures are for those who install it
    files = [file for file in built() if file.suffix not in apart]
    assert sum(len(gzip.compress(file.read_bytes())) for file in files) <= LARGEST


# ---------------------------------------------------------------- typography


def all_texts(language: Language) -> dict[str, list[str]]:
    """The page's texts and those that the server sends it, by name."""
    found = {name: texts(entry) for name, entry in read(language).items()}
    found |= {bot.name: [bot.title[language], bot.text[language]] for bot in BOTS}
    found["rules"] = list(texts_within(read_language(language)))
    found["prophecies"] = [prophecy_sentence(card, language) for card in prophecies(promo=True)]
    found["temples"] = [temple_sentence(card, language) for card in temples(promo=True)]
    return found


def texts_within(entry: Any) -> Iterator[str]:
    """Every text in the values of a file."""
    if isinstance(entry, str):
        yield entry
    else:
        for part in entry.values() if isinstance(entry, dict) else entry:
            yield from texts_within(part)


@pytest.mark.parametrize("language", LANGUAGES)
def test_apostrophes_are_typographic(language: Language) -> None:
    straight = [text for many in all_texts(language).values() for text in many if "'" in text]
    assert straight == []


def test_french_signs_do_not_begin_a_line() -> None:
    """Before : ; ? ! and inside « » there is a no-break space."""
    sign = re.compile(r"(?<![\u00a0\d])[:;?!»]|«(?!\u00a0)|[ ][:;?!»]")
    wrong = [text for many in all_texts("fr").values() for text in many if sign.search(text)]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_dots_do_not_begin_a_line(language: Language) -> None:
    wrong = [text for many in all_texts(language).values() for text in many if " …" in text]
    assert wrong == []


def test_the_french_singular_says_how_many() -> None:
    """In French none is singular, too: a text with a 1 in it would be wrong then."""
    for name, entry in read("fr").items():
        if not isinstance(entry, str):
            for key, text in entry[0]["match"].items():
                assert "=one" not in key or not re.search(r"\b1\b", text), (name, text)


def test_no_sign_is_put_behind_a_message_by_hand() -> None:
    """A colon has a space before it in French: `m.colon()` is in the reader's language."""
    by_hand = re.compile(r"\)\}:[ <$]")
    files = [*SOURCES.rglob("*.svelte"), *(SOURCES / "lib").rglob("*.ts")]
    assert len(files) > 100
    wrong = [file.name for file in files if by_hand.search(file.read_text(encoding="utf-8"))]
    assert wrong == []


# ---------------------------------------------------------------- colours and counts


def variants(entry: Any) -> dict[str, Any]:
    return (
        {"declarations": [], "selectors": [], "match": {}} if isinstance(entry, str) else entry[0]
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_colour_is_never_put_into_a_text(language: str) -> None:
    """It has to agree with its noun, so there is a whole phrase for each."""
    joined = [key for key in keys(language) if "colour" in inputs(read(language)[key])]
    assert joined == []
    by_colour = {
        key: variants(entry)
        for key, entry in read(language).items()
        if "input colour" in variants(entry)["declarations"]
    }
    assert len(by_colour) > 10
    for key, entry in by_colour.items():
        assert {name[: len("colour=K")] for name in entry["match"]} == {
            f"colour={colour}" for colour in "KRBYG"
        }, key


def test_the_bare_word_for_a_colour_stands_in_sequences_only() -> None:
    """Such as "red-green-red-green", where nothing has to agree with it."""
    files = [*SOURCES.rglob("*.svelte"), *(SOURCES / "lib").rglob("*.ts")]
    used = [(f.name, f.read_text(encoding="utf-8").count("m.colour_name")) for f in files]
    assert [(name, n) for name, n in used if n] == [("sentences.ts", 1)]


# What can stand in a text. A count needs a plural; a number that only names something has none.
COUNTS = {"n", "points", "times", "met", "all", "length", "stay", "go", "won", "added", "known"}
COUNTS |= {"before", "done", "turns", "mine", "theirs", "short", "solved"}
ORDINALS = {"number", "turn", "seat", "line", "rating", "step", "steps"}
ORDINALS |= {
    "strength",
    "margin",
    "last",
    "percent",
    "minutes",
    "now",
    "then",
}  # "5 min" is never spelt out
WORDS = {
    "bot",
    "card",
    "cards",
    "clause",
    "colour",
    "colours",
    "first",
    "have",
    "levels",
    "list",
    "name",
}
WORDS |= {"names", "next", "piece", "pieces", "score", "second", "text", "token", "want", "what"}
WORDS |= {"who", "worth", "day", "options", "chances", "depth", "line", "where"}
WORDS |= {"best", "played", "chance", "margin", "share"}  # shares in percent

# Counts that no word has to agree with, and why.
NO_PLURAL = {
    ("adds", "points"): "the points are a bare number",
    ("analysis_best_turns", "n"): "both numbers are bare",
    ("analysis_best_turns", "turns"): "both numbers are bare",
    ("analysis_deed_complete", "points"): "the points are a bare number",
    ("analysis_progress", "done"): "the noun belongs to the steps",
    ("analysis_stopped", "done"): "the noun belongs to the steps",
    ("board_taken", "all"): "a board has eight spaces",
    ("board_then", "all"): "a board has eight spaces",
    ("games_all", "n"): "the noun is left out",
    ("games_count", "n"): "the noun is left out",
    ("games_count", "won"): "the noun is left out",
    ("games_import_broken", "n"): "stands behind a colon",
    ("games_import_done", "added"): "stands behind a colon",
    ("games_import_done", "known"): "stands behind a colon",
    ("hint_closing", "before"): "the points are a bare number",
    ("hint_closing", "points"): "the points are a bare number",
    ("hint_difference", "n"): "the noun is left out",
    ("hint_grows", "before"): "the noun is left out",
    ("hint_nearer", "before"): "the noun is left out",
    ("hint_nearer_row", "before"): "the noun is left out",
    ("hint_drops_farthest", "before"): "the noun is left out",
    ("hint_heads_needed", "before"): "the noun is left out",
    ("hint_tails_needed", "before"): "the noun is left out",
    ("hint_room", "before"): "the noun is left out",
    ("if_closed", "points"): "the points are a bare number",
    ("keep_some", "n"): "the noun is left out",
    ("level_last", "n"): "the noun is left out",
    ("level_next", "n"): "the noun is left out",
    ("level_points", "times"): "a factor: 2×",
    ("log_complete", "length"): "a complete Cóatl has at least three pieces (A7)",
    ("met_times", "n"): "a factor: 2×",
    ("name_number", "n"): "the number is bare",
    ("of", "all"): "both numbers are bare",
    ("of", "n"): "both numbers are bare",
    ("opponents_seats", "all"): "a table has four seats",
    ("opponents_seats", "n"): "at least two of them are taken",
    ("opponents_won", "n"): "both numbers are bare",
    ("opponents_won", "won"): "both numbers are bare",
    ("pick_colour", "n"): "the noun is left out",
    ("places_taken", "all"): "a Cóatl has four places for cards",
    ("puzzle_prophecies", "all"): "a Cóatl has four places for cards",
    ("puzzle_rival", "mine"): "stands behind a colon",
    ("puzzle_rival", "theirs"): "stands behind a colon",
    ("puzzle_rival_adam", "mine"): "stands behind a colon",
    ("puzzle_rival_adam", "theirs"): "stands behind a colon",
    ("puzzle_short", "short"): "the points are a bare number",
    ("puzzle_steps", "all"): "there are five bots with a face",
    ("puzzle_used", "all"): "both numbers are bare",
    ("puzzle_used", "n"): "both numbers are bare",
    ("puzzle_wins_short", "short"): "the points are a bare number",
    ("puzzles_count", "all"): "the noun is left out",
    ("solo_won", "n"): "both numbers are bare",
    ("solo_won", "won"): "both numbers are bare",
    ("stay_go", "go"): "the noun is left out",
    ("stay_go", "stay"): "the noun is left out",
    ("temple_met", "all"): "stands behind a colon",
    ("temple_met", "n"): "stands behind a colon",
}


def declared(entry: Any) -> set[str]:
    """The inputs of a message, whether they stand in a text or choose one."""
    return inputs(entry) | {
        line.removeprefix("input ")
        for line in variants(entry)["declarations"]
        if line.startswith("input ")
    }


def test_it_is_known_which_inputs_are_counts() -> None:
    found = {name for entry in read("en").values() for name in declared(entry)}
    assert found == COUNTS | ORDINALS | WORDS


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_count_has_a_text_for_each_plural(language: str) -> None:
    without = set()
    for key in keys(language):
        entry = read(language)[key]
        for name in declared(entry) & COUNTS:
            rules = [
                line for line in variants(entry)["declarations"] if f"= {name}: plural" in line
            ]
            local = rules[0].split()[1] if rules else None
            if local not in variants(entry)["selectors"]:
                without.add((key, name))
            else:
                forms = {re.search(rf"{local}=(\S+?)(,|$)", case) for case in entry[0]["match"]}
                assert {form and form[1] for form in forms} == {"one", "*"}, key
    assert without == set(NO_PLURAL)
