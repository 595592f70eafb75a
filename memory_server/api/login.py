"""Login as LightRAG's clients do it: a token for the server's key, so that a browser need not keep the key itself.

There are no accounts: the password is the key, whatever the name.

LightRAG's web interface throws away a token that is no unexpired JSON Web Token (RFC 7519) each time it is loaded.
"""

from __future__ import annotations

import hashlib
import hmac
import time
import warnings
from dataclasses import dataclass, field
from typing import Annotated, Any

import jwt
from fastapi import APIRouter, FastAPI, Form, HTTPException, Request
from fastapi.responses import JSONResponse

from memory_server.api.lightrag_api import VERSIONS

LASTS_S = 48 * 3600
"""As long as LightRAG's own."""
_ALGORITHM, _AUDIENCE = "HS256", "mneme memory server"


def issue_token(api_key: str, name: str, now: float | None = None) -> str:
    """Return a token; another key makes it worthless."""
    begins = int(time.time() if now is None else now)
    claims = {"sub": name[:100], "role": "user", "aud": _AUDIENCE, "iat": begins, "exp": begins + LASTS_S}
    return jwt.encode(claims, _secret(api_key), _ALGORITHM)


def is_valid_token(api_key: str, token: str) -> bool:
    """Return whether a token was issued for this key and has not expired."""
    required = {"require": ["exp", "aud"]}
    try:
        jwt.decode(token, _secret(api_key), [_ALGORITHM], options=required, audience=_AUDIENCE)  # type: ignore[arg-type]  # its own typed dictionary
    except jwt.InvalidTokenError:
        return False
    return True


def _secret(api_key: str) -> bytes:
    return hmac.digest(api_key.encode(), b"login token", hashlib.sha256)


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
        return {"access_token": issue_token(self.api_key, username), "token_type": "bearer", **_SHOWN}

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
