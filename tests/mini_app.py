"""The page of memory as a Mini App over a running bot, and people who come in as Telegram says who they are."""

from __future__ import annotations

import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import httpx

from adapters.telegram.access import sign_init_data
from adapters.telegram.account import make_api_server, make_bot
from bot.features.page.mini_app import serve_app
from bot.features.page.settings import PageSettings
from harness.application import TelegramChats
from harness.page import PageVisitor

ORIGIN, PREFIX = "https://bot.example", "/memory"


def sign_in(user: object, token: str, at: float, **others: str) -> str:
    """Return what Telegram's client puts into the address for a user, at a time in seconds."""
    fields = {"auth_date": str(int(at)), "user": json.dumps(user), "query_id": "AAE", "signature": "x", **others}
    return urlencode({**fields, "hash": sign_init_data(token, fields)})


def find_free_door() -> dict[str, Any]:  # Any: settings as JSON
    """Return the settings of a Mini App that listens on a free port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        listen = f"127.0.0.1:{free.getsockname()[1]}"
    return {"page": {"publicUrl": f"{ORIGIN}{PREFIX}/", "publicListen": listen}}


@dataclass
class MiniApp:
    """A Mini App that listens, and what its reverse proxy passes on."""

    chats: TelegramChats
    bot_id: int
    token: str
    http: httpx.AsyncClient

    async def enter(self, user: int, **changes: str | float) -> httpx.Response:
        """Open it as Telegram's client of a user does."""
        told = sign_in(
            {"id": user, "first_name": f"User {user}", "language_code": "en"},
            str(changes.pop("token", self.token)),
            float(changes.pop("at", datetime.now(UTC).timestamp())),
        )
        return await self.http.post(f"{PREFIX}/app", data={"init_data": told}, headers={"origin": ORIGIN})

    async def get(self, path: str, entered: httpx.Response) -> httpx.Response:
        """Open a page with the cookie of who has come in; a browser keeps it for https alone."""
        return await self.http.get(f"{PREFIX}{path}", headers={"cookie": entered.headers["set-cookie"].split(";")[0]})

    @asynccontextmanager
    async def visit(self, user: int) -> AsyncIterator[PageVisitor]:
        """Come in as a user; who is refused goes on without a session."""
        name, _, rest = (await self.enter(user)).headers.get("set-cookie", "").partition("=")
        async with httpx.AsyncClient(
            base_url=self.http.base_url.join(f"{PREFIX}/"),
            headers={"host": self.http.headers["host"]},
            cookies={name: rest.partition(";")[0]} if name else {},
            trust_env=False,
            follow_redirects=True,
        ) as http:
            yield PageVisitor(http, ORIGIN, PREFIX)


@asynccontextmanager
async def open_mini_app(chats: TelegramChats) -> AsyncIterator[MiniApp]:
    """Serve the Mini App of a running bot whose settings hold :func:`find_free_door`'s."""
    token, listen = chats.telegram.token, chats.app.parts.settings.current.of(PageSettings).public_listen
    bot = make_bot(token, make_api_server(chats.telegram.url))
    try:
        async with (
            serve_app(chats.app.parts, bot),
            httpx.AsyncClient(base_url=f"http://{listen}", headers={"host": "bot.example"}, trust_env=False) as http,
        ):
            yield MiniApp(chats, bot.id, token, http)
    finally:
        await bot.session.close()
