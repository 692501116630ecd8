"""Where compiled code is kept: a folder that cannot be stale.

Numba's own cache looks at one source file at a time, and would be stale when a callee in another
file changes. Ours is in a folder named after a hash of all sources of a package, the versions, the
processor and the flags: change anything and the folder is another. ``COATL_CACHE_DIR`` moves it.

A folder that cannot be written to is used as well if all of the package is in it: an image brings
its compiled code along (see Dockerfile).
"""

from __future__ import annotations

import getpass
import hashlib
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import llvmlite
import llvmlite.binding
import numba
import numpy as np

from coatl.compiler.functions import DISABLED, numba_config
from coatl.compiler.packages import RULES, sources

KEPT_CACHES = 24  # folders, one for each package and version, that are left alone
COMPLETE = "complete"  # a file that says that all entries of a package are in the cache
READ_ONLY_LOCATOR = "coatl.compiler.read_only.ReadOnlyLocator"


@lru_cache(maxsize=16)
def cache_folder(package: str = RULES) -> Path | None:
    """The folder for exactly this code on this machine; None if there is none that helps."""
    name = fingerprint(package)
    for base in _bases():
        folder = base / name
        if can_write(folder):
            os.utime(folder)
            _delete_old_caches(base)
            return folder
        if _is_complete(folder):
            return folder
    return None


@lru_cache(maxsize=16)
def can_write(folder: Path) -> bool:
    """Can files be made there? Makes the folder if it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _is_complete(folder: Path) -> bool:
    try:
        return (folder / COMPLETE).exists()
    except OSError:  # somebody else's
        return False


def is_cached(package: str) -> bool:
    """Can all of a package be loaded from the cache? False if that is not known."""
    folder = None if DISABLED else cache_folder(package)
    return folder is not None and _is_complete(folder)


@contextmanager
def numba_cache_in(folder: Path | None) -> Iterator[None]:
    """Let Numba's cache use `folder` while an entry is set up, and nothing else afterwards."""
    values = {"CACHE_DIR": str(folder or "")}
    if folder is not None and not can_write(folder):
        values["CACHE_LOCATOR_CLASSES"] = READ_ONLY_LOCATOR
    before = {name: getattr(numba_config, name) for name in values}
    _set_numba(values)
    try:
        yield
    finally:
        _set_numba(before)


def _set_numba(values: dict[str, str]) -> None:
    for name, value in values.items():
        setattr(numba_config, name, value)


def fingerprint(package: str = RULES) -> str:
    """A name that changes whenever the compiled code could."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256(package.encode() + b"\0")
    for source in sources(package):
        name = str(source.relative_to(root))
        digest.update(name.encode() + b"\0" + source.read_bytes() + b"\0")
    for fact in (
        sys.version,
        platform.machine(),
        *processor(),
        numba.__version__,
        llvmlite.__version__,
        np.__version__,
        str(numba_config.BOUNDSCHECK),
        str(numba_config.OPT),
        str(root),
    ):
        digest.update(fact.encode() + b"\0")
    return digest.hexdigest()[:24]


def processor() -> tuple[str, str]:
    """What is compiled for: a name and features, as LLVM writes them.

    This machine's, or those that ``NUMBA_CPU_NAME`` and ``NUMBA_CPU_FEATURES`` name.
    """
    name, features = numba_config.CPU_NAME, numba_config.CPU_FEATURES
    if name is None:
        name = llvmlite.binding.get_host_cpu_name()
    if features is None:
        features = llvmlite.binding.get_host_cpu_features().flatten()
    return str(name), str(features)


def _bases() -> Iterator[Path]:
    chosen = os.environ.get("COATL_CACHE_DIR")
    if chosen:
        yield Path(chosen)
    import platformdirs  # a machine that only computes can do without it

    yield Path(platformdirs.user_cache_dir("coatl", appauthor=False)) / "kernel"
    yield Path(tempfile.gettempdir()) / f"coatl-kernel-{getpass.getuser()}"


def _delete_old_caches(base: Path) -> None:
    """Delete the caches of earlier code; nothing else in the folder is ours."""
    caches = [folder for folder in base.iterdir() if re.fullmatch(r"[0-9a-f]{24}", folder.name)]
    for folder in sorted(caches, key=_age)[KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)


def _age(folder: Path) -> float:
    try:
        return -folder.stat().st_mtime
    except OSError:  # another process was faster
        return 0.0
