"""What one seat may know: the view that players, pages and bots are given."""

from coatl.view.data import (
    AdamCard,
    AdamView,
    CardProgress,
    CoatlView,
    Pile,
    SeatView,
    TempleProgress,
    ViewData,
)
from coatl.view.parts import progress
from coatl.view.view import View, make_view, view_json

__all__ = [
    "AdamCard",
    "AdamView",
    "CardProgress",
    "CoatlView",
    "Pile",
    "SeatView",
    "TempleProgress",
    "View",
    "ViewData",
    "make_view",
    "progress",
    "view_json",
]
