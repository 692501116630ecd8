"""Draws the icons of the installed page as PNG files: the page's sign, with a headless browser.

Run it after a change of the drawings; the files are kept with the sources.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tools.find_browser import find_browser, launch_options

ROOT = Path(__file__).parent.parent
DRAWINGS = ROOT / "src" / "coatl" / "drawings"
FOLDER = ROOT / "web" / "public"
STONE = "M9 0H31V4H36V9H40V31H36V36H31V40H9V36H4V31H0V9H4V4H9Z"
SIGN = f"""<path d="{STONE}" fill="#F1E7D5"/>
<svg x="3.2" y="9" width="28" height="23" viewBox="0 0 78 64" overflow="visible"
  ><use href="#head-G"/></svg>"""
# What is outside of the middle may be cut off, whatever the shape of the mask.
MASKABLE = f"""<rect width="40" height="40" fill="#3A3029"/>
<g transform="translate(20 20) scale(.72) translate(-20 -20)">{SIGN}</g>"""
ICONS = {
    "icon-180": (MASKABLE, 180),  # for a telephone that rounds the corners itself
    "icon-192": (SIGN, 192),
    "icon-512": (SIGN, 512),
    "icon-maskable-512": (MASKABLE, 512),
}
COLOURS = 48


def draw(browser: Browser, drawing: str, size: int) -> Image.Image:
    style = (DRAWINGS / "tokens.css").read_text(encoding="utf-8")
    symbols = (DRAWINGS / "pieces.svg").read_text(encoding="utf-8")
    page = browser.new_page(viewport={"width": size, "height": size})
    page.set_content(
        f"<style>{style} body {{ margin: 0 }} body > svg {{ position: absolute }}</style>"
        f'{symbols}<svg class="G" width="{size}" viewBox="0 0 40 40">{drawing}</svg>'
    )
    picture = Image.open(io.BytesIO(page.screenshot(omit_background=True)))
    page.close()
    return picture.quantize(COLOURS, method=Image.Quantize.FASTOCTREE)


def main() -> None:
    file = find_browser()
    if file is None:
        sys.exit("no browser: make browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options(file))
        for name, (drawing, size) in ICONS.items():
            draw(browser, drawing, size).save(FOLDER / f"{name}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
