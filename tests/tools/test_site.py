"""What the site is made with: Markdown as MkDocs reads it, links between pages, the last check."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from tools.site import notebook, reference
from tools.site.check import problems
from tools.site.markdown import for_mkdocs, links, relink, resolve

ROOT = Path(__file__).parents[2]
CONFIG = (ROOT / "mkdocs.yml").read_text("utf-8")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("text\n- one\n- two", "text\n\n- one\n- two"),
        ("text\n| a |\n| --- |", "text\n\n| a |\n| --- |"),
        (
            "<!-- a -->\n| a |\n| --- |\n<!-- end -->",
            "<!-- a -->\n\n| a |\n| --- |\n\n<!-- end -->",
        ),
        ("- one\n  goes on\n- two", "- one\n    goes on\n- two"),
        ("- one\n  - inner\n- two", "- one\n    - inner\n- two"),
        ("1. one\n\n   more\n2. two", "1. one\n\n    more\n2. two"),
        ("- one\n\n  | a |\n  | --- |", "- one\n\n    | a |\n    | --- |"),
        ("- one\n\ntext", "- one\n\ntext"),
        ("```\ntext\n- one\n  - two\n```", "```\ntext\n- one\n  - two\n```"),
        ("    $ typed\n    - as it is", "    $ typed\n    - as it is"),
    ],
)
def test_markdown_is_put_as_mkdocs_reads_it(ours: str, theirs: str) -> None:
    assert for_mkdocs(ours) == f"{theirs}\n"


def test_links_are_changed_except_in_code() -> None:
    text = "[a](x.md) `[b](x.md)` ![c](x.md)\n```\n[d](x.md)\n```\n[`e`](x.md#e)\n"
    changed = relink(text, lambda target: target.replace("x", "y"))
    assert changed == "[a](y.md) `[b](x.md)` ![c](y.md)\n```\n[d](x.md)\n```\n[`e`](y.md#e)\n"
    assert links(text) == ["x.md", "x.md", "x.md#e"]
    assert links("[`a`](x) and [`b`](y): `c`") == ["x", "y"]


def test_links_are_followed_from_their_file() -> None:
    assert resolve("docs/a.md", "../CONTRIBUTING.md#x") == ("CONTRIBUTING.md", "x")
    assert resolve("docs/tutorials/a.md", "../api.md") == ("docs/api.md", "")
    assert resolve("docs/a.md", "#x") == ("docs/a.md", "x")


@pytest.mark.parametrize(
    ("page", "wrong"),
    [
        ('<link href="style.css"><a href="https://example.org">x</a>', []),
        ('<script src="https://example.org/x.js">', [" fetches https://example.org/x.js"]),
        ('<img src="//example.org/x.png">', [" fetches //example.org/x.png"]),
        ('<a href="gone.html">', [": gone.html is not there"]),
        ('<a href="/index.html">', [": /index.html works only at the root of a server"]),
    ],
)
def test_a_site_is_looked_at_before_it_is_handed_over(
    page: str, wrong: list[str], tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text(page, encoding="utf-8")
    (tmp_path / "style.css").write_text("a { color: red }", encoding="utf-8")
    assert problems(tmp_path) == [f"index.html{line}" for line in wrong]


def test_styles_fetch_nothing_either(tmp_path: Path) -> None:
    (tmp_path / "style.css").write_text('@import "https://example.org/a.css";', encoding="utf-8")
    assert problems(tmp_path) == ["style.css fetches https://example.org/a.css"]


def test_a_notebook_becomes_a_page() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "text"]},
        {
            "cell_type": "code",
            "source": ["1 + 1"],
            "outputs": [
                {"output_type": "stream", "text": ["said\n"]},
                {"data": {"text/plain": ["2"]}},
                {"data": {"text/plain": ["x"], notebook.PICTURE: ["<svg><title>A card</title>"]}},
            ],
        },
    ]
    page = notebook.as_page(json.dumps({"cells": cells}), "one", "examples/one.ipynb")
    assert page.text.startswith(
        "# Title\ntext\n\n```python\n1 + 1\n```\n\n```text\nsaid\n```\n\n```text\n2\n```\n\n"
        "![A card](one-1.svg)\n\n"
    )
    assert page.pictures == {"one-1.svg": "<svg><title>A card</title>"}


def test_every_notebook_is_a_page() -> None:
    kept = {file.stem for file in (ROOT / "examples").glob("*.ipynb")}
    assert set(re.findall(r"notebooks/(\w+)\.md", CONFIG)) == kept


# ---------------------------------------------------------------- nothing is left out


def test_every_page_is_in_the_navigation() -> None:
    """MkDocs says so, too; this is quicker."""
    pages = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")}
    named = set(re.findall(r"[\w./-]+\.md", CONFIG.split("\nvalidation:")[0]))
    assert pages - named == set()


def described(page: str) -> list[str]:
    names: list[str] = ast.literal_eval(page.split("members: ")[1].split("\n")[0])
    return names


def test_the_reference_describes_a_name_once() -> None:
    """In the outermost package that has it; other pages link there."""
    page = reference.page_of("coatl.game", ROOT / "src")
    assert "Game" not in described(page)
    assert "[`Game`](coatl.md#coatl.Game)" in page
    assert "Game" in described(reference.page_of("coatl", ROOT / "src"))
    below = described(reference.page_of("coatl.lessons.reading", ROOT / "src"))
    assert "make_lesson" in below
    assert "load_lesson" not in below


@pytest.mark.parametrize("module", re.findall(r"reference/(coatl[\w.]*)\.md", CONFIG))
def test_no_page_of_the_reference_is_empty(module: str) -> None:
    page = reference.page_of(module, ROOT / "src")
    assert described(page) or "Described elsewhere" in page


# Known to the library alone, or told elsewhere: the kernel, the command, the server.
NOT_IN_REFERENCE = {"coatl.rules", "coatl.cli", "coatl.server"}


def test_every_package_that_says_what_is_public_is_in_the_reference() -> None:
    named = set(re.findall(r"reference/(coatl[\w.]*)\.md", CONFIG))
    for file in (ROOT / "src" / "coatl").glob("**/__init__.py"):
        package = ".".join(file.parent.relative_to(ROOT / "src").parts)
        if "__all__" in file.read_text("utf-8") and not package.startswith(tuple(NOT_IN_REFERENCE)):
            assert package in named, package
    for module in named:
        path = ROOT / "src" / Path(*module.split("."))
        assert path.is_dir() or ast.parse(path.with_suffix(".py").read_text("utf-8")), module
