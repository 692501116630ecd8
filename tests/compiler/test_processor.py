"""Code for a processor that this machine does not have is found out before it runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from coatl.cli import serve
from coatl.cli.console import Failure
from coatl.compiler import processor

NEW = "flags\t\t: fpu " + " ".join(processor.LEVELS["x86-64-v3"])
OLD = NEW.replace(" avx2", "").replace(" bmi2", "")


@pytest.mark.parametrize(
    ("level", "cpu_info", "missing"),
    [
        ("x86-64-v3", NEW, []),
        ("x86-64-v3", OLD, ["avx2", "bmi2"]),
        ("x86-64-v2", OLD, []),
        ("generic", OLD, []),
        ("x86-64-v3", "Features\t: fp asimd", []),  # not told in these words
    ],
)
def test_what_a_level_needs(level: str, cpu_info: str, missing: list[str]) -> None:
    assert processor.missing_flags(level, f"processor\t: 0\n{cpu_info}\n") == missing


def test_a_server_on_an_old_processor_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cpuinfo").write_text(OLD)
    monkeypatch.setattr(processor, "CPU_INFO", tmp_path / "cpuinfo")
    assert processor.unsuitable() is None  # it was compiled here
    monkeypatch.setenv("NUMBA_CPU_NAME", "x86-64-v3")
    with pytest.raises(Failure, match="x86-64-v3, but this processor lacks avx2, bmi2"):
        serve.serve_tables({"data": tmp_path, "port": 0})


def test_without_a_list_of_flags_nothing_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processor, "CPU_INFO", tmp_path / "missing")
    assert processor.unsuitable({"NUMBA_CPU_NAME": "x86-64-v3"}) is None
