"""The pages of the reference: one for each module, made from docstrings by mkdocstrings."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

MAIN = "coatl"


def page_of(module: str, source: Path) -> str:
    """Markdown that mkdocstrings fills; what a package above has as well is only linked to."""
    names = public_names(module, source)
    homes = {name: home for home in above(module) for name in public_names(home, source)}
    own = [name for name in names if name not in homes]
    links = [
        f"[`{name}`]({homes[name]}.md#{homes[name]}.{name})" for name in names if name in homes
    ]
    page = f"# `{module}`\n\n::: {module}\n    options:\n      members: {own}\n"
    return f"{page}\nDescribed elsewhere: {', '.join(links)}.\n" if links else page


def above(module: str) -> list[str]:
    """The packages that a module is in, the outermost last."""
    parts = module.split(".")
    return [".".join(parts[:count]) for count in range(len(parts) - 1, 0, -1)]


def public_names(module: str, source: Path) -> list[str]:
    """What a module lists in `__all__`, or else what it defines."""
    path = source.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    body = ast.parse(file.read_text("utf-8")).body
    assigned = {ast.unparse(node.targets[0]): node for node in body if isinstance(node, ast.Assign)}
    if "__all__" in assigned:
        names: list[str] = ast.literal_eval(assigned["__all__"].value)
        return names
    return [name for name in _defined(body) if not name.startswith("_")]


def _defined(body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.AnnAssign):
            yield ast.unparse(node.target)
        elif isinstance(node, ast.Assign) and not ast.unparse(node.value).startswith("TypeVar("):
            yield ast.unparse(node.targets[0])
