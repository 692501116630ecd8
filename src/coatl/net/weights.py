"""Reading a weights file: `policy.npz` as training writes it (half floats by name, `about`)."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import numpy.typing as npt

from coatl.compiler.arguments import check_array
from coatl.compiler.records import dtype_of, record_array
from coatl.encode import layout as at
from coatl.encode.meanings import N_ACTIONS, OPEN, OPEN_ACTIONS
from coatl.net.layers import MAX_WIDTH, N_ROWS, N_VALUES, ROOM, Network, Sizes, SizesArray
from coatl.rules.state import MAX_INCOMPLETE

ENVIRONMENT = "COATL_WEIGHTS"
SIZES = tuple(get_type_hints(Sizes))
MAX_BLOCKS = 64
_FOLDER = Path(__file__).parent.parent / "players" / "weights"
SHIPPED, SHIPPED_SOLO = _FOLDER / "champion.npz", _FOLDER / "solo.npz"
SHIPPED_MANY = _FOLDER / "many.npz"

MOST = 127  # of a rounded weight, in units of the scale of its row

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.int8]
Shapes = dict[str, tuple[int, ...]]


class WeightsError(ValueError):
    """There is no usable weights file; the message says in one line why."""


@dataclass(frozen=True)
class Policy:
    """A trained network: all its weights, in the order of `_shapes`, as `net.layers` reads them.

    It may have others beside it, taught for such games alone: one for solo, which is won in
    another way, and one for three or four players.
    """

    matrices: Bytes  # rounded
    vectors: Floats  # biases, layer norms, and the scales of the rows of each matrix
    sizes: SizesArray
    about: dict[str, Any] = field(repr=False)
    path: Path
    solo: Policy | None = None
    many: Policy | None = None

    def __post_init__(self) -> None:
        size = check_array(self.sizes, "the sizes of a network", (1,), dtype_of(Sizes))
        shapes = _shapes(_checked(_named(size))).values()
        matrices = sum(math.prod(shape) for shape in shapes if len(shape) == 2)
        check_array(self.matrices, "the matrices of a network", (matrices,), np.int8)
        vectors = sum(shape[-1] for shape in shapes)
        check_array(self.vectors, "the vectors of a network", (vectors,), np.float32)

    def for_game(self, players: int) -> Policy:
        """The network for a game with so many players."""
        own = self.solo if players == 1 else self.many if players > 2 else None
        return self if own is None else own

    def new_network(self) -> Network:
        """The network for compiled code, with room of its own for a pass through it."""
        activations = np.zeros((N_ROWS, ROOM), np.float32)
        factor_rows = np.zeros(ROOM, np.int64)
        return Network(self.matrices, self.vectors, self.sizes, activations, factor_rows)


def weights_path() -> Path:
    """The file that is used where none is named."""
    chosen = os.environ.get(ENVIRONMENT)
    return Path(chosen) if chosen else SHIPPED


def load_policy(path: str | Path | None = None) -> Policy:
    """The network in a file; raises `WeightsError`. Without a file it is the one named by the
    environment, or those shipped.

    A file is read once, and again when it has changed.
    """
    file = Path(path) if path is not None else weights_path()
    policy = _read(file)
    if path is None and file == SHIPPED:
        return replace(policy, solo=_read(SHIPPED_SOLO), many=_read(SHIPPED_MANY))
    return policy


def _read(file: Path) -> Policy:
    try:
        changed = file.stat().st_mtime_ns
    except OSError:
        raise WeightsError(f"there is no weights file {file}") from None
    return _load(file, changed)


@lru_cache(maxsize=8)
def _load(file: Path, changed: int) -> Policy:
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        about = json.loads(str(arrays.pop("about")))
        return _policy(about, arrays, file)
    except WeightsError as error:
        raise WeightsError(f"the weights file {file} is {error}") from None
    except Exception as error:  # a damaged archive raises whatever its damaged part leads to
        raise WeightsError(f"the weights file {file} is damaged ({type(error).__name__})") from None


def _policy(about: dict[str, Any], arrays: dict[str, npt.NDArray[Any]], file: Path) -> Policy:
    for name, ours in (("layout", at.VERSION), ("observed", at.N_OBSERVED), ("actions", N_ACTIONS)):
        if about[name] != ours:
            versions = f"{name} {about[name]}, not {ours}"
            raise WeightsError(f"of another version ({versions})")
    size = _checked(about["size"])
    shapes = _shapes(size)
    floats = all(array.dtype.kind == "f" for array in arrays.values())
    if not floats or {name: array.shape for name, array in arrays.items()} != shapes:
        raise WeightsError("damaged (its arrays do not fit)")
    with np.errstate(over="ignore"):  # too large a number becomes infinite
        arrays = {name: arrays[name].astype(np.float32) for name in shapes}
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise WeightsError("damaged (not all weights are numbers)")
    matrices, vectors = _as_stored_here(arrays)
    sizes = record_array(Sizes, 1)
    for name, value in size.items():
        sizes[name] = value
    return Policy(matrices, vectors, sizes, about, file)


def _named(sizes: npt.NDArray[Any]) -> dict[str, int]:
    return {name: int(sizes[name][0]) for name in SIZES}


def _checked(size: dict[str, int]) -> dict[str, int]:
    """The widths, if the compiled layers have room for them."""
    if set(size) != set(SIZES) or not all(type(value) is int for value in size.values()):
        raise WeightsError(f"not of the sizes {', '.join(SIZES)}")
    widest = max(
        size["width"],
        MAX_INCOMPLETE * size["open_width"],
        at.N_OTHERS * size["other_width"],
        size["value_width"],
    )
    if widest > MAX_WIDTH:
        raise WeightsError(f"too wide a network ({widest} > {MAX_WIDTH})")
    if min(size.values()) < 0 or size["width"] < 1 or size["blocks"] > MAX_BLOCKS:
        raise WeightsError(f"no network ({size})")
    return size


def _shapes(size: dict[str, int]) -> Shapes:
    """Names and shapes of all arrays, in the order in which `net.layers` uses them."""
    width, cell = size["width"], size["open_width"]
    other, hidden = size["other_width"], size["value_width"]
    shapes: Shapes = {
        "other.bias": (other,),
        "other.weight": (other, at.OTHER_SIZE),
        "open1.bias": (cell,),
        "open1.weight": (cell, at.OPEN_SIZE),
        "open2.bias": (cell,),
        "open2.weight": (cell, cell),
        "table.bias": (width,),
        "table.weight": (width, at.OTHERS),
        "others.weight": (width, at.N_OTHERS * other),
        "opens.weight": (width, MAX_INCOMPLETE * cell),
    }
    for number in range(size["blocks"]):
        shapes |= _norm(f"blocks.{number}.norm", width)
        shapes |= _linear(f"blocks.{number}.inner", width, width)
        shapes |= _linear(f"blocks.{number}.outer", width, width)
    return (
        shapes
        | _norm("norm", width)
        | _linear("value1", hidden, width)
        | _linear("value2", N_VALUES, hidden)
        | _linear("policy", OPEN, width)
        | _linear("open_context", cell, width)
        | {"open_detail.weight": (cell, cell)}
        | _linear("open_policy", OPEN_ACTIONS, cell)
    )


def _linear(name: str, outputs: int, inputs: int) -> Shapes:
    return {f"{name}.bias": (outputs,), f"{name}.weight": (outputs, inputs)}


def _norm(name: str, width: int) -> Shapes:
    return {f"{name}.weight": (width,), f"{name}.bias": (width,)}


def _as_stored_here(arrays: dict[str, Floats]) -> tuple[Bytes, Floats]:
    """Matrices and vectors one after another; the scales include those of the observation."""
    observed = at.scales()
    parts = {
        "table.weight": observed[: at.OTHERS],
        "other.weight": observed[at.OTHERS : at.OTHERS + at.OTHER_SIZE],
        "open1.weight": observed[at.OPENS : at.OPENS + at.OPEN_SIZE],
    }
    matrices, vectors = [], []
    for name, array in arrays.items():
        if array.ndim == 1:
            vectors.append(array)
        else:
            rounded, scales = round_matrix(array)
            matrices.append(rounded.reshape(-1))
            vectors.append(scales * parts[name] if name in parts else scales)
    return np.concatenate(matrices), np.concatenate(vectors)


def round_matrix(matrix: npt.NDArray[Any]) -> tuple[Bytes, Floats]:
    """A matrix [output, input] as [input, output] in whole numbers, and the scale of each row."""
    turned = np.ascontiguousarray(matrix.T, np.float32)
    scales = np.abs(turned).max(1, initial=0) / MOST
    scales[scales == 0] = 1
    return np.rint(turned / scales[:, None]).astype(np.int8), scales


def save_random_policy(path: Path, width: int = 16, blocks: int = 1, seed: int = 0) -> None:
    """An untrained network, small or of the usual shape, for tests and measurements."""
    draw = np.random.default_rng(seed)
    size = {
        "width": width,
        "blocks": blocks,
        "open_width": width * 3 // 8,
        "other_width": width // 8,
        "value_width": width * 3 // 8,
    }
    _checked(size)
    arrays = {
        name: (draw.standard_normal(shape) / np.sqrt(shape[-1])).astype(np.float16)
        for name, shape in _shapes(size).items()
    }
    about = {"layout": at.VERSION, "observed": at.N_OBSERVED, "actions": N_ACTIONS, "size": size}
    np.savez(path, about=np.array(json.dumps(about)), **arrays)
