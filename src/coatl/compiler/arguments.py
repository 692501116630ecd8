"""Checks of numbers and arrays that go on to compiled code, which trusts what it is given."""

from __future__ import annotations

import math
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt


def check_whole(value: Any, name: str, least: int = 0, most: int | None = None) -> int:
    """`value` as an int; raises TypeError or ValueError if it is not one from `least` to `most`."""
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {value!r}") from None
    if number < least or (most is not None and number > most):
        bounds = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} is {bounds}, not {number}")
    return number


def check_finite(value: Any, name: str) -> float:
    """`value` as a float; raises TypeError or ValueError if it is none, or infinite or NaN."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} is a number, not {value!r}") from None
    if not math.isfinite(number):
        raise ValueError(f"{name} is a finite number, not {number}")
    return number


def check_seed(seed: Any) -> None:
    """Raises TypeError if a text made of it would not be a seed, but a mistake such as None."""
    if not isinstance(seed, int | str | np.integer):
        raise TypeError(f"a seed is a number or a text, not {seed!r}")


def check_array(array: Any, name: str, shape: tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
    """`array` if compiled code can write to it: of this shape and type, whole and in C order."""
    if not isinstance(array, np.ndarray) or array.dtype != dtype:
        kind = array.dtype if isinstance(array, np.ndarray) else type(array).__name__
        raise TypeError(f"{name} is an array of {np.dtype(dtype)}, not {kind}")
    if array.shape != shape:
        raise ValueError(f"{name} has the shape {shape}, not {array.shape}")
    if not (array.flags.c_contiguous and array.flags.aligned and array.flags.writeable):
        raise ValueError(f"{name} is a writeable array in C order")
    return array
