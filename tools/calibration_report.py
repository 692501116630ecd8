"""What the games of `tools.calibration` say, as the tables in docs/analysis.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from coatl.analysis.calibration import LEAST, WEIGHTS, normalised, shown_chances
from coatl.analysis.depth import DEPTHS
from coatl.players.bots import BOTS

PAGE = Path(__file__).parent.parent / "docs" / "analysis.md"
MARKED = re.compile(r"(?<=<!-- calibration -->\n).*?(?=<!-- end -->)", re.DOTALL)
TENTHS = 10
SLOPES = np.arange(0.4, 2.01, 0.05)
OFFSETS = np.arange(-4.0, 2.01, 0.05)
MARGIN = DEPTHS["quick"].margin
WRITTEN_BY_HAND = ("greedy", "planner")  # bots that do not ask the network

Numbers = npt.NDArray[np.float64]


class Position(msgspec.Struct, frozen=True):
    """What the network said of each seat at some moment of a game."""

    turn: int
    turns: int  # of the game
    means: tuple[float, ...]


class Judgement(msgspec.Struct, frozen=True):
    """A turn judged with several seeds: the chance at its beginning and what was lost.

    That is without a margin; in points, too.
    """

    seat: int
    turn: int
    turns: int  # of this seat in the game, setup included
    action: str
    chances: tuple[float, ...]
    losses: tuple[float, ...]
    points_lost: tuple[float, ...]


class JudgedGame(msgspec.Struct, frozen=True):
    """A game of two players, some turns of which were judged."""

    number: int
    bots: tuple[str, ...]
    shares: tuple[float, ...]
    points: tuple[int, ...]
    judgements: tuple[Judgement, ...]

    def points_lost(self, seat: int) -> float | None:
        """What a seat lost in all its turns, going by those that were judged; None: none were."""
        mine = [one for one in self.judgements if one.seat == seat]
        if not mine:
            return None
        return mine[0].turns * float(np.mean([one.points_lost for one in mine]))


class PlayedGame(msgspec.Struct, frozen=True):
    """One game and the chances in it."""

    number: int
    bots: tuple[str, ...]
    shares: tuple[float, ...]
    positions: tuple[Position, ...]

    @property
    def players(self) -> int:
        return len(self.bots)

    @property
    def among_equals(self) -> bool:
        return len(set(self.bots)) == 1 and self.players > 1


# ---------------------------------------------------------------- chances


class Pairs:
    """Chances that were shown, and the shares of the win that came of them."""

    def __init__(self, games: Iterable[PlayedGame], slope: float = 1.0) -> None:
        chances: list[float] = []
        shares: list[float] = []
        for game in games:
            for position in game.positions:
                shown = shown_chances(position.means, WEIGHTS)
                steeper = normalised([_steeper(chance, slope) for chance in shown])
                chances += steeper[: game.players]
                shares += game.shares[: game.players]
        self.chances, self.shares = np.array(chances), np.array(shares)

    @property
    def brier(self) -> float:
        return float(np.mean((self.chances - self.shares) ** 2))


def _steeper(chance: float, slope: float) -> float:
    """A logistic correction: `slope` times as far from one half, in log odds."""
    odds = max(chance, 1e-6) / max(1 - chance, 1e-6)
    return float(odds**slope / (1 + odds**slope))


def _fit(games: Sequence[PlayedGame]) -> float:
    return float(min(SLOPES, key=lambda slope: Pairs(games, float(slope)).brier))


def _even_chances(games: Sequence[PlayedGame]) -> float:
    """The score of saying the same of everybody: 1/n, in solo the share that was won."""
    shares = Pairs(games).shares
    guess = float(shares.mean())
    return float(np.mean((guess - shares) ** 2))


def fit_solo(games: Sequence[PlayedGame]) -> tuple[float, float]:
    """Slope and offset for `coatl.analysis.calibration`, from the even games."""
    even = [game for game in games if game.players == 1 and game.number % 2 == 0]
    means = np.array([position.means[0] for game in even for position in game.positions])
    shares = np.array([game.shares[0] for game in even for _ in game.positions])
    inside = np.clip(means, LEAST, 1 - LEAST)
    odds = np.log(inside / (1 - inside))

    def brier(line: tuple[float, float]) -> float:
        chances = 1 / (1 + np.exp(-(line[0] * odds + line[1])))
        return float(np.mean((chances - shares) ** 2))

    lines = [(float(slope), float(offset)) for slope in SLOPES for offset in OFFSETS]
    return min(lines, key=brier)


def _solo_correction(games: Sequence[PlayedGame]) -> str:
    """What the correction in solo does to games that it was not fitted to."""
    odd = [game for game in games if game.players == 1 and game.number % 2]
    means = np.array([position.means[0] for game in odd for position in game.positions])
    shares = np.array([game.shares[0] for game in odd for _ in game.positions])
    without = float(np.mean((means - shares) ** 2))
    return f"In solo the odd games have {without:.3f} without the correction."


def _reliability(games: Sequence[PlayedGame]) -> Iterator[str]:
    groups = [("2 players", 2), ("3 players", 3), ("4 players", 4), ("solo", 1)]
    yield "| chance shown | " + " | ".join(name for name, _ in groups) + " |"
    yield "| --- |" + " --- |" * len(groups)
    pairs = [Pairs(game for game in games if game.players == size) for _, size in groups]
    for tenth in range(TENTHS):
        cells = [_bin(pair, tenth) for pair in pairs]
        yield f"| {10 * tenth} to {10 * tenth + 10} % | " + " | ".join(cells) + " |"


def _bin(pairs: Pairs, tenth: int) -> str:
    """Mean chance and share of the win in a tenth, and how many there are."""
    inside = np.minimum((pairs.chances * TENTHS).astype(int), TENTHS - 1) == tenth
    if not inside.any():
        return ""
    shown, came = pairs.chances[inside].mean(), pairs.shares[inside].mean()
    return f"{_percent(shown)} → {_percent(came)} ({int(inside.sum()):,})"


def _scores(games: Sequence[PlayedGame]) -> Iterator[str]:
    """Brier scores; a slope is fitted on the even games and tried on the odd ones."""
    yield "| games | number | without a network | shown | odd games | with a slope | slope |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for name, some in _kinds(games):
        even = [game for game in some if game.number % 2 == 0]
        odd = [game for game in some if game.number % 2 == 1]
        if not even or not odd:
            continue
        slope = _fit(even)
        numbers = (_even_chances(some), Pairs(some).brier, Pairs(odd).brier)
        cells = [f"{number:.3f}" for number in (*numbers, Pairs(odd, slope).brier)]
        yield f"| {name} | {len(some):,} | {' | '.join(cells)} | {slope:.2f} |"


def _kinds(games: Sequence[PlayedGame]) -> Iterator[tuple[str, list[PlayedGame]]]:
    """Groups of games: by players, by bots, and solo by bot."""
    for size in (2, 3, 4):
        sized = [game for game in games if game.players == size]
        yield f"{size} players, the same bots", [game for game in sized if game.among_equals]
        yield f"{size} players, mixed", [game for game in sized if not game.among_equals]
    for bot in _rated():
        yield f"all `{bot}`", [game for game in games if game.among_equals and bot in game.bots]
    yield "solo", [game for game in games if game.players == 1]
    for bot in _rated():
        yield f"solo, `{bot}`", [game for game in games if game.bots == (bot,)]


def _rated() -> list[str]:
    """Our bots, the weakest first."""
    rated = [bot for bot in BOTS if bot.strength is not None]
    return [bot.name for bot in sorted(rated, key=lambda bot: bot.strength or 0)]


# ---------------------------------------------------------------- grades


class Turns:
    """Judged turns: of all bots, or of one."""

    def __init__(self, games: Iterable[JudgedGame], bot: str | None = None) -> None:
        found = [
            (game.number, judgement)
            for game in games
            for judgement in game.judgements
            if bot in (None, game.bots[judgement.seat])
        ]
        self.games = np.array([number for number, _ in found])
        # a row for each turn, with what each seed found
        self.losses = np.array([judgement.losses for _, judgement in found])
        self.points = np.array([judgement.points_lost for _, judgement in found])
        self.chances = np.array([np.mean(judgement.chances) for _, judgement in found])

    def __len__(self) -> int:
        return len(self.games)

    @property
    def counted(self) -> Numbers:
        """What was lost in each turn, with the margin; the mean of the seeds."""
        counted: Numbers = np.where(self.losses >= MARGIN, self.losses, 0.0).mean(axis=1)
        return counted

    @property
    def points_lost(self) -> Numbers:
        """In each turn; the mean of the seeds."""
        lost: Numbers = self.points.mean(axis=1)
        return lost

    @property
    def open(self) -> Numbers:
        """How open the game was at each turn: 1 where all could happen, 0 where it was decided."""
        openness: Numbers = 4 * self.chances * (1 - self.chances)
        return openness

    def interval(self, values: Numbers, weights: Numbers | None = None) -> tuple[float, float]:
        """A mean and half its 95 % interval; turns of one game are not independent."""
        weights = np.ones(len(values)) if weights is None else weights
        mean = float((values * weights).sum() / weights.sum())
        rest = (values - mean) * weights
        by_game = [rest[self.games == number].sum() for number in np.unique(self.games)]
        return mean, float(1.96 * np.sqrt(np.square(by_game).sum()) / weights.sum())


def _grades(games: Sequence[JudgedGame]) -> Iterator[str]:
    yield (
        "| bot | made of | rating | turns | points lost a turn | lost a turn | in open games "
        "| best or as good |"
    )
    yield "| --- |" + " --- |" * 7
    ratings = {bot.name: bot.strength for bot in BOTS}
    for bot in _rated():
        turns = Turns(games, bot)
        if len(turns):
            made_of = "rules" if bot in WRITTEN_BY_HAND else "the network"
            lost = [turns.interval(turns.counted, weights) for weights in (None, turns.open)]
            cells = [f"{_percent(mean, 1)} ± {_percent(half, 1)}" for mean, half in lost]
            points = _with_margin(turns.interval(turns.points_lost), 2)
            best = _percent((turns.losses < MARGIN).mean())
            yield (
                f"| `{bot}` | {made_of} | {ratings[bot]:,} | {len(turns):,} | {points} "
                f"| {cells[0]} | {cells[1]} | {best} |"
            )


def _leads(games: Sequence[JudgedGame]) -> Iterator[str]:
    """By how much more a bot lost than the others that it met, and how far behind it ended."""
    yield "| bot | games | lost more than the other by | ended behind by |"
    yield "| --- | --- | --- | --- |"
    for bot in _rated():
        met = [game for game in games if bot in game.bots and len(set(game.bots)) > 1]
        more, behind = _lost_more(met, bot), _behind(met, bot)
        if len(more):
            cells = [_with_margin(_mean(values), 1) for values in (more, behind)]
            yield f"| `{bot}` | {len(more):,} | {cells[0]} | {cells[1]} |"


def _lost_more(games: Iterable[JudgedGame], bot: str) -> Numbers:
    """Of each game, what a bot lost in all its turns less what the other one lost, in points."""
    found = []
    for game in games:
        mine = game.bots.index(bot)
        lost = [game.points_lost(seat) for seat in (mine, 1 - mine)]
        if lost[0] is not None and lost[1] is not None:
            found.append(lost[0] - lost[1])
    return np.array(found)


def _behind(games: Iterable[JudgedGame], bot: str) -> Numbers:
    """By how many points a bot ended behind, in each game."""
    ends = [(game.bots.index(bot), game.points) for game in games]
    return np.array([points[1 - mine] - points[mine] for mine, points in ends])


def _mean(values: Numbers) -> tuple[float, float]:
    """A mean and half its 95 % interval."""
    return float(values.mean()), float(1.96 * values.std() / len(values) ** 0.5)


def _with_margin(found: tuple[float, float], digits: int) -> str:
    mean, half = found
    return f"{mean:z.{digits}f} ± {half:.{digits}f}".replace("-", "−")


def _noise(games: Sequence[JudgedGame]) -> str:
    turns = Turns(games)
    losses, points = turns.losses, turns.points
    difference = losses[:, 0] - losses[:, 1]
    spread, points_spread = (np.std(each[:, 0] - each[:, 1]) / 2**0.5 for each in (losses, points))
    agree = ((losses[:, 0] < MARGIN) == (losses[:, 1] < MARGIN)).mean()
    return (
        f"{len(losses):,} turns were judged with two seeds each. One judgement of a loss has a "
        f"standard deviation of {_percent(spread, 1)}, one of points lost of "
        f"{points_spread:.1f}; the largest tenth of the differences of losses begins at "
        f"{_percent(np.percentile(abs(difference), 90), 1)}. With the margin of "
        f"{_percent(MARGIN)} the two agree in {_percent(agree)} of the turns on whether something "
        "better was missed."
    )


def _percent(share: float, digits: int = 0) -> str:
    return f"{100 * share:.{digits}f} %"


# ---------------------------------------------------------------- the page


def tables(games: Sequence[PlayedGame], judged: Sequence[JudgedGame]) -> str:
    """All that stands between the markers."""
    positions = sum(len(game.positions) for game in games)
    parts = [
        f"{len(games):,} games of the bots, {positions:,} positions, depth `quick`.",
        "",
        "Reliability: chances that were shown, their mean and how much of the win came of them "
        "(and how many there are). Each position counts once for each seat.",
        "",
        *_reliability(games),
        "",
        "Brier scores (the mean of the squared difference; smaller is better), beside those of "
        "saying the same of everybody. A slope, by which log odds are multiplied, was fitted on "
        "the even games and tried on the odd ones. " + _solo_correction(games),
        "",
        *_scores(games),
        "",
        f"Grades of the bots in {len(judged):,} other games of two players, in which each met each "
        "equally often, with half a 95 % interval. In the column for open games a turn counts the "
        "less, the more the game was decided (by the chance times what is left to 1).",
        "",
        *_grades(judged),
        "",
        "In games of two different bots, in points a game: what a bot lost more than the other, "
        "going by the turns that were judged, should be what it ended behind by.",
        "",
        *_leads(judged),
        "",
        _noise(judged),
    ]
    return "\n".join(parts) + "\n"


def write_tables(
    games: Sequence[PlayedGame], judged: Sequence[JudgedGame], page: Path = PAGE
) -> None:
    """Put the tables between the markers of a page."""
    text = page.read_text("utf-8")
    if not MARKED.search(text):
        raise ValueError(f"{page} has no place for the tables")
    page.write_text(MARKED.sub(lambda _: tables(games, judged), text), "utf-8")
