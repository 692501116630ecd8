"""Does the table stay put? What a person may be about to press must not move between two states.

A script in the page notes, from the first state of a table on, each control whose box is elsewhere
than in the frame before, and each layout shift that the browser reports, those after an input too.
Left out is what a person does to the screen: scrolling, resizing, and the frame in which something
opens or closes (OPENED). Words in a popover may change, its controls stay. A control that is
pointed at or pressed down may lift itself. A lesson's coach goes where the lesson goes.

It is asked about games that are the same every time (`tests.browser.chance`).

Controls are recognised by what they are for: their ``data-…`` attributes, or else their label
without its numbers. Controls that cannot be told apart are left out.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

Json = dict[str, Any]

NOTE_MOVES = """
(() => {
  const CONTROLS = "button, a[href], input, select, summary, [role=button], [role=tab]";
  const NAMES = ["space", "well", "hand", "card", "draw", "token", "pile", "drop", "pill", "skip",
    "undo", "tab", "chip", "priest", "kind", "colour", "look", "name"];
  const PRESSED = ["pressed", "selected", "expanded", "checked"];
  const OPENED = [".hand-up", ".turn-pop", ".sheet", "dialog[open]", ".table-menu", ".adam-plays"];
  const LIFT = 4; // pixels that a card rises while it is pointed at, and sinks again
  const MOVING = ".flying, .drag-ghost"; // has not landed yet
  window.movedControls = [];
  window.layoutShifts = [];
  let before = new Map(), state = "", opened = "";
  let atTableSince = Infinity; // what is told late may have happened on the screen before
  const opening = []; // when frames began and ended in which something opened or closed

  function keyOf(control) {
    const place = control.closest("[data-place]")?.dataset.place ?? "";
    // cards move on there, but places do not
    if (/^(row|pile)/.test(control.dataset.place) || /^adam_card/.test(place)) return place;
    const named = NAMES.filter((name) => control.hasAttribute(`data-${name}`));
    if (named.length)
      return named.map((name) => `${name}=${control.getAttribute(`data-${name}`)}`).join(" ");
    const label = control.getAttribute("aria-label") ?? control.textContent ?? "";
    return `${control.tagName} ${label.replace(/\\d+/g, "#").trim()}`;
  }

  /** How far the boxes around an element are scrolled, and whether it scrolls with the page. */
  function scrolledAround(element, known) {
    if (!element || element === document.documentElement) return { x: 0, y: 0, scrolls: true };
    const found = known.get(element);
    if (found) return found;
    const around = scrolledAround(element.parentElement, known);
    const here = {
      x: around.x + element.scrollLeft,
      y: around.y + element.scrollTop,
      scrolls: around.scrolls && isInFlow(element),
    };
    known.set(element, here);
    return here;
  }

  const isInFlow = (element) => !["fixed", "sticky"].includes(getComputedStyle(element).position);

  /** Its middle on the page, or in the window if it does not scroll with the page. */
  function middleOf(control, known) {
    const box = control.getBoundingClientRect();
    const around = scrolledAround(control.parentElement, known);
    const x = box.x + box.width / 2 + around.x, y = box.y + box.height / 2 + around.y;
    return around.scrolls && isInFlow(control) ? [x + scrollX, y + scrollY] : [x, y];
  }

  const isEnabled = (control) =>
    !control.disabled && control.getAttribute("aria-disabled") !== "true"
    && control.checkVisibility({ visibilityProperty: true }) && !control.matches(":hover")
    && !PRESSED.some((name) => control.getAttribute(`aria-${name}`) === "true");

  function middles() {
    const found = new Map(), known = new Map(); // of this frame
    for (const control of document.querySelectorAll(CONTROLS)) {
      if (!isEnabled(control) || control.closest(".coach-layer")) continue;
      const key = keyOf(control);
      found.set(key, found.has(key) ? null : middleOf(control, known));
    }
    return found;
  }

  function noteOpened(time) {
    const found = OPENED.map((one) => document.querySelector(one));
    const now = found.map((one) => one && `open ${one.getAttribute("aria-label")}`).join("|");
    if (now === opened) return;
    opened = now;
    before = new Map();
    const frame = [time, Infinity];
    opening.push(frame);
    requestAnimationFrame(() => requestAnimationFrame(() => (frame[1] = performance.now())));
  }

  function look(time) {
    const table = document.querySelector("main[data-version]");
    if (!table || document.fonts.status !== "loaded" || document.querySelector(MOVING)) {
      before = new Map();
      return;
    }
    noteOpened(time);
    const now = middles(), was = state;
    state = `${table.dataset.version} ${table.dataset.stage}`;
    for (const [key, at] of now) {
      const old = before.get(key);
      if (at && old && Math.hypot(at[0] - old[0], at[1] - old[1]) > LIFT)
        movedControls.push(
          `${key}: ${old.map(Math.round)} to ${at.map(Math.round)}, ${was} to ${state}`);
    }
    before = now;
    atTableSince = Math.min(atTableSince, time);
  }

  const text = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join();
  const describe = (node) => (node?.outerHTML ?? node?.textContent ?? "").slice(0, 120);
  new PerformanceObserver((list) => {
    for (const { value, sources, startTime } of list.getEntries()) {
      if (startTime < atTableSince || !document.querySelector("main[data-version]")) continue;
      if (opening.some(([from, to]) => startTime >= from - 1 && startTime <= to)) continue;
      if (sources.every(({ node }) => node?.parentElement?.closest(".turn-pop, .coach-layer")))
        continue;
      const what = sources.map(({ node, previousRect, currentRect }) =>
        `${describe(node)} ${text(previousRect)} to ${text(currentRect)}`);
      layoutShifts.push(`${value.toFixed(5)} in ${state}: ${what.join(" | ")}`);
    }
  }).observe({ type: "layout-shift", buffered: true });

  let isAsked = false;
  const ask = () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame((time) => {
      isAsked = false;
      noteOpened(time);
      requestAnimationFrame(look); // when all that measures itself has done so
    });
  };
  addEventListener("resize", () => (before = new Map()));
  const all = { childList: true, subtree: true, attributes: true, characterData: true };
  new MutationObserver(ask).observe(document, all);
})();
"""


def moves_of(page: Page) -> Json:
    """What moved so far; both lists are wanted empty."""
    found: Json = page.evaluate(
        "({ controls: window.movedControls ?? [], shifts: window.layoutShifts ?? [] })"
    )
    return found


def assert_stayed_put(page: Page) -> None:
    found = moves_of(page)
    moved = [text for texts in found.values() for text in texts]
    assert not moved, "\n".join([f"{len(moved)} things moved:", *moved[:12]])
