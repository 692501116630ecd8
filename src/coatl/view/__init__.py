"""What one seat may know: the view that players, pages and bots are given."""

from coatl.view.view import (
    AdamCard,
    AdamView,
    CardProgress,
    CoatlView,
    Pile,
    SeatView,
    TempleProgress,
    View,
    ViewData,
    list_moves,
    make_view,
    progress,
)

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
    "list_moves",
    "make_view",
    "progress",
]
