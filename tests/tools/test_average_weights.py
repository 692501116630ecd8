"""The mean of several networks."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from coatl.net.weights import WeightsError, load_policy, save_random_policy
from tools.average_weights import average, main


def small(path: Path, seed: int) -> Path:
    save_random_policy(path, seed=seed)
    return path


def test_every_weight_is_the_mean(tmp_path: Path) -> None:
    files = [small(tmp_path / f"{seed}.npz", seed) for seed in (1, 2)]
    out = tmp_path / "mean.npz"
    average(files, out)
    with np.load(out) as mean, np.load(files[0]) as first, np.load(files[1]) as second:
        assert set(mean.files) == set(first.files)
        for name in set(mean.files) - {"about"}:
            expected = (first[name].astype(float) + second[name].astype(float)) / 2
            assert np.allclose(mean[name], expected, atol=1e-3), name
            assert mean[name].dtype == first[name].dtype
        about = json.loads(str(mean["about"]))
    assert len(about["mean_of"]) == 2
    assert load_policy(out).sizes == load_policy(files[0]).sizes


def test_networks_of_other_sizes_have_no_mean(tmp_path: Path) -> None:
    files = [small(tmp_path / "small.npz", 1), tmp_path / "wide.npz"]
    save_random_policy(files[1], width=32)
    with pytest.raises(WeightsError, match="different sizes"):
        average(files, tmp_path / "mean.npz")


def test_a_file_that_is_missing_ends_it_with_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["average_weights", str(tmp_path / "out.npz"), "none.npz"])
    with pytest.raises(SystemExit, match="there is no weights file"):
        main()
