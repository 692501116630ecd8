"""Draws docs/pictures/coatl.svg, which stands in docs/api.md. `make pictures` runs it."""

from __future__ import annotations

from pathlib import Path

from coatl import svg

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "coatl.svg"


def main() -> None:
    svg.coatl("<KRRBGRB>", ["{R}", "RB", "R=G/6"]).save(PICTURE)


if __name__ == "__main__":
    main()
