"""The last line of a screen: its keys, which can be clicked, too."""

from __future__ import annotations

from rich.text import Text
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
        forms = [
            "  ".join(_link(key, binding) for key, binding in keys),
            " ".join(_link(key, binding) for key, binding in keys),
            " ".join(_link(key, binding, in_word=True) for key, binding in keys),
        ]
        fitting = (form for form in forms if Text.from_markup(form).cell_len <= self.size.width)
        self.update(next(fitting, forms[-1]), layout=False)

    def _keys(self) -> list[tuple[str, Binding]]:
        """What the screen shows, one key for each action."""
        shown = [one.binding for one in self.screen.active_bindings.values() if one.binding.show]
        first = {binding.action: binding for binding in reversed(shown)}
        return [(self.app.get_key_display(one), one) for one in reversed(first.values())]


def _link(key: str, binding: Binding, in_word: bool = False) -> str:
    """A key and what it does; to save room, the key may be the first letter of the word."""
    word = binding.description
    is_first = in_word and word.lower().startswith(key)
    text = f"[b]{word[0]}[/]{word[1:]}" if is_first else f"[b]{key}[/] {word}"
    return f"[@click={_target(binding.action)}]{text}[/]"


def _target(action: str) -> str:
    """Actions are those of the screen, unless they say otherwise."""
    return f"{action}()" if action.startswith("app.") else f"screen.{action}()"
