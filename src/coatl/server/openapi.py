"""The OpenAPI description of the requests, made from the types of `coatl.server.protocol`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import msgspec

from coatl._version import __version__
from coatl.server import protocol
from coatl.server.protocol import ServerCode
from coatl.server.rest import OPERATIONS
from coatl.server.rest.operation import Operation
from coatl.server.rest.status import status_of

_ANY_REQUEST = (ServerCode.TOO_FAST, ServerCode.STARTING, ServerCode.START_FAILED)
_REF = "#/components/schemas/{name}"


@lru_cache(maxsize=1)
def openapi() -> dict[str, Any]:
    types = [op.body for op in OPERATIONS if op.body is not None]
    types += [op.answer for op in OPERATIONS if op.answer is not str]
    types.append(protocol.ProblemMessage)
    schemas, components = msgspec.json.schema_components(types, ref_template=_REF)
    components["Problem"] = {**components.pop("ProblemMessage"), "title": "Problem"}
    schema_of = dict(zip(map(id, types), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        described = _operation(operation, schema_of)
        paths.setdefault(operation.path, {})[operation.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Cóatl",
            "version": __version__,
            "description": "Tables of the board game Cóatl. An unofficial fan project.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(operation: Operation, schema_of: dict[int, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "responses": {"200": _answer(operation, schema_of), **_problems(operation)},
    }
    if operation.keeps:
        described["responses"]["304"] = {"description": "You have it already (`If-None-Match`)."}
    names = re.findall(r"{(\w+)}", operation.path)
    if names:
        described["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in names
        ]
    if operation.body is not None:
        content = {"application/json": {"schema": schema_of[id(operation.body)]}}
        described["requestBody"] = {"required": True, "content": content}
    if operation.use_instead:
        described["deprecated"] = True
        described["description"] = f"Deprecated; use {operation.use_instead}."
    if operation.needs_token:
        described["security"] = [{"token": []}]
    return described


def _answer(operation: Operation, schema_of: dict[int, Any]) -> dict[str, Any]:
    if operation.answer is str:
        return {"description": "Text.", "content": {"text/plain": {"schema": {"type": "string"}}}}
    schema = schema_of[id(operation.answer)]
    return {"description": "Done.", "content": {"application/json": {"schema": schema}}}


def _problems(operation: Operation) -> dict[str, Any]:
    """By status: which codes it stands for."""
    by_status: dict[int, list[str]] = {}
    for code in (*operation.errors, *_ANY_REQUEST):
        by_status.setdefault(status_of(code), []).append(str(code))
    schema = {"$ref": _REF.format(name="Problem")}
    return {
        str(status): {
            "description": ", ".join(sorted(set(codes))),
            "content": {"application/json": {"schema": schema}},
        }
        for status, codes in sorted(by_status.items())
    }
