"""The page: built by Vite into `coatl/static`, served as static files, compressed where it helps.

Beside each file lies the same compressed with Brotli, made when the page was built. Python cannot
make these, but gzip it can: that form is made when somebody first asks for it.
"""

from __future__ import annotations

import mimetypes
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import NotModifiedResponse, StaticFiles

from coatl.server.encoding import WORTH_IT, choose_encoding, compress

FOLDER = Path(__file__).parent.parent / "static"
NOT_BUILT = "The page is not built. In a checkout of the project: make web\n"
FOR_EVER = "public, max-age=31536000, immutable"  # names of these files change with their content
COMPRESSIBLE = {".js", ".css", ".svg", ".txt"}
BROTLI = ".br"


class Assets(StaticFiles):
    """Files that a browser may keep."""

    def file_response(
        self, full_path: Any, stat_result: os.stat_result, scope: Any, status_code: int = 200
    ) -> Response:
        file, asked = Path(full_path), Headers(scope=scope)
        if file.suffix not in COMPRESSIBLE or stat_result.st_size < WORTH_IT:
            answer = super().file_response(full_path, stat_result, scope, status_code)
        else:
            answer = _compressed(file, asked.get("accept-encoding", ""))
            answer.headers["vary"] = "accept-encoding"
            if self.is_not_modified(answer.headers, asked):
                answer = NotModifiedResponse(answer.headers)
        answer.headers["cache-control"] = FOR_EVER
        return answer


def _compressed(file: Path, accepted: str) -> Response:
    """A file in the smallest form that is accepted; each has a tag of its own."""
    smaller = file.with_name(file.name + BROTLI)
    offered = ("br", "gzip") if smaller.is_file() else ("gzip",)
    encoding = choose_encoding(accepted, offered)
    stat = file.stat()
    tag = f"{stat.st_mtime_ns:x}-{stat.st_size:x}"
    kind = mimetypes.guess_type(file.name)[0]
    if encoding is None:
        answer: Response = FileResponse(file, media_type=kind, stat_result=stat)
        answer.headers["etag"] = f'"{tag}"'
        return answer
    if encoding == "br":
        answer = FileResponse(smaller, media_type=kind, stat_result=smaller.stat())
    else:
        answer = Response(_gzipped(file, tag), media_type=kind)
    answer.headers["content-encoding"] = encoding
    answer.headers["etag"] = f'"{tag}-{encoding}"'
    return answer


@lru_cache(maxsize=100)
def _gzipped(file: Path, _tag: str) -> bytes:
    return compress(file.read_bytes())


async def _page(_request: Request) -> Response:
    file = FOLDER / "index.html"
    if not file.is_file():
        return PlainTextResponse(NOT_BUILT, 503)
    return FileResponse(file, headers={"cache-control": "no-cache"})


async def _icon(_request: Request) -> Response:
    return FileResponse(FOLDER / "icon.svg")


def page_routes() -> list[BaseRoute]:
    routes: list[BaseRoute] = [Route("/", _page, name="page")]
    if (FOLDER / "assets").is_dir():
        routes.append(Route("/icon.svg", _icon, name="icon"))
        routes.append(Mount("/assets", Assets(directory=FOLDER / "assets"), name="assets"))
    return routes
