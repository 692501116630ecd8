"""How Numba finds compiled code in a folder that it cannot write to.

Numba takes a folder for its cache only if it can write to it, even where there is nothing to write.
It imports this class by its name, which `cache.numba_cache_in` gives to it.
"""

from __future__ import annotations

from numba.core.caching import UserProvidedCacheLocator


class ReadOnlyLocator(UserProvidedCacheLocator):
    """The folder that was named, as it is."""

    def ensure_cache_path(self) -> None:
        """It is there, and complete."""
