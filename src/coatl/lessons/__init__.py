"""Lessons: games from prepared positions, step by step, with words in English, French and German.

A lesson is data (docs/lessons.md). It is a pure function of a path: what the learner did so far.

>>> from coatl import lessons
>>> run = lessons.follow("first", [lessons.NEXT, "take b2"])
>>> run.step.name, run.path_starts
('card', (0, 1, 2))
>>> lessons.speak(run, "en").title
'Read a card'
"""

from coatl.lessons.lesson import NEXT, Lesson, LessonStepKind, LessonTargetKind, Step, Target
from coatl.lessons.paths import follow, path_to
from coatl.lessons.reading import LESSONS, UnknownLesson, load_lesson
from coatl.lessons.run import BadPath, LessonRun
from coatl.lessons.showing import moves_to_show
from coatl.lessons.speaking import Speech, speak
from coatl.lessons.tables import LEARNER, table_of
from coatl.lessons.targets import reasons_of, targets_of
from coatl.lessons.words import LessonWords, load_common_words, load_words

__all__ = [
    "LEARNER",
    "LESSONS",
    "NEXT",
    "BadPath",
    "Lesson",
    "LessonRun",
    "LessonStepKind",
    "LessonTargetKind",
    "LessonWords",
    "Speech",
    "Step",
    "Target",
    "UnknownLesson",
    "follow",
    "load_common_words",
    "load_lesson",
    "load_words",
    "moves_to_show",
    "path_to",
    "reasons_of",
    "speak",
    "table_of",
    "targets_of",
]
