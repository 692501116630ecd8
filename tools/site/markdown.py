"""Our pages are written as GitHub reads Markdown; MkDocs reads it in an older way.

`for_mkdocs` puts in what that one asks for: blank lines before lists and tables, and four blanks
where something belongs to an item of a list. `relink` turns links to files of the repository into
links between pages of the site.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

_FENCE = re.compile(r"^ *(?P<marks>`{3,}|~{3,})")
_ITEM = re.compile(r"^(?P<indent> *)(?P<marker>[-*]|\d+\.) +(?=\S)")
_FENCED = r"^ *(?P<fence>`{3,}).*?^ *(?P=fence) *$"
_LINK = r"(?P<text>!?\[(?:`[^`\n]*`|[^\[\]`]|\[[^\]]*\])*\])\((?P<target>[^)\s]+)\)"
# Code comes first: what looks like a link within it is none, but a link's text may hold code.
_CODE_OR_LINK = re.compile(f"{_FENCED}|`[^`\\n]*`|{_LINK}", re.MULTILINE | re.DOTALL)
NESTING = 4


def for_mkdocs(text: str) -> str:
    return "\n".join(_with_blank_lines(_indented(text.splitlines()))) + "\n"


def _indented(lines: list[str]) -> Iterator[str]:
    """What belongs to an item stands four blanks deeper than it, however wide its marker is."""
    columns: list[int] = []  # where the text of the item begins, and of those around it
    fence = ""
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if line.strip() and not fence:
            item = _ITEM.match(line)
            while columns and indent < columns[-1]:
                columns.pop()
            if item and (columns or indent == 0):
                yield " " * NESTING * len(columns) + line.lstrip()
                columns.append(item.end())
                continue
        column = columns[-1] if columns else 0
        yield " " * NESTING * len(columns) + line[min(indent, column) :] if line.strip() else ""
        fence = _fence_after(fence, line)


def _fence_after(fence: str, line: str) -> str:
    """The marks that the open block of code began with, if one is open after this line."""
    found = _FENCE.match(line)
    if not found:
        return fence
    if fence:
        return "" if found["marks"].startswith(fence) else fence
    return found["marks"]


def _with_blank_lines(lines: Iterator[str]) -> Iterator[str]:
    """Before a list and a table, and round comments, which stand beside a table."""
    fence, before = "", ""
    for line in lines:
        if not fence and before.strip() and _begins_something(line, before):
            yield ""
        yield line
        fence = _fence_after(fence, line)
        before = line


def _begins_something(line: str, before: str) -> bool:
    kinds = (_kind(line), _kind(before))
    return kinds[0] != kinds[1] and (kinds[0] != "text" or kinds[1] == "comment")


def _kind(line: str) -> str:
    if line.lstrip().startswith("|"):
        return "table"
    if line.startswith("<!--"):
        return "comment"
    # What is indented belongs to the item before it.
    return "list" if _ITEM.match(line) or line.startswith(" " * NESTING) else "text"


def relink(text: str, change: Callable[[str], str]) -> str:
    """A page with its links changed, except for those in code."""

    def changed(found: re.Match[str]) -> str:
        target = found["target"]
        return f"{found['text']}({change(target)})" if target else found[0]

    return _CODE_OR_LINK.sub(changed, text)


def links(text: str) -> list[str]:
    """The links of a page, except for those in code."""
    found = (one["target"] for one in _CODE_OR_LINK.finditer(text))
    return [target for target in found if target]


def resolve(source: str, target: str) -> tuple[str, str]:
    """The file that a link in a file leads to, from the root of the repository, and its anchor."""
    file, _, anchor = target.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), file)) if file else source
    return path, anchor
