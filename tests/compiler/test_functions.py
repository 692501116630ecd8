"""What the decorators promise about inner functions."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
import pytest

from coatl.compiler import functions
from coatl.compiler.functions import DISABLED, callees, kernel
from coatl.compiler.records import Int64s
from coatl.compiler.signatures import numba_type, signature
from coatl.rules import scoring

needs_jit = pytest.mark.skipif(DISABLED, reason="about compiled code")


class Pair(NamedTuple):
    numbers: Int64s
    factor: float


@kernel
def doubled(x: int) -> int:
    return 2 * x


@kernel
def doubled_twice(x: int) -> int:
    return doubled(doubled(x))


@kernel
def scores_by_dotted_name(x: int) -> int:
    return scoring.coatl_value(x, x)  # type: ignore[arg-type]


@needs_jit
def test_python_cannot_call_an_inner_function() -> None:
    with pytest.raises(TypeError, match=r"test_functions\.doubled is for compiled code"):
        doubled(1)


@needs_jit
def test_callees_come_first_and_once() -> None:
    def uses(x: int) -> int:
        return doubled_twice(x) + doubled(x)

    found = [function.__name__ for _, function in callees(uses, set())]
    assert found == ["doubled", "doubled_twice"]


@needs_jit
def test_a_callee_with_a_dotted_name_is_refused() -> None:
    with pytest.raises(
        TypeError, match=r"calls coatl\.rules\.scoring\.coatl_value: import coatl_value"
    ):
        list(callees(functions._inner_functions[id(scores_by_dotted_name)][1], set()))


def test_signatures_are_read_from_annotations() -> None:
    def example(pair: Pair, flag: bool) -> None: ...

    found = signature(example)
    assert found.return_type == numba.void
    assert [str(argument) for argument in found.args] == [
        "Pair(array(int64, 1d, C), float64)",
        "bool",
    ]
    with pytest.raises(TypeError, match="no type for"):
        numba_type(list[int])


@needs_jit
def test_compiled_code_reads_named_tuples_by_name() -> None:
    @numba.njit([signature(total)])
    def compiled(pair: Pair) -> float:
        return pair.factor * float(pair.numbers.sum())

    assert compiled(Pair(np.array([1, 2, 3]), 0.5)) == 3.0


def total(pair: Pair) -> float:
    return pair.factor * float(pair.numbers.sum())
