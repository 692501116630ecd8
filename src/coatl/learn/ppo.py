"""Proximal policy optimisation for games with several seats: each seat has its own return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.nn import functional as fn

from coatl.encode import layout as at
from coatl.env.modes import ALL_LEVELS
from coatl.learn.expert import Examples, Expert
from coatl.learn.net import POINTS, REWARD, WIN, Net, log_policy, mixed_precision
from coatl.learn.rollout import Rollout
from coatl.learn.settings import TrainingSettings
from coatl.learn.teacher import Teacher, distance
from coatl.rules.state import MAX_PLAYERS

VALUE_WEIGHTS = {WIN: 0.5, POINTS: 0.25}  # the reward's value counts 1
BIGGEST_GRADIENT = 0.7


@dataclass
class UpdateReport:
    """Statistics of one update."""

    policy_loss: float
    value_loss: float
    entropy: float
    kl: float
    clipped: float
    explained: float  # explained variance: share of the returns' variance that the value predicts
    surprise: float = 0.0  # KL divergence of the policy from what a search plays
    distance: float = 0.0  # from the teacher


@torch.no_grad()
def advantages(rollout: Rollout, gae: float) -> Any:
    """Generalised advantages [steps, games, values] for the seat that decided; no discount.

    The successor of a seat's decision is that seat's next decision, however many others come in
    between; rewards received meanwhile are added up. If the rollout ends before the seat decides
    again, there is no estimate, and `rollout.learns` is cleared.
    """
    steps, games, values = rollout.values.shape
    device = rollout.values.device
    shape = (games, rollout.rewards.shape[2], values)
    next_value, advantage = torch.zeros(shape, device=device), torch.zeros(shape, device=device)
    gathered, known = torch.zeros(shape, device=device), torch.zeros(shape[:2], device=device)
    out = torch.zeros_like(rollout.values)
    rows = torch.arange(games, device=device)
    last = rollout.last_movers.long()
    next_value[rows, last] = rollout.last_values
    known[rows, last] = 1.0
    for step in range(steps - 1, -1, -1):
        over = rollout.dones[step].bool()
        alive = (~over).float()[:, None, None]
        next_value *= alive
        advantage *= alive
        gathered *= alive
        known[over] = 1.0  # nothing comes after the end
        gathered += rollout.rewards[step]
        seat = rollout.movers[step].long()
        certain = known[rows, seat]
        value = rollout.values[step]
        surprise = gathered[rows, seat] + next_value[rows, seat] - value
        estimate = (surprise + gae * advantage[rows, seat]) * certain[:, None]
        out[step] = estimate
        rollout.learns[step] *= certain
        advantage[rows, seat] = estimate
        next_value[rows, seat] = value
        gathered[rows, seat] = 0.0
        known[rows, seat] = 1.0
    return out


def value_loss(values: Any, returns: Any) -> Any:
    """Regression for reward and points, log-likelihood for winning."""
    loss = fn.smooth_l1_loss(values[:, REWARD], returns[:, REWARD], beta=0.5)
    won = returns[:, WIN].clamp(0.0, 1.0)
    loss = loss + VALUE_WEIGHTS[WIN] * fn.binary_cross_entropy_with_logits(values[:, WIN], won)
    points = fn.smooth_l1_loss(values[:, POINTS], returns[:, POINTS], beta=0.5)
    return loss + VALUE_WEIGHTS[POINTS] * points


def kinds_of_game(observations: Any) -> Any:
    """One kind each for 2, 3 and 4 players, and for each number of solo levels."""
    players = observations[:, at.PLAYERS : at.PLAYERS + MAX_PLAYERS].float().argmax(1)
    levels = observations[:, at.LEVELS : at.LEVELS + len(ALL_LEVELS)].sum(1)
    return torch.where(players == 0, MAX_PLAYERS + levels, players)


def normalised(estimate: Any, kinds: Any, chosen: Any) -> Any:
    """Advantages with mean 0 and standard deviation 1 in every kind of game.

    Otherwise close games would dominate, and games that are hardly ever won would teach nothing.
    """
    out = estimate.clone()
    of_chosen = kinds[chosen]
    for kind in torch.unique(of_chosen).tolist():
        there = chosen[of_chosen == kind]
        some = estimate[there]
        out[there] = (some - some.mean()) / (some.std(correction=0) + 1e-6)
    return out


@dataclass
class Lessons:
    """The decisions of a rollout as rows, and what there is to learn from them."""

    chosen: Any  # the rows to learn from
    observations: Any
    masks: Any
    actions: Any
    log_probs: Any  # when they were made
    gains: Any  # normalised advantages
    returns: Any
    explained: float

    @classmethod
    def of(cls, rollout: Rollout, settings: TrainingSettings) -> Lessons:
        """Returns and gains have a λ each: values need low bias, the policy low variance."""
        errors = advantages(rollout, settings.gae).flatten(0, 1)
        gains = advantages(rollout, settings.policy_gae)[..., REWARD].flatten()
        returns = errors + rollout.values.flatten(0, 1)
        chosen = torch.nonzero(rollout.learns.flatten() > 0).squeeze(1)
        spread = returns[chosen, REWARD].var() + 1e-6
        observations = rollout.observations.flatten(0, 1)
        return cls(
            chosen=chosen,
            observations=observations,
            masks=rollout.masks.flatten(0, 1),
            actions=rollout.actions.flatten(),
            log_probs=rollout.log_probs.flatten(),
            gains=normalised(gains, kinds_of_game(observations), chosen),
            returns=returns,
            explained=float(1 - errors[chosen, REWARD].var() / spread),
        )


def update(
    net: Net,
    optimiser: Any,
    rollout: Rollout,
    settings: TrainingSettings,
    entropy: float,
    expert: Expert | None = None,
    teacher: Teacher | None = None,
) -> UpdateReport:
    """A few epochs of PPO on one rollout, plus imitation of an expert and a teacher, if any."""
    lessons = Lessons.of(rollout, settings)
    chosen = lessons.chosen
    totals, count = torch.zeros(7, device=chosen.device), 0
    for _ in range(settings.epochs):
        order = chosen[torch.randperm(len(chosen), device=chosen.device)]
        for part in order.tensor_split(max(1, round(len(order) / settings.minibatch))):
            loss, seen = _losses(net, lessons, part, settings, entropy, teacher)
            examples = expert.draw(settings.imitated) if expert is not None else None
            if examples is not None:
                surprise = imitation_loss(net, examples)
                loss = loss + settings.imitation * surprise
                totals[-1] += surprise.detach()
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), BIGGEST_GRADIENT)
            optimiser.step()
            totals[:-1] += seen
            count += 1
    policy, value, spread_out, kl, clipped, far, surprise = (totals / count).tolist()
    return UpdateReport(policy, value, spread_out, kl, clipped, lessons.explained, surprise, far)


def imitation_loss(net: Net, examples: Examples) -> Any:
    """How far the policy is from what a search plays: the mean KL divergence."""
    with mixed_precision(examples.masks.device):
        logits, _ = net(examples.observations)
    return divergence(log_policy(logits, examples.masks), examples.shares)


def divergence(logs: Any, wanted: Any) -> Any:
    """How far a policy is from the wanted shares of the actions: the mean KL divergence."""
    return (wanted * (wanted.clamp_min(1e-9).log() - logs.clamp_min(-50))).sum(-1).mean()


def _losses(
    net: Net,
    lessons: Lessons,
    part: Any,
    settings: TrainingSettings,
    entropy: float,
    teacher: Teacher | None,
) -> tuple[Any, Any]:
    """The loss of a minibatch, and those figures of an `UpdateReport` that are means."""
    observations, masks = lessons.observations[part], lessons.masks[part]
    with mixed_precision(part.device):
        logits, values = net(observations)
    logs = log_policy(logits, masks)
    log = logs.gather(1, lessons.actions[part][:, None]).squeeze(1)
    old_log, gain = lessons.log_probs[part], lessons.gains[part]
    ratio = (log - old_log).exp()
    limited = ratio.clamp(1 - settings.clip, 1 + settings.clip)
    policy = -torch.minimum(ratio * gain, limited * gain).mean()
    value = value_loss(values, lessons.returns[part])
    spread_out = -(logs.exp() * logs.clamp_min(-50)).sum(-1).mean()
    far = torch.zeros((), device=part.device)
    if teacher is not None:
        far = distance(logs, values, teacher.judge(observations, masks))
    with torch.no_grad():
        kl = (ratio - 1 - (log - old_log)).mean()
        clipped = ((ratio - 1).abs() > settings.clip).float().mean()
        seen = torch.stack([policy, value, spread_out, kl, clipped, far])
    loss = settings.reinforce * policy + value - entropy * spread_out
    return loss + settings.teaching * far, seen
