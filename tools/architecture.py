"""The modules of `src/coatl` and what they import, read from their sources.

`python -m tools.architecture` (``make architecture``) writes the tables of modules in
docs/architecture.md anew, from the modules' docstrings; a test compares. Another test holds every
import against the picture of the layers there (`layers`, `upward_imports`).
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "coatl"
PAGE = ROOT / "docs" / "architecture.md"

_TABLE = re.compile(
    r"(?P<before><!-- modules of (?P<folder>\S+) -->\n).*?(?P<after><!-- end -->)", re.DOTALL
)
_LAYERS = re.compile(r"^```layers\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"/\*\*\s*(?P<text>.*?)\s*\*/", re.DOTALL)


class Import(NamedTuple):
    """One module imports another."""

    importer: str
    imported: str
    line: int


# ---------------------------------------------------------------- layers


def layers() -> list[list[str]]:
    """The picture, from the top: each line's modules and packages, before two spaces."""
    found = _LAYERS.search(PAGE.read_text("utf-8"))
    assert found is not None, "docs/architecture.md has no block ```layers"
    lines = found["text"].splitlines()
    return [re.split(r"\s{2,}", line.strip())[0].split() for line in lines if line.strip()]


def layer_of(module: str) -> int | None:
    """How high a module stands: the place of the longest name in the picture that covers it."""
    names = {
        f"coatl.{name}": height for height, layer in enumerate(reversed(layers())) for name in layer
    }
    parts = module.split(".")
    covering = (".".join(parts[:length]) for length in range(len(parts), 1, -1))
    return next((names[name] for name in covering if name in names), None)


def unit_of(module: str) -> str:
    """The name in the picture that covers a module."""
    names = {f"coatl.{name}" for layer in layers() for name in layer}
    parts = module.split(".")
    covering = (".".join(parts[:length]) for length in range(len(parts), 1, -1))
    return next((name for name in covering if name in names), module)


def upward_imports() -> list[Import]:
    """Imports of a module that does not stand below, wherever in the file they are.

    What stands beside each other in one line may not import each other either, unless a line of
    the picture says so with ``=`` between them.
    """
    found = []
    for one in all_imports():
        importer, imported = unit_of(one.importer), unit_of(one.imported)
        if importer == imported or _are_joined(importer, imported):
            continue
        lower, higher = layer_of(one.imported), layer_of(one.importer)
        if lower is None or higher is None or lower >= higher:
            found.append(one)
    return found


def _are_joined(one: str, other: str) -> bool:
    names = [f"coatl.{name}" for layer in layers() if "=" in layer for name in layer]
    return one in names and other in names


# ---------------------------------------------------------------- modules


@cache
def modules() -> dict[str, Path]:
    """Every module of ours, by its dotted name."""
    found = {}
    for file in sorted(SOURCES.rglob("*.py")):
        parts = file.relative_to(SOURCES.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


@cache
def all_imports() -> list[Import]:
    """What our modules import of each other.

    A package that names what is in it (`coatl.env`, and `coatl` itself) does not import it in this
    sense; and the version is nobody's business.
    """
    found = []
    for name, file in modules().items():
        for one in imports_of(name, file):
            is_own = one.imported.startswith(f"{name}.")
            if not is_own and one.imported not in ("coatl", "coatl._version"):
                found.append(one)
    return found


@cache
def imports_of(name: str, file: Path) -> tuple[Import, ...]:
    found = []
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "coatl":
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                imported = full if full in modules() else str(node.module)
                found.append(Import(name, imported, node.lineno))
        elif isinstance(node, ast.Import):
            ours = [alias.name for alias in node.names if alias.name.split(".")[0] == "coatl"]
            found += [Import(name, imported, node.lineno) for imported in ours]
    return tuple(found)


# ---------------------------------------------------------------- tables


def write_tables(text: str) -> str:
    """The page with its tables made anew."""

    def made_anew(match: re.Match[str]) -> str:
        return match["before"] + _table(ROOT / match["folder"]) + match["after"]

    return _TABLE.sub(made_anew, text)


def _table(folder: Path) -> str:
    rows = _python_rows(folder) if folder.is_relative_to(SOURCES) else _script_rows(folder)
    lines = ["| module | subject |", "| --- | --- |"]
    lines += [f"| `{name}` | {subject} |" for name, subject in rows]
    return "\n".join(lines) + "\n"


def _python_rows(folder: Path) -> list[tuple[str, str]]:
    """The modules of a package in the order in which they build on each other."""
    here = {name: file for name, file in modules().items() if file.parent == folder}
    rows = []
    for name in _in_order(here):
        if here[name].name != "__init__.py":
            docstring = ast.get_docstring(ast.parse(here[name].read_text("utf-8")))
            if docstring:
                rows.append((here[name].name, subject(docstring)))
    return rows


def _in_order(here: dict[str, Path]) -> list[str]:
    """Those that import nothing of the package first; of equals by name."""
    ordered: list[str] = []
    visiting: set[str] = set()

    def visit(name: str) -> None:
        if name in visiting:
            return
        visiting.add(name)
        for one in sorted({one.imported for one in imports_of(name, here[name])}):
            if one in here:
                visit(one)
        ordered.append(name)

    for name in sorted(here):
        visit(name)
    return ordered


def _script_rows(folder: Path) -> list[tuple[str, str]]:
    """The modules of the page, by name; each begins with a comment."""
    rows = []
    for file in sorted(folder.rglob("*.ts")):
        comment = _COMMENT.match(file.read_text("utf-8"))
        assert comment is not None, f"{file} does not begin with a comment"
        text = re.sub(r"\n \* ?", "\n", comment["text"])
        rows.append((str(file.relative_to(folder)), subject(text)))
    return rows


def subject(docstring: str) -> str:
    """The first sentence or paragraph, as a cell of a table."""
    paragraph = " ".join(docstring.strip().split("\n\n")[0].split())
    sentence = re.split(r"(?<=[.?]) (?=[A-Z`])", paragraph)[0]
    return sentence.replace("``", "`").replace("|", "\\|").rstrip(".")


def main() -> None:
    PAGE.write_text(write_tables(PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
