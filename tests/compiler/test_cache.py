"""A cache of compiled code can never be stale, and its absence is no obstacle."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import coatl
from coatl.compiler import cache, packages
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
