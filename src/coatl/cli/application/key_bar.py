"""The last line of a screen: its keys, which can be clicked, too."""

from __future__ import annotations

from textual.widgets import Static


class KeyBar(Static):
    """Written once: Textual's own footer is made anew whenever the focus moves."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    KeyBar { dock: bottom; height: 1; background: $lintel; color: $on-lintel; padding: 0 1;
      text-wrap: nowrap; text-overflow: ellipsis;
      link-color: $on-lintel; link-style: none; link-background: $lintel;
      link-color-hover: $on-fill; link-background-hover: $fill; link-style-hover: none; }
    """

    def on_mount(self) -> None:
        shown = [one.binding for one in self.screen.active_bindings.values() if one.binding.show]
        first = {binding.action: binding for binding in reversed(shown)}
        self.update(
            "  ".join(
                f"[@click={_target(binding.action)}]"
                f"[b $footer-key-foreground]{self.app.get_key_display(binding)}[/] "
                f"{binding.description}[/]"
                for binding in reversed(first.values())
            )
        )


def _target(action: str) -> str:
    """Actions are those of the screen, unless they say otherwise."""
    return f"{action}()" if action.startswith("app.") else f"screen.{action}()"
