"""Writes the tables and pictures of docs/lab.md from the CSV files of runs of `coatl lab`.

`python -m tools.lab_docs main=FOLDER` copies the CSV files of a run into docs/lab/main and then
writes the page anew; without arguments it writes the page from the files that are there. A test
compares. A table stands between two comments:

    <!-- lab main cards 0 first 10 | card | fulfilled -->
    <!-- end -->

That is: of the run `main` the section `cards` for all tables (0, or a number of players), its first
10 rows (or its last), and two of its columns; without columns all of them.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from coatl.lab.findings import read_findings, row_types
from coatl.lab.sections import Section, Table, make_sections

DOCS = Path(__file__).parent.parent / "docs"
PAGE, DATA, PICTURES = DOCS / "lab.md", DOCS / "lab", DOCS / "pictures"

_TABLE = re.compile(
    r"(?P<before><!-- lab (?P<run>\w+) (?P<key>[\w-]+) (?P<players>\d)"
    r"(?: (?P<end>first|last) (?P<count>\d+))?(?P<columns>(?: \| [^|\n]+?)*) -->\n)"
    r".*?(?P<after><!-- end -->)",
    re.DOTALL,
)
_PICTURE = re.compile(r"\(pictures/lab-(?P<run>[a-z]+)-(?P<name>[a-z-]+)\.svg\)")

Runs = dict[str, dict[str, Section]]


def read_runs(data: Path = DATA) -> Runs:
    """The sections of each run, by their keys."""
    folders = sorted(folder for folder in data.iterdir() if folder.is_dir())
    return {
        folder.name: {section.key: section for section in make_sections(read_findings(folder))}
        for folder in folders
    }


def write_tables(text: str, runs: Runs) -> str:
    """The page with its tables written anew."""

    def table(found: re.Match[str]) -> str:
        whole = runs[found["run"]][found["key"]].tables[int(found["players"])]
        count = int(found["count"] or len(whole.rows))
        rows = whole.rows[:count] if found["end"] != "last" else whole.rows[-count:]
        columns = [name.strip() for name in found["columns"].split(" | ")[1:]]
        places = [whole.headings.index(name) for name in columns or whole.headings]
        return found["before"] + _markdown(Table(whole.headings, rows), places) + found["after"]

    return _TABLE.sub(table, text)


def _markdown(table: Table, places: list[int]) -> str:
    is_card = table.headings[0] == "card"  # whose name may have signs that mean something here
    lines = [[table.headings[at] for at in places], ["---"] * len(places)]
    for row in table.rows:
        lines.append([f"`{row[at]}`" if is_card and at == 0 else row[at] for at in places])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def pictures_of(text: str, runs: Runs) -> dict[str, str]:
    """The pictures that the page shows, by the names of their files."""
    found = {}
    for picture in _PICTURE.finditer(text):
        drawn = {
            name: svg
            for section in runs[picture["run"]].values()
            for name, svg in section.pictures.items()
        }
        found[f"lab-{picture['run']}-{picture['name']}.svg"] = drawn[picture["name"]]
    return found


def copy_runs(arguments: list[str]) -> None:
    for argument in arguments:
        name, _, folder = argument.partition("=")
        target = DATA / name
        target.mkdir(parents=True, exist_ok=True)
        for table in row_types():
            shutil.copyfile(Path(folder) / f"{table}.csv", target / f"{table}.csv")


def main() -> None:
    copy_runs(sys.argv[1:])
    runs = read_runs()
    text = write_tables(PAGE.read_text(encoding="utf-8"), runs)
    PAGE.write_text(text, encoding="utf-8")
    for name, svg in pictures_of(text, runs).items():
        (PICTURES / name).write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
