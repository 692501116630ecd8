"""The network in compiled code gives what PyTorch gives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from coatl.encode.meanings import N_ACTIONS
from coatl.env.batch import Batch
from coatl.env.modes import training_mix
from coatl.learn.checkpoint import save_policy
from coatl.learn.net import Net
from coatl.learn.settings import NetSize
from coatl.net import layers
from coatl.net.compiled import evaluate
from coatl.net.weights import load_policy

SMALL = NetSize(40, 2, 24, 8, 16)


@pytest.mark.parametrize("size", [SMALL, NetSize()], ids=["small", "usual"])
def test_compiled_code_and_pytorch_agree(tmp_path: Path, size: NetSize) -> None:
    torch.manual_seed(1)
    net = Net(size)
    with torch.no_grad():
        for parameter in net.parameters():  # blocks begin as the identity: make them work
            parameter.add_(0.03 * torch.randn_like(parameter))
            parameter.copy_(parameter.half().float())
    save_policy(tmp_path / "policy.npz", net, {})
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
