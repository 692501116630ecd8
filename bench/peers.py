"""Random games of other engines, timed; runs in .venv-peers, without Cóatl.

``python bench/peers.py backgammon 100`` plays 100 games, then 200 that begin with the same 100, and
prints what both took as JSON. Both in one process, because in another one Catanatron plays other
games: the order of its sets depends on where things lie in memory, whatever the seed.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version

OPEN_SPIEL = ("gin_rummy", "connect_four", "backgammon", "tic_tac_toe")
NAMES = ("catanatron", *OPEN_SPIEL)
MOST_GAMES = 1_000_000
MOST_STEPS = 100_000  # of one game


@dataclass(slots=True)
class Tally:
    """`decisions` are those of players; chance is not counted. `cut`: ended by a turn limit."""

    games: int
    decisions: int = 0
    cut: int = 0
    seconds: float = 0.0


PlayOne = Callable[[int, Tally], None]  # plays game number n and counts it


def catanatron() -> PlayOne:
    """Two of its own random players, and its own loop; its log of actions is counted."""
    from catanatron.game import Game
    from catanatron.models.player import Color, RandomPlayer

    def play(number: int, tally: Tally) -> None:
        players = [RandomPlayer(Color.RED), RandomPlayer(Color.BLUE)]
        game = Game(players, seed=number + 1)  # 0 would be no seed
        winner = game.play()
        tally.decisions += len(game.state.actions)
        tally.cut += winner is None

    return play


def open_spiel(name: str) -> PlayOne:
    """A Python loop over its C++ games, as its users write it; chance is drawn here."""
    import pyspiel

    game = pyspiel.load_game(name)
    rng = random.Random()

    def play(number: int, tally: Tally) -> None:
        if number == 0:
            rng.seed(1)
        state = game.new_initial_state()
        decisions = 0
        for _ in range(MOST_STEPS):
            if state.is_terminal():
                tally.decisions += decisions
                return
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
        sys.exit(f"a game of {name} did not end in {MOST_STEPS} steps")

    return play


def play_games(play: PlayOne, games: int) -> Tally:
    tally = Tally(games)
    begin = time.process_time()
    for number in range(games):
        play(number, tally)
    tally.seconds = time.process_time() - begin
    return tally


def report(name: str, games: int) -> dict[str, object]:
    """Everything is loaded, and one game played, before the clock starts."""
    package = "catanatron" if name == "catanatron" else "open_spiel"
    try:
        play = catanatron() if name == "catanatron" else open_spiel(name)
    except ImportError as error:
        sys.exit(f"{package} is not installed here: {error}")
    play_games(play, 1)
    runs = [asdict(play_games(play, n)) for n in (games, 2 * games)]
    return {"package": package, "version": version(package), "runs": runs}


def main(arguments: list[str]) -> None:
    if len(arguments) != 2 or arguments[0] not in NAMES or not arguments[1].isdecimal():
        sys.exit(f"usage: peers.py {{{','.join(NAMES)}}} GAMES")
    games = int(arguments[1])
    if not 1 <= games <= MOST_GAMES:
        sys.exit(f"from 1 to {MOST_GAMES} games, not {games}")
    print(json.dumps(report(arguments[0], games)))


if __name__ == "__main__":
    main(sys.argv[1:])
