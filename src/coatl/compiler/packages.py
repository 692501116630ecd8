"""The packages that have compiled code, and the sources that each of them is made from.

A package is compiled as a whole. Its module ``compiled`` has what Python calls of it (its entries),
or imports it, and says what is compiled and how long that takes (`describe`). It is also where its
sources are found: that module, and whatever of ours it imports, directly or not.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

RULES = "coatl.rules"
ENTRIES = "compiled"  # the module of a package that has its entries

_ROOT = Path(__file__).parents[1]
_IMPORT = re.compile(r"^from (coatl[\w.]*) import (?:\(([^)]*)\)|([^\n#]*))", re.MULTILINE)


class Description(NamedTuple):
    """What is compiled, and how many seconds that takes on two idle cores."""

    title: str
    seconds: int


_descriptions: dict[str, Description] = {}


def describe(module: str, title: str, seconds: int) -> None:
    """Called by a package's module of entries, with its ``__name__``."""
    _descriptions[module.rpartition(".")[0]] = Description(title, seconds)


def description(package: str) -> Description:
    import_entries(package)
    return _descriptions[package]


def import_entries(package: str) -> None:
    """Import the module in which all entries of a package are."""
    import_module(f"{package}.{ENTRIES}")


@cache
def compiled_packages() -> tuple[str, ...]:
    """All of them, each after those it builds on."""
    folders = sorted(file.parent for file in _ROOT.rglob(f"{ENTRIES}.py"))
    found = [".".join(("coatl", *folder.relative_to(_ROOT).parts)) for folder in folders]

    def builds_on(package: str) -> int:
        return len({file.parent for file in sources(package)}.intersection(folders))

    return tuple(sorted(found, key=lambda package: (builds_on(package), package)))


@cache
def sources(package: str) -> tuple[Path, ...]:
    """The files that the compiled code of a package is made from, in a fixed order."""
    found: dict[Path, None] = {}
    waiting = [_file_of(f"{package}.{ENTRIES}")]
    while waiting:
        file = waiting.pop()
        if file is not None and file not in found:
            found[file] = None
            waiting += _imports(file)
    return tuple(sorted(found))


def _imports(file: Path) -> list[Path | None]:
    """The files of what a module of ours imports when it is imported."""
    files = []
    for module, in_brackets, plain in _IMPORT.findall(file.read_text("utf-8")):
        names = (in_brackets or plain).replace("\n", " ").split(",")
        files.append(_file_of(module))
        files += [_file_of(f"{module}.{name.split()[0]}") for name in names if name.strip()]
    return files


def _file_of(module: str) -> Path | None:
    """The file of a module; None if there is none of that name (it is a function, say)."""
    place = _ROOT.joinpath(*module.split(".")[1:])
    found = (place.with_suffix(".py"), place / "__init__.py")
    return next((file for file in found if file.is_file()), None)
