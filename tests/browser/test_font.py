"""The page's font: it has the letters of every name, and is fetched as far as it is needed."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.marks import in_a_browser
from tests.browser.windows import Windows

pytestmark = in_a_browser

# Polish, Czech, Turkish, Hungarian, Romanian, Latvian, Welsh, Icelandic, Vietnamese.
NAMES = "Łukasz Żółć Řehoř Ťok Gökçeoğlu Işıl Erdős Ștefăniță Ķēniņš Ŵyn Þórður Nguyễn Đặng Hữu"
SHOW = "(names) => { document.querySelector('h2').textContent = names; }"


def fonts_in(page: Page, selector: str) -> set[str]:
    """The fonts that the letters of an element are drawn with."""
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    found = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    session.detach()
    return {" ".join(font["familyName"].split()[:2]) for font in found}  # without the weight


def test_names_in_all_latin_letters_are_in_the_font_of_the_page(windows: Windows) -> None:
    window = windows.open()
    fetched: list[str] = []
    window.page.on("request", lambda request: fetched.append(request.url))
    window.page.reload(wait_until="networkidle")
    assert [url for url in fetched if "-latin-" in url]
    assert not [url for url in fetched if "latin-ext" in url or "vietnamese" in url]
    with window.page.expect_response(lambda answer: "latin-ext" in answer.url):
        window.page.evaluate(SHOW, NAMES)
    window.wait(lambda: fonts_in(window.page, "h2") == {"Alegreya Sans"}, "the font alone")
