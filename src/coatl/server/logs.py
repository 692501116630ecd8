"""Structured logs: one JSON object a line, on standard error. No tokens, no moves, no names."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime

import msgspec


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


def set_up_logs(level: int = logging.INFO) -> None:
    """For the whole process; uvicorn's warnings are formatted the same way."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    others = (("uvicorn", logging.WARNING), ("asyncio", logging.WARNING))
    for name, least in (("coatl.server", level), *others):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(least)
