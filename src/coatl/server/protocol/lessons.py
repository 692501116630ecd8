"""Bodies and answers of the requests about lessons."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from coatl.lessons.lesson import LessonStepKind, LessonTargetKind
from coatl.server.protocol.fields import ClientMessage, MoveText, ServerMessage, Version
from coatl.server.protocol.state import TableState
from coatl.server.protocol.tables import MoveReason

MOST_ITEMS = 200


class LessonInfo(ServerMessage, frozen=True):
    """A lesson, for a list of them."""

    name: str  # as in a request
    title: str  # what it is called
    sentence: str  # what it is about
    steps: int  # how many it has
    minutes: int  # that it takes


class LessonList(ServerMessage, frozen=True):
    """All lessons in one language."""

    lessons: tuple[LessonInfo, ...]  # in their order


class LessonRequest(ClientMessage, frozen=True):
    """What the learner has done so far. Nothing of it is kept by the server."""

    # moves in the notation, and `next` for each step that was only to be read
    path: Annotated[tuple[MoveText, ...], Meta(max_length=MOST_ITEMS)] = ()
    events: Version = 0  # how many you have; the state brings those after them
    why: MoveText | None = None  # a move to be explained
    # the number of a step to begin at by the lesson's own moves; needs an empty path
    at: Annotated[int, Meta(ge=0, le=100)] | None = None


class LessonTarget(ServerMessage, frozen=True):
    """Something on the table that a step points at."""

    kind: LessonTargetKind  # what it is
    name: str = ""  # which one: a space, a card, a piece, a number; empty where there is one only


class LessonStep(ServerMessage, frozen=True):
    """The step of a lesson that the learner is at; the last one when the lesson is over."""

    name: str  # the same in every language
    kind: LessonStepKind  # to do something, only to read it, or free turns
    title: str  # a few words
    text: str  # what to do, and why
    action: str  # the same in a few words
    targets: tuple[LessonTarget, ...] = ()  # what to touch or to look at
    reasons: tuple[LessonTarget, ...] = ()  # what else to look at, to see why
    show: tuple[str, ...] = ()  # the moves that do the rest of it; empty if there are none to show
    clause: str = ""  # where the rules say more


class LessonState(ServerMessage, frozen=True, tag="lesson", tag_field="type"):
    """Where the learner is in a lesson."""

    name: str  # of the lesson
    title: str  # what it is called
    count: int  # how many steps it has
    number: int  # of this step, counted from 0; the same as `count` when the lesson is over
    path: tuple[str, ...]  # the one to keep: the request's, or that to the step asked for with `at`
    starts: tuple[int, ...]  # for each step reached, how long the path was there
    step: LessonStep  # this one
    state: TableState  # the table as the learner's seat sees it
    astray: str = ""  # after a wrong turn: why the lesson goes another way
    right_until: int | None = None  # then: how long the path was before that turn
    said: str = ""  # about what the last item of the path achieved
    reason: MoveReason | None = None  # the answer to `why`
