"""The gate before every page: who may call it from where, how much they may send, and what every answer carries.

A loopback address can be reached by any web site whose name somebody points there (DNS rebinding), so that only the
names that are ours are answered; a change must come from one of our own pages (its Origin), which no other site can
claim.  Pure ASGI: the rules hold for every route, also for those that do not exist.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, Final

import structlog

Message = MutableMapping[str, Any]  # Any: ASGI's own
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

LARGEST: Final = 64 * 1024
"""Bytes of a form: a memory has 4,000 characters at most."""
TELEGRAM: Final = "https://web.telegram.org https://*.telegram.org"
"""Telegram's web clients show a Mini App in a frame; the others in a window of its own."""
_STATIC: Final = "/static/"
_SECONDS: Final = 3600


@dataclass(frozen=True, slots=True)
class Door:
    """One way in: the names that it answers to (``host[:port]``) and the origins of its own pages.

    ``prefix`` is the path under which it stands, "" for the root; a reverse proxy may take it off unless it is
    ``secret``.  ``framed_by`` is who may show it in a frame; ``secure`` says that it is called by TLS, and framed.
    """

    hosts: frozenset[str]
    origins: frozenset[str]
    cookie: str
    prefix: str = ""
    secret: bool = False
    framed_by: str = "'none'"
    secure: bool = False

    @property
    def policy(self) -> str:
        """The content security policy of every page: nothing but our own files, and nothing inline."""
        own = "; ".join(
            f"{kind} 'self'" for kind in ("script-src", "style-src", "img-src", "connect-src", "form-action")
        )
        return f"default-src 'none'; {own}; base-uri 'none'; frame-ancestors {self.framed_by}"

    def write_cookie(self, token: str) -> str:
        """Return the header that keeps a session's token in the browser, "" to take it away: no script can read it.

        A page within Telegram's is a third party there, so that ``Strict`` would never be sent; partitioned, its cookie
        belongs to this page within that one alone, and the form's key and Origin guard every change as elsewhere.
        """
        kept = f"{self.cookie}={token}; Path={self.prefix or '/'}; HttpOnly"
        kept += "; SameSite=None; Secure; Partitioned" if self.secure else "; SameSite=Strict"
        return kept if token else f"{kept}; Max-Age=0"


class TooLargeError(Exception):
    """A body that is larger than any form of ours, or has more fields."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Answers what must not pass; ``app`` sees the rest, with the door's prefix taken off its path."""

    app: App
    door: Door

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        began, status = time.perf_counter(), 0
        path: str = scope["path"]
        inside = self.door.prefix and (path == self.door.prefix or path.startswith(f"{self.door.prefix}/"))
        if inside:
            path = path.removeprefix(self.door.prefix) or "/"
        scope = {**scope, "path": path, "raw_path": path.encode(), "root_path": ""}

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message.get("headers", ()), *self._headers(path)]}
            await send(message)

        try:
            hidden = self.door.secret and not inside
            refusal = (404, "nothing here") if hidden else self._refuse(scope)
            if refusal:
                await _say(answer, *refusal)
            else:
                await self.app(scope, _limit(receive), answer)
        except Exception as error:  # noqa: BLE001 - the edge: its text may hold what somebody wrote, and goes nowhere
            structlog.get_logger().error("page failed", error=type(error).__name__)
            if not status:
                await _say(answer, 500, "that did not work")
        finally:
            _log(scope, status, began)

    def _refuse(self, scope: Message) -> tuple[int, str] | None:
        headers = [(key.lower(), value.decode("latin-1").lower()) for key, value in scope["headers"]]
        hosts = [value for key, value in headers if key == b"host"]
        if len(hosts) != 1 or hosts[0] not in self.door.hosts:
            return 421, "this address is not ours"
        if scope["method"] == "GET":
            return None
        if scope["method"] != "POST":
            return 405, "GET and POST alone"
        origins = [value for key, value in headers if key == b"origin"]
        if len(origins) != 1 or origins[0] not in self.door.origins:
            return 403, "a change must come from this page itself"
        length = next((value for key, value in headers if key == b"content-length"), "0")
        if not length.isdecimal() or int(length) > LARGEST:
            return 413, "too large"
        return None

    def _headers(self, path: str) -> list[tuple[bytes, bytes]]:
        kept = f"private, max-age={_SECONDS}" if path.startswith(_STATIC) else "no-store"
        return [
            (key.encode(), value.encode())
            for key, value in (
                ("cache-control", kept),
                ("content-security-policy", self.door.policy),
                ("x-content-type-options", "nosniff"),
                # Not "no-referrer": with that a browser sends a form without its Origin.
                ("referrer-policy", "same-origin"),
                ("cross-origin-resource-policy", "same-origin"),
                ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
                *(
                    ()
                    if self.door.secure
                    else (("x-frame-options", "DENY"), ("cross-origin-opener-policy", "same-origin"))
                ),
            )
        ]


def _limit(receive: Receive) -> Receive:
    taken = 0

    async def limited() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > LARGEST:
            raise TooLargeError
        return message

    return limited


async def _say(send: Send, status: int, text: str) -> None:
    await send(
        {"type": "http.response.start", "status": status, "headers": [(b"content-type", b"text/plain; charset=utf-8")]}
    )
    await send({"type": "http.response.body", "body": f"{text}\n".encode()})


def _log(scope: Message, status: int, began: float) -> None:
    """Tell which page was asked for, never its address: that holds tokens and names, its query words."""
    shown = getattr(scope.get("endpoint"), "__name__", "none")
    took = round((time.perf_counter() - began) * 1000, 1)
    structlog.get_logger().info("page", method=scope["method"], shown=shown, status=status, ms=took)
