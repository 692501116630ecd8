"""Entries are compiled together, and Ctrl-C meanwhile is not lost."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from coatl.compiler import jit
from coatl.compiler.functions import DISABLED
from coatl.compiler.packages import RULES

needs_jit = pytest.mark.skipif(DISABLED, reason="about compiled code")


@needs_jit
def test_a_part_imported_alone_compiles_the_whole(tmp_path: Path) -> None:
    """Whichever entry is called first, the cache that it leaves serves every other."""
    script = (
        "from coatl.compiler import jit; from coatl.rules import chance;"
        "jit.EntryPoint.compile = lambda self, folder: print(self.__name__);"
        "jit._start_helper = lambda *_: None;"
        "chance.fill_words.load()"
    )
    env = os.environ | {"COATL_CACHE_DIR": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", script], env=env, check=True, capture_output=True)
    compiled = run.stdout.decode().split()
    assert sorted(compiled) == sorted(point.__name__ for point in jit.entries_of(RULES))
    assert {"fill_words", "new_game", "apply", "completed"} <= set(compiled)


class Interrupted(jit.EntryPoint[[], None]):
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
    group: list[jit.AnyEntryPoint] = [*entries]
    with pytest.raises(KeyboardInterrupt), jit._reporting(None, RULES, group):
        jit.compile_entries(None, group)
    assert [entry.begun for entry in entries] == [True, False]
    assert 1.0 not in told
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
