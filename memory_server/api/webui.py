"""Pages: LightRAG's web interface from its package, the choice of a workspace, the API's description.

They hold no data and are open; what they show they ask for with the key.  LightRAG's interface knows no workspaces, so
it is served once per workspace, below ``/w/NAME``: it asks below the same address, and the gate binds that workspace.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import orjson
from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from memory_server.api.lightrag_api import INTERFACES, LIGHTRAG_FILES, VERSIONS

Page = Callable[[Request], Awaitable[Response]]
PAGES = Path(__file__).parent / "pages"
PLACEHOLDER = "<!-- __LIGHTRAG_RUNTIME_CONFIG__ -->"
SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
# What memory holds is shown by these pages: no picture, request or form of theirs may carry it elsewhere.
THEIRS = {
    **SAFE,
    "Content-Security-Policy": "connect-src 'self'; img-src 'self' data: blob:; media-src 'self'; form-action 'self'; "
    "frame-src 'self'; frame-ancestors 'self'; object-src 'none'; base-uri 'none'",
}
OURS = {
    **SAFE,
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; frame-ancestors 'self'; form-action 'none'; base-uri 'none'",
}


def add_pages(app: FastAPI) -> None:
    """Add the routes of everything that LightRAG's package brings along, and of our own pages."""
    router = APIRouter(include_in_schema=False)
    router.add_api_route("/", _front(_own("choose.html")), methods=["GET"])
    for path, file in INTERFACES.items():
        if VERSIONS[f"{path.strip('/')}_available"]:
            router.add_api_route(path, _with_slash, methods=["GET"])
            router.add_api_route(
                f"{path}/", _interface(path, (LIGHTRAG_FILES / "webui" / file).read_text("utf-8")), methods=["GET"]
            )
    if VERSIONS["api_docs_available"]:
        router.add_api_route("/docs", _own("docs.html"), methods=["GET"])
    app.include_router(router)
    app.mount("/pages", _Files(directory=PAGES))
    for path in INTERFACES:
        if (LIGHTRAG_FILES / "webui" / "assets").is_dir():
            app.mount(f"{path}/assets", _Files(directory=LIGHTRAG_FILES / "webui" / "assets"))
            app.add_api_route(f"{path}/favicon.png", _icon, include_in_schema=False)
    if VERSIONS["api_docs_available"]:
        app.mount("/static/swagger-ui", _Files(directory=LIGHTRAG_FILES / "static" / "swagger-ui"))


class _Files(StaticFiles):
    def file_response(self, *given: object, **named: object) -> Response:
        """Return the file, not to be taken for anything else."""
        answer = super().file_response(*given, **named)  # type: ignore[arg-type]  # Starlette's own arguments, as they came
        answer.headers["X-Content-Type-Options"] = "nosniff"
        return answer


def _own(name: str) -> Page:
    html = (PAGES / name).read_text("utf-8")

    async def page(_: Request) -> Response:
        return HTMLResponse(html, headers=OURS)

    return page


def _front(choose: Page) -> Page:
    async def front(request: Request) -> Response:
        prefix = request.scope.get("root_path", "")
        return RedirectResponse(f"{prefix}/webui/", 307) if prefix else await choose(request)

    return front


async def _icon() -> Response:
    return FileResponse(LIGHTRAG_FILES / "webui" / "favicon.png", headers={"X-Content-Type-Options": "nosniff"})


async def _with_slash(request: Request) -> Response:
    return RedirectResponse(f"{request.scope['path']}/", 307)


def _interface(path: str, html: str) -> Page:
    async def page(request: Request) -> Response:
        prefix = request.scope.get("root_path", "")
        title = " · ".join(["Mneme", *prefix.split("/")[2:]])  # a workspace's name: letters, digits and underscores
        config = {"apiPrefix": prefix, "webuiPrefix": f"{prefix}{path}/", "webuiTitle": title}
        # Nothing in it can end the script: JSON may spell these letters so.
        written = orjson.dumps(config).decode().replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
        named = "document.title = window.__LIGHTRAG_CONFIG__.webuiTitle;"
        script = f"<script>window.__LIGHTRAG_CONFIG__ = {written};{named}</script>"
        return HTMLResponse(html.replace(PLACEHOLDER, script), headers=THEIRS)

    return page
