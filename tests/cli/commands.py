"""The commands that the program has."""

from __future__ import annotations

from typing import Any

import typer

from coatl.cli.main import app


def every_command(group: Any = None, before: str = "") -> dict[str, Any]:
    """The commands of the program by what one types for them."""
    found: dict[str, Any] = {}
    group = typer.main.get_command(app) if group is None else group
    for name, command in group.commands.items():
        found[f"{before}{name}"] = command
        if hasattr(command, "commands"):
            found |= every_command(command, f"{before}{name} ")
    return found
