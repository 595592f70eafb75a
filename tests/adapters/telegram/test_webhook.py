"""The way in by webhook: who may call, and when the answer is 200."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from adapters.sqlite.conversations.journal import SqliteJournal
from adapters.sqlite.database import Database
from adapters.sqlite.rooms import ROOMS
from adapters.telegram.polling import TelegramReceiver, WebhookReceiver
from bot.errors import ConfigInvalid, StorageUnavailable
from bot.messages import InboundMessage
from harness.fakes.telegram import FakeTelegram, Fault
from tests.adapters.telegram.fakes import ANNA, STRANGER, Journal, receiver_for

URL = "https://bot.example/mneme"
HEADER = "X-Telegram-Bot-Api-Secret-Token"


@dataclass(frozen=True, slots=True)
class Served:
    """A webhook that runs, and a client that poses as Telegram with its secret."""

    receiver: TelegramReceiver
    client: httpx.AsyncClient
    secret: str


@asynccontextmanager
async def served(
    telegram: FakeTelegram,
    journal: Journal,
    *,
    look_s: float = 60.0,
    **changes: Any,  # Any: arguments of the receiver
) -> AsyncIterator[Served]:
    """Serve a webhook behind the fake's proxy."""
    listen = telegram.webhooks.put_proxy()
    receiver = receiver_for(telegram, journal, **changes)
    webhook = WebhookReceiver(receiver, url=URL, listen=listen, look_s=look_s)
    task = asyncio.create_task(webhook.run())
    try:
        await telegram.until(lambda: task.done() or telegram.methods.webhook)
        secret = telegram.methods.webhook["secret_token"]
        async with httpx.AsyncClient(base_url=telegram.webhooks.proxy, headers={HEADER: secret}) as client:
            yield Served(receiver, client, secret)
    finally:
        webhook.stop()
        await asyncio.wait_for(task, 60)
        await webhook.close()


def update(telegram: FakeTelegram, text: str, *, user: int = ANNA) -> dict[str, Any]:  # Any: JSON
    """Return an update."""
    return {"update_id": 1, "message": telegram.message(text, user=user)}


async def test_a_message_comes_in_and_is_confirmed(telegram: FakeTelegram) -> None:
    """What waited and what is written now is accepted in order, and nobody polls."""
    journal = Journal()
    await telegram.says("I waited", user=ANNA)
    async with served(telegram, journal) as webhook:
        await telegram.says("hello", user=ANNA)
        await telegram.until(lambda: len(telegram.updates.confirmed) == 2)

    assert journal.texts == ["I waited", "hello"]
    assert telegram.webhooks.answers == [200, 200]
    assert webhook.receiver.trouble == ""
    assert "getUpdates" not in {method for method, _ in telegram.calls}


async def test_an_update_is_answered_after_it_was_accepted(telegram: FakeTelegram) -> None:
    """200 means accepted; a failing disk means 503, and Telegram calls again until all is in, in order.

    Mutation checked: with 200 answered before ``take`` the first messages are lost.
    """
    journal = Journal(failures=[StorageUnavailable("disk full")] * 3)
    async with served(telegram, journal) as webhook:
        for text in ("one", "two"):
            await telegram.says(text, user=ANNA)
        await telegram.until(lambda: webhook.receiver.trouble.startswith("messages cannot be stored"))
        confirmed_meanwhile = list(telegram.updates.confirmed)
        await telegram.until(lambda: len(telegram.updates.confirmed) == 2)
        trouble_afterwards = webhook.receiver.trouble

    assert confirmed_meanwhile == []
    assert telegram.webhooks.answers == [503, 503, 503, 200, 200]
    assert journal.texts == ["one", "two"]
    assert trouble_afterwards == ""


async def test_a_disk_that_is_full_keeps_messages_at_telegram(tmp_path: Path, telegram: FakeTelegram) -> None:
    """With the real journal on a disk without room the call is answered 503; with room the message is there once."""
    database = Database(tmp_path / "mneme.db", ROOMS)
    await database.open()
    journal = SqliteJournal(database)

    async def accept(message: InboundMessage) -> None:
        await journal.accept(message)

    async def kept() -> int:
        return int(await database.read(lambda db: db.execute("SELECT count(*) FROM journal").fetchone()[0]))

    async def allow(pages: int) -> None:
        await database.write(lambda db: db.execute(f"PRAGMA max_page_count = {pages}").fetchone())

    try:
        async with served(telegram, Journal(), accept=accept):
            await allow(1)  # no page more than there are
            await telegram.says("A long story about Porto. " * 150, user=ANNA)
            await telegram.until(lambda: telegram.webhooks.answers)
            kept_meanwhile = await kept()
            await allow(100_000)
            await telegram.until(lambda: telegram.updates.confirmed)
        kept_afterwards = await kept()
    finally:
        await database.close()

    assert (telegram.webhooks.answers[0], telegram.webhooks.answers[-1]) == (503, 200)
    assert (kept_meanwhile, kept_afterwards) == (0, 1)


@pytest.mark.parametrize("wrong", ["", "wrong", "x{}", "{}x", "\xe9\xff"])
async def test_without_the_secret_nobody_is_heard(telegram: FakeTelegram, wrong: str) -> None:
    """A call with no or another secret is refused before its body is looked at."""
    journal = Journal()
    async with served(telegram, journal) as webhook:
        headers = {HEADER.encode(): wrong.format(webhook.secret).encode("latin-1")}
        response = await webhook.client.post("/mneme", json=update(telegram, "hello"), headers=headers)
        large = await webhook.client.post("/mneme", content=b"x" * (2**20 + 1), headers=headers)
        nothing = await webhook.client.get("/mneme")

    assert (response.status_code, large.status_code, nothing.status_code) == (401, 401, 405)
    assert journal.accepted == []
    assert webhook.receiver.set_aside == 0


@pytest.mark.parametrize(
    "body",
    [b"", b"not json", b"[1]", b'{"message": 1}', b'{"update_id": "x"}', b"[" * 100_000, b" " * (2**20 + 1)],
    ids=["empty", "no json", "array", "no id", "id of text", "deep", "too large"],
)  # fmt: skip
async def test_what_is_no_update_is_set_aside(telegram: FakeTelegram, body: bytes) -> None:
    """What Telegram sends and nobody can read is taken, or it would be sent again before everything else for ever."""
    journal = Journal()
    async with served(telegram, journal) as webhook:
        garbage = await webhook.client.post("/mneme", content=body)
        after = await webhook.client.post("/", json=update(telegram, "hello"))

    assert (garbage.status_code, after.status_code) == (200, 200)
    assert webhook.receiver.set_aside == 1
    assert journal.texts == ["hello"]


async def test_an_unreadable_update_delays_nobody(telegram: FakeTelegram) -> None:
    """It is given once, counted and passed over, as with polling."""
    journal = Journal(failures=[ValueError("boom")])
    async with served(telegram, journal) as webhook:
        await telegram.push({"message": {"message_id": "not a number", "text": "poison"}})
        await telegram.says("crash", user=ANNA)
        await telegram.says("fine", user=ANNA)
        await telegram.until(lambda: len(telegram.updates.confirmed) == 3)

    assert telegram.webhooks.answers == [200, 200, 200]
    assert journal.texts == ["fine"]
    assert webhook.receiver.set_aside == 2


async def test_strangers_are_refused_here_too(telegram: FakeTelegram) -> None:
    """Access control stands behind both ways in."""
    journal = Journal()
    async with served(telegram, journal):
        await telegram.says("hello", user=STRANGER)
        await telegram.until(lambda: telegram.updates.confirmed)

    assert journal.accepted == []


async def test_chats_do_not_wait_for_each_other(telegram: FakeTelegram) -> None:
    """While one chat's message is being accepted another chat's comes in; in one chat the order holds."""
    journal, release = Journal(), asyncio.Event()

    async def accept(message: InboundMessage) -> None:
        if message.text == "slow":
            await release.wait()
        await journal.accept(message)

    async with served(telegram, journal, accept=accept, allowed=lambda: frozenset({ANNA, 8})):
        await telegram.says("slow", user=ANNA)
        await telegram.says("after it", user=ANNA)
        await telegram.says("elsewhere", user=8)
        await telegram.until(lambda: journal.accepted)
        release.set()
        await telegram.until(lambda: len(telegram.updates.confirmed) == 3)

    assert journal.texts == ["elsewhere", "slow", "after it"]


async def test_stopping_finishes_the_call_that_is_being_answered(telegram: FakeTelegram) -> None:
    """A message that is being accepted when ``stop`` comes is confirmed, and the webhook stays set."""
    journal, reached, release = Journal(), asyncio.Event(), asyncio.Event()

    async def accept(message: InboundMessage) -> None:
        reached.set()
        await release.wait()
        await journal.accept(message)

    async with served(telegram, journal, accept=accept) as webhook:
        await telegram.says("last words", user=ANNA)
        await reached.wait()
        webhook.receiver.stop()
        await asyncio.sleep(0)
        release.set()
        await telegram.until(lambda: telegram.updates.confirmed)

    assert journal.texts == ["last words"]
    assert telegram.methods.webhook["url"] == URL


async def test_the_webhook_is_set_with_its_secret_and_keeps_what_waits(telegram: FakeTelegram) -> None:
    """Hiccups are waited out; every start has a secret of its own, and nothing that waits is dropped."""
    telegram.fail("setWebhook", Fault.FAILED, times=2)
    async with served(telegram, Journal()) as first:
        webhook = dict(telegram.methods.webhook)
    telegram.methods.webhook = {}
    async with served(telegram, Journal()) as second:
        assert second.secret != first.secret

    assert (webhook["url"], len(webhook["secret_token"])) == (URL, 43)
    assert (webhook["max_connections"], webhook["drop_pending_updates"]) == (40, False)
    assert webhook["allowed_updates"] == ["message", "edited_message", "callback_query", "my_chat_member"]


async def test_a_refused_address_is_named_by_its_setting(telegram: FakeTelegram) -> None:
    """Telegram's own reason is told to the operator, and the webhook comes up once it is gone."""
    telegram.fail("setWebhook", Fault.REFUSED, times=50, description="Bad Request: bad webhook: Failed to resolve host")
    receiver = receiver_for(telegram, Journal())
    webhook = WebhookReceiver(receiver, url=URL, listen=telegram.webhooks.put_proxy())
    task = asyncio.create_task(webhook.run())
    await telegram.until(lambda: "telegram.webhookUrl" in receiver.trouble)
    trouble = receiver.trouble
    await telegram.until(lambda: telegram.methods.webhook and not receiver.trouble)
    webhook.stop()
    await asyncio.wait_for(task, 60)
    await webhook.close()

    assert "Failed to resolve host" in trouble


async def test_a_port_in_use_is_named_by_its_setting(telegram: FakeTelegram) -> None:
    """A start that cannot listen ends with the setting's name, and sets no webhook."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        webhook = WebhookReceiver(receiver_for(telegram, Journal()), url=URL, listen=listen)

        with pytest.raises(
            ConfigInvalid, match=rf"telegram\.webhookListen: cannot listen on {listen} \(Address already"
        ):
            await webhook.run()
        await webhook.close()

    assert telegram.methods.webhook == {}


async def test_a_removed_webhook_is_set_again_and_another_one_is_told(telegram: FakeTelegram) -> None:
    """Somebody polled with our token for a moment: messages come again.  A webhook of somebody else's stays."""
    journal = Journal()
    async with served(telegram, journal, look_s=0.02) as webhook:
        telegram.methods.webhook = {}
        await telegram.until(lambda: telegram.methods.webhook)
        await telegram.says("hello", user=ANNA)
        await telegram.until(lambda: journal.accepted)
        telegram.methods.webhook = {"url": "https://elsewhere.example/secret-path"}
        await telegram.until(lambda: webhook.receiver.trouble)
        trouble = webhook.receiver.trouble

    assert "elsewhere.example" in trouble
    assert "secret-path" not in trouble
    assert telegram.methods.webhook["url"] == "https://elsewhere.example/secret-path"


async def test_a_proxy_that_does_not_reach_us_is_told(telegram: FakeTelegram) -> None:
    """Messages wait at Telegram meanwhile, and the trouble is over with the first that comes in."""
    journal = Journal()
    async with served(telegram, journal, look_s=0.02) as webhook:
        proxy = telegram.webhooks.proxy
        telegram.webhooks.put_proxy()
        await telegram.says("hello", user=ANNA)
        await telegram.until(lambda: webhook.receiver.trouble)
        trouble = webhook.receiver.trouble
        telegram.webhooks.proxy = proxy
        await telegram.until(lambda: journal.accepted and not webhook.receiver.trouble)

    assert "telegram.webhookUrl (Connection refused; 1 updates wait)" in trouble
    assert journal.texts == ["hello"]


async def test_any_worker_takes_calls_and_the_leader_sets_the_webhook(telegram: FakeTelegram) -> None:
    """Two on one port hear the same secret; only who leads asks Telegram for anything, also once it begins to.

    Mutation check: with a secret of its own the second answers 401.
    """
    journal, leading = Journal(), set[str]()
    listen = telegram.webhooks.put_proxy()
    webhooks = [
        WebhookReceiver(
            receiver_for(telegram, journal), url=URL, listen=listen, leads=partial(leading.__contains__, name)
        )
        for name in ("one", "two")
    ]
    tasks = [asyncio.create_task(webhook.run()) for webhook in webhooks]
    async with httpx.AsyncClient(base_url=telegram.webhooks.proxy, headers={"Connection": "close"}) as client:
        await telegram.until(lambda: len([name for name, _ in telegram.calls if name == "getMe"]) == len(webhooks))
        before = dict(telegram.methods.webhook)
        leading.add("two")
        await telegram.until(lambda: telegram.methods.webhook)
        headers = {HEADER: telegram.methods.webhook["secret_token"]}
        answers = [
            await client.post("/mneme", json=update(telegram, str(number)), headers=headers) for number in range(8)
        ]
        ready = await client.get("/readyz")
        forged = await client.post("/mneme", json=update(telegram, "no"), headers={HEADER: "a-guess"})
    for webhook, task in zip(webhooks, tasks, strict=True):
        webhook.stop()
        await task
        await webhook.close()

    assert before == {}
    assert {answer.status_code for answer in answers} == {200}
    assert (ready.status_code, forged.status_code) == (200, 401)
    assert journal.texts == [str(number) for number in range(8)]
    assert [name for name, _ in telegram.calls].count("setWebhook") == 1
