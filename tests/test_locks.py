"""What the tests and the image install is written down with hashes, and fits pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "requirements"
LOCKS = sorted(file.name for file in FOLDER.glob("*.lock"))
EXTRAS = {"play.lock": [], "image.lock": ["postgres"], "test.lock": ["dev"]}
_PACKAGE = re.compile(r"^(?P<name>[\w.-]+)(?:\[[^\]]*\])?==(?P<version>\S+)")


def locked(name: str) -> dict[str, list[str]]:
    """The versions of each package in a file; several where platforms differ."""
    versions: dict[str, list[str]] = {}
    for line in (FOLDER / name).read_text("utf-8").splitlines():
        if found := _PACKAGE.match(line):
            versions.setdefault(canonicalize_name(found["name"]), []).append(found["version"])
    return versions


def wanted(extras: list[str]) -> list[Requirement]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    lists = [project["dependencies"], *(project["optional-dependencies"][name] for name in extras)]
    return [Requirement(line) for lines in lists for line in lines]


def test_there_are_locks() -> None:
    assert {"build.lock", "deploy.lock", "docs.lock", *EXTRAS} == set(LOCKS)


@pytest.mark.parametrize("lock", EXTRAS)
def test_a_lock_has_what_is_needed(lock: str) -> None:
    """If not: `make lock`."""
    versions = locked(lock)
    for requirement in wanted(EXTRAS[lock]):
        found = versions.get(canonicalize_name(requirement.name), [])
        assert found, f"{requirement.name} is missing in {lock}"
        assert all(version in requirement.specifier for version in found), requirement


def test_the_page_is_built_with_the_node_that_the_wheel_asks_for() -> None:
    (line,) = (ROOT / "web" / "node-version.txt").read_text("utf-8").split()
    requirement = Requirement(line)
    assert locked("build.lock")[requirement.name] == [str(requirement.specifier).strip("=")]


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_has_hashes_and_none_says_where_it_comes_from(lock: str) -> None:
    text = (FOLDER / lock).read_text("utf-8")
    assert not re.search(r"://|--index|--find-links|--extra-index|@ ", text)
    blocks = re.split(r"^(?=[\w.-]+(?:\[[^\]]*\])?==)", text, flags=re.MULTILINE)[1:]
    assert len(blocks) == sum(map(len, locked(lock).values()))
    assert [block.split()[0] for block in blocks if "--hash=sha256:" not in block] == []


@pytest.mark.parametrize("lock", ["build.lock", "image.lock", "play.lock"])
def test_what_is_handed_out_was_tested_with_the_same_versions(lock: str) -> None:
    tested = locked("test.lock")
    different = {name for name, found in locked(lock).items() if tested.get(name) != found}
    assert different == set()
