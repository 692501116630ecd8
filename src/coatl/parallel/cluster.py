"""A Ray cluster (extra ``coatl[ray]``), for what can be shared out: training and arenas."""

from __future__ import annotations

import logging
import os
from typing import Any

LOCAL = "local"  # a cluster on this machine alone, for as long as the program runs


class ClusterError(ValueError):
    """What the user can fix, in one line."""


def connect(address: str) -> Any:
    """The module `ray`, connected; `address` is that of a cluster, ``auto`` or ``local``."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage figures are sent to anybody
    try:
        import ray
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        raise ClusterError("a cluster needs ray: pip install 'coatl[ray]'") from None
    if not ray.is_initialized():
        try:
            ray.init(address, include_dashboard=_dashboard(address), logging_level=logging.ERROR)
        except (ConnectionError, ValueError, RuntimeError) as error:
            reason = " ".join(str(error).split())
            raise ClusterError(f"no Ray cluster at {address!r}: {reason}"[:300]) from None
    return ray


def _dashboard(address: str) -> bool | None:
    """Ray refuses this option for a cluster that runs already."""
    return False if address == LOCAL else None


def processors(ray: Any) -> int:
    """How many the cluster has."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))
