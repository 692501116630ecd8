"""Every clause of the rules has a test function named after it."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


def ids_in_rules() -> set[str]:
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    return set(re.findall(r"^- \*\*([A-Z]+\d+)\*\*", text, re.MULTILINE))


@lru_cache(maxsize=1)
def ids_in_tests() -> frozenset[str]:
    ids: set[str] = set()
    for file in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                ids |= set(re.findall(r"^test_(?:.*_)?([A-Z]+\d+)_", node.name))
    return frozenset(ids)


def test_every_clause_has_a_test_named_after_it() -> None:
    assert ids_in_rules() - ids_in_tests() == set()


def test_no_test_names_a_clause_that_does_not_exist() -> None:
    assert ids_in_tests() <= ids_in_rules()
