"""A cache of compiled code can never be stale, and its absence is no obstacle."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import coatl
from coatl.compiler import cache, jit, packages
from coatl.compiler.functions import DISABLED, numba_config

needs_jit = pytest.mark.skipif(DISABLED, reason="about compiled code")
ROOT = Path(coatl.__file__).parent


@pytest.mark.parametrize("package", ["coatl.rules", "coatl.search.batched"])
def test_the_fingerprint_covers_every_source(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change in any file that is compiled, or of the flags, gives another cache folder."""
    before = cache.fingerprint(package)
    original = Path.read_bytes
    for changed in packages.sources(package):

        def read(self: Path, changed: Path = changed) -> bytes:
            return original(self) + (b"#" if self == changed else b"")

        monkeypatch.setattr(Path, "read_bytes", read)
        assert cache.fingerprint(package) != before, changed.name
    monkeypatch.setattr(Path, "read_bytes", original)
    assert cache.fingerprint(package) == before
    monkeypatch.setattr(numba_config, "BOUNDSCHECK", 1 - int(bool(numba_config.BOUNDSCHECK)))
    assert cache.fingerprint(package) != before


@pytest.mark.parametrize("setting", ["CPU_NAME", "CPU_FEATURES"])
def test_code_for_another_processor_is_another_cache(
    setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = cache.fingerprint()
    monkeypatch.setattr(numba_config, setting, "of another")
    assert cache.fingerprint() != before
    assert "of another" in cache.processor()


def test_sources_are_what_the_entries_import() -> None:
    names = {str(file.relative_to(ROOT)) for file in packages.sources("coatl.search.batched")}
    assert {
        "search/batched/compiled.py",
        "search/simulation.py",  # imported by a module that it imports
        "net/layers.py",
        "encode/observe.py",
        "rules/legal.py",
        "compiler/functions.py",
    } <= names
    rules = {str(file.relative_to(ROOT)) for file in packages.sources("coatl.rules")}
    assert {"rules/apply.py", "rules/state.py", "rules/pieces.py"} <= rules
    assert not [name for name in rules if not name.startswith(("rules", "compiler", "__init__"))]


def test_the_packages_come_in_the_order_in_which_they_build_on_each_other() -> None:
    found = packages.compiled_packages()
    assert set(found) == {
        "coatl.rules",
        "coatl.encode",
        "coatl.net",
        "coatl.search",
        "coatl.search.batched",
        "coatl.search.playouts",
        "coatl.env",
        "coatl.heuristics",
        "coatl.solver",
    }
    for package in found:
        packages.import_entries(package)
    for later, package in enumerate(found):
        needs = [other for other in found[later + 1 :] if _has_entries_in(package, other)]
        assert not needs, (package, needs)


def _has_entries_in(package: str, other: str) -> bool:
    entries = ROOT.joinpath(*other.split(".")[1:]) / "compiled.py"
    return entries in packages.sources(package)


def test_only_our_own_old_caches_are_deleted(tmp_path: Path) -> None:
    ours = [f"{number:024x}" for number in range(cache.KEPT_CACHES + 5)]
    for age, name in enumerate([*ours, "precious", "0123"]):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    cache._delete_old_caches(tmp_path)
    left = {folder.name for folder in tmp_path.iterdir()}
    assert left == {*ours[: cache.KEPT_CACHES], "precious", "0123"}


@needs_jit
def test_a_folder_that_cannot_be_written_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("COATL_CACHE_DIR", str(tmp_path / "file"))
    cache.cache_folder.cache_clear()
    try:
        folder = cache.cache_folder()
        assert folder is not None
        assert tmp_path not in folder.parents
    finally:
        cache.cache_folder.cache_clear()


SMALL = "coatl.net"
LOAD_READ_ONLY = f"""
import tempfile
from coatl.compiler import cache, jit

def refuse(*_: object, **__: object) -> None:
    raise OSError(30, "Read-only file system")

tempfile.TemporaryFile = refuse
folder = cache.cache_folder({SMALL!r})
jit.load_all({SMALL!r})
print(folder)
print(sum(not point.call.stats.cache_hits for point in jit.entries_of({SMALL!r})))
"""


@needs_jit
def test_a_complete_cache_that_cannot_be_written_to_is_used() -> None:
    """As in an image. The tests may run as root, who can write everywhere: so that is refused."""
    jit.load_all(SMALL)
    folder = cache.cache_folder(SMALL)
    assert folder is not None
    before = {file: file.stat().st_mtime_ns for file in folder.rglob("*")}
    done = subprocess.run(
        [sys.executable, "-c", LOAD_READ_ONLY], capture_output=True, encoding="utf-8", timeout=600
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == [str(folder), "0"]
    assert {file: file.stat().st_mtime_ns for file in folder.rglob("*")} == before


@needs_jit
def test_an_incomplete_cache_that_cannot_be_written_to_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COATL_CACHE_DIR", str(tmp_path))
    can_write = cache.can_write
    monkeypatch.setattr(
        cache, "can_write", lambda folder: tmp_path not in folder.parents and can_write(folder)
    )
    cache.cache_folder.cache_clear()
    try:
        folder = cache.cache_folder()
        assert folder is not None
        assert tmp_path not in folder.parents
    finally:
        cache.cache_folder.cache_clear()
