"""`coatl serve`, and `coatl play` in the browser, with one clear line when it cannot start."""

from __future__ import annotations

import json
import sys
import threading
import urllib.request
import webbrowser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from coatl.cli.console import Failure
from coatl.compiler.processor import unsuitable
from coatl.server.config import CONFIG_VARIABLE, SettingsError, load_config
from coatl.server.run import ServeError, leave_stuck_bots, serve, serve_with_workers
from coatl.server.setting_values import PREFIX

HOST, PORT = "127.0.0.1", 8642


def serve_tables(
    given: Mapping[str, Any],
    config_file: Path | None = None,
    on_listening: Callable[[], None] | None = None,
) -> None:
    """`given` are the options by name; None is one that was left out."""
    if reason := unsuitable():
        raise Failure(reason)
    try:
        chosen = without_none(given)
        config = load_config(chosen, config_file)
        options, settings = config.options, config.settings
        where = (options.host, options.port, options.store, settings)
        if options.workers > 1:
            serve_with_workers(*where, options.workers, as_variables(chosen, config_file))
        else:
            serve(*where, on_listening, names=options.names)
    except (ServeError, SettingsError) as error:
        raise Failure(str(error)) from None
    if sys.stderr.isatty():  # elsewhere it is a log, whose lines are JSON
        print("coatl: stopped", file=sys.stderr)
    leave_stuck_bots()


def without_none(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value is not None}


def as_variables(given: Mapping[str, Any], config_file: Path | None) -> dict[str, str]:
    """Options of the command for a process that is told everything by variables."""
    variables = {CONFIG_VARIABLE: str(config_file)} if config_file is not None else {}
    for name, value in given.items():
        text = ",".join(value) if isinstance(value, tuple) else str(value)
        variables[f"{PREFIX}{name.upper()}"] = text
    return {**variables, f"{PREFIX}WORKERS": "1"}


def play_in_browser() -> None:
    """Start the server on this machine and show its page; one that runs already is used."""
    address = f"http://{HOST}:{PORT}/"
    if is_ours(address):
        print(f"The game is running already: {address}")
        webbrowser.open(address)
        return
    serve_tables({"host": HOST, "port": PORT}, on_listening=lambda: show(address))


def show(address: str) -> None:
    """In a thread: a browser may take its time to start, and the server has to answer it."""
    print(f"The game is at {address} (Ctrl-C stops it; coatl play --terminal plays here).")
    threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()


def is_ours(address: str) -> bool:
    """Does a Cóatl server answer there, perhaps one that is starting, or one of version 0.1?"""
    return answers(f"{address}api/startup", "compiled") or answers(f"{address}healthz", "protocol")


def answers(address: str, field: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=1) as answer:
            return field in json.load(answer)
    except (OSError, ValueError):
        return False
