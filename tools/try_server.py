"""Start a server that is installed here, ask it, and say how long it took.

`python -m tools.try_server` starts `python -m coatl serve` with an empty data folder; another
command can be named instead. Fails if it does not answer, or cannot play.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

PATIENCE = 600.0  # seconds; the first start on a machine compiles the rules
PAUSE = 0.05  # seconds between two questions: answering them takes time from starting
_PORT = re.compile(r'"event": ?"listening".*"port": ?(\d+)')


class TryError(Exception):
    """The server failed; the message has its log."""


def wait_for_port(server: subprocess.Popen[bytes], log: Path, end: float) -> int:
    while time.monotonic() < end and server.poll() is None:
        if found := _PORT.search(log.read_text("utf-8", errors="replace")):
            return int(found[1])
        time.sleep(0.01)
    raise TryError("it does not listen")


def wait_for(address: str, server: subprocess.Popen[bytes], end: float) -> bytes:
    """The first answer with status 200."""
    said = "nothing"
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return bytes(answer.read())
        except OSError as error:
            said = str(error)
        time.sleep(PAUSE)
    raise TryError(f"{address}: {said}")


def open_table(address: str) -> None:
    """A table between a person and a bot; the rules deal it."""
    places = [{"kind": "person", "name": "Ana"}, {"kind": "bot", "bot": "greedy"}]
    body = json.dumps({"places": places}).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{address}/api/tables", body, headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            answer.read()
    except urllib.error.HTTPError as error:
        raise TryError(f"no table: {error} {error.read().decode('utf-8', 'replace')}") from None


def try_server(command: list[str], folder: Path) -> dict[str, float]:
    """Seconds from its start until it listens, shows the page, is ready, and has opened a table."""
    log = folder / "log"
    began = time.monotonic()
    end = began + PATIENCE
    times = {}
    with log.open("wb") as file:
        options = ["--port", "0", "--data", str(folder / "data")]
        server = subprocess.Popen([*command, "serve", *options], stderr=file)
    try:
        address = f"http://127.0.0.1:{wait_for_port(server, log, end)}"
        times["listens"] = time.monotonic() - began
        for name, path in (("page", "/"), ("ready", "/readyz")):
            wait_for(address + path, server, end)
            times[name] = time.monotonic() - began
        open_table(address)
        times["table"] = time.monotonic() - began
    except TryError as error:
        raise TryError(f"{error}\n{log.read_text('utf-8', errors='replace')}") from None
    finally:
        server.terminate()
        server.wait(60)
    return times


def main() -> None:
    command = sys.argv[1:] or [sys.executable, "-m", "coatl"]
    with tempfile.TemporaryDirectory() as folder:
        try:
            times = try_server(command, Path(folder))
        except TryError as error:
            sys.exit(str(error))
    for name, seconds in times.items():
        print(f"{name:8} {seconds:6.2f} s")


if __name__ == "__main__":
    main()
