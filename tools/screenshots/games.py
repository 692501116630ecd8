"""Finished games as a browser keeps them (web/src/lib/mygames.ts), to be shown in pictures."""

from __future__ import annotations

import json
from typing import Any

from tests.browser.table import TablePage
from tools.screenshots.settings import LONG, OTHER, UNBROKEN

Json = dict[str, Any]
FIRST_DAY = 1_730_000_000_000  # in October 2024: long ago, so that days are told as dates
DAY = 86_400_000
BEST: Json = {
    "pieces": "<GGGRBGRBRBG>",
    "points": 21,
    "cards": [
        {"card": "{G}", "times": 5, "points": 4},
        {"card": "RB", "times": 3, "points": 5},
        {"card": "GB", "times": 1, "points": 3},
        {"card": "{B}", "times": 3, "points": 2},
    ],
    "temple": {"card": "R=Y/12", "met": [True, True], "points": 7},
}
LONGEST: Json = {**BEST, "pieces": "<GYYGRRBBKKYYGRRBBKKYYGRRB>", "points": 24}
# Who was met, by letters; a capital: the game was won.
MET = "nNnaNaNNAasNnAaAanNaASapaAa"
BOTS = {"n": "novice", "a": "apprentice", "s": "artisan", "p": "priest"}


def opponent(kind: str, rank: int, points: int, bot: str | None = None, name: str = "") -> Json:
    return {
        "kind": kind,
        "name": name,
        "bot": bot,
        "standIn": False,
        "points": points,
        "rank": rank,
    }


def game(number: int, won: bool, others: list[Json], **more: Any) -> Json:
    for place, other in enumerate(others):
        other["rank"] = place + 2 if won or place else 1
    return {
        "table": f"shown-{number:03}",
        "place": 0,
        "at": FIRST_DAY + number * DAY,
        "turns": 40 + number % 9,
        "points": 36 + number % 7 * 3 + (6 if won else 0),
        "rank": 1 if won else 2,
        "players": len(others) + 1,
        "options": ["tokens"],
        "levels": [],
        "others": others,
        "best": None,
        "helped": False,
        **more,
    }


def against_bots(first: int, letters: str) -> list[Json]:
    return [
        game(first + at, letter.isupper(), [opponent("bot", 1, 38 + at % 11, BOTS[letter.lower()])])
        for at, letter in enumerate(letters)
    ]


def against_adam(first: int, results: str) -> list[Json]:
    options: Json = {"players": 1, "options": []}
    return [
        game(
            first + at,
            result == "W",
            [opponent("adam", 1, 33)],
            levels=[[], [1], [1, 2]][at % 3],
            **options,
        )
        for at, result in enumerate(results)
    ]


def with_people(first: int, results: str, *names: str) -> list[Json]:
    return [
        game(
            first + at,
            result == "W",
            [opponent("person", 1, 41 - n, None, name) for n, name in enumerate(names)],
        )
        for at, result in enumerate(results)
    ]


FEW = [*against_bots(0, MET), *against_adam(40, "WLWWLW"), *with_people(50, "WLL", "Marta", "Teo")]
FEW[9]["best"] = BEST
MANY = [
    *against_bots(0, MET * 9),
    *against_adam(300, "WWLLW" * 6),
    *with_people(350, "WLL" * 8, LONG, UNBROKEN, OTHER),
]
MANY[9]["best"] = LONGEST
FIRST = against_bots(0, "N")


def remember(games: list[Json], window: TablePage) -> None:
    kept = json.dumps({"version": 1, "games": games, "deleted": []})
    window.page.evaluate("(kept) => localStorage.setItem('coatl.games', kept)", kept)


def keep(games: list[Json], window: TablePage) -> None:
    """The same screen in a browser that remembers these."""
    remember(games, window)
    window.page.reload()


def show(games: list[Json], window: TablePage) -> None:
    """My games in a browser that remembers these."""
    remember(games, window)
    window.page.evaluate("() => { location.hash = '#/games'; }")
    window.page.locator(f"[data-games='{len(games)}']").wait_for()
    window.page.wait_for_load_state("networkidle")
