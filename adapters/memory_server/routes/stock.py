"""What LightRAG's own server says beside its routers: versions, and the shapes in which it refuses a request."""

from __future__ import annotations

from typing import Any, Final

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from lightrag._version import __api_version__, __version__

VERSIONS: Final[dict[str, Any]] = {  # Any: JSON
    "core_version": __version__,
    "api_version": __api_version__,
    "auth_mode": "enabled",
    "webui_available": False,
    "workspace_available": False,
    "api_docs_available": False,
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
