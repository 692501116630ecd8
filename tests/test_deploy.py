"""What hosts are given fits together: files, documentation, image, settings.

Containers cannot run where the tests do; `make check-deploy` lints the files besides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from coatl.compiler.processor import LEVELS
from coatl.server.config import load_config

ROOT = Path(__file__).parent.parent
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
IN_DOCS = [
    *("coatl.toml", "Caddyfile", "coatl.service", "prometheus.yml"),
    *("three-machines.Caddyfile", "three-machines.conf"),
]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    return found


# ---------------------------------------------------------------- files and documentation


@pytest.mark.parametrize("name", IN_DOCS)
def test_the_documentation_shows_the_file(name: str) -> None:
    """docs/hosting.md links to it, and the block that follows is its text."""
    text = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    after = text.split(f"(../deploy/{name})")[1]
    block = re.search(r"^```\w+\n(.*?)^```$", after, re.MULTILINE | re.DOTALL)
    assert block is not None
    assert block[1] == (ROOT / "deploy" / name).read_text("utf-8")


def test_every_file_is_listed() -> None:
    text = (ROOT / "deploy" / "README.md").read_text("utf-8")
    there = {file.name for file in (ROOT / "deploy").iterdir()} - {"README.md"}
    assert set(re.findall(r"^\| \[`(.*?)`\]", text, re.MULTILINE)) == there


def test_the_settings_are_those_of_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COATL_DATA", raising=False)
    config = load_config({}, ROOT / "deploy" / "coatl.toml", {})
    assert config.options.names == ("coatl.example",)


# ---------------------------------------------------------------- the image


def instructions(name: str) -> Iterator[str]:
    """What follows a keyword of the Dockerfile, lines joined."""
    joined = DOCKERFILE.replace("\\\n", " ")
    yield from (" ".join(found.split()) for found in re.findall(rf"^{name} (.*)$", joined, re.M))


def test_all_stages_have_the_same_python() -> None:
    """Compiled code is for one version, and for one place."""
    assert {line.split()[0] for line in instructions("FROM")} == {"python:${PYTHON}"}
    assert "ARG PYTHON=3.11-" in DOCKERFILE


def test_code_is_looked_for_as_it_was_compiled() -> None:
    compiled, used = instructions("ENV")
    wanted = {"NUMBA_CPU_NAME=${CPU}", 'NUMBA_CPU_FEATURES=""'}
    wanted.add("COATL_CACHE_DIR=/opt/coatl/compiled")
    assert wanted <= set(compiled.split())
    assert wanted <= set(used.split())
    (level,) = {line for line in instructions("ARG") if line.startswith("CPU=")}
    assert level.removeprefix("CPU=") in LEVELS


def test_the_image_runs_as_nobody_in_particular() -> None:
    assert list(instructions("USER")) == ["10001:10001"]
    assert DOCKERFILE.index("USER 10001") > DOCKERFILE.rindex("FROM ")


def test_the_image_is_told_nothing_that_the_server_does_not_know(tmp_path: Path) -> None:
    """A wrong setting in a variable would be passed over."""
    *_, line = instructions("ENV")
    given = dict(word.split("=", 1) for word in line.split())
    ours = {name: value for name, value in given.items() if name.startswith("COATL_")}
    assert set(ours) == {"COATL_CACHE_DIR", "COATL_HOST", "COATL_DATA"}
    config = load_config({}, None, ours)
    assert config.options.host == "0.0.0.0"
    (volume,) = instructions("VOLUME")
    assert str(config.options.store) == ours["COATL_DATA"] == volume
    assert list(instructions("EXPOSE")) == [str(config.options.port)]
    assert f"127.0.0.1:{config.options.port}/readyz" in DOCKERFILE


def test_only_what_has_hashes_is_installed() -> None:
    installed = re.findall(r"pip\S* (?:--python \S+ )?install (.*)", DOCKERFILE)
    assert len(installed) == 3
    assert all("--require-hashes" in one or "--no-deps /wheel/" in one for one in installed)


def test_what_is_copied_into_the_image_is_not_left_out() -> None:
    """`.dockerignore` leaves out everything that it does not name."""
    named = {
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines()
        if line.startswith("!")
    }
    assert all((ROOT / name).exists() for name in named)
    copied = re.findall(r"^COPY (requirements/\S+)", DOCKERFILE, re.MULTILINE)
    assert set(copied) <= named
    needed = {"src", "web", "licenses", "hatch_build.py", "pyproject.toml", "README.md", "LICENSE"}
    assert needed <= named


# ---------------------------------------------------------------- compose.yaml


def test_only_caddy_can_be_reached() -> None:
    services = compose()["services"]
    assert {name for name, service in services.items() if "ports" in service} == {"caddy"}
    assert compose()["networks"]["inside"] == {"internal": True}
    outside = {name for name, service in services.items() if "outside" in service["networks"]}
    assert outside == {"caddy"}


def test_the_server_in_a_container_can_do_nothing_but_serve() -> None:
    service = compose()["services"]["coatl"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["volumes"] == ["tables:/var/lib/coatl"]


def test_postgresql_is_there_on_demand() -> None:
    assert compose()["services"]["database"]["profiles"] == ["postgres"]
    waits = compose()["services"]["coatl"]["depends_on"]["database"]
    assert waits == {"condition": "service_healthy", "required": False}
    without = load_config({}, None, {"COATL_DATABASE": "", "COATL_DATA": "tables"})
    assert without.options.store == Path("tables")


def test_every_variable_of_the_composition_is_in_the_example() -> None:
    text = (ROOT / "compose.yaml").read_text("utf-8")
    caddy = (ROOT / "deploy" / "compose.Caddyfile").read_text("utf-8")
    asked = set(re.findall(r"\$\{(\w+)", text)) | set(re.findall(r"\{\$(\w+)\}", caddy))
    example = (ROOT / "deploy" / "compose.env").read_text("utf-8")
    given = set(re.findall(r"^#?([A-Z_]+)=", example, re.MULTILINE))
    assert given - {"COMPOSE_PROFILES"} == asked


# ---------------------------------------------------------------- workflows


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda file: str(file.name))
def test_actions_are_pinned_to_commits_and_say_which_version_that_is(workflow: Path) -> None:
    uses = re.findall(r"uses: (.*)", workflow.read_text("utf-8"))
    assert uses
    for one in uses:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one), one


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda file: str(file.name))
def test_workflows_use_targets_that_there_are(workflow: Path) -> None:
    targets = re.findall(r"run: make (\S+)", workflow.read_text("utf-8"))
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert [name for name in targets if f"\n{name}:" not in makefile] == []
