"""The training loop: collect, update, evaluate, save; overlapped on a GPU, resumable."""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from coatl.env.batch import cores
from coatl.learn import checkpoint, evaluate
from coatl.learn.checkpoint import StateDict, TrainingProgress
from coatl.learn.curve import Row, load_rows, save_curve
from coatl.learn.expert import Expert
from coatl.learn.net import Net, count_weights
from coatl.learn.ppo import UpdateReport, update
from coatl.learn.rollout import POOL_NETS, Collector, Rollout, env_threads
from coatl.learn.settings import TrainingSettings
from coatl.learn.teacher import Teacher
from coatl.learn.worker_pool import WorkerPool
from coatl.options import Options
from coatl.players.registry import stand_in_note

Log = Callable[[str], None]
SLOWEST, FASTEST = 0.02, 2.0  # factors of the learning rate
MOST_SNAPSHOTS, KEPT_SNAPSHOTS = 24, 16
QUICK_BOTS = ("novice", "greedy", "apprentice", "planner", "artisan")  # those that answer quickly
POOL_CHANGES = 8  # updates between changes of the snapshots that play
SAVE_SECONDS = 60.0


class Trainer:
    """One run. `folder` receives the checkpoint; `resume` is the folder of an earlier one.

    `start` is a `policy.npz` whose weights replace the random initial ones; all else is new.
    `cluster` is the address of a Ray cluster that plays the games; if empty, this machine does.
    """

    def __init__(
        self,
        settings: TrainingSettings,
        folder: Path,
        device: Any,
        resume: Path | None,
        log: Log = print,
        cluster: str = "",
        start: Path | None = None,
    ) -> None:
        self.began = time.monotonic()
        self.settings, self.folder, self.device, self.log = settings, folder, device, log
        self.cuda, self.cluster = device.type == "cuda", cluster
        torch.set_num_threads(2 if self.cuda else max(1, cores() // 2))
        torch.set_float32_matmul_precision("high")
        moments: StateDict | None = None
        if resume is not None:
            self.net, moments, self.progress, self.pool = checkpoint.load(resume, device)
        else:
            torch.manual_seed(settings.seed)
            self.net = Net(settings.size).to(device)
            if start is not None:
                self.net = checkpoint.load_policy(start, device)
            self.progress, self.pool = TrainingProgress(), []
        self.settings = settings = replace(settings, size=self.net.size)
        self.partners = self._partners()
        teacher = settings.teacher
        self.teacher = Teacher.load(teacher, device) if teacher else None
        self.progress.runs += 1
        torch.manual_seed(settings.seed + 1000 * self.progress.runs)
        self._random = random.Random(settings.seed + 1000 * self.progress.runs)
        self.optimiser = torch.optim.AdamW(
            self.net.parameters(),
            lr=settings.learning_rate,
            betas=(0.9, 0.999),
            eps=1e-6,
            weight_decay=1e-4,
            fused=self.cuda,
        )
        if moments is not None:
            self.optimiser.load_state_dict(moments)
        self.actor = Net(settings.size).to(device).eval().requires_grad_(False)
        self.rows: list[Row] = load_rows(resume) if resume is not None else []
        self.table: Row = {}
        self.plan = settings.plan or self.progress.minutes + settings.minutes - settings.reserve
        self.recent: list[Any] = []

    def _partners(self) -> list[StateDict]:
        """Sparring partners: snapshots of another run with another style, or one network."""
        if not self.settings.spar:
            return []
        place = Path(self.settings.spar)
        if place.suffix == ".npz":
            found = [checkpoint.load_policy(place, self.device).state_dict()]
        else:
            found = checkpoint.load_pool(place, self.device)
        shapes = {name: weight.shape for name, weight in self.net.state_dict().items()}
        if not found or {name: weight.shape for name, weight in found[0].items()} != shapes:
            raise ValueError(f"{place}: there are no snapshots of a network of this size")
        return found

    @property
    def left(self) -> float:
        """Minutes left of this run."""
        return self.settings.minutes - (time.monotonic() - self.began) / 60

    @property
    def share(self) -> float:
        """How much of the plan is done."""
        return min(1.0, self.progress.minutes / self.plan)

    def run(self) -> None:
        """Train until the time is over, then evaluate and save."""
        self.collector = self._collector()
        try:
            self.expert = self._expert()
            self._run()
        finally:
            self.collector.close()

    def _collector(self) -> Collector | WorkerPool:
        settings = self.settings
        seed = settings.seed + 100 * self.progress.runs
        if self.cluster:
            workers = WorkerPool(settings, seed, self.cluster, self.log)
            self._introduce(f"{workers.size} workers", workers.games)
            return workers
        self._introduce(f"{env_threads(settings)} threads", settings.games)
        return Collector(settings, self.device, seed)

    def _expert(self) -> Expert | None:
        settings, collector = self.settings, self.collector
        if not settings.searches:
            return None
        if isinstance(collector, WorkerPool):
            raise ValueError("searches beside the games are made on one machine, not on a cluster")
        seed = settings.seed + 100 * self.progress.runs
        return Expert(settings, self.device, seed, env_threads(settings), collector.allocate)

    def _collect(self, rollout: Rollout) -> None:
        """Play, then let the expert search at positions of these games."""
        self.collector.collect(rollout, self.actor)
        if self.expert is not None and isinstance(self.collector, Collector):
            with self.collector.own_stream():
                self.expert.work(self.actor, self.collector.batches)

    def _introduce(self, who: str, games: int) -> None:
        weights = f"{count_weights(self.net) / 1e6:.2f} M weights"
        self.log(f"{self.device}, {who}, {games} games, {weights}, plan {self.plan:.1f} min")

    def _run(self) -> None:
        overlapped = self.cuda or bool(self.cluster)
        rollouts = [
            Rollout(self.settings.steps, self.collector.games, self.device)
            for _ in range(1 + overlapped)
        ]
        self.log(f"compiled and dealt after {(time.monotonic() - self.began):.0f} s")
        self.actor.load_state_dict(self.net.state_dict())
        switching = sys.getswitchinterval()
        sys.setswitchinterval(2e-4)  # the collecting thread waits for Python all the time
        try:
            with ThreadPoolExecutor(1) as worker:
                self._loop(rollouts, worker)
        finally:
            sys.setswitchinterval(switching)
        self.finish()

    def _loop(self, rollouts: list[Rollout], worker: ThreadPoolExecutor) -> None:
        clock = time.monotonic()
        self.marks = dict.fromkeys(("snapshot", "save", "evaluate"), clock)
        self.started, self.decided_before = clock, self.progress.decisions
        self.updates_before = self.progress.updates
        if self.cuda:
            torch.cuda.synchronize()  # the collector has a stream of its own
        self.collector.reward(self.progress.curriculum.rewards(self.settings))
        self._collect(rollouts[0])
        current = 0
        while self.left > self.settings.reserve and not self._enough():
            self._teach(clock)
            clock = time.monotonic()
            waiting: Future[None] | None = None
            if len(rollouts) > 1:
                if self.cuda:
                    torch.cuda.synchronize()
                following = rollouts[1 - current]
                waiting = worker.submit(self._collect, following)
            report = self._update(rollouts[current])
            seconds = time.monotonic() - clock
            if waiting is not None:
                waiting.result()
            self._after_update(rollouts[current], report, seconds)
            if waiting is not None:
                current = 1 - current
            else:
                self._collect(rollouts[0])

    def _enough(self) -> bool:
        done = self.progress.updates - self.updates_before
        return bool(self.settings.updates) and done >= self.settings.updates

    def _teach(self, since: float) -> None:
        """Advance the plan, and with it rewards and learning rate."""
        settings, progress, before = self.settings, self.progress, self.share
        progress.minutes += (time.monotonic() - since) / 60
        progress.curriculum.advance(settings, before, self.share)
        self.collector.reward(progress.curriculum.rewards(settings))
        warm = min(1.0, (progress.updates + 1) / settings.warm_up)
        rate = settings.learning_rate * progress.pace * warm * max(0.03, 1 - self.share)
        for group in self.optimiser.param_groups:
            group["lr"] = rate

    def _update(self, rollout: Rollout) -> UpdateReport:
        settings = self.settings
        entropy = settings.entropy + (settings.entropy_last - settings.entropy) * self.share
        report = update(
            self.net, self.optimiser, rollout, settings, entropy, self.expert, self.teacher
        )
        if self.cuda:
            torch.cuda.current_stream().synchronize()
        return report

    def _after_update(self, rollout: Rollout, report: UpdateReport, seconds: float) -> None:
        progress, settings = self.progress, self.settings
        if not math.isfinite(report.policy_loss + report.value_loss):
            raise FloatingPointError("the loss is no number any more")
        progress.decisions += rollout.decisions
        progress.updates += 1
        if progress.updates > settings.warm_up:
            if report.kl > 1.5 * settings.target_kl:
                progress.pace = max(SLOWEST, progress.pace * 0.93)
            elif report.kl < settings.target_kl / 1.5:
                progress.pace = min(FASTEST, progress.pace * 1.03)
        self.actor.load_state_dict(self.net.state_dict())
        if self.expert is not None:
            self.expert.learn()
        if rollout.finished is not None:
            self.recent.append(rollout.finished)
            progress.curriculum.note_score(_mean_score(rollout.finished))
        if self._due("snapshot", settings.snapshot_seconds) or not self.pool:
            self._snapshot()
        if self.pool and progress.updates % POOL_CHANGES == 1:
            self._change_pool()
        if self._due("evaluate", settings.evaluate_seconds) or progress.updates == 1:
            self._note(rollout, report, seconds)
        if self._due("save", SAVE_SECONDS):
            self.save()

    def _due(self, what: str, seconds: float) -> bool:
        now = time.monotonic()
        if now - self.marks[what] < seconds:
            return False
        self.marks[what] = now
        return True

    def _snapshot(self) -> None:
        state = self.net.state_dict()
        self.pool.append({name: tensor.detach().half() for name, tensor in state.items()})
        if len(self.pool) > MOST_SNAPSHOTS:
            self.pool = checkpoint.spread(self.pool, KEPT_SNAPSHOTS)

    def _change_pool(self) -> None:
        """Draw new opponents: sparring partners, recent snapshots or any snapshots."""
        self.collector.oppose([self._random.choice(self._rivals()) for _ in range(POOL_NETS)])

    def _rivals(self) -> list[StateDict]:
        if self.partners and self._random.random() < self.settings.spar_share:
            return self.partners
        return self.pool[-4:] if self._random.random() < 0.5 else self.pool

    def _note(self, rollout: Rollout, report: UpdateReport, seconds: float) -> None:
        """Add a row to the learning curve and a line to the log."""
        progress = self.progress
        spent = max(time.monotonic() - self.started, 1e-6)
        games = self.settings.evaluate_games
        row: Row = {
            "minutes": round(progress.minutes, 3),
            "decisions": progress.decisions,
            "updates": progress.updates,
            "rate": round((progress.decisions - self.decided_before) / spent),
            "turned": round(progress.curriculum.turned, 3),
            "learning_rate": self.optimiser.param_groups[0]["lr"],
            **{name: round(value, 4) for name, value in asdict(report).items()},
            "update_seconds": round(seconds, 3),
            "collect_seconds": round(rollout.seconds, 3),
            "env_seconds": round(rollout.env_seconds, 3),
            "search_seconds": round(self.expert.seconds, 3) if self.expert is not None else 0.0,
            "examples": self.expert.total if self.expert is not None else 0,
            **_scores(self.recent),
            "random": self._match("random", Options(2), games, 20),
            "solo": self._match("random", Options(1, False, solo=()), games, 20),
        }
        if len(self.pool) > 1:
            past = self.pool[len(self.pool) // 2]
            row["past"] = self._match(past, Options(2), games, 20)
        if self.partners:
            partner = self.partners[len(self.partners) // 2]
            row["spar"] = self._match(partner, Options(2), games, 20)
        self.recent = []
        self.rows.append(row)
        self.log(_line(row, self.left))

    def _match(
        self, rival: evaluate.Rival, mode: Options, games: int, limit: float
    ) -> dict[str, float]:
        options, seed = [mode] * games, self.progress.updates
        if isinstance(self.collector, WorkerPool):
            return self.collector.match(self.actor, rival, options, seed, limit)
        ours = evaluate.network(self.actor, self.device)
        theirs = evaluate.policy_of(rival, self.settings.size, self.device)
        return evaluate.match(ours, theirs, options, seed, env_threads(self.settings), limit)

    def finish(self) -> None:
        """Save what was learned, then evaluate it while there is time."""
        self.actor.load_state_dict(self.net.state_dict())
        self._snapshot()
        self.save()
        for name, rival, mode in self._yardsticks():
            if self.left > 0.05:
                limit = max(5.0, min(60.0, (self.left - 0.05) * 60))
                slow = rival in QUICK_BOTS
                games = self.settings.ladder_games if slow else self.settings.evaluate_games
                self.table[name] = self._match(rival, mode, games, limit)
                self.log(f"{name:24} {self.table[name]}")
        self.save()

    def _yardsticks(self) -> list[tuple[str, evaluate.Rival, Options]]:
        itself = self.actor.state_dict()
        found: list[tuple[str, evaluate.Rival, Options]] = [
            ("2 players, random", "random", Options(2)),
            *((f"{n} players, itself", itself, Options(n)) for n in (2, 3, 4)),
        ]
        for levels in ((), (1,), (2,), (3,), (4,), (5,), (1, 2, 3, 4, 5)):
            name = "solo " + ("".join(map(str, levels)) or "base")
            found.append((name, "random", Options(1, False, solo=levels)))
        if len(self.pool) > 2:
            found.append(("2 players, first", self.pool[0], Options(2)))
            found.append(("2 players, half-way", self.pool[len(self.pool) // 2], Options(2)))
        if self.partners:
            found.append(("2 players, the fastest racer", self.partners[-1], Options(2)))
        if self.settings.ladder_games:
            ladder = [name for name in QUICK_BOTS if stand_in_note([name]) is None]
            found += [(f"2 players, {name}", name, Options(2)) for name in ladder]
        return found

    def save(self) -> None:
        notes = {
            "minutes": round(self.progress.minutes, 2),
            "decisions": self.progress.decisions,
            "settings": asdict(self.settings),
            "evaluation": self.table,
        }
        checkpoint.save(self.folder, self.net, self.optimiser, self.progress, self.pool, notes)
        save_curve(self.folder, self.rows, self.table)


def _mean_score(finished: Any) -> float:
    """Of two-player games if there are any, else of all; the gate of the curriculum."""
    two = finished[finished["players"] == 2]
    games = two if len(two) else finished
    seats = np.arange(4) < games["players"][:, None]
    return float(games["points"][seats].mean())


def _scores(recent: list[Any]) -> dict[str, float]:
    """Mean points a seat in training, by players; solo: yours."""
    if not recent:
        return {}
    finished, out = np.concatenate(recent), {}
    for players in range(1, 5):
        games = finished[finished["players"] == players]
        if len(games):
            out[f"score{players}"] = round(float(games["points"][:, :players].mean()), 2)
            out[f"turns{players}"] = round(float(games["turns"].mean() / max(players, 2)), 1)
    return out


def _line(row: Row, left: float) -> str:
    scores = " ".join(f"{row.get(f'score{n}', 0):.1f}" for n in (1, 2, 3, 4))
    wins = " ".join(
        f"{name} {100 * row[name].get('win', 0):.0f}%"
        for name in ("random", "solo", "past", "spar")
        if name in row
    )
    seconds = " ".join(
        f"{name} {row[f'{name}_seconds']:.2f}" for name in ("update", "collect", "env", "search")
    )
    return (
        f"{row['minutes']:6.2f} min ({left:.1f} left)  {row['decisions'] / 1e6:7.1f} M  "
        f"{row['rate'] / 1e3:.0f} k/s ({seconds})  points 1-4: {scores}  {wins}  "
        f"self {row['random'].get('points')}  ent {row['entropy']:.3f} kl {row['kl']:.4f} "
        f"ev {row['explained']:.2f} examples {row['examples'] / 1e3:.0f} k {row['surprise']:.3f} "
        f"lr {row['learning_rate']:.1e} turned {row['turned']:.2f}"
    )
