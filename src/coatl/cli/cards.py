"""`coatl cards`, `coatl score` and `coatl deck check`: cards in words, without a game."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from coatl.card_examples import (
    CardExample,
    failing_example,
    prophecy_examples,
    temple_examples,
)
from coatl.card_text import prophecy_sentence, requirement_text, temple_sentence
from coatl.cli.console import Failure
from coatl.cli.language import choose_language
from coatl.cli.wrapping import wrap_text
from coatl.rulebook import Language, load_card_list_words, load_card_words
from coatl.rules.cards import (
    Deck,
    DeckError,
    Prophecy,
    Temple,
    closes_too_early,
    read_colours,
    standard_deck,
)
from coatl.rules.deckfile import load_deck
from coatl.rules.pieces import COLOUR_NAMES
from coatl.text.drawing import (
    coatl_text,
    levels_text,
    make_console,
    pattern_text,
    plural,
    temple_text,
)


def _deck(file: Path | None) -> Deck:
    return standard_deck() if file is None else load_deck(file)


def _table(*headings: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    table.columns[0].no_wrap = True
    return table


# ---------------------------------------------------------------- coatl cards


def show_cards(names: Sequence[str], file: Path | None, lang: str | None) -> None:
    """The named cards in words, or a list of all."""
    deck, language = _deck(file), choose_language(lang)
    console = make_console()
    if names:
        for number, card in enumerate([_find(name, deck) for name in names]):
            if number:
                console.print()
            _print_card(console, card, language)
        return
    words = load_card_list_words(language)
    prophecies, temples = deck.prophecies, deck.temples
    heading = words.prophecies.format(count=_count(prophecies, language))
    console.print(heading, style="bold")
    console.print(_prophecy_list(prophecies, language))
    heading = words.temples.format(count=_count(temples, language))
    console.print(f"\n{heading}", style="bold")
    console.print(_temple_list(temples, language))


def _find(name: str, deck: Deck) -> Prophecy | Temple:
    """A card by its name, in small letters too; raises `Failure` if the deck has none."""
    cards: dict[str, Prophecy | Temple] = {card.name: card for card in deck.prophecies}
    cards |= {card.name: card for card in deck.temples}
    if name in cards:
        return cards[name]
    by_lower = {known.lower(): known for known in cards}
    if name.lower() in by_lower:
        return cards[by_lower[name.lower()]]
    near = difflib.get_close_matches(name.lower(), by_lower, 1)
    hint = f"did you mean {by_lower[near[0]]}?" if near else "coatl cards lists all"
    raise Failure(f"no card is called {name!r}; {hint}")


def _print_card(console: Console, card: Prophecy | Temple, language: Language) -> None:
    words = load_card_list_words(language)
    if isinstance(card, Prophecy):
        colour = load_card_words(language).colours[COLOUR_NAMES.index(card.colour)]
        name, kind = pattern_text(card), words.prophecy.format(colour=colour)
        sentence = prophecy_sentence(card, language)
    else:
        name, kind = temple_text(card.name), words.temple
        sentence = temple_sentence(card, language)
    console.print(Text.assemble(name, f"  {kind}, {_copies(card, language)}"))
    for line in wrap_text(sentence, console.width):
        console.print(line)
    _print_examples(console, card, language)


def _print_examples(console: Console, card: Prophecy | Temple, language: Language) -> None:
    """A Cóatl for each level, and one that fails; an odd card of a deck may have none."""
    words = load_card_words(language)
    try:
        found = [*_examples(card), failing_example(card, language)]
    except ValueError:
        return
    for example in found:
        points = (words.point if example.points == 1 else words.points).format(n=example.points)
        lit = {place - 1 for place in example.lit} if example.lit else None
        line = Text(f"{points}{words.colon}").append(coatl_text(example.coatl, lit))
        if example.cards:
            line.append(f"  + {', '.join(example.cards)}")
        console.print(line)
        if example.why:
            for part in wrap_text(f"{example.why} ({example.clause})", console.width):
                console.print(part)


def _examples(card: Prophecy | Temple) -> tuple[CardExample, ...]:
    return prophecy_examples(card) if isinstance(card, Prophecy) else temple_examples(card)


def _count(cards: Iterable[Prophecy | Temple], language: Language = "en") -> str:
    base = promo = 0
    for card in cards:
        base += 0 if card.promo else card.copies
        promo += card.copies if card.promo else 0
    words = load_card_list_words(language)
    return words.with_promo.format(base=base, promo=promo) if promo else str(base)


def _copies(card: Prophecy | Temple, language: Language) -> str:
    words = load_card_list_words(language)
    return f"{card.copies}×" + (f" {words.promo}" if card.promo else "")


def _prophecy_list(cards: Iterable[Prophecy], language: Language) -> Table:
    words = load_card_list_words(language)
    colours = load_card_words(language).colours
    table = _table(words.name, words.colour, words.copies, words.asks)
    for card in cards:
        colour = colours[COLOUR_NAMES.index(card.colour)]
        sentence = prophecy_sentence(card, language)
        table.add_row(pattern_text(card), colour, _copies(card, language), sentence)
    return table


def _temple_list(cards: Iterable[Temple], language: Language) -> Table:
    words = load_card_list_words(language)
    table = _table(words.name, words.copies, words.asks)
    for card in cards:
        sentence = temple_sentence(card, language)
        table.add_row(temple_text(card.name), _copies(card, language), sentence)
    return table


# ---------------------------------------------------------------- coatl score


def show_scores(serpent: str, file: Path | None, promo: bool) -> None:
    """All cards that a Cóatl satisfies; those of the promo pack if asked for."""
    deck, console = _deck(file), make_console()
    pieces = read_serpent(serpent)
    console.print(Text("Cóatl  ").append(coatl_text(serpent)), f" {plural(len(pieces), 'piece')}")
    prophecies = [card for card in deck.prophecies if promo or not card.promo]
    temples = [card for card in deck.temples if promo or not card.promo]
    _print_prophecies(console, serpent, prophecies)
    _print_temples(console, serpent, temples)


def read_serpent(text: str) -> list[int]:
    """The colours of a Cóatl; raises `Failure` if it could not lie on a table."""
    try:
        pieces = read_colours(text)
    except ValueError as error:
        raise Failure(f"{error}; write it head to tail like '<KRRBGY>'") from None
    if not pieces:
        raise Failure("a Cóatl has at least one piece; write it head to tail like '<KRRBGY>'")
    if closes_too_early(text):
        raise Failure("a closed Cóatl has a head, a tail and at least one body segment (A7)")
    return pieces


def _print_prophecies(console: Console, serpent: str, cards: list[Prophecy]) -> None:
    found = [(card, card.matches(serpent)) for card in cards]
    scoring = sorted(
        ((card, matches) for card, matches in found if matches.points),
        key=lambda pair: -pair[1].points,
    )
    if not scoring:
        console.print("No Prophecy card is satisfied.")
        return
    console.print("\nProphecy cards", style="bold")
    table = _table("card", "levels", "points", "met", "pieces used")
    for card, matches in scoring:
        table.add_row(
            pattern_text(card),
            levels_text(card),
            str(matches.points),
            f"{matches.times}×",
            coatl_text(serpent, {at for match in matches.positions for at in match}),
        )
    console.print(table)
    console.print("At most four lie on one Cóatl, never two identical ones (A6).", style="dim")


def _print_temples(console: Console, serpent: str, cards: list[Temple]) -> None:
    scoring = sorted(
        ((card, card.points(serpent)) for card in cards if card.points(serpent)),
        key=lambda pair: -pair[1],
    )
    if not scoring:
        console.print("\nNo Temple card gives points.")
        return
    console.print("\nTemple cards", style="bold")
    table = _table("card", "points", "met")
    for card, points in scoring:
        met = [
            requirement_text(requirement)
            for requirement, is_met in zip(card.requirements, card.met(serpent), strict=True)
            if is_met
        ]
        table.add_row(temple_text(card.name), str(points), "; ".join(met))
    console.print(table)
    console.print("One Temple card lies on a complete Cóatl (A9).", style="dim")


# ---------------------------------------------------------------- coatl deck check


def check_deck(file: Path) -> None:
    deck, console = load_deck(file), make_console()
    console.print(f"{file}: the deck can be read.")
    console.print(f"  Prophecy cards: {_count(deck.prophecies)}", highlight=False)
    console.print(f"  Temple cards: {_count(deck.temples)}")
    enough = []
    for players in (1, 2, 3, 4):
        try:
            deck.check_enough_for(players, promo=False)
        except DeckError as error:
            reason = str(error).removeprefix(f"{deck.source}: ")
            console.print(f"  not for {_table_size(players)}: {reason}")
        else:
            enough.append(_table_size(players))
    if not enough:
        raise Failure(f"{file}: there are not enough cards for any game")
    console.print(f"  enough for {', '.join(enough)}")


def _table_size(players: int) -> str:
    return "solo" if players == 1 else f"{players} players"
