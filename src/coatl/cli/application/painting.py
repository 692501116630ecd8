"""Pieces, cards and Cóatl as text for the table: a letter and a shape each, then the colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from coatl.cli.application.look import BANDS, SHAPES
from coatl.rules.cards import Deck, Prophecy
from coatl.rules.pieces import COLOURS
from coatl.text.drawing import PIECE_STYLES, pattern_text
from coatl.view import CardProgress, CoatlView, TempleProgress

CARD_WIDTH = 8  # without the gutter for the mark
MET, UNMET = "◆", "◇"


def styled(text: str, style: str) -> Text:
    """Its style goes with the words: Textual passes over the style of a whole text."""
    return Text().append(text, style)


def piece(text: str) -> Text:
    """``<K◆``, ``K◆`` or ``K◆>``."""
    letter = text.strip("<>")
    return styled(text.replace(letter, letter + SHAPES[letter]), PIECE_STYLES[letter])


def pieces(texts: Iterable[str]) -> Text:
    return Text(" ").join([piece(text) for text in texts])


def serpent(coatl: str) -> Text:
    """A Cóatl from head to tail."""
    drawn = Text()
    letters = coatl.strip("<>")
    for at, letter in enumerate(letters):
        before = "<" if at == 0 and coatl.startswith("<") else ""
        after = ">" if at == len(letters) - 1 and coatl.endswith(">") else ""
        drawn.append_text(piece(f"{before}{letter}{after}"))
    return drawn


def prophecy(card: Prophecy, number: str = "") -> Text:
    """A card of four lines: band, pattern, how often, and the points for that."""
    levels = sorted(card.levels.items())
    band = f"{number:<2}{BANDS[card.colour] * 5}"
    times = " ".join(str(times) for times, _ in levels) + "×"
    points = " ".join(str(points) for _, points in levels)
    return Text("\n").join(
        [
            styled(f"{band:<{CARD_WIDTH}}", f"card.{card.colour}"),
            _on_face(pattern_text(card)),
            _on_face(styled(times, "quiet")),
            _on_face(styled(points, "bold")),
        ]
    )


def card_back(count: int) -> Text:
    """The deck, with how many cards it has."""
    lines = [Text("▒" * CARD_WIDTH), Text("deck"), styled(str(count), "bold"), Text()]
    return Text("\n").join([_on_face(line) for line in lines])


def _on_face(line: Text) -> Text:
    """A line of a card, as wide as the card."""
    line.append(" " * (CARD_WIDTH - line.cell_len))
    line.stylize_before("face")
    return line


def chip(card: CardProgress, deck: Deck) -> Text:
    """A card on a Cóatl: its pattern, a diamond for every time up to its last level, points."""
    found = deck.prophecies[deck.prophecy_ids[card.card]]
    most = max(found.levels)
    met = min(card.times, most)
    return (
        styled(BANDS[found.colour], f"card.{found.colour}")
        .append_text(pattern_text(found))
        .append(f" {MET * met}{UNMET * (most - met)} ", "quiet")
        .append(str(card.points), "bold")
    )


def temple(name: str) -> Text:
    """A Temple card: its colours painted where it names them."""
    text = styled("⌂", "temple")
    for letter in name:
        text.append(letter, PIECE_STYLES.get(letter, ""))
    return text


def temple_chip(card: TempleProgress) -> Text:
    ticks = "".join("✓" if met else "·" for met in card.met)
    return temple(card.card).append(f" {ticks} ", "quiet").append(str(card.points), "bold")


def chips(coatl: CoatlView, deck: Deck) -> Text:
    """All cards on a Cóatl, in a line."""
    drawn = [chip(card, deck) for card in coatl.cards]
    if coatl.temple is not None:
        drawn.append(temple_chip(coatl.temple))
    return Text("  ").join(drawn)


def letters(texts: Sequence[str]) -> Text:
    """Pieces of another player, without shapes: there is little room."""
    drawn = Text()
    for text in texts:
        letter = text.strip("<>")
        drawn.append(text, PIECE_STYLES[letter] if letter in COLOURS else "")
    return drawn
