"""What the lab found, section by section: a few words, plots, and a table by size of table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from coatl.lab import plots
from coatl.lab.card_tables import CardRow
from coatl.lab.columns import ALL
from coatl.lab.estimates import Estimate
from coatl.lab.findings import Findings
from coatl.lab.worth import WorthRow

LEAST = 30  # seats, cards or Cóatl that a row is shown for
R = TypeVar("R")
Columns = dict[str, Callable[[R], str]]


@dataclass(frozen=True)
class Table:
    """Cells as texts; the first column has names."""

    headings: tuple[str, ...]
    rows: list[tuple[str, ...]]


@dataclass(frozen=True)
class Section:
    """One subject of the report."""

    key: str
    title: str
    text: str
    tables: dict[int, Table]  # by number of players; 0: all
    pictures: dict[str, str] = field(default_factory=dict)  # SVG by name


# ---------------------------------------------------------------- numbers as texts


def percent(number: float) -> str:
    return f"{100 * number:.1f} %"


def points(number: float) -> str:
    return f"{round(number, 1) + 0.0:.1f}".replace("-", "−")  # -0.0 + 0.0 is 0.0


def signed(number: float) -> str:
    return f"{round(number, 1) + 0.0:+.1f}".replace("-", "−")


def signed_percent(number: float) -> str:
    return signed(100 * number)


def interval(estimate: Estimate | None, number: Callable[[float], str]) -> str:
    """Such as ``52.3 % (50.1 to 54.5)``."""
    if estimate is None:
        return ""
    low, high = (number(bound).removesuffix(" %") for bound in (estimate.low, estimate.high))
    return f"{number(estimate.value)} ({low} to {high})"


def table_name(players: int) -> str:
    return "all tables" if players == ALL else f"{players} players"


# ---------------------------------------------------------------- tables


def make_table(rows: Sequence[R], columns: Columns[R]) -> Table:
    cells = [tuple(cell(row) for cell in columns.values()) for row in rows]
    return Table(tuple(columns), cells)


def _by_players(
    rows: Sequence[Any], columns: Columns[Any], count: Callable[[Any], int] | None = None
) -> dict[int, Table]:
    """A table for each number of players; rows with a small count are left out."""
    sizes = sorted({row.players for row in rows})
    return {
        players: make_table(
            [
                row
                for row in rows
                if row.players == players and (count is None or count(row) >= LEAST)
            ],
            columns,
        )
        for players in sizes
    }


def widest(rows: Sequence[R], players: Callable[[R], int]) -> list[R]:
    """Those of all tables, or of the only size of table that there is."""
    sizes = {players(row) for row in rows}
    chosen = ALL if ALL in sizes else max(sizes, default=ALL)
    return [row for row in rows if players(row) == chosen]


SEAT_COLUMNS: Columns[Any] = {
    "seat": lambda row: str(row.seat),
    "games": lambda row: f"{row.games:,}",
    "win share": lambda row: interval(row.win_share, percent),
    "points": lambda row: interval(row.points, points),
}
GAME_COLUMNS: Columns[Any] = {
    "players": lambda row: str(row.players),
    "games": lambda row: f"{row.games:,}",
    "turns": lambda row: interval(row.turns, points),
    "ended by a third Cóatl": lambda row: interval(row.by_third, percent),
    "shared wins": lambda row: interval(row.shared_wins, percent),
    "winner's points": lambda row: interval(row.winner_points, points),
    "ahead of the second by": lambda row: interval(row.margin, points),
}
WINNER_COLUMNS: Columns[Any] = {
    "of a seat": lambda row: row.what,
    "winners": lambda row: interval(row.winners, points),
    "others": lambda row: interval(row.others, points),
    "difference": lambda row: interval(row.difference, signed),
}
LENGTH_COLUMNS: Columns[Any] = {
    "pieces": lambda row: str(row.pieces),
    "Cóatl": lambda row: f"{row.coatls:,}",
    "of all": lambda row: percent(row.frequency),
    "of the winners'": lambda row: percent(row.frequency_winners),
    "points": lambda row: interval(row.points, points),
    "points a piece": lambda row: f"{row.points_per_piece:.2f}",
    "owner's win share": lambda row: interval(row.win_share, percent),
}
FIRST_COLUMNS: Columns[Any] = {
    "card": lambda row: row.card,
    "lay there": lambda row: f"{row.offered:,}",
    "taken first": lambda row: interval(row.chosen, percent),
    "win share, % points": lambda row: interval(row.added_share, signed_percent),
    "points": lambda row: interval(row.added_points, signed),
}
LOT_COLUMNS: Columns[Any] = {
    "card": lambda row: row.card,
    "by lot": lambda row: f"{row.by_lot:,}",
    "win share, % points": lambda row: interval(row.lot_share, signed_percent),
    "points": lambda row: interval(row.lot_points, signed),
    "chosen where free": lambda row: interval(row.chosen, percent),
}
CARD_COLUMNS: Columns[CardRow] = {
    "card": lambda row: row.card,
    "held a game": lambda row: f"{row.held_per_game:.2f}",
    "fulfilled": lambda row: interval(row.fulfilled, percent),
    "times met": lambda row: f"{row.times:.2f}",
    "points fulfilled": lambda row: interval(row.points_fulfilled, points),
    "points each time held": lambda row: interval(row.points_held, points),
    "dealt: points": lambda row: interval(row.dealt.added_points, signed),
    "dealt: win share": lambda row: interval(row.dealt.added_share, signed_percent),
    "held: win share": lambda row: interval(row.when_held.added_share, signed_percent),
    "fulfilled: win share": lambda row: interval(row.when_fulfilled.added_share, signed_percent),
}
TEMPLE_COLUMNS: Columns[Any] = {
    "card": lambda row: row.card,
    "laid a game": lambda row: f"{row.laid_per_game:.2f}",
    "all met": lambda row: interval(row.all_met, percent),
    "points laid": lambda row: interval(row.points, points),
    "dealt: points": lambda row: interval(row.dealt.added_points, signed),
    "dealt: win share": lambda row: interval(row.dealt.added_share, signed_percent),
    "laid: win share": lambda row: interval(row.when_laid.added_share, signed_percent),
}
WORTH_COLUMNS: Columns[WorthRow] = {
    "": lambda row: row.name.lstrip("0") or "0",
    "seats": lambda row: f"{row.worth.seats:,}",
    "of all": lambda row: percent(row.worth.frequency),
    "win share": lambda row: interval(row.worth.win_share, percent),
    "added win share": lambda row: interval(row.worth.added_share, signed_percent),
    "added points": lambda row: interval(row.worth.added_points, signed),
}


# ---------------------------------------------------------------- sections


def make_sections(findings: Findings) -> list[Section]:
    sections = [
        _games(findings),
        _seats(findings),
        _winners(findings),
        _first_pick(findings),
        _lots(findings),
        _cards(findings),
        _card_colours(findings),
        _temples(findings),
        _lengths(findings),
        *_worth(findings),
    ]
    return [section for section in sections if any(t.rows for t in section.tables.values())]


def _games(findings: Findings) -> Section:
    text = "How long games are, and how they end."
    return Section("games", "Games", text, {ALL: make_table(findings.games, GAME_COLUMNS)})


def _seats(findings: Findings) -> Section:
    rows = [
        (f"seat {row.seat} of {row.players}", _over(row.win_share, 1 / row.players))
        for row in findings.seats
        if row.win_share is not None
    ]
    picture = plots.dots(
        "Win share of a seat, over what equals would win", rows, signed_percent, 0.0
    )
    text = "Seat 1 begins. Later seats get more cards to choose from at setup (S5)."
    tables = _by_players(findings.seats, SEAT_COLUMNS)
    return Section("seats", "Seats", text, tables, {"seats": picture})


def _over(estimate: Estimate, fair: float) -> Estimate:
    return Estimate(estimate.value - fair, estimate.low - fair, estimate.high - fair)


def _winners(findings: Findings) -> Section:
    text = (
        "Means of the winner and of the others, games with shared wins left out. "
        "What winners have more of need not be why they won."
    )
    tables = _by_players(findings.winners, WINNER_COLUMNS)
    return Section("winners", "Winners and the others", text, tables)


def _first_pick(findings: Findings) -> Section:
    rows = sorted(findings.first_pick, key=lambda row: -(row.chosen.value if row.chosen else 0))
    text = (
        "The first face-up Prophecy card that a seat takes. The last columns compare seats that "
        "took it first with seats that could have, and took another. The bot chose, for a reason: "
        "this is correlation."
    )
    tables = _by_players(rows, FIRST_COLUMNS, lambda row: row.offered)
    return Section("first-pick", "The first card, chosen", text, tables)


def _lots(findings: Findings) -> Section:
    rows = sorted(
        (row for row in findings.first_pick if row.lot_points is not None),
        key=lambda row: -row.lot_points.value if row.lot_points else 0.0,
    )
    drawn = [(row.card, row.lot_points) for row in widest(rows, lambda row: row.players)]
    picture = plots.dots(
        "Points that the first card adds, if it is drawn by lot",
        [(card, estimate) for card, estimate in drawn if estimate is not None],
        signed,
        0.0,
    )
    text = (
        "One seat a game took a face-up card by lot instead of its first choice. Nobody chose, so "
        "the difference to other cards that were drawn so is what the card does, in the hands of "
        "this bot."
    )
    tables = _by_players(rows, LOT_COLUMNS, lambda row: row.by_lot)
    return Section("lots", "The first card, by lot", text, tables, {"first-card": picture})


def _cards(findings: Findings) -> Section:
    rows = sorted(findings.cards, key=_points_held)
    shown = widest(rows, lambda row: row.players)
    pictures = {
        "cards-held": plots.dots(
            "Points each time a card is held",
            [(row.card, row.points_held) for row in shown if row.points_held is not None],
            points,
            0.0,
        ),
        "cards-dealt": plots.dots(
            "Points that being dealt a card adds",
            [(r.card, r.dealt.added_points) for r in shown if r.dealt.added_points is not None],
            signed,
            0.0,
        ),
    }
    text = (
        "Held: kept at setup, or taken later. Dealt: seats that were dealt the card at setup less "
        "those that were not; chance dealt it, so that is what the card does. The columns on the "
        "right, for seats that held or fulfilled it, are correlation: who is ahead fulfils more."
    )
    tables = _by_players(rows, CARD_COLUMNS, lambda row: row.held)
    return Section("cards", "Prophecy cards", text, tables, pictures)


def _points_held(row: CardRow) -> float:
    return -(row.points_held.value if row.points_held is not None else 0.0)


def _card_colours(findings: Findings) -> Section:
    rows = sorted(findings.card_colours, key=_points_held)
    text = "The same by card colour, which is that of the frame."
    return Section("card-colours", "Card colours", text, _by_players(rows, CARD_COLUMNS))


def _temples(findings: Findings) -> Section:
    rows = sorted(findings.temples, key=lambda row: -row.laid)
    picture = plots.dots(
        "Points that being dealt a Temple card adds",
        [
            (row.card, row.dealt.added_points)
            for row in widest(rows, lambda row: row.players)
            if row.dealt.added_points is not None
        ],
        signed,
        0.0,
    )
    text = "Dealt: one to each seat, by chance, so that is what the card does. Laid: correlation."
    tables = _by_players(rows, TEMPLE_COLUMNS, lambda row: max(row.laid, row.dealt.seats))
    return Section("temples", "Temple cards", text, tables, {"temples": picture})


def _lengths(findings: Findings) -> Section:
    shown = [
        (str(row.pieces), row.frequency, row.frequency_winners)
        for row in widest(findings.lengths, lambda row: row.players)
        if row.coatls >= LEAST
    ]
    picture = plots.bars(
        "Pieces of a complete Cóatl", shown, ("of all", "of the winners'"), percent
    )
    text = "Complete Cóatl by the number of their pieces, head and tail counted."
    tables = _by_players(findings.lengths, LENGTH_COLUMNS, lambda row: row.coatls)
    return Section("lengths", "Lengths", text, tables, {"lengths": picture})


WORTH_TEXTS = {
    "first actions": ("First actions", "What the first three turns were used for."),
    "first pieces": ("First pieces", "What the first take brought."),
    "token used": ("Tokens", "Seats that used a Sacrifice token, and those that did not."),
    "tokens used": ("How many tokens", "Seats by the number of Sacrifice tokens they used."),
    "main colour": ("Colours", "Seats by the colour of most pieces on their complete Cóatl."),
    "complete Cóatl": ("Complete Cóatl", "Seats by the complete Cóatl they had at the end."),
    "pieces a Cóatl": ("Pieces a Cóatl", "Seats by the mean of pieces on a complete Cóatl."),
    "Prophecy cards": ("Number of cards", "Seats by the Prophecy cards on complete Cóatl."),
    "Temple cards": ("Number of Temple cards", "Seats by the Temple cards they laid."),
    "race": ("The race", "Who was first."),
}


def _worth(findings: Findings) -> list[Section]:
    sections = []
    for group, (title, text) in WORTH_TEXTS.items():
        rows = [row for row in findings.worth if row.group == group]
        tables = _by_players(rows, WORTH_COLUMNS, lambda row: row.worth.seats)
        note = f"{text} Added: to seats without it, in the same place at the table; correlation."
        sections.append(Section(group.replace(" ", "-"), title, note, tables))
    return sections
