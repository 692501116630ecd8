"""The page's texts: none missing, unused or left in English; and the built page has them."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from coatl.players.bots import BOTS

ROOT = Path(__file__).parent.parent
MESSAGES, SOURCES = ROOT / "web" / "messages", ROOT / "web" / "src"
STATIC = ROOT / "src" / "coatl" / "static"
LANGUAGES = ("en", "fr", "de")
LARGEST = 200_000  # bytes of the page, gzipped, without fonts

# Texts that are the same in English and in another language, and rightly so.
ALIKE = {
    "fr": {"adam", "bot_named", "coatl_number", "menu", "seat_bot", "segments", "temple_pile"}
    | {"tokens", "replay_pause", "temples", "two_segments", "points_of", "card_points"}
    | {"final_points", "is_bot", "notation", "pace_normal", "pause"},
    "de": {
        "adam",
        "bot_named",
        "colon",
        "deck",
        "coatl_number",
        "name_hint",
        "seat_bot",
        "seat_link",
    }
    | {"notation", "pace_normal", "replay_pause"},
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


def test_the_built_page_is_small() -> None:
    files = [file for file in built() if file.suffix not in (".woff", ".woff2")]
    assert sum(len(gzip.compress(file.read_bytes())) for file in files) <= LARGEST


# ---------------------------------------------------------------- typography


def all_texts(language: str) -> dict[str, list[str]]:
    """The page's texts and those that the server sends it, by name."""
    found = {name: texts(entry) for name, entry in read(language).items()}
    found |= {bot.name: [bot.title[language], bot.text[language]] for bot in BOTS}
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_apostrophes_are_typographic(language: str) -> None:
    straight = [text for many in all_texts(language).values() for text in many if "'" in text]
    assert straight == []


def test_french_signs_do_not_begin_a_line() -> None:
    """Before : ; ? ! and inside « » there is a no-break space."""
    sign = re.compile(r"(?<![\u00a0\d])[:;?!»]|«(?!\u00a0)|[ ][:;?!»]")
    wrong = [text for many in all_texts("fr").values() for text in many if sign.search(text)]
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
