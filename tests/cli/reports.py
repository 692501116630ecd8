"""Reads what `coatl simulate --json` prints."""

from __future__ import annotations

import json
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import msgspec

from coatl.cli.simulate import SimulationReport


def strict_schema() -> dict[str, Any]:
    """The schema of a report, in which nothing may stand that it does not name."""
    schema = msgspec.json.schema(SimulationReport)
    for definition in schema["$defs"].values():
        if "properties" in definition:
            definition["additionalProperties"] = False
    return schema


def read_report(text: str) -> SimulationReport:
    jsonschema.validate(json.loads(text), strict_schema())
    return msgspec.json.decode(text, type=SimulationReport)
