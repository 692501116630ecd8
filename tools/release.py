"""What the release workflow asks before it publishes anything.

`python -m tools.release check --tag v1.2.3 --repository https://…` fails unless the tag, the
version, the changelog and the address of the repository fit together. `python -m tools.release
notes` prints what the changelog says about this version.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from pathlib import Path

from coatl._version import __version__

ROOT = Path(__file__).parent.parent
_SECTION = re.compile(
    r"^## \[(?P<version>[^\]]+)\](?: - (?P<date>\d{4}-\d\d-\d\d))?\n(?P<text>.*?)(?=^## \[|\Z)",
    re.MULTILINE | re.DOTALL,
)


def sections(changelog: str) -> dict[str, tuple[str | None, str]]:
    """Date and text of each version in a changelog, in the order of the file."""
    found = _SECTION.finditer(changelog)
    return {section["version"]: (section["date"], section["text"].strip()) for section in found}


def problems(tag: str, repository: str, *, version: str, named: str, changelog: str) -> list[str]:
    """Why this must not be released; nothing if it may.

    `named` is the address that pyproject.toml has.
    """
    found = []
    if tag != f"v{version}":
        found.append(f"the tag is {tag}, but the version is {version} (src/coatl/_version.py)")
    if repository != named:
        found.append(f"pyproject.toml names the repository {named}, but this is {repository}")
    date, text = sections(changelog).get(version, (None, ""))
    if not text:
        found.append(f"CHANGELOG.md says nothing about {version}")
    elif date is None:
        found.append(f"CHANGELOG.md has no date for {version}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.release")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="may this be released?")
    check.add_argument("--tag", required=True)
    check.add_argument("--repository", required=True, help="its address")
    commands.add_parser("notes", help="what the changelog says about this version")
    chosen = parser.parse_args()
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    if chosen.command == "notes":
        print(sections(changelog).get(__version__, (None, ""))[1])
        return
    with (ROOT / "pyproject.toml").open("rb") as file:
        named = tomllib.load(file)["project"]["urls"]["Repository"]
    found = problems(
        chosen.tag, chosen.repository, version=__version__, named=named, changelog=changelog
    )
    sys.exit("\n".join(found) or 0)


if __name__ == "__main__":
    main()
