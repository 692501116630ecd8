"""Where a request comes from: pages of other sites may not use a person's seat."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit


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
    client = scope.get("client")
    return str(client[0]) if client else "unknown"
