"""Functions that Python calls, and what compiles them: lazily, once, on two cores.

``@entry`` marks one of the few compiled functions Python calls. The first call of any entry
compiles all entries of its package, callees first, or loads it from the cache (`cache`).

``NUMBA_DISABLE_JIT=1`` runs everything as plain Python. Compiling is reported on standard error,
unless ``COATL_QUIET`` is set or `report_progress` is None.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import typing
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, ParamSpec, TypeVar

import numba

from coatl.compiler.cache import COMPLETE, cache_folder, can_write, is_cached, numba_cache_in
from coatl.compiler.functions import DISABLED, FLAGS, callees, numba_config
from coatl.compiler.packages import RULES, compiled_packages, import_entries
from coatl.compiler.progress import CompileProgress, ProgressReport, print_progress
from coatl.compiler.signatures import signature, takes_field

P = ParamSpec("P")
R = TypeVar("R")

ENTRY_SIZE = 3000  # bytes of code that take as long as optimising an entry with all that it calls
POLL_SECONDS = 0.2  # between two looks at what another process has compiled

_entries: list[AnyEntryPoint] = []
_interrupted = False  # Ctrl-C was pressed while something was compiled

report_progress: ProgressReport | None = print_progress  # of a first compilation; None: to nobody
_progress: CompileProgress | None = None  # of the package that is being compiled


class EntryPoint(typing.Generic[P, R]):
    """A compiled function that Python calls; compiled or loaded at its first call."""

    def __init__(self, function: Callable[P, R], aside: bool, nogil: bool = False) -> None:
        self.function = function
        self.aside = aside
        self.nogil = nogil
        self.package = function.__module__.rpartition(".")[0]
        self.call: Callable[P, R] = function if DISABLED else self._first_call
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.call(*args, **kwargs)

    def _first_call(self, *args: P.args, **kwargs: P.kwargs) -> R:
        self.load()
        return self.call(*args, **kwargs)

    def load(self) -> None:
        """Compile this entry, or load it from the cache."""
        if DISABLED or self.call != self._first_call:
            return
        folder = cache_folder(self.package)
        if folder is not None and self.marker(folder).exists():
            self.compile(folder)
        else:
            compile_all(folder, self.package)

    def marker(self, folder: Path) -> Path:
        """A file that says that this entry is in the cache."""
        return folder / f"{self.function.__module__}.{self.__name__}.ready"

    def is_ready(self, folder: Path | None) -> bool:
        """Is it compiled, here or in the cache?"""
        compiled = self.call != self._first_call
        return compiled or (folder is not None and self.marker(folder).exists())

    def compile(self, folder: Path | None) -> None:
        if folder is None or not self.marker(folder).exists():
            with _lightly_optimised():
                _compile_callees(self.function)
        with numba_cache_in(folder):
            options = FLAGS | {"nogil": self.nogil, "cache": folder is not None}
            dispatcher = numba.njit(**options)(self.function)
            dispatcher.compile(signature(self.function))
            if folder is not None:
                _note(self.marker(folder))
        dispatcher.disable_compile()
        self.call = dispatcher


AnyEntryPoint = EntryPoint[Any, Any]


def entry(function: Callable[P, R]) -> EntryPoint[P, R]:
    """A compiled function that Python calls."""
    return _register(EntryPoint(function, aside=False))


def long_entry(function: Callable[P, R]) -> EntryPoint[P, R]:
    """An entry that runs for a while, without the GIL: other threads stay free.

    Short ones keep it: giving it away and waiting for it again takes longer than they do.
    """
    return _register(EntryPoint(function, aside=False, nogil=True))


def side_entry(function: Callable[P, R]) -> EntryPoint[P, R]:
    """An entry that a second process compiles meanwhile, so that two cores share the work."""
    return _register(EntryPoint(function, aside=True))


def _register(point: EntryPoint[P, R]) -> EntryPoint[P, R]:
    _entries.append(point)
    return point


def entries_of(package: str) -> list[AnyEntryPoint]:
    """All entries of a package, whatever was imported so far."""
    import_entries(package)
    return [point for point in _entries if point.package == package]


# ---------------------------------------------------------------- loading


def load_all(package: str = RULES) -> None:
    """Make every entry of a package ready now, rather than at its first call."""
    for point in entries_of(package):
        point.load()
    folder = None if DISABLED else cache_folder(package)
    if folder is not None:
        _note(folder / COMPLETE)


def _note(file: Path) -> None:
    """Make an empty file; where nothing can be written, it is there."""
    if not file.exists():
        file.touch()


def load_packages(*packages: str) -> None:
    """Make everything ready that can be compiled, or some packages."""
    for package in packages or compiled_packages():
        load_all(package)


def compile_all(folder: Path | None, package: str = RULES) -> None:
    """Compile every entry of a package and fill the cache, on two cores if there are any."""
    entries = entries_of(package)
    helper = _start_helper(folder, package) if any(point.aside for point in entries) else None
    try:
        mine = [point for point in entries if helper is None or not point.aside]
        others = [point for point in entries if point not in mine]
        with _reporting(folder, package, mine, others) as progress:
            compile_entries(folder, mine)
            if helper is not None:
                _wait_for(helper, progress)
                compile_entries(folder, others)
        if folder is not None:
            (folder / COMPLETE).touch()
    finally:
        if helper is not None and helper.poll() is None:
            helper.kill()


def compile_entries(folder: Path | None, entries: list[AnyEntryPoint]) -> None:
    """Compile entries, or load those that are in the cache by now."""
    with _no_garbage_collection(), _interruptible():
        for point in entries:
            point.compile(folder)
            if _progress is not None:
                _progress.end_part()
            _leave_if_interrupted()


def _compile_callees(function: Callable[..., Any]) -> None:
    """Compile what `function` calls, callees first, each for its own signature only.

    Numba would otherwise compile a callee for the types of every call, literals included.
    """
    for dispatcher, callee in callees(function, set()):
        if not takes_field(callee):
            dispatcher.compile(signature(callee))
            dispatcher.disable_compile()
            if _progress is not None:
                _progress.add(len(callee.__code__.co_code))
            _leave_if_interrupted()


@contextmanager
def _lightly_optimised() -> Iterator[None]:
    """Inner functions are optimised in full where they end up, inside the entries."""
    full = numba_config.OPT
    numba_config.OPT = type(full)(min(int(full), 1))
    try:
        yield
    finally:
        numba_config.OPT = full


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Compiling makes many objects that live on; looking through them again takes time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def _reporting(
    folder: Path | None, package: str, *groups: list[AnyEntryPoint]
) -> Iterator[CompileProgress]:
    """Report the progress of entries; each group is compiled by a process of its own."""
    global _progress
    parts: list[tuple[Callable[[], bool], int]] = []
    for group in groups:
        counted: set[int] = set()
        for point in group:
            called = callees(point.function, counted)
            size = ENTRY_SIZE + sum(len(callee.__code__.co_code) for _, callee in called)
            parts.append((partial(point.is_ready, folder), size))
    _progress = CompileProgress(report_progress, package, parts)
    try:
        yield _progress
        _progress.end()
    finally:
        _progress = None


# ---------------------------------------------------------------- other processes


def start_filling(packages: Iterable[str]) -> subprocess.Popen[bytes] | None:
    """A process that compiles what the cache lacks, after whatever else runs; None if nothing."""
    missing = [package for package in packages if not is_cached(package)]
    if DISABLED or not missing or cache_folder() is None:
        return None
    return _start_python(f"jit.fill_cache(*{missing})")


def fill_cache(*packages: str) -> None:
    """What that process does; if another one is at it, it waits and has nothing left to do."""
    if hasattr(os, "nice"):
        os.nice(10)
    with _filling_alone():
        for package in packages:
            if not is_cached(package):
                load_all(package)


@contextmanager
def _filling_alone() -> Iterator[None]:
    """Several programs that start on an empty cache do not all compile the same."""
    folder = cache_folder()
    if folder is None or not can_write(folder):
        yield
        return
    try:
        import fcntl
    except ImportError:  # Windows: they do, and the last one's files stay
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "filling").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _start_helper(folder: Path | None, package: str) -> subprocess.Popen[bytes] | None:
    """A process that fills the cache with the entries set aside; what it fails at is done here."""
    if folder is None or (os.cpu_count() or 1) < 2:
        return None
    return _start_python(f"jit.compile_aside({package!r})")


def compile_aside(package: str) -> None:
    """What the second process does."""
    aside = [point for point in entries_of(package) if point.aside]
    compile_entries(cache_folder(package), aside)


def _wait_for(helper: subprocess.Popen[bytes], progress: CompileProgress) -> None:
    while True:
        try:
            helper.wait(POLL_SECONDS)
            let_go(helper)
            return
        except subprocess.TimeoutExpired:
            progress.look()


def _start_python(statement: str) -> subprocess.Popen[bytes] | None:
    """A process that ends with this one, even if this one is killed."""
    if not sys.executable:
        return None
    start = "from coatl.compiler import jit; jit.end_with_parent()"
    command = [sys.executable, "-c", f"{start}; {statement}"]
    quiet = subprocess.DEVNULL
    try:
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet)
    except OSError:
        return None


def let_go(process: subprocess.Popen[bytes]) -> None:
    """Close what holds a process of `_start_python`; if it still runs, it ends."""
    if process.stdin is not None:
        process.stdin.close()


def end_with_parent() -> None:
    """End this process when its standard input does, which only its parent holds open."""

    def wait() -> None:
        os.read(0, 1)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


# ---------------------------------------------------------------- Ctrl-C


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C wait for the function being compiled, about a second; pressed again, not that.

    LLVM calls back into Python, and a KeyboardInterrupt raised in there would be lost.
    """
    global _interrupted
    usual = signal.getsignal(signal.SIGINT)
    is_main_thread = threading.current_thread() is threading.main_thread()
    if usual is not signal.default_int_handler or not is_main_thread:
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        _interrupted = False


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _interrupted
    if _interrupted:
        signal.default_int_handler(number, frame)
    _interrupted = True


def _leave_if_interrupted() -> None:
    if _interrupted:
        raise KeyboardInterrupt
