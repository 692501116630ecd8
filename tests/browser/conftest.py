"""A real browser, and a real server with a real file, for each test that asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.chance import DRAW_IN_SERVER
from tests.browser.windows import Windows
from tests.server.harness import LiveServer
from tools.find_browser import find_browser, launch_options


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """For this folder, not longer: Playwright's event loop would be in other tests' way."""
    file = find_browser()
    assert file is not None, "no browser: make browser"
    options = launch_options(file)
    options["args"] += [
        "--disable-gpu",  # there is none, and to imitate it takes longer
        "--renderer-process-limit=1",  # windows share one, instead of starting their own
    ]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**options)
        yield browser
        browser.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The data of the server; games may be put there before it starts."""
    return tmp_path / "data"


@pytest.fixture
def server(folder: Path) -> Iterator[LiveServer]:
    """It starts with the first window."""
    server = LiveServer(folder, DRAW_IN_SERVER)
    yield server
    if server.process is not None and server.process.poll() is None:
        server.stop()


@pytest.fixture
def windows(browser: Browser, server: LiveServer) -> Iterator[Windows]:
    """Windows on that server. In the end none may have seen an error, or be too wide."""
    windows = Windows(browser, server)
    yield windows
    windows.check_and_close()
