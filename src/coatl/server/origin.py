"""Where a request comes from: pages of other sites may not use a person's seat."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

NETWORK_BITS = 64  # of an IPv6 address: who has one address has all that begin like it


def is_same_origin(scope: Any) -> bool:
    """True for programs, which send no Origin, and for pages of this server."""
    headers = dict(scope["headers"])
    origin = headers.get(b"origin")
    if origin is None:
        return True
    try:
        site = urlsplit(origin.decode("ascii")).netloc
    except (UnicodeDecodeError, ValueError):
        return False
    host = headers.get(b"host", b"").decode("latin-1")
    return bool(site) and site == host


def is_page(scope: Any) -> bool:
    """Does it come from a browser? Programs send no Origin."""
    return b"origin" in dict(scope["headers"])


def address_of(scope: Any) -> str:
    """The address that limits go by: of IPv6 the network, as in `2001:db8::/64`."""
    client = scope.get("client")
    return network_of(str(client[0])) if client else "unknown"


@lru_cache(maxsize=10_000)
def network_of(address: str) -> str:
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:100]  # what a proxy has sent
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((parsed, NETWORK_BITS), strict=False))


def is_here(scope: Any) -> bool:
    """Was it asked from this machine, and not by way of a proxy that tells whom it asks for?"""
    client = scope.get("client")
    try:
        return bool(client) and ipaddress.ip_address(client[0]).is_loopback
    except ValueError:
        return False
