"""A pool of workers on a Ray cluster: they play games, one machine learns from them.

Each worker has one core and plays a share of the games with the weights it is sent. A worker that
dies or stops answering is reported and replaced; its results for that request are dropped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from coatl.learn import evaluate
from coatl.learn.checkpoint import StateDict
from coatl.learn.rollout import HALVES, Rollout
from coatl.learn.settings import TrainingSettings
from coatl.learn.worker import (
    Collected,
    Orders,
    Worker,
    as_arrays,
    fill,
    finished_games,
    program,
)
from coatl.options import Options
from coatl.parallel.cluster import ClusterError, connect, processors

PATIENCE = 600.0  # seconds to wait for an answer: a machine's first worker compiles the rules
MOST_LOSSES = 3  # times the pool's size, in a row without a single answer


class WorkerPool:
    """Like `Collector`, collects rollouts; also plays matches. Uses all cores of a cluster."""

    def __init__(
        self, settings: TrainingSettings, seed: int, address: str, log: Callable[[str], None]
    ) -> None:
        self._ray, self._log, self._seed = connect(address), log, 1000 * seed
        self.size = max(1, min(processors(self._ray), settings.games // HALVES))
        self._share = HALVES * (settings.games // (HALVES * self.size))
        self.games = self.size * self._share
        self._settings = replace(settings, games=self._share, threads=1)
        self._remote = self._ray.remote(num_cpus=1)(Worker)
        self.workers: dict[int, Any] = {}  # ready workers, by index
        self._starting: dict[Any, tuple[int, Any]] = {}  # by the pending result of `program`
        self._losses = 0
        self._rewards: Mapping[str, float] = {}
        self._snapshots: tuple[StateDict, ...] = ()
        for place in range(self.size):
            self._start_worker(place)
        self._add_workers(self.size)

    def reward(self, weights: Mapping[str, float]) -> None:
        self._rewards = weights

    def oppose(self, snapshots: Sequence[StateDict]) -> None:
        self._snapshots = tuple(as_arrays(state) for state in snapshots)

    def collect(self, rollout: Rollout, net: Any) -> None:
        """Collect every worker's share; the shares of lost workers are dropped."""
        began = time.perf_counter()
        orders = Orders(as_arrays(net.state_dict()), self._rewards, self._snapshots)
        shares: dict[int, Collected] = {}
        sent = self._ray.put(orders)  # sent once per machine, not once per worker
        while not shares:
            shares = self._ask(lambda _, worker: worker.collect.remote(sent))
        for place in range(self.size):
            games = slice(place * self._share, (place + 1) * self._share)
            fill(rollout, games, shares.get(place))
        found = list(shares.values())
        rollout.decisions = len(found) * self._share * self._settings.steps
        rollout.finished = finished_games(found)
        rollout.env_seconds = max(share.env_seconds for share in found)
        rollout.seconds = time.perf_counter() - began

    def match(
        self,
        net: Any,
        rival: evaluate.Rival,
        options: Sequence[Options],
        seed: int,
        limit: float,
    ) -> dict[str, float]:
        """`evaluate.match`, split among the workers; games of lost workers are dropped."""
        weights = self._ray.put(as_arrays(net.state_dict()))
        theirs = self._ray.put(rival if isinstance(rival, str) else as_arrays(rival))

        def ask(place: int, worker: Any) -> Any:
            part = options[place :: self.size]
            return worker.match.remote(weights, theirs, part, f"{seed} {place}", limit)

        return evaluate.summary_of(list(self._ask(ask).values()))

    def close(self) -> None:
        for worker in [*self.workers.values(), *(worker for _, worker in self._starting.values())]:
            self._ray.kill(worker)
        self.workers, self._starting = {}, {}

    def _ask(self, send: Callable[[int, Any], Any]) -> dict[int, Any]:
        """Send a request to every worker; their answers by worker index."""
        self._add_workers(1 if not self.workers else 0)
        waiting = {send(place, worker): place for place, worker in self.workers.items()}
        ready, _ = self._ray.wait(list(waiting), num_returns=len(waiting), timeout=PATIENCE)
        answers: dict[int, Any] = {}
        for answer, place in waiting.items():
            try:
                answers[place] = self._get(answer, answer in ready)
            except self._ray.exceptions.RayError as error:
                self._replace(place, self.workers.pop(place), error)
        return answers

    def _get(self, answer: Any, ready: bool) -> Any:
        """Raises `RayError` if the worker is lost, and whatever the worker's own code raised."""
        if not ready:
            raise self._ray.exceptions.GetTimeoutError(f"no answer within {PATIENCE:g} s")
        try:
            found = self._ray.get(answer)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from error  # a bug: another worker would fail in the same way
        self._losses = 0
        return found

    def _start_worker(self, place: int) -> None:
        self._seed += 1
        worker = self._remote.remote(self._settings, self._seed)
        self._starting[worker.program.remote()] = place, worker

    def _add_workers(self, wanted: int) -> None:
        """Add the workers that have started; wait until at least `wanted` are ready."""
        until = time.monotonic() + PATIENCE
        while self._starting:
            left = max(0.0, until - time.monotonic()) if len(self.workers) < wanted else 0.0
            ready, _ = self._ray.wait(list(self._starting), num_returns=1, timeout=left)
            if not ready:
                break
            place, worker = self._starting.pop(ready[0])
            try:
                theirs = self._get(ready[0], True)
            except self._ray.exceptions.RayError as error:
                self._replace(place, worker, error)
                continue
            if theirs != program():
                raise ClusterError(f"a worker runs Cóatl {theirs}, this machine {program()}")
            self.workers[place] = worker
        if not self.workers:
            raise ClusterError(f"no worker of the cluster was ready within {PATIENCE:g} s")

    def _replace(self, place: int, worker: Any, error: Exception) -> None:
        self._ray.kill(worker)  # a slow worker must not come back once it has been replaced
        self._losses += 1
        reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
        if self._losses > MOST_LOSSES * self.size:
            raise ClusterError(f"no worker of the cluster lives long enough: {reason}")
        self._log(f"worker {place} was lost, its games are left out: {reason}")
        self._start_worker(place)
