"""The page's styles live with their components: little is shared, nothing is styled twice."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

PAGE = Path(__file__).parent.parent / "web" / "src"
FONT = PAGE / "assets" / "font.css"  # names files, styles nothing
FORCED = PAGE / "assets" / "forced.css"  # for forced colours only: styles again what needs an edge
SHARED = sorted(set((PAGE / "assets").glob("*.css")) - {FONT, FORCED})
COMPONENTS = sorted(PAGE.rglob("*.svelte"))
MOST = 16_000  # bytes of all shared sheets together; more of it belongs into a component


def style_of(file: Path) -> str:
    text = file.read_text()
    if file.suffix == ".svelte":
        text = "".join(re.findall(r"<style>(.*?)</style>", text, re.DOTALL))
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def selectors(style: str) -> list[str]:
    """Each on its own; what a keyframe or a media query is called is none."""
    style = re.sub(r"@keyframes[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", style)
    heads = re.findall(r"([^{};]+)\{", style)
    parts = [re.split(r",(?![^(]*\))", head) for head in heads if not head.strip().startswith("@")]
    return [part.strip() for found in parts for part in found]


def defined_in(style: str) -> set[str]:
    """Classes that a sheet styles wherever they stand: `.lane`, not `.lane.done`, `.end .lane`."""
    found = set()
    for selector in selectors(style):
        alone = re.fullmatch(r"[a-z]*\.([a-z][\w-]*)(?:[:\[][^ >+~]*)?", selector)
        if alone:
            found.add(alone[1])
    return found


def test_what_the_reader_of_styles_finds() -> None:
    style = (
        ".a, b.c:hover { x: y; } .d .e { } .f.on { } @media (max-width: 9px) { .g > .h { } .i { } }"
    )
    assert defined_in(style + "@keyframes k { from { } 50.5% { } }") == {"a", "c", "i"}
    assert style_of(PAGE / "parts" / "Piece.svelte").strip().startswith(".pc {")


def test_shared_styles_are_few() -> None:
    assert sum(len(file.read_bytes()) for file in SHARED) < MOST


def test_every_class_is_styled_in_one_file() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for file in [*SHARED, *COMPONENTS]:
        for name in defined_in(style_of(file)):
            places[name].append(str(file.relative_to(PAGE)))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_shared_classes_are_used() -> None:
    markup = "".join(
        re.sub(r"<style>.*?</style>", "", file.read_text(), flags=re.DOTALL) for file in COMPONENTS
    )
    names = {name for file in SHARED for name in defined_in(style_of(file))}
    letters = {f"m{colour}" for colour in "KRBYG"}  # made of the card's colour
    assert {
        name for name in names if not re.search(rf"[\"\s{{:]{name}[\"\s:}}]", markup)
    } <= letters


def test_no_style_stands_in_the_markup() -> None:
    """The page's security policy forbids `style="…"` in a template; `style:` is set by script."""
    found = [
        f"{file.name}: {line.strip()}"
        for file in COMPONENTS
        for line in file.read_text().splitlines()
        if re.search(r"\sstyle=", line)
    ]
    assert found == []


def luminance(colour: str) -> float:
    """As WCAG 2 defines it, of ``#RRGGBB``."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [((x + 0.055) / 1.055) ** 2.4 if x > 0.04045 else x / 12.92 for x in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: float, other: float) -> float:
    high, low = max(one, other), min(one, other)
    return (high + 0.05) / (low + 0.05)


def test_the_focus_can_be_seen_on_everything() -> None:
    """Its ring is light and dark: one of them stands out, whatever colour lies beside it."""
    style = (PAGE / "assets" / "base.css").read_text()
    ring = [luminance(colour) for colour in re.findall(r"--ring-\w+: (#\w{6})", style)]
    assert len(ring) == 2
    for step in range(101):
        assert max(contrast(step / 100, one) for one in ring) >= 3


def test_no_component_has_a_ring_of_its_own() -> None:
    """Where the browser cannot draw one (a part is cut out, a box is drawn by its label), it is the
    same two colours."""
    found = [
        (file.name, declared)
        for file in COMPONENTS
        for declared in re.findall(r":focus-visible[^{]*\{([^}]*)\}", style_of(file))
        if re.search("outline:|stroke:|box-shadow:", declared)
    ]
    assert {name for name, _ in found} == {"Disc.svelte", "Switch.svelte"}
    assert all("var(--ring-" in declared for _, declared in found)
