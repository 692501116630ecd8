"""`coatl serve`, and `coatl play` in the browser, with one clear line when it cannot start."""

from __future__ import annotations

import json
import sys
import threading
import urllib.request
import webbrowser
from pathlib import Path

from coatl.cli.console import Failure
from coatl.server.run import ServeError, data_folder, serve
from coatl.server.settings import ServerSettings, SettingsError

HOST, PORT = "127.0.0.1", 8642


def serve_tables(host: str, port: int, data: Path | None) -> None:
    try:
        settings = ServerSettings.from_environment()
        folder = data if data is not None else data_folder()
        serve(host, port, folder, settings)
    except (ServeError, SettingsError) as error:
        raise Failure(str(error)) from None
    print("coatl: stopped", file=sys.stderr)


def play_in_browser() -> None:
    """Start the server on this machine and show its page; one that runs already is used."""
    address = f"http://{HOST}:{PORT}/"
    if is_ours(address):
        print(f"The game is running already: {address}")
        webbrowser.open(address)
        return
    print(f"The game is at {address} (Ctrl-C stops it; coatl play --terminal plays here).")
    opening = threading.Timer(1.5, open_when_ready, [address])
    opening.daemon = True
    opening.start()
    serve_tables(HOST, PORT, None)


def open_when_ready(address: str) -> None:
    for _ in range(60):
        if is_ours(address):
            webbrowser.open(address)
            return
        threading.Event().wait(0.5)


def is_ours(address: str) -> bool:
    """Does a Cóatl server answer there?"""
    try:
        with urllib.request.urlopen(f"{address}healthz", timeout=1) as answer:
            return "protocol" in json.load(answer)
    except (OSError, ValueError):
        return False
