"""What makes the page installable: its manifest, its icons, and its service worker."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route

from coatl.server import pages

TYPES = {
    "manifest.webmanifest": "application/manifest+json",
    "sw.js": "text/javascript",
    "icon-turn.svg": "image/svg+xml",
    "icon-180.png": "image/png",
    "icon-192.png": "image/png",
    "icon-512.png": "image/png",
    "icon-maskable-512.png": "image/png",
}


async def _file(request: Request) -> Response:
    """Asked for again each time: a kept worker would keep an old page."""
    name = request.url.path.removeprefix("/")
    headers = {"cache-control": "no-cache"}
    return FileResponse(pages.FOLDER / name, media_type=TYPES[name], headers=headers)


def install_routes() -> list[BaseRoute]:
    there = [name for name in TYPES if (pages.FOLDER / name).is_file()]
    return [Route(f"/{name}", _file, name=name) for name in there]
