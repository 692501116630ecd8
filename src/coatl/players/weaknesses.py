"""What people do who are still learning, in one table: the mistakes that our weaker bots make.

A weakness shows in some turns, or for some cards in a turn. Which, is drawn when the turn begins
(`Attention`), so that a player does not see in one decision what it overlooks in the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from coatl.compiler.arrays import Int8Row
from coatl.compiler.records import copy_records
from coatl.encode import layout as at
from coatl.encode import meanings
from coatl.encode.meanings import N_CARDS, N_TEMPLES, OPEN_ACTIONS
from coatl.rules.chance import Chances, numbers_below
from coatl.rules.pieces import BODY, N_COLOURS
from coatl.rules.state import (
    ASSEMBLE,
    END_NONE,
    FUTURE,
    MAIN,
    MAX_INCOMPLETE,
    NONE,
    SETUP,
    States,
    new_states,
)
from coatl.view import View

Fields = tuple[tuple[str, str], ...]  # of the observation, as (block, name)
Actions = npt.NDArray[np.intp]
Narrowing = Callable[[Int8Row, Actions], Actions]
"""From an observation and the legal actions: those that are still considered."""

ALWAYS = 1.0
HARDLY_ANY_ROOM = 1  # free spaces on the board, when somebody who hoards begins to assemble
_FINENESS = 1 << 30  # of chances


@dataclass(frozen=True)
class Weakness:
    """A mistake of people: its name, what they do, and how a player does it."""

    name: str
    person: str
    hides: bool = False  # a card: it plays as if that one were not there
    considers: Narrowing | None = None  # if that leaves nothing, all legal actions are considered
    blanked: Fields = ()  # these are zero to it


# ---------------------------------------------------------------- what is considered


def only_collecting(observation: Int8Row, legal: Actions) -> Actions:
    """Takes and cards as long as there is room, unless the end has been triggered."""
    room = int(observation[at.ROOM : at.HAND].argmax())
    has_time = observation[at.PHASE + MAIN] and observation[at.END + END_NONE]
    return legal[legal < meanings.BEGIN] if has_time and room > HARDLY_ANY_ROOM else legal


def only_closing(observation: Int8Row, legal: Actions) -> Actions:
    """Heads and tails that close a Cóatl, wherever there is one."""
    if not observation[at.PHASE + MAIN] and not observation[at.PHASE + ASSEMBLE]:
        return legal
    closing: list[int] = []
    for slot in range(MAX_INCOMPLETE):
        ends = at.OPENS + at.OPEN_SIZE * slot + at.O_ENDS
        has_head, has_tail = observation[ends], observation[ends + 1]
        first = meanings.OPEN + OPEN_ACTIONS * slot
        closing += range(first, first + N_COLOURS) if has_tail else ()
        closing += range(first + N_COLOURS, first + BODY) if has_head else ()
    return legal[np.isin(legal, closing)]


def no_end_of_assembling(observation: Int8Row, legal: Actions) -> Actions:
    """While assembling, all but `done`."""
    return legal[legal != meanings.DONE] if observation[at.PHASE + ASSEMBLE] else legal


def no_tokens(observation: Int8Row, legal: Actions) -> Actions:
    """All but spending a Sacrifice token."""
    return legal[(legal < meanings.PERFECT_END) | (legal >= meanings.TEMPLE)]


# ---------------------------------------------------------------- the table

OVERLOOKS = Weakness(
    "overlooks a card",
    "Does not see a card in the row, in the hand or on a Temple pile for a whole turn.",
    hides=True,
)
CLOSES_EARLY = Weakness(
    "closes too early",
    "Closes a Cóatl as soon as that is possible, though more cards would have fitted.",
    considers=only_closing,
)
HOARDS = Weakness(
    "hoards",
    "Goes on taking pieces and cards until the board is nearly full, and assembles only then.",
    considers=only_collecting,
)
USES_UP = Weakness(
    "uses everything up",
    "Once it assembles, goes on until nothing is left that can be added.",
    considers=no_end_of_assembling,
)
FORGETS_TOKENS = Weakness(
    "forgets its tokens",
    "Does not think of the Sacrifice tokens.",
    considers=no_tokens,
)
ONE_END = Weakness(
    "thinks of one end",
    "Thinks of the right end of a Cóatl only, and does not try the cards in the row on it.",
    blanked=(("open", "near_left"), ("open", "row_near"), ("open", "hand_left")),
)
NO_COUNTING = Weakness(
    "counts no cards",
    "Does not know which cards and pieces are still to come.",
    blanked=(("table", "unseen"), ("table", "temples_unseen"), ("table", "bag")),
)
NO_HANDS = Weakness(
    "forgets hands",
    "Does not remember which cards the others took.",
    blanked=(("other", "hand"), ("other", "temples"), ("other", "hand_size")),
)
NO_RIVALS = Weakness(
    "watches nobody",
    "Does not look at what the others build and collect, nor at who is ahead.",
    blanked=(("other", "pieces"), ("other", "laid"), ("table", "lead")),
)
WEAKNESSES = (  # where two of them disagree, the earlier one counts
    OVERLOOKS,
    CLOSES_EARLY,
    HOARDS,
    USES_UP,
    FORGETS_TOKENS,
    ONE_END,
    NO_COUNTING,
    NO_HANDS,
    NO_RIVALS,
)


# ---------------------------------------------------------------- in play


class Attention:
    """What a player sees and considers in a turn, given how often each weakness shows.

    `odds` are by weakness: the chance that it shows in a turn, and for cards, that one of them is
    overlooked in a turn.
    """

    def __init__(self, odds: Mapping[Weakness, float], chances: Chances) -> None:
        self._odds = [(weakness, odds[weakness]) for weakness in WEAKNESSES if weakness in odds]
        self._chances = chances
        self._turn: tuple[int, int] | None = None
        self._showing: list[Weakness] = []
        self._hidden = np.zeros(N_CARDS + N_TEMPLES, np.bool_)
        self._seen = new_states()
        self._factors = blanks(())

    def begin(self, view: View) -> None:
        """Draw what shows in this turn, unless that has been done."""
        now = view.seat, int(view.known[0].turn)
        if now == self._turn:
            return
        self._turn = now
        self._showing = []
        self._hidden[:] = False
        for weakness, chance in self._odds:
            drawn = self._draw(len(self._hidden) if weakness.hides else 1, chance)
            if weakness.hides:
                self._hidden[:] = drawn
            elif drawn[0]:
                self._showing.append(weakness)
        fields = [field for weakness in self._showing for field in weakness.blanked]
        self._factors = blanks(tuple(fields))

    def _draw(self, n: int, chance: float) -> npt.NDArray[np.bool_]:
        numbers = np.zeros(n, np.int64)
        if chance < ALWAYS:
            numbers_below(self._chances, _FINENESS, numbers)
        return numbers < chance * _FINENESS

    @property
    def hidden_prophecies(self) -> frozenset[int]:
        """The Prophecy cards that are overlooked in this turn, by id."""
        return frozenset(np.flatnonzero(self._hidden[:N_CARDS]).tolist())

    @property
    def hidden_temples(self) -> frozenset[int]:
        return frozenset(np.flatnonzero(self._hidden[N_CARDS:]).tolist())

    def seen(self, view: View) -> States:
        """What the seat knows, without the cards that it overlooks."""
        if not self._hidden.any():
            return view.known
        copy_records(self._seen, view.known)
        _take_out(self._seen, view.seat, self.hidden_prophecies, self.hidden_temples)
        return self._seen

    def consider(self, observation: Int8Row, legal: Actions) -> Actions:
        """The legal actions that come to mind; blanks what is not looked at."""
        for weakness in self._showing:
            if weakness.considers is not None and len(legal) > 1:
                left = weakness.considers(observation, legal)
                legal = left if len(left) else legal
        observation *= self._factors
        return legal


def _take_out(
    known: States, seat: int, prophecies: frozenset[int], temples: frozenset[int]
) -> None:
    """Take cards out of the row, off the piles and out of a hand.

    Whoever discards goes through the hand card by card and overlooks none.
    """
    state = known[0]
    for face_up, hidden in ((state.row, prophecies), (state.pile_top, temples)):
        face_up[np.isin(face_up, list(hidden))] = NONE
    if state.phase in (SETUP, FUTURE):
        return
    player = known["players"][0, seat : seat + 1]
    for size, places, hidden in (
        ("n_hand", ("hand", "seen"), prophecies),
        ("n_temples", ("temples", "temples_seen"), temples),
    ):
        held = player[places[0]][0, : int(player[size][0])].tolist()
        kept = [place for place, card in enumerate(held) if card not in hidden]
        for name in places:
            values = player[name][0]
            values[: len(kept)] = values[kept]
            values[len(kept) :] = 0
        player[size] = len(kept)


@lru_cache(maxsize=64)
def blanks(fields: Fields) -> npt.NDArray[np.int8]:
    """A factor for each byte of an observation: 0 where a field is blanked."""
    factors = np.ones(at.N_OBSERVED, np.int8)
    found, first = set(), 0
    for block in at.BLOCKS:
        for _ in range(block.times):
            for field in block.fields:
                if (block.name, field.name) in fields:
                    found.add((block.name, field.name))
                    factors[first + field.offset : first + field.offset + field.size] = 0
            first += block.size
    if found != set(fields):
        raise ValueError(f"the observation has no fields {sorted(set(fields) - found)}")
    return factors
