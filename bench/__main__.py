"""`make bench`: the speed table, and the same as JSON in bench/results/.

One core, random play. Every figure is the best of a few rounds, so that other work on the machine
matters less. The baseline is the same kernel as plain Python, in the same run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.measure import ROUNDS, Bench, best, save, timed

START = "from coatl.compiler import jit; jit.load_all()"
PLAIN = "import bench.__main__ as b; print(b.games_per_second(2, 3)[1])"


def games_per_second(players: int, games: int) -> tuple[float, float]:
    """Decisions and games per second."""
    bench = Bench(players)
    decisions = bench.play(games)
    seconds = best(lambda: bench.play(games), ROUNDS if games > 100 else 1)
    return decisions / seconds, games / seconds


def two_threads(games: int) -> float:
    """How much faster two threads play than one (the kernel runs without the GIL)."""
    benches = [Bench(2), Bench(2)]
    alone = best(lambda: benches[0].play(2 * games))

    def both() -> None:
        threads = [threading.Thread(target=b.play, args=(games, i)) for i, b in enumerate(benches)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return alone / best(both)


def nanoseconds() -> dict[str, float]:
    """Legality, apply, score and copy in positions of random two-player games."""
    from bench import loops
    from coatl.rules.state import new_states

    n, rounds = 2000, 20
    bench = Bench(2, n + 2)
    picked = np.zeros(n, np.int16)
    loops.sample_positions(
        bench.cards,
        bench.states,
        picked,
        bench.bodies,
        bench.chances,
        bench.choosers,
        bench.choices,
    )
    cards, states, choices = bench.cards, bench.states, bench.choices
    known = new_states(2)
    works: dict[str, Callable[[int], object]] = {
        "legality": lambda r: loops.time_legality(cards, states, choices, r),
        "copy": lambda r: loops.time_copies(states, r),
        "apply": lambda r: loops.time_applications(
            cards, states, picked, bench.chances, choices, r
        ),
        "score": lambda r: loops.time_scores(cards, states, r),
        "sample": lambda r: loops.time_samples(states, known, 0, bench.chances, r),
    }
    results = {}
    for name, work in works.items():
        work(1)
        results[name] = best(lambda work=work: work(rounds)) / (n * rounds) * 1e9  # type: ignore[misc]
    results["apply"] -= results["copy"]
    return results


def microseconds() -> dict[str, float]:
    """A view with its JSON, and a move played from its text, in the middle of a game."""
    from coatl import Game

    game = Game.new(players=2, seed="bench")
    number = 0
    while game.turn < 40 or game.phase != "main":
        moves = game.legal_moves()
        number += 7
        game.play(moves[number % len(moves)])
    record, text = game.record(reveal_seed=True), game.legal_moves()[0].text
    games = [Game.replay(record) for _ in range(200)]
    played = min(timed(lambda one=one: one.play(text)) for one in games)  # type: ignore[misc]

    def look() -> None:
        for _ in range(500):
            game.view(game.seat).to_json()

    return {"view and JSON": best(look) / 500 * 1e6, "play a text": played * 1e6}


def views() -> dict[str, float]:
    """Both seats' views with their JSON all through new games, and what each cache saves there."""
    from coatl.view import parts

    caches = {
        "card progress": parts.progress_part,
        "Temple progress": parts._temple_part,
        "discards": parts.discards_part,
        "supply": parts.supply_part,
        "Cóatl": parts.coatl_json,
        "seats": parts.seat_part,
    }

    def play(cleared: str = "") -> float:
        for cache in caches.values():
            cache.cache_clear()
        return min(views_of_new_games(seed, caches.get(cleared)) for seed in range(ROUNDS))

    usual = play()
    results = {"view in a new game: µs": usual * 1e6}
    for name in caches:
        results[f"without cache of {name}: times"] = play(name) / usual
    return results


def views_of_new_games(seed: int, cleared: Any) -> float:
    """Seconds a view; one cache may be emptied before each."""
    from coatl import Game

    seconds, made, draw = 0.0, 0, np.random.default_rng(seed)
    for number in range(4):
        game = Game.new(players=2, seed=f"views {seed} {number}")
        while not game.over:
            for seat in range(2):
                if cleared is not None:
                    cleared.cache_clear()
                seconds += timed(lambda game=game, seat=seat: game.view(seat).to_json())  # type: ignore[misc]
                made += 1
            moves = game.legal_moves()
            game.play(moves[int(draw.integers(len(moves)))])
    return seconds / made


def thinking() -> dict[str, float]:
    """Bots in the middle of a game: ms a decision of the network, simulations/s of the search.

    Without the shipped weights a network of the same size that knows nothing takes their place.
    """
    from coatl import Game
    from coatl.net.weights import WeightsError, load_policy, save_random_policy
    from coatl.players.network import NetworkPlayer
    from coatl.players.search import SearchPlayer
    from coatl.rules.chance import new_chance
    from coatl.search.settings import SearchSettings

    try:
        policy = load_policy()
    except WeightsError:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "random.npz"
            save_random_policy(path, width=528, blocks=3)
            policy = load_policy(path)
    artisan = NetworkPlayer(new_chance("bench"), policy)
    game = Game.new(players=2, seed="bench")
    while game.turn < 20 or len(game.legal_moves()) < 8:
        seen = game.view(game.seat)
        game.play(artisan.choose(seen, seen.moves))
    view = game.view(game.seat)
    settings = SearchSettings(simulations=500)
    searcher = SearchPlayer(new_chance("bench"), policy, settings)
    choose = best(lambda: [artisan.choose(view, view.moves) for _ in range(100)]) / 100
    rates = []
    for _ in range(ROUNDS):
        seconds = timed(lambda: searcher.choose(view, view.moves))
        rates.append(searcher.simulations / seconds)
    return {"artisan: ms a decision": choose * 1e3, "search: simulations/s": max(rates)}


def environment() -> dict[str, float]:
    """Decisions/s of many games in step and of a single one: random play, in the usual mix."""
    from coatl.env import Batch, training_mix

    def rate(games: int, steps: int) -> float:
        batch, actions = Batch(training_mix(games), 7), np.zeros(games, np.int16)
        batch.reset()

        def play() -> None:
            for _ in range(steps):
                batch.random_actions(actions)
                batch.step(actions)

        play()
        return games * steps / best(play)

    return {
        "env, 512 games: decisions/s": rate(512, 200),
        "env, 1 game: decisions/s": rate(1, 5000),
    }


def start_seconds() -> tuple[float, float]:
    """A new process until the kernel is ready: with an empty cache, then with a full one."""
    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | {"COATL_CACHE_DIR": folder}
        command = [sys.executable, "-c", START]
        cold = timed(lambda: subprocess.run(command, env=env, check=True))
        warm = best(lambda: subprocess.run(command, env=env, check=True))
    return cold, warm


def plain_python() -> float:
    """Games per second of the same kernel without compilation: the baseline."""
    env = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(
        [sys.executable, "-c", PLAIN], env=env, check=True, capture_output=True, text=True
    )
    return float(run.stdout)


def measure() -> dict[str, float]:
    results: dict[str, float] = {}
    for players in (2, 3, 4, 1):
        name = "solo" if players == 1 else f"{players} players"
        decisions, games = games_per_second(players, 10_000)
        results[f"{name}: decisions/s"] = decisions
        results[f"{name}: games/s"] = games
    for name, ns in nanoseconds().items():
        results[f"{name}: ns"] = ns
    for name, us in microseconds().items():
        results[f"{name}: µs"] = us
    results |= views()
    results |= thinking()
    results |= environment()
    results["two threads: times one"] = two_threads(10_000)
    results["compiled: times plain Python"] = results["2 players: games/s"] / plain_python()
    results["cold start: s"], results["warm start: s"] = start_seconds()
    return results


def show(results: dict[str, float]) -> None:
    for name, value in results.items():
        text = f"{value:,.0f}" if value >= 1000 else f"{value:.2f}"
        print(f"{name:32} {text:>14}")


def main() -> None:
    results = measure()
    show(results)
    save("bench", results)


if __name__ == "__main__":
    main()
