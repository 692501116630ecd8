"""How many files the process may have open: each connection is one."""

from __future__ import annotations

import sys

SPARE = 256  # for the database, what is served, and what starts
FEWEST = 64  # connections, whatever the limit
UNLIMITED = 65_536


def raise_limit(connections: int) -> int:
    """Let the process have as many as it may need; how many it may have."""
    if sys.platform == "win32":
        return UNLIMITED
    import resource

    wanted = 2 * connections + SPARE if connections else UNLIMITED
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return UNLIMITED
    if soft >= wanted:
        return soft
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    except (OSError, ValueError):  # a system may have a limit below the one it tells
        return soft
    return allowed


def most_connections(open_files: int) -> int:
    return max(open_files - SPARE, FEWEST)
