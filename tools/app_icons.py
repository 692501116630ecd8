"""Draws the icons of the installed page as PNG files, from its SVG icon, with a headless browser.

Run it after a change of `web/public/icon.svg`; the files are kept with the sources.
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tools.find_browser import find_browser, launch_options

FOLDER = Path(__file__).parent.parent / "web" / "public"
SIZES = {"icon-180": 180, "icon-192": 192, "icon-512": 512}
GROUND = re.compile(r'<path d="M9 0H31[^"]*" fill="(?P<colour>#\w+)"/>')  # the stepped stone
SAFE = 0.66  # of the width: what is outside may be cut off, whatever the shape of the mask
COLOURS = 32


def to_maskable(svg: str) -> str:
    """The same on a ground that goes to the edges."""
    ground = GROUND.search(svg)
    assert ground is not None
    middle = f"translate(20 20) scale({SAFE}) translate(-20 -20)"
    edge_to_edge = f'<rect width="40" height="40" fill="{ground["colour"]}"/>'
    return GROUND.sub(f'{edge_to_edge}<g transform="{middle}">', svg).replace(
        "</svg>", "</g></svg>"
    )


def draw(browser: Browser, svg: str, size: int) -> Image.Image:
    page = browser.new_page(viewport={"width": size, "height": size})
    page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{svg}")
    picture = Image.open(io.BytesIO(page.screenshot(omit_background=True)))
    page.close()
    return picture.quantize(COLOURS, method=Image.Quantize.FASTOCTREE)


def main() -> None:
    file = find_browser()
    if file is None:
        sys.exit("no browser: make browser")
    svg = (FOLDER / "icon.svg").read_text(encoding="utf-8")
    wanted = {name: (svg, size) for name, size in SIZES.items()}
    wanted["icon-maskable-512"] = (to_maskable(svg), 512)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options(file))
        for name, (source, size) in wanted.items():
            draw(browser, source, size).save(FOLDER / f"{name}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
