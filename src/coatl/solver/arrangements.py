"""Every way to close one Cóatl with pieces of the board, and what its Prophecy cards are worth.

An arrangement is read from left to right, as the automata of the cards read it: a head, body
segments, the Cóatl as it lies, body segments, a tail. Arrangements that begin alike share the work.
"""

from __future__ import annotations

from coatl.compiler.functions import inline_kernel, kernel
from coatl.rules.patterns import END
from coatl.rules.pieces import BODY, N_COLOURS, TAIL
from coatl.rules.scoring import temple_points
from coatl.rules.state import LEVEL_4, NONE
from coatl.rules.tables import COUNTED, MAX_TIMES, Cards
from coatl.solver.early import early_cards
from coatl.solver.workspace import N_TEMPLES, Means, Room, Target, Walk

_ROW = COUNTED - 1
_FLAG = 15


@kernel
def fill_tables(cards: Cards, room: Room, target: Target) -> None:
    """Look at every arrangement, and note the most points for each set of pieces and cards."""
    means = room.means
    for pieces in range(means.n_piece_sets):
        target.top[pieces] = NONE
        target.seen[pieces] = NONE
        for chosen in range(1 << int(means.n_cards)):
            target.points[pieces, chosen] = NONE
    room.walk.goal = NONE
    walk_through(cards, room, target)
    target.most = NONE
    for pieces in range(means.n_piece_sets):
        if target.seen[pieces] != NONE:
            note_top(cards, room, target, pieces)


@kernel
def note_top(cards: Cards, room: Room, target: Target, pieces: int) -> None:
    """The points of each Temple card with a set of pieces, and the most points in all."""
    means, closed = room.means, room.closed
    top = NONE
    for chosen in range(1 << int(means.n_cards)):
        top = max(top, int(target.points[pieces, chosen]))
    if top == NONE:
        return
    added = means.piece_sets[pieces]
    closed.length = target.coatl.length + added.n_pieces
    closed.counts = target.coatl.counts + added.colours
    best = 0
    for k in range(N_TEMPLES):
        worth = 0
        if means.temples[k] != NONE:
            worth = temple_points(cards, int(means.temples[k]), closed, NONE, 0)
        target.temple[pieces, k] = worth
        best = max(best, worth)
    target.top[pieces] = top + best
    target.most = max(int(target.most), top + best)


# ---------------------------------------------------------------- the walk


@kernel
def walk_through(cards: Cards, room: Room, target: Target) -> None:
    """Every arrangement that closes a Cóatl, or up to the one that is looked for."""
    means, walk, coatl = room.means, room.walk, target.coatl
    start(cards, room, target)
    if target.is_pending:
        add_coatl(cards, target, walk)
        end_arrangement(cards, room, target, NONE)
        return
    if not can_close(means, target):
        return
    if coatl.has_head:
        walk_from_head(cards, room, target)
        return
    for k in range(means.n_kinds):
        if means.kinds[k] < TAIL:
            add_piece(cards, means, walk, k)
            walk_from_head(cards, room, target)
            take_back(means, walk)


@kernel
def start(cards: Cards, room: Room, target: Target) -> None:
    """Nothing is placed; track the cards in hand that can count, and those laid."""
    means, walk, coatl = room.means, room.walk, target.coatl
    walk.depth, walk.is_found, walk.n_tracked = 0, 0, 0
    walk.piece_set[0] = 0
    for k in range(means.n_kinds):
        walk.left[k] = means.counts[k]
    for k in range(means.n_cards):
        walk.points[k] = 0
        if (int(target.useful) >> k) & 1:
            walk.in_hand[walk.n_tracked] = k
            track(cards, walk, int(means.cards[k]))
    walk.n_hand = walk.n_tracked
    for k in range(coatl.n_cards):
        track(cards, walk, int(coatl.cards[k]))
    # A7, A8 ask for one card, level 4 for four: there a card counts that will be worth nothing.
    counts = not target.is_pending and (coatl.n_cards == 0 or int(means.levels) & LEVEL_4 != 0)
    walk.breakable = int(means.breakable) & int(target.useful) if counts else 0


@inline_kernel
def track(cards: Cards, walk: Walk, card: int) -> None:
    k = int(walk.n_tracked)
    walk.tracked[k] = card
    walk.rows[0, k] = cards.start[card]
    walk.times[0, k] = 0
    walk.n_tracked += 1


@kernel
def can_close(means: Means, target: Target) -> bool:
    """A7: are there a head, a tail and a body segment, on the Cóatl or on the board?"""
    coatl = target.coatl
    heads, tails = int(coatl.has_head), int(coatl.has_tail)
    bodies = int(coatl.length) - heads - tails
    for k in range(means.n_kinds):
        if means.kinds[k] < TAIL:
            heads += 1
        elif means.kinds[k] < BODY:
            tails += 1
        else:
            bodies += 1
    return heads > 0 and tails > 0 and bodies > 0


@kernel
def walk_from_head(cards: Cards, room: Room, target: Target) -> None:
    """After the head, if it comes from the board: body segments before the Cóatl as it lies."""
    means, walk, coatl = room.means, room.walk, target.coatl
    first = int(walk.depth)
    while not walk.is_found:
        if target.is_new:
            walk_to_tail(cards, room, target)
            return  # on a Cóatl without pieces left and right are the same
        add_coatl(cards, target, walk)
        walk_to_tail(cards, room, target)
        take_back(means, walk)
        if coatl.has_head or not next_row(cards, room, first):
            return


@kernel
def walk_to_tail(cards: Cards, room: Room, target: Target) -> None:
    """Body segments after the Cóatl as it lies, then a tail."""
    means, walk, coatl = room.means, room.walk, target.coatl
    first = int(walk.depth)
    while not walk.is_found:
        if coatl.has_tail:
            end_arrangement(cards, room, target, NONE)
            return
        for k in range(means.n_kinds):
            if TAIL <= means.kinds[k] < BODY:
                end_arrangement(cards, room, target, k)
        if not next_row(cards, room, first):
            return


@kernel
def next_row(cards: Cards, room: Room, first: int) -> bool:
    """The next row of body segments after the step `first`; False: there is none, and none lies.

    A row comes before those that it is the beginning of.
    """
    means, walk = room.means, room.walk
    k = 0
    while True:
        while k < means.n_kinds:
            if means.kinds[k] >= BODY and walk.left[k] > 0:
                add_piece(cards, means, walk, k)
                room.nodes += 1
                return True
            k += 1
        if walk.depth == first:
            return False
        k = int(walk.added[walk.depth]) + 1
        take_back(means, walk)


@inline_kernel
def add_piece(cards: Cards, means: Means, walk: Walk, k: int) -> None:
    """One more piece on the right; every tracked card reads its colour."""
    before = int(walk.depth)
    after = before + 1
    colour = int(means.kinds[k]) % N_COLOURS
    for at in range(walk.n_tracked):
        entry = int(cards.transition[walk.rows[before, at], colour])
        walk.rows[after, at] = entry & _ROW
        walk.times[after, at] = walk.times[before, at] + (entry >> _FLAG)
    walk.added[after] = k
    walk.left[k] -= 1
    walk.piece_set[after] = walk.piece_set[before] + means.steps[k]
    walk.depth = after


@kernel
def add_coatl(cards: Cards, target: Target, walk: Walk) -> None:
    """The Cóatl as it lies, in one step."""
    before, coatl = int(walk.depth), target.coatl
    after = before + 1
    for at in range(walk.n_tracked):
        row, times = int(walk.rows[before, at]), int(walk.times[before, at])
        for k in range(coatl.length):
            entry = int(cards.transition[row, coatl.colours[k]])
            row = entry & _ROW
            times += entry >> _FLAG
        walk.rows[after, at] = row
        walk.times[after, at] = times
    walk.added[after] = NONE
    walk.piece_set[after] = walk.piece_set[before]
    walk.depth = after


@inline_kernel
def take_back(means: Means, walk: Walk) -> None:
    k = int(walk.added[walk.depth])
    if k != NONE:
        walk.left[k] += 1
    walk.depth -= 1


# ---------------------------------------------------------------- at the end of an arrangement


@kernel
def end_arrangement(cards: Cards, room: Room, target: Target, tail: int) -> None:
    """The Cóatl is closed, with this kind of tail or (NONE) as it is: what are the cards worth?"""
    means, walk = room.means, room.walk
    pieces = int(walk.piece_set[walk.depth]) + (0 if tail == NONE else int(means.steps[tail]))
    if walk.goal != NONE and (walk.goal != pieces or walk.is_found):
        return
    coatl, bodies = target.coatl, int(means.piece_sets[pieces].bodies)
    if int(coatl.length) - int(coatl.has_head) - int(coatl.has_tail) + bodies < 1:  # A7
        return
    room.nodes += 1
    met, laid_points, key = 0, 0, 0
    for at in range(walk.n_tracked):
        points = final_points(cards, means, walk, at, tail)
        if at < walk.n_hand:
            k = int(walk.in_hand[at])
            walk.points[k] = points
            met |= (1 << k) if points > 0 else 0
            key = key << 8 | points
        else:
            laid_points += points
    key = key << 10 | laid_points
    early = int(walk.breakable) & ~met
    if early != 0 and is_early_wanted(means, walk, target, pieces, early):
        walk.added[walk.depth + 1] = tail
        note_early(cards, room, target, pieces, met, laid_points)
    elif key != target.seen[pieces] or walk.goal != NONE:
        note_points(means, walk, target, pieces, met, laid_points)
    target.seen[pieces] = key
    if walk.is_found:
        keep_path(walk, tail)


@kernel
def keep_path(walk: Walk, tail: int) -> None:
    """The steps of the arrangement that was looked for."""
    walk.n_path = walk.depth
    for step in range(walk.depth):
        walk.path[step] = walk.added[step + 1]
    if tail != NONE:
        walk.path[walk.n_path] = tail
        walk.n_path += 1


@inline_kernel
def final_points(cards: Cards, means: Means, walk: Walk, at: int, tail: int) -> int:
    row, times = int(walk.rows[walk.depth, at]), int(walk.times[walk.depth, at])
    if tail != NONE:
        entry = int(cards.transition[row, int(means.kinds[tail]) % N_COLOURS])
        row = entry & _ROW
        times += entry >> _FLAG
    times += int(cards.transition[row, END]) >> _FLAG
    return int(cards.points[walk.tracked[at], min(times, MAX_TIMES)])


@inline_kernel
def is_early_wanted(means: Means, walk: Walk, target: Target, pieces: int, early: int) -> bool:
    """Does it matter which cards can be laid early? One is enough, once, but at level 4."""
    if walk.goal != NONE or int(means.levels) & LEVEL_4:
        return True
    for k in range(means.n_cards):
        if (early >> k) & 1 and target.points[pieces, 1 << k] == NONE:
            return True
    return False


@kernel
def note_early(
    cards: Cards, room: Room, target: Target, pieces: int, met: int, laid_points: int
) -> None:
    """The same where cards may be laid before later pieces break them (R1, R2)."""
    means, walk = room.means, room.walk
    families = early_cards(cards, means, target, walk, int(walk.breakable) & ~met)
    for early in range(1 << int(means.n_cards)):
        if (families >> early) & 1:
            note_points(means, walk, target, pieces, met | early, laid_points)


@kernel
def note_points(
    means: Means, walk: Walk, target: Target, pieces: int, layable: int, laid_points: int
) -> None:
    """Every set of the cards that can be laid, with the points of all Prophecy cards then."""
    walk.sums[0] = laid_points
    for k in range(means.n_cards):
        for chosen in range(1 << k):
            walk.sums[chosen | 1 << k] = walk.sums[chosen] + walk.points[k]
    if walk.goal != NONE:
        chosen = int(walk.goal_cards)
        if chosen & ~layable == 0 and walk.sums[chosen] == walk.goal_points:
            walk.is_found = 1
        return
    for chosen in range(layable + 1):
        if chosen & ~layable == 0 and target.allowed[chosen]:
            best = int(target.points[pieces, chosen])
            target.points[pieces, chosen] = max(best, int(walk.sums[chosen]))
