"""The mean of several trained networks that began from the same weights, weight by weight.

    python -m tools.average_weights OUT.npz FILE.npz FILE.npz ...

Two runs side by side on one GPU become one network that has learnt from both. All have to be of the
same size. What OUT says about itself is what the last file says, and how long each was trained.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from coatl.net.weights import WeightsError, load_policy

Arrays = dict[str, npt.NDArray[Any]]


def average(files: Sequence[Path], out: Path) -> None:
    """Write the mean of the files; raises `WeightsError` for one that cannot be used."""
    abouts = [load_policy(file).about for file in files]
    if any(about["size"] != abouts[0]["size"] for about in abouts):
        raise WeightsError("the networks are of different sizes")
    trained = [{name: about.get(name) for name in ("minutes", "decisions")} for about in abouts]
    read = [_arrays(file) for file in files]
    means: dict[str, Any] = {name: _mean([arrays[name] for arrays in read]) for name in read[0]}
    about = json.dumps(abouts[-1] | {"mean_of": trained})
    np.savez(out, about=np.array(about), **means)


def _mean(arrays: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    return np.asarray(np.mean(np.stack(arrays), axis=0, dtype=np.float64), np.float16)


def _arrays(file: Path) -> Arrays:
    with np.load(file, allow_pickle=False) as stored:
        return {name: stored[name] for name in stored.files if name != "about"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("files", type=Path, nargs="+", metavar="file")
    asked = parser.parse_args()
    try:
        average(asked.files, asked.out)
    except WeightsError as error:
        raise SystemExit(f"average_weights: {error}") from None


if __name__ == "__main__":
    main()
