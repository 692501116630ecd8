"""The installed page: it opens without a server, and never outlives the one it belongs to."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from coatl.server.pages import FOLDER as STATIC
from tests.browser.home import READY
from tests.browser.marks import whole_games
from tests.browser.prepared import in_turn, prepare
from tests.browser.table import PATIENCE, TablePage
from tests.browser.windows import Windows

pytestmark = whole_games
NEWER = '<meta name="newer" />'
IS_KEPT = """async () => {
  const cache = await caches.open("coatl-page");
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const files = ["/", ...loaded.filter((name) => name.includes("/assets/"))];
  const kept = await Promise.all(files.map((file) => cache.match(file)));
  return Boolean(navigator.serviceWorker.controller) && kept.every(Boolean);
}"""
NOT_SECURE = """
  window.registered = 0;
  Object.defineProperty(window, "isSecureContext", { value: false });
  navigator.share = async () => undefined;
  navigator.serviceWorker.register = async () => { registered += 1; };
"""
INSTALLABLE = """async () => {
  const manifest = await (await fetch(document.querySelector("link[rel=manifest]").href)).json();
  const sizes = (image) => `${image.naturalWidth}x${image.naturalHeight}`;
  const icons = await Promise.all(manifest.icons.map(async ({ src, sizes: named }) => {
    const image = new Image();
    image.src = src;
    await image.decode();
    return named === "any" || named === sizes(image);
  }));
  return [manifest.name, manifest.display, icons];
}"""


@pytest.fixture
def page_folder(tmp_path: Path, windows: Windows) -> Path:
    """A copy of the built page, which the server sends instead; it may be changed."""
    folder = tmp_path / "static"
    shutil.copytree(STATIC, folder)
    windows.server.prelude = prelude_for(folder)
    return folder


def prelude_for(folder: Path, more: str = "") -> str:
    return (
        f"import pathlib, coatl.server.pages as p; p.FOLDER = pathlib.Path({str(folder)!r}){more}"
    )


def make_newer(folder: Path) -> None:
    file = folder / "index.html"
    file.write_text(file.read_text("utf-8").replace("</head>", f"{NEWER}</head>"), "utf-8")


def await_kept(window: TablePage) -> None:
    window.wait(lambda: window.page.evaluate(IS_KEPT), "the page to be kept")


def test_the_page_can_be_installed(windows: Windows) -> None:
    window, _home = windows.at_home()
    name, display, icons = window.page.evaluate(INSTALLABLE)
    assert (name, display) == ("Cóatl", "standalone")
    assert icons == [True] * 4


def test_links_can_be_shared(windows: Windows) -> None:
    """Where the browser can: with the link that stands beside the button."""
    window, home = windows.at_home()
    window.page.add_init_script("navigator.share = async (what) => { window.shared = what.url; };")
    window.page.reload()
    home.sit("you", "link", names=("Ana",))
    home.open_table()
    line = window.page.locator("[data-share]").first
    line.locator("[data-share-button]").click()
    assert window.page.evaluate("shared") == line.locator("input").input_value()


def test_what_needs_a_secure_address_is_hidden_elsewhere(windows: Windows) -> None:
    window, home = windows.at_home(worker=True)
    window.page.add_init_script(NOT_SECURE)
    window.page.reload()
    home.sit("you", "link", names=("Ana",))
    home.open_table()
    expect(window.page.locator("[data-share]").first).to_be_visible()
    expect(window.page.locator("[data-share-button], [data-notice-offer]")).to_have_count(0)
    window.page.locator("[data-settings]").click()
    expect(window.page.locator("[data-option=sounds]")).to_be_visible()
    expect(window.page.locator("[data-option=notify]")).to_have_count(0)
    assert window.page.evaluate("registered") == 0


def test_the_page_opens_without_a_server(windows: Windows, folder: Path) -> None:
    """It says what needs one, and goes on when there is one again."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(5), seed=81)
    window = windows.open(held=prepared.held(0), worker=True)
    page = window.page
    await_kept(window)
    with window.watch.may_be_cut():
        windows.server.stop()
        page.reload()
        expect(page.locator(".hero h1")).to_be_visible()
        expect(page.locator("[data-offline]")).to_be_visible()
        page.goto(f"{windows.server.url}/#/table/{prepared.id}")
        expect(page.locator("main.notice")).to_contain_text("The server cannot be reached.")
        page.goto(f"{windows.server.url}/")
        windows.server.start()
        expect(page.locator(READY)).to_be_visible(timeout=PATIENCE * 1000)
        expect(page.locator("[data-offline]")).to_have_count(0)


def test_a_newer_page_takes_the_place_of_the_kept_one(windows: Windows, page_folder: Path) -> None:
    window = windows.open(worker=True)
    page, newer = window.page, window.page.locator("meta[name=newer]")
    await_kept(window)
    make_newer(page_folder)
    page.reload()
    expect(newer).to_be_attached()
    await_kept(window)
    window.wait(
        lambda: "newer" in page.evaluate("caches.match('/').then((kept) => kept.text())"),
        "the newer page to be kept",
    )
    with window.watch.may_be_cut():
        windows.server.stop()
        page.reload()
        expect(newer).to_be_attached()
        windows.server.start()


def test_a_page_gives_way_to_a_server_of_another_protocol(
    windows: Windows, folder: Path, page_folder: Path
) -> None:
    """The page at home, where there is no socket, hears it from any answer. It tries that once."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(5), seed=82)
    window = windows.open(held=prepared.held(0), worker=True)
    page, loads = window.page, list[str]()
    await_kept(window)
    page.on("load", lambda loaded: loads.append(loaded.url))
    with window.watch.may_be_cut():
        windows.server.stop()
        make_newer(page_folder)
        more = "; import coatl.server.protocol as q; q.PROTOCOL += 1"
        windows.server.prelude = prelude_for(page_folder, more)
        windows.server.start()
        expect(page.locator("meta[name=newer]")).to_be_attached(timeout=PATIENCE * 1000)
        expect(page.locator("[data-table]")).to_be_visible()
    assert len(loads) == 1
