"""The requests about lessons: what there is, and where a path leads."""

from __future__ import annotations

from collections.abc import Iterable

from coatl import lessons
from coatl.errors import IllegalMove, NotationError
from coatl.lessons import LessonRun, Target
from coatl.rulebook.languages import Language
from coatl.server import protocol
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.rest.languages import language_of
from coatl.server.rest.operation import BODY_ERRORS, Call, Operation
from coatl.server.table_state import place_infos, table_state
from coatl.table.errors import Code, TableError
from coatl.table.table import Table

ID = "lesson"  # stands where a table has its id


async def list_lessons(call: Call) -> protocol.LessonList:
    return lessons_in(language_of(call))


async def learn(call: Call) -> protocol.LessonState:
    language, name = language_of(call), call.request.path_params["name"]
    return await call.work(lambda _: follow(name, language, call.body))


def lessons_in(language: Language) -> protocol.LessonList:
    found = []
    for name in lessons.LESSONS:
        lesson, words = lessons.load_lesson(name), lessons.load_words(name, language)
        steps, minutes = len(lesson.steps), lesson.minutes
        found.append(protocol.LessonInfo(name, words.title, words.sentence, steps, minutes))
    return protocol.LessonList(tuple(found))


def follow(name: str, language: Language, asked: protocol.LessonRequest) -> protocol.LessonState:
    try:
        if asked.at is not None and asked.path:
            raise RequestError(ServerCode.BAD_MESSAGE, "`at` needs an empty path")
        path = asked.path if asked.at is None else lessons.path_to(name, asked.at)
        run = lessons.follow(name, path)
    except lessons.UnknownLesson as error:
        raise RequestError(ServerCode.NOT_FOUND, str(error)) from None
    except lessons.BadPath as error:
        raise RequestError(ServerCode.BAD_PATH, str(error)) from None
    except NotationError as error:
        raise TableError(Code.UNREADABLE, str(error)) from None
    except IllegalMove as error:
        raise TableError(Code.ILLEGAL, error.reason, error.clause, error.cause) from None
    return _state(run, language, asked)


def _state(
    run: LessonRun, language: Language, asked: protocol.LessonRequest
) -> protocol.LessonState:
    speech = lessons.speak(run, language)
    table = lessons.table_of(run, language)
    places = place_infos(table, lambda place: place == lessons.LEARNER)
    base = min(asked.events, run.game.event_count)
    return protocol.LessonState(
        name=run.lesson.name,
        title=lessons.load_words(run.lesson.name, language).title,
        count=len(run.lesson.steps),
        number=run.number,
        path=run.path,
        starts=run.path_starts,
        step=_step(run, speech),
        state=table_state(ID, table, lessons.LEARNER, base, places),
        astray=speech.astray,
        right_until=run.right_until if run.astray else None,
        said=speech.said,
        reason=None if asked.why is None else _reason(table, asked.why),
    )


def _step(run: LessonRun, speech: lessons.Speech) -> protocol.LessonStep:
    show = lessons.moves_to_show(run)
    return protocol.LessonStep(
        name=run.step.name,
        kind=run.step.kind,
        title=speech.title,
        text=speech.text,
        action=speech.action,
        targets=_targets(lessons.targets_of(run, show)),
        reasons=_targets(lessons.reasons_of(run)),
        show=show,
        clause=run.step.clause,
    )


def _targets(targets: Iterable[Target]) -> tuple[protocol.LessonTarget, ...]:
    return tuple(protocol.LessonTarget(target.kind, target.name) for target in targets)


def _reason(table: Table, move: str) -> protocol.MoveReason:
    reason = table.why(lessons.LEARNER, move)
    return protocol.MoveReason(
        move, reason.clause or None, reason.cause or None, reason.text or None
    )


OPERATIONS = (
    Operation(
        "GET",
        "/api/lessons/{language}",
        "list_lessons",
        "The lessons in order, in `en`, `fr` or `de`; to be kept, and asked for by their `ETag`.",
        list_lessons,
        protocol.LessonList,
        errors=(ServerCode.NOT_FOUND,),
        compresses=True,
        keeps=True,
    ),
    Operation(
        "POST",
        "/api/lessons/{language}/{name}",
        "learn",
        "Where the learner is in a lesson after what they did.",
        learn,
        protocol.LessonState,
        body=protocol.LessonRequest,
        errors=(
            *BODY_ERRORS,
            *(ServerCode.NOT_FOUND, ServerCode.BAD_PATH),
            *(Code.ILLEGAL, Code.UNREADABLE, Code.NOT_YOUR_TURN, Code.OVER),
        ),
        compresses=True,
    ),
)
