"""Bodies and answers of the requests about analyses."""

from __future__ import annotations

from typing import Literal

from coatl.analysis.data import Report
from coatl.server.protocol.fields import ClientMessage, ServerMessage

AnalysisDepth = Literal["quick", "normal", "deep"]
AnalysisStatus = Literal["none", "waiting", "running", "stopped", "done"]


class NewAnalysis(ClientMessage, frozen=True):
    """An analysis of a table's game, which must be over."""

    depth: AnalysisDepth = "normal"  # if there is one as deep, that is the answer


class RecordAnalysis(ClientMessage, frozen=True):
    """An analysis of a game in a file, which must be over."""

    record: str  # the text of a .coatl file
    depth: AnalysisDepth = "normal"  # if there is one as deep, that is the answer


class AnalysisState(ServerMessage, frozen=True):
    """How far an analysis is. What was found stays: asked for again, a stopped one goes on."""

    id: str  # of the analysis
    status: AnalysisStatus  # stopped: cancelled, out of time, or the server was restarted
    depth: AnalysisDepth | None = None  # of the one that is under way or was stopped
    done: int = 0  # steps
    steps: int = 0  # how many there are; 0: not known yet
    ahead: int = 0  # analyses that are made before this one
    yours: bool = False  # it was asked for with your token, so you may cancel it
    report: Report | None = None  # the last that was finished, perhaps at another depth


class AnalysisPicture(ServerMessage, frozen=True):
    """The chances after each turn as a picture, for sharing."""

    svg: str  # the text of an SVG file
