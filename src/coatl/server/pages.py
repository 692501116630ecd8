"""The page: built by Vite into `coatl/static`, served as static files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).parent.parent / "static"
NOT_BUILT = "The page is not built. In a checkout of the project: make web\n"
FOR_EVER = "public, max-age=31536000, immutable"  # names of these files change with their content


class Assets(StaticFiles):
    """Files that a browser may keep."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        answer = super().file_response(*args, **kwargs)
        answer.headers["cache-control"] = FOR_EVER
        return answer


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
