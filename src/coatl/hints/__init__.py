"""What a strong player would do now, and why, from what a seat may know."""

from coatl.hints.adviser import Adviser, Effort
from coatl.hints.hint import Advice, Fact, FactKind, Hint

__all__ = ["Advice", "Adviser", "Effort", "Fact", "FactKind", "Hint"]
