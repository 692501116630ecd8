"""Structured logs: one JSON object a line, on standard error. No tokens, no moves, no names."""

from __future__ import annotations

import logging
import sys
import time
from collections import OrderedDict
from datetime import UTC, datetime

import msgspec

LOG_SECONDS = 60.0
MOST_KINDS = 1_000


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


class OncePerMinute(logging.Filter):
    """Of warnings and errors of one kind, one line a minute; the next one tells how many were not
    written (`more`). What strangers send must not fill the disk, whoever logs it.

    Messages are of one kind if they are about the same table, or about none, and differ only in
    what was filled in.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kinds: OrderedDict[tuple[str, str, str], tuple[float, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        fields: dict[str, object] = getattr(record, "fields", {})
        kind = record.name, str(record.msg), str(fields.get("table", ""))
        now = time.monotonic()
        written, more = self._kinds.get(kind, (-LOG_SECONDS, 0))
        if now - written < LOG_SECONDS:
            self._kinds[kind] = (written, more + 1)
            return False
        self._kinds[kind] = (now, 0)
        self._kinds.move_to_end(kind)
        if len(self._kinds) > MOST_KINDS:
            self._kinds.popitem(last=False)
        if more:
            record.fields = {**fields, "more": more}
        return True


def set_up_logs(level: int = logging.INFO) -> None:
    """For the whole process; warnings of the libraries are formatted the same way."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(OncePerMinute())
    libraries = [(name, logging.WARNING) for name in ("uvicorn", "asyncio", "websockets")]
    for name, least in (("coatl.server", level), *libraries):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(least)
