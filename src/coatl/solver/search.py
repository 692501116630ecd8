"""The best way to close several Cóatl, which share the pieces, the cards and the Temple cards."""

from __future__ import annotations

from coatl.compiler.functions import inline_kernel, kernel
from coatl.rules.levels import n_bits
from coatl.rules.scoring import temple_points
from coatl.rules.state import LEVEL_1, NONE
from coatl.rules.tables import Cards
from coatl.solver.arrangements import fill_tables
from coatl.solver.means import CARD_GUARDS, PIECE_GUARDS, fits
from coatl.solver.workspace import N_TEMPLES, Room, Target

# A plan with more points is better; then one with fewer pieces; then one with fewer cards.
POINT, PIECE, CARD = 1024, 32, 1
WORST = -(1 << 40)


@kernel
def fill_all(cards: Cards, room: Room) -> None:
    """The tables of all targets; new Cóatl are alike and share theirs."""
    first_new = NONE
    for k in range(room.n_targets):
        target = room.targets[k]
        room.tables[k] = k
        if target.is_new and first_new != NONE:
            room.tables[k] = first_new
            continue
        fill_tables(cards, room, target)
        if target.is_new:
            first_new = k


@kernel
def find_best_sum(cards: Cards, room: Room) -> bool:
    """The plan with the most points from all Cóatl that it closes; False: none is possible."""
    for k in range(room.n_targets):
        room.weights[k] = 1
        room.may_close[k] = 1
        room.must_close[k] = room.targets[k].is_pending
    return find(cards, room)


@kernel
def find_best_closing(cards: Cards, room: Room, goal: int) -> bool:
    """The plan that closes one target with the most points, and others only if it has to."""
    for k in range(room.n_targets):
        is_needed = k == goal or room.targets[k].is_pending
        room.weights[k] = 1 if k == goal else 0
        room.may_close[k] = 1 if is_needed else 0
        room.must_close[k] = room.may_close[k]
    if goal != room.needs_closed or room.targets[0].is_pending or room.targets[1].is_pending:
        return find(cards, room)
    for k in range(goal):  # A1: one of the two before it has to be closed first
        room.may_close[k] = 1
    return find(cards, room)


@kernel
def find(cards: Cards, room: Room) -> bool:
    """Try the options of one target after another, with what those before it leave."""
    means, n_targets = room.means, int(room.n_targets)
    room.best_score = WORST
    room.to_come[n_targets] = 0
    for k in range(n_targets - 1, -1, -1):
        most = int(room.targets[room.tables[k]].most)
        if room.must_close[k] and most == NONE:
            return False
        counts = room.may_close[k] and room.weights[k]
        room.to_come[k] = room.to_come[k + 1] + (max(most, 0) if counts else 0)
    first = room.levels[0]
    first.pieces = means.piece_sets[means.n_piece_sets - 1].counts
    first.held = means.held
    first.score = 0
    first.option = NONE
    k = 0
    while k >= 0:
        if k == n_targets:
            assign_temples(cards, room)
            k -= 1
        elif next_option(room, k):
            k += 1
            room.levels[k].option = NONE
        else:
            k -= 1
    return room.best_score > WORST


# ---------------------------------------------------------------- pieces and cards


@kernel
def next_option(room: Room, k: int) -> bool:
    """Go on to the next set of pieces and cards for target `k`; to leave it as it is comes last."""
    means, level, target = room.means, room.levels[k], room.targets[room.tables[k]]
    n_card_sets = 1 << int(means.n_cards)
    n_options = int(means.n_piece_sets) * n_card_sets
    if level.option < n_options and not is_closable(room, k):
        level.option = n_options - 1
    level.option += 1
    while level.option < n_options:
        pieces, chosen = level.option // n_card_sets, level.option % n_card_sets
        if chosen == 0 and not are_pieces_worth_it(room, k, target, pieces):
            level.option += n_card_sets
        elif take_option(room, k, target, pieces, chosen):
            return True
        else:
            level.option += 1
    if level.option > n_options or room.must_close[k]:
        return False
    return leave_open(room, k)


@inline_kernel
def is_closable(room: Room, k: int) -> bool:
    """A1: where two are open one of them has to be closed before another is begun."""
    if k != room.needs_closed:
        return bool(room.may_close[k])
    for before in range(k):
        if room.tried[before].pieces != NONE:
            return bool(room.may_close[k])
    return False


@inline_kernel
def is_promising(room: Room, k: int, score: int, points: int) -> bool:
    """Can it become the best, if target `k` has so many points and those after it their most?"""
    most = int(room.weights[k]) * points + int(room.to_come[k + 1])
    return score + POINT * most > room.best_score


@inline_kernel
def are_pieces_worth_it(room: Room, k: int, target: Target, pieces: int) -> bool:
    level, used, top = room.levels[k], room.means.piece_sets[pieces], int(target.top[pieces])
    return (
        top != NONE
        and is_promising(room, k, int(level.score) - PIECE * int(used.n_pieces), top)
        and fits(int(used.counts), int(level.pieces), PIECE_GUARDS)
    )


@inline_kernel
def take_option(room: Room, k: int, target: Target, pieces: int, chosen: int) -> bool:
    """Close target `k` so, if it can be done and may turn out best."""
    means, level, after, tried = room.means, room.levels[k], room.levels[k + 1], room.tried[k]
    points, used = int(target.points[pieces, chosen]), means.piece_sets[pieces]
    if points == NONE or not fits(int(means.copies[chosen]), int(level.held), CARD_GUARDS):
        return False
    temple = 0
    for at in range(N_TEMPLES):
        temple = max(temple, int(target.temple[pieces, at]))
    score = int(level.score) - PIECE * int(used.n_pieces) - CARD * n_bits(chosen)
    if not is_promising(room, k, score, points + temple):
        return False
    room.nodes += 1
    tried.pieces, tried.cards, tried.points = pieces, chosen, points
    after.pieces = level.pieces - used.counts
    after.held = level.held - means.copies[chosen]
    after.score = score + POINT * int(room.weights[k]) * (points + temple)
    return True


@inline_kernel
def leave_open(room: Room, k: int) -> bool:
    """Do not close target `k`, if that may turn out best."""
    level, after = room.levels[k], room.levels[k + 1]
    if not is_promising(room, k, int(level.score), 0):
        return False
    room.tried[k].pieces = NONE
    after.pieces, after.held, after.score = level.pieces, level.held, level.score
    return True


# ---------------------------------------------------------------- Temple cards


@kernel
def assign_temples(cards: Cards, room: Room) -> None:
    """Give each Cóatl that is closed one Temple card or none (A9(ii)), and keep the best plan."""
    n_targets, score = int(room.n_targets), 0
    if room.levels[n_targets].score <= room.best_score:
        return
    for k in range(n_targets):
        tried = room.tried[k]
        if tried.pieces != NONE:
            score += POINT * int(room.weights[k]) * int(tried.points) - CARD * n_bits(
                int(tried.cards)
            )
            score -= PIECE * int(room.means.piece_sets[tried.pieces].n_pieces)
        for at in range(N_TEMPLES):
            room.temple_points[k, at] = points_of_temple(cards, room, k, at)
    n_ways = (N_TEMPLES + 1) ** n_targets
    for way in range(n_ways):
        added = score_of_temples(room, way)
        if added != WORST and score + added > room.best_score:
            keep_plan(room, score + added)


@kernel
def points_of_temple(cards: Cards, room: Room, k: int, at: int) -> int:
    """What a Temple card is worth on target `k` as it is closed now; 0: it may not be laid."""
    means, target, tried = room.means, room.targets[room.tables[k]], room.tried[k]
    if tried.pieces == NONE:
        return 0
    points = int(target.temple[tried.pieces, at])
    if points == 0 or not means.ask_cards[at]:
        return points
    closed, added = room.closed, means.piece_sets[tried.pieces]
    closed.length = target.coatl.length + added.n_pieces
    closed.counts = target.coatl.counts + added.colours
    laid = int(target.laid)
    for card in range(means.n_cards):
        if (int(tried.cards) >> card) & 1:
            laid |= 1 << int(cards.colour[means.cards[card]])
    return temple_points(cards, int(means.temples[at]), closed, NONE, laid)


@kernel
def score_of_temples(room: Room, way: int) -> int:
    """What one way to share the Temple cards adds to the score; WORST if it is not legal.

    The digits of `way` say which card each target gets.
    """
    used, score = 0, 0
    for k in range(room.n_targets):
        at = way % (N_TEMPLES + 1) - 1
        way //= N_TEMPLES + 1
        tried = room.tried[k]
        tried.temple = at
        if at == NONE:
            if int(room.means.levels) & LEVEL_1 and tried.pieces != NONE:
                return WORST
            continue
        points = int(room.temple_points[k, at])
        is_free = not (used >> at) & 1
        if points == 0 or not is_free:
            return WORST
        used |= 1 << at
        score += POINT * int(room.weights[k]) * points - CARD
    return score


@kernel
def keep_plan(room: Room, score: int) -> None:
    room.best_score = score
    for k in range(room.n_targets):
        best, tried = room.best[k], room.tried[k]
        best.pieces, best.cards, best.temple = tried.pieces, tried.cards, tried.temple
        best.points, best.value = tried.points, tried.points
        if tried.temple != NONE:
            best.value += room.temple_points[k, tried.temple]
