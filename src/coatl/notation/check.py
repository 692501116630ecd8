"""Is a position possible? Every problem is reported with the clause it breaks."""

from __future__ import annotations

from collections.abc import Iterator

from coatl.errors import Problem
from coatl.notation.counts import (
    expected_pieces,
    pieces_placed,
    prophecies_placed,
    temples_placed,
)
from coatl.rules import state as st
from coatl.rules.cards import Deck
from coatl.rules.limits import adam_cards, cards_dealt, hand_limit, temples_dealt
from coatl.rules.pieces import (
    BOARD_SPACES,
    BODY,
    COLOUR_NAMES,
    COLOURS,
    FEWER_BODIES_OF_A_COLOUR,
    FIRST_HEAD_SPACE,
    KIND_TEXTS,
    N_COLOURS,
)
from coatl.rules.state import NONE, Coatl, PlayerRecord, StateRecord


def problems(state: StateRecord, deck: Deck) -> list[Problem]:
    """Everything that the rules do not allow in a position."""
    return [
        Problem(clause, text)
        for check in (_options, _turn, _pieces, _cards, _temples, _seats, _adam, _supply, _end)
        for clause, text in check(state, deck)
    ]


Found = Iterator[tuple[str, str]]


def _options(state: StateRecord, deck: Deck) -> Found:
    solo = state.n_players == 1
    if state.fewer_bodies and state.n_players not in FEWER_BODIES_OF_A_COLOUR:
        yield "R22", "fewer bodies are for 2 or 3 players"
    if state.with_tokens and solo:
        yield "D1", "solo has no Sacrifice tokens"
    if state.levels and not solo:
        yield "D10", "levels are for solo"


def _turn(state: StateRecord, deck: Deck) -> Found:
    if not 0 <= state.current < state.n_players:
        yield "S2", f"seat {state.current + 1} of {state.n_players}"
        return
    if state.phase == st.ADAM and state.n_players > 1:
        yield "D2", "A.D.A.M. plays in solo only"
    completing = state.phase in (st.FULFIL, st.TEMPLE)
    player = state.players[state.current]
    closed = 0 <= state.pending < player.n_coatls and (
        player.coatls[state.pending].has_head and player.coatls[state.pending].has_tail
    )
    if completing and not closed:
        yield "A9", "no closed Cóatl is pending"
    if state.pending != NONE and not completing:
        yield "A9", "a Cóatl is pending outside its completion"
    if state.phase == st.TEMPLE and closed and player.coatls[state.pending].n_cards == 0:
        yield "A9", "a Temple card before any Prophecy card"
    if state.actions_left > 2 or (state.actions_left == 2 and state.end != st.END_THIRD):
        yield "E2", f"{state.actions_left} actions left"
    if state.actions_left == 0 and state.phase not in (st.ADAM, st.OVER):
        yield "T0", "no action left in a turn"
    if state.second_action and (state.end != st.END_THIRD or state.actions_left != 1):
        yield "R14", "a second action outside a final turn of two"
    if state.phase == st.FUTURE and player.tokens[st.SEE_THE_FUTURE]:
        yield "K2", "See the Future is under way but not spent"


def _pieces(state: StateRecord, deck: Deck) -> Found:
    expected, placed = expected_pieces(state), pieces_placed(state)
    for kind, in_bag in enumerate(state.bag.tolist()):
        total = placed[kind] + in_bag
        if total != expected[kind]:
            yield "C2", f"{total} pieces {KIND_TEXTS[kind]} instead of {expected[kind]}"
    if state.n_players > 1 and state.gone.any():
        yield "R15", "only A.D.A.M. discards pieces"


def _cards(state: StateRecord, deck: Deck) -> Found:
    placed, in_deck, promo = prophecies_placed(state), state.deck.tolist(), bool(state.with_promo)
    for card, prophecy in enumerate(deck.prophecies):
        copies = prophecy.copies if promo or not prophecy.promo else 0
        total = placed[card] + in_deck[card]
        if total != copies:
            yield "C3", f"{total} cards {prophecy.name} instead of {copies}"
    if state.recycled.any() and not state.reshuffled:
        yield "R3", "cards went into a new deck, but there was no reshuffle"


def _temples(state: StateRecord, deck: Deck) -> Found:
    placed, in_pool, promo = temples_placed(state), state.pool.tolist(), bool(state.with_promo)
    for top in state.pile_top.tolist():
        if top != NONE:
            placed[top] += 1
    for card, temple in enumerate(deck.temples):
        copies = temple.copies if promo or not temple.promo else 0
        total = placed[card] + in_pool[card]
        if total != copies:
            yield "C3", f"{total} Temple cards {temple.name} instead of {copies}"
    for pile in range(st.N_PILES):
        if (state.pile_top[pile] == NONE) != (state.pile_size[pile] == 0):
            yield "S3", f"pile {pile + 1} has a size but no top, or a top but no size"
    tops = sum(1 for top in state.pile_top if top != NONE)
    if int(state.pile_size.sum()) - tops != int(state.pool.sum()):
        yield "S3", "the piles do not hold the Temple cards that are left"


def _seats(state: StateRecord, deck: Deck) -> Found:
    for seat in range(state.n_players):
        player = state.players[seat]
        name = f"seat {seat + 1}"
        yield from _hand(state, player, seat, name)
        if player.n_pieces > BOARD_SPACES:
            yield "C5", f"{name} has {player.n_pieces} pieces on 8 spaces"
        if player.tokens.any() and not state.with_tokens:
            yield "S6", f"{name} has tokens in a game without them"
        if player.n_coatls - player.n_complete > st.MAX_INCOMPLETE:
            yield "A1", f"{name} has more than 2 incomplete Cóatl"
        for i in range(player.n_coatls):
            yield from _coatl(state, deck, player.coatls[i], f"Cóatl {i + 1} of {name}")


def _hand(state: StateRecord, player: PlayerRecord, seat: int, name: str) -> Found:
    solo = state.n_players == 1
    if state.phase == st.SETUP:
        dealt = cards_dealt(int(state.n_players), seat)
        if player.n_hand > (dealt if seat >= state.current else st.KEPT_AT_SETUP):
            yield "S5", f"{name} has {player.n_hand} cards at setup"
    elif player.n_hand > hand_limit(int(state.levels)):
        clause = "D10" if player.n_hand <= hand_limit(0) else "P2"
        yield clause, f"{name} has {player.n_hand} Prophecy cards in hand"
    if solo and player.n_temples:
        yield "R23", "no Temple card in hand in solo"
    if (
        player.n_temples > temples_dealt(int(state.n_players))
        and player.tokens[st.PRIEST_COMMITMENT]
    ):
        yield "K3", f"{name} has {player.n_temples} Temple cards and did not use Priest Commitment"
    if player.n_old > player.n_hand - int(player.seen[: player.n_hand].sum()):
        yield "H1", f"{name} has fewer unseen cards than old ones"


def _coatl(state: StateRecord, deck: Deck, coatl: Coatl, name: str) -> Found:
    cards = [int(card) for card in coatl.cards[: coatl.n_cards]]
    if len(set(cards)) < len(cards):
        yield "A6", f"{name} has two identical cards"
    closed = coatl.has_head and coatl.has_tail
    if closed and coatl.length < 3:
        yield "A7", f"{name} has no body segment"
    if coatl.complete and not cards:
        yield "A7", f"{name} is complete without a Prophecy card"
    pieces = "".join(COLOURS[colour] for colour in coatl.colours[: coatl.length].tolist())
    for card in cards:
        if not deck.prophecies[card].may_have_been_met(pieces):
            yield "A3", f"{name} never satisfied its card {deck.prophecies[card].name}"
    if coatl.temple != NONE and not coatl.complete:
        yield "A9", f"{name} has a Temple card before it is complete"
    colours = [deck.prophecies[card].colour for card in cards]
    if state.levels & st.LEVEL_3 and len(set(colours)) < len(colours):
        yield "D10", f"{name} has two cards of one card colour at level 3"
    if coatl.complete and state.levels & st.LEVEL_4 and len(cards) < st.MAX_CARDS_ON_COATL:
        yield "D10", f"{name} is complete with {len(cards)} cards at level 4"
    if coatl.complete and state.levels & st.LEVEL_1 and coatl.temple == NONE:
        yield "D10", f"{name} is complete without a Temple card at level 1"


def _adam(state: StateRecord, deck: Deck) -> Found:
    adam = state.adam
    if state.n_players > 1:
        if adam.n_cards or adam.fulfilled.any() or adam.holding.any():
            yield "D2", "A.D.A.M. plays in solo only"
        return
    most = adam_cards(int(state.levels))
    if adam.n_cards > most:
        yield "D2", f"A.D.A.M. has {adam.n_cards} cards, not {most}"
    for which in range(adam.n_cards):
        card = deck.prophecies[adam.cards[which]]
        for colour in range(N_COLOURS):
            held = int(adam.pieces[which, colour::N_COLOURS].sum())
            if held > card.needs[colour]:
                yield "D5", f"{held} {COLOUR_NAMES[colour]} pieces on A.D.A.M.'s {card.name}"
    if state.phase == st.ADAM:
        yield from _adam_turn(state)


def _adam_turn(state: StateRecord) -> Found:
    adam = state.adam
    if adam.step == st.LOOK and not 0 <= adam.looking < adam.n_cards:
        yield "D4", "A.D.A.M. looks for a card he does not have"
    if adam.step == st.GRAB and (adam.space == NONE or state.supply[adam.space, 0] == NONE):
        yield "D4", "A.D.A.M. takes from an empty space"
    if (adam.step == st.PLACE) != bool(adam.holding.any()):
        yield "D5", "A.D.A.M. holds pieces exactly while he places them"


def _supply(state: StateRecord, deck: Deck) -> Found:
    filled = state.supply[:, 0] != NONE
    bodies, ends = filled[:FIRST_HEAD_SPACE].any(), filled[FIRST_HEAD_SPACE:].any()
    if not bodies and int(state.bag[BODY:].sum()) >= 2:
        yield "T3", "no body segment on the board, but some in the bag"
    if not ends and state.bag[:BODY].any():
        yield "T3", "no head and no tail on the board, but some in the bags"


def _end(state: StateRecord, deck: Deck) -> Found:
    complete = [int(state.players[seat].n_complete) for seat in range(state.n_players)]
    if state.end == st.END_NONE:
        if st.MAX_COATLS in complete:
            yield "A11", "a third Cóatl is complete, but the end is not triggered"
        if state.phase == st.OVER:
            yield "E1", "the game is over without a reason"
    bodies = bool((state.supply[:FIRST_HEAD_SPACE, 0] != NONE).any() or state.bag[BODY:].any())
    if state.end == st.END_NONE and not bodies and state.phase != st.ADAM:
        yield "T5", "no body segment is left, but the end is not triggered"
    if state.end == st.END_BODIES and bodies:
        yield "E3", "the body segments are said to be gone, but some are left"
    if state.end == st.END_THIRD:
        yield from _third(state, complete)
    if state.end != st.END_THIRD and state.trigger != NONE:
        yield "E2", "a seat triggered an end that is not its own"
    if state.end == st.END_PASSED and state.phase != st.OVER:
        yield "R5", "everybody passed, but the game goes on"
    if state.end == st.END_NONE and state.passes >= state.n_players > 1:
        yield "R5", "everybody passed, but the game goes on"


def _third(state: StateRecord, complete: list[int]) -> Found:
    if state.trigger == NONE:
        yield "E2", "end=third needs trigger=, the seat that completed its third Cóatl"
    elif not 0 <= state.trigger < state.n_players:
        yield (
            "E2",
            f"seat {state.trigger + 1} of {state.n_players} is said to have triggered the end",
        )
    elif complete[state.trigger] < st.MAX_COATLS:
        yield "E2", f"seat {state.trigger + 1} triggered the end without three complete Cóatl"
