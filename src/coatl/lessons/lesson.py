"""What a lesson is made of: its position, its steps, and what they point at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from coatl.lessons.conditions import Condition
from coatl.lessons.facts import Fact

NEXT = "next"  # in a path: the learner has read a step


class LessonStepKind(StrEnum):
    """What a step wants. The values stand in files and messages."""

    DO = "do"  # certain moves; others are wrong turns
    READ = "read"  # nothing but to go on
    FREE = "free"  # any moves, against a bot, until it is done


class LessonTargetKind(StrEnum):
    """What a step can point at. The values stand in files and messages."""

    SPACE = "space"  # of the supply, such as b3
    ROW = "row"  # a face-up Prophecy card, by name
    DECK = "deck"
    HAND = "hand"  # a Prophecy card in the learner's hand, by name
    PILE = "pile"  # of Temple cards: left or right
    TEMPLE = "temple"  # a Temple card in the learner's hand, by name
    LANE = "lane"  # a place for a Cóatl of the learner: 1, 2 or 3
    BOARD = "board"  # the learner's board
    PIECE = "piece"  # on the learner's board, as in the notation
    TOKEN = "token"  # pick, future or priest
    BUTTON = "button"  # done
    ADAM = "adam"  # his row
    OPPONENT = "opponent"
    SCORE = "score"
    BAGS = "bags"


@dataclass(frozen=True)
class Target:
    """Something on the table that a step points at."""

    kind: LessonTargetKind
    name: str = ""  # which one; empty where there is only one


Targets = tuple[Target, ...]
Conditions = tuple[Condition, ...]


@dataclass(frozen=True)
class Wrong:
    """Moves that get a sentence of their own when they lead astray."""

    name: str  # of the sentence
    moves: tuple[str, ...]  # `*` stands for anything


@dataclass(frozen=True)
class Hint:
    """Other words and targets for a step while some conditions hold."""

    name: str  # of the words
    when: Conditions
    targets: Targets = ()
    reasons: Targets = ()


@dataclass(frozen=True)
class Step:
    """One step of a lesson."""

    name: str
    kind: LessonStepKind
    clause: str = ""  # where the rules say more
    targets: Targets = ()  # none in a step to do: what the next move to show needs
    reasons: Targets = ()  # why: what else to look at
    show: tuple[str, ...] = ()  # the moves that do it
    done: Conditions = ()  # when it is done
    way: tuple[str, ...] = ()  # moves that lead there; `*` stands for anything
    keep: Conditions = ()  # what has to hold as well after a move on the way
    wrong: tuple[Wrong, ...] = ()
    then: tuple[str, ...] = ()  # the opponent's moves after it
    hints: tuple[Hint, ...] = ()  # the first whose conditions hold counts
    facts: Mapping[str, Fact] = field(default_factory=dict)  # numbers in the words, by name


@dataclass(frozen=True)
class Lesson:
    """A lesson, without its words."""

    name: str
    minutes: int  # that it takes
    position: str  # in the notation; the learner has the first seat
    draws: tuple[str, ...]  # what is drawn first
    opponent: str  # the bot that plays for the opponent where no moves are given
    leaves: tuple[str, ...]  # moves that the opponent leaves to the learner
    steps: tuple[Step, ...]
