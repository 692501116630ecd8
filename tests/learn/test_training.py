"""Training on a laptop: it learns within a minute, and goes on where it stopped."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from coatl.encode import layout
from coatl.encode.meanings import N_ACTIONS
from coatl.learn import checkpoint
from coatl.learn.command import train
from coatl.learn.curriculum import Curriculum
from coatl.learn.net import Net, count_weights
from coatl.learn.ppo import Lessons, advantages, kinds_of_game, normalised
from coatl.learn.rollout import Collector, Rollout, mix_of
from coatl.learn.settings import NetSize, TrainingSettings, laptop
from coatl.learn.train import Trainer
from coatl.net.weights import SHIPPED

BIGGEST_FILE = 15e6


def test_the_usual_network_fits() -> None:
    assert 2 * count_weights(Net(NetSize())) < 6e6


def tiny(**overrides: Any) -> TrainingSettings:
    """A run for tests: few small updates, hardly any evaluation."""
    usual = replace(
        laptop(TrainingSettings()),
        minutes=5.0,
        reserve=0.0,
        plan=5.0,
        evaluate_games=4,
        ladder_games=0,
        evaluate_seconds=999.0,
        size=NetSize(64, 1, 32, 8, 16),
    )
    return replace(usual, **overrides)


def run(settings: TrainingSettings, folder: Path, resume: Path | None = None) -> Trainer:
    trainer = Trainer(settings, folder, torch.device("cpu"), resume, lambda _: None)
    trainer.run()
    return trainer


def test_a_tiny_run_learns_to_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random play scores 7.5 points a seat; 24 updates are enough to leave that behind."""
    scores: list[float] = []
    monkeypatch.setattr(Curriculum, "note_score", lambda _, mean: scores.append(mean))
    monkeypatch.setattr(Trainer, "finish", Trainer.save)  # no matches
    monkeypatch.setattr(Trainer, "_note", lambda *_: None)
    settings = tiny(
        players="2",
        updates=24,
        games=128,
        steps=48,
        minibatch=1024,
        epochs=2,
        learning_rate=4e-3,
        entropy=0.005,
        target_kl=0.02,
        warm_up=3,
        threads=1,
    )
    run(settings, tmp_path)
    assert np.mean(scores[-4:]) > 1.4 * 7.5


def test_a_run_is_resumed(tmp_path: Path) -> None:
    settings = tiny(updates=2, games=16, steps=24, evaluate_seconds=0.0)
    first = run(settings, tmp_path)
    again = run(settings, tmp_path, resume=tmp_path)
    assert (first.progress.runs, again.progress.runs) == (1, 2)
    assert (first.progress.updates, again.progress.updates) == (2, 4)
    assert again.progress.minutes > first.progress.minutes
    curve = json.loads((tmp_path / "curve.json").read_text())["curve"]
    assert [row["updates"] for row in curve] == [1, 2, 3, 4]
    assert (tmp_path / "curve.svg").read_text().startswith("<svg")
    assert len(list(tmp_path.iterdir())) <= 8


def test_a_run_ends_with_the_ladder(tmp_path: Path) -> None:
    settings = tiny(updates=1, games=16, steps=24, evaluate_games=2, ladder_games=1)
    table = run(settings, tmp_path).table
    for name in ("novice", "greedy", "apprentice", "planner", "artisan"):
        assert table[f"2 players, {name}"]["games"] == 1
    stored = json.loads((tmp_path / "curve.json").read_text())["evaluation"]
    assert stored == table


def test_a_run_starts_from_weights_for_players(tmp_path: Path) -> None:
    first = run(tiny(updates=2, games=16, steps=24), tmp_path / "first")
    policy, nothing = tmp_path / "first" / checkpoint.POLICY, lambda _: None
    settings = tiny(updates=1, games=16, steps=24, size=NetSize())
    cpu = torch.device("cpu")
    second = Trainer(settings, tmp_path / "second", cpu, None, nothing, start=policy)
    assert second.settings.size == first.net.size != NetSize()
    rounded = checkpoint.half(first.net.state_dict())
    for name, weight in second.net.state_dict().items():
        assert weight.dtype == torch.float32
        assert torch.equal(weight, rounded[name].float())
    assert (second.progress.runs, second.progress.updates, second.pool) == (1, 0, [])
    second.run()
    assert second.progress.updates == 1


def test_a_run_spars_with_the_snapshots_of_another(tmp_path: Path) -> None:
    run(tiny(updates=2, games=16, steps=24), tmp_path / "other")
    sparring = tiny(updates=2, games=16, steps=24, spar=str(tmp_path / "other"), spar_share=1.0)
    trainer = run(sparring, tmp_path / "run")
    assert isinstance(trainer.collector, Collector)
    theirs = [partner["table.weight"].float() for partner in trainer.partners]
    for net in trainer.collector.pool_nets:
        assert any(torch.equal(net.table.weight, weight) for weight in theirs)
    assert "spar" in trainer.rows[-1]
    assert "2 players, the fastest racer" in trainer.table


def test_a_run_spars_with_one_network(tmp_path: Path) -> None:
    """To find out whether that one can be beaten by somebody who does nothing else."""
    settings = tiny(updates=2, games=16, steps=24, players="2")
    run(settings, tmp_path / "other")
    rival = tmp_path / "other" / checkpoint.POLICY
    alone = replace(settings, spar=str(rival), spar_share=1.0, pool_share=1.0)
    trainer = run(alone, tmp_path / "run")
    assert isinstance(trainer.collector, Collector)
    assert trainer.collector.pool_games == trainer.collector.half
    theirs = checkpoint.load_policy(rival, torch.device("cpu")).table.weight
    for net in trainer.collector.pool_nets:
        assert torch.equal(net.table.weight, theirs)


def test_a_run_spars_only_with_a_network_like_its_own(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no snapshots of a network of this size"):
        run(tiny(spar=str(tmp_path)), tmp_path / "run")
    run(tiny(updates=1, games=16, steps=24), tmp_path / "other")
    bigger = tiny(spar=str(tmp_path / "other"), size=NetSize(96, 1, 32, 8, 16))
    with pytest.raises(ValueError, match="no snapshots of a network of this size"):
        run(bigger, tmp_path / "run")


def test_a_run_cannot_start_from_anything(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no weights file"):
        train(0.1, tmp_path, device="cpu", start=tmp_path / "none.npz")
    (tmp_path / "bad.npz").write_bytes(b"PK")
    with pytest.raises(ValueError, match="is damaged"):
        train(0.1, tmp_path, device="cpu", start=tmp_path / "bad.npz")


def test_the_shipped_network_can_be_taught_on() -> None:
    net = checkpoint.load_policy(SHIPPED, torch.device("cpu"))
    assert 2 * count_weights(net) < 6e6


def test_settings_are_wished_for_by_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no setting 'speed'"):
        train(0.1, tmp_path, overrides={"speed": "3"}, device="cpu")
    wished = {"width": "32", "blocks": "0", "updates": "1", "games": "8", "steps": "8"}
    quick = {"reserve": "0", "evaluate_games": "2", "ladder_games": "0"}
    trainer = train(0.1, tmp_path, overrides=wished | quick, device="cpu")
    assert (trainer.net.size.width, trainer.net.size.blocks) == (32, 0)
    assert trainer.progress.updates == 1


def test_solo_levels_are_wished_for(tmp_path: Path) -> None:
    settings = tiny(players="1", levels="12345,12345,base")
    solo = [option.solo for option in mix_of(settings, 300, 1)]
    assert 150 < solo.count((1, 2, 3, 4, 5)) < 250
    assert set(solo) == {(1, 2, 3, 4, 5), ()}
    usual = [option.solo for option in mix_of(tiny(players="1", levels="any"), 300, 1)]
    assert len(set(usual)) > 10
    with pytest.raises(ValueError, match="solo levels are base, any or digits"):
        run(tiny(levels="126"), tmp_path)


def test_players_are_sizes_of_tables(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="players are sizes such as 2"):
        train(0.1, tmp_path, players="9", device="cpu")


def test_weights_for_players_need_no_pytorch(tmp_path: Path) -> None:
    net = Net(NetSize(32, 1, 16, 8, 8))
    checkpoint.save_policy(tmp_path / "policy.npz", net, {"minutes": 1})
    with np.load(tmp_path / "policy.npz") as found:
        about = json.loads(str(found["about"]))
        assert about["layout"] == layout.VERSION
        assert found["table.weight"].dtype == np.float16
        assert set(found.files) == {"about", *net.state_dict()}


def test_a_checkpoint_of_the_usual_size_has_small_files(tmp_path: Path) -> None:
    net = Net(NetSize())
    optimiser = torch.optim.AdamW(net.parameters())
    logits, values = net(torch.zeros(2, layout.N_OBSERVED, dtype=torch.int8))
    assert logits.shape == (2, N_ACTIONS)
    (logits.sum() + values.sum()).backward()
    optimiser.step()
    pool = [checkpoint.half(net.state_dict())] * 9
    checkpoint.save(tmp_path, net, optimiser, checkpoint.TrainingProgress(), pool, {})
    sizes = [path.stat().st_size for path in tmp_path.iterdir()]
    assert len(sizes) <= 6
    assert max(sizes) < BIGGEST_FILE
    loaded, moments, progress, snapshots = checkpoint.load(tmp_path, torch.device("cpu"))
    assert progress == checkpoint.TrainingProgress()
    assert len(snapshots) == 6
    torch.optim.AdamW(loaded.parameters()).load_state_dict(moments)
    assert all(
        torch.equal(a, b) for a, b in zip(net.parameters(), loaded.parameters(), strict=True)
    )


def test_a_seat_waits_for_its_own_next_decision() -> None:
    """Two seats; seat 0 is rewarded while seat 1 decides, then the game ends."""
    rollout = Rollout(3, 1, torch.device("cpu"))
    rollout.movers[:, 0] = torch.tensor([0, 1, 0])
    rollout.rewards[1, 0, 0, 0] = 5.0  # during seat 1's decision
    rollout.rewards[2, 0, :, 0] = torch.tensor([1.0, -1.0, 0.0, 0.0])
    rollout.dones[2, 0] = 1
    rollout.last_movers[0] = 1
    rollout.last_values[0] = 100.0  # of the next game, which counts for nothing
    estimates = advantages(rollout, 1.0)
    assert estimates[:, 0, 0].tolist() == [6.0, -1.0, 1.0]
    assert rollout.learns[:, 0].tolist() == [1.0, 1.0, 1.0]


def test_policy_and_values_learn_with_a_lambda_each() -> None:
    """One seat decides twice: the first decision brings nothing at once, the second a reward."""
    rollout = Rollout(2, 1, torch.device("cpu"))
    rollout.rewards[1, 0, 0, 0] = 1.0
    rollout.dones[1, 0] = 1
    rollout.observations[:, :, layout.PLAYERS] = 1
    lessons = Lessons.of(rollout, replace(TrainingSettings(), gae=1.0, policy_gae=0.0))
    assert lessons.returns[:, 0].tolist() == [1.0, 1.0]
    assert lessons.gains.tolist() == pytest.approx([-1.0, 1.0], abs=1e-4)


def test_a_decision_without_an_outcome_teaches_nothing() -> None:
    rollout = Rollout(2, 1, torch.device("cpu"))
    rollout.movers[:, 0] = torch.tensor([0, 1])
    rollout.last_movers[0] = 1
    advantages(rollout, 1.0)
    assert rollout.learns[:, 0].tolist() == [0.0, 1.0]


def test_every_kind_of_game_teaches_alike() -> None:
    """Two players and solo at two levels: advantages of another size count the same."""
    observations = torch.zeros(4, layout.N_OBSERVED, dtype=torch.int8)
    observations[:2, layout.PLAYERS + 1] = 1
    observations[2:, layout.PLAYERS] = 1
    observations[2:, layout.LEVELS : layout.LEVELS + 2] = 1
    kinds = kinds_of_game(observations)
    assert len(set(kinds.tolist())) == 2
    found = normalised(torch.tensor([4.0, 8.0, 0.0, 0.1]), kinds, torch.arange(4))
    assert torch.allclose(found, torch.tensor([-1.0, 1.0, -1.0, 1.0]), atol=1e-3)


def test_rewards_turn_to_winning_only_while_scores_are_up() -> None:
    settings, curriculum = laptop(TrainingSettings()), Curriculum()
    curriculum.note_score(settings.gate + 1)
    curriculum.advance(settings, settings.ramp_from, settings.ramp_from + 0.1)
    turned = curriculum.turned
    assert 0 < turned < 1
    curriculum.score = settings.gate - 1
    curriculum.advance(settings, settings.ramp_from + 0.1, settings.ramp_from + 0.2)
    assert curriculum.turned < turned
    curriculum.advance(settings, 0.94, 0.95)
    assert curriculum.turned == pytest.approx(1)
