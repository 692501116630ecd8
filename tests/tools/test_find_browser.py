"""Looking for a browser, and what is said where there is none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from coatl.compiler.functions import DISABLED
from tests.cli.program import environment

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(DISABLED, reason="has nothing to do with the kernel")


def find(*arguments: str, folder: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run it where neither PATH nor the usual folders nor Playwright have a browser."""
    bare = {
        "PATH": "",
        "COATL_BROWSER": "",
        "COATL_BROWSER_FOLDERS": str(folder),
        "PLAYWRIGHT_BROWSERS_PATH": str(folder / "none"),
        "PLAYWRIGHT_DOWNLOAD_HOST": "http://127.0.0.1:9",  # nobody answers there
    }
    return subprocess.run(
        [sys.executable, "-m", "tools.find_browser", *arguments],
        cwd=ROOT,
        env=environment(**(bare | changes)),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def write_program(file: Path, script: str = "") -> Path:
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)
    return file


def test_without_a_browser_there_is_one_clear_line(tmp_path: Path) -> None:
    done = find(folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("No Chromium or Chrome was found. Install one")
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_where_none_can_be_installed_it_says_so(tmp_path: Path) -> None:
    done = find("--install", folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    *tries, last = done.stderr.splitlines()
    assert last.startswith("No Chromium or Chrome was found, and none could be installed.")
    assert all(line.startswith("running: ") for line in tries)


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_the_systems_browser_is_found_by_its_usual_names(tmp_path: Path, name: str) -> None:
    file = write_program(tmp_path / name)
    assert find(folder=tmp_path).stdout == f"{file}\n"
    assert find(folder=tmp_path / "elsewhere", PATH=str(tmp_path)).stdout == f"{file}\n"


def test_a_browser_can_be_named(tmp_path: Path) -> None:
    file = write_program(tmp_path / "my own")
    assert find(folder=tmp_path, COATL_BROWSER=str(file)).stdout == f"{file}\n"
    assert find(folder=tmp_path, COATL_BROWSER=str(tmp_path / "gone")).returncode == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="apt is asked by root only")
def test_root_lets_apt_install_it(tmp_path: Path) -> None:
    """With an apt-get that does nothing but put the program there, at the second try."""
    made = tmp_path / "chromium"
    script = f'case "$1" in update) : > {tmp_path}/updated;; install) [ -e {tmp_path}/updated ] \
        && printf "#!/bin/sh\\n" > {made} && /bin/chmod 755 {made};; esac'
    write_program(tmp_path / "apt-get", script)
    done = find("--install", folder=tmp_path, PATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (0, f"{made}\n"), done.stderr
