"""A game's chance, made so that nobody can choose it: the table's secret and everybody's nonce.

The table publishes the SHA-256 of its secret before it knows any nonce. Each person adds a nonce
before the first draw. The seed of the game is the SHA-256 of the secret and the nonces, in the
order of the places. At the end all of it is in the record; `check` says whether it agrees. Plain
words, and what this does not prove, are in docs/fairness.md.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_HEX = re.compile(r"[0-9a-f]{64}")
BYTES = 32


def new_secret() -> str:
    """A secret or a nonce: 32 random bytes as hexadecimal digits."""
    return secrets.token_hex(BYTES)


def is_secret(text: str) -> bool:
    """Does a text look like a secret or a nonce?"""
    return _HEX.fullmatch(text) is not None


def promise_of(secret: str) -> str:
    """What the table publishes at the start: the SHA-256 of its secret."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def derive_seed(secret: str, nonces: Mapping[int, str]) -> str:
    """The seed of the game: the SHA-256 of the secret and of the nonces by place."""
    digest = hashlib.sha256(bytes.fromhex(secret))
    for place in sorted(nonces):
        digest.update(bytes.fromhex(nonces[place]))
    return digest.hexdigest()


def draw_lots(seed: str, places: int) -> tuple[int, ...]:
    """The places in the order in which they play, drawn by the seed of the game."""
    return tuple(
        sorted(
            range(places), key=lambda place: hashlib.sha256(f"{seed} lot {place}".encode()).digest()
        )
    )


@dataclass(frozen=True, slots=True)
class Fairness:
    """What a table says about its chance once the game is over."""

    promise: str
    secret: str
    nonces: Mapping[int, str]  # by place
    seating: tuple[int, ...]  # seat -> place
    by_lot: bool  # else the seats were chosen

    def problems(self, seed: str) -> list[str]:
        """Everything that does not agree; empty if all does."""
        found = []
        if promise_of(self.secret) != self.promise:
            found.append("the secret is not the one that was promised at the start")
        if derive_seed(self.secret, self.nonces) != seed:
            found.append("the seed does not come from the secret and the nonces")
        if self.by_lot and draw_lots(seed, len(self.seating)) != self.seating:
            found.append("the seats were not drawn by the seed")
        return found


# ---------------------------------------------------------------- in a record


def format_fairness(fairness: Fairness) -> list[str]:
    """The lines of a record."""
    nonces = ", ".join(f"{place}={nonce}" for place, nonce in sorted(fairness.nonces.items()))
    how = "lot" if fairness.by_lot else "chosen"
    return [
        f"Promise: {fairness.promise}",
        f"Secret: {fairness.secret}",
        f"Nonces: {nonces}" if nonces else "Nonces: none",
        f"Seating: {how} {' '.join(map(str, fairness.seating))}",
    ]


HEADERS = ("Promise", "Secret", "Nonces", "Seating")


def read_fairness(headers: Mapping[str, str], players: int) -> Fairness | None:
    """From the headers of a record; raises `ValueError` if they cannot be read."""
    given = [name for name in HEADERS if name in headers]
    if not given:
        return None
    missing = set(HEADERS) - set(given)
    if missing:
        raise ValueError(f"the header {min(missing)} is missing")
    for name in ("Promise", "Secret"):
        if not is_secret(headers[name]):
            raise ValueError(f"{name} has 64 hexadecimal digits")
    by_lot, seating = _read_seating(headers["Seating"].split(), players)
    nonces = _read_nonces(headers["Nonces"], players)
    return Fairness(headers["Promise"], headers["Secret"], nonces, seating, by_lot)


def _read_seating(words: Sequence[str], players: int) -> tuple[bool, tuple[int, ...]]:
    places = [int(word) for word in words[1:] if word.isdecimal()]
    if words[:1] not in (["lot"], ["chosen"]) or sorted(places) != list(range(players)):
        raise ValueError("Seating is 'lot' or 'chosen' and the places in the order they play")
    return words[0] == "lot", tuple(places)


def _read_nonces(text: str, players: int) -> dict[int, str]:
    if text == "none":
        return {}
    nonces: dict[int, str] = {}
    for part in text.split(", "):
        place, _, nonce = part.partition("=")
        if not place.isdecimal() or int(place) >= players or not is_secret(nonce):
            raise ValueError("Nonces are like 0=64 hexadecimal digits, 1=...")
        nonces[int(place)] = nonce
    return nonces
