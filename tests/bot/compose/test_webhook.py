"""The composed application behind a webhook: Telegram calls through a proxy, and nobody polls."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from bot.compose.entry_points import serving
from bot.compose.health import run_check
from harness.application import ANNA, NO_RAG, make_folders, run_on_telegram
from harness.fakes.telegram import FakeTelegram

URL = "https://bot.example/mneme"
HEADER = "X-Telegram-Bot-Api-Secret-Token"


async def checked(
    folder: Path, capsys: pytest.CaptureFixture[str], telegram: FakeTelegram, url: str = URL
) -> dict[str, Any]:  # Any: JSON
    """Return what `mneme check --json` says of Telegram."""
    capsys.readouterr()
    settings = {"token": telegram.token, "apiUrl": telegram.url, "webhookUrl": url}
    await run_check(make_folders(folder, {**NO_RAG, "telegram": settings}), as_json=True)
    report: dict[str, Any] = json.loads(capsys.readouterr().out)["telegram"]
    return report


async def test_it_answers_remembers_and_obeys_buttons(tmp_path: Path, telegram: FakeTelegram) -> None:
    """From what was said before the start to the answer, all over the webhook, beside all else that Mneme serves.

    Mutation check: with the webhook in place of its receiver as the client that features use, the page cannot start.
    """
    await telegram.says("My sister Vera lives in Porto.", user=ANNA)
    listen = telegram.webhooks.put_proxy()
    async with (
        run_on_telegram(tmp_path, telegram, webhookUrl=URL, webhookListen=listen) as talk,
        serving(talk.app.parts),
    ):
        await talk.next(ANNA, 0)
        answer = await talk.ask("Where does my sister Vera live?")
        await talk.ask("/forget Vera")
        [shown] = [each for each in telegram.chats.of(ANNA) if each.keyboard][-1:]
        assert shown.keyboard is not None
        pressed = shown.keyboard["inline_keyboard"][0][0]["callback_data"]
        await telegram.presses(pressed, user=ANNA, shown=shown)
        await talk.taken()
        await telegram.until(lambda: telegram.methods.answered)

    assert "Porto" in answer
    assert [answered["callback_query_id"] for answered in telegram.methods.answered] == ["1"]
    assert set(telegram.webhooks.answers) == {200}
    assert "getUpdates" not in {method for method, _ in telegram.calls}


async def test_a_repeated_update_is_answered_once(tmp_path: Path, telegram: FakeTelegram) -> None:
    """The 200 gets lost, Telegram calls again, also after a restart: the journal knows the update."""
    said = {"message": telegram.message("Where does Vera live?", user=ANNA)}
    listen = telegram.webhooks.put_proxy()
    async with run_on_telegram(tmp_path, telegram, webhookUrl=URL, webhookListen=listen) as talk:
        telegram.webhooks.deaf = 2
        update_id = await telegram.push(said)
        await talk.taken()
    listen = telegram.webhooks.put_proxy()
    async with run_on_telegram(tmp_path, telegram, webhookUrl=URL, webhookListen=listen) as talk:
        await telegram.push({**said, "update_id": update_id})
        await talk.taken()
        answers = telegram.texts(ANNA)
        await talk.ask("/help")

    assert telegram.updates.given.count(update_id) >= 4
    assert telegram.webhooks.answers[:3] == [0, 0, 200]
    assert len(answers) == 1


async def test_a_call_without_the_secret_leaves_nothing(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Whoever finds the address is refused: no row, no answer."""
    listen = telegram.webhooks.put_proxy()
    async with run_on_telegram(tmp_path, telegram, webhookUrl=URL, webhookListen=listen) as talk:
        await telegram.until(lambda: telegram.methods.webhook)
        forged = {"update_id": 5, "message": telegram.message("My sister Vera lives in Porto.", user=ANNA)}
        async with httpx.AsyncClient(base_url=telegram.webhooks.proxy) as client:
            answer = await client.post("/mneme", json=forged, headers={HEADER: "a-guess"})
        rows = await talk.app.parts.housekeeping.database.read(
            lambda db: db.execute("SELECT count(*) FROM journal").fetchone()[0]
        )

    assert answer.status_code == 401
    assert rows == 0
    assert telegram.texts(ANNA) == []


async def test_the_way_back_to_polling_is_a_setting(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Without ``telegram.webhookUrl`` the next start removes the webhook and polls; what waited comes in."""
    listen = telegram.webhooks.put_proxy()
    async with run_on_telegram(tmp_path, telegram, webhookUrl=URL, webhookListen=listen) as talk:
        await talk.ask("/help")
    await telegram.says("/help", user=ANNA)
    async with run_on_telegram(tmp_path, telegram) as talk:
        await talk.next(ANNA, 1)

    assert len(telegram.texts(ANNA)) == 2
    assert telegram.methods.webhook == {}


async def test_check_knows_our_own_webhook(
    tmp_path: Path, telegram: FakeTelegram, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ours is fine while it can be reached; none, another's and one that nobody reaches are told."""
    none = await checked(tmp_path, capsys, telegram)
    telegram.methods.webhook = {"url": URL}
    ours = await checked(tmp_path, capsys, telegram)
    elsewhere = await checked(tmp_path, capsys, telegram, "https://other.example/mneme")
    telegram.webhooks.put_proxy()
    await telegram.says("hello", user=ANNA)
    await telegram.until(lambda: telegram.webhooks.answers)
    unreached = await checked(tmp_path, capsys, telegram)

    assert ours == {"state": "ok", "reason": ""}
    assert [report["state"] for report in (none, elsewhere, unreached)] == ["degraded"] * 3
    assert "a start sets telegram.webhookUrl" in none["reason"]
    assert "bot.example" in elsewhere["reason"]
    assert "Connection refused" in unreached["reason"]
