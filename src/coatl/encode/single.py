"""The observation of one game, for whoever does not keep arrays of their own."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from coatl.compiler.records import record_array
from coatl.encode.compiled import encode
from coatl.encode.layout import N_OBSERVED
from coatl.encode.meanings import N_ACTIONS
from coatl.encode.observe import Memory
from coatl.encode.reach import both_ways, reaches
from coatl.rules.cards import Deck, standard_deck
from coatl.rules.decisions import new_choices
from coatl.rules.state import States


def observe_state(
    deck: Deck, known: States
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8], npt.NDArray[np.int16]]:
    """Observation, mask of legal actions and their decisions, of the seat whose state is known."""
    if deck is not standard_deck():
        raise ValueError("only games with the printed cards have an observation")
    values = np.zeros(N_OBSERVED, np.int8)
    mask = np.zeros(N_ACTIONS, np.int8)
    decisions = np.zeros(N_ACTIONS, np.int16)
    memories = record_array(Memory, 1)
    choices = new_choices()
    encode(both_ways(), reaches(), known, 0, memories, choices, values, mask, decisions)
    return values, mask, decisions
