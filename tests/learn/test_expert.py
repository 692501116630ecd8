"""Following what a little search plays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from coatl.learn.expert import Expert
from coatl.learn.net import Net
from coatl.learn.ppo import imitation_loss, update
from coatl.learn.rollout import Collector, Rollout
from coatl.learn.train import Trainer
from coatl.learn.worker_pool import WorkerPool
from tests.learn.test_training import run, tiny

CPU = torch.device("cpu")
SEARCHING = tiny(
    games=32, steps=24, searches=24, simulations=8, search_rounds=40, examples=256, imitated=16
)


def expert_at_work() -> tuple[Expert, Net, Collector]:
    torch.manual_seed(1)
    collector = Collector(SEARCHING, CPU, seed=1)
    net = Net(SEARCHING.size)
    collector.collect(Rollout(SEARCHING.steps, collector.games, CPU), net)
    expert = Expert(SEARCHING, CPU, 1, 1, collector.allocate)
    expert.work(net, collector.batches)
    return expert, net, collector


def test_examples_are_shares_of_legal_actions() -> None:
    expert, _, _ = expert_at_work()
    assert expert.draw(1) is None  # nothing counts before `learn`
    expert.learn()
    assert expert.total > 20
    examples = expert.draw(20)
    assert examples is not None
    assert torch.allclose(examples.shares.sum(1), torch.ones(20), atol=2e-3)
    assert (examples.shares[examples.masks == 0] == 0).all()
    assert (examples.masks.sum(1) > 1).all()
    assert len({tuple(row.tolist()) for row in examples.observations}) > 3
    assert expert.draw(expert.total + 1) is None


def test_the_oldest_examples_make_room() -> None:
    expert, net, collector = expert_at_work()
    expert.learn()
    kept = SEARCHING.examples
    while expert.total <= kept:
        first = expert._observations[0].clone()
        expert.work(net, collector.batches)
        expert.learn()
    assert (expert._observations[0] != first).any()
    assert expert.draw(kept) is not None
    assert expert.draw(kept + 1) is None


def test_a_policy_comes_to_play_as_the_search_does() -> None:
    expert, net, _ = expert_at_work()
    expert.learn()
    examples = expert.draw(expert.total)
    assert examples is not None
    optimiser = torch.optim.Adam(net.parameters(), 3e-3)
    surprises = []
    for _ in range(30):
        loss = imitation_loss(net, examples)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        surprises.append(loss.item())
    assert min(surprises) > -1e-3  # a divergence
    assert surprises[-1] < 0.7 * surprises[0]


def test_a_run_with_searches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It learns from them, and its curve tells how many there were."""
    monkeypatch.setattr(Trainer, "finish", Trainer.save)
    settings = tiny(
        **{
            name: getattr(SEARCHING, name)
            for name in ("games", "steps", "searches", "simulations", "search_rounds", "imitated")
        },
        updates=3,
        evaluate_seconds=0.0,
    )
    trainer = run(settings, tmp_path)
    assert [row["examples"] > 0 for row in trainer.rows] == [True] * 3
    assert trainer.rows[0]["surprise"] == 0  # of the first searches it learns in the next update
    assert all(row["surprise"] > 0 for row in trainer.rows[1:])
    assert np.diff([row["examples"] for row in trainer.rows]).min() > 0


def test_not_on_a_cluster(tmp_path: Path) -> None:
    trainer = Trainer(SEARCHING, tmp_path, CPU, None, lambda _: None)
    trainer.collector = object.__new__(WorkerPool)
    with pytest.raises(ValueError, match="on one machine"):
        trainer._expert()


@pytest.mark.parametrize("reinforce", [0.0, 1.0])
def test_rewards_can_be_left_out_of_the_policy(reinforce: float) -> None:
    """Then it follows the searches alone, and the values go on learning."""
    settings = tiny(games=16, steps=24, reinforce=reinforce, entropy=0.0, epochs=1)
    torch.manual_seed(1)
    collector, net = Collector(settings, CPU, seed=1), Net(settings.size)
    rollout = Rollout(settings.steps, collector.games, CPU)
    collector.reward({"points": 1.0, "win": 1.0})
    collector.collect(rollout, net)
    before = {name: weight.clone() for name, weight in net.named_parameters()}
    update(net, torch.optim.SGD(net.parameters(), 0.1), rollout, settings, entropy=0.0)
    after = dict(net.named_parameters())
    assert torch.equal(before["policy.weight"], after["policy.weight"]) == (reinforce == 0.0)
    assert not torch.equal(before["value2.weight"], after["value2.weight"])
