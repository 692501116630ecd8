"""All tables of a run, and how they are written to CSV files and read from them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

import msgspec

from coatl.arena.report import csv_text
from coatl.lab.card_tables import (
    CardRow,
    FirstPickRow,
    TempleRow,
    card_colour_rows,
    card_rows,
    first_pick_rows,
    temple_rows,
)
from coatl.lab.columns import read_seats
from coatl.lab.estimates import Estimate
from coatl.lab.facts import GameFacts
from coatl.lab.outcome_tables import (
    GameRow,
    LengthRow,
    SeatRow,
    WinnerRow,
    game_rows,
    length_rows,
    seat_rows,
    winner_rows,
)
from coatl.lab.worth import WorthRow, worth_rows
from coatl.rules.cards import Deck

Row = TypeVar("Row", bound=msgspec.Struct)


class Findings(msgspec.Struct, frozen=True):
    """One list of rows a CSV file, which has the same name."""

    games: list[GameRow]
    seats: list[SeatRow]
    winners: list[WinnerRow]
    lengths: list[LengthRow]
    first_pick: list[FirstPickRow]
    cards: list[CardRow]
    card_colours: list[CardRow]
    temples: list[TempleRow]
    worth: list[WorthRow]

    @property
    def sizes(self) -> dict[int, int]:
        """Games by number of players."""
        return {row.players: row.games for row in self.games}


def find(games: Sequence[GameFacts], deck: Deck) -> Findings:
    seats = read_seats(games)
    return Findings(
        games=game_rows(games),
        seats=seat_rows(seats),
        winners=winner_rows(seats),
        lengths=length_rows(seats),
        first_pick=first_pick_rows(seats, deck),
        cards=card_rows(seats, deck),
        card_colours=card_colour_rows(seats, deck),
        temples=temple_rows(seats, deck),
        worth=worth_rows(seats),
    )


# ---------------------------------------------------------------- CSV


def row_types() -> dict[str, type[msgspec.Struct]]:
    """The rows of each file, by its name without .csv."""
    return {field.name: get_args(field.type)[0] for field in msgspec.structs.fields(Findings)}


def write_findings(findings: Findings, folder: Path) -> None:
    for name, row_type in row_types().items():
        text = rows_csv(row_type, getattr(findings, name))
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")


def read_findings(folder: Path) -> Findings:
    """What `write_findings` wrote; a file that is not there is an empty table."""
    tables: dict[str, Any] = {}
    for name, row_type in row_types().items():
        file = folder / f"{name}.csv"
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        tables[name] = read_csv(row_type, text)
    return Findings(**tables)


def rows_csv(row_type: type[Row], rows: Sequence[Row]) -> str:
    names = list(_columns(row_type))
    lines = [_flat(msgspec.to_builtins(row)) for row in rows]
    return csv_text(names, [[line.get(name) for name in names] for line in lines])


def read_csv(row_type: type[Row], text: str) -> list[Row]:
    lines = csv.DictReader(io.StringIO(text))
    return [msgspec.convert(_nested(row_type, line), row_type, strict=False) for line in lines]


def _columns(row_type: type[msgspec.Struct], prefix: str = "") -> Iterator[str]:
    """A structure within a row has a column for each field: ``dealt_added_share_low``."""
    for field in msgspec.structs.fields(row_type):
        inner = _inner(field.type)
        if inner is None:
            yield prefix + field.name
        else:
            yield from _columns(inner, f"{prefix}{field.name}_")


def _inner(kind: Any) -> type[msgspec.Struct] | None:
    kinds = (*get_args(kind), kind)
    return next((k for k in kinds if isinstance(k, type) and issubclass(k, msgspec.Struct)), None)


def _flat(row: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{prefix}{name}_")
        else:
            found[prefix + name] = value
    return found


def _nested(row_type: type[msgspec.Struct], line: Mapping[str, str], prefix: str = "") -> Any:
    found: dict[str, Any] = {}
    for field in msgspec.structs.fields(row_type):
        inner = _inner(field.type)
        name = prefix + field.name
        if inner is None:
            found[field.name] = line[name]
        elif inner is Estimate and line[f"{name}_value"] == "":
            found[field.name] = None
        else:
            found[field.name] = _nested(inner, line, f"{name}_")
    return found
