"""Analysis of a finished game: chances after every turn, better moves, grades, and words."""

from coatl.analysis.analysis import SEED, Analysis
from coatl.analysis.chances import Cancelled
from coatl.analysis.course import AnalysisError
from coatl.analysis.data import Report, from_json, to_json
from coatl.analysis.depth import DEPTHS, NORMAL, Depth

__all__ = [
    "DEPTHS",
    "NORMAL",
    "SEED",
    "Analysis",
    "AnalysisError",
    "Cancelled",
    "Depth",
    "Report",
    "from_json",
    "to_json",
]
