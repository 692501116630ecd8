"""Functions that only compiled code calls.

``@kernel`` takes the Numba signature of a function from its annotations, so that it is compiled
exactly once, and only when an entry (`coatl.compiler.jit.entry`) that calls it has to be. What the
decorators need of a function:

* Every parameter and the result are annotated with types that `signatures` knows.
* What it calls is a **bare global name** of its module: ``from coatl.rules.apply import attach``,
  then ``attach(…)``. Callees are compiled first, and they are found by these names.
  ``apply.attach(…)`` would be compiled once more for the types of each call, so it is refused.
  Where the module has a function of that name itself, the callee is imported under another
  (``from … import apply as apply_decision``).
* It allocates nothing and raises nothing.

Compiled code of an inner function has no wrapper for Python, which would double the time it takes
to compile. Calling it from Python raises TypeError; with ``NUMBA_DISABLE_JIT=1`` it is a plain
function.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

import numba
from numba.core.registry import CPUDispatcher

P = ParamSpec("P")
R = TypeVar("R")

numba_config: Any = numba.config
DISABLED: bool = bool(numba_config.DISABLE_JIT)
FLAGS: dict[str, Any] = {
    "error_model": "numpy",  # no division checks
    "no_rewrites": True,  # nothing to rewrite; saves compile time
    "no_cfunc_wrapper": True,  # halves the compile time; nothing is called through C
}


class InnerFunction(CPUDispatcher):
    """What a kernel function is: compiled code may call it, Python may not."""

    def __call__(self, *args: object, **kwargs: object) -> typing.NoReturn:
        name = f"{self.py_func.__module__}.{self.py_func.__name__}"
        raise TypeError(f"{name} is for compiled code; Python calls the entries of a package")


_inner_functions: dict[int, tuple[Any, Callable[..., Any]]] = {}  # by id of the dispatcher


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A function that compiled code calls."""
    return _inner(function, forceinline=False)


def inline_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A small one on the hot path: LLVM puts it into its callers."""
    return _inner(function, forceinline=True)


def fast_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """One whose float products and sums may be fused into one rounding."""
    return _inner(function, forceinline=False, fastmath={"contract"})


def _inner(function: Callable[P, R], forceinline: bool, **more: Any) -> Callable[P, R]:
    if DISABLED:
        return function
    options = FLAGS | {"no_cpython_wrapper": True, "forceinline": forceinline} | more
    dispatcher = numba.njit(**options)(function)
    dispatcher.__class__ = InnerFunction
    _inner_functions[id(dispatcher)] = (dispatcher, function)
    return typing.cast("Callable[P, R]", dispatcher)


def callees(
    function: Callable[..., Any], passed: set[int]
) -> Iterator[tuple[Any, Callable[..., Any]]]:
    """What `function` calls and is not compiled yet, callees first; once, as `passed` notes.

    Each is given as what Numba compiles and the Python function.
    """
    names = function.__code__.co_names
    for name in names:
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType):
            _refuse_dotted_calls(function, value, names)
        found = _inner_functions.get(id(value))
        if found is None or found[0].signatures or found[1] is function or id(found[0]) in passed:
            continue  # a field may have the name of the function that reads it
        passed.add(id(found[0]))
        yield from callees(found[1], passed)
        yield found


def _refuse_dotted_calls(
    function: Callable[..., Any], module: ModuleType, names: tuple[str, ...]
) -> None:
    for name in names:
        if id(vars(module).get(name)) in _inner_functions and name not in function.__globals__:
            raise TypeError(
                f"{function.__module__}.{function.__name__} calls {module.__name__}.{name}:"
                f" import {name} and call it by that name"
            )
