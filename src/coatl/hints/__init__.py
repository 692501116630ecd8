"""What a strong player would do now, and why, from what a seat may know."""

from typing import TYPE_CHECKING

from coatl.hints.hint import Advice, Fact, FactKind, Hint

if TYPE_CHECKING:
    from coatl.hints.adviser import Adviser, Effort

__all__ = ["Advice", "Adviser", "Effort", "Fact", "FactKind", "Hint"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Who gives hints needs the network, which hints as plain data do not."""
        if name in ("Adviser", "Effort"):
            from coatl.hints import adviser

            return getattr(adviser, name)
        raise AttributeError(f"module 'coatl.hints' has no attribute {name!r}")
