"""What MkDocs is told besides mkdocs.yml: pages from outside of docs/, font, colours, a check.

It runs in the environment of `make docs`, which has nothing of the game: what it needs, it reads.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files, InclusionLevel

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

from tools.site import notebook, reference  # noqa: E402
from tools.site.check import problems  # noqa: E402
from tools.site.markdown import for_mkdocs, links, relink, resolve  # noqa: E402

# Pages of the site that are kept elsewhere in the repository.
KEPT_ELSEWHERE = {
    "changelog.md": "CHANGELOG.md",
    "conduct.md": "CODE_OF_CONDUCT.md",
    "contributing.md": "CONTRIBUTING.md",
    "deploy-files.md": "deploy/README.md",
    "index.md": "README.md",
    "model-card.md": "src/coatl/players/weights/README.md",
    "notebooks/cards.md": "examples/cards.ipynb",
    "notebooks/game.md": "examples/game.ipynb",
    "notebooks/ratings.md": "examples/ratings.ipynb",
    "notebooks/training.md": "examples/training.ipynb",
    "security.md": "SECURITY.md",
}
PAGE_OF = {source: page for page, source in KEPT_ELSEWHERE.items()}
LANGUAGES = {".md": "markdown", ".py": "python", ".toml": "toml", ".yml": "yaml", ".yaml": "yaml"}
FONT = ROOT / "web" / "node_modules" / "@fontsource" / "alegreya-sans" / "files"
_FONT_FILE = re.compile(r'url\("@fontsource/alegreya-sans/files/([\w-]+\.woff2)"\)')


def source_of(page: str) -> str:
    """Where a page of the site is kept in the repository."""
    return KEPT_ELSEWHERE.get(page, f"docs/{page}")


def page_of(source: str) -> str:
    """The page that shows a file of the repository."""
    if source.startswith("docs/"):
        return source.removeprefix("docs/")
    if re.fullmatch(r"examples/.*\.svg", source):  # what a notebook draws; no file has it alone
        return source.replace("examples/", "notebooks/")
    return PAGE_OF.get(source, f"files/{source}.md")


def is_outside(target: str) -> bool:
    return "://" in target or target.startswith("mailto:")


def on_files(files: Files, config: Any) -> Files:
    for page, source in KEPT_ELSEWHERE.items():
        text = (ROOT / source).read_text("utf-8")
        if source.endswith(".ipynb"):
            text = add_pictures(notebook.as_page(text, Path(source).stem, source), files, config)
        files.append(File.generated(config, page, content=text))
    for module in re.findall(r"reference/(coatl[\w.]*)\.md", str(config.nav)):
        text = reference.page_of(module, ROOT / "src")
        files.append(File.generated(config, f"reference/{module}.md", content=text))
    for source in sorted(linked_sources(files)):
        content = as_page(source)
        place = InclusionLevel.NOT_IN_NAV
        files.append(File.generated(config, page_of(source), content=content, inclusion=place))
    add_look(files, config)
    return files


def add_pictures(page: notebook.NotebookPage, files: Files, config: Any) -> str:
    """The text of a notebook's page; what it draws lies beside it."""
    for name, drawing in page.pictures.items():
        files.append(File.generated(config, f"notebooks/{name}", content=drawing))
    return page.text


def linked_sources(files: Files) -> set[str]:
    """Files of the repository that pages link to, and that are no pages themselves."""
    found: set[str] = set()
    for file in files.documentation_pages():
        source = source_of(file.src_uri)
        targets = [target for target in links(file.content_string) if not is_outside(target)]
        found |= {resolve(source, target)[0] for target in targets}
    outside = {path for path in found if page_of(path).startswith("files/")}
    return {path for path in outside if (ROOT / path).is_file()}


def as_page(source: str) -> str:
    """A file to be read on the site."""
    text = (ROOT / source).read_text("utf-8")
    language = LANGUAGES.get(Path(source).suffix, "text")
    return f"# `{source}`\n\n````{language}\n{text}````\n"


def add_look(files: Files, config: Any) -> None:
    """Font and colours are those of the game's page, where they are kept."""
    font = (ROOT / "web" / "src" / "assets" / "font.css").read_text("utf-8")
    for name in sorted(set(_FONT_FILE.findall(font))):
        place = str(FONT / name)
        files.append(File.generated(config, f"stylesheets/{name}", abs_src_path=place))
    text = _FONT_FILE.sub(r'url("\1")', font)
    files.append(File.generated(config, "stylesheets/font.css", content=text))
    tokens = (ROOT / "src" / "coatl" / "drawings" / "tokens.css").read_text("utf-8")
    dark = tokens.replace("[data-theme=dark]", "[data-md-color-scheme=slate]")
    files.append(File.generated(config, "stylesheets/tokens.css", content=dark))
    icon = str(ROOT / "web" / "public" / "icon.svg")
    files.append(File.generated(config, "pictures/icon.svg", abs_src_path=icon))


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    name = page.file.src_uri
    if name.startswith("files/"):
        return markdown
    if name == "index.md":
        page.meta["hide"] = ["navigation", "toc"]  # it leads on by itself

    def link_between_pages(target: str) -> str:
        if is_outside(target) or target.startswith("#"):
            return target
        path, anchor = resolve(source_of(name), target)
        address = posixpath.relpath(page_of(path), posixpath.dirname(name) or ".")
        return f"{address}#{anchor}" if anchor else address

    return for_mkdocs(relink(markdown, link_between_pages))


def on_post_build(config: Any, **_: Any) -> None:
    if found := problems(Path(config.site_dir)):
        raise PluginError("the site is not whole:\n" + "\n".join(found))
