"""The network in compiled code gives what PyTorch gives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch

from coatl.encode.meanings import N_ACTIONS
from coatl.env.batch import Batch
from coatl.env.modes import training_mix
from coatl.learn.checkpoint import load_policy as load_net
from coatl.learn.checkpoint import save_policy
from coatl.learn.net import Net
from coatl.learn.settings import NetSize
from coatl.net import layers
from coatl.net.compiled import evaluate
from coatl.net.weights import SHIPPED, load_policy, round_matrix

SMALL = NetSize(40, 2, 24, 8, 16)


@pytest.mark.parametrize("size", [SMALL, NetSize()], ids=["small", "usual"])
def test_compiled_code_and_pytorch_agree(tmp_path: Path, size: NetSize) -> None:
    """Compiled code rounds matrices, so PyTorch is given rounded ones."""
    torch.manual_seed(1)
    net = Net(size)
    with torch.no_grad():
        for parameter in net.parameters():  # blocks begin as the identity: make them work
            parameter.add_(0.03 * torch.randn_like(parameter))
            parameter.copy_(parameter.half().float())
    save_policy(tmp_path / "policy.npz", net, {})
    with torch.no_grad():
        for parameter in net.parameters():
            if parameter.ndim == 2:
                rounded, scales = round_matrix(parameter.numpy())
                parameter.copy_(torch.from_numpy((rounded * scales[:, None]).T))
    policy = load_policy(tmp_path / "policy.npz")
    batch = Batch(training_mix(24, 7), "inference")
    batch.reset()
    actions = np.zeros(batch.n, np.int16)
    network = policy.new_network()
    activations = network.activations
    for _ in range(4):
        for _ in range(40):
            batch.random_actions(actions)
            batch.step(actions)
        with torch.no_grad():
            logits, values = net(torch.from_numpy(batch.observations))
        for game in range(batch.n):
            evaluate(network, batch.observations[game])
            found = activations[layers.LOGITS, :N_ACTIONS]
            np.testing.assert_allclose(found, logits[game].numpy(), rtol=1e-4, atol=1e-4)
            found = activations[layers.VALUES, : layers.N_VALUES]
            np.testing.assert_allclose(found, values[game].numpy(), rtol=1e-4, atol=1e-4)


def test_rounding_hardly_changes_what_the_champion_plays() -> None:
    net = load_net(SHIPPED, "cpu")
    network = load_policy(SHIPPED).new_network()
    batch = Batch([options for options in training_mix(48, 7) if options.players > 1], "rounding")
    batch.reset()
    actions = np.zeros(batch.n, np.int16)
    agree, divergence, n = 0, 0.0, 0
    for _ in range(40):
        with torch.no_grad():
            logits = net(torch.from_numpy(batch.observations))[0].numpy()
        for game in range(batch.n):
            evaluate(network, batch.observations[game])
            legal = np.flatnonzero(batch.masks[game])
            exact = log_softmax(logits[game, legal])
            rounded = log_softmax(network.activations[layers.LOGITS, legal])
            divergence += float((np.exp(exact) * (exact - rounded)).sum())
            agree += exact.argmax() == rounded.argmax()
            actions[game] = legal[rounded.argmax()]
            n += 1
        batch.step(actions)
    assert divergence / n < 0.005
    assert agree / n > 0.97


def log_softmax(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    below = logits.astype(np.float64) - logits.max()
    return below - np.log(np.exp(below).sum())
