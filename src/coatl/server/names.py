"""What the server is called: a page elsewhere whose name comes to mean this machine is refused.

Such a page (DNS rebinding) is of the same origin to its browser, which then sends its name as
`Host`. It cannot choose that header, nor reach another port than the one in its own address.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass, field

HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.%]+\]|[^\[\]:/@?#\s]+)(:(?P<port>\d{1,5}))?")
HOME_DOMAINS = ("local", "lan", "internal", "home.arpa")  # no name in there can be bought
DEFAULT_PORT = 80


def names_of_this_machine() -> frozenset[str]:
    whole = socket.gethostname().lower().rstrip(".")
    short = whole.partition(".")[0]
    return frozenset({whole, *(f"{short}.{domain}" for domain in HOME_DOMAINS)})


@dataclass(frozen=True)
class ServerNames:
    """`given` are the names by the option; with them the server has no others."""

    given: frozenset[str] = frozenset()
    own: frozenset[str] = field(default_factory=names_of_this_machine)

    @classmethod
    def of(cls, names: Iterable[str], host: str) -> ServerNames:
        """`host` is what the server listens on: a name, or an address."""
        given = frozenset(name.lower().rstrip(".") for name in names)
        return cls(given, names_of_this_machine() | {host.lower()})

    def fits(self, host: str, port: int | None) -> bool:
        """May the server be called that? `port` is the one it listens on."""
        if not host:
            return True  # no browser leaves it out
        found = HOST.fullmatch(host)
        if found is None:
            return False
        name = found["name"].lower().rstrip(".")
        if _is_harmless(name) or name in self.given | self.own:
            return True
        # Another port than ours was asked for, so a proxy or the like has forwarded the request.
        # Which names lead there only those know who have set it up, and may tell by the option.
        is_forwarded = int(found["port"] or DEFAULT_PORT) != port
        return is_forwarded and not self.given


def _is_harmless(name: str) -> bool:
    """Nobody elsewhere can let it mean another machine: an address, or no name of the DNS."""
    if "." not in name or name.endswith(".localhost"):
        return True
    try:
        ipaddress.ip_address(name.strip("[]").partition("%")[0])
    except ValueError:
        return False
    return True
