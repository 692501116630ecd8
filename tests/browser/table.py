"""The page at a table, as a person uses it: it looks for what is lit, and presses that.

What it relies on in the page (all else may change):

- ``data-move="MOVE"`` on whatever sends that move when it is pressed, and also ``data-first``
  where it is asked for a second time whether it is meant;
- what leads there: ``data-space`` (supply), ``data-piece`` (a piece of my board), ``data-hand`` (a
  card of my hand; at setup it is a box to tick, and ``data-keep`` keeps what is ticked),
  ``data-card`` (an open card), ``data-draw`` (the deck),
  ``data-token``, and then ``data-priest`` (a pile, from 0), or ``data-kind`` and ``data-colour``;
- on the table ``data-version``, of the state that is shown, and ``data-untold``, how many steps on
  the way there are still to be told; ``.flying`` on what has not landed yet (its place is empty);
- ``.lost`` on the line that says so when the connection is lost, ``data-end`` on the end screen;
- ``data-curtain`` on the button of the curtain, ``data-skip`` on what ends A.D.A.M.'s story;
- on a phone, tabs (``.tab`` or ``role=tab``) behind which the above may be.

Whose turn it is and what is legal it hears from the page's own sockets.
"""

from __future__ import annotations

import json
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, Response, WebSocket, expect
from playwright.sync_api import Error as PlaywrightError

from coatl.moves import Move, MoveKind, Token
from tests.browser.rusher import Rusher, kept, legal_moves

Json = dict[str, Any]
PATIENCE = 60.0  # seconds until a test gives up
SOON = 20.0  # until a press must show something, on a busy machine
QUICKEST, SLOWEST = 8, 64  # ms between two looks at the page: looking takes its time, too
USABLE = ":visible:not([disabled]):not([aria-disabled=true])"
LOST = ".lost"  # where the page says that the connection is lost
END = "[data-end]"  # the end screen
REMEMBER_PRESSES = """
  window.presses = [];
  for (const kind of ["pointerdown", "pointerup", "click"])
    addEventListener(kind, (event) => {
      const { tagName, className, textContent, dataset } = event.target;
      const at = `${Math.round(event.timeStamp)} ms ${event.clientX},${event.clientY}`;
      const what = `${tagName} ${className} ${JSON.stringify(dataset)} ${textContent}`;
      presses.splice(0, presses.length - 11);
      presses.push(`${kind} at ${at} on ${what.slice(0, 160)}`);
    }, { capture: true });
"""  # the last of them are in the report of a failure
# how a browser tells of a lost connection, and of a server that is starting
CUT = ("net::ERR_", "WebSocket connection to", "answer 503", "status of 503")


class Watch:
    """Everything that went wrong in a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.wrong: list[str] = []
        self._may_be_cut = False
        page.on("console", self._hear_console)
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("requestfailed", self._hear_failure)
        page.on("response", self._hear_answer)

    def _hear_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._note(f"console: {message.text}")

    def _hear_failure(self, request: Request) -> None:
        if "ERR_ABORTED" not in (request.failure or ""):  # the page was left
            self._note(f"failed: {request.url}: {request.failure}")

    def _hear_answer(self, response: Response) -> None:
        if response.status >= 400:
            self._note(f"answer {response.status}: {response.url}")

    def _note(self, text: str) -> None:
        if not (self._may_be_cut and any(sign in text for sign in CUT)):
            self.wrong.append(text)

    @contextmanager
    def may_be_cut(self) -> Iterator[None]:
        """While the network is away; how the browser tells of that is no mistake of the page."""
        self._may_be_cut = True
        try:
            yield
        finally:
            self._may_be_cut = False

    def check(self) -> None:
        assert not self.wrong, "\n".join(self.wrong[:10])
        assert_fits(self.page)


def assert_fits(page: Page) -> None:
    """Nothing sticks out at the side; on a phone `innerWidth` would grow with the page."""
    size = page.viewport_size
    assert size is not None
    found = page.evaluate("document.documentElement.scrollWidth")
    assert found <= size["width"], f"the page is {found} wide, the window {size['width']}"


class TablePage:
    """One window at a table; with several people at one device it plays for all of them."""

    def __init__(self, page: Page, seed: int = 0, touch: bool = False, keys: bool = False) -> None:
        self.page = page
        self.watch = Watch(page)
        self.touch = touch
        self.keys = keys  # it presses Enter and Escape instead of clicking
        self.states: dict[int | None, Json] = {}  # the newest of each place
        self.refused: list[Json] = []
        self.sent: deque[str] = deque(maxlen=3)  # the last messages of this page
        self.curtains = 0
        self.on_curtain: Callable[[], None] = lambda: None
        self._player = Rusher(seed)
        page.on("websocket", self._hear_socket)
        page.add_init_script(REMEMBER_PRESSES)

    # -------------------------------------------------------------- what it hears

    def _hear_socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._hear)
        socket.on("framesent", self._hear_own)

    def _hear(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "state":
            self.states[message["place"]] = message
        elif message["type"] == "refused":
            self.refused.append(message)

    def _hear_own(self, frame: str | bytes) -> None:
        self.sent.append(str(frame))

    def has_sent(self, move: Move) -> bool:
        """Is it among the last messages that left the page?"""
        return any(json.loads(sent).get("move") == move.text for sent in self.sent)

    @property
    def state(self) -> Json:
        """The newest that came."""
        return max(self.states.values(), key=lambda state: int(state["version"]), default={})

    @property
    def version(self) -> int:
        return int(self.state.get("version", 0))

    @property
    def is_over(self) -> bool:
        return bool(self.state.get("status") == "over")

    @property
    def turn(self) -> Json | None:
        """The state of a seat of this window that is to move."""
        for state in self.states.values():
            if state["version"] == self.version and (state.get("view") or {}).get("moves"):
                return state
        return None

    def wait(self, fits: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
        """Let the page work until something is the case."""
        if not self.comes(fits, patience):
            raise AssertionError(f"{what}: did not happen\n{self.describe()}")

    def comes(self, fits: Callable[[], object], patience: float) -> bool:
        deadline, pause = time.monotonic() + patience, QUICKEST
        while not fits():
            if time.monotonic() > deadline:
                return False
            self.page.wait_for_timeout(pause)
            pause = min(2 * pause, SLOWEST)
        return True

    def describe(self) -> str:
        view = (self.turn or self.state).get("view") or {}
        moves = [move["text"] for move in view.get("moves", [])]
        heard = f"{self.page.url} {view.get('phase')} {moves} {self.refused}"
        presses = self.page.evaluate("presses")
        text = self.page.locator("body").inner_text()[:600]
        return "\n".join([heard, *self.sent, *presses, text])

    # -------------------------------------------------------------- playing

    def play(self, until: Callable[[Json], bool] = lambda _state: False) -> None:
        """Take every turn of this window until the game is over, or `until` a turn's state."""
        while True:
            self.wait(lambda: self.is_over or self.turn, "my turn or the end")
            turn = self.turn
            if turn is None or until(turn):
                return
            self.play_one(turn)

    def play_one(self, turn: Json | None = None) -> Move:
        """One decision of the player in a hurry."""
        turn = turn or self.turn
        assert turn is not None, "it is not my turn"
        move = self._player.choose(turn["view"])
        self.do(move)
        return move

    def some_move(self) -> Move:
        """What the player in a hurry would do."""
        return self._player.choose(self._view_to_move())

    def some_takes(self) -> list[Move]:
        """Those of the legal moves that take pieces."""
        return [m for m in legal_moves(self._view_to_move()) if m.kind is MoveKind.TAKE]

    def _view_to_move(self) -> Json:
        self.wait(lambda: self.turn, "my turn")
        turn = self.turn
        assert turn is not None
        view: Json = turn["view"]
        return view

    def is_in(self, phase: str, turn: int) -> bool:
        """Is one of this window to move, in such a phase, in this turn of the game or later?"""
        view = (self.turn or {}).get("view") or {}
        return bool(view.get("phase") == phase and view["turn"] >= turn)

    def do(self, move: Move) -> None:
        """Make a move by presses, and wait until the server has it."""
        self.wait(lambda: self.turn, "my turn")
        if self.is_in("setup", 0):  # there the page makes several moves of one press
            self.keep(kept(self._view_to_move()))
            return
        version = self.version
        self.reach(move)
        if self.version == version:  # else it was sent by what leads there
            self.send(move)
        self.wait(lambda: self.version > version, f"sending {move}")

    def keep(self, names: Sequence[str]) -> None:
        """At setup: tick these cards and no others, and keep them."""
        self.wait(lambda: self.turn, "my turn")
        place = (self.turn or self.state)["place"]
        self.come_to_rest()
        cards = self.uncover(self.page.locator(f"[data-hand]{USABLE}"), self._keep_button())
        wanted = Counter(names)
        for card in cards.all():
            name = card.get_attribute("data-hand") or ""
            is_wanted = wanted[name] > 0
            wanted[name] -= 1
            if is_wanted != (card.get_attribute("aria-checked") == "true"):
                self.press(card)
        self.press(self._keep_button())
        self.wait(lambda: not _is_at_setup(self.states[place]), "keeping cards")

    def _keep_button(self) -> Locator:
        return self.page.locator(f"[data-keep]{USABLE}")

    def send(self, move: Move) -> None:
        """Press what is offered; if it asks whether that is meant, press that too."""
        version, offered = self.version, self.offered(move)
        asked = self.page.locator(f"[data-first][data-move={json.dumps(move.text)}]{USABLE}")
        was_asked = asked.count() > 0
        self.press(asked.first if was_asked else offered.first)
        if not was_asked:
            self.comes(lambda: self._has_come(version, [asked]) or not offered.count(), SOON)
            if self.version == version and asked.count():
                self.press(asked.first)

    def come_to_rest(self) -> None:
        """Until the newest state is shown, and nothing moves any more."""
        self.comes(lambda: not self.raise_curtain() and self._shows_newest(), SOON)
        self.skip_story()
        self.comes(lambda: self._shows_newest('[data-untold="0"]'), SOON)
        self.comes(lambda: not self.page.locator(".flying").count(), SOON)

    def _shows_newest(self, told: str = "") -> bool:
        """The newest may be another at each look: others play on meanwhile, and the page sends the
        last step of a turn by itself. Where that ended the game, there is no table any more."""
        return self.page.locator(f'[data-version="{self.version}"]{told}, {END}').count() > 0

    def reach(self, move: Move) -> None:
        """Press what leads to a move until it is offered, or sent.

        The page sends by itself what is the only thing left of a turn.
        """
        version, offered = self.version, self.offered(move)
        self.come_to_rest()
        if self.version > version or offered.count():
            return
        ways = self._ways(move)
        for number, way in enumerate(ways):
            self.uncover(way, offered)
            if offered.count():
                return
            if way.count() == 0:
                continue
            self.press(way.first)
            awaited = [offered, *ways[number + 1 : number + 2]]
            self.comes(partial(self._has_come, version, awaited), SOON)
            if self.version > version or offered.count():
                return
        if self.comes(lambda: self.version > version, SOON):
            return
        raise AssertionError(f"{move} is legal, but nothing leads to it\n{self.describe()}")

    def _has_come(self, version: int, awaited: list[Locator]) -> bool:
        return self.version > version or any(one.count() for one in awaited)

    def offered(self, move: Move) -> Locator:
        """What would send a move if it were pressed now."""
        return self.page.locator(f"[data-move={json.dumps(move.text)}]{USABLE}")

    def _ways(self, move: Move) -> list[Locator]:
        """What has to be pressed first, by the kind of the move."""
        match move.kind:
            case MoveKind.TAKE:
                return [self._named("space", move.space)]
            case MoveKind.DRAW:
                return [self.page.locator(f"[data-draw]{USABLE}")]
            case MoveKind.PICK:
                return [self._named("card", move.card)]
            case MoveKind.DROP | MoveKind.FULFIL | MoveKind.TEMPLE:
                return [self._named("hand", move.card)]
            case MoveKind.TOKEN:
                return self._ways_of_a_token(move)
            case MoveKind.BEGIN | MoveKind.ADD:
                return [self._named("piece", move.pieces[0])]
        return []

    def _ways_of_a_token(self, move: Move) -> list[Locator]:
        ways = [self._named("token", move.token)]
        if move.token is Token.PRIEST:
            ways.append(self._named("priest", str(move.pile)))
        elif move.token is Token.PICK:
            pieces = "".join(move.pieces)
            kind = "h" if "<" in pieces else "t" if ">" in pieces else "b"
            ways.append(self._named("kind", kind))
            ways += [self._named("colour", colour) for colour in pieces.strip("<>")]
        return ways

    def _named(self, kind: str, value: str | None) -> Locator:
        return self.page.locator(f"[data-{kind}={json.dumps(value)}]{USABLE}")

    def uncover(self, wanted: Locator, also: Locator) -> Locator:
        """On a phone what is wanted may be behind a tab."""
        if wanted.count() == 0:
            tabs = self.page.locator(f".tab{USABLE}, [role=tab]{USABLE}")
            for number in range(tabs.count()):
                self.press(tabs.nth(number))
                if wanted.count() or also.count():
                    break
        return wanted

    def raise_curtain(self) -> bool:
        """Is there one? It may fall a moment after the state came."""
        curtain = self.page.locator(f"[data-curtain]{USABLE}")
        if not curtain.count():
            return False
        self.curtains += 1
        self.on_curtain()
        self.press(curtain)
        return True

    def skip_story(self) -> None:
        """What the others did is told at a pace for people."""
        skip = self.page.locator(f"[data-skip]{USABLE}")
        if skip.count() and self.keys:
            self.page.keyboard.press("Escape")
        elif skip.count():
            with suppress(PlaywrightError):  # the story may end by itself meanwhile
                skip.first.click(timeout=500)

    def press(self, target: Locator) -> None:
        try:
            if self.keys:
                target.press("Enter", timeout=SOON * 1000)
            elif self.touch:
                target.tap(timeout=SOON * 1000)
            else:
                target.click(timeout=SOON * 1000)
        except PlaywrightError as error:
            raise AssertionError(f"{error}\n{self.describe()}") from None


def _is_at_setup(state: Json) -> bool:
    """Has this seat to choose what it keeps?"""
    view = state.get("view") or {}
    return bool(view.get("phase") == "setup" and view["moves"])


def play_in_turns(*windows: TablePage, until: Callable[[], bool] = lambda: False) -> None:
    """Until the game is over for all, or something is the case."""
    while not all(window.is_over for window in windows):
        for window in windows:
            if until():
                return
            if window.turn is not None:
                window.play_one()
        windows[0].wait(
            lambda: (
                until()
                or any(window.turn for window in windows)
                or all(window.is_over for window in windows)
            ),
            "somebody's turn or the end",
        )


def expect_end(window: TablePage) -> None:
    """The end screen, with everybody's points."""
    window.wait(lambda: window.is_over, "the end of the game")
    expect(window.page.locator(END)).to_be_visible()
    for rank in window.state["standing"]:
        text = window.page.locator(END).inner_text()
        assert str(rank["points"]) in text
    window.watch.check()
