"""The observation of a single game, in freshly allocated arrays."""

from __future__ import annotations

import numpy as np

from coatl.compiler.records import record_array
from coatl.encode.compiled import NetworkInput, encode
from coatl.encode.layout import N_OBSERVED
from coatl.encode.meanings import N_ACTIONS
from coatl.encode.observe import ReadingCache
from coatl.encode.reach import encoding_tables
from coatl.rules.cards import Deck, standard_deck
from coatl.rules.decisions import new_choices
from coatl.rules.state import States


def new_network_input() -> NetworkInput:
    """Arrays for an observation, all zero."""
    return NetworkInput(
        np.zeros(N_OBSERVED, np.int8), np.zeros(N_ACTIONS, np.int8), np.zeros(N_ACTIONS, np.int16)
    )


def observe_state(deck: Deck, known: States) -> NetworkInput:
    """The observation of the seat to move, from the state as it knows it."""
    if deck is not standard_deck():
        raise ValueError("only games with the printed cards have an observation")
    encoded = new_network_input()
    encode(encoding_tables(), known, 0, record_array(ReadingCache, 1), new_choices(), encoded)
    return encoded
