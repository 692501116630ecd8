"""Finds the Chromium or Chrome that the browser tests and the pictures use; installs one if asked.

`python -m tools.find_browser --install` is a step of `make test`. It looks for the system's
browser, then for Playwright's own; if there is none it has apt (as root) or Playwright install it.

Environment: COATL_BROWSER is a browser's file; COATL_BROWSER_FOLDERS are folders to look into
besides PATH, instead of the usual ones.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

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
    apt = shutil.which("apt-get")
    if apt and os.geteuid() == 0:
        packages = [apt, "install", "-y", "--no-install-recommends", "chromium"]
        if _run(packages) or (_run([apt, "update"]) and _run(packages)):
            return
    _run([sys.executable, "-m", "playwright", "install", "chromium"])


def _run(command: list[str]) -> bool:
    print(f"running: {' '.join(command)}", file=sys.stderr)
    done = subprocess.run(command, capture_output=True, check=False)
    return done.returncode == 0


def launch_options(file: str) -> dict[str, Any]:
    """For Playwright's `launch`; as root Chromium refuses to run in its sandbox."""
    return {"executable_path": file, "args": ["--no-sandbox"] if os.geteuid() == 0 else []}


def main() -> None:
    installing = "--install" in sys.argv[1:]
    found = find_browser()
    if found is None and installing:
        install_browser()
        found = find_browser()
    if found is None:
        sys.exit(MISSING.format(tried=", and none could be installed" if installing else ""))
    print(found)


if __name__ == "__main__":
    main()
