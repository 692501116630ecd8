"""A lesson in a window: what the coach says and points at, and somebody who follows it.

What it relies on in the page, besides what `tests.browser.table` names: ``data-coach`` with the
name of the step on the coach's panel, ``data-astray`` on it after a wrong turn; ``data-go-on``,
``data-take-back``, ``data-show``, ``data-back``, ``data-fold`` and ``data-leave`` on its buttons;
``data-target`` on the outline of each thing it points at.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

from playwright.sync_api import Locator, Page, Response, expect

from coatl import lessons
from coatl.moves import Move, MoveKind
from tests.browser.rusher import legal_moves
from tests.browser.table import USABLE, TablePage
from tests.browser.windows import Windows

Json = dict[str, Any]
COACH = "[data-coach]"
ANSWER = re.compile(r"/api/lessons/\w+/\w+$")
MOST = 120  # items of a path, after which a lesson must be over
PRESSES = 6  # of Enter, after which a move must be made
# A wrong turn is one that people make by mistake: what ends in a question is left out.
MISTAKES = (MoveKind.TAKE, MoveKind.PICK, MoveKind.BEGIN, MoveKind.ADD, MoveKind.DONE)
COVERED = """() => {
  const box = (one) => one.getBoundingClientRect();
  const coach = box(document.querySelector("[data-coach]"));
  return [...document.querySelectorAll("[data-target]")].map(box).filter((target) =>
    target.left < coach.right - 1 && target.right > coach.left + 1
    && target.top < coach.bottom - 1 && target.bottom > coach.top + 1)
    .map(({ x, y, width, height }) => [x, y, width, height].map(Math.round).join());
}"""

FOCUS = """() => {
  const at = document.activeElement;
  const sends = at.matches("[data-move], [data-next]");
  return { html: at.outerHTML.slice(0, 300), sends, asks: at.matches("[data-first]") };
}"""


class LessonPage(TablePage):
    """It hears the lesson's answers in the place of a socket's messages."""

    answers: list[Json]

    @classmethod
    def open(cls, windows: Windows, name: str, **like: Any) -> LessonPage:
        window = windows.open("/#/learn", **like)
        lesson = cls(window.page, touch=window.touch, keys=window.keys)
        lesson.name = name
        lesson.answers = []
        window.page.on("response", lesson._hear_answer)
        lesson.press(window.page.locator(f"[data-begin={name}]{USABLE}"))
        lesson.wait(lambda: lesson.answers, "the lesson's first step")
        return lesson

    def _hear_answer(self, response: Response) -> None:
        if not ANSWER.search(response.url) or response.status != 200:
            return
        answer: Json = response.json()
        asked = json.loads(response.request.post_data or "{}")
        if asked.get("why") is None:
            self.answers.append(answer)
            state = {**answer["state"], "version": len(self.answers)}  # as the page numbers them
            self.states = {state["place"]: state}

    name: str
    mistakes = 0  # made and taken back

    # -------------------------------------------------------------- where it is

    @property
    def now(self) -> Json:
        return self.answers[-1]

    @property
    def is_done(self) -> bool:
        return bool(self.now["number"] == self.now["count"])

    @property
    def step(self) -> Json:
        step: Json = self.now["step"]
        return step

    @property
    def coach(self) -> Locator:
        return self.page.locator(COACH)

    def rest(self) -> None:
        """Until the table and the coach show the last answer."""
        self.come_to_rest()
        name = "over" if self.is_done else self.step["name"]
        expect(self.coach).to_have_attribute("data-coach", name)
        astray = self.page.locator(f"{COACH}[data-astray]")
        expect(astray).to_have_count(1 if self.now.get("astray") else 0)

    def check_coach(self) -> None:
        """It says what the lesson says, and covers nothing that it points at."""
        words = self.now.get("astray") or (None if self.is_done else self.step["text"])
        if words and self.coach.get_attribute("aria-expanded") is None:  # else it is put aside
            expect(self.coach).to_contain_text(words)
        count = 0 if self.is_done else len(self.step.get("targets", []))
        outlines = self.page.locator("[data-target]")
        if self.touch and count:  # a phone shows one stage at a time
            expect(outlines.first).to_be_attached()
        else:
            expect(outlines).to_have_count(count)
        self.wait(lambda: not self.page.evaluate(COVERED), "a coach beside what it points at")

    def uncover(self, wanted: Locator, also: Locator) -> Locator:
        """The coach may have raised the hand of a phone, behind which the tabs are."""
        raised = self.page.locator(f".grip[aria-expanded=true]{USABLE}")
        if wanted.count() == 0 and raised.count():
            self.press(raised)
        return super().uncover(wanted, also)

    # -------------------------------------------------------------- following it

    def go_on(self, item: Locator) -> None:
        """Press a button of the coach that leads elsewhere in the lesson."""
        count = len(self.answers)
        self.press(item)
        self.wait(lambda: len(self.answers) > count, "the next answer")
        self.rest()

    def button(self, name: str) -> Locator:
        return self.page.locator(f"{COACH} [data-{name}]{USABLE}")

    def follow(self, mistakes: bool = False) -> None:
        """To the end, doing what the lesson shows; with `mistakes` a wrong turn in each step that
        knows one."""
        tried: set[int] = set()
        for _ in range(MOST):
            self.rest()
            self.check_coach()
            if self.is_done:
                return
            if self.step["kind"] == "read":
                self.go_on(self.button("go-on"))
            elif mistakes and self.now["number"] not in tried:
                tried.add(self.now["number"])
                self.go_astray()
            else:
                if not self.step.get("targets"):
                    self.put_aside()
                self.do(self.shown_move())
        raise AssertionError(f"not over after {MOST} items: {self.now['path']}")

    def put_aside(self) -> None:
        """Where it needs much of the screen."""
        if self.button("fold").count():
            self.press(self.button("fold").first)

    def shown_move(self) -> Move:
        """The next that the lesson would show; in free turns anything."""
        shown = self.step.get("show", [])
        moves = legal_moves(self._view_to_move())
        return next((move for move in moves if shown and move.text == shown[0]), None) or (
            self.some_move()
        )

    def go_astray(self) -> None:
        """A wrong turn: the coach says why, and leads back to where the step began."""
        path = self.now["path"]
        for move in legal_moves(self._view_to_move()):
            run = lessons.follow(self.name, [*path, move.text])
            if move.kind in MISTAKES and run.astray:
                self.put_aside()  # it may lie over what is no target
                self.do(move)
                self.rest()
                self.check_coach()
                self.go_on(self.button("take-back"))
                assert self.now["path"] == path
                self.mistakes += 1
                return

    # -------------------------------------------------------------- by keys

    def follow_by_keys(self, coach_key: str) -> None:
        """With Enter alone: what is to be pressed next has the focus. In free turns the coach is
        asked to show them."""
        for _ in range(MOST):
            self.rest()
            self.check_coach()
            if self.is_done:
                return
            if self.step["kind"] == "free" and not self.step.get("targets"):
                self.ask_to_show(coach_key)
            elif self.step.get("show", [""])[0].startswith("token"):  # a question with choices
                self.do(self.shown_move())
            else:
                self.press_on()
        raise AssertionError(f"not over after {MOST} items: {self.now['path']}")

    def press_on(self) -> None:
        count = len(self.answers)
        for _ in range(PRESSES):
            before = focus_of(self.page)
            self.page.keyboard.press("Enter")
            self.wait(partial(self._has_answered, count, before), f"Enter on {before}")
            if len(self.answers) > count:
                return
        raise AssertionError(f"Enter leads nowhere in {self.step['name']}\n{self.describe()}")

    def _has_answered(self, count: int, before: Json) -> bool:
        """An answer came, or something else is to be pressed now: a place, or a question."""
        now = focus_of(self.page)
        return len(self.answers) > count or (now != before and (not before["sends"] or now["asks"]))

    def ask_to_show(self, coach_key: str) -> None:
        count = len(self.answers)
        self.page.keyboard.press(coach_key)
        expect(self.coach).to_be_focused()
        for _ in range(PRESSES):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("document.activeElement.hasAttribute('data-show')"):
                break
        self.page.keyboard.press("Enter")
        self.wait(lambda: len(self.answers) > count and self._shows_nothing(), "showing the moves")

    def _shows_nothing(self) -> bool:
        return self.page.locator("[data-show][aria-pressed=true]").count() == 0


def focus_of(page: Page) -> Json:
    """What has the focus, whether a press there sends something, and whether it is a question."""
    found: Json = page.evaluate(FOCUS)
    return found
