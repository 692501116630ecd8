"""Compiling the kernel: lazily, once, with a cache that cannot be stale.

* ``@kernel`` marks a function of the kernel. Its Numba signature is taken from its annotations, so
  that it is compiled exactly once; it is compiled only when an entry has to be.
* ``@entry`` marks one of the few functions Python calls. Its machine code is cached on disk.

Numba's own cache looks at one source file at a time. Ours lives in a folder named after a hash of
the whole package, the versions and the flags: change anything and the folder is another. Packages
that build on the rules (`PACKAGES`) have folders of their own, and are compiled only when used.

``COATL_CACHE_DIR`` moves the cache. ``NUMBA_DISABLE_JIT=1`` runs everything as plain Python.
Compiling is told on standard error, unless ``COATL_QUIET`` is set or `report_progress` is None.
"""

from __future__ import annotations

import gc
import getpass
import hashlib
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import typing
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, ParamSpec, TypeVar

import llvmlite
import numba
import numpy as np

from coatl.rules.progress import Progress, ProgressReport, tell
from coatl.rules.records import Int8s, Int16s, Int64s, RecordArray, dtype_of

P = ParamSpec("P")
R = TypeVar("R")

_config: Any = numba.config
DISABLED: bool = bool(_config.DISABLE_JIT)
FLAGS: dict[str, Any] = {
    "error_model": "numpy",  # no division checks
    "no_rewrites": True,  # nothing to rewrite; saves compile time
    "no_cfunc_wrapper": True,  # halves the compile time; nothing is called through C
}
KEPT_CACHES = 24  # folders, one for each package and version, that are left alone
COMPLETE = "complete"  # a file that says that all entries of a package are in the cache
ENTRY_SIZE = 3000  # bytes of code that take as long as optimising an entry with all that it calls
LOOK_EVERY = 0.2  # seconds, at what another process has compiled
RULES = "coatl.rules"
# Packages with entries: the module that imports all of them, and whose sources they depend on.
PACKAGES: dict[str, tuple[str, tuple[str, ...]]] = {
    RULES: ("coatl.rules.kernel", (RULES,)),
    "coatl.encode": ("coatl.encode.doors", (RULES, "coatl.encode")),
    "coatl.net": ("coatl.net.doors", (RULES, "coatl.encode", "coatl.net")),
    "coatl.search": (
        "coatl.search.doors",
        (RULES, "coatl.encode", "coatl.net", "coatl.search"),
    ),
    "coatl.fleet": (
        "coatl.fleet.doors",
        (RULES, "coatl.encode", "coatl.net", "coatl.search", "coatl.fleet"),
    ),
    "coatl.env": ("coatl.env.stepping", (RULES, "coatl.encode", "coatl.env")),
    "coatl.lookahead": ("coatl.lookahead.doors", (RULES, "coatl.lookahead")),
}

_kernels: dict[int, tuple[Any, Callable[..., Any]]] = {}  # by id of the dispatcher
_entries: list[AnyEntry] = []
_interrupted = False  # Ctrl-C was pressed while something was compiled

report_progress: ProgressReport | None = tell  # of a first compilation; None: nobody is told
_progress: Progress | None = None  # of the package that is being compiled


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A function of the kernel, callable from kernel code only (compiled code has no wrapper)."""
    return _kernel(function, forceinline=False)


def inline_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A small kernel function on the hot path: LLVM puts it into its callers."""
    return _kernel(function, forceinline=True)


def fast_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel function whose float products and sums may be fused into one rounding."""
    return _kernel(function, forceinline=False, fastmath={"contract"})


def _kernel(function: Callable[P, R], forceinline: bool, **more: Any) -> Callable[P, R]:
    if DISABLED:
        return function
    options = FLAGS | {"no_cpython_wrapper": True, "forceinline": forceinline} | more
    dispatcher = numba.njit(**options)(function)
    _kernels[id(dispatcher)] = (dispatcher, function)
    return typing.cast("Callable[P, R]", dispatcher)


class Entry(typing.Generic[P, R]):
    """A kernel function that Python calls; compiled or loaded at its first call."""

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
        with _numba_cache_in(folder):
            options = FLAGS | {"nogil": self.nogil, "cache": folder is not None}
            dispatcher = numba.njit(**options)(self.function)
            dispatcher.compile(_signature(self.function))
            if folder is not None:
                self.marker(folder).touch()
        dispatcher.disable_compile()
        self.call = dispatcher


AnyEntry = Entry[Any, Any]


def entry(function: Callable[P, R]) -> Entry[P, R]:
    wrapped = Entry(function, aside=False)
    _entries.append(wrapped)
    return wrapped


def long_entry(function: Callable[P, R]) -> Entry[P, R]:
    """An entry that runs for a while, without the GIL: other threads stay free.

    Short ones keep it: giving it away and waiting for it again takes longer than they do.
    """
    wrapped = Entry(function, aside=False, nogil=True)
    _entries.append(wrapped)
    return wrapped


def side_entry(function: Callable[P, R]) -> Entry[P, R]:
    """An entry that a second process compiles meanwhile, so that two cores share the work."""
    wrapped = Entry(function, aside=True)
    _entries.append(wrapped)
    return wrapped


def entries_of(package: str) -> list[AnyEntry]:
    """All entries of a package, whatever was imported so far."""
    import_module(PACKAGES[package][0])
    return [wrapped for wrapped in _entries if wrapped.package == package]


def load_all(package: str = RULES) -> None:
    """Make every entry of a package ready now, rather than at its first call."""
    for wrapped in entries_of(package):
        wrapped.load()
    folder = None if DISABLED else cache_folder(package)
    if folder is not None:
        (folder / COMPLETE).touch()


def load_packages(*packages: str) -> None:
    """Make everything ready that can be compiled, or some packages."""
    for package in packages or PACKAGES:
        load_all(package)


def is_cached(package: str) -> bool:
    """Can all of a package be loaded from the cache? False if that is not known."""
    folder = None if DISABLED else cache_folder(package)
    return folder is not None and (folder / COMPLETE).exists()


def start_filling(packages: Iterable[str]) -> subprocess.Popen[bytes] | None:
    """A process that compiles what the cache lacks, after whatever else runs; None if nothing."""
    missing = [package for package in packages if not is_cached(package)]
    if DISABLED or not missing or cache_folder() is None:
        return None
    return _start_python(f"jit.fill_cache(*{missing})")


def fill_cache(*packages: str) -> None:
    """What that process does."""
    if hasattr(os, "nice"):
        os.nice(10)
    load_packages(*packages)


def compile_all(folder: Path | None, package: str = RULES) -> None:
    """Compile every entry of a package and fill the cache, on two cores if there are any."""
    entries = entries_of(package)
    helper = _start_helper(folder) if any(wrapped.aside for wrapped in entries) else None
    try:
        mine = [wrapped for wrapped in entries if helper is None or not wrapped.aside]
        others = [wrapped for wrapped in entries if wrapped not in mine]
        with _telling(folder, package, mine, others) as progress:
            compile_entries(folder, mine)
            if helper is not None:
                _wait_for(helper, progress)
                compile_entries(folder, others)
        if folder is not None:
            (folder / COMPLETE).touch()
    finally:
        if helper is not None and helper.poll() is None:
            helper.kill()


@contextmanager
def _telling(folder: Path | None, package: str, *groups: list[AnyEntry]) -> Iterator[Progress]:
    """Report the progress of entries; each group is compiled by a process of its own."""
    global _progress
    parts: list[tuple[Callable[[], bool], int]] = []
    for group in groups:
        counted: set[int] = set()
        for wrapped in group:
            callees = _callees(wrapped.function, counted)
            size = ENTRY_SIZE + sum(len(callee.__code__.co_code) for _, callee in callees)
            parts.append((partial(wrapped.is_ready, folder), size))
    _progress = Progress(report_progress, package, parts)
    try:
        yield _progress
        _progress.end()
    finally:
        _progress = None


def _wait_for(helper: subprocess.Popen[bytes], progress: Progress) -> None:
    while True:
        try:
            helper.wait(LOOK_EVERY)
            return
        except subprocess.TimeoutExpired:
            progress.look()


def compile_aside() -> None:
    """What the second process does."""
    compile_entries(cache_folder(), [wrapped for wrapped in entries_of(RULES) if wrapped.aside])


def compile_entries(folder: Path | None, entries: list[AnyEntry]) -> None:
    """Compile entries, or load those that are in the cache by now."""
    with _no_garbage_collection(), _interruptible():
        for wrapped in entries:
            wrapped.compile(folder)
            if _progress is not None:
                _progress.end_part()
            _leave_if_interrupted()


def _start_helper(folder: Path | None) -> subprocess.Popen[bytes] | None:
    """A process that fills the cache with the entries set aside; what it fails at is done here."""
    if folder is None or (os.cpu_count() or 1) < 2:
        return None
    return _start_python("jit.compile_aside()")


def _start_python(statement: str) -> subprocess.Popen[bytes] | None:
    if not sys.executable:
        return None
    command = [sys.executable, "-c", f"from coatl.rules import jit; {statement}"]
    try:
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except OSError:
        return None


@contextmanager
def _lightly_optimised() -> Iterator[None]:
    """Kernel functions are optimised in full where they end up, inside the entries."""
    full = _config.OPT
    _config.OPT = type(full)(min(int(full), 1))
    try:
        yield
    finally:
        _config.OPT = full


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


def _compile_callees(function: Callable[..., Any]) -> None:
    """Compile what `function` calls, callees first, each for its own signature only.

    Numba would otherwise compile a callee for the types of every call, literals included.
    """
    for dispatcher, callee in _callees(function, set()):
        if not _takes_field(callee):
            dispatcher.compile(_signature(callee))
            dispatcher.disable_compile()
            if _progress is not None:
                _progress.add(len(callee.__code__.co_code))
            _leave_if_interrupted()


def _callees(
    function: Callable[..., Any], passed: set[int]
) -> Iterator[tuple[Any, Callable[..., Any]]]:
    """What `function` calls and is not compiled yet, callees first; once, as `passed` notes."""
    for name in function.__code__.co_names:
        found = _kernels.get(id(function.__globals__.get(name)))
        if found is None or found[0].signatures or found[1] is function or id(found[0]) in passed:
            continue  # a field may have the name of the function that reads it
        passed.add(id(found[0]))
        yield from _callees(found[1], passed)
        yield found


def _takes_field(function: Callable[..., Any]) -> bool:
    """Array fields of a record have their length in their type; let Numba meet each of them."""
    return Int8s in typing.get_type_hints(function, include_extras=True).values()


def _signature(function: Callable[..., Any]) -> Any:
    """The Numba signature that the annotations of `function` say."""
    hints = typing.get_type_hints(function, include_extras=True)
    result = _numba_type(hints.pop("return"))
    return result(*(_numba_type(hint) for hint in hints.values()))


def _numba_type(hint: Any) -> Any:
    scalars = {
        type(None): numba.void,
        int: numba.int64,
        float: numba.float64,
        bool: numba.boolean,
    }
    if isinstance(hint, type):
        return scalars[hint] if hint in scalars else numba.from_dtype(dtype_of(hint))
    if typing.get_origin(hint) is typing.Annotated:  # UInt64 and the like
        return numba.from_dtype(np.dtype(hint.__metadata__[0]))
    if typing.get_origin(hint) is tuple:
        make_tuple: Any = numba.types.Tuple
        return make_tuple([_numba_type(part) for part in typing.get_args(hint)])
    if typing.get_origin(hint) is np.ndarray and hint not in (Int16s, Int64s):
        shape, kind = typing.get_args(hint)  # a shape such as tuple[int, int]: two dimensions
        scalar = numba.from_dtype(np.dtype(typing.get_args(kind)[0]))
        return numba.types.Array(scalar, len(typing.get_args(shape)), "C")
    if hint in (Int16s, Int64s):
        scalar = typing.get_args(typing.get_args(hint)[1])[0]
        return numba.from_dtype(np.dtype(scalar))[::1]
    if typing.get_origin(hint) is RecordArray:
        return numba.from_dtype(dtype_of(typing.get_args(hint)[0]))[::1]
    raise TypeError(f"the kernel has no type for {hint}")


@contextmanager
def _numba_cache_in(folder: Path | None) -> Iterator[None]:
    """Let Numba's cache use `folder` while an entry is set up, and nothing else afterwards."""
    previous = _config.CACHE_DIR
    _config.CACHE_DIR = str(folder or "")
    try:
        yield
    finally:
        _config.CACHE_DIR = previous


@lru_cache(maxsize=8)
def cache_folder(package: str = RULES) -> Path | None:
    """The folder for exactly this code on this machine; None if no folder can be written."""
    name = _fingerprint(package)
    for base in _cache_bases():
        folder = base / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError:
            continue
        os.utime(folder)
        _forget_old_caches(base)
        return folder
    return None


def _cache_bases() -> Iterator[Path]:
    chosen = os.environ.get("COATL_CACHE_DIR")
    if chosen:
        yield Path(chosen)
    import platformdirs  # a machine that only computes can do without it

    yield Path(platformdirs.user_cache_dir("coatl", appauthor=False)) / "kernel"
    yield Path(tempfile.gettempdir()) / f"coatl-kernel-{getpass.getuser()}"


def _fingerprint(package: str = RULES) -> str:
    """A name that changes whenever the compiled code could."""
    digest = hashlib.sha256(b"" if package == RULES else package.encode())
    folder = Path(__file__).parent
    for name in PACKAGES[package][1]:
        for source in sorted((folder.parent / name.rpartition(".")[2]).glob("*.py")):
            digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    for fact in (
        sys.version,
        platform.machine(),
        numba.__version__,
        llvmlite.__version__,
        np.__version__,
        str(_config.BOUNDSCHECK),
        str(_config.OPT),
        str(folder),
    ):
        digest.update(fact.encode() + b"\0")
    return digest.hexdigest()[:24]


def _forget_old_caches(base: Path) -> None:
    """Delete the caches of earlier code; nothing else in the folder is ours."""
    caches = [folder for folder in base.iterdir() if re.fullmatch(r"[0-9a-f]{24}", folder.name)]
    for folder in sorted(caches, key=_age)[KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)


def _age(folder: Path) -> float:
    try:
        return -folder.stat().st_mtime
    except OSError:  # another process was faster
        return 0.0
