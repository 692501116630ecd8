"""Writes docs/protocol.md: the template with the messages, requests and codes put in.

`python -m tools.protocol_docs` runs it; a test compares the result with the file, and checks that
every message and request has an example that can be read.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from string import Template
from typing import Any

import msgspec

from coatl.server import bot_runner, protocol, socket
from coatl.server.http_guard import MAX_HEAD, MOST_HEADERS
from coatl.server.limits import MOST_EARLY
from coatl.server.protocol import CODE_MEANINGS, ErrorCode, ServerCode
from coatl.server.rest import OPERATIONS
from coatl.server.rest.operation import BODY_ERRORS, Operation
from coatl.server.rest.status import status_of
from coatl.server.settings import ServerSettings
from coatl.server.socket_guard import MOST_FRAGMENTS
from tools.protocol_examples import ANA, FILE_ID, OWNER, TABLE, messages, requests
from tools.protocol_schema import FROM_CLIENT, ROOT, TO_CLIENT, WIDTH, Schema, components

PATH_EXAMPLES = {
    "table": TABLE,
    "analysis": FILE_ID,
    "language": "en",
    "name": "first",
    "number": 1,
}
FILE = ROOT / "docs" / "protocol.md"
TEMPLATE = Path(__file__).with_name("protocol.template.md")
# These, and what they are made of, are explained there.
IN_API = {"ViewData", "Event", "Move", "CardProgress", "TempleProgress"}
ANY_REQUEST = (
    ServerCode.TOO_FAST,
    ServerCode.TOO_MANY_CONNECTIONS,
    ServerCode.TOO_SLOW,
    ServerCode.BAD_REQUEST,
    ServerCode.WRONG_HOST,
    ServerCode.STARTING,
    ServerCode.START_FAILED,
    ServerCode.NOT_FOUND,
    ServerCode.METHOD_NOT_ALLOWED,
    ServerCode.INTERNAL,
)

VIEW = """\
#### A view
What stands for `{...}` above is [`ViewData`](api.md#viewdata), whose fields are explained there.
Ana's before her move:"""

# ---------------------------------------------------------------- examples

DOTS, DOTS_IN_BRACES = "...", "{...}"
LONGEST_TEXT = 80
LONGEST_WORD = 20  # shorter ones share a line
MOST_OBJECTS = 3


def show(example: msgspec.Struct) -> str:
    return f"```json\n{as_json(example)}\n```"


def as_json(example: msgspec.Struct) -> str:
    """An example as JSON that people can read."""
    return pretty(shorten(msgspec.json.decode(msgspec.json.encode(example))))


def shorten(value: Any) -> Any:
    """Views inside of something, long texts and long lists of objects are cut."""
    match value:
        case dict():
            short = {name: shorten(part) for name, part in value.items()}
            if short.get("view"):
                short["view"] = DOTS_IN_BRACES
            if "views" in short:
                short["views"] = [DOTS_IN_BRACES] * len(value["views"])
            return short
        case [{}, *_] if len(value) > MOST_OBJECTS:
            return [shorten(value[0]), DOTS]
        case list():
            return [shorten(part) for part in value]
        case str() if len(value) > LONGEST_TEXT:
            return value[: LONGEST_TEXT - 20] + DOTS
    return value


def pretty(value: Any, indent: str = "", used: int = 0) -> str:
    """JSON, broken where a line would be too long; `used` is what stands before it in its line."""
    flat = re.sub(r'"(\.{3}|\{\.{3}\})"', r"\1", json.dumps(value, ensure_ascii=False))
    if used + len(flat) < WIDTH or not isinstance(value, dict | list):
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        items = [(f"{json.dumps(name)}: ", part) for name, part in value.items()]
    else:
        items = [("", part) for part in value]
    parts = [head + pretty(part, inner, len(inner + head)) for head, part in items]
    if max(map(len, parts)) <= LONGEST_WORD:
        words = ", ".join(part.replace(" ", "\0") for part in parts)
        filled = textwrap.wrap(words, WIDTH - len(inner), break_on_hyphens=False)
        lines = "\n".join(inner + line.replace("\0", " ") for line in filled)
    else:
        lines = ",\n".join(inner + part for part in parts)
    return f"{flat[0]}\n{lines}\n{indent}{flat[-1]}"


def show_record(record: str) -> str:
    """The head and the end of a record."""
    lines = [line if len(line) < WIDTH else line[:60] + DOTS for line in record.splitlines()]
    setup = next(n for n, line in enumerate(lines) if line.startswith("0 #"))
    return "\n".join(["```text", *lines[: setup + 5], DOTS, *lines[-3:], "```"])


# ---------------------------------------------------------------- types and their fields

WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "null": "null",
}
MANY = {"text": "texts", "whole number": "whole numbers"}


def tag_of(schema: Schema) -> str | None:
    """The `type` of a message; None for what is only part of one."""
    tag = schema["properties"].get("type")
    return None if tag is None else str(tag["enum"][0])


def link_to(name: str) -> str:
    title = tag_of(components()[name]) or name
    return f"[`{title}`]({'api.md' if name in IN_API else ''}#{title.lower()})"


def words_of(schema: Schema) -> str:
    """A type in plain words."""
    match schema:
        case {"$ref": "ErrorCode"}:
            return "[code](#errors)"
        case {"$ref": name}:
            kind = components()[name]
            return words_of(kind) if "enum" in kind else link_to(name)
        case {"anyOf": options}:
            return " or ".join(map(words_of, options))
        case {"enum": values}:
            return " or ".join(f"`{value}`" for value in values)
        case {"prefixItems": [item, *_] as items}:
            return f"list of {len(items)} {MANY[words_of(item)]}"
        case {"items": item}:
            words = words_of(item)
            return f"list, each {words}" if "anyOf" in item else f"list of {MANY.get(words, words)}"
        case {"additionalProperties": value}:
            return f"object: text → {words_of(value)}"
    return WORDS[schema["type"]]


def make_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def type_section(name: str, level: str, told: set[str]) -> list[str]:
    """What a type is for, its fields, an example; then its parts that have not been told before."""
    if name in told or name in IN_API or "properties" not in components().get(name, {}):
        return []
    told.add(name)
    schema = components()[name]
    sections = [f"{level} `{tag_of(schema) or name}`\n{schema['description']}"]
    rows = []
    for field, inner in schema["properties"].items():
        default = f"`{json.dumps(inner['default'])}`" if "default" in inner else ""
        rows.append((f"`{field}`", words_of(inner), inner["description"], default))
    rows = rows[tag_of(schema) is not None :]
    if rows:
        sections.append(make_table(("field", "type", "meaning", "default"), rows))
    if name in messages():
        sections.append(show(messages()[name]))
    for part in re.findall(r"'\$ref': '(\w+)'", str(schema)):
        sections += type_section(part, "####", told)
    return sections


def message_sections(kinds: Sequence[str]) -> str:
    told: set[str] = set()
    rows = [(link_to(kind), components()[kind]["description"].split("\n\n")[0]) for kind in kinds]
    sections = [make_table(("message", "is"), rows)]
    for kind in kinds:
        sections += type_section(kind, "###", told)
        if kind == "TableState":
            sections += [VIEW, show(messages()["ViewData"])]
    return "\n\n".join(sections)


# ---------------------------------------------------------------- requests and codes


def request_index() -> str:
    rows = []
    for operation in OPERATIONS:
        title = f"{operation.method} {operation.path}"
        anchor = re.sub(r"[^\w-]", "", title.lower().replace(" ", "-"))
        does = operation.summary + (" *Deprecated.*" if operation.use_instead else "")
        rows.append((f"[`{title}`](#{anchor})", does, "yes" if operation.needs_token else ""))
    return make_table(("request", "does", "token in the header"), rows)


def request_sections() -> str:
    told = {*FROM_CLIENT, *TO_CLIENT}
    sections = type_section("Problem", "###", told)
    for operation in OPERATIONS:
        sections += request_section(operation)
        for kind in (operation.body, operation.answer):
            sections += type_section(kind.__name__, "####", told) if kind is not None else []
    return "\n\n".join(sections)


def request_section(operation: Operation) -> list[str]:
    """A request: what it does, takes and answers, what can go wrong, an example of it."""
    body, answer = requests()[operation.name]
    heading = f"### `{operation.method} {operation.path}`\n{operation.summary}"
    if operation.use_instead:
        heading += f"\n\n**Deprecated**: use {operation.use_instead}."
    facts = ["- answer: text (`text/plain`), [a record](notation.md#records)"]
    if operation.answer is not str:
        facts = [f"- answer: {link_to(operation.answer.__name__)}"]
    if operation.body is not None:
        facts.insert(0, f"- body: {link_to(operation.body.__name__)}")
    usual = {*ANY_REQUEST, *(BODY_ERRORS if operation.body is not None else ())}
    errors = [code for code in operation.errors if code not in usual]
    if errors:
        facts.append(f"- errors: {error_words(errors)}")
    lines = [f"{operation.method} {operation.path.format(**PATH_EXAMPLES)}"]
    if operation.needs_token:
        lines.append(f"Authorization: Bearer {OWNER if operation.name == 'hand_over' else ANA}")
    if body is not None:
        lines += ["", as_json(body)]
    shown = show_record(answer) if isinstance(answer, str) else show(answer)
    return [heading, "\n".join(facts), "\n".join(["```http", *lines, "```"]), shown]


def error_words(codes: Iterable[ErrorCode]) -> str:
    """The codes by status."""
    by_status: dict[int, list[str]] = {}
    for code in dict.fromkeys(codes):
        by_status.setdefault(status_of(code), []).append(f"`{code}`")
    return "; ".join(f"{status} {', '.join(of)}" for status, of in sorted(by_status.items()))


def error_table() -> str:
    """Every code; a status only where a request can be answered with it."""
    by_request = {*ANY_REQUEST, *(code for operation in OPERATIONS for code in operation.errors)}
    rows = [
        (f"`{code}`", meaning, str(status_of(code)) if code in by_request else "socket only")
        for code, meaning in CODE_MEANINGS.items()
    ]
    return make_table(("code", "meaning", "status"), rows)


def make_page() -> str:
    """The whole page."""
    limits = {
        name: f"{value:,g}" if isinstance(value, int | float) else str(value)
        for name, value in asdict(ServerSettings()).items()
    }
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        limits,
        protocol=protocol.PROTOCOL,
        offences=socket.MOST_OFFENCES,
        screen_seconds=f"{bot_runner.SCREEN_SECONDS:g}",
        early=MOST_EARLY,
        max_head=f"{MAX_HEAD:,}",
        most_headers=MOST_HEADERS,
        most_fragments=MOST_FRAGMENTS,
        refreshing=", ".join(f"`{code}`" for code in sorted(socket._REFRESHING)),
        messages_to_server=message_sections(FROM_CLIENT),
        messages_to_client=message_sections(TO_CLIENT),
        any_request=error_words(ANY_REQUEST),
        any_body=error_words(BODY_ERRORS),
        request_index=request_index(),
        requests=request_sections(),
        errors=error_table(),
    )


def main() -> None:
    FILE.write_text(make_page(), encoding="utf-8")
    print(FILE.relative_to(ROOT))


if __name__ == "__main__":
    main()
