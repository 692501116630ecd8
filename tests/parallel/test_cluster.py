"""What is asked of Ray, of a stand-in: every game is played there once, even if workers die.

`tests/learn/test_ray.py` asks Ray itself, which is installed for the tests of training only.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from coatl.lab.command import LabRequest, make_setup, study
from coatl.lab.run import run
from coatl.lab.setup import Setup
from coatl.parallel import cluster
from coatl.parallel.cluster import ClusterError, run_on_cluster
from coatl.rules.cards import standard_deck
from tests.parallel import work


class RayError(Exception):
    """A worker has died."""


class RayTaskError(RayError):
    """The task itself has failed."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


class StandIn(ModuleType):
    """As much of Ray as is used. The task that was given last is done first."""

    def __init__(self, deaths: int = 0) -> None:
        super().__init__("ray")
        self.deaths = deaths  # of workers, before one lives
        self.most = 0  # tasks under way at once
        self.addresses: list[str] = []
        self.cancelled: list[object] = []
        self.exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def is_initialized(self) -> bool:
        return bool(self.addresses)

    def init(self, address: str, **_: object) -> None:
        if address == "nowhere":
            raise ConnectionError("nobody\nanswers")
        self.addresses.append(address)

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def remote(self, **_: object) -> Callable[[Callable[..., Any]], Any]:
        return lambda task: SimpleNamespace(remote=lambda *given: _Answer(task, given))

    def wait(self, answers: list[_Answer], num_returns: int) -> tuple[list[_Answer], list[_Answer]]:
        self.most = max(self.most, len(answers))
        return answers[-num_returns:], answers[:-num_returns]

    def get(self, answer: _Answer) -> Any:
        if self.deaths:
            self.deaths -= 1
            raise RayError("it was killed\nby somebody")
        try:
            return answer.task(*answer.given)
        except LookupError as error:
            raise RayTaskError(error) from None

    def cancel(self, answer: object, force: bool) -> None:
        assert force
        self.cancelled.append(answer)


class _Answer:
    def __init__(self, task: Callable[..., Any], given: tuple[Any, ...]) -> None:
        self.task, self.given = task, given


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    stand_in = StandIn()
    monkeypatch.setitem(sys.modules, "ray", stand_in)
    return stand_in


def name_of(task: tuple[Any, ...]) -> str:
    return f"task {task[0]}"


def squares(count: int) -> list[tuple[int, int]]:
    tasks = ((number,) for number in range(count))
    return sorted(run_on_cluster(work.square, tasks, "auto", name_of))


def test_every_task_has_its_result_once(ray: StandIn) -> None:
    assert squares(20) == [(number, number * number) for number in range(20)]
    assert ray.addresses == ["auto"]
    assert ray.most == 2 * cluster.WAITING
    assert ray.cancelled == []


def test_what_a_dead_worker_had_is_done_again(
    ray: StandIn, caplog: pytest.LogCaptureFixture
) -> None:
    ray.deaths = cluster.TRIES - 1
    assert squares(1) == [(0, 0)]
    assert caplog.messages == ["a worker died in task 0; it is played again: it was killed"] * 2


def test_a_task_that_no_worker_survives_is_one_line(
    ray: StandIn, caplog: pytest.LogCaptureFixture
) -> None:
    ray.deaths = 1000
    with pytest.raises(ClusterError, match=r"^3 workers died in task \d: it was killed$"):
        squares(4)
    assert len(caplog.messages) == cluster.TRIES - 1
    assert len(ray.cancelled) == 3  # the others are not waited for


@pytest.mark.usefixtures("ray")
def test_what_the_work_raises_is_raised_here() -> None:
    with pytest.raises(LookupError, match="not 1"):
        list(run_on_cluster(work.fail, [(1,)], "auto", name_of))


@pytest.mark.usefixtures("ray")
def test_a_cluster_that_is_not_there_is_one_line() -> None:
    with pytest.raises(ClusterError, match=r"^no Ray cluster at 'nowhere': nobody answers$"):
        list(run_on_cluster(work.square, [(1,)], "nowhere", name_of))


@pytest.mark.usefixtures("ray")
def test_the_lab_plays_the_same_games_there() -> None:
    setup = Setup("random", (2, 3), (2, 1), seed="test")
    here, there = (
        run(setup, standard_deck(), None, 1, lambda *_: None, where)[0].results()
        for where in ("", "auto")
    )
    assert len(here) == 3
    assert there == here


@pytest.mark.parametrize("installed", [True, False])
def test_without_a_cluster_no_run_is_begun(
    installed: bool, ray: StandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Or the folder would belong to it, and the same without a cluster would be refused."""
    monkeypatch.setitem(sys.modules, "ray", ray if installed else None)
    request = LabRequest(tmp_path / "out", bot="random", players="2", games="1")
    setup, deck = make_setup(request)
    with pytest.raises(ClusterError):
        study(setup, deck, request.out, 1, lambda *_: None, "nowhere")
    assert make_setup(request)[0] == setup
