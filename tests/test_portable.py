"""Nothing that only POSIX systems have is needed to import or start anything."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from coatl.compiler.functions import DISABLED

# What Windows lacks. Python and the libraries may use it here; our modules must do without.
POSIX_MODULES = ["fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty", "uvloop"]
POSIX_NAMES = {
    "os": ["fork", "geteuid", "getpriority", "getuid", "killpg", "nice", "sched_getaffinity"],
    "signal": ["SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "pthread_sigmask"],
    "socket": ["AF_UNIX", "SO_REUSEPORT"],
    "asyncio": ["start_unix_server", "open_unix_connection"],
}
NEEDS_EXTRAS = {"gymnasium", "pettingzoo", "pyspiel", "ray", "torch", "psycopg"}

PROBE = f"""
import builtins, importlib, json, pkgutil, sys, tempfile, types
from pathlib import Path

# The libraries first: they know by themselves where they are.
import alembic.command, asyncio, httptools, llvmlite.binding, msgspec, multiprocessing, numba, numpy
import os, platformdirs, rich.console, rich.progress, signal, socket, sqlalchemy.dialects.sqlite
import sqlite3, starlette.applications, subprocess, typer.completion, uvicorn, websockets.legacy

real_import = builtins.__import__

def guarded(name, globals=None, *rest):
    ours = (globals or {{}}).get("__name__", "").startswith("coatl")
    if ours and name.partition(".")[0] in {POSIX_MODULES!r}:
        raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
    return real_import(name, globals, *rest)

builtins.__import__ = guarded
for module, names in {POSIX_NAMES!r}.items():
    for name in names:
        if hasattr(sys.modules[module], name):
            delattr(sys.modules[module], name)
sys.platform = "win32"
locked = []
windows = types.ModuleType("msvcrt")
windows.LK_NBLCK = 2
windows.locking = lambda *given: locked.append(given[1:])
sys.modules["msvcrt"] = windows

import coatl
failed = {{}}
for found in pkgutil.walk_packages(coatl.__path__, "coatl."):
    if found.name.endswith(".__main__") or found.name == "coatl.server.migrations.env":  # programs
        continue
    try:
        importlib.import_module(found.name)
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in {NEEDS_EXTRAS!r}:
            failed[found.name] = repr(error)
    except Exception as error:
        failed[found.name] = repr(error)

from coatl.server import open_files, priority, workers
from coatl.server.sqlite_store import SqliteStore

priority.give_way()
folder = Path(tempfile.mkdtemp())
SqliteStore(folder).close()
print(json.dumps({{
    "failed": failed,
    "open files": open_files.raise_limit(100) > 100,
    "locked": locked,
}}))
"""


@pytest.mark.slow
@pytest.mark.skipif(DISABLED, reason="has nothing to do with how the kernel runs")
def test_everything_is_imported_and_starts_without_what_only_posix_systems_have() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, encoding="utf-8", timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"failed": {}, "open files": True, "locked": [[2, 1]]}
