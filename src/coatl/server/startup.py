"""What a server does between its first answer and its first table: it compiles and loads the rules.

Nothing is imported here that needs the compiler, which takes half a second to load.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coatl.compiler.elsewhere import CompileProcess
    from coatl.server.limits import Buckets
    from coatl.server.refusals import Refusals
    from coatl.server.settings import ServerSettings
    from coatl.server.store import Store

STARTING, START_FAILED = "starting", "start_failed"  # the codes of what is refused meanwhile
MEANINGS = {
    STARTING: "the server is starting and may have to compile the rules; try again in a moment",
    START_FAILED: "the server could not start; its log says why",
}

MakeApp = Callable[["Store", "ServerSettings", "Refusals", "Buckets", Callable[[], int]], Any]


class StartupStatus(StrEnum):
    """How far a server is with starting."""

    STARTING = "starting"  # the program is being loaded
    COMPILING = "compiling"  # the rules are being compiled: on the first start, or after an update
    READY = "ready"  # tables can be opened and played
    FAILED = "failed"  # it could not start; its log says why


class Startup:
    """`prepare` is run in a thread; whoever wants to know looks at `status` and `compiled`."""

    def __init__(self, on_ready: Callable[[], None] = lambda: None) -> None:
        self.on_ready = on_ready  # is called when tables can be opened
        self.status = StartupStatus.STARTING
        self.compiled = 0.0  # the share of the rules
        self._process: CompileProcess | None = None
        self.is_stopped = False

    def prepare(self) -> MakeApp:
        """Make the rules ready, and return what makes the application that plays by them."""
        gc.disable()  # what is loaded stays: looking for garbage in it takes a tenth of the time
        try:
            return self._prepare()
        finally:
            gc.enable()

    def _prepare(self) -> MakeApp:
        from coatl.compiler import jit
        from coatl.compiler.cache import is_cached
        from coatl.compiler.elsewhere import CompileProcess, can_compile_elsewhere
        from coatl.compiler.packages import RULES

        if can_compile_elsewhere(RULES):
            self._process = CompileProcess(RULES, self._report)
            if self.is_stopped:
                self._process.stop()
            self._process.run()
        if not is_cached(RULES):
            gc.enable()  # a compiler leaves much garbage behind
        jit.report_progress, usual = self._report, jit.report_progress
        jit.load_all()  # from the cache, or compiled here where no cache can be written
        jit.report_progress = usual
        from coatl.rules.cards import standard_deck
        from coatl.server.app import make_app
        from coatl.server.garbage import collect_in_small_steps
        from coatl.view.texts import view_texts

        view_texts(standard_deck())  # or the first to be shown a table would wait for it
        collect_in_small_steps()
        return make_app

    def _report(self, package: str, share: float) -> None:
        """For the page, and for whoever looks at the terminal or the log."""
        from coatl.compiler.progress import print_progress

        self.status = StartupStatus.COMPILING
        self.compiled = max(self.compiled, share)
        print_progress(package, share)

    def stop(self) -> None:
        """End what is compiling; `prepare` then raises."""
        self.is_stopped = True
        if self._process is not None:
            self._process.stop()
