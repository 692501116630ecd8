"""One analysis that a server makes: it waits, runs step by step, and may be cancelled."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coatl.analysis import Analysis


class Job:
    """`cancel` and the figures may be used in any thread, the rest in that of the analyses."""

    def __init__(self, id: str, record: str, depth: str, address: str) -> None:
        self.id, self.depth, self.address = id, depth, address
        self.is_cancelled = False
        self.done, self.steps = 0, 0  # as soon as it runs
        self._record = record
        self._analysis: Analysis | None = None

    @property
    def is_running(self) -> bool:
        return self._analysis is not None

    def begin(self, kept: bytes | None) -> Analysis:
        """Go on from what is kept, unless that is of an earlier version."""
        from coatl.analysis import Analysis, AnalysisError  # needs the compiled search
        from coatl.analysis.course import seats_of_people

        analysis = None
        if kept is not None:
            with suppress(AnalysisError):
                analysis = Analysis.resume(self._record, kept)
        if analysis is None:
            people = seats_of_people(self._record)
            analysis = Analysis.of_record(self._record, self.depth, people)
        self.done, self.steps = analysis.done, analysis.steps
        self._analysis = analysis
        if self.is_cancelled:  # meanwhile
            analysis.cancel()
        return analysis

    def step(self) -> bool:
        """Do the next step; False if none is left, or it was cancelled."""
        from coatl.analysis import Cancelled

        assert self._analysis is not None
        try:
            is_more = self._analysis.step()
        except Cancelled:
            return False
        self.done = self._analysis.done
        return is_more

    def cancel(self) -> None:
        self.is_cancelled = True
        if self._analysis is not None:
            self._analysis.cancel()
