"""Numba's types from annotations: one signature for the reader, the type checker and Numba.

An annotation is ``int``, ``float``, ``bool``, ``None``, a scalar such as `records.UInt64`, a record
class, a `RecordArray`, one of the array types of `records` and `arrays`, a tuple of these, or a
`typing.NamedTuple` whose fields are annotated with these.
"""

from __future__ import annotations

import typing
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from coatl.compiler.records import Int8s, Int16s, Int64s, RecordArray, dtype_of

types: Any = numba.types
_SCALARS = {
    type(None): numba.void,
    int: numba.int64,
    float: numba.float64,
    bool: numba.boolean,
}


def signature(function: Callable[..., Any]) -> Any:
    """The Numba signature that the annotations of `function` say."""
    hints = typing.get_type_hints(function, include_extras=True)
    result = numba_type(hints.pop("return"))
    return result(*(numba_type(hint) for hint in hints.values()))


def takes_field(function: Callable[..., Any]) -> bool:
    """Array fields of a record have their length in their type; let Numba meet each of them."""
    return Int8s in typing.get_type_hints(function, include_extras=True).values()


def numba_type(hint: Any) -> Any:
    if isinstance(hint, type):
        return _type_of_class(hint)
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:  # UInt64 and the like
        return numba.from_dtype(np.dtype(hint.__metadata__[0]))
    if origin is tuple:
        return types.Tuple([numba_type(part) for part in parts])
    if hint in (Int16s, Int64s):
        return numba.from_dtype(np.dtype(typing.get_args(parts[1])[0]))[::1]
    if origin is np.ndarray:
        shape, kind = parts  # a shape such as tuple[int, int]: two dimensions
        scalar = numba.from_dtype(np.dtype(typing.get_args(kind)[0]))
        return types.Array(scalar, len(typing.get_args(shape)), "C")
    if origin is RecordArray:
        return numba.from_dtype(dtype_of(parts[0]))[::1]
    raise TypeError(f"compiled code has no type for {hint}")


def _type_of_class(hint: type) -> Any:
    if hint in _SCALARS:
        return _SCALARS[hint]
    if issubclass(hint, tuple) and hasattr(hint, "_fields"):
        hints = typing.get_type_hints(hint, include_extras=True)
        fields = [numba_type(hints[name]) for name in hint._fields]
        if len(set(fields)) == 1:
            return types.NamedUniTuple(fields[0], len(fields), hint)
        return types.NamedTuple(fields, hint)
    return numba.from_dtype(dtype_of(hint))
