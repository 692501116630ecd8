"""What the tools that find a program, or install it for the tests, have in common."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable


def install_with_apt(package: str) -> bool:
    """Was it installed? Only root can, and only where there is apt."""
    apt = shutil.which("apt-get")
    if not apt or os.geteuid() != 0:
        return False
    command = [apt, "install", "-y", "--no-install-recommends", package]
    return run_quietly(command) or (run_quietly([apt, "update"]) and run_quietly(command))


def run_quietly(command: list[str]) -> bool:
    """Say what is run, and return whether it succeeded."""
    print(f"running: {' '.join(command)}", file=sys.stderr)
    done = subprocess.run(command, capture_output=True, check=False)
    return done.returncode == 0


def find_or_install(
    find: Callable[[], object | None], install: Callable[[], None], missing: str
) -> None:
    """The whole program: print what was found, or end with one clear line."""
    installing = "--install" in sys.argv[1:]
    found = find()
    if found is None and installing:
        install()
        found = find()
    if found is None:
        sys.exit(missing.format(tried=", and none could be installed" if installing else ""))
    print(found)
