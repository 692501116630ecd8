"""A notebook as a page of the site: its text, its code, and what it shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

PICTURE = "image/svg+xml"
_TITLE = re.compile(r'<title>([^<]+)</title>|aria-label="([^"]+)"')


@dataclass(frozen=True)
class NotebookPage:
    text: str
    pictures: dict[str, str]  # by their file names


def as_page(notebook: str, name: str, source: str) -> NotebookPage:
    """`name` is what its pictures begin with, `source` where the notebook is kept."""
    pictures: dict[str, str] = {}
    parts: list[str] = []
    for cell in json.loads(notebook)["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
            continue
        parts.append(_fenced(text, "python"))
        for output in cell["outputs"]:
            parts += _shown(output, name, pictures)
    parts.append(f"The notebook is `{source}`; the tests run it.")
    return NotebookPage("\n\n".join(parts) + "\n", pictures)


def _shown(output: dict[str, Any], name: str, pictures: dict[str, str]) -> Iterator[str]:
    data = output.get("data", {})
    if PICTURE in data:
        drawing = "".join(data[PICTURE])
        file = f"{name}-{len(pictures) + 1}.svg"
        pictures[file] = drawing
        title = _TITLE.search(drawing)
        yield f"![{(title[1] or title[2]) if title else ''}]({file})"
    else:
        yield _fenced("".join(output.get("text") or data["text/plain"]), "text")


def _fenced(text: str, language: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"
