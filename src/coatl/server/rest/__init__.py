"""The requests: each with its types, from which the OpenAPI description is made too."""

from __future__ import annotations

from coatl.server.rest import analyses, catalogue, lessons, puzzles, replays, rules, tables
from coatl.server.rest.operation import Operation

OPERATIONS: tuple[Operation, ...] = (
    *tables.OPERATIONS,
    *replays.OPERATIONS,
    *analyses.OPERATIONS,
    *rules.OPERATIONS,
    *lessons.OPERATIONS,
    *puzzles.OPERATIONS,
    *catalogue.OPERATIONS,
)
