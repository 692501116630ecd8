"""Weights files: what is read, and what is refused in one clear line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from coatl.net.weights import Policy, WeightsError, load_policy, round_matrix, save_random_policy
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
    for wrong in (np.full(16, np.nan, np.float16), np.full(16, 1e300)):
        rewrite(path, arrays={"norm.bias": wrong})
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
    matrices, vectors, sizes = policy.matrices, policy.vectors, policy.sizes
    for wrong in (matrices[:-1], matrices[::-1], np.append(matrices, np.int8(0))):
        with pytest.raises(ValueError, match="the matrices of a network"):
            Policy(wrong, vectors, sizes, {}, policy.path)
    for missing in (vectors[:-1], vectors[::-1], np.append(vectors, np.float32(0))):
        with pytest.raises(ValueError, match="the vectors of a network"):
            Policy(matrices, missing, sizes, {}, policy.path)
    with pytest.raises(TypeError, match="an array of float32, not float64"):
        Policy(matrices, vectors.astype(float), sizes, {}, policy.path)
    wide = sizes.copy()
    wide["width"] = 2048
    with pytest.raises(WeightsError, match="too wide a network"):
        Policy(matrices, vectors, wide, {}, policy.path)


def test_matrices_are_rounded_to_the_scale_of_each_input() -> None:
    matrix = np.array([[127, 0, -0.5], [-64, 0, 0.25], [13.4, 0, 0.125]], np.float16)
    rounded, scales = round_matrix(matrix)
    assert rounded.tolist() == [[127, -64, 13], [0, 0, 0], [-127, 64, 32]]
    back = rounded * scales[:, None]
    assert (np.abs(back - matrix.T) <= scales[:, None] / 2 + 1e-7).all()
    again, same = round_matrix(back.T)
    assert (again == rounded).all()
    assert np.allclose(same, scales)


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
