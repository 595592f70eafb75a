"""Logging in as LightRAG's clients do, and the description of the API.

There are no accounts: the password is the server's key, whatever the name.
"""

from __future__ import annotations

import hmac
import warnings
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Form, HTTPException, Request
from fastapi.responses import JSONResponse

from memory_server.api.login import issued
from memory_server.api.stock import VERSIONS

Answer = dict[str, Any]  # Any: JSON in LightRAG's shapes
_TOLD = (
    "auth_mode", "core_version", "api_version", "webui_title", "webui_description", "ai_content_notice_enabled",
)  # fmt: skip
_SHOWN = {name: VERSIONS[name] for name in _TOLD}


@dataclass(frozen=True, slots=True)
class AccountRoutes:
    """``/auth-status`` and ``/login`` are open; the gate asks for the key before the others."""

    app: FastAPI
    api_key: str = field(repr=False)

    def router(self) -> APIRouter:
        """Return the routes."""
        router = APIRouter(tags=["auth"])
        router.add_api_route("/auth-status", self.status, methods=["GET"])
        router.add_api_route("/login", self.login, methods=["POST"])
        router.add_api_route("/auth/verify", self.verify, methods=["GET"])
        router.add_api_route("/openapi.json", self.description, methods=["GET"], include_in_schema=False)
        return router

    async def status(self) -> Answer:
        """Say that one must log in."""
        return {"auth_configured": True, **_SHOWN}

    async def login(self, password: Annotated[str, Form()], username: Annotated[str, Form()] = "") -> Answer:
        """Give the token to whoever knows the key, under any name."""
        if not hmac.compare_digest(password.encode(), self.api_key.encode()):
            raise HTTPException(401, "Incorrect credentials")
        return {"access_token": issued(self.api_key, username), "token_type": "bearer", **_SHOWN}

    async def verify(self) -> Answer:
        """Answer: who has come this far has the key."""
        return {"status": "ok"}

    async def description(self, request: Request) -> JSONResponse:
        """Return the API's description, for the address under which it was asked."""
        with warnings.catch_warnings():
            # Ours stand before LightRAG's of the same name; the description then shows LightRAG's, with its fields.
            warnings.filterwarnings("ignore", message="Duplicate Operation ID")
            whole = self.app.openapi()
        return JSONResponse({**whole, "servers": [{"url": request.scope.get("root_path") or "/"}]})
