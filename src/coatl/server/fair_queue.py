"""A queue between threads that serves addresses in turn."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """First come, first served among the items of one address; the addresses take turns.

    So however much one address has waiting, another one's first item is among the next.
    """

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()
        self._changed = threading.Condition()
        self._is_closed = False

    def put(self, address: str, item: T) -> None:
        with self._changed:
            self._waiting.setdefault(address, deque()).append(item)
            self._changed.notify()

    def get(self) -> T | None:
        """The next item, as soon as there is one; None when the queue is closed."""
        with self._changed:
            while not self._waiting and not self._is_closed:
                self._changed.wait()
            if self._is_closed:
                return None
            address, items = self._waiting.popitem(last=False)
            item = items.popleft()
            if items:
                self._waiting[address] = items  # behind all others
            return item

    def remove(self, address: str, item: T) -> None:
        """Take back an item that nobody has got yet; if somebody has, nothing happens."""
        with self._changed:
            items = self._waiting.get(address)
            if items is not None and item in items:
                items.remove(item)
                if not items:
                    del self._waiting[address]

    def close(self) -> None:
        """Whoever waits for an item gets None; what still waits is dropped."""
        with self._changed:
            self._is_closed = True
            self._waiting.clear()
            self._changed.notify_all()

    def __len__(self) -> int:
        with self._changed:
            return sum(map(len, self._waiting.values()))
