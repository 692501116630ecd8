"""`coatl simulate`: many games between bots, on one core or several, and how they went."""

from __future__ import annotations

import math
import secrets
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from coatl.cli.bar import games_bar
from coatl.cli.console import INTERRUPTED, USAGE_ERROR, Failure
from coatl.options import Options, check_seed
from coatl.parallel.processes import ProcessDied, exit_at_once, run_in_processes
from coatl.players.registry import load_compiled
from coatl.rules.cards import Deck, standard_deck
from coatl.simulate import GameResult, play_game, random_results
from coatl.text.drawing import make_console

QUICK_CHUNK, SLOW_CHUNK = 500, 5  # games at a time: all random, or with a bot in Python


class Spread(msgspec.Struct, frozen=True):
    """How a number varied over the games."""

    mean: float
    deviation: float
    least: int
    most: int


class SeatReport(msgspec.Struct, frozen=True):
    """One seat over all games; in solo the second one is A.D.A.M."""

    seat: int  # counted from 1
    player: str
    wins: int  # alone or shared
    win_rate: float
    points: Spread
    cards: Spread  # Prophecy and Temple cards on complete Cóatl; A.D.A.M.: fulfilled cards


class CardReport(msgspec.Struct, frozen=True):
    """How often a card lay on a complete Cóatl."""

    card: str
    fulfilled: int
    per_game: float


class SimulationReport(msgspec.Struct, frozen=True):
    """What `coatl simulate --json` prints."""

    games: int
    games_wanted: int
    interrupted: bool
    seed: str
    jobs: int
    players: int  # 1: solo
    options: tuple[str, ...]
    levels: tuple[int, ...]
    seconds: float
    games_per_s: float
    decisions_per_s: float
    decisions: int
    decisions_per_game: float
    turns: Spread
    ends: dict[str, int]  # third, bodies, passed
    shared_wins: int
    seats: tuple[SeatReport, ...]
    prophecies: tuple[CardReport, ...]
    temples: tuple[CardReport, ...]


@dataclass(frozen=True)
class SimulationTask:
    """Which games to play; travels to other processes, so the deck goes as its file."""

    options: Options
    bots: tuple[str, ...]
    seed: str
    deck_file: str | None

    @property
    def chunk(self) -> int:
        return QUICK_CHUNK if self.all_random else SLOW_CHUNK

    @property
    def all_random(self) -> bool:
        return set(self.bots) == {"random"}

    def deck(self) -> Deck:
        from coatl.rules.deckfile import load_deck

        return standard_deck() if self.deck_file is None else load_deck(self.deck_file)


def play_chunk(task: SimulationTask, first: int, games: int) -> tuple[int, list[GameResult]]:
    """Some games, and the number of the first. They are the same in whichever process they run."""
    deck = task.deck()
    if task.all_random:
        return first, random_results(task.options, task.seed, games, first, deck)
    results = []
    for game in range(first, first + games):
        try:
            results.append(play_game(task.options, task.bots, task.seed, game, deck))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a stranger's bot can raise anything, even SystemExit
            names = ", ".join(task.bots)
            raise Failure(f"game {game} of {names}: {type(error).__name__}: {error}") from None
    return first, results


def simulate(
    options: Options,
    bots: Sequence[str],
    games: int,
    seed: str | None,
    jobs: int,
    deck: Deck | None,
    as_json: bool,
) -> None:
    chosen = secrets.token_hex(8) if seed is None else check_seed(seed)
    if deck is not None:
        deck.check_enough_for(options.players, options.promo)
    names = name_seats(bots, options.players)
    load_compiled(names)
    task = SimulationTask(
        options, names, chosen, None if deck is None else str(Path(deck.source).resolve())
    )
    try:
        results, seconds = run(task, games, jobs)
    except Failure as failure:
        if jobs == 1:
            raise
        print(f"coatl: {' '.join(str(failure).split())}", file=sys.stderr)
        exit_at_once(USAGE_ERROR)
    interrupted = len(results) < games
    if interrupted and not results:
        print("coatl: interrupted before the first game was over", file=sys.stderr)
        exit_at_once(INTERRUPTED)
    report = make_report(task, results, games, jobs, seconds, deck or standard_deck())
    if as_json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n")
    else:
        show_report(make_console(), report)
    if interrupted:
        exit_at_once(INTERRUPTED)


def name_seats(bots: Sequence[str], players: int) -> tuple[str, ...]:
    """One bot a seat: one name stands for all, none for random."""
    names = tuple(bots) or ("random",)
    if len(names) == 1:
        names *= players
    if len(names) != players:
        seats = "1 seat" if players == 1 else f"{players} seats"
        raise Failure(f"{len(names)} bots for {seats}; name one bot a seat, or one for all")
    return names


# ---------------------------------------------------------------- playing


def run(task: SimulationTask, games: int, jobs: int) -> tuple[list[GameResult], float]:
    """All games in order, and the seconds they took; fewer games if Ctrl-C was pressed."""
    starts = range(0, games, task.chunk)
    chunks = ((task, first, min(task.chunk, games - first)) for first in starts)
    done: dict[int, list[GameResult]] = {}
    begin = time.perf_counter()
    try:
        with games_bar() as report_progress:
            report_progress(0, games)
            played = (
                run_in_processes(play_chunk, chunks, jobs)
                if jobs > 1
                else (play_chunk(*chunk) for chunk in chunks)
            )
            for first, results in played:
                done[first] = results
                report_progress(sum(map(len, done.values())), games)
    except KeyboardInterrupt:
        pass
    except ProcessDied as error:
        raise Failure(f"{error} while {', '.join(task.bots)} played") from None
    seconds = time.perf_counter() - begin
    return [result for first in sorted(done) for result in done[first]], seconds


# ---------------------------------------------------------------- reporting


def spread(numbers: Sequence[int]) -> Spread:
    mean = math.fsum(numbers) / len(numbers)
    variance = math.fsum((n - mean) ** 2 for n in numbers) / len(numbers)
    return Spread(round(mean, 3), round(math.sqrt(variance), 3), min(numbers), max(numbers))


def make_report(
    task: SimulationTask,
    results: list[GameResult],
    wanted: int,
    jobs: int,
    seconds: float,
    deck: Deck,
) -> SimulationReport:
    options, games = task.options, len(results)
    decisions = sum(result.decisions for result in results)
    return SimulationReport(
        games=games,
        games_wanted=wanted,
        interrupted=games < wanted,
        seed=task.seed,
        jobs=jobs,
        players=options.players,
        options=options.names,
        levels=options.solo or (),
        seconds=round(seconds, 3),
        games_per_s=round(games / seconds, 1),
        decisions_per_s=round(decisions / seconds, 1),
        decisions=decisions,
        decisions_per_game=round(decisions / games, 1),
        turns=spread([result.turns for result in results]),
        ends=dict(Counter(result.end for result in results).most_common()),
        shared_wins=sum(len(result.winners) > 1 for result in results),
        seats=tuple(_seat_reports(task, results)),
        prophecies=_card_reports([r.prophecies for r in results], deck.prophecy_names),
        temples=_card_reports([r.temples for r in results], deck.temple_names),
    )


def _seat_reports(task: SimulationTask, results: list[GameResult]) -> Iterator[SeatReport]:
    names = (*task.bots, "A.D.A.M.") if task.options.players == 1 else task.bots
    for seat, name in enumerate(names):
        wins = sum(seat in result.winners for result in results)
        yield SeatReport(
            seat=seat + 1,
            player=name,
            wins=wins,
            win_rate=round(wins / len(results), 4),
            points=spread([result.points[seat] for result in results]),
            cards=spread([result.cards[seat] for result in results]),
        )


def _card_reports(laid: Sequence[tuple[int, ...]], names: Sequence[str]) -> tuple[CardReport, ...]:
    counts = Counter(card for game in laid for card in game)
    return tuple(
        CardReport(names[card], n, round(n / len(laid), 4)) for card, n in counts.most_common()
    )


def show_report(console: Console, report: SimulationReport) -> None:
    broken_off = " (interrupted)" if report.interrupted else ""
    console.print(
        f"{report.games:,} game{'' if report.games == 1 else 's'}{broken_off}, seed {report.seed}: "
        f"{report.seconds:.2f} s, {report.games_per_s:,.0f} games/s, "
        f"{report.decisions_per_s:,.0f} decisions/s",
        style="bold",
    )
    turns = report.turns
    console.print(
        f"A game has {report.decisions_per_game:.0f} decisions in {turns.mean:.1f} turns "
        f"({turns.least} to {turns.most})."
    )
    endings = {"third": "by a third Cóatl", "bodies": "without bodies", "passed": "all passed"}
    ends = [f"{endings[end]} {n / report.games:.1%}" for end, n in report.ends.items()]
    console.print(f"They ended: {', '.join(ends)}; {report.shared_wins} wins were shared.\n")
    console.print(_seats_table(report))
    for title, cards in (("Prophecy", report.prophecies), ("Temple", report.temples)):
        if cards:
            most = ", ".join(f"{card.card} {card.per_game:.2f}" for card in cards[:6])
            console.print(f"\n{title} cards fulfilled most, a game: {most}")


def _seats_table(report: SimulationReport) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("seat")
    table.add_column("player", overflow="fold")
    for heading in ("wins", "share", "points", "±", "least", "most", "cards"):
        table.add_column(heading, justify="right")
    for seat in report.seats:
        points = seat.points
        table.add_row(
            *(str(seat.seat), seat.player, f"{seat.wins:,}", f"{seat.win_rate:.1%}"),
            *(f"{points.mean:.1f}", f"{points.deviation:.1f}", str(points.least)),
            *(str(points.most), f"{seat.cards.mean:.1f}"),
        )
    return table
