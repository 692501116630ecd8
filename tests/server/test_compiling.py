"""A bot's first move waits for what it needs to be compiled, and for nothing else."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from coatl.compiler import cache, jit
from coatl.compiler.cache import COMPLETE
from coatl.compiler.functions import DISABLED
from coatl.compiler.packages import RULES, compiled_packages
from coatl.players.bots import NETWORK, SEARCH
from coatl.server import compiling as server_compiling
from coatl.server.compiling import Compiling
from tests.server.harness import PATIENCE

needs_jit = pytest.mark.skipif(DISABLED, reason="about the compiled kernel")


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    """Takes as long as it is let."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.communicate()


@pytest.fixture
def compiling(
    process: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Compiling]:
    """As on a machine where nothing is compiled yet but the rules."""
    monkeypatch.setattr(jit, "start_filling", lambda _packages: process)
    monkeypatch.setattr(server_compiling, "is_cached", lambda package: package in cached)
    compiling = Compiling()
    compiling.start()
    cached.clear()
    yield compiling
    compiling.close()


cached: set[str] = set()


def waits(compiling: Compiling, bot: str | None) -> bool:
    """Does a bot have to wait now, or a hint (None)?"""

    async def wait() -> None:
        waiting = compiling.wait_for_hints() if bot is None else compiling.wait_for(bot)
        await asyncio.wait_for(waiting, 0.5)

    try:
        asyncio.run(wait())
    except TimeoutError:
        return True
    return False


def test_a_bot_waits_for_its_own_packages(compiling: Compiling) -> None:
    assert waits(compiling, "artisan")
    cached.update(NETWORK)
    assert not waits(compiling, "artisan")
    assert waits(compiling, "priest:9")
    cached.update(SEARCH)
    assert not waits(compiling, "priest:9")


def test_a_hint_waits_for_the_search_and_the_solver(compiling: Compiling) -> None:
    cached.update(SEARCH)
    assert waits(compiling, None)
    cached.add("coatl.solver")
    assert not waits(compiling, None)


def test_a_bot_that_needs_nothing_does_not_wait(compiling: Compiling) -> None:
    assert not waits(compiling, "greedy")
    assert not waits(compiling, "somebody:Else")


def test_nobody_waits_for_a_process_that_has_ended(
    compiling: Compiling, process: subprocess.Popen[bytes]
) -> None:
    process.kill()
    process.wait()
    assert not waits(compiling, "high-priest")


def test_the_process_ends_with_the_server(
    compiling: Compiling, process: subprocess.Popen[bytes]
) -> None:
    compiling.close()
    assert process.poll() is not None


@needs_jit
def test_only_what_the_cache_lacks_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in compiled_packages():
        (tmp_path / package).mkdir()
    for module in (cache, jit):
        monkeypatch.setattr(module, "cache_folder", lambda package=RULES: tmp_path / package)
    started: list[str] = []
    monkeypatch.setattr(jit, "_start_python", started.append)
    (tmp_path / "coatl.encode" / COMPLETE).touch()
    jit.start_filling(NETWORK)
    assert started == ["jit.fill_cache(*['coatl.net'])"]
    (tmp_path / "coatl.net" / COMPLETE).touch()
    assert jit.start_filling(NETWORK) is None
    assert len(started) == 1


def test_the_process_ends_with_a_server_that_is_killed() -> None:
    """Then nobody holds its standard input any more."""
    process = jit._start_python("import time; time.sleep(600)")
    assert process is not None
    try:
        assert process.poll() is None
        jit.let_go(process)
        assert process.wait(PATIENCE) == 1
    finally:
        process.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="files cannot be locked like that there")
def test_several_servers_do_not_compile_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second waits until the first is done, and then finds all of it."""
    import fcntl

    compiled: list[str] = []
    monkeypatch.setattr(jit, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(jit, "is_cached", lambda package: package in cached)
    monkeypatch.setattr(jit, "load_all", compiled.append)
    monkeypatch.setattr(os, "nice", lambda _: 0)
    cached.clear()
    with (tmp_path / "filling").open("w") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        second = threading.Thread(target=jit.fill_cache, args=("coatl.net", "coatl.search"))
        second.start()
        second.join(0.2)
        assert second.is_alive()
        cached.add("coatl.net")
    second.join(PATIENCE)
    assert not second.is_alive()
    assert compiled == ["coatl.search"]
