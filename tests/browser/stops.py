"""Where the Tab key stops on a screen: once in each group of like controls."""

from __future__ import annotations

from playwright.sync_api import Page

MOST_STOPS = 80
BEGIN = """() => {
  window.stops = [document.querySelector("header a, header button")];
  stops[0].focus();
}"""
NOTE_STOP = """() => {
  const at = document.activeElement;
  const isNew = at !== document.body && !stops.includes(at);
  if (isNew) stops.push(at);
  return isNew;
}"""
# Several stops in one group, or beside each other and of one kind.
FIND_DOUBLE = """() => {
  const like = (a, b) => a.parentElement === b.parentElement && a.tagName === b.tagName
    && a.className === b.className && !a.matches("a, .btn");
  const groupOf = (stop) => stop.closest(
    "[data-group], [role=radiogroup], [role=tablist], [role=toolbar]");
  return stops.filter((stop, at) => stops.slice(0, at).some((before) => like(before, stop)
    || (groupOf(stop) && groupOf(stop) === groupOf(before))))
    .map((stop) => stop.outerHTML.slice(0, 160));
}"""


def count_stops(page: Page) -> int:
    """How often Tab stops after the first control of the page; a group has one stop."""
    page.evaluate(BEGIN)
    for count in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if not page.evaluate(NOTE_STOP):
            double = page.evaluate(FIND_DOUBLE)
            assert double == [], double
            return count
    raise AssertionError(f"Tab stops more than {MOST_STOPS} times")
