"""`coatl rules`: the contents of the rulebook, clauses, chapters, and what a search finds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from coatl.cli.console import Failure
from coatl.cli.language import choose_language
from coatl.cli.wrapping import wrap_text
from coatl.rulebook import Rulebook, RuleChapter, RuleItem, RulePicture, load, load_contents_words
from coatl.text.drawing import coatl_text, make_console

INDENT = "     "  # under the title of a clause, whose id stands before it


def show_rules(names: Sequence[str], search: str | None, lang: str | None) -> None:
    """What is asked for by name or by words; otherwise the contents."""
    book, console = load(choose_language(lang)), make_console()
    if search is not None:
        if names:
            raise Failure("either names of rules or --search, not both")
        print_items(console, _found(book, search))
    elif names:
        _print_named(console, [book.find(name) for name in names])
    else:
        _print_contents(console, book)


def _found(book: Rulebook, text: str) -> tuple[RuleItem, ...]:
    items = book.search(text)
    if not items:
        raise Failure(f"no rule has all words of {text!r} (language: {book.language})")
    return items


def _print_named(console: Console, found: Iterable[RuleItem | RuleChapter]) -> None:
    for number, one in enumerate(found):
        if number:
            console.print()
        if isinstance(one, RuleChapter):
            print_chapter(console, one)
        else:
            _print_item(console, one)


# ---------------------------------------------------------------- contents


def _print_contents(console: Console, book: Rulebook) -> None:
    """Each chapter with its name for the command line and its clauses."""
    console.print(book.title, style="bold")
    names = max(len(chapter.id) for chapter in book.chapters)
    titles = max(len(_indented_title(chapter)) for chapter in book.chapters)
    for chapter in book.chapters:
        line = f"{chapter.id:<{names}}  {_indented_title(chapter):<{titles}}  {_span(chapter)}"
        console.print(line.rstrip())
    console.print(load_contents_words(book.language).hint, style="dim")


def _span(chapter: RuleChapter) -> str:
    """Its first and last clause; the clauses of a chapter are numbered without a gap."""
    ids = sorted((item.id for item in chapter.items if item.is_clause), key=lambda id: int(id[1:]))
    return ids[0] if len(ids) == 1 else "–".join(ids[:1] + ids[-1:])


def _indented_title(chapter: RuleChapter) -> str:
    return ("  " if chapter.within else "") + chapter.title


# ---------------------------------------------------------------- chapters and clauses


def print_chapter(console: Console, chapter: RuleChapter) -> None:
    console.print(chapter.title, style="bold")
    _print_text(console, chapter.lead, "")
    for part in chapter.parts:
        console.print()
        if part.title:
            console.print(part.title, style="bold")
            console.print()
        print_items(console, part.items)


def print_items(console: Console, items: Iterable[RuleItem]) -> None:
    for number, item in enumerate(items):
        if number:
            console.print()
        _print_item(console, item)


def _print_item(console: Console, item: RuleItem) -> None:
    name = f"{item.id:<{len(INDENT) - 1}} " if item.is_clause else INDENT
    console.print(Text(name).append(item.title, "bold"))
    _print_text(console, item.text, INDENT)
    if item.picture is not None and item.picture.coatl:
        _print_example(console, item.picture)
    for number, step in enumerate(item.steps, 1):
        mark = f"{number}. " if item.ordered else "- "
        _print_text(console, step.text, INDENT + mark)


def _print_example(console: Console, picture: RulePicture) -> None:
    """Its Cóatl and the cards on it, and in words what they show."""
    lit = {place - 1 for place in picture.lit} if picture.lit else None
    cards = f"  {', '.join(picture.cards)}" if picture.cards else ""
    console.print(Text(INDENT).append(coatl_text(picture.coatl, lit)).append(cards))
    _print_text(console, picture.alt, INDENT)


def _print_text(console: Console, text: str, before: str) -> None:
    for number, line in enumerate(wrap_text(text, console.width - len(before))):
        console.print((before if number == 0 else " " * len(before)) + line)
