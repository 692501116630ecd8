"""`coatl verify`: was the chance of a recorded game fair? In plain words, check by check."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from coatl.cli.console import Failure, read_text
from coatl.errors import RecordError
from coatl.fairness import Fairness
from coatl.game import Game
from coatl.text.drawing import make_console


def verify(file: Path, promise: str | None, nonce: str | None) -> None:
    """Print what holds; raises `Failure` with all that does not."""
    text = read_text(file)
    try:
        game = Game.replay(text)
    except RecordError as error:
        raise Failure(f"{file}: {error}") from None
    fairness = game.fairness
    if game.seed is None or fairness is None:
        raise Failure(f"{file}: the record does not say where its chance came from")
    problems = [*fairness.problems(game.seed), *_against_notes(fairness, promise, nonce)]
    if problems:
        raise Failure(f"{file}: {'; '.join(problems)}")
    console = make_console()
    for line in _findings(fairness, promise, nonce):
        console.print(line)


def _against_notes(fairness: Fairness, promise: str | None, nonce: str | None) -> Iterator[str]:
    """What a player noted when the game began."""
    if promise is not None and promise.strip().lower() != fairness.promise:
        yield "the record has another promise than the one you noted"
    if nonce is not None and nonce.strip().lower() not in fairness.nonces.values():
        yield "your nonce is not in the record"


def _findings(fairness: Fairness, promise: str | None, nonce: str | None) -> Iterator[str]:
    yield "The replay of every decision agrees with the record."
    yield "The table's secret is the one that was promised at the start."
    people = len(fairness.nonces)
    whose = "one person's nonce" if people == 1 else f"the nonces of {people} people"
    yield f"The seed comes from that secret and {whose}."
    if fairness.by_lot:
        yield "The seats were drawn by that seed."
    if promise is None and nonce is None:
        yield "Give --promise and --nonce as you noted them, to see that nothing was exchanged."
    else:
        yield "What you noted at the start is in the record."
