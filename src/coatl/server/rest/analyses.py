"""The requests about analyses: of a table's game, or of a file."""

from __future__ import annotations

import asyncio

from coatl.analysis import AnalysisError
from coatl.analysis.course import read_course
from coatl.errors import RecordError
from coatl.net.weights import WeightsError, load_policy
from coatl.rules.cards import DeckError
from coatl.server import protocol
from coatl.server.analyses import Asker, file_id
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.rest.languages import language_of
from coatl.server.rest.operation import BODY_ERRORS, Call, Operation
from coatl.server.store import hash_token
from coatl.table.errors import Code


async def begin(call: Call) -> protocol.AnalysisState:
    asker, record = await _enter(call)
    return await _ask(call, call.table, record, asker)


async def read(call: Call) -> protocol.AnalysisState:
    asker, _ = await _enter(call)
    return await call.manager.analyses.state(call.table, asker)


async def cancel(call: Call) -> protocol.AnalysisState:
    asker, _ = await _enter(call)
    return await call.manager.analyses.cancel(call.table, asker)


async def draw(call: Call) -> protocol.AnalysisPicture:
    asker, _ = await _enter(call)
    return await _draw(call, call.table, asker)


async def begin_file(call: Call) -> protocol.AnalysisState:
    record = call.body.record
    await _check_record(call, record)
    return await _ask(call, file_id(record), record, Asker(call.address))


async def read_file(call: Call) -> protocol.AnalysisState:
    return await call.manager.analyses.state(_file(call), Asker(call.address))


async def cancel_file(call: Call) -> protocol.AnalysisState:
    return await call.manager.analyses.cancel(_file(call), Asker(call.address))


async def draw_file(call: Call) -> protocol.AnalysisPicture:
    return await _draw(call, _file(call), Asker(call.address))


async def _enter(call: Call) -> tuple[Asker, str]:
    """Whoever may have the record may have the analysis; raises if the game is not over."""
    room, _ = await call.enter_to_read()
    async with room.lock:
        record = room.table.record()
    return Asker(call.address, call.table, hash_token(call.token)), record


def _file(call: Call) -> str:
    """The id of an analysis that belongs to no table."""
    id = str(call.request.path_params["analysis"])
    if not id.startswith("file-"):
        raise RequestError(ServerCode.NOT_FOUND, "there is no such analysis")
    return id


async def _check_record(call: Call, record: str) -> None:
    """Refuse at once what cannot be analysed."""
    try:
        await call.work(lambda _: read_course(record))
    except RecordError as error:
        raise RequestError(ServerCode.BAD_RECORD, str(error), error.line) from None
    except DeckError as error:
        raise RequestError(ServerCode.BAD_RECORD, str(error)) from None
    except AnalysisError as error:
        raise RequestError(ServerCode.NOT_ANALYSABLE, str(error)) from None


async def _ask(call: Call, id: str, record: str, asker: Asker) -> protocol.AnalysisState:
    call.manager.check_taking()
    try:
        await asyncio.to_thread(load_policy)
    except WeightsError:
        raise RequestError(ServerCode.NO_WEIGHTS) from None
    await call.while_connected(call.manager.compiling.wait_for_hints())  # the same search
    return await call.manager.analyses.ask(id, record, call.body.depth, asker)


async def _draw(call: Call, id: str, asker: Asker) -> protocol.AnalysisPicture:
    from coatl.analysis.curve import curve

    language = language_of(call)
    state = await call.manager.analyses.state(id, asker)
    if state.report is None:
        raise RequestError(ServerCode.NOT_FOUND, "there is no finished analysis yet")
    return protocol.AnalysisPicture(str(curve(state.report, language)))


_BEGIN_ERRORS = (
    *(ServerCode.ONE_ANALYSIS, ServerCode.TOO_MANY_ANALYSES),
    *(ServerCode.NO_WEIGHTS, ServerCode.SHUTTING_DOWN),
)
_TABLE_ERRORS = (
    *(ServerCode.BAD_TOKEN, ServerCode.UNKNOWN_TABLE, ServerCode.FORBIDDEN),
    *(ServerCode.STORAGE, ServerCode.DAMAGED, Code.NOT_OVER),
)

OPERATIONS = (
    Operation(
        "POST",
        "/api/tables/{table}/analysis",
        "begin_analysis",
        "Have the table's finished game analysed in the background, or go on with that.",
        begin,
        protocol.AnalysisState,
        body=protocol.NewAnalysis,
        needs_token=True,
        errors=(*BODY_ERRORS, *_TABLE_ERRORS, *_BEGIN_ERRORS),
    ),
    Operation(
        "GET",
        "/api/tables/{table}/analysis",
        "read_analysis",
        "How far the analysis of the table's game is, and what it found.",
        read,
        protocol.AnalysisState,
        needs_token=True,
        errors=_TABLE_ERRORS,
    ),
    Operation(
        "POST",
        "/api/tables/{table}/analysis/cancel",
        "cancel_analysis",
        "Stop an analysis that was asked for with the same token; what it found stays.",
        cancel,
        protocol.AnalysisState,
        needs_token=True,
        errors=(ServerCode.WRONG_ORIGIN, *_TABLE_ERRORS),
    ),
    Operation(
        "GET",
        "/api/tables/{table}/analysis/curve/{language}",
        "draw_analysis",
        "The chances after each turn as a picture, SVG; in `en`, `fr` or `de`.",
        draw,
        protocol.AnalysisPicture,
        needs_token=True,
        errors=(*_TABLE_ERRORS, ServerCode.NOT_FOUND),
    ),
    Operation(
        "POST",
        "/api/analyses",
        "begin_file_analysis",
        "Have a finished game in a file analysed in the background, or go on with that.",
        begin_file,
        protocol.AnalysisState,
        body=protocol.RecordAnalysis,
        errors=(
            *BODY_ERRORS,
            *(ServerCode.BAD_RECORD, ServerCode.NOT_ANALYSABLE, ServerCode.STORAGE),
            *_BEGIN_ERRORS,
        ),
        takes_record=True,
    ),
    Operation(
        "GET",
        "/api/analyses/{analysis}",
        "read_file_analysis",
        "How far the analysis of a file is, by the id that asking for it gave.",
        read_file,
        protocol.AnalysisState,
        errors=(ServerCode.NOT_FOUND, ServerCode.STORAGE),
    ),
    Operation(
        "POST",
        "/api/analyses/{analysis}/cancel",
        "cancel_file_analysis",
        "Stop the analysis of a file; what it found stays for a while.",
        cancel_file,
        protocol.AnalysisState,
        errors=(ServerCode.WRONG_ORIGIN, ServerCode.NOT_FOUND, ServerCode.STORAGE),
    ),
    Operation(
        "GET",
        "/api/analyses/{analysis}/curve/{language}",
        "draw_file_analysis",
        "The chances of an analysed file as a picture, SVG; in `en`, `fr` or `de`.",
        draw_file,
        protocol.AnalysisPicture,
        errors=(ServerCode.NOT_FOUND, ServerCode.STORAGE),
    ),
)
