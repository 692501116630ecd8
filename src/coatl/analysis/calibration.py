"""Chances of the network put on a scale that agrees with how games ended (docs/analysis.md)."""

from __future__ import annotations


def calibrated(chance: float, players: int) -> float:
    """The chance of a seat, from the network's mean."""
    return chance
