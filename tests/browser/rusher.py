"""A player in a hurry: closes the shortest Cóatl it can, so that a game by clicks is soon over.

It sees what the page sees, the view as JSON, and chooses a legal move.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

import msgspec

from coatl.moves import Move, MoveKind
from coatl.rules.cards import Prophecy, standard_deck
from coatl.rules.state import KEPT_AT_SETUP

Json = dict[str, Any]
MOST_BODIES = 3  # that it puts into one Cóatl
CARDS = {card.name: card for card in standard_deck().prophecies}


class Rusher:
    """Chooses moves; the same seed and views give the same moves."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, view: Json) -> Move:
        """One of the view's moves."""
        moves = legal_moves(view)
        if len(moves) == 1:
            return moves[0]
        by_phase = {"setup": self._keep, "future": self._stop, "pick": self._pick_on}
        chosen = by_phase.get(view["phase"], self._go_on)(view, moves)
        return chosen or self._random.choice(moves)

    def _keep(self, _view: Json, moves: Sequence[Move]) -> Move | None:
        """The hand down to three cards, then on."""
        return _done(moves) or moves[0]

    def _stop(self, _view: Json, moves: Sequence[Move]) -> Move | None:
        return _done(moves)

    def _pick_on(self, view: Json, moves: Sequence[Move]) -> Move | None:
        """A second card in the same action if it is a simple one."""
        own = view["seats"][view["seat"]]
        simple = _simplest(moves)
        return simple if simple and len(own["hand"]) < 4 else _done(moves)

    def _go_on(self, view: Json, moves: Sequence[Move]) -> Move | None:
        own = view["seats"][view["seat"]]
        laying = _of(moves, MoveKind.FULFIL, MoveKind.TEMPLE)
        if view.get("pending") is not None:
            return laying[0] if laying else _done(moves)
        step = _step(own["coatls"], own["board"], own["hand"])
        for move in moves:
            if move.text == step:
                return move
        if view["phase"] == "assemble":
            return _done(moves)
        return self._gather(view, own, moves)

    def _gather(self, view: Json, own: Json, moves: Sequence[Move]) -> Move:
        """What leads to a Cóatl that can be closed, or else what is missing."""
        takes = _of(moves, MoveKind.TAKE)
        for take in takes:
            board = own["board"] + _content(view, take)
            if _step(own["coatls"], board, own["hand"]):
                return take
        for move in _of(moves, MoveKind.PICK):
            if _step(own["coatls"], own["board"], [*own["hand"], str(move.card)]):
                return move
        heads, tails, bodies = ([take for take in takes if _shelf(take) == at] for at in "htb")
        has = {end: sum(end in piece for piece in own["board"]) for end in "<>"}
        needs = min(2, 3 - sum(coatl["complete"] for coatl in own["coatls"]))
        if heads and has["<"] < needs and has["<"] <= has[">"]:
            return heads[0]
        if tails and has[">"] < needs:
            return tails[0]
        simple = _simplest(moves)
        if simple and len(own["hand"]) < 4:
            return simple
        if bodies and len(own["board"]) - sum(has.values()) < 4:
            return self._random.choice(bodies)
        return self._get_unstuck(moves)

    def _get_unstuck(self, moves: Sequence[Move]) -> Move:
        bodies = [move for move in _of(moves, MoveKind.ADD) if len(move.pieces[0]) == 1]
        others = [_of(moves, kind) for kind in (MoveKind.BEGIN, MoveKind.TAKE)]
        for way in (_of(moves, MoveKind.DRAW), bodies, *others, moves):
            if way:
                return self._random.choice(way)
        raise AssertionError("there is always a move")


def legal_moves(view: Json) -> list[Move]:
    return msgspec.convert(view["moves"], list[Move])


def kept(view: Json) -> list[str]:
    """The cards that it keeps at setup: what is left when it discards one by one."""
    hand: list[str] = view["seats"][view["seat"]]["hand"]
    return hand[-KEPT_AT_SETUP:]


def _of(moves: Sequence[Move], *kinds: MoveKind) -> list[Move]:
    return [move for move in moves if move.kind in kinds]


def _done(moves: Sequence[Move]) -> Move | None:
    return next(iter(_of(moves, MoveKind.DONE)), None)


def _shelf(take: Move) -> str:
    """Of heads, tails or bodies: the letter of its space."""
    return str(take.space)[0]


def _content(view: Json, take: Move) -> list[str]:
    left, right = {"h": ("<", ""), "t": ("", ">"), "b": ("", "")}[_shelf(take)]
    return [left + colour + right for colour in view["supply"][take.space]]


def _simplest(moves: Sequence[Move]) -> Move | None:
    """The pick of the card with the shortest pattern."""
    picks = _of(moves, MoveKind.PICK)
    return min(picks, key=lambda move: _length(CARDS[str(move.card)]), default=None)


def _length(card: Prophecy) -> int:
    return min(card.levels) * sum(letter.isalpha() for letter in card.name)


def _step(coatls: Sequence[Json], board: Sequence[str], hand: Sequence[str]) -> str | None:
    """The first move towards a Cóatl that can be closed with what is at hand."""
    for number, coatl in enumerate(coatls, 1):
        if not coatl["complete"]:
            laid = bool(coatl.get("cards"))
            step = _close(coatl["pieces"], board, hand, laid, number)
            if step:
                return step
    if len(coatls) < 3 and sum(not coatl["complete"] for coatl in coatls) < 2:
        return _close("", board, hand, False, 0)
    return None


def _close(
    pieces: str, board: Sequence[str], hand: Sequence[str], laid: bool, to: int
) -> str | None:
    """The next piece of the shortest way to close a Cóatl; `to` is 0 for a new one."""
    heads = [""] if "<" in pieces else sorted({piece for piece in board if "<" in piece})
    tails = [""] if ">" in pieces else sorted({piece for piece in board if ">" in piece})
    for left, right in _bodies(pieces, board):
        for head in heads:
            for tail in tails:
                whole = (head + left + pieces + right + tail).strip("<>")
                if len(whole) < 3 or not (laid or _is_met(whole, hand)):
                    continue
                if to == 0:
                    return f"new {head}"
                if left:
                    return f"{left[-1]}+{to}"
                if right:
                    return f"{to}+{right[0]}"
                return f"{head}+{to}" if head else f"{to}+{tail}"
    return None


def _bodies(pieces: str, board: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What segments could be added left and right, fewest first."""
    loose = [piece for piece in board if "<" not in piece and ">" not in piece]
    for count in range(MOST_BODIES + 1):
        for chosen in sorted(set(permutations(loose, count))):
            row = "".join(chosen)
            if "<" not in pieces and pieces:
                yield row, ""
            if ">" not in pieces:
                yield "", row


def _is_met(pieces: str, hand: Sequence[str]) -> bool:
    return any(CARDS[name].points(pieces) > 0 for name in hand)
