"""The compiled kernel's cache can never be stale, and its absence is no obstacle."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from coatl.rules import jit

needs_jit = pytest.mark.skipif(jit.DISABLED, reason="about the compiled kernel")


def test_the_fingerprint_covers_every_source_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A change in any file of the package, or of the flags, gives another cache folder."""
    before = jit._fingerprint()
    sources = sorted(Path(jit.__file__).parent.glob("*.py"))
    assert {"apply.py", "legal.py", "state.py", "pieces.py"} <= {file.name for file in sources}
    original = Path.read_bytes
    for changed in sources:

        def read(self: Path, changed: Path = changed) -> bytes:
            return original(self) + (b"#" if self == changed else b"")

        monkeypatch.setattr(Path, "read_bytes", read)
        assert jit._fingerprint() != before, changed.name
    monkeypatch.setattr(Path, "read_bytes", original)
    assert jit._fingerprint() == before
    monkeypatch.setattr(jit._config, "BOUNDSCHECK", 1 - int(bool(jit._config.BOUNDSCHECK)))
    assert jit._fingerprint() != before


def test_only_our_own_old_caches_are_deleted(tmp_path: Path) -> None:
    ours = [f"{number:024x}" for number in range(8)]
    for age, name in enumerate([*ours, "precious", "0123"]):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    jit._forget_old_caches(tmp_path)
    left = {folder.name for folder in tmp_path.iterdir()}
    assert left == {*ours[: jit.KEPT_CACHES], "precious", "0123"}


@needs_jit
def test_a_folder_that_cannot_be_written_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("COATL_CACHE_DIR", str(tmp_path / "file"))
    jit.cache_folder.cache_clear()
    try:
        folder = jit.cache_folder()
        assert folder is not None
        assert tmp_path not in folder.parents
    finally:
        jit.cache_folder.cache_clear()


@needs_jit
def test_a_part_imported_alone_compiles_the_whole(tmp_path: Path) -> None:
    """Whichever entry is called first, the cache that it leaves serves every other."""
    script = (
        "from coatl.rules import chance, jit;"
        "jit.Entry.compile = lambda self, folder: print(self.__name__);"
        "jit._start_helper = lambda folder: None;"
        "chance.fill_words.load()"
    )
    env = os.environ | {"COATL_CACHE_DIR": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", script], env=env, check=True, capture_output=True)
    compiled = run.stdout.decode().split()
    assert sorted(compiled) == sorted(wrapped.__name__ for wrapped in jit.entries_of(jit.RULES))
    assert {"fill_words", "new_game", "apply", "completed"} <= set(compiled)


class Interrupted(jit.Entry[[], None]):
    """An entry during whose compilation Ctrl-C is pressed, inside a call from LLVM."""

    begun = False

    def compile(self, folder: Path | None) -> None:
        self.begun = True
        with contextlib.suppress(KeyboardInterrupt):  # as a call from C does
            signal.raise_signal(signal.SIGINT)


def test_ctrl_c_during_a_first_compilation_is_never_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[float] = []
    monkeypatch.setattr(jit, "report_progress", lambda _package, share: told.append(share))
    entries = [Interrupted(lambda: None, False) for _ in range(2)]
    group: list[jit.AnyEntry] = [*entries]
    with pytest.raises(KeyboardInterrupt), jit._telling(None, jit.RULES, group):
        jit.compile_entries(None, group)
    assert [entry.begun for entry in entries] == [True, False]
    assert 1.0 not in told
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
