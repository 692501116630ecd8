"""The server's protocol as JSON Schema, with the comments of the source as descriptions.

`tools.protocol_docs` and `tools.protocol_types` are made from it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect as msg

from coatl.events import Event
from coatl.server import protocol
from coatl.server.rest import OPERATIONS
from coatl.view import ViewData

ROOT = Path(__file__).parent.parent
WIDTH = 100
FROM_CLIENT = [kind.__name__ for kind in get_args(protocol.FromClient)]
TO_CLIENT = [kind.__name__.removesuffix("Message") for kind in get_args(protocol.ToClient)]
Schema = dict[str, Any]
PATTERNS = {  # in words
    "^[0-9a-f]{64}$": "64 hexadecimal digits",
    "^<?[KRBYG]{1,24}>?$": "1 to 24 pieces",
}


@cache
def components() -> dict[str, Schema]:
    """Every type by its name, those of a type's fields right after it."""
    bodies = [kind for operation in OPERATIONS for kind in (operation.body, operation.answer)]
    roots = [*get_args(protocol.FromClient), *get_args(protocol.ToClient), ViewData, Event]
    roots += [kind for kind in bodies if kind not in (None, str)]
    roots.append(protocol.ProblemMessage)
    schemas = msgspec.json.schema_components(roots, ref_template="{name}")[1]
    for cls in dict.fromkeys(_classes_in(msg.multi_type_info(roots))):
        _describe(schemas[cls.__name__], cls)
    meanings = {code.value: text for code, text in protocol.CODE_MEANINGS.items()}
    named = {name.removesuffix("Message"): schema for name, schema in schemas.items()}
    for name in ("Refused", "Problem"):  # msgspec only knows that their codes are strings
        named[name]["properties"]["code"] |= {"$ref": "ErrorCode"}
    named["ErrorCode"] = {
        "description": "Why something was refused.",
        "enum": list(meanings),
        "meanings": meanings,
    }
    return named


def _classes_in(kind: Any) -> Iterator[type]:
    """Every class in what msgspec knows about a type."""
    if isinstance(kind, msg.StructType | msg.EnumType):
        yield kind.cls
    if isinstance(kind, msg.Type | msg.Field):
        kind = [getattr(kind, name) for name in kind.__struct_fields__]
    if isinstance(kind, list | tuple):
        for part in kind:
            yield from _classes_in(part)


def _describe(schema: Schema, cls: Any) -> None:
    comments = comments_of(cls)
    schema["description"] = _in_json(inspect.cleandoc(schema.get("description", "")))
    if "enum" in schema:  # in the order of the source
        schema["enum"] = [member.value for member in cls]
        schema["meanings"] = {member.value: comments[member.name] for member in cls}
    for name, field in schema.get("properties", {}).items():
        words = (comments.get(name, ""), _limits(field))
        field["description"] = "; ".join(filter(None, words))


def comments_of(cls: type) -> dict[str, str]:
    """By field or member: the comment behind it, after any comment lines right above it."""
    found: dict[str, str] = {}
    above: list[str] = []
    for line in inspect.getsource(cls).splitlines():
        code, _, comment = line.partition("# ")
        if not code.strip():
            above = [*above, comment] if comment else []
        elif field := re.match(r"    (\w+)(:| =)", code):
            found[field[1]] = _in_json(" ".join(filter(None, (*above, comment))))
            above = []
    return found


def _in_json(text: str) -> str:
    """Words about Python, for those who see JSON."""
    return re.sub(r"\bNone\b", "null", text.replace("``", "`"))


def _limits(schema: Schema) -> str:
    """What a value has to keep to, in words."""
    if "prefixItems" in schema:
        return ""
    if "pattern" in schema:
        return PATTERNS[schema["pattern"]]
    for least, most, unit in (
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " of them"),
    ):
        if least in schema:
            return f"{schema[least]} to {schema[most]}{unit}"
        if most in schema:
            return f"at most {schema[most]}{unit}"
    return ", or ".join(filter(None, map(_limits, schema.get("anyOf", ()))))
