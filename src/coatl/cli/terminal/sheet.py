"""The score sheet: every complete Cóatl card by card, and how the winner was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from coatl.game import Game
from coatl.text.board import END_NAMES, YOU
from coatl.text.drawing import coatl_text, pattern_text, plural, temple_text
from coatl.view import CoatlView


def score_sheet(game: Game, names: Sequence[str]) -> Group:
    """For a game that is over."""
    outcome = game.outcome()
    parts: list[RenderableType] = [
        Rule(f"Score sheet: {END_NAMES[outcome.end]}", align="left", style="bold", characters="=")
    ]
    for seat in range(game.options.players):
        own = game.view(seat).data.seats[seat]
        parts.append(Text(f"{names[seat]}: {plural(own.points, 'point')}", "bold"))
        for number, coatl in enumerate(own.coatls, 1):
            parts += _coatl_lines(game, number, coatl)
        if not own.coatls:
            parts.append(Text("  no Cóatl"))
    if game.options.players == 1:
        parts += _adam_lines(game)
    parts.append(Text(verdict(game, names), "bold"))
    return Group(*parts)


def _coatl_lines(game: Game, number: int, coatl: CoatlView) -> Iterator[Text]:
    line = Text(f"  Cóatl {number}  ").append_text(coatl_text(coatl.pieces))
    if not coatl.complete:
        yield line.append("  incomplete, scores nothing")
        return
    yield line.append(f"  {plural(coatl.value, 'point')}")
    for card in coatl.cards:
        name = pattern_text(game.deck.prophecies[game.deck.prophecy_ids[card.card]])
        yield Text("    ").append_text(name).append(f"  {card.times}×  {card.points}")
    if coatl.temple is not None:
        temple = coatl.temple
        yield (
            Text("    ")
            .append_text(temple_text(temple.card))
            .append(f"  {sum(temple.met)} of {len(temple.met)} met  {temple.points}")
        )


def _adam_lines(game: Game) -> Iterator[Text]:
    adam = game.view(0).data.adam
    assert adam is not None
    yield Text(f"A.D.A.M.: {plural(adam.points, 'point')}", "bold")
    for name in adam.fulfilled:
        card = game.deck.prophecies[game.deck.prophecy_ids[name]]
        yield Text("    ").append_text(pattern_text(card)).append(f"  {card.best_points}")


def verdict(game: Game, names: Sequence[str]) -> str:
    """Who won, and by which tie-break if it took one (F2)."""
    outcome = game.outcome()
    everybody = [*names, "A.D.A.M."] if game.options.players == 1 else list(names)
    won = _names([everybody[seat] for seat in outcome.winners])
    first = outcome.winners[0]
    points, most, best = outcome.points[first], outcome.cards[first], outcome.best_coatl[first]
    match outcome.decided_by:
        case "points":
            return f"{won} with {plural(points, 'point')}"
        case "adam":
            return f"{won}: a tie at {points}, and only more points win (D9)"
        case "cards":
            return f"{won}: a tie at {points}, decided by the most cards ({most})"
        case "coatl":
            return f"{won}: a tie in points and cards, decided by the best Cóatl ({best})"
        case "shared":
            return f"{won}: a tie in points, cards and best Cóatl"


def _names(winners: Sequence[str]) -> str:
    if len(winners) == 1:
        return f"{winners[0]} {'win' if winners[0] == YOU else 'wins'}"
    return f"{', '.join(winners[:-1])} and {winners[-1]} share the win"
