"""A network learns from others: what they would play, and how they judge positions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from coatl.learn import checkpoint
from coatl.learn.net import Net, log_policy
from coatl.learn.ppo import UpdateReport
from coatl.learn.rollout import Collector, Rollout
from coatl.learn.settings import NetSize, TrainingSettings
from coatl.learn.teacher import Teacher, distance, is_solo
from coatl.learn.train import Trainer
from tests.learn.test_training import run, tiny

CPU = torch.device("cpu")
SMALL = NetSize(32, 1, 16, 8, 8)


def opinionated(seed: int, size: NetSize = SMALL) -> Net:
    """An untrained network that prefers some actions clearly."""
    torch.manual_seed(seed)
    net = Net(size)
    with torch.no_grad():
        for head in (net.policy, net.open_policy, net.value2):
            head.bias.normal_(std=1.5)
    return net


def saved(net: Net, path: Path) -> str:
    checkpoint.save_policy(path, net, {})
    return str(path)


def positions(settings: TrainingSettings) -> tuple[Any, Any]:
    """Observations and masks of some games with others and some solo ones."""
    rollout = Rollout(settings.steps, settings.games, CPU)
    Collector(settings, CPU, 1).collect(rollout, Net(SMALL))
    return rollout.observations.flatten(0, 1), rollout.masks.flatten(0, 1)


def test_a_network_comes_nearer_to_its_teacher(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also to one of another size."""
    teacher = saved(opinionated(1, NetSize(48, 1, 16, 8, 8)), tmp_path / "teacher.npz")
    distances: list[float] = []

    def note(_: Trainer, rollout: Rollout, report: UpdateReport, seconds: float) -> None:
        distances.append(report.distance)

    monkeypatch.setattr(Trainer, "_note", note)
    monkeypatch.setattr(Trainer, "finish", Trainer.save)
    settings = tiny(
        updates=10,
        games=32,
        steps=24,
        minibatch=256,
        learning_rate=5e-3,
        warm_up=1,
        reinforce=0.0,
        entropy=0.0,
        entropy_last=0.0,
        evaluate_seconds=0.0,
        target_kl=1e9,
        size=SMALL,
    )
    run(replace(settings, teacher=teacher), tmp_path / "taught")
    nearest = min(distances[-3:])
    assert nearest < 0.8 * distances[0]
    distances.clear()
    run(settings, tmp_path / "alone")
    assert distances == [0.0] * 10


def test_the_distance_is_none_from_oneself() -> None:
    settings = tiny(games=8, steps=12, size=SMALL)
    observations, masks = positions(settings)
    net, other = opinionated(1), opinionated(2)
    opinion = Teacher([net]).judge(observations, masks)
    with torch.no_grad():
        logits, values = net(observations)
        far_logits, far_values = other(observations)
    itself = distance(log_policy(logits, masks), values, opinion)
    another = distance(log_policy(far_logits, masks), far_values, opinion)
    assert itself < another
    policy_only = distance(log_policy(logits, masks), far_values, opinion)
    assert itself < policy_only < another


def test_one_teacher_for_solo_and_one_for_the_rest(tmp_path: Path) -> None:
    with_others, alone = opinionated(1), opinionated(2)
    files = f"{saved(with_others, tmp_path / 'a.npz')},{saved(alone, tmp_path / 'b.npz')}"
    settings = tiny(games=16, steps=12, players="2,1", size=SMALL)
    observations, masks = positions(settings)
    solo = is_solo(observations)
    assert solo.any()
    assert not solo.all()
    both = Teacher.load(files, CPU).judge(observations, masks)
    for net, rows in ((with_others, ~solo), (alone, solo)):
        one = Teacher([net.half().float()]).judge(observations[rows], masks[rows])
        assert torch.allclose(both.logs[rows], one.logs, atol=1e-4)
        assert torch.allclose(both.values[rows], one.values, atol=1e-4)


def test_teachers_are_one_or_two_files(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="teachers are one or two files"):
        run(tiny(teacher="a,b,c"), tmp_path)
    with pytest.raises(ValueError, match="there is no weights file"):
        run(tiny(teacher=str(tmp_path / "none.npz")), tmp_path)
