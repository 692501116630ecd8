"""A bounded memory for things that are dear to make and cheap to keep."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Memory(Generic[K, V]):
    """Keeps at least the last `size` things that were asked for, and at most twice as many.

    Two generations instead of an order of use: when the young one is full it becomes the old one,
    and what is asked for there is young again. So nothing in use is ever forgotten all at once.
    """

    __slots__ = ("_old", "_size", "_young")

    def __init__(self, size: int) -> None:
        self._size = size
        self._young: dict[K, V] = {}
        self._old: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is not None:
                self.keep(key, found)
        return found

    def keep(self, key: K, value: V) -> None:
        young = self._young
        young[key] = value
        if len(young) >= self._size:
            self._old, self._young = young, {}

    def clear(self) -> None:
        self._young, self._old = {}, {}

    def __len__(self) -> int:
        return len(self._young.keys() | self._old.keys())
