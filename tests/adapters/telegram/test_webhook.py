"""The way in by webhook: who may call, and when the answer is 200."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from adapters.telegram.inbound.webhook import WebhookReceiver
from bot.errors import ConfigInvalid, StorageUnavailable
from harness.fakes.telegram import FakeTelegram, Fault
from tests.adapters.telegram.stand_ins import ANNA, STRANGER, Journal, receiver_for

SECRET = "a-secret-of-enough-length"
HEADER = "X-Telegram-Bot-Api-Secret-Token"


@asynccontextmanager
async def served(telegram: FakeTelegram, journal: Journal) -> AsyncIterator[httpx.AsyncClient]:
    """Serve a webhook and return a client that plays Telegram."""
    receiver = receiver_for(telegram, journal)
    webhook = WebhookReceiver(receiver, url="https://bot.example/telegram", secret=SECRET, port=0)
    task = asyncio.create_task(webhook.run())
    try:
        await telegram.until(lambda: telegram.methods.webhook)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{webhook.port}", headers={HEADER: SECRET}) as client:
            yield client
    finally:
        webhook.stop()
        await asyncio.wait_for(task, 5)
        await receiver.close()


def update(telegram: FakeTelegram, text: str, *, user: int = ANNA) -> dict[str, Any]:  # Any: JSON
    """Return an update."""
    return {"update_id": 1, "message": telegram.message(text, user=user)}


async def test_an_update_is_answered_after_it_was_accepted(telegram: FakeTelegram) -> None:
    """200 means accepted; a failing disk means 503, and Telegram calls again.

    Mutation checked: with 200 answered before ``accept`` the first call is not 503.
    """
    journal = Journal(failures=[StorageUnavailable("disk full")])
    async with served(telegram, journal) as client:
        first = await client.post("/telegram", json=update(telegram, "hello"))
        second = await client.post("/telegram", json=update(telegram, "hello"))

    assert (first.status_code, second.status_code) == (503, 200)
    assert journal.texts == ["hello"]


@pytest.mark.parametrize("secret", ["", "wrong", SECRET + "x", SECRET[:-1]])
async def test_without_the_secret_nobody_is_heard(telegram: FakeTelegram, secret: str) -> None:
    """A call with no or another secret is refused before its body is looked at."""
    journal = Journal()
    async with served(telegram, journal) as client:
        response = await client.post("/telegram", json=update(telegram, "hello"), headers={HEADER: secret})

    assert response.status_code == 401
    assert journal.accepted == []


@pytest.mark.parametrize(
    "body",
    [b"", b"not json", b"[1]", b'{"message": 1}', b'{"update_id": "x"}', b"[" * 100_000, b" " * (2**20 + 1)],
    ids=["empty", "no json", "array", "no id", "id of text", "deep", "too large"],
)  # fmt: skip
async def test_what_is_no_update_is_set_aside(telegram: FakeTelegram, body: bytes) -> None:
    """What Telegram sends and nobody can read is taken, or it would be sent again before everything else for ever."""
    journal = Journal()
    async with served(telegram, journal) as client:
        garbage = await client.post("/telegram", content=body)
        after = await client.post("/telegram", json=update(telegram, "hello"))

    assert (garbage.status_code, after.status_code) == (200, 200)
    assert journal.texts == ["hello"]


async def test_strangers_are_refused_here_too(telegram: FakeTelegram) -> None:
    """The gate stands behind both ways in."""
    journal = Journal()
    async with served(telegram, journal) as client:
        response = await client.post("/telegram", json=update(telegram, "hello", user=STRANGER))

    assert response.status_code == 200
    assert journal.accepted == []


async def test_the_webhook_is_set_with_its_secret_and_keeps_what_waits(telegram: FakeTelegram) -> None:
    """Telegram learns address, secret and one connection; nothing that waits is dropped."""
    telegram.fail("setWebhook", Fault.FAILED, times=2)
    async with served(telegram, Journal()):
        webhook = dict(telegram.methods.webhook)

    assert webhook["secret_token"] == SECRET
    assert (webhook["max_connections"], webhook["drop_pending_updates"]) == (1, False)


@pytest.mark.parametrize("secret", ["", "short", "with spaces in the secret", "ж" * 20])
async def test_a_webhook_needs_a_proper_secret(telegram: FakeTelegram, secret: str) -> None:
    """No secret, no webhook."""
    receiver = receiver_for(telegram, Journal())

    with pytest.raises(ConfigInvalid, match="secret"):
        WebhookReceiver(receiver, url="https://bot.example", secret=secret)
