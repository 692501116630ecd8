"""How many connections the server has, and from where: limits before a byte of them is read."""

from __future__ import annotations

import ipaddress
import os
from collections import Counter
from collections.abc import Iterable

from coatl.server.limits import Buckets
from coatl.server.origin import network_of
from coatl.server.refusals import TOO_FAST, TOO_MANY_CONNECTIONS, Refusals
from coatl.server.settings import ServerSettings

TIMES = 3  # connections for each socket that an address may have: a browser asks with several
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class ConnectionLimits:
    """What all connections of a server share.

    Those of a proxy are of many people, whose addresses it tells in each request: as connections
    they are limited in all only.
    """

    def __init__(
        self,
        settings: ServerSettings,
        refusals: Refusals,
        most: int,
        buckets: Buckets | None = None,
    ) -> None:
        self.settings = settings
        self.refusals = refusals
        self.most = most
        self.count = 0
        self.by_address: Counter[str] = Counter()
        self._opened = (Buckets() if buckets is None else buckets).make(
            "connects", settings.connects_per_second, settings.connect_burst, settings.all_addresses
        )
        self._proxies = proxies()

    def enter(self, address: str) -> str | None:
        """Count a new connection; the code of a refusal, if it is one too many."""
        source = network_of(address)
        refusal = None if self.is_proxy(address) else self._refusal(source)
        if self.count >= self.most:
            refusal = TOO_MANY_CONNECTIONS
        self.count += 1
        self.by_address[source] += 1
        if refusal is not None:
            self.count_refusal("connection", refusal, address)
        return refusal

    def leave(self, address: str) -> None:
        source = network_of(address)
        self.count -= 1
        self.by_address[source] -= 1
        if not self.by_address[source]:
            del self.by_address[source]

    def count_refusal(self, what: str, code: str, address: str) -> None:
        self.refusals.count(what, code, network_of(address))

    def _refusal(self, source: str) -> str | None:
        most = TIMES * self.settings.connections_per_address
        if most and self.by_address[source] >= most:
            return TOO_MANY_CONNECTIONS
        return TOO_FAST if self._opened.take(source) else None

    def is_proxy(self, address: str) -> bool:
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self._proxies)


def proxies() -> list[Network]:
    """Whom uvicorn believes what they tell of others' addresses."""
    return list(_networks(os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1").split(",")))


def _networks(names: Iterable[str]) -> Iterable[Network]:
    for name in names:
        if name.strip() == "*":
            yield from (ipaddress.ip_network("0.0.0.0/0"), ipaddress.ip_network("::/0"))
            continue
        try:
            yield ipaddress.ip_network(name.strip(), strict=False)
        except ValueError:  # such as the name of a Unix socket
            continue
