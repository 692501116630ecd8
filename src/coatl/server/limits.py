"""How fast somebody may ask: token buckets, one for each connection or address."""

from __future__ import annotations

import time
from collections import OrderedDict

MOST_ADDRESSES = 10_000
MOST_EARLY = 256  # messages of a socket that wait because they came too fast


class Bucket:
    """`rate` a second in the long run, `burst` at once; rate 0 is no limit."""

    __slots__ = ("_at", "_left", "burst", "rate")

    def __init__(self, rate: float, burst: int) -> None:
        self.rate, self.burst = rate, float(max(burst, 1))
        self._left = self.burst
        self._at = time.monotonic()

    def take(self) -> float:
        """Take one and return 0, or return the seconds until there will be one."""
        if wait := self.wait():
            return wait
        self._left -= 1
        return 0.0

    def wait(self) -> float:
        """The seconds until there will be one to take; 0 if there is one."""
        if self.rate <= 0:
            return 0.0
        self._fill()
        return (1 - self._left) / self.rate if self._left < 1 else 0.0

    @property
    def is_full(self) -> bool:
        self._fill()
        return self._left >= self.burst

    def _fill(self) -> None:
        now = time.monotonic()
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now


class AddressLimits:
    """A bucket for each address, and one for all of them that is `times` as large (0: none).

    The least recently used are dropped first.
    """

    def __init__(self, rate: float, burst: int, times: int = 0) -> None:
        self.rate, self.burst = rate, burst
        self._all = Bucket(rate * times, burst * times)
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> float:
        """As `Bucket.take`. Who is refused takes nothing from the others."""
        return self._bucket(address).take() or self._all.take()

    def wait_after(self, address: str) -> float:
        """As `Bucket.wait`, for what counts only when it fails, such as a wrong token.

        Whoever did not fail lately does not wait, however often others did.
        """
        bucket = self._bucket(address)
        return bucket.wait() or (0.0 if bucket.is_full else self._all.wait())

    def _bucket(self, address: str) -> Bucket:
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self.rate, self.burst)
            if len(self._buckets) > MOST_ADDRESSES:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        return bucket
