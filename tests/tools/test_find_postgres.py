"""Looking for the programs of PostgreSQL, and what is said where there are none."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from coatl.compiler.functions import DISABLED
from tools import find_postgres as module
from tools import installing
from tools.find_postgres import find_postgres, main

pytestmark = pytest.mark.skipif(DISABLED, reason="has nothing to do with the kernel")


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither PATH nor the usual folders nor a wheel have it, and nothing is really installed."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("COATL_POSTGRES", raising=False)
    monkeypatch.setattr(module, "USUAL_FOLDERS", ())
    monkeypatch.setattr(module, "WHEEL_MODULE", "no_such_module")
    monkeypatch.setattr(module, "WHEEL", "no such package")
    monkeypatch.setattr(installing, "run_quietly", refuse)


def refuse(command: list[str]) -> bool:
    raise AssertionError(f"{command} must not be run")


def write_programs(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return folder


def message_of(*arguments: str) -> str:
    """What it says if it finds none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["find_postgres", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
    return str(ended.value.code)


def test_without_one_there_is_one_clear_line() -> None:
    message = message_of()
    assert message.startswith("No PostgreSQL server was found. Install one")
    assert "\n" not in message


def test_where_none_can_be_installed_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []

    def fail(command: list[str]) -> bool:
        commands.append(command)
        return False

    monkeypatch.setattr(installing, "run_quietly", fail)
    message = message_of("--install")
    assert message.startswith("No PostgreSQL server was found, and none could be installed.")
    assert [command[1:3] for command in commands] == [["-m", "pip"]]


def test_the_usual_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several versions the newest, if it is whole."""
    pattern = f"{tmp_path}/lib/*/bin"
    monkeypatch.setattr(module, "USUAL_FOLDERS", (pattern,))
    assert find_postgres() is None
    for version in ("14", "15"):
        write_programs(tmp_path / "lib" / version / "bin", "initdb", "postgres")
    write_programs(tmp_path / "lib" / "16" / "bin", "postgres")  # only a part of it
    assert find_postgres() == tmp_path / "lib" / "15" / "bin"


def test_programs_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if only links lie there, as Homebrew makes them."""
    folder = write_programs(tmp_path / "real", "initdb", "postgres")
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "postgres").symlink_to(folder / "postgres")
    monkeypatch.setenv("PATH", str(tmp_path / "links"))
    assert find_postgres() == folder


def test_programs_of_a_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_programs(tmp_path / "a_wheel" / "pginstall" / "bin", "initdb", "postgres")
    (tmp_path / "a_wheel" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(module, "WHEEL_MODULE", "a_wheel")
    assert find_postgres() == folder


def test_a_folder_can_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_programs(tmp_path / "my own", "initdb", "postgres")
    monkeypatch.setenv("COATL_POSTGRES", str(folder))
    monkeypatch.setattr(sys, "argv", ["find_postgres", "--install"])
    main()
    assert capsys.readouterr().out == f"{folder}\n"
    monkeypatch.setenv("COATL_POSTGRES", str(tmp_path / "gone"))
    assert find_postgres() is None


@pytest.mark.parametrize("is_root", [True, False])
def test_root_lets_apt_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_root: bool
) -> None:
    """With an apt-get that knows the package only after `update`; others ask pip."""
    apt = write_programs(tmp_path / "bin", "apt-get") / "apt-get"
    words: list[str] = []

    def run(command: list[str]) -> bool:
        by_apt = command[0] == str(apt)
        words.append(command[1] if by_apt else "pip")
        is_good = command[1] == "update" or not by_apt or "update" in words
        if is_good and command[1] != "update":
            write_programs(tmp_path / "bin", "initdb", "postgres")
        return is_good

    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(os, "geteuid", lambda: 0 if is_root else 1000)
    monkeypatch.setattr(installing, "run_quietly", run)
    monkeypatch.setattr(sys, "argv", ["find_postgres", "--install"])
    main()
    assert words == (["install", "update", "install"] if is_root else ["pip"])
    assert find_postgres() == tmp_path / "bin"
