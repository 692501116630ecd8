"""Finds puzzles in a game of strong bots: positions whose best answer is the only one."""

from __future__ import annotations

from collections.abc import Iterator

from coatl.options import Options
from coatl.players.registry import make_player
from coatl.puzzles import positions
from coatl.puzzles.proof import Closings
from coatl.puzzles.puzzle import SOLVER_SEAT, Puzzle, PuzzleKind
from coatl.rules.cards import standard_deck
from coatl.rules.chance import new_chance
from coatl.rules.state import END_THIRD, MAIN, MAX_COATLS, StateRecord
from coatl.simulate import player_chances
from coatl.state import State

BOT = "artisan"  # plays all seats: a strong bot that answers at once
FEWEST_WAYS = {  # sets of pieces and cards that close the Cóatl: with fewer there is little to find
    PuzzleKind.CLOSE: 40,
    PuzzleKind.CARDS: 1,
    PuzzleKind.WIN: 8,
    PuzzleKind.ADAM: 8,
}
FEWEST_IN_HAND = 4  # where cards are to be found
CARDS_TO_FIND = 2  # a Temple card included


def puzzles_in(options: Options, seed: str, number: int) -> list[Puzzle]:
    """The puzzles in one game, at most one of a kind."""
    found: dict[PuzzleKind, Puzzle] = {}
    for puzzle in _Game(options, seed, number).candidates(found):
        found[puzzle.kind] = puzzle
    return list(found.values())


class _Game:
    """One game, and where it stood when the action began."""

    def __init__(self, options: Options, seed: str, number: int) -> None:
        self.players = [
            make_player(BOT, player_chances(seed, seat, number)) for seat in range(options.players)
        ]
        self.state = State.dealt(options, standard_deck(), new_chance(seed, stream=number))
        self.start = self.state  # of the action

    def candidates(self, found: dict[PuzzleKind, Puzzle]) -> Iterator[Puzzle]:
        """Plays the game; kinds that have been found are not looked for again."""
        while self.state.seat is not None:
            seat, phase = self.state.seat, self.state.phase
            if phase == "main":
                self.start = self.state.clone()
                yield from self._at_start(seat, found)
            view = self.state.view(seat)
            move = self.players[seat].choose(view, view.moves)
            self.state.apply(move.decision)
            if self.state.phase == "fulfil" and phase != "fulfil" and self.state.seat == seat:
                yield from self._when_closed(seat, found)

    def _at_start(self, seat: int, found: dict[PuzzleKind, Puzzle]) -> Iterator[Puzzle]:
        """A last action, or one that may complete a third Cóatl in solo."""
        record = self.start.records[0]
        player = record.players[seat]
        is_last = is_last_action(record)
        may_be_third = record.n_players == 1 and player.n_complete == MAX_COATLS - 1
        for coatl in range(player.n_coatls):
            if player.coatls[coatl].complete:
                continue
            if may_be_third and PuzzleKind.ADAM not in found:
                yield from _adam(self.start)
            if is_last and PuzzleKind.WIN not in found:
                yield from _win(self.start, seat, coatl)

    def _when_closed(self, seat: int, found: dict[PuzzleKind, Puzzle]) -> Iterator[Puzzle]:
        """A Cóatl has just been closed, so that closing it in this action makes sense."""
        record = self.state.records[0]
        coatl = int(record.pending)
        if record.n_players == 1:
            return
        if PuzzleKind.CARDS not in found:
            yield from _cards(self.state, seat, coatl)
        is_old = coatl < self.start.records[0].players[seat].n_coatls
        if is_old and PuzzleKind.CLOSE not in found:
            yield from _close(self.start, seat, coatl)


def is_last_action(record: StateRecord) -> bool:
    """Does nobody move after this action, because of a third Cóatl (E2)?"""
    return bool(
        record.phase == MAIN
        and record.end == END_THIRD
        and record.turns_left == 0
        and record.actions_left == 1
    )


# ---------------------------------------------------------------- one kind each


def _close(state: State, seat: int, coatl: int) -> Iterator[Puzzle]:
    yield from _best(PuzzleKind.CLOSE, positions.alone(state.records[0], state.deck, seat, coatl))


def _cards(state: State, seat: int, coatl: int) -> Iterator[Puzzle]:
    """Enough cards to find, and at least one in hand that is not to be laid."""
    player = state.records[0].players[seat]
    if player.n_hand < FEWEST_IN_HAND:
        return
    text = positions.alone(state.records[0], state.deck, seat, coatl, pending=True)
    before = int(player.coatls[coatl].n_cards)
    for puzzle in _best(PuzzleKind.CARDS, text):
        cards = puzzle.answer.partition(":")[2].split(",")
        temples = sum(card in state.deck.temple_ids for card in cards)
        laid = len(cards) - temples - before
        if 0 < laid < player.n_hand and laid + temples >= CARDS_TO_FIND:
            yield puzzle


def _win(state: State, seat: int, coatl: int) -> Iterator[Puzzle]:
    """The best answer has more points than everybody else, so that no tie-break is asked (F2)."""
    text = positions.last_action(state.records[0], state.deck, seat, coatl)
    mine, *others = State.from_position(text).scores() if _has_temples(text) else (0, 0)
    yield from _best(PuzzleKind.WIN, text, max(others) - mine + 1)


def _adam(state: State) -> Iterator[Puzzle]:
    """A tie is A.D.A.M.'s (D9)."""
    text = positions.against_adam(state.records[0], state.deck)
    mine, his = State.from_position(text).scores() if _has_temples(text) else (0, 0)
    yield from _best(PuzzleKind.ADAM, text, his - mine + 1)


def _has_temples(text: str) -> bool:
    """Positions leave Temple cards out, which have to lie on a pile then."""
    return "piles=-,-" not in text


def _best(kind: PuzzleKind, text: str, needed: int | None = None) -> Iterator[Puzzle]:
    """The puzzle with this position, if one answer is the best and there is enough to choose from.

    `needed`: where the game is to be won, the points that the Cóatl needs for it.
    """
    if not _has_temples(text):
        return
    state = State.from_position(text)
    closings = Closings(state.deck, state.records, SOLVER_SEAT)
    own = state.records[0].players[SOLVER_SEAT]
    target = next(k for k in range(own.n_coatls) if not own.coatls[k].complete)
    which = None if needed is not None else target
    values = [closings.best(k) or 0 for k in range(MAX_COATLS) if which in (None, k)]
    if needed is not None and not 0 < needed <= max(values):
        return
    found = closings.only(which, max(values))
    if found is None or found.coatl != target or closings.ways(target) < FEWEST_WAYS[kind]:
        return
    if needed is None or not closings.may_close_two():
        yield Puzzle(kind, text, found.completed.text, found.value)
