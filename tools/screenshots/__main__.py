"""`make screenshots`: draws every screen into screenshots/, and contact sheets into its sheets/."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

from playwright.sync_api import sync_playwright

from tools.find_browser import find_browser, launch_options
from tools.screenshots.camera import take
from tools.screenshots.checks import check
from tools.screenshots.scenes import SCENES, Scene

FOLDER = Path(__file__).parent.parent.parent / "screenshots"


def wanted_scenes(patterns: Sequence[str]) -> list[Scene]:
    """Those whose names match; all if no pattern is given."""
    for pattern in patterns:
        if not any(fnmatch(scene.name, pattern) for scene in SCENES):
            names = ", ".join(scene.name for scene in SCENES)
            sys.exit(f"no scene is called {pattern}; there are {names}")
    return [
        scene
        for scene in SCENES
        if not patterns or any(fnmatch(scene.name, pattern) for pattern in patterns)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools.screenshots", description=__doc__)
    parser.add_argument("names", nargs="*", help="only these scenes; 'end*' is all that begin so")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the pictures go")
    parser.add_argument("--check", action="store_true", help="ask axe-core instead of drawing")
    arguments = parser.parse_args()
    scenes = wanted_scenes(arguments.names)
    file = find_browser()
    if file is None:
        sys.exit("no browser: make browser")
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options(file))
        if arguments.check:
            wrong = check(browser, Path(data) / "data", scenes)
        else:
            wrong = take(browser, Path(data) / "data", arguments.folder, scenes)
        browser.close()
    if wrong:
        sys.exit("\n".join(["wrong:" if arguments.check else "not drawn:", *wrong]))


if __name__ == "__main__":
    main()
