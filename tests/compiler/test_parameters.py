"""Compiled functions have few parameters: what travels together is a NamedTuple or a record."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import coatl

MOST = 8
DECORATORS = {"kernel", "inline_kernel", "fast_kernel", "entry", "long_entry", "side_entry"}
SOURCES = Path(coatl.__file__).parent


def compiled_functions(source: str) -> Iterator[tuple[str, int]]:
    """Names of the compiled functions in a module, and how many parameters they have."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and DECORATORS.intersection(
            decorator.id for decorator in node.decorator_list if isinstance(decorator, ast.Name)
        ):
            arguments = node.args
            yield node.name, len(arguments.posonlyargs + arguments.args + arguments.kwonlyargs)


def test_no_compiled_function_has_more_than_eight_parameters() -> None:
    counted = {
        f"{file.relative_to(SOURCES).as_posix()}: {name}": count
        for file in SOURCES.rglob("*.py")
        for name, count in compiled_functions(file.read_text("utf-8"))
    }
    assert len(counted) > 200  # they are found at all
    assert [name for name, count in counted.items() if count > MOST] == []


def test_parameters_are_counted() -> None:
    source = "@kernel\ndef f(a, /, b, *, c): ...\n@other\ndef g(a): ...\n@entry\ndef h(): ..."
    assert list(compiled_functions(source)) == [("f", 3), ("h", 0)]
