"""Runs the notebooks in examples/ and writes down what they show: `make notebooks`.

Jupyter is not needed for it, nor for the test that does the same and compares
(tests/test_notebooks.py): cells run one after another in one namespace, as in a kernel that has
just been started. Magics are not known here.
"""

from __future__ import annotations

import ast
import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parent.parent / "examples"
KINDS = {"_repr_svg_": "image/svg+xml", "_repr_html_": "text/html"}  # methods that Jupyter asks

Notebook = dict[str, Any]
Output = dict[str, Any]


def read(file: Path) -> Notebook:
    notebook: Notebook = json.loads(file.read_text(encoding="utf-8"))
    return notebook


def write(file: Path, notebook: Notebook) -> None:
    """As Jupyter writes it."""
    text = json.dumps(notebook, indent=1, ensure_ascii=False)
    file.write_text(f"{text}\n", encoding="utf-8")


def run(notebook: Notebook, folder: Path) -> Notebook:
    """The notebook with what its cells show now; `folder` is where it lies."""
    shown = _Shown()
    namespace: dict[str, Any] = {"__name__": "__main__", "display": shown.display}
    cells, count = [], 0
    with _working_in(folder):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                count += 1
                outputs = _run_cell("".join(cell["source"]), namespace, shown, count)
                cell = {**cell, "execution_count": count, "outputs": outputs}
            cells.append(cell)
    return {**notebook, "cells": cells}


def _run_cell(source: str, namespace: dict[str, Any], shown: _Shown, count: int) -> list[Output]:
    """What a cell shows: what it prints, what it displays, and the value of its last line."""
    parsed = ast.parse(source)
    last = parsed.body.pop() if parsed.body and isinstance(parsed.body[-1], ast.Expr) else None
    with redirect_stdout(shown.printed):
        exec(compile(parsed, f"cell {count}", "exec"), namespace)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {count}", "eval"), namespace)
    outputs = shown.take()
    if value is not None:
        result = {"output_type": "execute_result", "execution_count": count}
        outputs.append({**result, "metadata": {}, "data": _bundle(value)})
    return outputs


class _Shown:
    """What a cell has shown so far, in its order."""

    def __init__(self) -> None:
        self.printed = io.StringIO()
        self._outputs: list[Output] = []

    def display(self, *values: object) -> None:
        """The function that every notebook has."""
        self._keep_printed()
        for value in values:
            self._outputs.append(
                {"output_type": "display_data", "metadata": {}, "data": _bundle(value)}
            )

    def take(self) -> list[Output]:
        self._keep_printed()
        outputs, self._outputs = self._outputs, []
        return outputs

    def _keep_printed(self) -> None:
        if text := self.printed.getvalue():
            stream = {"output_type": "stream", "name": "stdout", "text": _lines(text)}
            self._outputs.append(stream)
        self.printed.seek(0)
        self.printed.truncate()


def _bundle(value: object) -> dict[str, list[str]]:
    """A value as text, and as what else it can show itself."""
    found = {"text/plain": _lines(repr(value))}
    for method, kind in KINDS.items():
        draw: Callable[[], str] | None = getattr(value, method, None)
        if draw is not None:
            found[kind] = _lines(draw())
    return found


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


@contextmanager
def _working_in(folder: Path) -> Iterator[None]:
    """Files and modules are found from there, as Jupyter does it."""
    before = Path.cwd()
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        os.chdir(before)


def main() -> None:
    for file in sorted(EXAMPLES.glob("*.ipynb")):
        write(file, run(read(file), EXAMPLES))
        print(f"{file.name} is written")


if __name__ == "__main__":
    main()
