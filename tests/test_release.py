"""What a release is made with: the README of an index page, and one version everywhere."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import coatl
from hatch_build import absolute_links
from tools import release

ROOT = Path(__file__).parent.parent
ADDRESS = "https://git.example/coatl/coatl"


def project() -> dict[str, Any]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)


@pytest.mark.parametrize(
    ("link", "wanted"),
    [
        ("[rules](docs/rules.md)", f"[rules]({ADDRESS}/blob/v1.2.3/docs/rules.md)"),
        ("[x](docs/server.md#limits)", f"[x]({ADDRESS}/blob/v1.2.3/docs/server.md#limits)"),
        ("![table](docs/a.webp)", f"![table]({ADDRESS}/raw/v1.2.3/docs/a.webp)"),
        ("[up](#features)", "[up](#features)"),
        ("[elsewhere](https://example.org/)", "[elsewhere](https://example.org/)"),
    ],
)
def test_links_of_an_index_page_lead_to_the_files_of_the_version(link: str, wanted: str) -> None:
    assert absolute_links(f"See {link}, then.", ADDRESS, "1.2.3") == f"See {wanted}, then."


def test_every_address_of_the_project_is_below_one() -> None:
    addresses = project()["project"]["urls"]
    assert {"Repository", "Documentation", "Changelog", "Issues"} <= set(addresses)
    assert all(one.startswith(addresses["Repository"]) for one in addresses.values())


def test_the_version_is_written_once() -> None:
    assert project()["tool"]["hatch"]["version"]["path"] == "src/coatl/_version.py"
    assert "version" in project()["project"]["dynamic"]
    text = (ROOT / "src" / "coatl" / "_version.py").read_text("utf-8")
    assert text == f'__version__ = "{coatl.__version__}"\n'


def test_the_licence_of_the_font_is_that_of_the_package_it_comes_from() -> None:
    package = ROOT / "web" / "node_modules" / "@fontsource" / "alegreya-sans"
    if not package.is_dir():
        pytest.skip("the page's packages are not installed")
    ours = ROOT / "licenses" / "alegreya-sans-OFL.txt"
    assert ours.read_text("utf-8") == (package / "LICENSE").read_text("utf-8")


def test_the_package_is_a_program() -> None:
    """`python -m coatl` is `coatl`, as far as its name in messages."""
    command = [sys.executable, "-m", "coatl", "simulat"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=300)
    assert done.returncode == 2
    assert "coatl --help tells more" in done.stderr


# ---------------------------------------------------------------- the changelog and the tag

CHANGELOG = "# Log\n\n## [1.2.3] - 2026-11-18\n\n### Added\n- A thing.\n\n## [1.0.0]\n- Old.\n"
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")


def asked(tag: str, version: str = "1.2.3", repository: str = ADDRESS) -> list[str]:
    return release.problems(tag, repository, version=version, named=ADDRESS, changelog=CHANGELOG)


def test_a_release_whose_parts_fit_together_may_go_out() -> None:
    assert asked("v1.2.3") == []


def test_what_does_not_fit_is_said() -> None:
    assert asked("v1.2.4") == [
        "the tag is v1.2.4, but the version is 1.2.3 (src/coatl/_version.py)"
    ]
    assert asked("v1.0.0", "1.0.0") == ["CHANGELOG.md has no date for 1.0.0"]
    assert asked("v2.0.0", "2.0.0") == ["CHANGELOG.md says nothing about 2.0.0"]
    assert "names the repository" in asked("v1.2.3", repository="https://other.example")[0]


def test_the_changelog_keeps_its_form() -> None:
    """That of Keep a Changelog: what comes next first, then versions with dates, newest first."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    found = release.sections(text)
    assert text.count("\n## ") == len(found)
    first, *versions = found
    assert first == "Unreleased"
    assert all(found[version][0] for version in versions)
    numbers = [tuple(map(int, version.split("."))) for version in versions]
    assert numbers == sorted(numbers, reverse=True)
    for _, section in found.values():
        kinds = re.findall(r"^### (.*)$", section, re.MULTILINE)
        assert kinds == [kind for kind in KINDS if kind in kinds]


# ---------------------------------------------------------------- habits


def test_every_target_of_make_is_explained() -> None:
    """`make help` lists what has a comment: ``## group: what it does``."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (phony,) = re.findall(r"^\.PHONY:((?:.*\\\n)*.*)$", makefile, re.MULTILINE)
    (groups,) = re.findall(r"^GROUPS := (.*)$", makefile, re.MULTILINE)
    explained = dict(re.findall(r"^([a-z-]+):.*## ([a-z-]+): ", makefile, re.MULTILINE))
    assert set(explained) == set(phony.replace("\\\n", " ").split())
    assert set(explained.values()) == set(groups.split())


def test_newcomers_are_led_to_targets_that_there_are() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "docs" / "releasing.md"]
    named = {name for page in pages for name in re.findall(r"\bmake ([a-z-]+)", code_of(page))}
    assert len(named) > 15
    assert sorted(name for name in named if f"\n{name}:" not in makefile) == []


def code_of(page: Path) -> str:
    """What a page shows as code, in lines of its own or within them."""
    text = page.read_text("utf-8")
    return "\n".join(re.findall(r"^ {4}.*$|`[^`\n]+`", text, re.MULTILINE))


def test_hooks_before_a_commit_name_tests_that_there_are() -> None:
    text = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    named = re.findall(r"tests/\S+\.py", text)
    assert len(named) == 4
    assert all((ROOT / one).is_file() for one in named)


def test_the_citation_does_not_repeat_the_version() -> None:
    assert "\nversion:" not in (ROOT / "CITATION.cff").read_text("utf-8")
