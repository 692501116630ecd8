"""Our bots, in one table: what makes them, what they are called, and how strong they are.

The strengths are ratings of `coatl arena` (greedy has 1000); docs/strength.md has the tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class BotKind(StrEnum):
    """What a bot is for."""

    LADDER = "ladder"  # opponents for people, from the easiest to the hardest
    YARDSTICK = "yardstick"  # to measure others by


LADDER, YARDSTICK = BotKind.LADDER, BotKind.YARDSTICK
LANGUAGES = ("en", "fr", "de")
FALLBACK_BOT = "planner"  # plays for those whose weights are missing or cannot be used


@dataclass(frozen=True)
class Bot:
    """One bot. Titles and sentences are by language."""

    name: str
    path: str  # module:Class, or module:name of something that makes the player
    kind: BotKind
    strength: int | None  # None: not measured yet
    title: dict[str, str]
    text: dict[str, str]
    packages: tuple[str, ...] = ()  # compiled ones that it calls besides the rules, in their order

    @property
    def needs_weights(self) -> bool:
        """Does it ask the network, whose weights are in a file?"""
        return set(NETWORK) <= set(self.packages)


NETWORK = ("coatl.encode", "coatl.net")
SEARCH = (*NETWORK, "coatl.search")
HEURISTICS = ("coatl.heuristics",)


def _in(en: str, fr: str, de: str) -> dict[str, str]:
    return {"en": en, "fr": fr, "de": de}


BOTS = (
    Bot(
        "novice",
        "coatl.players.ladder:novice",
        LADDER,
        860,
        _in("Novice", "Novice", "Novizin"),
        _in(
            "Still learning: overlooks cards, hoards pieces and closes too early.",
            "Débute : ne voit pas toutes les cartes, amasse et ferme trop tôt.",
            "Lernt noch: übersieht Karten, hortet und schließt zu früh.",
        ),
        NETWORK,
    ),
    Bot(
        "apprentice",
        "coatl.players.ladder:apprentice",
        LADDER,
        1300,
        _in("Apprentice", "Apprentie", "Schülerin"),
        _in(
            "Knows the craft, counts no cards and slips now and then.",
            "Connaît le métier, ne compte pas les cartes et se trompe parfois.",
            "Kennt das Handwerk, zählt keine Karten und irrt sich ab und zu.",
        ),
        NETWORK,
    ),
    Bot(
        "artisan",
        "coatl.players.ladder:artisan",
        LADDER,
        1770,
        _in("Artisan", "Artisane", "Kunsthandwerkerin"),
        _in(
            "Taught by millions of games; answers at once.",
            "Formée par des millions de parties ; répond aussitôt.",
            "Hat aus Millionen Partien gelernt; antwortet sofort.",
        ),
        NETWORK,
    ),
    Bot(
        "priest",
        "coatl.players.ladder:priest",
        LADDER,
        1860,
        _in("Priest", "Prêtresse", "Priesterin"),
        _in(
            "Like the artisan, but thinks ahead before every turn.",
            "Comme l’artisane, mais réfléchit avant chaque tour.",
            "Wie die Kunsthandwerkerin, denkt aber vor jedem Zug voraus.",
        ),
        SEARCH,
    ),
    Bot(
        "high-priest",
        "coatl.players.ladder:high_priest",
        LADDER,
        1940,
        _in("High priest", "Grande prêtresse", "Hohepriesterin"),
        _in(
            "Plays best: looks ahead as far as its next turn.",
            "Joue le mieux : prévoit jusqu’à son prochain tour.",
            "Spielt am besten: denkt bis zu ihrem nächsten Zug voraus.",
        ),
        SEARCH,
    ),
    Bot(
        "planner",
        "coatl.players.planner:PlannerPlayer",
        LADDER,
        1290,
        _in("Planner", "Planificatrice", "Planerin"),
        _in(
            "Plans two turns ahead by hand-written rules.",
            "Prévoit deux tours à l’avance, selon des règles écrites à la main.",
            "Plant nach handgeschriebenen Regeln zwei Züge voraus.",
        ),
        HEURISTICS,
    ),
    Bot(
        "greedy",
        "coatl.players.greedy:GreedyPlayer",
        LADDER,
        1000,
        _in("Greedy", "Gourmande", "Gierige"),
        _in(
            "Takes what looks best at the moment.",
            "Prend ce qui semble le mieux sur le moment.",
            "Nimmt, was im Augenblick am besten aussieht.",
        ),
    ),
    Bot(
        "random",
        "coatl.players.random:RandomPlayer",
        YARDSTICK,
        340,
        _in("Random", "Hasard", "Zufall"),
        _in(
            "Plays any legal move.",
            "Joue n’importe quel coup permis.",
            "Spielt irgendeinen erlaubten Zug.",
        ),
    ),
    Bot(
        "montecarlo",
        "coatl.players.montecarlo:MonteCarloPlayer",
        YARDSTICK,
        870,
        _in("Monte Carlo", "Monte-Carlo", "Monte Carlo"),
        _in(
            "Plays 200 random games before every move.",
            "Joue 200 parties au hasard avant chaque coup.",
            "Spielt vor jedem Zug 200 Partien zufällig zu Ende.",
        ),
        HEURISTICS,
    ),
)
