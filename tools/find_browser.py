"""Finds the Chromium or Chrome that the browser tests and the pictures use; installs one if asked.

`python -m tools.find_browser --install` is a step of `make test`. It looks for the system's
browser, then for Playwright's own; if there is none it has apt (as root) or Playwright install it.

Environment: COATL_BROWSER is a browser's file; COATL_BROWSER_FOLDERS are folders to look into
besides PATH, instead of the usual ones.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

from tools import installing

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "Google Chrome")
USUAL_FOLDERS = (
    *("/usr/bin", "/usr/local/bin", "/snap/bin", "/usr/lib/chromium", "/opt/google/chrome"),
    "/Applications/Google Chrome.app/Contents/MacOS",
)
MISSING = (
    "No Chromium or Chrome was found{tried}. Install one (Debian: apt-get install chromium),"
    " or set COATL_BROWSER to its file."
)


def find_browser() -> str | None:
    """The file of a browser; None if there is none."""
    named = os.environ.get("COATL_BROWSER")
    if named:
        return named if os.access(named, os.X_OK) else None
    folders = os.environ.get("COATL_BROWSER_FOLDERS", os.pathsep.join(USUAL_FOLDERS))
    for path in (os.environ.get("PATH", ""), folders):
        for name in NAMES:
            found = shutil.which(name, path=path)
            if found:
                return found
    return _playwrights_own()


def _playwrights_own() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        file = playwright.chromium.executable_path
    return file if Path(file).is_file() else None


def install_browser() -> None:
    """Quietly; whether it helped, `find_browser` tells."""
    if not installing.install_with_apt("chromium"):
        installing.run_quietly([sys.executable, "-m", "playwright", "install", "chromium"])


def launch_options(file: str) -> dict[str, Any]:
    """For Playwright's `launch`; as root Chromium refuses to run in its sandbox."""
    return {"executable_path": file, "args": ["--no-sandbox"] if os.geteuid() == 0 else []}


def main() -> None:
    installing.find_or_install(find_browser, install_browser, MISSING)


if __name__ == "__main__":
    main()
