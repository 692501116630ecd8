"""Writes an observation (`layout`) of a known state (`rules.knowledge`) for the seat to move.

Nothing but the known state is read, so nothing can leak; and all points come from the rules' own
functions or the cards' automata. This is the hot spot of the environment, so what the automata
read on an open Cóatl is cached (`ReadingCache`) until the Cóatl grows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from coatl.compiler.arrays import Int8Row
from coatl.compiler.functions import inline_kernel, kernel
from coatl.compiler.records import Int8, Int8s, Int16s, RecordArray
from coatl.encode import layout as at
from coatl.encode.meanings import N_CARDS, N_TEMPLES, pair_number
from coatl.encode.reach import EncodingTables, Reach
from coatl.rules.patterns import END
from coatl.rules.pieces import (
    BOARD_SPACES,
    BODY,
    FIRST_HEAD_SPACE,
    FIRST_TAIL_SPACE,
    N_COLOURS,
    N_KINDS,
    N_SPACES,
)
from coatl.rules.scoring import (
    adam_points,
    coatl_value,
    colours_laid,
    pieces_of,
    requirement_met,
    temple_points,
)
from coatl.rules.solo import missing, space_has_wanted
from coatl.rules.state import (
    END_THIRD,
    MAX_COATLS,
    MAX_PLAYERS,
    N_PILES,
    N_TOKENS,
    NONE,
    ROW_SIZE,
    Coatl,
    PlayerRecord,
    StateRecord,
)
from coatl.rules.tables import COUNTED, Cards

_ROW = COUNTED - 1
_FLAG = 15
_MOST_TIMES = 7  # more matches than any level of the standard deck asks for


class Reading:
    """What the cards' automata read on a Cóatl of this length: matches, and their last states."""

    length: Int8
    times: Annotated[Int8s, N_CARDS]  # counted so far, without what the end would add
    row: Annotated[Int16s, N_CARDS]  # after reading from head to tail
    mirrored: Annotated[Int16s, N_CARDS]  # the mirrored card's, after reading from tail to head


class ReadingCache:
    """Readings of all Cóatl of a game, by seat; `forget_readings` before another game."""

    readings: Annotated[Sequence[Reading], MAX_PLAYERS * MAX_COATLS]


ReadingCaches = RecordArray[ReadingCache]


@inline_kernel
def byte(value: int) -> int:
    return min(max(value, -127), 127)


@kernel
def forget_readings(cache: ReadingCache) -> None:
    """Reset the cached lengths to 0, which no Cóatl has, so each is read again."""
    for k in range(len(cache.readings)):
        cache.readings[k].length = 0


@inline_kernel
def observe(tables: EncodingTables, known: StateRecord, cache: ReadingCache, x: Int8Row) -> None:
    """The observation of the seat to move, from the state as it knows it."""
    cards, mirror = tables.cards[0], tables.cards[1]
    right, left = tables.reaches[0], tables.reaches[1]
    for i in range(len(x)):
        x[i] = 0
    seat = int(known.current)
    player = known.players[seat]
    write_own(known, player, x)
    write_supply(known, x)
    write_cards(known, player, x)
    write_turn(known, seat, x)
    best_rival = write_others(cards, known, seat, x)
    if known.n_players == 1:
        best_rival = write_adam(cards, known, x)
    write_standing(cards, player, best_rival, x)
    slot = 0
    for which in range(player.n_coatls):
        coatl = player.coatls[which]
        if not coatl.complete:
            reading = cache.readings[seat * MAX_COATLS + which]
            if reading.length != coatl.length:
                read_coatl(cards, mirror, coatl, reading)
            base = at.OPENS + at.OPEN_SIZE * slot
            pending = known.pending == which
            write_open(known, coatl, pending, base, x)
            write_progress(cards, mirror, right, left, coatl, reading, base, x)
            write_gains(cards, mirror, player, coatl, reading, base, x)
            write_temples(cards, known, player, coatl, base, x)
            slot += 1


@inline_kernel
def write_own(known: StateRecord, player: PlayerRecord, x: Int8Row) -> None:
    for kind in range(N_KINDS):
        x[at.PIECES + kind] = player.pieces[kind]
    x[at.ROOM + BOARD_SPACES - int(player.n_pieces)] = 1
    x[at.HAND_SIZE + int(player.n_hand)] = 1
    for k in range(player.n_hand):
        x[at.HAND + int(player.hand[k])] += 1
        if not player.seen[k]:
            x[at.HAND_SECRET] += 1
    for k in range(player.n_temples):
        x[at.TEMPLES + int(player.temples[k])] = 1
    for token in range(N_TOKENS):
        x[at.TOKENS + token] = player.tokens[token]
    for k in range(player.n_buried):
        x[at.BURIED + int(player.buried[k])] += 1


@inline_kernel
def write_supply(known: StateRecord, x: Int8Row) -> None:
    for space in range(N_SPACES):
        first, second = int(known.supply[space, 0]), int(known.supply[space, 1])
        if first == NONE:
            continue
        x[at.SUPPLY + space * N_COLOURS + first] += 1
        if space < FIRST_HEAD_SPACE:
            x[at.SUPPLY + space * N_COLOURS + second] += 1
            x[at.SUPPLY_PAIRS + pair_number(first, second)] += 1
            x[at.SUPPLY_COLOURS + first] += 1
            x[at.SUPPLY_COLOURS + second] += 1
            x[at.SUPPLY_SPACES] += 1
        else:
            kind = at.SUPPLY_HEADS if space < FIRST_TAIL_SPACE else at.SUPPLY_TAILS
            x[kind + first] += 1
            x[at.SUPPLY_SPACES + 1] += 1
    bodies = 0
    for kind in range(N_KINDS):
        x[at.BAG + kind] = known.bag[kind]
        bodies += int(known.bag[kind]) if kind >= BODY else 0
    x[at.BAG_BODIES] = byte(bodies)


@inline_kernel
def write_cards(known: StateRecord, player: PlayerRecord, x: Int8Row) -> None:
    for place in range(ROW_SIZE):
        card = int(known.row[place])
        if card != NONE:
            x[at.ROW + card] += 1
            x[at.ROW_PLACE + card] = place + 1
    for card in range(N_CARDS):
        x[at.UNSEEN + card] = known.deck[card]
    x[at.DECK] = known.n_deck
    x[at.DECK + 1] = known.n_discard
    for pile in range(N_PILES):
        x[at.PILE_SIZES + pile] = known.pile_size[pile]
        if known.pile_top[pile] != NONE:
            x[at.PILE_TOPS + int(known.pile_top[pile])] = 1
    for temple in range(N_TEMPLES):
        x[at.TEMPLES_UNSEEN + temple] = known.pool[temple]


@inline_kernel
def write_turn(known: StateRecord, seat: int, x: Int8Row) -> None:
    players = int(known.n_players)
    x[at.PHASE + int(known.phase)] = 1
    x[at.PICKED] = known.picked
    x[at.ACTIONS_LEFT] = known.actions_left
    x[at.SECOND_ACTION] = known.second_action
    x[at.PASSES] = known.passes
    x[at.END + int(known.end)] = 1
    x[at.TURNS_LEFT] = known.turns_left
    if known.end == END_THIRD:
        x[at.TRIGGER + (int(known.trigger) - seat + players) % players] = 1
    x[at.TURN] = byte(int(known.turn))
    x[at.SEAT + seat] = 1
    x[at.PLAYERS + players - 1] = 1
    x[at.OPTIONS] = known.with_tokens
    x[at.OPTIONS + 1] = known.with_promo
    x[at.OPTIONS + 2] = known.fewer_bodies
    for level in range(5):
        x[at.LEVELS + level] = (int(known.levels) >> level) & 1


@kernel
def complete_points(cards: Cards, player: PlayerRecord) -> int:
    points = 0
    for which in range(player.n_coatls):
        if player.coatls[which].complete:
            points += coatl_value(cards, player.coatls[which])
    return points


@inline_kernel
def write_standing(cards: Cards, player: PlayerRecord, best_rival: int, x: Int8Row) -> None:
    points = complete_points(cards, player)
    x[at.COATLS + int(player.n_coatls)] = 1
    x[at.COMPLETE + int(player.n_complete)] = 1
    x[at.POINTS] = byte(points)
    x[at.LEAD] = byte(points - best_rival)
    for which in range(player.n_coatls):
        coatl = player.coatls[which]
        if coatl.complete:
            x[at.CARDS_LAID] += coatl.n_cards + (0 if coatl.temple == NONE else 1)


@kernel
def write_others(cards: Cards, known: StateRecord, seat: int, x: Int8Row) -> int:
    """Returns the points of the best of them."""
    players = int(known.n_players)
    best = 0
    for k in range(1, players):
        other = known.players[(seat + k) % players]
        base = at.OTHERS + at.OTHER_SIZE * (k - 1)
        x[base + at.OTHER_PRESENT] = 1
        for kind in range(N_KINDS):
            x[base + at.OTHER_PIECES + kind] = other.pieces[kind]
        x[base + at.OTHER_ROOM] = other.n_pieces
        x[base + at.OTHER_HAND_SIZE] = other.n_hand
        for i in range(other.n_hand):
            if other.hand[i] != NONE:
                x[base + at.OTHER_HAND + int(other.hand[i])] += 1
        x[base + at.OTHER_TEMPLE_COUNT] = other.n_temples
        for i in range(other.n_temples):
            if other.temples[i] != NONE:
                x[base + at.OTHER_TEMPLES + int(other.temples[i])] = 1
        for token in range(N_TOKENS):
            x[base + at.OTHER_TOKENS + token] = other.tokens[token]
        x[base + at.OTHER_COATLS] = other.n_coatls
        x[base + at.OTHER_COMPLETE + int(other.n_complete)] = 1
        points = complete_points(cards, other)
        x[base + at.OTHER_POINTS] = byte(points)
        best = max(best, points)
        write_other_open(cards, other, base, x)
    return best


@inline_kernel
def write_other_open(cards: Cards, other: PlayerRecord, base: int, x: Int8Row) -> None:
    into = base + at.OTHER_OPEN
    for which in range(other.n_coatls):
        coatl = other.coatls[which]
        if coatl.complete:
            continue
        x[into + at.OPEN_AT] = 1
        x[into + at.OPEN_AT_LENGTH] = coatl.length
        x[into + at.OPEN_AT_ENDS] = coatl.has_head
        x[into + at.OPEN_AT_ENDS + 1] = coatl.has_tail
        x[into + at.OPEN_AT_CARDS] = coatl.n_cards
        x[into + at.OPEN_AT_VALUE] = byte(coatl_value(cards, coatl))
        for colour in range(N_COLOURS):
            x[into + at.OPEN_AT_COLOURS + colour] = byte(pieces_of(coatl, colour, NONE))
        for i in range(coatl.n_cards):
            x[base + at.OTHER_LAID + int(coatl.cards[i])] = 1
        into += at.OTHER_OPEN_SIZE


@kernel
def write_adam(cards: Cards, known: StateRecord, x: Int8Row) -> int:
    """Returns his points."""
    adam = known.adam
    wanted = False
    for which in range(adam.n_cards):
        x[at.ADAM_CARDS + int(adam.cards[which])] = which + 1
        for colour in range(N_COLOURS):
            into = at.ADAM_MISSING + which * N_COLOURS + colour
            x[into] = missing(cards, adam, which, colour)
        for space in range(N_SPACES):
            if not wanted and space_has_wanted(cards, known, which, space):
                x[at.ADAM_SPACE + space] = 1
                wanted = True
    points = adam_points(cards, known)
    x[at.ADAM_POINTS] = byte(points)
    return points


@kernel
def read_coatl(cards: Cards, mirror: Cards, coatl: Coatl, reading: Reading) -> None:
    """Run every card's automaton along the Cóatl, both ways."""
    length = int(coatl.length)
    for card in range(N_CARDS):
        row, times = int(cards.start[card]), 0
        back = int(mirror.start[card])
        for i in range(length):
            entry = int(cards.transition[row, coatl.colours[i]])
            row = entry & _ROW
            times += entry >> _FLAG
            back = int(mirror.transition[back, coatl.colours[length - 1 - i]]) & _ROW
        reading.times[card] = min(times, _MOST_TIMES)
        reading.row[card] = row
        reading.mirrored[card] = back
    reading.length = length


@inline_kernel
def write_open(known: StateRecord, coatl: Coatl, pending: bool, base: int, x: Int8Row) -> None:
    length = int(coatl.length)
    x[base + at.O_PRESENT] = 1
    x[base + at.O_LENGTH_FLAG + min(length, at.LONGEST_SHOWN)] = 1
    x[base + at.O_LENGTH] = length
    x[base + at.O_ENDS] = coatl.has_head
    x[base + at.O_ENDS + 1] = coatl.has_tail
    x[base + at.O_PENDING] = 1 if pending else 0
    x[base + at.O_CARDS + int(coatl.n_cards)] = 1
    for colour in range(N_COLOURS):
        x[base + at.O_COLOURS + colour] = byte(pieces_of(coatl, colour, NONE))
    for i in range(min(length, at.SEEN_ENDS)):
        x[base + at.O_LEFT + i * N_COLOURS + int(coatl.colours[i])] = 1
        x[base + at.O_RIGHT + i * N_COLOURS + int(coatl.colours[length - 1 - i])] = 1
    for i in range(coatl.n_cards):
        x[base + at.O_LAID + int(coatl.cards[i])] = 1


@inline_kernel
def total_times(cards: Cards, reading: Reading, card: int) -> int:
    """Matches on the Cóatl as it is."""
    at_end = int(cards.transition[reading.row[card], END]) >> _FLAG
    return min(int(reading.times[card]) + at_end, _MOST_TIMES)


@inline_kernel
def times_before(mirror: Cards, reading: Reading, card: int, total: int) -> int:
    """Matches that the mirrored card has definitely counted when it reaches the left end."""
    at_end = int(mirror.transition[reading.mirrored[card], END]) >> _FLAG
    return max(total - at_end, 0)


@inline_kernel
def write_progress(
    cards: Cards,
    mirror: Cards,
    right: Reach,
    left: Reach,
    coatl: Coatl,
    reading: Reading,
    base: int,
    x: Int8Row,
) -> None:
    """For every card: its points now, and how near its next level is at each end."""
    hand_value = 0
    for card in range(N_CARDS):
        total = total_times(cards, reading, card)
        points = int(cards.points[card, total])
        at_right = 0
        if not coatl.has_tail:
            at_right = int(right.near[reading.row[card], reading.times[card]])
        at_left = 0
        if not coatl.has_head:
            before = times_before(mirror, reading, card, total)
            at_left = int(left.near[reading.mirrored[card], before])
        x[base + at.O_POINTS + card] = points
        x[base + at.O_NEAR_RIGHT + card] = at_right
        x[base + at.O_NEAR_LEFT + card] = at_left
        if x[at.HAND + card] > 0:
            x[base + at.O_HAND_POINTS + card] = points
            x[base + at.O_HAND_RIGHT + card] = at_right
            x[base + at.O_HAND_LEFT + card] = at_left
            hand_value += points
        if x[at.ROW + card] > 0:
            x[base + at.O_ROW_POINTS + card] = points
            x[base + at.O_ROW_NEAR + card] = max(at_right, at_left)
    x[base + at.O_HAND_VALUE] = byte(hand_value)


@kernel
def write_gains(
    cards: Cards,
    mirror: Cards,
    player: PlayerRecord,
    coatl: Coatl,
    reading: Reading,
    base: int,
    x: Int8Row,
) -> None:
    """What one more piece at either end would gain for the cards in hand and those laid."""
    for k in range(player.n_hand):
        add_gains(cards, mirror, coatl, reading, int(player.hand[k]), base + at.O_GAIN_HAND, x)
    for k in range(coatl.n_cards):
        add_gains(cards, mirror, coatl, reading, int(coatl.cards[k]), base + at.O_GAIN_LAID, x)


@kernel
def add_gains(
    cards: Cards, mirror: Cards, coatl: Coatl, reading: Reading, card: int, into: int, x: Int8Row
) -> None:
    total = total_times(cards, reading, card)
    points = int(cards.points[card, total])
    if not coatl.has_tail:
        row, times = int(reading.row[card]), int(reading.times[card])
        for colour in range(N_COLOURS):
            x[into + colour] += points_after(cards, card, row, times, colour) - points
    if not coatl.has_head:
        row = int(reading.mirrored[card])
        times = times_before(mirror, reading, card, total)
        for colour in range(N_COLOURS):
            x[into + N_COLOURS + colour] += points_after(mirror, card, row, times, colour) - points


@inline_kernel
def points_after(cards: Cards, card: int, row: int, times: int, colour: int) -> int:
    """A card's points after one more piece."""
    entry = int(cards.transition[row, colour])
    times += (entry >> _FLAG) + (int(cards.transition[entry & _ROW, END]) >> _FLAG)
    return int(cards.points[card, times])


@kernel
def write_temples(
    cards: Cards, known: StateRecord, player: PlayerRecord, coatl: Coatl, base: int, x: Int8Row
) -> None:
    laid = colours_laid(cards, coatl)
    for temple in range(N_TEMPLES):
        into = base + at.O_TEMPLE_MET + temple * at.MAX_REQUIREMENTS
        for which in range(cards.n_requirements[temple]):
            if requirement_met(cards, temple, which, coatl, NONE, laid):
                x[into + which] = 1
    best = 0
    for k in range(player.n_temples):
        best = max(best, temple_points(cards, int(player.temples[k]), coatl, NONE, laid))
    for pile in range(N_PILES):
        if known.pile_top[pile] != NONE:
            top = int(known.pile_top[pile])
            best = max(best, temple_points(cards, top, coatl, NONE, laid))
    x[base + at.O_TEMPLE_BEST] = best
    x[base + at.O_VALUE] = byte(coatl_value(cards, coatl))
