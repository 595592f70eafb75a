"""The fake itself: it must be at least as strict as the server it stands for."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.fakes.telegram import FakeTelegram

ROOT = Path(__file__).parents[3]


async def call(telegram: FakeTelegram, method: str, **params: Any) -> httpx.Response:  # Any: JSON
    """Call a method of the Bot API."""
    async with httpx.AsyncClient() as client:
        return await client.post(f"{telegram.url}/bot{telegram.token}/{method}", json=params)


@pytest.mark.parametrize(
    ("text", "entities", "description"),
    [
        ("", [], "message text is empty"),
        (" \n", [], "message text is empty"),
        ("x" * 4097, [], "message is too long"),
        ("😀" * 2049, [], "message is too long"),
        ("abc", [("bold", 0, 4)], "ENTITY_BOUNDS_INVALID"),
        ("😀", [("bold", 1, 1)], "inside a UTF-16 symbol"),
        ("abcd", [("bold", 0, 3), ("italic", 2, 2)], "overlap in part"),
        ("abcd", [("bold", 0, 4), ("code", 1, 2)], "code and pre stand alone"),
        ("abcd", [("blockquote", 0, 4), ("blockquote", 1, 2)], "one of its kind"),
        ("x" * 101, [("bold", at, 1) for at in range(101)], "too many"),
        ("ab", [("blink", 0, 1)], "unknown entity"),
        (" ab", [("bold", 1, 1)], "offsets would move"),
    ],
)
async def test_wrong_texts_are_refused(
    telegram: FakeTelegram, text: str, entities: list[tuple[str, int, int]], description: str
) -> None:
    """Length in UTF-16 units, bounds and nesting of entities are checked."""
    telegram.chats.meet(7)
    listed = [{"type": kind, "offset": offset, "length": length} for kind, offset, length in entities]
    answer = await call(telegram, "sendMessage", chat_id=7, text=text, entities=listed)

    assert answer.status_code == 400
    assert description in answer.json()["description"]


async def test_updates_are_given_until_they_are_confirmed(telegram: FakeTelegram) -> None:
    """The same offset gives the same updates; the next one confirms them."""
    first = await telegram.says("one", user=7)
    second = await telegram.says("two", user=7)
    batches = [
        [update["update_id"] for update in (await call(telegram, "getUpdates", **params)).json()["result"]]
        for params in ({}, {"offset": first}, {"offset": second}, {"offset": second + 1}, {})
    ]

    assert batches == [[first, second], [first, second], [second], [], []]


async def test_a_second_poller_ends_the_first(telegram: FakeTelegram) -> None:
    """Of two that wait the older one hears of the conflict; with a webhook set nobody may poll."""
    older = asyncio.create_task(call(telegram, "getUpdates", timeout=5))
    await telegram.until(lambda: telegram.calls)
    younger = asyncio.create_task(call(telegram, "getUpdates", timeout=5))
    conflict = await older
    await telegram.says("hello", user=7)
    answer = await younger
    await call(telegram, "setWebhook", url="https://x.y")
    hooked = await call(telegram, "getUpdates")

    assert (conflict.status_code, answer.status_code, hooked.status_code) == (409, 200, 409)


async def test_floods_are_refused(telegram: FakeTelegram) -> None:
    """With flood control on, the second message within a second is one too many."""
    telegram.floods.enforced = True
    telegram.chats.meet(7)
    first = await call(telegram, "sendMessage", chat_id=7, text="one")
    second = await call(telegram, "sendMessage", chat_id=7, text="two")

    assert (first.status_code, second.status_code) == (200, 429)
    assert second.json()["parameters"]["retry_after"] == 1


async def test_it_runs_as_a_process_with_a_control_endpoint() -> None:
    """``python -m tests.fakes.telegram`` serves the Bot API and takes orders over HTTP."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.fakes.telegram", "--token", "42:abc", stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    assert process.stdout is not None
    url = (await asyncio.wait_for(process.stdout.readline(), 20)).decode().strip()
    try:
        async with httpx.AsyncClient(base_url=url) as client:
            posted = (await client.post("/control/message", json={"text": "hello", "user": 7})).json()
            await client.post("/control/fault", json={"method": "sendMessage", "fault": "failed_after"})
            updates = (await client.post("/bot42:abc/getUpdates")).json()["result"]
            sent = await client.post("/bot42:abc/sendMessage", data={"chat_id": "7", "text": "12"})
            shown = (await client.get("/control/sent?chat=7")).json()
            state = (await client.get("/control/state")).json()
    finally:
        process.terminate()
        await process.wait()

    assert [update["update_id"] for update in updates] == [posted["update_id"]] == state["given"]
    assert (sent.status_code, [message["text"] for message in shown]) == (500, ["12"])
