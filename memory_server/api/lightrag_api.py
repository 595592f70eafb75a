"""LightRAG's own API and pages, as this server offers them: routers, bodies, versions, refusals, web interface.

LightRAG's modules parse the command line at import and read settings from the environment; :func:`load` imports them
where and when they can be, so that the rest of the program does not pay for that and is not surprised by it.
"""

import json
import logging
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson
import structlog
from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from lightrag._version import __api_version__, __version__
from lightrag.base import OllamaServerInfos, QueryParam
from pydantic import BaseModel, ValidationError
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from lightrag import _version
from memory_server.chunking import tokenizer
from memory_server.errors import MemoryServerError


@dataclass(frozen=True, slots=True)
class LightragApi:
    """Modules of LightRAG's that are there once :func:`load` was called (Any: untyped)."""

    query: Any
    graph: Any
    documents: Any
    customization: Any
    ollama: Any


def _without_texts(record: logging.LogRecord) -> bool:
    """Keep where an error happened and its type, and nothing below errors: LightRAG quotes questions and names."""
    if record.levelno < logging.ERROR:
        return False
    kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else "error"
    record.msg, record.args = f"{kind} in {record.module}:{record.lineno}", ()
    record.exc_info = record.exc_text = None
    return True


def load() -> LightragApi:
    """Import LightRAG's routers with no command line, and with a log that names no texts."""
    arguments = sys.argv
    sys.argv = arguments[:1]
    log = logging.getLogger("lightrag")
    log.addFilter(_without_texts)
    try:
        from lightrag.api.config import initialize_config  # noqa: PLC0415 - see the module's text

        initialize_config()
        from lightrag.api.routers import (  # noqa: PLC0415 - see above
            document_routes,
            graph_routes,
            ollama_api,
            query_routes,
            ui_customization_routes,
        )
    finally:
        sys.argv = arguments
    # It counts tokens for Ollama's statistics with a vocabulary that it would download at the first request.
    ollama_api._ESTIMATE_TOKENIZER = tokenizer()  # noqa: SLF001 - there is no other way to give it one
    return LightragApi(query_routes, graph_routes, document_routes, ui_customization_routes, ollama_api)


LIGHTRAG_FILES: Final = Path(_version.__file__).parent / "api"
"""Where LightRAG's package keeps its web interface and the viewer of its API."""
INTERFACES: Final = {"/webui": "index.html", "/workspace": "workspace.html"}
"""LightRAG's two web interfaces, by the address at which it serves them: to manage, and to ask only."""

VERSIONS: Final[dict[str, Any]] = {  # Any: JSON
    "core_version": __version__,
    "api_version": __api_version__,
    "auth_mode": "enabled",
    **{f"{path[1:]}_available": (LIGHTRAG_FILES / "webui" / file).is_file() for path, file in INTERFACES.items()},
    "api_docs_available": (LIGHTRAG_FILES / "static" / "swagger-ui" / "swagger-ui-bundle.js").is_file(),
    "webui_title": None,
    "webui_description": None,
    "ai_content_notice_enabled": False,
}
"""What ``/health`` also tells: clients look at the versions before they send anything."""


def router_of(tag: str, *routes: tuple[str, str, Callable[..., Any]]) -> APIRouter:  # Any: what FastAPI can answer
    """Return a router of these methods, paths and functions."""
    router = APIRouter(tags=[tag])
    for method, path, answer in routes:
        router.add_api_route(path, answer, methods=[method])
    return router


async def refuse_invalid_request(request: Request, error: Exception) -> JSONResponse:
    """Answer an invalid request as LightRAG does, 400 for ``/query/data`` and 422 elsewhere.

    What was sent is not sent back: FastAPI would repeat the question, and answers are logged in more places than it.
    """
    found = error.errors() if isinstance(error, RequestValidationError) else []
    if request.url.path.endswith("/query/data"):
        said = "; ".join(f"{' -> '.join(map(str, entry['loc']))}: {entry['msg']}" for entry in found)
        whole = {"status": "failure", "message": f"Validation error: {said}", "data": {}, "metadata": {}}
        return JSONResponse(whole, 400)
    return JSONResponse({"detail": [{key: entry[key] for key in ("type", "loc", "msg")} for entry in found]}, 422)


async def read_body(request: Request, model: type[BaseModel]) -> Any:  # Any: an instance of LightRAG's untyped model
    """Return the request's body as LightRAG's model.

    Lone surrogates, which JSON can spell and no store can hold, are replaced before anything looks at them.
    """
    try:
        asked = _whole(json.loads(await request.body()))
        return model.model_validate(asked)
    except ValidationError as error:
        raise HTTPException(422, json.loads(error.json(include_input=False, include_url=False))) from error
    except (ValueError, RecursionError) as error:
        raise HTTPException(422, "the body must be JSON") from error


def _whole(value: Any) -> Any:  # Any: JSON
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_whole(entry) for entry in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(entry) for key, entry in value.items()}
    return value


PREFIX = "/api"


def ollama_router(api: LightragApi, rag: Any) -> APIRouter:  # Any: looks like a LightRAG
    """Return LightRAG's routes; what they would repeat of an invalid request is refused before them."""
    bodies = {"/api/chat": api.ollama.OllamaChatRequest, "/api/generate": api.ollama.OllamaGenerateRequest}

    async def checked(request: Request) -> None:
        model = bodies.get(request.scope["path"].removeprefix(request.scope.get("root_path", "")))
        if model is None:
            return
        try:
            model.model_validate_json(await request.body())
        except ValidationError as error:
            if api.ollama._is_size_violation(error):  # noqa: SLF001 - which refusals are 413 there
                return  # LightRAG's 413 names fields only
            found = (f"{' -> '.join(map(str, entry['loc'])) or 'body'}: {entry['msg']}" for entry in error.errors())
            raise HTTPException(400, f"Invalid request body: {'; '.join(found)}") from error

    router = APIRouter(prefix=PREFIX, dependencies=[Depends(checked)])
    router.include_router(api.ollama.OllamaAPI(_AnsweringRag(rag)).router)
    return router


class _AnsweringRag:
    """Looks like a LightRAG to Ollama's routes.

    They hand some prompts to the model alone (``/api/generate``, ``/bypass``); where no model can answer one, it is
    answered with what is found for it.
    """

    def __init__(self, rag: Any) -> None:  # Any: looks like a LightRAG
        self._rag, self.ollama_server_infos = rag, OllamaServerInfos()
        self.role_llm_funcs = {"query": self._answer}

    def __getattr__(self, name: str) -> Any:  # Any: whatever LightRAG has under this name
        return getattr(self._rag, name)

    async def _answer(self, prompt: str, **hints: Any) -> Any:  # Any: LightRAG's hints; a text or its pieces
        if self._rag.asked_model.name:
            try:
                return await self._rag.role_llm_funcs["query"](prompt, **hints)
            except (MemoryServerError, TimeoutError) as error:
                structlog.get_logger().warning("answer_by_rules", error=type(error).__name__)
        return await self._rag.aquery(prompt, QueryParam(mode="mix", stream=False))


Page = Callable[[Request], Awaitable[Response]]
PAGES = Path(__file__).parent / "pages"
PLACEHOLDER = "<!-- __LIGHTRAG_RUNTIME_CONFIG__ -->"
SAFE = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
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
