"""Plays at a table by the keyboard alone, from what a screen reader is told.

It assembles what it has, closes a Cóatl as soon as it may, and else gathers what is missing. It
knows no rule: it goes by what the page says is there, and by what takes a piece. The window's
sockets only tell it when to wait.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tests.browser.accessibility import Accessibility, Node, Words, focus_of
from tests.browser.table import TablePage

KEPT = 3  # cards at set-up
CARDS = 3  # in the hand, below which it chooses more
FULL = 6  # pieces on the board, from which on it assembles
STOPS = 30  # of the Tab key, after which it has been everywhere
IN_A_GROUP = 30  # things at most, among which the arrows go round


class KeyPlayer:
    def __init__(self, window: TablePage, language: str = "en") -> None:
        self.window = window
        self.words = Words(language)
        self.tree = Accessibility(window.page)
        self.letters: dict[str, str] = {}
        self.pressed = 0
        self.has_begun = False  # a Cóatl, and not closed it

    # -------------------------------------------------------------- keys and the focus

    def press(self, key: str) -> Node:
        """Something must have the focus afterwards, and is returned."""
        self.window.page.keyboard.press(key)
        self.pressed += 1
        return self.tree.focus()

    def send(self, key: str) -> None:
        """Press what makes a move, and wait until it is made and shown."""
        version = self.window.version
        self.press(key)
        self.window.wait(lambda: self.window.version > version, f"a move by {key}")
        self.rest()

    def rest(self) -> None:
        """Until the page shows the newest state; meanwhile the focus is not lost either."""
        self.window.wait(self._is_shown, "showing what was done")
        self.tree.focus()

    def _is_shown(self) -> bool:
        shown = f"[data-version='{self.window.version}'][data-untold='0']"
        return self.window.is_over or self.window.page.locator(shown).count() > 0

    def learn_letters(self) -> None:
        """From the help, which shows the keys. It gives the focus back."""
        before = str(self.tree.focus())
        self.show_keys()
        sheet = self.dialog(self.tree.tree(), "help")
        assert sheet is not None
        keys, meanings = (
            [node.text for node in sheet.all(role)] for role in ("term", "definition")
        )
        self.letters = {text: key.lower() for key, text in zip(keys, meanings, strict=True)}
        self.press("Escape")
        self.until(lambda tree: self.dialog(tree, "help") is None, "closing the help")
        assert str(self.tree.focus()) == before

    def show_keys(self) -> None:
        """In the help they are behind the last tab."""
        self.press("?")
        self.until(lambda tree: self.dialog(tree, "help") is not None, "the help")
        self.tab_until(lambda node: node.role == "tab")
        self.press("ArrowLeft")
        self.until(lambda tree: bool(tree.all("term")), "the keys")

    def go_to(self, part: str) -> Node:
        """By its letter, to a part of the table."""
        return self.press(self.letters[self.words[part]])

    def end(self) -> None:
        """What ends the step."""
        self.send(self.letters[self.words["keys_end"]])

    def find(self, fits: Callable[[Node], bool], count: int) -> bool:
        """With the arrows, among so many things of the group that has the focus."""
        node = self.tree.focus()
        for _ in range(count):
            if fits(node):
                return True
            node = self.press("ArrowRight")
        return False

    def until(self, fits: Callable[[Node], bool], what: str) -> None:
        self.window.wait(lambda: fits(self.tree.tree()), what)

    # -------------------------------------------------------------- what there is

    def dialog(self, tree: Node, title: str) -> Node | None:
        return next(
            (node for node in tree.all("dialog") if self.words.says(title, node.name)), None
        )

    def kind_of(self, name: str) -> str:
        """Of the first piece that a name tells of: head, tail or body."""
        kinds = {
            name.find(text): kind
            for kind in ("head", "tail", "body")
            for text in self.words.all(f"piece_{kind}")
            if text in name
        }
        return kinds[min(kinds)] if kinds else ""

    def is_of(self, kind: str, node: Node) -> bool:
        return self.kind_of(node.name) == kind

    def board(self, tree: Node) -> list[str]:
        """The kinds of the pieces on it."""
        groups = [node for node in tree.all("group") if self.words["your_board"] in node.name]
        assert len(groups) == 1
        return [self.kind_of(button.name) for button in groups[0].all("button")]

    def hand(self, tree: Node) -> list[str]:
        """Its Prophecy cards; they come before the Temple card, after the name of the hand."""
        nodes = list(tree.walk())
        label = self.words["your_hand"].casefold()
        at = next(i for i, node in enumerate(nodes) if node.name.strip().casefold() == label)
        buttons = [node.name for node in nodes[at:] if node.role == "button"]
        temple = [text.split("{")[0] for text in self.words.all("temple_level") if text[0] != "{"]
        return [name for name in buttons if not any(text in name for text in temple)]

    def colours(self, names: list[str]) -> set[str]:
        """The colours that these cards name, in English the first word of a piece."""
        all_colours = {text.split()[0] for text in self.words.all("piece_body")}
        return {colour for colour in all_colours if any(colour in name for name in names)}

    def takes(self, place: Node, kind: str) -> bool:
        """Is it an end for a piece, or a lane for a head? Not one that would tell why it is not."""
        keys = ("add_left", "begin_with") if kind == "head" else ("add_left", "add_right")
        is_place = any(self.words.says(key, place.name) for key in keys)
        return is_place and not self.words.says("why_not", place.name)

    # -------------------------------------------------------------- a game

    def play(self, steps: int = 1000) -> None:
        """Until the game is over, or so many steps were made."""
        for _ in range(steps):
            self.window.wait(lambda: self.window.is_over or self.window.turn, "my turn or the end")
            if self.window.is_over:
                return
            self.rest()
            self.step()

    def step(self) -> None:
        """One decision, by what the page asks for."""
        tree = self.tree.tree()
        if tree.all("checkbox"):
            self.keep_cards()
        elif self.dialog(tree, "complete_title"):
            self.complete(tree)
        elif any(self.words[key] in tree.text for key in ("prompt_done", "prompt_pass")):
            self.end()
        elif self.words["prompt_pick"] in tree.text:
            if len(self.hand(tree)) > CARDS or not self.choose():
                self.end()
        elif self.words["prompt_assemble"] in tree.text:
            if not self.assemble(tree, "body", "tail"):
                self.end()
        elif not self.begin_turn(tree):
            self.end()

    def begin_turn(self, tree: Node) -> bool:
        board = self.board(tree)
        first = "body" if self.has_begun else "head"
        if len(board) >= FULL and self.assemble(tree, first, "body", "head"):
            return True
        return (
            (len(self.hand(tree)) < CARDS and self.choose()) or self.gather(tree) or self.choose()
        )

    def keep_cards(self) -> None:
        node = self.go_to("your_hand")
        boxes = self.tree.tree().all("checkbox")
        for _ in range(KEPT - sum(map(_is_ticked, boxes))):
            assert self.find(lambda box: not _is_ticked(box), len(boxes)), node
            self.press("Enter")
        self.end()
        self.until(lambda tree: not tree.all("checkbox"), "discarding the others")

    def assemble(self, tree: Node, *kinds: str) -> bool:
        """Put a piece somewhere; the kinds are tried one after another."""
        board = self.board(tree)
        for kind in dict.fromkeys(kinds):
            if kind not in board:
                continue
            self.go_to("your_board")
            assert self.find(partial(self.is_of, kind), len(board))
            piece = str(self.tree.focus())
            place = self.press("Enter")
            if self.takes(place, kind):
                self.has_begun = self.has_begun or kind == "head"
                self.send("Enter")
                return True
            self.press("Escape")
            assert str(self.tree.focus()) == piece  # it was given back
        return False

    def gather(self, tree: Node) -> bool:
        """A head, a tail, or segments, whatever is missing, best in colours that its cards name."""
        board, colours = self.board(tree), self.colours(self.hand(tree))
        wanted = next((kind for kind in ("head", "tail") if kind not in board), "body")
        stone = next(node for node in tree.all("group") if self.words["supply"] in node.name)
        spaces = [node.name for node in stone.all("button") if self.kind_of(node.name)]
        worth = {name: sum(name.count(colour) for colour in colours) for name in spaces}
        of_kind = [name for name in spaces if self.kind_of(name) == wanted]
        best = max(of_kind or spaces, key=lambda name: worth[name], default="")
        self.go_to("supply")
        if not best or not self.find(lambda node: node.name == best, len(spaces) + 10):
            return False
        if self.press("Enter").name == self.words["take_button"]:
            self.send("Enter")
            return True
        self.press("Escape")
        return False

    def choose(self) -> bool:
        """A Prophecy card of the row, best one that asks for pieces anywhere."""
        self.go_to("prophecies")
        self.find(lambda node: self.words["anywhere"].split("}")[-1] in node.name, 6)
        if self.press("Enter").name == self.words["pick_button"]:
            self.send("Enter")
            return True
        self.press("Escape")
        return False

    def complete(self, tree: Node) -> None:
        """Lay what adds points, then go on."""
        self.has_begun = False
        sheet = self.dialog(tree, "complete_title")
        assert sheet is not None
        lays, temples = (self.words[key] in tree.text for key in ("prompt_fulfil", "prompt_temple"))
        cards = (
            self.adding(sheet, "from_hand")
            if lays
            else self.adding(sheet, "one_temple")
            if temples
            else []
        )
        if not cards:
            return self.end()
        assert self.tab_to(cards[0])
        version = self.window.version
        if self.press("Enter").name == self.words["lay_here"]:  # it cannot be taken back
            self.press("Enter")
        self.window.wait(lambda: self.window.version > version, f"laying {cards[0]}")
        return self.rest()

    def adding(self, sheet: Node, section: str) -> list[str]:
        """The cards of a section of the sheet that say that they add points."""
        names = {self.words[key].casefold(): key for key in ("from_hand", "one_temple")}
        current, button, found = "", "", []
        for node in sheet.walk():
            current = names.get(node.name.strip().casefold(), current)
            if node.role == "button":
                button = node.name
            elif current == section and self.words.says("adds", node.name) and button not in found:
                found.append(button)
        return found

    def tab_to(self, name: str) -> bool:
        """Through the groups with Tab, and in each with the arrow."""
        for _ in range(STOPS):
            self.window.page.keyboard.press("Tab")
            stop = node = focus_of(self.tree.tree())
            if stop is None or node is None:  # after the page come the controls of the browser
                continue
            for _ in range(IN_A_GROUP):
                if node.name == name:
                    return True
                node = self.press("ArrowRight")
                if str(node) == str(stop):
                    break
        return False

    def tab_until(self, fits: Callable[[Node], bool], key: str = "Tab") -> None:
        """From what has the focus on, or with Shift+Tab back."""
        for _ in range(STOPS):
            if fits(self.tree.focus()):
                return
            self.press(key)
        raise AssertionError(f"{key} never comes there")


def _is_ticked(box: Node) -> bool:
    return bool(box.states.get("checked") == "true")
