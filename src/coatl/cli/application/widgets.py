"""One thing on the table as a widget that the mouse and the keys can reach."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Static

from coatl.cli.application.things import Thing


class ThingWidget(Static, can_focus=True):
    """Shows a thing, and tells when somebody points at it or chooses it.

    The bar at its left is a mark, with a shape of its own for each meaning: the focus is a full
    block, what may be chosen next a dashed line, what was chosen a double one.
    """

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "choose", show=False)]
    DEFAULT_CSS = """
    ThingWidget { padding-left: 1; height: 1; width: auto; }
    ThingWidget.legal { outline-left: dashed $mark; }
    ThingWidget.hinted { outline-left: heavy $mark; }
    ThingWidget.chosen { outline-left: double $mark; }
    ThingWidget:hover { background: $well; }
    ThingWidget:focus { outline-left: thick $mark; background: $well; }
    """

    class Chosen(Message):
        """Somebody clicked it, or pressed Enter on it."""

        def __init__(self, widget: ThingWidget, thing: Thing) -> None:
            super().__init__()
            self.widget, self.thing = widget, thing

    class Looked(Message):
        """It has the focus or the mouse."""

        def __init__(self, thing: Thing) -> None:
            super().__init__()
            self.thing = thing

    def __init__(self, **options: Any) -> None:
        super().__init__("", **options)
        self.thing: Thing | None = None
        self._shown: Text | None = None
        self.can_focus = False

    def show(self, thing: Thing | None, text: Text | str) -> None:
        """Nothing can be done with a place that has no thing."""
        self.thing, self.can_focus = thing, thing is not None
        shown = text if isinstance(text, Text) else Text(text)
        if self._shown != shown or self._shown.spans != shown.spans:
            self._shown = shown
            self.update(shown, layout=self.styles.auto_dimensions)

    def forget(self) -> None:
        """What was shown has other colours now."""
        self._shown = None

    def mark(self, legal: bool, chosen: bool, hinted: bool) -> None:
        self.set_class(legal, "legal")
        self.set_class(chosen, "chosen")
        self.set_class(hinted, "hinted")

    def action_choose(self) -> None:
        if self.thing is not None:
            self.post_message(self.Chosen(self, self.thing))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.action_choose()

    def on_focus(self) -> None:
        self._tell_looked()

    def on_enter(self) -> None:
        self._tell_looked()

    def _tell_looked(self) -> None:
        if self.thing is not None:
            self.post_message(self.Looked(self.thing))
