"""`coatl cards` lists every card with its sentence; `coatl deck check` judges a deck file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from coatl.card_examples import failing_example
from coatl.card_text import prophecy_sentence, temple_sentence
from coatl.rulebook import LANGUAGES, Language
from coatl.rules import cards
from coatl.rules.cards import Prophecy, Temple, standard_deck
from coatl.rules.deckfile import load_deck
from tests.cli import program

pytestmark = program.compiled

STANDARD = Path(cards.__file__).with_name("cards.toml")


def sentence(card: Prophecy | Temple, language: Language = "en") -> str:
    if isinstance(card, Prophecy):
        return prophecy_sentence(card, language)
    return temple_sentence(card, language)


def entries(text: str) -> dict[str, str]:
    """The rows of the tables by card name, each with the lines that its sentence goes on in."""
    rows: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        first = re.match(r"(\S+)  +(\S.*)", line)
        if first and not first[2].rstrip().endswith("what it asks for"):
            name = first[1]
            assert name not in rows, name
            rows[name] = first[2]
        elif line.startswith("  ") and name:
            rows[name] += f" {line.strip()}"
    return {name: program.flowing(row) for name, row in rows.items()}


def test_every_card_is_listed_with_its_sentence() -> None:
    text = program.output("cards")
    rows = entries(text)
    deck = standard_deck()
    every: list[Prophecy | Temple] = [*deck.prophecies, *deck.temples]
    assert set(rows) == {card.name for card in every}
    for card in every:
        about = [card.colour] if isinstance(card, Prophecy) else []
        about += [f"{card.copies}×", *(["promo"] if card.promo else []), sentence(card)]
        assert rows[card.name] == " ".join(about)


def test_the_cards_are_counted() -> None:
    lines = program.output("cards").splitlines()
    assert lines[0] == "54 and 6 promo Prophecy cards"
    assert "15 and 5 promo Temple cards" in lines


def test_the_cards_of_a_deck_of_ones_own(tmp_path: Path) -> None:
    file = program.write(tmp_path, "my.toml", program.SMALL_DECK)
    deck = load_deck(file)
    text = program.output("cards", "--deck", "my.toml", cwd=tmp_path)
    assert text.startswith("27 Prophecy cards\n")
    assert "\n6 Temple cards\n" in text
    rows = entries(text)
    every: list[Prophecy | Temple] = [*deck.prophecies, *deck.temples]
    assert set(rows) == {card.name for card in every}
    for card in every:
        assert rows[card.name].endswith(sentence(card))


# ---------------------------------------------------------------- some cards


@pytest.mark.parametrize("language", LANGUAGES)
def test_any_card_is_told_in_every_language(language: Language) -> None:
    """All at once, promo pack included: each with its name and its sentence."""
    deck = standard_deck()
    every: list[Prophecy | Temple] = [*deck.prophecies, *deck.temples]
    text = program.output("cards", *(card.name for card in every), "--lang", language)
    told = text.split("\n\n")
    assert len(told) == len(every) == 75
    for card, words in zip(every, told, strict=True):
        head, _, rest = words.partition("\n")
        assert head.startswith(f"{card.name}  ")
        assert f"{card.copies}×" in head
        assert ("romo" in head) == card.promo
        assert " ".join(rest.split("\n")).strip().startswith(sentence(card, language))
        assert failing_example(card, language).why in program.flowing(rest)


def test_a_card_in_words() -> None:
    text = program.output("cards", "RGRG")
    assert text.splitlines() == [
        "RGRG  blue Prophecy card, 1×",
        "From head to tail red, green, red then green: 5 points.",
        "5 points: <kRGRGy>",
        "0 points: <KGRGRY>",
        "The colours are right, but they stand the wrong way round. (Q2)",
    ]
    assert program.output("cards", "rgrg") == text


def test_a_card_of_a_deck_of_ones_own(tmp_path: Path) -> None:
    program.write(tmp_path, "my.toml", program.SMALL_DECK)
    text = program.output("cards", "!RB!Y", "--deck", "my.toml", cwd=tmp_path)
    assert "with no red just before and no yellow just after" in program.flowing(text)


def test_the_language_of_the_locale() -> None:
    german = program.output("cards", "RGRG", env={"LC_ALL": "de_DE.UTF-8"})
    assert german == program.output("cards", "RGRG", "--lang", "de")
    assert german.startswith("RGRG  blaue Prophezeiungskarte")


@pytest.mark.parametrize(
    ("language", "first", "last"),
    [
        ("fr", "Cartes Prophétie\u00a0: 54 et 6 promo", "Cartes Temple\u00a0: 15 et 5 promo"),
        ("de", "Prophezeiungskarten: 54 und 6 Promo", "Tempelkarten: 15 und 5 Promo"),
    ],
)
def test_the_whole_list_in_other_languages(language: str, first: str, last: str) -> None:
    lines = program.output("cards", "--lang", language).splitlines()
    assert lines[0] == first
    assert last in lines


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("RGRB", "no card is called 'RGRB'; did you mean "),
        ("noK/9", "no card is called 'noK/9'; did you mean "),
        ("xyzzy", "no card is called 'xyzzy'; coatl cards lists all"),
    ],
)
def test_an_unknown_card(name: str, message: str) -> None:
    assert program.failure("cards", name).startswith(message)
    assert program.failure("cards", "RGRG", name).startswith(message)


def test_an_unknown_language() -> None:
    message = "the languages are en, fr, de, not 'it'"
    assert program.failure("cards", "RGRG", "--lang", "it") == message


# ---------------------------------------------------------------- coatl deck check


def test_the_printed_cards_are_a_deck() -> None:
    text = program.output("deck", "check", STANDARD)
    assert "the deck can be read." in text
    assert "Prophecy cards: 54 and 6 promo" in text
    assert "Temple cards: 15 and 5 promo" in text
    assert "enough for solo, 2 players, 3 players, 4 players" in program.flowing(text)


def test_a_deck_that_is_enough_for_some(tmp_path: Path) -> None:
    """13 Prophecy and 4 Temple cards are what two players need; solo needs 15 and 2."""
    text = program.SMALL_DECK.replace("copies = 5", "copies = 2").replace(', "R=Y / 12"', "")
    program.write(tmp_path, "two.toml", text.replace('"Y G", ', '"R B", "Y G", '))
    text = program.output("deck", "check", "two.toml", cwd=tmp_path)
    assert "Prophecy cards: 13\n" in text
    assert "not for solo: 15 Prophecy cards are needed; the deck has 13" in text
    assert "not for 3 players: 18 Prophecy cards are needed; the deck has 13" in text
    assert "not for 4 players: 24 Prophecy cards are needed; the deck has 13" in text
    assert text.endswith("  enough for 2 players\n")


def test_a_deck_that_is_enough_for_nobody(tmp_path: Path) -> None:
    program.write(tmp_path, "few.toml", program.SMALL_DECK.replace("copies = 5", "copies = 1"))
    done = program.quick_run("deck", "check", "few.toml", cwd=tmp_path)
    assert done.code == 2
    assert program.one_line(done.err) == "few.toml: there are not enough cards for any game"
    assert done.out.count("not for ") == 4


BROKEN = [
    ('"Y G"', '"Y G', "(at line 10, column "),  # no TOML at all
    ("{ 1 = 1, 2 = 3 }", "{ 1 = 3, 2 = 1 }", "line 9: levels out of order"),
    ('"Y G"', '"Y Q"', "line 10: "),
    ('"R=Y / 12"', '"R=R / 12"', "line 14: 'R=R' compares a colour with itself"),
    ("copies = 5", "copies = 50", "line 4: copies is a number from 1 to 9, not 50"),
    ('colour = "blue"', 'colour = "pink"', "line 8: colour is one of"),
    ("[[temple]]", "[[tempel]]", "unknown section 'tempel'"),
]


@pytest.mark.parametrize(("old", "new", "reason"), BROKEN, ids=[new for _, new, _ in BROKEN])
def test_what_is_wrong_with_a_deck_is_told_with_its_line(
    tmp_path: Path, old: str, new: str, reason: str
) -> None:
    assert old in program.SMALL_DECK
    program.write(tmp_path, "my.toml", program.SMALL_DECK.replace(old, new))
    message = program.failure("deck", "check", "my.toml", cwd=tmp_path)
    assert message.startswith("my.toml")
    assert reason in message


@pytest.mark.parametrize(
    "command", [("deck", "check"), ("cards", "--deck"), ("score", "K", "--deck")]
)
def test_files_that_are_no_deck(tmp_path: Path, command: tuple[str, ...]) -> None:
    program.write_binary(tmp_path, "binary")
    missing = program.failure(*command, "missing.toml", cwd=tmp_path)
    assert missing == "missing.toml: No such file or directory"
    binary = program.failure(*command, "binary", cwd=tmp_path)
    assert binary == "binary: this is not a text file in UTF-8"


def test_a_file_name_is_shown_as_it_is(tmp_path: Path) -> None:
    program.write(tmp_path, "[b].toml", program.SMALL_DECK)
    assert program.output("deck", "check", "[b].toml", cwd=tmp_path).startswith("[b].toml: ")
