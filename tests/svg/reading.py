"""Drawings read back: what every one of them has to be, and what stands in it."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

from coatl.svg import Drawing

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {
    *(
        "svg",
        "title",
        "defs",
        "g",
        "use",
        "path",
        "rect",
        "circle",
        "polygon",
        "text",
        "stop",
        "ellipse",
    ),
    *("linearGradient", "radialGradient", "pattern", "filter", "feDropShadow", "feOffset"),
    *("feComposite", "feGaussianBlur", "feFlood", "feMerge", "feMergeNode"),
}


def read(drawing: Drawing) -> ElementTree.Element:
    """The document, after checking that it needs nothing but itself."""
    text = str(drawing)
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= ALLOWED
    assert text.count("://") == text.count('xmlns="http://www.w3.org/2000/svg"') == 1
    for word in ("var(", "currentColor", "javascript", "@import", "data:"):
        assert word not in text
    for element in root.iter():
        assert not [key for key in element.attrib if key.startswith("on") or key == "style"]
    check_references(root)
    return root


def check_references(root: ElementTree.Element) -> None:
    """Every id is there once, and every reference leads to one."""
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))
    values = [value for element in root.iter() for value in element.attrib.values()]
    used = {name for value in values for name in re.findall(r"url\(#([^)]*)\)", value)}
    for element in root.iter(f"{SVG}use"):
        assert element.attrib["href"].startswith("#")
        used.add(element.attrib["href"][1:])
    assert used <= set(ids)


def title(root: ElementTree.Element) -> str:
    return root.findtext(f"{SVG}title") or ""


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def symbols(root: ElementTree.Element) -> list[str]:
    """What is drawn by a name, without theme and size, in the order of drawing."""
    outside = [child for child in root if child.tag != f"{SVG}defs"]
    uses = [use.attrib["href"] for child in outside for use in child.iter(f"{SVG}use")]
    return [re.sub(r"^#coatl-(light|dark)-|-[ms]$", "", name) for name in uses]


def counted(root: ElementTree.Element) -> Counter[str]:
    return Counter(symbols(root))


def definitions(root: ElementTree.Element) -> dict[str, str]:
    found = root.find(f"{SVG}defs")
    assert found is not None
    return {child.attrib["id"]: ElementTree.tostring(child, encoding="unicode") for child in found}
