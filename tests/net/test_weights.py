"""Weights files: what is read, and what is refused in one clear line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from coatl.net.weights import Policy, WeightsError, load_policy, save_random_policy
from tests.players.small_network import small_policy


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    return small_policy(tmp_path_factory.mktemp("weights"))


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"^there is no weights file .*nowhere\.npz$"):
        load_policy(tmp_path / "nowhere.npz")


@pytest.mark.parametrize("kept", [0, 10, 2000, -3000])
def test_a_damaged_file_is_one_clear_line(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "cut.npz"
    save_random_policy(path)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(WeightsError, match=r"^the weights file .*cut\.npz is damaged \([^\n]*\)$"):
        load_policy(path)


@pytest.mark.parametrize("name", ["layout", "observed", "actions"])
def test_a_file_of_another_version_is_one_clear_line(tmp_path: Path, name: str) -> None:
    path = tmp_path / "other.npz"
    rewrite(path, about={name: 99})
    with pytest.raises(WeightsError, match=rf"of another version \({name} 99, not \d+\)$"):
        load_policy(path)


def test_arrays_have_to_fit_and_to_be_numbers(tmp_path: Path) -> None:
    path = tmp_path / "other.npz"
    rewrite(path, arrays={"norm.bias": np.zeros(3, np.float16)})
    with pytest.raises(WeightsError, match="do not fit"):
        load_policy(path)
    rewrite(path, arrays={"norm.bias": np.full(16, np.nan, np.float16)})
    with pytest.raises(WeightsError, match="not all weights are numbers"):
        load_policy(path)
    rewrite(path, about={"size": {"width": 2048, "blocks": 1, "open_width": 8}})
    with pytest.raises(WeightsError):
        load_policy(path)


USUAL = {"width": 16, "blocks": 1, "open_width": 6, "other_width": 2, "value_width": 6}


@pytest.mark.parametrize(
    "size",
    [
        *([], 7, {}, {"width": 16}, USUAL | {"other": 1}, USUAL | {"blocks": 10**9}),
        *(USUAL | {"blocks": -1}, USUAL | {"width": -16}, USUAL | {"width": 10**400}),
        *(USUAL | {"width": 16.0}, USUAL | {"width": 0}),
    ],
)
def test_sizes_have_to_be_those_of_a_network(tmp_path: Path, size: object) -> None:
    path = tmp_path / "other.npz"
    rewrite(path, about={"size": size})
    with pytest.raises(WeightsError, match=r"^the weights file .*other\.npz is "):
        load_policy(path)


def test_weights_are_floats(tmp_path: Path) -> None:
    path = tmp_path / "other.npz"
    for wrong in (np.full(16, "1"), np.zeros(16, complex), np.zeros(16, int)):
        rewrite(path, arrays={"norm.bias": wrong})
        with pytest.raises(WeightsError, match="do not fit"):
            load_policy(path)


def test_a_network_has_the_weights_of_its_sizes(policy: Policy) -> None:
    weights, sizes = policy.weights, policy.sizes
    for wrong in (weights[:-1], weights[::-1], np.append(weights, np.float32(0))):
        with pytest.raises(ValueError, match="the weights of a network"):
            Policy(wrong, sizes, {}, policy.path)
    with pytest.raises(TypeError, match="an array of float32, not float64"):
        Policy(weights.astype(float), sizes, {}, policy.path)
    wide = sizes.copy()
    wide["width"] = 2048
    with pytest.raises(WeightsError, match="too wide a network"):
        Policy(weights, wide, {}, policy.path)


def rewrite(
    path: Path,
    about: dict[str, object] | None = None,
    arrays: dict[str, npt.NDArray[Any]] | None = None,
) -> None:
    """A small network with something changed."""
    save_random_policy(path)
    with np.load(path) as stored:
        found = {name: stored[name] for name in stored.files}
    said = json.loads(str(found.pop("about"))) | (about or {})
    np.savez(path, about=np.array(json.dumps(said)), **(found | (arrays or {})))
