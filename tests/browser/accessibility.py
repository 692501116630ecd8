"""The page as a screen reader knows it: roles, names and states, and which of them has the focus.

Nothing here looks at classes or attributes of the markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

Json = dict[str, Any]
LIVE = ("polite", "assertive")
TRIES = 1000  # until what has the focus must be there for a screen reader
MESSAGES = Path(__file__).parents[2] / "web" / "messages"


@dataclass
class Node:
    """Something that is read aloud."""

    role: str
    name: str
    states: Json
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.role} {self.name!r}"

    def has(self, state: str) -> bool:
        return str(self.states.get(state, "")) in ("True", "true")

    def walk(self) -> Iterator[Node]:
        """This and everything in it, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def all(self, role: str) -> list[Node]:
        return [node for node in self.walk() if node.role == role]

    @property
    def text(self) -> str:
        return " ".join(node.name for node in self.all("StaticText"))


class Accessibility:
    """The accessibility tree of a page, as Chromium hands it to screen readers."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)

    def tree(self) -> Node:
        """Without what is announced: that was said once, and may not be so any more."""
        found = self._session.send("Accessibility.getFullAXTree")["nodes"]
        nodes = {node["nodeId"]: _read(node) for node in found}
        for raw in found:
            node = nodes[raw["nodeId"]]
            for child in raw.get("childIds", []):
                if child in nodes and nodes[child].states.get("live") not in LIVE:
                    nodes[child].parent = node
                    node.children.append(nodes[child])
        return nodes[found[0]["nodeId"]]

    def focus(self) -> Node:
        """What has the focus; it is never the page as a whole."""
        for _ in range(TRIES):
            focused = self._read_focus()
            if focused is not None:  # else it went away between two questions
                return focused
        raise AssertionError("what has the focus cannot be read aloud")

    def _read_focus(self) -> Node | None:
        at = self._session.send("Runtime.evaluate", {"expression": "document.activeElement"})[
            "result"
        ]
        assert at.get("className") != "HTMLBodyElement", "nothing has the focus"
        asked = {"objectId": at["objectId"], "fetchRelatives": False}
        node = self._session.send("Accessibility.getPartialAXTree", asked)["nodes"][0]
        return None if node.get("ignored") else _read(node)


def focus_of(tree: Node) -> Node | None:
    focused = [node for node in tree.walk() if node.has("focused")]
    return next((node for node in focused if node.role != "RootWebArea"), None)


def _read(node: Json) -> Node:
    states = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
    name = str(node.get("name", {}).get("value", ""))
    return Node(str(node.get("role", {}).get("value", "")), name, states)


class Words:
    """What the page says in a language, by the keys of its messages."""

    def __init__(self, language: str) -> None:
        file = MESSAGES / f"{language}.json"
        self._texts: Json = json.loads(file.read_text(encoding="utf-8"))

    def __getitem__(self, key: str) -> str:
        return str(self._texts[key])

    def all(self, key: str) -> set[str]:
        """Of a message with several texts: one for each colour or number."""
        return set(self._texts[key][0]["match"].values())

    def says(self, key: str, text: str) -> bool:
        """Is this message a part of a text, whatever stands in for its parameters?"""
        parts = re.split(r"\{\w+\}", self[key])
        return re.search(".*".join(re.escape(part) for part in parts), text) is not None
