"""An attempt at a puzzle: the moves that it allows, and what they come to.

The rules say what is legal. Of that a puzzle allows what goes on with the one open Cóatl: pieces,
Prophecy cards, a Temple card. The `done`s between the steps of a completion (A9) are not asked for.

In the puzzle of the cards legal moves would be the answer. There any card may be chosen, and the
rules are asked when the answer is judged.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from coatl.errors import IllegalMove, NotationError, PositionError
from coatl.game import Game
from coatl.moves import Move, MoveKind
from coatl.puzzles.puzzle import SOLVER_SEAT, BadPuzzles, Completed, Puzzle, PuzzleKind
from coatl.rules.decisions import fulfil, temple_from_hand, temple_from_pile
from coatl.view import CoatlView, ViewData

SEED = "puzzle"  # what a Temple pile reveals counts for nothing, but is the same every time
ALLOWED = frozenset((MoveKind.ADD, MoveKind.FULFIL, MoveKind.TEMPLE))
COMPLETING = frozenset(("fulfil", "temple"))
DONE = "done"


class Verdict(NamedTuple):
    """What an answer is worth."""

    solved: bool
    wins: bool = False  # is the game won with it? Where the game goes on, it is not
    points: int | None = None  # of the Cóatl; None: it is not complete, or `unmet` says why
    short: int | None = None  # points that the best answer has more
    unmet: int = 0  # cards that it does not meet, or that find no place beside it


class Attempt:
    """A puzzle and the moves so far."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.path: tuple[str, ...] = ()
        self.chosen: tuple[Move, ...] = ()  # in the puzzle of the cards
        try:
            self.game = Game.from_position(puzzle.position, SEED)
        except (NotationError, PositionError) as error:
            raise BadPuzzles(f"the position of the puzzle is not possible: {error}") from None
        if self.game.seat != SOLVER_SEAT:
            over = "the game is over" if self.game.over else "the first seat is not to move"
            raise BadPuzzles(f"in the position of the puzzle {over}")
        self.target = self._find_target()

    def _find_target(self) -> int:
        """The place of the Cóatl that the puzzle is about, the only open one."""
        coatls = self.view.seats[SOLVER_SEAT].coatls
        found = [k for k, coatl in enumerate(coatls) if not coatl.complete]
        if len(found) != 1:
            raise BadPuzzles("in the position of the puzzle not exactly one Cóatl is open")
        return found[0]

    @property
    def view(self) -> ViewData:
        return self.game.view(SOLVER_SEAT).data

    @property
    def shown(self) -> ViewData:
        """The view without what would give the answer away: what a Cóatl would score if closed.

        Where cards are to be found, also how the Cóatl stands to them.
        """
        view = self.view
        hidden: dict[str, object] = {"closing": None}
        if self.chooses_cards:
            hidden |= {"hand": (), "row": (), "temples": ()}
        seats = [
            replace(seat, coatls=tuple(replace(c, **hidden) for c in seat.coatls))
            for seat in view.seats
        ]
        return replace(view, seats=tuple(seats), moves=self.moves(), final=())

    @property
    def coatl(self) -> CoatlView:
        """The Cóatl that the puzzle is about."""
        return self.view.seats[SOLVER_SEAT].coatls[self.target]

    @property
    def chooses_cards(self) -> bool:
        return self.puzzle.kind is PuzzleKind.CARDS

    # -------------------------------------------------------------- moves

    def moves(self) -> tuple[Move, ...]:
        """What may be done next."""
        if self.chooses_cards:
            return self._cards_to_choose()
        moves = self.game.legal_moves()
        if self.game.phase == "fulfil" and any(move.text == DONE for move in moves):
            after = self.game.copy()
            after.play(DONE)
            if after.phase == "temple":
                moves += after.legal_moves()
        found = {m.text: m for m in moves if m.kind in ALLOWED and m.coatl == self.target}
        return tuple(found.values())

    def _cards_to_choose(self) -> tuple[Move, ...]:
        """Cards of the hand, and a Temple card from there or a pile, met or not."""
        state, own, deck = self.game.state, self.view.seats[SOLVER_SEAT], self.game.deck
        decisions = [fulfil(self.target, deck.prophecy_ids[name]) for name in own.hand]
        if not any(move.kind is MoveKind.TEMPLE for move in self.chosen):
            decisions += [temple_from_hand(deck.temple_ids[name]) for name in own.temples]
            decisions += [temple_from_pile(k) for k, pile in enumerate(self.view.piles) if pile.top]
        texts = {move.text for move in self.chosen}
        moves = [state.move(decision) for decision in dict.fromkeys(decisions)]
        return tuple(move for move in moves if move.text not in texts)

    def play(self, text: str) -> None:
        """One more move; raises `IllegalMove` or `NotationError`."""
        move = self.game.move(text)
        allowed = {one.decision: one for one in self.moves()}
        if move.decision not in allowed:
            self._refuse(move)
        if self.chooses_cards:
            self.chosen = (*self.chosen, allowed[move.decision])
        else:
            if move.kind is MoveKind.TEMPLE and self.game.phase == "fulfil":
                self.game.play(DONE)
            self.game.play(move)
        self.path = (*self.path, move.text)

    def _refuse(self, move: Move) -> None:
        reason = self.game.why(move)
        if reason is not None:
            raise IllegalMove(move.text, reason, self.game.position)
        raise NotationError(f"{move.text!r} is no part of this puzzle")

    # -------------------------------------------------------------- the answer

    def judge(self) -> Verdict:
        """Is what was assembled so far the answer?"""
        end, unmet = self._ended()
        coatl = end.view(SOLVER_SEAT).data.seats[SOLVER_SEAT].coatls[self.target]
        if unmet:
            return Verdict(False, unmet=unmet)
        if not coatl.complete:
            return Verdict(False)
        solved = completed(coatl).text == self.puzzle.answer
        short = self.puzzle.points - coatl.value
        return Verdict(solved, self._wins(end), coatl.value, short)

    def _wins(self, end: Game) -> bool:
        """In the last action of a game `done` ends it; in solo the third Cóatl does (D8)."""
        if self.puzzle.kind is PuzzleKind.WIN and end.why(DONE) is None:
            end.play(DONE)
        return end.over and end.outcome().winners == (SOLVER_SEAT,)

    def _ended(self) -> tuple[Game, int]:
        """The game when the steps of the completion are over, and how many cards were refused."""
        end, unmet = self.game.copy(), 0
        for move in sorted(self.chosen, key=lambda move: move.kind is MoveKind.TEMPLE):
            if move.kind is MoveKind.TEMPLE and end.phase == "fulfil" and end.why(DONE) is None:
                end.play(DONE)
            if end.why(move) is None:
                end.play(move)
            else:
                unmet += 1
        while end.phase in COMPLETING and end.why(DONE) is None:
            end.play(DONE)
        return end, unmet


def completed(coatl: CoatlView) -> Completed:
    """A complete Cóatl of a view."""
    cards = tuple(sorted(card.card for card in coatl.cards))
    return Completed(coatl.pieces, cards, coatl.temple.card if coatl.temple else None)


def follow(puzzle: Puzzle, path: Iterable[str]) -> Attempt:
    """A puzzle after some moves."""
    attempt = Attempt(puzzle)
    for text in path:
        attempt.play(text)
    return attempt


def solution(puzzle: Puzzle) -> tuple[str, ...]:
    """Moves that lead to the answer, found by the solver."""
    attempt = Attempt(puzzle)
    best = attempt.game.best_closings(SOLVER_SEAT)[attempt.target]
    if best is None:
        raise BadPuzzles("the Cóatl of the puzzle cannot be closed")
    return tuple(move.text for move in best.moves if move.kind in ALLOWED)
