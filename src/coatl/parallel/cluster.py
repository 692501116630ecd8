"""A Ray cluster (extra ``coatl[ray]``), for what can be shared out: training, arenas, the lab."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

T = TypeVar("T")
LOCAL = "local"  # a cluster on this machine alone, for as long as the program runs
TRIES = 3  # of a task
WAITING = 3  # tasks for each processor, so that none is ever idle
_log = logging.getLogger(__name__)


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


def run_on_cluster(
    work: Callable[..., T],
    tasks: Iterable[tuple[Any, ...]],
    address: str,
    name_of: Callable[[tuple[Any, ...]], str],
) -> Iterator[T]:
    """`work(*task)` for each task, as results come; one whose worker dies is done again.

    `name_of` says what a task is, such as ``game 7 of greedy, random``.
    """
    ray = connect(address)
    most = WAITING * processors(ray)
    remote = ray.remote(num_cpus=1, max_retries=0)(work)  # we retry ourselves, and log it
    waiting = iter(tasks)
    running: dict[Any, tuple[tuple[Any, ...], int]] = {}
    try:
        while True:
            for task in islice(waiting, most - len(running)):
                running[remote.remote(*task)] = task, 1
            if not running:
                return
            for answer in ray.wait(list(running), num_returns=1)[0]:
                task, tries = running.pop(answer)
                try:
                    yield ray.get(answer)
                except ray.exceptions.RayTaskError as error:
                    raise error.cause from error  # an error of the program, not of the cluster
                except ray.exceptions.RayError as error:
                    _check_tries(name_of(task), tries, error)
                    running[remote.remote(*task)] = task, tries + 1
    finally:
        for answer in running:  # those that have begun are not waited for
            ray.cancel(answer, force=True)


def _check_tries(name: str, tries: int, error: Exception) -> None:
    reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
    if tries >= TRIES:
        raise ClusterError(f"{TRIES} workers died in {name}: {reason}")
    _log.warning("a worker died in %s; it is played again: %s", name, reason)
