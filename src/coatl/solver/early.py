"""Cards laid before later pieces break them (R1, R2): worth nothing, but they count as laid.

A Cóatl grows at both ends, so on the way to an arrangement it is one part of it after another, each
inside the next. A card can be laid at any of these stages that meets it.
"""

from __future__ import annotations

from coatl.compiler.functions import kernel
from coatl.rules.patterns import END
from coatl.rules.pieces import N_COLOURS
from coatl.rules.state import NONE
from coatl.rules.tables import COUNTED, MAX_TIMES, Cards
from coatl.solver.workspace import Means, Target, Walk

_ROW = COUNTED - 1
_FLAG = 15


@kernel
def early_cards(cards: Cards, means: Means, target: Target, walk: Walk, wanted: int) -> int:
    """Which of the `wanted` cards can be laid on the way to the arrangement, all of them once.

    Each way there gives one set of cards; the result has a bit for every such set. A stage begins
    at piece `left` and ends before piece `right` of the arrangement.
    """
    length, first = write_colours(means, target, walk)
    end = first + int(target.coatl.length)
    for left in range(length - 1 if target.is_new else first, -1, -1):
        restart(cards, means, walk, wanted)
        for right in range(left + 1, length + 1):
            read_piece(cards, means, walk, wanted, int(walk.colours[right - 1]))
            if right < end:
                continue
            before = 0
            if right - left == (1 if target.is_new else end - first):
                before = 1  # nothing laid yet
            else:
                if target.is_new or left < first:
                    before |= int(walk.families[left + 1, right - end])
                if right > end and right - 1 > left:
                    before |= int(walk.families[left, right - 1 - end])
            if left == 0 and right == length:
                return before
            met = met_now(cards, means, walk, wanted)
            walk.families[left, right - end] = with_cards(before, met, int(means.n_cards))
    return 0


@kernel
def write_colours(means: Means, target: Target, walk: Walk) -> tuple[int, int]:
    """The colours of the arrangement, the tail included; its length, and where the Cóatl lies."""
    coatl = target.coatl
    length, first = 0, 0
    for step in range(1, int(walk.depth) + 2):
        k = int(walk.added[step])
        if k != NONE:
            walk.colours[length] = int(means.kinds[k]) % N_COLOURS
            length += 1
        elif step <= walk.depth:
            first = length
            for at in range(coatl.length):
                walk.colours[length + at] = coatl.colours[at]
            length += int(coatl.length)
    return length, first


@kernel
def restart(cards: Cards, means: Means, walk: Walk, wanted: int) -> None:
    for k in range(means.n_cards):
        if (wanted >> k) & 1:
            walk.early_rows[k] = cards.start[means.cards[k]]
            walk.early_times[k] = 0


@kernel
def read_piece(cards: Cards, means: Means, walk: Walk, wanted: int, colour: int) -> None:
    for k in range(means.n_cards):
        if (wanted >> k) & 1:
            entry = int(cards.transition[walk.early_rows[k], colour])
            walk.early_rows[k] = entry & _ROW
            walk.early_times[k] += entry >> _FLAG


@kernel
def met_now(cards: Cards, means: Means, walk: Walk, wanted: int) -> int:
    """The cards that the stage meets if nothing follows."""
    met = 0
    for k in range(means.n_cards):
        if (wanted >> k) & 1:
            ended = int(cards.transition[walk.early_rows[k], END]) >> _FLAG
            times = min(int(walk.early_times[k]) + ended, MAX_TIMES)
            if cards.points[means.cards[k], times] > 0:
                met |= 1 << k
    return met


@kernel
def with_cards(families: int, met: int, n_cards: int) -> int:
    """Each of some sets of cards with `met` added."""
    result = 0
    for laid in range(1 << n_cards):
        if (families >> laid) & 1:
            result |= 1 << (laid | met)
    return result
