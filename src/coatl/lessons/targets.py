"""What a step points at now: its own targets, or what the next move to show needs."""

from __future__ import annotations

from collections.abc import Sequence

from coatl.lessons.conditions import all_hold
from coatl.lessons.lesson import Hint, LessonStepKind, LessonTargetKind, Target, Targets
from coatl.lessons.run import LessonRun
from coatl.moves import Move, MoveKind
from coatl.rules.state import MAX_COATLS
from coatl.view import ViewData

PILES = ("left", "right")
LANES = tuple(str(number + 1) for number in range(MAX_COATLS))


def hint_of(run: LessonRun) -> Hint | None:
    """The hint that applies now, if any."""
    if run.over or not run.step.hints:
        return None
    sight = run.sight
    return next((hint for hint in run.step.hints if all_hold(hint.when, sight)), None)


def targets_of(run: LessonRun, show: Sequence[str]) -> Targets:
    """`show` are the moves that do the rest of the step."""
    if run.over or run.astray:
        return ()
    hint, view = hint_of(run), run.sight.view
    named = hint.targets if hint is not None and hint.targets else run.step.targets
    there = tuple(target for target in named if is_there(target, view))
    if there or run.step.kind is not LessonStepKind.DO or not show:
        return there
    return targets_of_move(run.game.move(show[0]), len(view.seats[0].coatls))


def reasons_of(run: LessonRun) -> Targets:
    if run.over or run.astray:
        return ()
    hint, view = hint_of(run), run.sight.view
    named = hint.reasons if hint is not None else run.step.reasons
    return tuple(target for target in named if is_there(target, view))


def is_there(target: Target, view: ViewData) -> bool:
    """Is there such a thing on the learner's table now?"""
    me = view.seats[0]
    match target.kind:
        case LessonTargetKind.SPACE:
            return bool(view.supply.get(target.name))
        case LessonTargetKind.ROW:
            return target.name in view.row
        case LessonTargetKind.HAND:
            return target.name in me.hand
        case LessonTargetKind.TEMPLE:
            return target.name in me.temples
        case LessonTargetKind.PIECE:
            return target.name in me.board
        case LessonTargetKind.TOKEN:
            return target.name in me.tokens
        case LessonTargetKind.PILE:
            return target.name in PILES and view.piles[PILES.index(target.name)].top is not None
        case LessonTargetKind.LANE:
            return target.name in LANES
        case LessonTargetKind.BUTTON:
            return target.name in [move.kind for move in view.moves]
        case LessonTargetKind.ADAM:
            return view.adam is not None
        case LessonTargetKind.OPPONENT:
            return view.players > 1
        case _:
            return not target.name


def targets_of_move(move: Move, coatls: int) -> Targets:
    """What one touches to make a move, when so many Cóatl have been begun."""
    lane = Target(LessonTargetKind.LANE, str((coatls if move.coatl is None else move.coatl) + 1))
    match move.kind:
        case MoveKind.TAKE:
            return (Target(LessonTargetKind.SPACE, move.space or ""),)
        case MoveKind.PICK:
            return (Target(LessonTargetKind.ROW, move.card or ""),)
        case MoveKind.DRAW:
            return (Target(LessonTargetKind.DECK),)
        case MoveKind.BEGIN | MoveKind.ADD:
            return (Target(LessonTargetKind.PIECE, move.pieces[0]), lane)
        case MoveKind.FULFIL:
            return (Target(LessonTargetKind.HAND, move.card or ""), lane)
        case MoveKind.TEMPLE:
            return (_temple(move), lane)
        case MoveKind.TOKEN:
            return _token(move)
        case MoveKind.DROP:
            return (Target(LessonTargetKind.HAND, move.card or ""),)
        case _:
            return (Target(LessonTargetKind.BUTTON, move.kind.value),)


def _temple(move: Move) -> Target:
    if move.pile is None:
        return Target(LessonTargetKind.TEMPLE, move.card or "")
    return Target(LessonTargetKind.PILE, PILES[move.pile])


def _token(move: Move) -> Targets:
    token = Target(LessonTargetKind.TOKEN, "" if move.token is None else move.token.value)
    return (
        (token,) if move.pile is None else (token, Target(LessonTargetKind.PILE, PILES[move.pile]))
    )
