"""Actions by meaning: what the decisions of `rules.decisions` do, by card, colour and piece.

A decision names a place ("the third card of the row"); an action names the thing ("the card YYY"),
so that inputs and outputs of a network line up by card. Where two places hold the same thing, the
first stands for both. Open Cóatl are counted from 0 in the order in which they were begun.
"""

from __future__ import annotations

from collections.abc import Sequence

from coatl.compiler.arrays import Int8Row, Int16Row
from coatl.compiler.functions import kernel
from coatl.rules import decisions
from coatl.rules.cards import standard_deck
from coatl.rules.decisions import AT, CARD, COATL, DECODED, END, KIND, PAIR, PIECE, Choices
from coatl.rules.decisions import DecisionKind as Kind
from coatl.rules.pieces import (
    BODY,
    COLOURS,
    FIRST_HEAD_SPACE,
    FIRST_TAIL_SPACE,
    KIND_TEXTS,
    N_COLOURS,
    N_KINDS,
)
from coatl.rules.state import MAX_INCOMPLETE, PlayerRecord, StateRecord

N_CARDS = len(standard_deck().prophecies)  # promo pack included
N_TEMPLES = len(standard_deck().temples)

TAKE_PAIR = 0  # + pair of colours
TAKE_HEAD = TAKE_PAIR + decisions.N_PAIRS  # + colour
TAKE_TAIL = TAKE_HEAD + N_COLOURS  # + colour
PICK = TAKE_TAIL + N_COLOURS  # + card
DRAW = PICK + N_CARDS
BEGIN = DRAW + 1  # + kind
PERFECT_END = BEGIN + N_KINDS  # + kind of a head or tail
PERFECT_PAIR = PERFECT_END + BODY  # + pair of colours
FUTURE_TOKEN = PERFECT_PAIR + decisions.N_PAIRS
PRIEST = FUTURE_TOKEN + 1  # + Temple card
TEMPLE = PRIEST + N_TEMPLES  # + Temple card, from the hand or a pile
DISCARD = TEMPLE + N_TEMPLES  # + card
DONE = DISCARD + N_CARDS
PASS = DONE + 1
OPEN = PASS + 1  # + OPEN_ACTIONS * open Cóatl + (end | N_ENDS + card)
OPEN_ACTIONS = decisions.N_ENDS + N_CARDS
N_ACTIONS = OPEN + OPEN_ACTIONS * MAX_INCOMPLETE


def action_text(action: int) -> str:
    """An action in words, for people and tests."""
    for first, word, names in _WORDS:
        if action >= first:
            return f"{word} {names[action - first]}".strip()
    raise ValueError(f"there is no action {action}")


def _open_actions() -> list[str]:
    ends = ["<{}", "{}>", "{} on the left", "{} on the right"]
    adds = [f"add {end.format(colour)}" for end in ends for colour in COLOURS]
    names = adds + [f"lay {name}" for name in standard_deck().prophecy_names]
    return [f"{slot}: {name}" for slot in range(MAX_INCOMPLETE) for name in names]


_CARD_NAMES, _TEMPLE_NAMES = standard_deck().prophecy_names, standard_deck().temple_names
_PAIRS = [
    COLOURS[a] + COLOURS[b]
    for a, b in zip(decisions.PAIR_FIRST, decisions.PAIR_SECOND, strict=True)
]
_WORDS: tuple[tuple[int, str, Sequence[str]], ...] = (  # last first
    (OPEN, "open", _open_actions()),
    (PASS, "pass", [""]),
    (DONE, "done", [""]),
    (DISCARD, "discard", _CARD_NAMES),
    (TEMPLE, "temple", _TEMPLE_NAMES),
    (PRIEST, "priest", _TEMPLE_NAMES),
    (FUTURE_TOKEN, "future", [""]),
    (PERFECT_PAIR, "perfect", _PAIRS),
    (PERFECT_END, "perfect", KIND_TEXTS[:BODY]),
    (BEGIN, "begin", KIND_TEXTS),
    (DRAW, "draw", [""]),
    (PICK, "pick", _CARD_NAMES),
    (TAKE_TAIL, "take tail", COLOURS),
    (TAKE_HEAD, "take head", COLOURS),
    (TAKE_PAIR, "take", _PAIRS),
)


@kernel
def pair_number(low: int, high: int) -> int:
    """The place of a sorted pair of colours in `decisions.PAIR_FIRST`."""
    return low * N_COLOURS - low * (low - 1) // 2 + high - low


@kernel
def slot_of(player: PlayerRecord, which: int) -> int:
    """The place of Cóatl number `which` among the open Cóatl of a player, from 0."""
    slot = 0
    for other in range(which):
        slot += 0 if player.coatls[other].complete else 1
    return slot


@kernel
def meaning_of(state: StateRecord, player: PlayerRecord, decision: int) -> int:
    """The action that says what a legal decision does."""
    kind, at = DECODED[decision, KIND], int(DECODED[decision, AT])
    if kind == Kind.TAKE:
        first, second = int(state.supply[at, 0]), int(state.supply[at, 1])
        if at < FIRST_HEAD_SPACE:
            return TAKE_PAIR + pair_number(first, second)
        return (TAKE_HEAD if at < FIRST_TAIL_SPACE else TAKE_TAIL) + first
    if kind == Kind.PICK:
        return PICK + int(state.row[at])
    if kind == Kind.DRAW:
        return DRAW
    if kind == Kind.BEGIN:
        return BEGIN + int(DECODED[decision, PIECE])
    if kind == Kind.ADD:
        slot = slot_of(player, int(DECODED[decision, COATL]))
        return OPEN + OPEN_ACTIONS * slot + int(DECODED[decision, END])
    if kind == Kind.FULFIL:
        slot = slot_of(player, int(DECODED[decision, COATL]))
        return OPEN + OPEN_ACTIONS * slot + decisions.N_ENDS + int(DECODED[decision, CARD])
    return meaning_of_rest(state, decision)


@kernel
def meaning_of_rest(state: StateRecord, decision: int) -> int:
    """Temple cards, tokens, discards and the end of a step."""
    kind, at = DECODED[decision, KIND], int(DECODED[decision, AT])
    if kind == Kind.TEMPLE_FROM_HAND:
        return TEMPLE + int(DECODED[decision, CARD])
    if kind == Kind.TEMPLE_FROM_PILE:
        return TEMPLE + int(state.pile_top[at])
    if kind == Kind.PERFECT_END:
        return PERFECT_END + int(DECODED[decision, PIECE])
    if kind == Kind.PERFECT_PAIR:
        return PERFECT_PAIR + int(DECODED[decision, PAIR])
    if kind == Kind.FUTURE:
        return FUTURE_TOKEN
    if kind == Kind.PRIEST:
        return PRIEST + int(state.pile_top[at])
    if kind == Kind.DISCARD:
        return DISCARD + int(DECODED[decision, CARD])
    return DONE if kind == Kind.DONE else PASS


@kernel
def mark_legal(state: StateRecord, legal: Choices, mask: Int8Row, decisions: Int16Row) -> int:
    """Mark the actions that a list of decisions offers, and note a decision for each.

    Returns the number of different actions. `decisions` is written only where `mask` is 1.
    """
    for action in range(N_ACTIONS):
        mask[action] = 0
    player = state.players[state.current]
    different = 0
    for k in range(legal.n):
        decision = int(legal.items[k])
        action = meaning_of(state, player, decision)
        if mask[action] == 0:
            mask[action] = 1
            decisions[action] = decision
            different += 1
    return different
