"""Training and arenas on a local Ray cluster, which survive the death of workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import ray
import torch

from coatl.arena.command import ArenaRequest, make_setup, measure
from coatl.arena.play import Played
from coatl.arena.run import run
from coatl.learn.curriculum import Curriculum
from coatl.learn.net import Net
from coatl.learn.rollout import Rollout
from coatl.learn.train import Trainer
from coatl.learn.worker_pool import WorkerPool
from coatl.options import Options
from coatl.parallel import cluster
from coatl.parallel.runs import RunError
from coatl.players.random import RandomPlayer
from coatl.rules.chance import Chances
from tests.learn.test_training import tiny

CPU = torch.device("cpu")
WORKERS = 2
MARK = "COATL_TEST_MARK"  # names a file


@pytest.fixture(scope="module", autouse=True)
def local_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One for all tests, as `--ray local` starts it, but with a known number of cores."""
    os.environ[MARK] = str(tmp_path_factory.mktemp("ray") / "died")  # workers inherit it
    ray.init("local", num_cpus=WORKERS, include_dashboard=False, logging_level="error")
    yield
    ray.shutdown()
    del os.environ[MARK]


@pytest.fixture(autouse=True)
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coatl.learn.worker_pool.PATIENCE", 90.0)


def test_a_run_collects_and_evaluates_on_the_cluster(tmp_path: Path) -> None:
    said: list[str] = []
    settings = tiny(updates=2, games=32, steps=16, evaluate_seconds=0.0)
    trainer = Trainer(settings, tmp_path, CPU, None, said.append, "local")
    before = {name: weight.clone() for name, weight in trainer.net.state_dict().items()}
    trainer.run()
    assert f"{WORKERS} workers, 32 games" in said[0]
    assert trainer.progress.decisions == 2 * 32 * 16
    assert trainer.table["2 players, random"]["games"] == settings.evaluate_games
    assert any(not torch.equal(before[name], w) for name, w in trainer.net.state_dict().items())
    assert (tmp_path / "policy.npz").exists()


def test_a_lost_worker_is_reported_left_out_and_replaced() -> None:
    said: list[str] = []
    settings = tiny(games=16, steps=8)
    pool = WorkerPool(settings, 1, "local", said.append)
    try:
        net, rollout = Net(settings.size), Rollout(8, pool.games, CPU)
        pool.reward(Curriculum().rewards(settings))
        pool.oppose([net.state_dict()] * 2)
        pool.collect(rollout, net)
        assert rollout.decisions == 16 * 8
        assert rollout.observations.any(-1).all()
        ray.kill(pool.workers[1])
        pool.collect(rollout, net)
        assert rollout.decisions == 8 * 8
        assert rollout.learns[:, :8].any()
        assert not rollout.learns[:, 8:].any()
        assert said[0].startswith("worker 1 was lost, its games are left out: ")
        pool._add_workers(WORKERS)
        found = pool.match(net, "random", [Options(2)] * 4, 1, 30.0)
        assert found["games"] == 4
        pool.collect(rollout, net)
        assert rollout.decisions == 16 * 8
        assert len(said) == 1
    finally:
        pool.close()


def test_workers_that_cannot_begin_end_the_run_with_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("coatl.learn.worker_pool.MOST_LOSSES", 1)
    said: list[str] = []
    with pytest.raises(cluster.ClusterError, match="no worker of the cluster lives long enough"):
        WorkerPool(tiny(games=2, steps=-1), 1, "local", said.append)
    assert len(said) == 1


class Fragile(RandomPlayer):
    """Kills its process in the first game that it plays; afterwards it is `random`."""

    def __init__(self, chances: Chances) -> None:
        super().__init__(chances)
        mark = Path(os.environ[MARK])
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)


def games_of(players: str, where: str) -> list[Played]:
    """All games of a small arena, but for how long they took."""
    setup = make_setup(ArenaRequest(players, 4, seed="ray"))
    book, interrupted = run(setup, None, 1, lambda *_: None, where)
    assert not interrupted
    return [msgspec.structs.replace(game, seconds=()) for game in book.results()]


def test_an_arena_is_the_same_on_a_cluster() -> None:
    here = games_of("greedy,random", "")
    assert len(here) == 4
    assert games_of("greedy,random", "local") == here


def test_a_game_whose_worker_dies_is_played_again(caplog: pytest.LogCaptureFixture) -> None:
    games = games_of("tests.learn.test_ray:Fragile,random", "local")
    assert [game.forfeit for game in games] == [None] * 4
    assert len(caplog.messages) == 1
    assert "it is played again" in caplog.messages[0]


def test_records_stay_where_they_are_made(tmp_path: Path) -> None:
    setup = make_setup(ArenaRequest("greedy,random", 1, records=True))
    with pytest.raises(RunError, match="a cluster brings no records back"):
        measure(setup, tmp_path, 1, lambda *_: None, "local")
