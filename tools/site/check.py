"""Is a built site whole? Nothing comes from another host, and what pages need is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

FETCHED = {(tag, "src") for tag in ("script", "img", "iframe", "source")} | {("link", "href")}
FOLLOWED = {("a", "href")}
_IN_STYLES = re.compile(r"@import\s+[\"']([^\"']+)|url\(\s*[\"']?(?!data:)([^\"')]+)")


class _Links(HTMLParser):
    """What a page fetches, and what it links to."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.followed: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value and (tag, name) in FETCHED:
                self.fetched.append(value)
            if value and (tag, name) in FOLLOWED:
                self.followed.append(value)


def problems(site: Path) -> list[str]:
    """One line for each thing that is wrong."""
    found = [line for page in sorted(site.rglob("*.html")) for line in _of_page(page, site)]
    return found + [line for file in sorted(site.rglob("*.css")) for line in _of_styles(file, site)]


def _of_page(page: Path, site: Path) -> Iterator[str]:
    links = _Links()
    links.feed(page.read_text("utf-8"))
    for target in links.fetched:
        yield from _of_target(target, page, site)
    for target in links.followed:
        if not urlsplit(target).scheme:
            yield from _of_target(target, page, site)


def _of_styles(file: Path, site: Path) -> Iterator[str]:
    for found in _IN_STYLES.finditer(file.read_text("utf-8")):
        yield from _of_target(found[1] or found[2], file, site)


def _of_target(target: str, file: Path, site: Path) -> Iterator[str]:
    name = file.relative_to(site)
    parts = urlsplit(target)
    if parts.scheme in ("data", "mailto"):
        return
    if parts.scheme or parts.netloc:
        yield f"{name} fetches {target}"
    elif parts.path.startswith("/") and file.name != "404.html":
        yield f"{name}: {target} works only at the root of a server"
    elif parts.path and not parts.path.startswith("/"):
        there = (file.parent / unquote(parts.path)).resolve()
        if not there.is_file():
            yield f"{name}: {target} is not there"
