"""The last line of a screen: its keys, which can be clicked, too."""

from __future__ import annotations

from textual.binding import Binding
from textual.widgets import Static


class KeyBar(Static):
    """Written when the size changes: Textual's own footer is made anew whenever the focus moves."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    KeyBar { dock: bottom; height: 1; background: $lintel; color: $on-lintel; padding: 0 1;
      text-wrap: nowrap; text-overflow: ellipsis;
      link-color: $on-lintel; link-style: none; link-background: $lintel;
      link-color-hover: $on-fill; link-background-hover: $fill; link-style-hover: none; }
    """

    def on_resize(self) -> None:
        keys = self._keys()
        needed = sum(len(f"{key} {binding.description}  ") for key, binding in keys)
        between = "  " if needed <= self.size.width else " "
        self.update(
            between.join(
                f"[@click={_target(binding.action)}][b]{key}[/] {binding.description}[/]"
                for key, binding in keys
            ),
            layout=False,
        )

    def _keys(self) -> list[tuple[str, Binding]]:
        """What the screen shows, one key for each action."""
        shown = [one.binding for one in self.screen.active_bindings.values() if one.binding.show]
        first = {binding.action: binding for binding in reversed(shown)}
        return [(self.app.get_key_display(one), one) for one in reversed(first.values())]


def _target(action: str) -> str:
    """Actions are those of the screen, unless they say otherwise."""
    return f"{action}()" if action.startswith("app.") else f"screen.{action}()"
