"""A lesson as a practice table, so that whatever shows tables can show it."""

from __future__ import annotations

from coatl.lessons.run import NONCE, SECRET, LessonRun
from coatl.lessons.words import load_common_words
from coatl.rulebook.languages import Language
from coatl.table import Opened, PlaceKind, PlaceSpec, Practice, Table
from coatl.table.entries import Decided, Joined

LEARNER = 0  # the place


def table_of(run: LessonRun, language: Language) -> Table:
    """The table at which the same game has been played as in the lesson so far."""
    lesson = run.lesson
    places = [PlaceSpec(PlaceKind.PERSON)]
    if run.game.options.players > 1:
        coach = load_common_words(language).coach
        places.append(PlaceSpec(PlaceKind.BOT, coach, lesson.opponent))
    opened = Opened(tuple(places), "", practice=Practice(lesson.position, lesson.draws))
    decided = [Decided(entry.seat, entry.text) for entry in run.game.log]
    return Table.rebuild([opened, Joined(LEARNER, "Player 1", NONCE), *decided], SECRET)
