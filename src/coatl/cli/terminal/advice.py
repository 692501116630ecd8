"""A hint in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coatl.hints import Advice, Fact, FactKind, Hint
from coatl.text.drawing import plural


def describe_hint(hint: Hint, names: Sequence[str]) -> Iterator[str]:
    """Lines for what to do, why, the chance of winning, and the second best."""
    yield f"Hint: {_moves(hint.best)}"
    for fact in hint.best.facts:
        yield f"  {describe_fact(fact, names)}"
    if hint.best.chance is None or hint.chance is None:
        yield "  There is nothing else to do."
        return
    yield f"  Chance of winning: {_percent(hint.chance)} now, {_percent(hint.best.chance)} then."
    if hint.second is not None and hint.second.chance is not None:
        yield f"  Second best: {_moves(hint.second)}, {_percent(hint.second.chance)}."


def describe_fact(fact: Fact, names: Sequence[str]) -> str:
    """A sentence for one thing that speaks for a move."""
    coatl = "a new Cóatl" if fact.coatl is None else f"Cóatl {fact.coatl + 1}"
    points = plural(fact.points or 0, "point")
    lacks = plural(fact.missing or 0, "piece")
    who = "" if fact.seat is None else names[fact.seat]
    match fact.kind:
        case FactKind.COMPLETES:
            return f"{coatl} is complete then, worth {points}."
        case FactKind.FULFILS:
            return f"{fact.card} is fulfilled on {coatl}: {points}."
        case FactKind.CLOSING if fact.before is None:
            return f"{coatl} could be closed then, for {points}."
        case FactKind.CLOSING:
            return f"Closing {coatl} would score {fact.points} then, not {fact.before}."
        case FactKind.NEARER if fact.missing == 0:
            return f"You would have all pieces that {fact.card} needs on {coatl}."
        case FactKind.NEARER:
            return f"For {fact.card} on {coatl} you would lack {lacks}, not {fact.before}."
        case FactKind.GROWS:
            return f"{fact.card} would lack {lacks} on {coatl}, not {fact.before}."
        case FactKind.FITS:
            return f"{coatl} meets {fact.card} already: {points}."
        case FactKind.NEEDS if fact.missing == 0:
            return f"You have all pieces that {fact.card} needs on {coatl}."
        case FactKind.NEEDS:
            return f"For {fact.card} on {coatl} you lack {lacks}."
        case FactKind.END:
            return f"{'Your board' if fact.coatl is None else coatl} has no {_end_of(fact)} yet."
        case FactKind.ROOM:
            return f"Your board would have room for {fact.count} pieces, not {fact.before}."
        case FactKind.NO_CARD_MET:
            return "No Cóatl of yours meets a card of the row."
        case FactKind.FEW_CARDS:
            return f"You hold {plural(fact.count or 0, 'card')}."
        case FactKind.TAKES_FROM:
            return f"{who} lacks {' and '.join(fact.pieces)} for {fact.card}."
        case FactKind.SUITS_NEXT:
            return f"A Cóatl of {who} meets {fact.card} already: {points}."
        case FactKind.KEEPS_FROM_ADAM:
            return f"A.D.A.M. lacks {' and '.join(fact.pieces)} for {fact.card}."
    return _describe_weaker(fact, coatl, lacks)


def _describe_weaker(fact: Fact, coatl: str, lacks: str) -> str:
    """A sentence for one of `coatl.hints.weaker`."""
    match fact.kind:
        case FactKind.NEARER_ROW:
            return (
                f"{fact.card} lies in the row and would lack {lacks} on {coatl}, not {fact.before}."
            )
        case FactKind.NOTHING_TO_LAY:
            return "No card can be laid on a Cóatl now."
        case FactKind.LATER:
            return f"{fact.card} can still be laid when {coatl} is completed."
        case FactKind.GETS_END:
            return f"{coatl} gets its {_end_of(fact)}."
        case FactKind.ROW_FAR:
            return f"Every card of the row lacks at least {lacks}."
        case FactKind.DROPS_FARTHEST:
            most = plural(fact.before or 0, "piece")
            return f"{fact.card} lacks {lacks}, the cards you keep {most} at most."
        case FactKind.SHARE_COLOUR:
            return f"{fact.count} of the cards you keep ask for {fact.pieces[0]}."
        case FactKind.TEMPLES:
            held = plural(fact.count or 0, "Temple card")
            return f"You would hold {held}, not {fact.before}."
        case FactKind.LAST_PIECES:
            return f"The last in the supply: {' and '.join(fact.pieces)}."
        case FactKind.ENDS_NEEDED:
            needed = plural(fact.count or 0, _end_of(fact))
            return f"Your Cóatl still need {needed}, and your board has {fact.before}."
        case FactKind.HAND_FULL:
            return "Your hand is full."
        case FactKind.FEW_PIECES:
            return f"{plural(fact.count or 0, 'piece')} on your board."
        case FactKind.EQUAL:
            return "Hardly anything depends on this move."
    raise ValueError(f"no words for {fact.kind}")


def _end_of(fact: Fact) -> str:
    return "head" if fact.pieces[0].startswith("<") else "tail"


def _moves(advice: Advice) -> str:
    return ", ".join(map(str, advice.moves))


def _percent(chance: float) -> str:
    return f"{round(100 * chance)} %"
