"""A card, a Cóatl or a whole game as SVG, drawn like on the page.

Every function returns a `Drawing`: `str` of it is a complete SVG document without scripts and
without references to anything outside, and a notebook shows it by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from coatl.card_text import prophecy_sentence, temple_sentence
from coatl.rules.cards import Deck, Prophecy, Temple, standard_deck
from coatl.svg import cards as faces
from coatl.svg import pieces
from coatl.svg.art import Theme
from coatl.svg.pen import Drawing, Pen

if TYPE_CHECKING:
    from coatl.svg.table import RunningGame
    from coatl.view import View, ViewData

__all__ = ["Drawing", "card", "coatl", "game"]

_MARGIN = 14
_HEIGHT = 64  # of a Cóatl drawn alone


def card(
    what: str | Prophecy | Temple,
    *,
    deck: Deck | None = None,
    theme: Theme = "light",
    width: int | None = None,
) -> Drawing:
    """A Prophecy or Temple card, by name or as an object.

    Names are those of `deck`, the printed cards if left out. `width` is that of the picture.
    """
    pen = Pen(theme)
    face = faces.find_card(what, deck or standard_deck())
    size = faces.WIDTH * 1.625
    height = size * faces.HEIGHT / faces.WIDTH
    drawn = pen.raised(faces.card(pen, face, _MARGIN, _MARGIN, size))
    sentence = _sentence(face)
    return pen.drawing(drawn, size + 2 * _MARGIN, height + 2 * _MARGIN, sentence, width)


def coatl(
    text: str,
    cards: Iterable[str | Prophecy | Temple] = (),
    *,
    deck: Deck | None = None,
    theme: Theme = "light",
    width: int | None = None,
) -> Drawing:
    """A Cóatl such as ``<KRRB``, head to tail, and the cards on it with what they are worth now."""
    pen = Pen(theme)
    row = pieces.read_coatl(text)
    laid = _lay([faces.find_card(one, deck or standard_deck()) for one in cards], text)
    long = pieces.coatl_width(row, _HEIGHT)
    height = _HEIGHT * 1.22 + 2 * _MARGIN
    drawn = [pen.raised(pieces.coatl(pen, row, _MARGIN, _MARGIN + 0.14 * _HEIGHT, _HEIGHT))]
    left, top = _MARGIN * 2 + long, (height - faces.CHIP_HEIGHT) / 2
    for one in laid:
        drawn.append(pen.raised(faces.chip(pen, one, left, top, faces.CHIP_HEIGHT)))
        left += faces.CHIP_WIDTH + 7
    whole = left - 7 + _MARGIN if laid else long + 2 * _MARGIN
    title = f"Cóatl {text}"
    if laid:
        title += f", worth {sum(one.points for one in laid)}"
    return pen.drawing("".join(drawn), whole, height, title, width)


def game(
    what: RunningGame | View | ViewData,
    seat: int | None = None,
    *,
    names: Sequence[str] = (),
    deck: Deck | None = None,
    theme: Theme = "light",
    width: int | None = None,
) -> Drawing:
    """A game as one seat sees it, or as a spectator does.

    Of a `Game` the view of `seat` is drawn, a spectator's if it is left out; a `View` or its data
    is drawn as it is. Cards that the seat cannot know lie face down. `names` stand for the seats; a
    game whose `seats` are set brings its own. `deck` is needed only with the data of a view of
    another deck than the printed one.
    """
    from coatl.svg.table import draw_table, view_of

    data, known_names, known_deck = view_of(what, seat)
    shown = tuple(names) or known_names
    return draw_table(Pen(theme), data, deck or known_deck, shown, width)


def _lay(cards: Sequence[Prophecy | Temple], text: str) -> list[faces.Laid]:
    """The cards with what they are worth on a Cóatl, Temple cards last."""
    prophecies = [card for card in cards if isinstance(card, Prophecy)]
    temples = [card for card in cards if isinstance(card, Temple)]
    return [
        *(faces.Laid.prophecy(card, card.matches(text).times) for card in prophecies),
        *(faces.Laid.temple(card, card.met(text, prophecies)) for card in temples),
    ]


def _sentence(card: Prophecy | Temple) -> str:
    return prophecy_sentence(card) if isinstance(card, Prophecy) else temple_sentence(card)
