"""The gate before an application of three lines: what it lets through, to the byte, and what becomes of an error."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.types import Message, Receive, Send
from starlette.types import Scope as Asked

from adapters.page.gate import LARGEST, Door, Gate, Sessions, Visitor
from bot.core.rights import Role
from bot.memory.scope import Scope
from harness.samples import HeldClock

DOOR = Door(frozenset({"here"}), frozenset({"http://here"}), "c")
OWN, FAMILY = Scope("cu42"), Scope("s_family")


async def read_all(scope: Asked, receive: Receive, send: Send) -> None:
    """Answer with the number of bytes that came."""
    if scope["type"] == "lifespan":
        await send({"type": "lifespan.startup.complete"})
        return
    size, more = 0, True
    while more:
        message = await receive()
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
    if scope["path"] == "/broken":
        raise RuntimeError("what somebody wrote")
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})
    if scope["path"] == "/late":
        raise RuntimeError("behind the answer")


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    """A client of the gate."""
    transport = httpx.ASGITransport(Gate(read_all, DOOR))
    async with httpx.AsyncClient(transport=transport, base_url="http://here", headers={"origin": "http://here"}) as one:
        yield one


@pytest.mark.parametrize("streamed", [False, True])
async def test_the_largest_form_is_64_kib(http: httpx.AsyncClient, *, streamed: bool) -> None:
    """The last byte that fits is read, the next one is not, announced or not."""

    async def pieces(size: int) -> AsyncIterator[bytes]:
        yield b"x" * size

    async def post(size: int) -> tuple[int, str]:
        sent = await http.post("/", content=pieces(size) if streamed else b"x" * size)
        return sent.status_code, sent.text.strip()

    assert LARGEST == 65_536
    assert await post(LARGEST) == (200, "65536")
    assert (await post(LARGEST + 1))[0] == (500 if streamed else 413)


async def test_an_error_is_answered_without_its_text(http: httpx.AsyncClient) -> None:
    """And only where nothing was answered yet."""
    broken, late = await http.get("/broken"), await http.get("/late")

    assert (broken.status_code, broken.text) == (500, "that did not work\n")
    assert (late.status_code, late.text) == (200, "0")


async def test_what_is_no_request_is_not_one() -> None:
    """A web socket is closed as forbidden; starting and ending reach the application."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    for kind in ("websocket", "lifespan"):
        await Gate(read_all, DOOR)({"type": kind, "path": "/", "headers": []}, receive, send)

    assert sent == [{"type": "websocket.close", "code": 1008}, {"type": "lifespan.startup.complete"}]


async def test_static_files_are_kept_for_an_hour_and_pages_are_not(http: httpx.AsyncClient) -> None:
    """They hold nothing of anybody's."""
    kept = [(await http.get(path)).headers["cache-control"] for path in ("/static/page.css", "/m/cu42/memories")]

    assert kept == ["private, max-age=3600", "no-store"]


def test_a_visitor_is_what_was_opened_for_them() -> None:
    """Their own scopes and no other; of a shared memory only the operator is the owner."""
    anna, operator, everybody = (
        Visitor((OWN, FAMILY)),
        Visitor((OWN, FAMILY), operator=True),
        Visitor(None),
    )

    assert [anna.may_see(scope) for scope in (OWN, FAMILY, Scope("cu43"))] == [True, True, False]
    assert everybody.may_see(Scope("cu43"))
    assert [each.find_role(FAMILY) for each in (anna, operator, everybody)] == [Role.MEMBER, Role.OWNER, Role.OWNER]
    assert anna.find_role(OWN) is Role.OWNER


async def test_twenty_of_each_are_kept() -> None:
    """A link that was used is told as used, and a session that was ended is over."""
    used: list[str] = []
    sessions = Sessions(HeldClock(), link_s=lambda: 600, idle_s=lambda: 3600, used=used.append)
    anna = Visitor((OWN,), user=(1, 7))
    links, begun = ([make(anna) for _ in range(21)] for make in (sessions.issue_link, sessions.begin))

    assert [await sessions.find(each) is not None for each in begun] == [False] + [True] * 20
    sessions.end(begun[-1])
    assert await sessions.find(begun[-1]) is None
    assert [sessions.redeem(each) is not None for each in (links[0], links[1])] == [False, True]
    assert used == [links[1]]
