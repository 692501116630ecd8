"""Writes docs/rules.md: the English rulebook, the notes for engineers, and the list of cards.

`python -m tools.rules_docs` (``make rules``) runs it; a test compares the result with the file.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from coatl import rulebook
from coatl.rulebook import RuleChapter, RuleItem

FOLDER = Path(__file__).parent
PAGE = FOLDER.parent / "docs" / "rules.md"
TEMPLATE = FOLDER / "rules.template.md"
NOTES = FOLDER / "rules_notes.toml"


@cache
def notes() -> dict[str, dict[str, str]]:
    """Sources by chapter and notes by clause."""
    found: dict[str, Any] = tomllib.loads(NOTES.read_text(encoding="utf-8"))
    return found


def make_page() -> str:
    chapters = "\n".join(map(_chapter, rulebook.load("en").chapters))
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(chapters=chapters)


def _chapter(chapter: RuleChapter) -> str:
    level = "##" if chapter.within is None else "###"
    head = f"{level} {chapter.section} {chapter.title}".replace("  ", " ")
    lines = [head, chapter.lead]
    if chapter.id in notes()["sources"]:
        lines += ["", f"Sources: {notes()['sources'][chapter.id]}"]
    lines.append("")
    for item in sorted(chapter.items, key=_by_number):
        lines += _item(item)
    return "\n".join(lines) + "\n"


def _by_number(item: RuleItem) -> tuple[int, int]:
    """The clauses by their numbers; then the sections, as the book has them."""
    return (0, int(re.sub(r"\D", "", item.id))) if item.is_clause else (1, 0)


def _item(item: RuleItem) -> list[str]:
    title = f"*{item.title.removesuffix('.')}.*"
    name = f"**{item.id}** {title}" if item.is_clause else title
    lines = [f"- {name} {item.text}"]
    for number, step in enumerate(item.steps, 1):
        lines.append(f"  {f'{number}.' if item.ordered else '-'} {step.text}")
    if item.id in notes()["notes"]:
        note = notes()["notes"][item.id]
        lines += ["", f"  *Note:* {note}", ""] if item.steps else [f"  *Note:* {note}"]
    return lines


def main() -> None:
    PAGE.write_text(make_page(), encoding="utf-8")
    print(PAGE.relative_to(FOLDER.parent))


if __name__ == "__main__":
    main()
