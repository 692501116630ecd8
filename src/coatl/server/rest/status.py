"""The HTTP status of each error code."""

from __future__ import annotations

from coatl.server.protocol import ErrorCode, ServerCode
from coatl.table.errors import Code

_STATUS: dict[ErrorCode, int] = {
    ServerCode.BAD_TOKEN: 401,
    ServerCode.FORBIDDEN: 403,
    ServerCode.WRONG_ORIGIN: 403,
    ServerCode.UNKNOWN_TABLE: 404,
    ServerCode.NOT_FOUND: 404,
    ServerCode.METHOD_NOT_ALLOWED: 405,
    ServerCode.TOO_LARGE: 413,
    ServerCode.TOO_FAST: 429,
    ServerCode.TOO_MANY_BOTS: 429,
    ServerCode.TOO_MANY_CONNECTIONS: 429,
    ServerCode.ONE_ANALYSIS: 429,
    ServerCode.TOO_MANY_ANALYSES: 429,
    ServerCode.WRONG_HOST: 421,
    ServerCode.TOO_SLOW: 408,
    ServerCode.INTERNAL: 500,
    ServerCode.DAMAGED: 500,
    ServerCode.STORAGE: 503,
    ServerCode.SHUTTING_DOWN: 503,
    ServerCode.STARTING: 503,
    ServerCode.NO_WEIGHTS: 503,
    ServerCode.START_FAILED: 503,
    ServerCode.BAD_REQUEST: 400,
    ServerCode.BAD_JSON: 400,
    ServerCode.BAD_MESSAGE: 400,
    ServerCode.BAD_RECORD: 400,
    ServerCode.NOT_ANALYSABLE: 400,
    ServerCode.BAD_PATH: 400,
    Code.BAD_OPTIONS: 400,
    Code.BAD_POSITION: 400,
    Code.BAD_NAME: 400,
    Code.UNKNOWN_BOT: 400,
    Code.UNREADABLE: 400,
    Code.NO_PERSON: 400,
}
CONFLICT = 409  # every other code of a table


def status_of(code: ErrorCode) -> int:
    return _STATUS.get(code, CONFLICT)
