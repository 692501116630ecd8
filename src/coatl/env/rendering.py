"""Games of a batch as text or as a picture, for the environments' `render`."""

from __future__ import annotations

from coatl import svg
from coatl.compiler.records import copy_records
from coatl.env.batch import Batch
from coatl.rules.cards import standard_deck
from coatl.rules.state import States, new_states
from coatl.rules.tables import card_tables
from coatl.text.board import board_text
from coatl.view import View, make_view

MODES = ("human", "ansi", "svg")


def check_mode(mode: str | None) -> None:
    """Raises ValueError if there is no such mode; None is no rendering."""
    if mode is not None and mode not in MODES:
        raise ValueError(f"render modes are {', '.join(MODES)}, not {mode!r}")


def render_game(
    batch: Batch, game: int, seat: int | None, mode: str | None, over: bool
) -> str | None:
    """What a seat (None: a spectator) sees of a game, or of how it ended if it is `over`.

    As text (`ansi`), as an SVG document (`svg`), or printed (`human`).
    """
    if mode is None:
        return None
    view = _view(batch.finals if over else batch.states, game, seat)
    if mode == "svg":
        return str(svg.game(view))
    text = board_text(view.data, standard_deck(), ())
    if mode == "human":
        print(text)
        return None
    return text


def _view(states: States, game: int, seat: int | None) -> View:
    state, deck = new_states(), standard_deck()
    copy_records(state, states[game : game + 1])
    return make_view(deck, card_tables(deck), state, seat)
