"""Contact sheets: all pictures of a scene side by side, one column a window and one row a theme."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from tools.screenshots.looks import THEMES, Window

GAP = 24
TITLE = 64
LABEL = 30  # height of the line above a picture
PAPER, INK = "#8a8a8a", "#ffffff"
COLOURS = 256  # of a picture's file, so that it stays small

Pictures = Mapping[tuple[Window, str], Image.Image]


def column_width(window: Window) -> int:
    """Phones nearly as large as they are, wide screens about half as large."""
    return round(window.width * (0.85 if window.is_phone else 0.55))


def save(picture: Image.Image, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    few = picture.convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE)
    few.save(file)


def draw_sheet(title: str, pictures: Pictures) -> Image.Image:
    windows = list(dict.fromkeys(window for window, _theme in pictures))
    small = {at: fit(picture, column_width(at[0])) for at, picture in pictures.items()}
    themes = [theme for theme in THEMES if any(theme == of for _window, of in small)]
    heights = {
        theme: max(picture.height for (_w, of), picture in small.items() if of == theme)
        for theme in themes
    }
    width = GAP + sum(column_width(window) + GAP for window in windows)
    height = TITLE + sum(heights[theme] + LABEL + GAP for theme in themes)
    sheet = Image.new("RGB", (width, height), PAPER)
    ImageDraw.Draw(sheet).text((GAP, GAP / 2), title, INK, ImageFont.load_default(32))
    top = TITLE
    for theme in themes:
        draw_row(sheet, top, theme, windows, small)
        top += heights[theme] + LABEL + GAP
    return sheet


def draw_row(
    sheet: Image.Image,
    top: int,
    theme: str,
    windows: Sequence[Window],
    pictures: Pictures,
) -> None:
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(20)
    left = GAP
    for window in windows:
        picture = pictures.get((window, theme))
        if picture is not None:
            pen.text((left, top), f"{window.label} {theme}", INK, font)
            sheet.paste(picture, (left, top + LABEL))
        left += column_width(window) + GAP


def fit(picture: Image.Image, width: int) -> Image.Image:
    height = round(picture.height * width / picture.width)
    return picture.convert("RGB").resize((width, height), Image.Resampling.LANCZOS)
