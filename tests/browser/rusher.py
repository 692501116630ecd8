"""A player in a hurry: closes the shortest Cóatl it can, so that a game by clicks is soon over.

It sees what the page sees, the view as JSON, and names a legal move.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

from coatl.rules.cards import Prophecy, standard_deck

Json = dict[str, Any]
MOST_BODIES = 3  # that it puts into one Cóatl
CARDS = {card.name: card for card in standard_deck().prophecies}


class Rusher:
    """Chooses moves; the same seed and views give the same moves."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, view: Json) -> str:
        """One of the view's moves."""
        moves: list[str] = view["moves"]
        if len(moves) == 1:
            return moves[0]
        by_phase = {"setup": self._keep, "future": self._stop, "pick": self._pick_on}
        chosen = by_phase.get(view["phase"], self._go_on)(view)
        return chosen if chosen in moves else self._random.choice(moves)

    def _keep(self, view: Json) -> str:
        """The hand down to three cards, then on."""
        return "done" if "done" in view["moves"] else str(view["moves"][0])

    def _stop(self, _view: Json) -> str:
        return "done"

    def _pick_on(self, view: Json) -> str:
        """A second card in the same action if it is a simple one."""
        own = view["seats"][view["seat"]]
        simple = _simplest(view["row"], view["moves"])
        return simple if simple and len(own["hand"]) < 4 else "done"

    def _go_on(self, view: Json) -> str:
        moves = view["moves"]
        own = view["seats"][view["seat"]]
        laying = [move for move in moves if ":" in move.split()[0]]
        if view.get("pending") is not None:
            return laying[0] if laying else "done"
        step = _step(own["coatls"], own["board"], own["hand"])
        if step is not None and step in moves:
            return step
        if view["phase"] == "assemble":
            return "done"
        return self._gather(view, own)

    def _gather(self, view: Json, own: Json) -> str:
        """What leads to a Cóatl that can be closed, or else what is missing."""
        takes = [move for move in view["moves"] if move.startswith("take ")]
        for take in takes:
            board = own["board"] + _content(view, take)
            if _step(own["coatls"], board, own["hand"]):
                return str(take)
        for move in _picks(view["row"], view["moves"]):
            if _step(own["coatls"], own["board"], [*own["hand"], _picked(move)]):
                return move
        heads = [take for take in takes if take.startswith("take h")]
        tails = [take for take in takes if take.startswith("take t")]
        bodies = [take for take in takes if take.startswith("take b")]
        has = {end: sum(end in piece for piece in own["board"]) for end in "<>"}
        needs = min(2, 3 - sum(coatl["complete"] for coatl in own["coatls"]))
        if heads and has["<"] < needs and has["<"] <= has[">"]:
            return str(heads[0])
        if tails and has[">"] < needs:
            return str(tails[0])
        simple = _simplest(view["row"], view["moves"])
        if simple and len(own["hand"]) < 4:
            return simple
        if bodies and len(own["board"]) - sum(has.values()) < 4:
            return str(self._random.choice(bodies))
        return self._get_unstuck(view, takes)

    def _get_unstuck(self, view: Json, takes: Sequence[str]) -> str:
        moves: list[str] = view["moves"]
        adding = [move for move in moves if "+" in move and "<" not in move and ">" not in move]
        begins = [move for move in moves if move.startswith("new ")]
        for way in (["draw"] if "draw" in moves else [], adding, begins, takes, moves):
            if way:
                return str(self._random.choice(list(way)))
        raise AssertionError("there is always a move")


def _content(view: Json, take: str) -> list[str]:
    space = take.split()[1]
    left, right = {"h": ("<", ""), "t": ("", ">"), "b": ("", "")}[space[0]]
    return [left + colour + right for colour in view["supply"][space]]


def _picked(move: str) -> str:
    return move.removeprefix("pick ").partition("@")[0]


def _picks(row: Sequence[str | None], moves: Sequence[str]) -> list[str]:
    return [move for move in moves if move.startswith("pick ") and _picked(move) in CARDS]


def _simplest(row: Sequence[str | None], moves: Sequence[str]) -> str | None:
    """The pick of the card with the shortest pattern."""
    return min(_picks(row, moves), key=lambda move: _length(CARDS[_picked(move)]), default=None)


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
