"""Decisions in words: exact, readable, the same in every language.

====================  ==============================================================
``take b3``           T1: the content of a supply space (``b1``-``b6``, ``h1 h2``, ``t1 t2``)
``pick YK+R``         P1: a face-up card; ``pick YK+R@4`` where it lies more than once
``draw``              P1: the top card of the deck
``new <K``            A1: begin with a head, ``new K`` a body segment, ``new K>`` a tail
``<K+1`` ``R+1``      A2: to the left end of Cóatl 1
``1+R`` ``1+K>``      A2: to the right end of Cóatl 1
``1:KKK``             A3, A9(i): fulfil a Prophecy card with Cóatl 1
``1:noK/8``           A9(ii): a Temple card from the hand or from a pile; ``1:noK/8@2`` from
                      pile 2 where the name alone is not enough
``token pick BG``     K1: two body segments; ``token pick <K`` a head, ``token pick K>`` a tail
``token future``      K2
``token priest 1``    K3: the top of pile 1 or 2
``drop KKK``          S5, K2: discard from the hand
``done``              end what you are doing
``pass``              R5
``step``              A.D.A.M.'s next automatic step
====================  ==============================================================
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from coatl.errors import NotationError
from coatl.reasons import reason_of
from coatl.rules import actions as act
from coatl.rules.cards import Deck
from coatl.rules.causes import Cause
from coatl.rules.pieces import BODY, COLOURS, KIND_OF_TEXT, KIND_TEXTS, N_COLOURS, SPACES
from coatl.rules.state import MAX_PROPHECIES, NONE, ROW_SIZE, StateRecord
from coatl.snapshot import Snapshot

_ADD = re.compile(r"(?P<left>\S+)\+(?P<to>[1-9])|(?P<at>[1-9])\+(?P<right>\S+)")
_LAY = re.compile(r"(?P<coatl>[1-9]):(?P<card>[^@\s]+)(@(?P<pile>[12]))?")


@dataclass(frozen=True, slots=True)
class Move:
    """One decision in a position: its exact text, and its number in the kernel."""

    text: str
    decision: int

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r})"


Table = StateRecord | Snapshot
"""What a text is read against: a record, or the same read in one go."""


def format_decision(deck: Deck, state: Table, decision: int) -> str:
    """The text of a decision in a position."""
    if decision < act.BEGIN:
        return _format_taking(deck, state, decision)
    if decision < act.ADD:
        return f"new {KIND_TEXTS[decision - act.BEGIN]}"
    if decision < act.FULFIL:
        return _format_addition(decision - act.ADD)
    if decision < act.TEMPLE_FROM_HAND:
        coatl, card = divmod(decision - act.FULFIL, MAX_PROPHECIES)
        return f"{coatl + 1}:{_prophecy_name(deck, card)}"
    if decision < act.PERFECT_END:
        return _format_temple(deck, state, decision)
    if decision < act.DISCARD:
        return f"token {_format_token(decision)}"
    if decision < act.DONE:
        return f"drop {_prophecy_name(deck, decision - act.DISCARD)}"
    return {act.DONE: "done", act.PASS: "pass", act.STEP: "step"}[decision]


def is_same_everywhere(decision: int) -> bool:
    """Does a decision have the same text in every position?"""
    depends = act.PICK <= decision < act.DRAW or act.TEMPLE_FROM_HAND <= decision < act.PERFECT_END
    return not depends


def _format_taking(deck: Deck, state: Table, decision: int) -> str:
    if decision < act.PICK:
        return f"take {SPACES[decision - act.TAKE]}"
    if decision == act.DRAW:
        return "draw"
    place = decision - act.PICK
    card = int(state.row[place])
    if card == NONE:
        return f"pick -@{place + 1}"
    alone = sum(1 for other in state.row if other == card) == 1
    return f"pick {deck.prophecies[card].name}" + ("" if alone else f"@{place + 1}")


def _format_addition(rest: int) -> str:
    coatl, end = divmod(rest, act.N_ENDS)
    if end < act.ADD_TAIL:
        return f"{KIND_TEXTS[end]}+{coatl + 1}"
    if end < act.ADD_LEFT:
        return f"{coatl + 1}+{KIND_TEXTS[end]}"
    letter = COLOURS[end % N_COLOURS]
    return f"{letter}+{coatl + 1}" if end < act.ADD_RIGHT else f"{coatl + 1}+{letter}"


def _format_temple(deck: Deck, state: Table, decision: int) -> str:
    coatl = max(int(state.pending), 0) + 1
    if decision < act.TEMPLE_FROM_PILE:
        temple = decision - act.TEMPLE_FROM_HAND
        known = temple < len(deck.temples)
        return f"{coatl}:{deck.temples[temple].name if known else f'temple#{temple}'}"
    pile = decision - act.TEMPLE_FROM_PILE
    top = int(state.pile_top[pile])
    name = NO_NAME if top == NONE else deck.temples[top].name
    return f"{coatl}:{name}" + ("" if _only_source(state, top) else f"@{pile + 1}")


NO_NAME = "-"


def _only_source(state: Table, temple: int) -> bool:
    """Can a Temple card come from one pile only, and not from the hand?"""
    player = state.players[state.current]
    in_hand = temple in list(player.temples[: player.n_temples])
    return not in_hand and list(state.pile_top).count(temple) == 1


def _format_token(decision: int) -> str:
    if decision < act.PERFECT_PAIR:
        return f"pick {KIND_TEXTS[decision - act.PERFECT_END]}"
    if decision < act.FUTURE_TOKEN:
        pair = decision - act.PERFECT_PAIR
        return f"pick {COLOURS[act.PAIR_FIRST[pair]]}{COLOURS[act.PAIR_SECOND[pair]]}"
    return "future" if decision == act.FUTURE_TOKEN else f"priest {decision - act.PRIEST + 1}"


def _prophecy_name(deck: Deck, card: int) -> str:
    return deck.prophecies[card].name if card < len(deck.prophecies) else f"card#{card}"


# ---------------------------------------------------------------- reading


def parse_decision(deck: Deck, state: Table, text: str) -> int:
    """The decision a text names in a position; raises `NotationError` saying what was expected."""
    words = text.split()
    match words:
        case ["take", space] if space in SPACES:
            return act.take(SPACES.index(space))
        case ["take", *_]:
            raise NotationError(f"{text!r}: take names a space, one of {', '.join(SPACES)}")
        case ["pick", card]:
            return _parse_pick(deck, state, card)
        case ["new", piece] if piece in KIND_OF_TEXT:
            return act.begin(KIND_OF_TEXT[piece])
        case ["new", *_]:
            raise NotationError(f"{text!r}: new names a piece, like <K, K or K>")
        case ["token", *rest]:
            return _parse_token(text, rest)
        case ["drop", card]:
            return act.discard(_prophecy(deck, card))
        case ["draw" | "done" | "pass" | "step" as word]:
            return {"draw": act.DRAW, "done": act.DONE, "pass": act.PASS, "step": act.STEP}[word]
        case [word] if ":" in word:
            return _parse_lay(deck, state, word)
        case [word] if "+" in word:
            return _parse_addition(word)
    raise NotationError(
        f"cannot read {text!r}; a move is like 'take b3', 'pick YG', 'draw', 'new <K', '1+R', "
        "'1:KKK', 'token future', 'drop YG', 'done' or 'pass'"
    )


def _prophecy(deck: Deck, name: str) -> int:
    if name not in deck.prophecy_ids:
        raise NotationError(f"no Prophecy card is named {name!r}")
    return deck.prophecy_ids[name]


def _parse_pick(deck: Deck, state: Table, text: str) -> int:
    name, sign, place = text.partition("@")
    if sign:
        if place not in tuple("123456"):
            raise NotationError(f"the row has places 1 to {ROW_SIZE}, not {place!r}")
        at = int(place) - 1
        if state.row[at] != (NONE if name == NO_NAME else _prophecy(deck, name)):
            raise NotationError(f"{name} does not lie at place {place} of the row")
        return act.pick(at)
    places = [at for at in range(ROW_SIZE) if state.row[at] == _prophecy(deck, name)]
    if not places:
        raise NotationError(f"{name} does not lie face up")
    return act.pick(places[0])


def _parse_token(text: str, words: list[str]) -> int:
    match words:
        case ["future"]:
            return act.FUTURE_TOKEN
        case ["priest", "1" | "2" as pile]:
            return act.priest(int(pile) - 1)
        case ["pick", piece] if piece in KIND_OF_TEXT and KIND_OF_TEXT[piece] < BODY:
            return act.perfect_pick(KIND_OF_TEXT[piece])
        case ["pick", pair] if len(pair) == 2 and set(pair) <= set(COLOURS):
            return act.perfect_pick(*(BODY + COLOURS.index(letter) for letter in pair))
    raise NotationError(
        f"{text!r}: a token is 'token pick BG' (or <K, K>), 'token future' or 'token priest 1'"
    )


def _parse_lay(deck: Deck, state: Table, word: str) -> int:
    found = _LAY.fullmatch(word)
    if found is None or int(found["coatl"]) > 3:
        raise NotationError(f"{word!r}: a card is laid like 1:KKK, on Cóatl 1, 2 or 3")
    coatl, name = int(found["coatl"]) - 1, found["card"]
    if name in deck.prophecy_ids:
        if found["pile"]:
            raise NotationError(f"{word!r}: the piles hold Temple cards")
        return act.fulfil(coatl, deck.prophecy_ids[name])
    if name not in deck.temple_ids:
        raise NotationError(f"no card is named {name!r}")
    if coatl != max(int(state.pending), 0):
        raise NotationError(f"{word!r}: a Temple card goes on the Cóatl just closed (A9)")
    temple = deck.temple_ids[name]
    tops = list(state.pile_top)
    if found["pile"]:
        pile = int(found["pile"]) - 1
        if tops[pile] != temple:
            raise NotationError(f"{name} is not the top of pile {pile + 1}")
        return act.temple_from_pile(pile)
    player = state.players[state.current]
    if temple in list(player.temples[: player.n_temples]) or temple not in tops:
        return act.temple_from_hand(temple)
    return act.temple_from_pile(tops.index(temple))


def _parse_addition(word: str) -> int:
    found = _ADD.fullmatch(word)
    piece = (found["left"] or found["right"]) if found else None
    coatl = int(found["to"] or found["at"]) - 1 if found else 3
    if found is None or piece not in KIND_OF_TEXT or coatl > 2:
        raise NotationError(f"{word!r}: a piece is added like <K+1, R+1, 1+R or 1+K>")
    kind = KIND_OF_TEXT[piece]
    left = found["left"] is not None
    if (kind < BODY) and left != (kind < N_COLOURS):
        why = reason_of(Cause.A4_TAIL_SIDE if left else Cause.A4_HEAD_SIDE)
        raise NotationError(f"{word!r}: {why.text} (A4)", why)
    return act.add(coatl, kind, left)
