"""The language that a request names in its address."""

from __future__ import annotations

from coatl.rulebook.languages import LANGUAGES, Language
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.rest.operation import Call


def language_of(call: Call) -> Language:
    """Raises `RequestError` if there are no words in it."""
    asked = call.request.path_params["language"]
    for language in LANGUAGES:
        if asked == language:
            return language
    raise RequestError(ServerCode.NOT_FOUND, f"there are words in {', '.join(LANGUAGES)}")
