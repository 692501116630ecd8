"""The games of an arena on a Ray cluster; one whose worker dies is played again."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from coatl.arena.play import Played, play_fixture
from coatl.arena.schedule import Fixture, Setup
from coatl.parallel.cluster import ClusterError, connect, processors

TRIES = 3  # of a game
WAITING = 3  # games for each processor, so that none is ever idle
_log = logging.getLogger(__name__)


def on_cluster(setup: Setup, missing: Iterable[Fixture], address: str) -> Iterator[Played]:
    """Games as they are finished, the same ones as anywhere else."""
    ray = connect(address)
    most = WAITING * processors(ray)
    play = ray.remote(num_cpus=1, max_retries=0)(play_fixture)  # we retry ourselves, and log it
    waiting = iter(missing)
    running: dict[Any, tuple[Fixture, int]] = {}
    try:
        while True:
            for fixture in islice(waiting, most - len(running)):
                running[play.remote(setup, fixture, None)] = fixture, 1
            if not running:
                return
            for answer in ray.wait(list(running), num_returns=1)[0]:
                fixture, tries = running.pop(answer)
                try:
                    yield ray.get(answer)
                except ray.exceptions.RayTaskError as error:
                    raise error.cause from error  # an error of the program, not of the cluster
                except ray.exceptions.RayError as error:
                    _check_tries(fixture, tries, error)
                    running[play.remote(setup, fixture, None)] = fixture, tries + 1
    finally:
        for answer in running:  # games that have begun are not waited for
            ray.cancel(answer, force=True)


def _check_tries(fixture: Fixture, tries: int, error: Exception) -> None:
    reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
    if tries >= TRIES:
        names = ", ".join(fixture.names)
        raise ClusterError(f"{TRIES} workers died in game {fixture.game} of {names}: {reason}")
    _log.warning("a worker died in game %d; it is played again: %s", fixture.game, reason)
