"""Writes docs/schemas: a JSON Schema for each message, body and answer, and the list of them.

`python -m tools.protocol_files` runs it; a test compares, and holds the examples of
`tools.protocol_examples` against the files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from coatl.server.rest import OPERATIONS
from tools.protocol_docs import make_table, tag_of
from tools.protocol_schema import FROM_CLIENT, ROOT, TO_CLIENT, Schema, components

FOLDER = ROOT / "docs" / "schemas"
PAGE = ROOT / "docs" / "schemas.md"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
_BEGIN, _END = "<!-- schemas -->\n", "<!-- end -->"
_REFERENCE = re.compile(r'"\$ref": "(\w+)"')


def in_requests() -> list[str]:
    """The types of bodies and answers, in the order of the requests; last, what is refused with."""
    kinds = [kind for one in OPERATIONS for kind in (one.body, one.answer)]
    names = [kind.__name__.removesuffix("Message") for kind in kinds if kind not in (None, str)]
    return list(dict.fromkeys([*names, "Problem"]))


def parts_of(name: str) -> Iterator[str]:
    """The names of the types that a type is made of, over however many steps."""
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        new = _REFERENCE.findall(json.dumps(components()[waiting.pop()]))
        waiting += [part for part in new if part not in found]
        found |= dict.fromkeys(new)
    yield from sorted(found)


@cache
def schema_of(name: str) -> Schema:
    """A type's schema with all that it is made of: it needs no other file."""
    schema: Schema = {"$schema": DIALECT, **as_schema(name)}
    if parts := list(parts_of(name)):
        schema["$defs"] = {part: as_schema(part) for part in parts}
    return schema


def as_schema(name: str) -> Schema:
    text = _REFERENCE.sub(r'"$ref": "#/$defs/\1"', json.dumps(components()[name]))
    schema: dict[str, Any] = json.loads(text)
    return schema


def files() -> dict[str, str]:
    """By its name: what each file has to hold."""
    names = dict.fromkeys([*FROM_CLIENT, *TO_CLIENT, *in_requests()])
    made = {name: json.dumps(schema_of(name), ensure_ascii=False, indent=1) for name in names}
    return {f"{name}.json": f"{text}\n" for name, text in made.items()}


def lists() -> str:
    """The page's lists of them."""
    parts = {
        "From the client, through the socket": FROM_CLIENT,
        "From the server, through the socket": TO_CLIENT,
        "Bodies and answers of requests": in_requests(),
    }
    return "\n\n".join(f"## {title}\n{listed(names)}" for title, names in parts.items())


def listed(names: Iterable[str]) -> str:
    rows = []
    for name in names:
        schema = components()[name]
        title = tag_of(schema) or name
        rows.append((f"[`{title}`](schemas/{name}.json)", schema["description"].split("\n\n")[0]))
    return make_table(("schema", "is"), [(link, " ".join(text.split())) for link, text in rows])


def page() -> str:
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(_BEGIN)
    return f"{before}{_BEGIN}{lists()}\n{_END}{rest.partition(_END)[2]}"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    wanted = files()
    for file in FOLDER.glob("*.json"):
        if file.name not in wanted:
            file.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{FOLDER.relative_to(ROOT)}, {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
