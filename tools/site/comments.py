"""In our code a comment beside a field says what it is; here it becomes its docstring.

An extension of griffe, which reads the source for the reference (mkdocs.yml).
"""

from __future__ import annotations

from typing import Any

import griffe


class Comments(griffe.Extension):
    """Gives fields without a docstring their comment as one."""

    def on_attribute_instance(self, *, attr: griffe.Attribute, **kwargs: Any) -> None:
        if attr.docstring is None and attr.lineno and (text := comment_of(lines_of(attr), attr)):
            attr.docstring = griffe.Docstring(text, parent=attr)


def lines_of(attr: griffe.Attribute) -> list[str]:
    return attr.lines_collection[attr.filepath] if attr.lines_collection else []


def comment_of(lines: list[str], attr: griffe.Attribute) -> str:
    first, last = attr.lineno, attr.endlineno
    if not lines or not first or not last or last > len(lines):
        return ""
    above: list[str] = []
    for line in reversed(lines[: first - 1]):
        if not line.strip().startswith("# "):
            break
        above.insert(0, line.strip()[2:])
    behind = lines[last - 1].partition("  # ")[2]
    return " ".join(part for part in (*above, behind) if part and not part.startswith("noqa"))
