"""The middleware before every route: key, size, workspace, scope; and the login that gives a token for the key.

Pure ASGI, so that the context variable set here is seen by the route: a wrapper that runs the route in another task
would lose it.  There are no accounts: the password is the key, whatever the name; with a token a browser need not keep
the key itself.  LightRAG's web interface throws away a token that is no unexpired JSON Web Token (RFC 7519).
"""

import asyncio
import hashlib
import hmac
import re
import time
import warnings
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any

import jwt
import orjson
import structlog
from fastapi import APIRouter, FastAPI, Form, HTTPException, Request
from fastapi.responses import JSONResponse

from memory_server.api.lightrag_api import VERSIONS
from memory_server.errors import Corrupt, StorageUnavailable
from memory_server.indexing.ingest import document_id
from memory_server.indexing.workspaces import DAMAGED, Access, Entry, RequestRefused
from memory_server.language_model import limit_keywords
from memory_server.options import WORKSPACE_RULE, ServerOptions, is_workspace_name

Message = MutableMapping[str, Any]  # Any: ASGI's own
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]
Keywords = Callable[[str], tuple[list[str], list[str]]]

INCARNATION = b"mneme-incarnation"
"""The header of an answer that names the file behind it: another value means that what was stored before is gone."""
TOO_LARGE = 413
LINGER_S, LINGER_BYTES = 30.0, 1_000_000_000
"""How long and how much of a body that is too large is read and forgotten before it is refused, as nginx does."""

LONGEST_QUESTION = 16_000
"""Characters that are searched for keywords."""

_DEFAULT = "default"
"""The workspace of a request that names none."""
PREFIX = "/w/"
"""What begins an address that names its workspace, ``/w/NAME/query``, for clients that can send no header."""
_OPEN = frozenset({"/", "/health", "/auth-status", "/webui", "/workspace", "/docs", "/ui/customization"})
_OPEN_BELOW = ("/webui/", "/workspace/", "/pages/", "/static/swagger-ui/", "/ui/customization/")
"""Liveness, and files without data, which are the same for every workspace.  Who logs in has no key yet."""
_LOGIN = "/login"
LONGEST_LOGIN = 20_000
"""Bytes that somebody without the key may send."""
_DATA = "/query/data"
_NOTHING: dict[str, object] = {
    "status": "failure",
    "message": "There are no documents that this query may see.",
    "data": {},
    "metadata": {},
}
"""LightRAG's shape of an answer that found nothing."""
_PATTERN = re.compile(r"(?:[\w.*?-]|\[\w-\w\]){1,200}", re.ASCII)
_PATTERN_RULE = "a pattern is 1 to 200 letters, digits, underscores, dots, hyphens, * and ?, and ranges such as [0-9]"
_READS = frozenset({"/documents/paginated"})
_ASKS = frozenset({"/api/chat", "/api/generate"})
"""Ollama's questions: searched as ``/query`` is."""
_OWN = frozenset({"/documents/text", "/documents/texts", "/documents/upload", "/documents/delete_document"})

_CREATES = frozenset(
    {
        "/documents/text", "/documents/texts", "/documents/upload",
        "/graph/entity/create", "/graph/relation/create",
    }
)  # fmt: skip
"""What puts something into a workspace; whatever else is asked of one that does not exist must not make it."""


Asked = tuple[bytes, frozenset[str] | None, str]
"""A body, the documents that its query may see (``None`` for all), the pattern of file names that it leaves out."""


@dataclass(frozen=True, slots=True)
class WorkspaceMiddleware:
    """Answers what must not pass, and binds the workspace of what may.

    ``keywords`` supplies search words when the client sends none and no language model could; ``None`` leaves it to
    LightRAG.
    """

    app: App
    options: ServerOptions
    enter: Entry
    keywords: Keywords | None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        try:
            await self._handle(scope, receive, send)
        except RequestRefused as refused:
            if refused.status == TOO_LARGE:
                await _discard(receive)
            await _answer(send, refused)
        except StorageUnavailable as error:
            structlog.get_logger().error("workspace_unavailable", error=str(error))
            await _answer(send, RequestRefused(503, "the workspace cannot be read or written now"))
        except Corrupt as error:
            structlog.get_logger().error("workspace_damaged", error=str(error))
            await _answer(send, RequestRefused(503, DAMAGED))

    async def _handle(self, scope: Message, receive: Receive, send: Send) -> None:
        headers = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
        known, (prefix, route) = self._known(headers), _addressed(scope["path"])
        login = (scope["method"], route) == ("POST", _LOGIN)
        page = scope["method"] in {"GET", "HEAD"} and (route in _OPEN or route.startswith(_OPEN_BELOW))
        if not known and not login and not page:
            if _bearer(headers).count(".") == 2:  # noqa: PLR2004 - the parts of a token
                raise RequestRefused(401, "Invalid token. Please login again.")
            raise RequestRefused(403, "API Key required in the X-API-Key header")
        # LightRAG takes a bearer token for a login of its own and refuses it beside a valid key.
        kept = [pair for pair in scope["headers"] if pair[0].lower() != b"authorization"]
        scope = {**scope, "root_path": prefix, "headers": kept, "state": {**scope.get("state", {}), "known": known}}
        if login:
            body = await _body(headers, receive, LONGEST_LOGIN, "20 kB")
            await self.app(scope, _replay(body, receive), send)
        elif page or (not prefix and route.startswith("/workspaces")):
            await self.app(scope, receive, send)
        else:
            name = self._workspace(scope["headers"], prefix.removeprefix(PREFIX))
            most = self.options.most_body_mb
            body = await _body(headers, receive, most * 1_000_000, f"{most} MB")
            await self._bound(name, route, scope, body, receive, send)

    async def _bound(self, name: str, route: str, scope: Message, body: bytes, receive: Receive, send: Send) -> None:
        query = route.startswith("/query")
        searches = query or route in _ASKS
        reads = scope["method"] in {"GET", "HEAD"} or searches or route in _READS
        body, documents, unlike = self._question(body) if query else (body, None, "")
        length = str(len(body)).encode()
        kept = [pair for pair in scope["headers"] if pair[0].lower() not in {b"content-length", b"transfer-encoding"}]
        scope = {**scope, "headers": [*kept, (b"content-length", length)]}
        access = Access(not reads, searches, route not in _OWN, documents, route in _CREATES, unlike)
        async with self.enter(name, access) as bound:
            tell = _telling(send, bound.incarnation)
            if route == _DATA and bound.empty:
                await _answer_json(tell, 200, _NOTHING)
            else:
                await self.app(scope, _replay(body, receive), tell)

    def _workspace(self, headers: Sequence[tuple[bytes, bytes]], addressed: str) -> str:
        """Return the workspace that a request names, byte for byte: what is rewritten may be another one's name."""
        named = [value for key, value in headers if key.lower() == b"lightrag-workspace"]
        if not named:
            return addressed or _DEFAULT
        if len(named) > 1:
            raise RequestRefused(400, f"LIGHTRAG-WORKSPACE was sent {len(named)} times; send it once")
        name = named[0].decode("latin-1")
        if not is_workspace_name(name):
            raise RequestRefused(400, f"LIGHTRAG-WORKSPACE: {WORKSPACE_RULE}")
        if addressed and addressed != name:
            raise RequestRefused(400, "the address and LIGHTRAG-WORKSPACE name different workspaces")
        return name

    def _known(self, headers: dict[str, str]) -> bool:
        key, token = headers.get("x-api-key", ""), _bearer(headers)
        if hmac.compare_digest((key or token).encode(), self.options.api_key.encode()):
            return True
        return not key and is_valid_token(self.options.api_key, token)

    def _question(self, body: bytes) -> Asked:
        """Take the document filters out of a query and put keywords into it."""
        try:
            asked = orjson.loads(body)
        except orjson.JSONDecodeError:
            asked = None
        if not isinstance(asked, dict):
            return body, None, ""
        documents, unlike = _documents(asked), _unlike(asked)
        missing = not asked.get("ll_keywords") and not asked.get("hl_keywords")
        if self.keywords and missing and isinstance(asked.get("query"), str) and asked.get("mode") != "naive":
            low, high = self.keywords(asked["query"][:LONGEST_QUESTION])
            asked["ll_keywords"], asked["hl_keywords"] = limit_keywords(low), limit_keywords(high)
        return orjson.dumps(asked), documents, unlike


def _bearer(headers: dict[str, str]) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    # The scheme's name is written in any case (RFC 9110, section 11.1).
    return token.strip() if scheme.lower() == "bearer" else ""


def _addressed(path: str) -> tuple[str, str]:
    """Return what of a path names its workspace ("" if nothing does) and the route that is left."""
    if not path.startswith(PREFIX):
        return "", path
    name, slash, rest = path.removeprefix(PREFIX).partition("/")
    if not is_workspace_name(name):
        raise RequestRefused(400, f"{PREFIX}NAME: {WORKSPACE_RULE}")
    if rest.split("/", 1)[0] == "workspaces":
        raise RequestRefused(404, "workspaces as a whole have no address below one of them")
    return f"{PREFIX}{name}", slash + rest


async def _body(headers: dict[str, str], receive: Receive, most: int, said: str) -> bytes:
    announced = headers.get("content-length", "0")
    if announced.isdigit() and int(announced) > most:
        raise RequestRefused(413, f"the request is larger than {said}")
    parts: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RequestRefused(400, "the request ended early")
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            raise RequestRefused(413, f"the request is larger than {said}")
        more = message.get("more_body", False)
    return b"".join(parts)


def _documents(asked: dict[str, Any]) -> frozenset[str] | None:  # Any: the request's JSON
    """Return the documents a query is limited to: ``ids``, and ``file_sources`` by their names."""
    ids, sources = asked.pop("ids", None), asked.pop("file_sources", None)
    if ids is None and sources is None:
        return None
    for given in (ids, sources):
        if given is not None and not (isinstance(given, list) and all(isinstance(entry, str) for entry in given)):
            raise RequestRefused(422, "ids and file_sources must be lists of strings")
    named = {document_id(source.rsplit("/", 1)[-1]) for source in sources or ()}
    if ids is None or sources is None:
        return frozenset(ids or named)
    return frozenset(ids) & named


def _unlike(asked: dict[str, Any]) -> str:  # Any: the request's JSON
    """Return the pattern of the file names that a query leaves out, "" for none."""
    pattern = asked.pop("file_sources_unlike", None)
    if pattern is None:
        return ""
    if not isinstance(pattern, str) or not _PATTERN.fullmatch(pattern):
        raise RequestRefused(422, f"file_sources_unlike: {_PATTERN_RULE}")
    return pattern


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that gives the body once and then waits for the client, as a streamed answer expects."""
    waiting = [body]

    async def again() -> Message:
        return {"type": "http.request", "body": waiting.pop(), "more_body": False} if waiting else await receive()

    return again


def _telling(send: Send, incarnation: str) -> Send:
    """Return a ``send`` whose answer says which file it is about, so that a client learns of one that was lost."""

    async def tell(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", ()), (INCARNATION, incarnation.encode())]
            message = {**message, "headers": headers}
        await send(message)

    return tell


async def _discard(receive: Receive) -> None:
    """Read what is still being sent: a client that is cut off while it writes never sees why."""
    size, more = 0, True
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_S):
            while more and size < LINGER_BYTES:
                message = await receive()
                size += len(message.get("body", b""))
                more = message.get("more_body", False)


async def _answer(send: Send, refused: RequestRefused) -> None:
    headers = ((b"connection", b"close"),) if refused.status == TOO_LARGE else ()
    await _answer_json(send, refused.status, {"detail": refused.detail}, headers)


async def _answer_json(
    send: Send, status: int, content: dict[str, object], more: Sequence[tuple[bytes, bytes]] = ()
) -> None:
    body = orjson.dumps(content)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


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
