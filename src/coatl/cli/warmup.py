"""`coatl warmup`: compiles beforehand what would otherwise be compiled when it is first used."""

from __future__ import annotations

import sys
import time

from coatl.cli.console import Failure
from coatl.compiler import jit
from coatl.compiler.cache import cache_folder, is_cached
from coatl.compiler.functions import DISABLED
from coatl.compiler.packages import compiled_packages
from coatl.compiler.progress import time_left

PACKAGES = {package.removeprefix("coatl."): package for package in compiled_packages()}


def warm_up(only: str | None) -> None:
    """Compile packages, all of them if none are named, and say what was done."""
    chosen = read_packages(only)
    if DISABLED:
        raise Failure("NUMBA_DISABLE_JIT is set: nothing is compiled")
    folder = cache_folder()
    if folder is None:
        raise Failure("there is no folder for compiled code; COATL_CACHE_DIR names one")
    missing = [name for name in chosen if not is_cached(PACKAGES[name])]
    if not missing:
        verb = "is" if len(chosen) == 1 else "are"
        print(f"Nothing to do: {', '.join(chosen)} {verb} compiled already.")
    for name in missing:
        compile_one(name)
    print(f"Compiled code is in {folder.parent}.")


def read_packages(only: str | None) -> list[str]:
    """The short names that a line such as ``rules,net`` means."""
    if only is None:
        return list(PACKAGES)
    names = [name.strip() for name in only.split(",")]
    for name in names:
        if name not in PACKAGES:
            known = ", ".join(PACKAGES)
            raise Failure(f"nothing that is compiled is called {name!r}; there are {known}")
    return list(dict.fromkeys(names))


def compile_one(name: str) -> None:
    """Say how far it is, and at the end how long it took, in the same line."""
    began, counts = time.monotonic(), sys.stdout.isatty()

    def report(package: str, share: float) -> None:
        left = f", {time_left(time.monotonic() - began, share)} left" if 0 < share < 1 else ""
        print(f"\r{name}: {100 * share:.0f} %{left}".ljust(40), end="", flush=True)

    jit.report_progress = report if counts else None
    jit.load_all(PACKAGES[name])
    done = f"{name}: compiled in {time.monotonic() - began:.0f} s"
    print(f"\r{done.ljust(40)}" if counts else done, flush=True)
