"""How fast somebody may ask: token buckets, one for each connection or address."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping

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

    def take_anyway(self, count: int) -> None:
        """What was taken elsewhere; at most all there is, so nobody waits for long."""
        self._fill()
        self._left = max(self._left - count, 0.0)

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

    The least recently used are dropped first. With a `key`, which makes of an address what may be
    told of it, it can be shared with other processes (`Buckets`).
    """

    def __init__(
        self,
        rate: float,
        burst: int,
        times: int = 0,
        key: Callable[[str], str] | None = None,
    ) -> None:
        self.rate, self.burst = rate, burst
        self._key = key
        self._taken: Counter[str] = Counter()  # since the last `drain`
        self._all = Bucket(rate * times, burst * times)
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> float:
        """As `Bucket.take`. Who is refused takes nothing from the others."""
        if self._key is None:
            return self._bucket(address).take() or self._all.take()
        key = self._key(address)
        wait = self._bucket(key).take() or self._all.take()
        if not wait:
            self._taken[key] += 1
        return wait

    def drain(self) -> Counter[str]:
        taken, self._taken = self._taken, Counter()
        return taken

    def take_elsewhere(self, key: str, count: int) -> None:
        """What somebody took of the same limit at another process."""
        self._bucket(key).take_anyway(count)
        self._all.take_anyway(count)

    def wait_after(self, address: str) -> float:
        """As `Bucket.wait`, for what counts only when it fails, such as a wrong token.

        Whoever did not fail lately does not wait, however often others did.
        """
        bucket = self._bucket(address if self._key is None else self._key(address))
        return bucket.wait() or (0.0 if bucket.is_full else self._all.wait())

    def _bucket(self, key: str) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self.rate, self.burst)
            if len(self._buckets) > MOST_ADDRESSES:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket


class Buckets:
    """The limits by address of a server, by name.

    Several processes share them: each tells the others what was taken (`drain`), and counts what
    was taken there (`take_elsewhere`). For that `key` makes of an address what may be told of it.
    """

    def __init__(self, key: Callable[[str], str] | None = None) -> None:
        self._key = key
        self._limits: dict[str, AddressLimits] = {}

    def make(self, name: str, rate: float, burst: int, times: int = 0) -> AddressLimits:
        limits = self._limits[name] = AddressLimits(rate, burst, times, self._key)
        return limits

    def drain(self) -> dict[str, Counter[str]]:
        """What was taken of each limit since the last time, by the key of the address."""
        return {name: taken for name, limits in self._limits.items() if (taken := limits.drain())}

    def take_elsewhere(self, taken: Mapping[str, Mapping[str, int]]) -> None:
        for name, counts in taken.items():
            if name in self._limits:
                for key, count in counts.items():
                    self._limits[name].take_elsewhere(key, count)
