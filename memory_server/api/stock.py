"""What LightRAG's own server says beside its routers: versions, and the shapes in which it refuses a request."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from lightrag._version import __api_version__, __version__

from lightrag import _version

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


async def refused(request: Request, error: Exception) -> JSONResponse:
    """Answer an invalid request as LightRAG does, 400 for ``/query/data`` and 422 elsewhere.

    What was sent is not sent back: FastAPI would repeat the question, and answers are logged in more places than it.
    """
    found = error.errors() if isinstance(error, RequestValidationError) else []
    if request.url.path.endswith("/query/data"):
        said = "; ".join(f"{' -> '.join(map(str, entry['loc']))}: {entry['msg']}" for entry in found)
        whole = {"status": "failure", "message": f"Validation error: {said}", "data": {}, "metadata": {}}
        return JSONResponse(whole, 400)
    return JSONResponse({"detail": [{key: entry[key] for key in ("type", "loc", "msg")} for entry in found]}, 422)
