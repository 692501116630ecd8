"""What is refused before a table is asked: the codes, how often, and from where, as far as told.

Nothing is imported here that needs the compiler: this is there from the first moment.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
from collections import Counter

logger = logging.getLogger("coatl.server.refusals")

# Codes that are used before the types of the protocol are there.
BAD_REQUEST, WRONG_HOST = "bad_request", "wrong_host"
TOO_LARGE, TOO_FAST, TOO_SLOW = "too_large", "too_fast", "too_slow"
TOO_MANY_CONNECTIONS = "too_many_connections"
MEANINGS = {
    BAD_REQUEST: "this is not HTTP",
    WRONG_HOST: "the server has another name; whoever runs it can add this one with --name",
    TOO_LARGE: "the message is too long",
    TOO_FAST: "too much at once; wait a little",
    TOO_SLOW: "the request took too long to arrive",
    TOO_MANY_CONNECTIONS: "too many connections",
}

LOG_SECONDS = 60.0
MOST_SOURCES = 1_000  # that are told apart between two lines of the log
SHOWN_SOURCES = 3
OTHERS = "others"


class Refusals:
    """Counts refusals; once a minute, at most, a line for each kind goes to the log.

    An address is told by a hash with a salt that nobody knows and that ends with the process: one
    can see that it is always the same, but not which.
    """

    def __init__(self) -> None:
        self.totals: Counter[str] = Counter()  # "what code" -> since the start
        self._salt = secrets.token_bytes(16)
        self._unlogged: dict[tuple[str, str], Counter[str]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def count(self, what: str, code: str, address: str) -> None:
        """`what` is a connection, request, socket or file."""
        self.totals[f"{what} {code}"] += 1
        sources = self._unlogged.setdefault((what, code), Counter())
        source = self.hash(address)
        if source not in sources and len(sources) >= MOST_SOURCES:
            source = OTHERS
        sources[source] += 1
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(LOG_SECONDS, self.log)

    def hash(self, address: str) -> str:
        return hashlib.blake2b(address.encode(), key=self._salt, digest_size=6).hexdigest()

    def log(self) -> None:
        """One line for each kind that was counted since the last time."""
        for (what, code), sources in sorted(self._unlogged.items()):
            fields = {
                "what": what,
                "code": code,
                "count": sources.total(),
                "sources": len(sources),
                "most": dict(sources.most_common(SHOWN_SOURCES)),
            }
            logger.info("refused", extra={"fields": fields})
        self._unlogged.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
