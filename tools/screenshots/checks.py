"""What would someone not see, reach or be told? Asked of each scene, in both themes.

axe-core knows the rules of WCAG 2.2 A and AA that a program can check; the rest is measured here:
how large a target is for a finger, whether text is cut when it is set wider, whether all of it can
be scrolled to, whether anything moves for somebody who asked for less motion. The page has to stand
still meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tests.browser.table import TablePage
from tools.screenshots.camera import STILL, show_theme, visit
from tools.screenshots.looks import WINDOWS, Window
from tools.screenshots.scenes import Scene

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
# Text that is hidden from the tree is part of a drawing (numbers on a card): no name has to begin
# with it, which axe-core cannot know.
ASK = """async (rules) => {
  const isDrawn = (element) => {
    const copy = element.cloneNode(true);
    copy.querySelectorAll("svg, [aria-hidden=true]").forEach((one) => one.remove());
    return !copy.textContent.trim();
  };
  const { violations } = await axe.run(document, { runOnly: rules, resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) => nodes.flatMap(({ target, html, any }) => {
    if (id === "label-content-name-mismatch" && isDrawn(document.querySelector(target[0])))
      return [];
    const { fgColor, bgColor, contrastRatio } = any[0]?.data ?? {};
    const colours = contrastRatio ? ` (${fgColor} on ${bgColor} is ${contrastRatio})` : "";
    return [`${id}${colours}: ${target.join(" ")}: ${html.slice(0, 200)}`];
  }));
}"""
CONTROLS = "button, a[href], input, select, summary, [role=button], [role=switch]"
# For each control that lies on top: how far from its middle a finger still hits it, in each of four
# directions, and whether another control begins within half of 44 px.
MEASURE_TARGETS = """(controls) => {
  const SIZE = 44, LEAST = 24;
  const targetAt = (x, y) => {
    const found = document.elementFromPoint(x, y);
    const label = found?.closest("label");
    return found?.closest(controls) ?? label?.control ?? label?.querySelector(controls) ?? null;
  };
  const small = [];
  for (const control of document.querySelectorAll(controls)) {
    if (control.disabled || control.getAttribute("aria-disabled") === "true") continue;
    if (!control.checkVisibility({ visibilityProperty: true })) continue;
    if (control.closest("p")) continue; // in a sentence, as large as its words
    let box = control.getBoundingClientRect();
    if (box.top < 0 || box.bottom > innerHeight) {
      scrollBy(0, box.top - innerHeight / 2); // only the page: what is folded stays so
      box = control.getBoundingClientRect();
    }
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    if (targetAt(x, y) !== control) continue; // covered, or not meant for the finger
    const edges = [[box.left + 3, y], [box.right - 3, y], [x, box.top + 3], [x, box.bottom - 3]];
    const isForeign = (found) => found && !found.contains(control) && !control.contains(found);
    if (edges.some((at) => isForeign(document.elementFromPoint(...at)) && !targetAt(...at)))
      continue; // a sheet lies over a part of it
    const measure = (dx, dy) => {
      let far = 0;
      while (far < SIZE && targetAt(x + dx * (far + 1), y + dy * (far + 1)) === control) far += 1;
      let isBounded = false;
      for (let at = far + 1; at <= SIZE / 2; at += 1) {
        const px = x + dx * at, py = y + dy * at;
        const other = targetAt(px, py);
        const isOutside = px < 0 || py < 0 || px >= innerWidth || py >= innerHeight;
        if (isOutside || (other && other !== control)) isBounded = true;
      }
      return { far, isGood: isBounded || far >= SIZE / 2 - 1 };
    };
    const axes = [[measure(-1, 0), measure(1, 0)], [measure(0, -1), measure(0, 1)]];
    const sizes = axes.map(([one, other]) => one.far + other.far + 1);
    const isGood = axes.every((ends, at) =>
      sizes[at] >= SIZE || (sizes[at] >= LEAST && ends.every((end) => end.isGood)));
    if (!isGood) small.push(`target of ${sizes.join(" x ")}: ${control.outerHTML.slice(0, 160)}`);
  }
  scrollTo(0, 0);
  return small;
}"""
# Success criterion 1.4.12. Not as a style tag: the page allows none of others.
SPACE_TEXT = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
    word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }`);
  document.adoptedStyleSheets = [sheet];
}"""
UNSPACE_TEXT = "() => { document.adoptedStyleSheets = []; }"
FIND_CUT_TEXT = """() => {
  const cut = new Set(), SEEN = { visibilityProperty: true, opacityProperty: true };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (!text.data.trim() || !parent.checkVisibility(SEEN)) continue;
    if (parent.closest("svg, .card, .chip, [aria-hidden=true].curtain-back")) continue; // drawings
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (!box.width) continue;
    for (let one = parent; one && one !== document.body; one = one.parentElement) {
      const { overflowX, overflowY, position, clipPath } = getComputedStyle(one);
      if (clipPath.startsWith("inset(50%")) break; // for the ear only
      if ([overflowX, overflowY].some((how) => how === "auto" || how === "scroll")) break;
      const edge = one.getBoundingClientRect();
      const isTooWide = box.right > edge.right + 2 || box.left < edge.left - 2;
      const isTooHigh = box.bottom > edge.bottom + 4 || box.top < edge.top - 4;
      const isCut = (overflowX !== "visible" && isTooWide)
        || (overflowY !== "visible" && isTooHigh);
      if (isCut) cut.add(`cut: "${text.data.trim()}" in ${one.outerHTML.slice(0, 90)}`);
      if (isCut || position === "fixed") break;
    }
  }
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) cut.add(`${root.scrollWidth - innerWidth} px too wide`);
  return [...cut];
}"""
# A control that no scrolling brings into the window.
FIND_OUT_OF_REACH = """() => {
  const found = [], ground = document.querySelector("dialog:modal") ?? document;
  for (const control of ground.querySelectorAll("button, a[href], input, select, summary")) {
    if (control.closest("[inert]") || control.matches(".why-key")) continue;
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    control.scrollIntoView({ block: "center", inline: "nearest" });
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const middle = (top + bottom) / 2;
    if (left < -2 || right > innerWidth + 2 || middle < 0 || middle > innerHeight)
      found.push(`out of reach: ${control.outerHTML.slice(0, 120)}`);
  }
  scrollTo(0, 0);
  return found;
}"""
FIND_MOTION = """() => document.getAnimations()
  .filter(() => matchMedia("(prefers-reduced-motion: reduce)").matches)
  .filter((one) => one.playState === "running" && one.transitionProperty !== "opacity")
  .map(({ effect }) => `it moves: ${effect?.target?.outerHTML.slice(0, 90)}`)"""


@lru_cache(maxsize=1)
def axe_script() -> str:
    return AXE.read_text(encoding="utf-8")


def ask_axe(page: Page) -> list[str]:
    """What it finds wrong with the page as it is now."""
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(axe_script())  # not as a script tag: the page allows none of others
    found: list[Any] = page.evaluate(ASK, list(RULES))
    return [str(one) for one in found]


def small_targets(page: Page) -> list[str]:
    """Of a window for fingers: less than 44 px, though no neighbour is in the way; or than 24."""
    found: list[str] = page.evaluate(MEASURE_TARGETS, CONTROLS)
    return found


def cut_text(page: Page) -> list[str]:
    found: list[str] = page.evaluate(FIND_CUT_TEXT)
    return found


def out_of_reach(page: Page) -> list[str]:
    found: list[str] = page.evaluate(FIND_OUT_OF_REACH)
    return found


def cut_when_spaced(page: Page) -> list[str]:
    """With the space between letters, words and lines that someone may need to read."""
    page.evaluate(SPACE_TEXT)
    page.evaluate(STILL)
    found = cut_text(page)
    page.evaluate(UNSPACE_TEXT)
    page.evaluate(STILL)
    return [f"spaced: {one}" for one in found]


def motion(page: Page) -> list[str]:
    """In a window that has asked for less of it."""
    found: list[str] = page.evaluate(FIND_MOTION)
    return found


def check_window(page: TablePage, window: Window) -> list[str]:
    """All of it, in each theme: only colours depend on that."""
    found = motion(page.page)
    if window.is_phone:
        found += small_targets(page.page)
    for theme in window.themes:
        show_theme(page.page, theme)
        found += [f"{theme}: {one}" for one in ask_axe(page.page)]
    return found


def windows_to_check(scene: Scene) -> tuple[Window, ...]:
    """In one language: neither colours nor names depend on it."""
    return tuple(
        window
        for window in WINDOWS
        if window.language == "en" and (window.is_phone or not scene.phone_only)
    )


def check(browser: Browser, data: Path, scenes: Iterable[Scene]) -> list[str]:
    """What is wrong in each scene, and which could not be opened."""
    wrong: list[str] = []

    def look(page: TablePage, scene: Scene, window: Window) -> None:
        found = check_window(page, window)
        print(f"{scene.name} at {window.label}: {len(found)} found", *found, sep="\n  ", flush=True)
        wrong.extend(f"{scene.name} at {window.label}, {one}" for one in found)

    return visit(browser, data, scenes, look, windows_to_check) + wrong
