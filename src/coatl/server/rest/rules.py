"""The request for the rules in words, in one of their languages."""

from __future__ import annotations

from coatl.rulebook import LANGUAGES, Rulebook, load
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.rest.operation import Call, Operation


async def read_rules(call: Call) -> Rulebook:
    asked = call.request.path_params["language"]
    for language in LANGUAGES:
        if asked == language:
            return load(language)
    raise RequestError(ServerCode.NOT_FOUND, f"the rules are in {', '.join(LANGUAGES)}")


OPERATIONS = (
    Operation(
        "GET",
        "/api/rules/{language}",
        "read_rules",
        "The rules in words: `en`, `fr` or `de`. They may be kept, and asked for by their `ETag`.",
        read_rules,
        Rulebook,
        errors=(ServerCode.NOT_FOUND,),
        compresses=True,
        keeps=True,
    ),
)
