"""Access and health: who is let in, how an owner revokes it, and what `mneme check` asks Telegram."""

from __future__ import annotations

import json
import re
import sys
from datetime import timedelta
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.compose.entry_points import issue_code
from bot.compose.health import run_check
from bot.config.folders import Folders
from harness.application import ANNA, NO_RAG, make_folders, run_on_telegram
from harness.fakes.openai import FakeOpenAi
from harness.fakes.telegram import FakeTelegram

OWNER, PAIRED = 1, 8
CODE = "RGHTCDE234"


def installed(folder: Path, telegram: FakeTelegram, **more: Any) -> Folders:  # Any: JSON
    """Return the folders of an installation with this bot."""
    return make_folders(folder, {**NO_RAG, "telegram": {"token": telegram.token, "apiUrl": telegram.url, **more}})


async def checked(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    telegram: FakeTelegram,
    **more: Any,  # Any: JSON
) -> dict[str, Any]:
    """Return what `mneme check --json` says of Telegram, and its exit code."""
    capsys.readouterr()
    code = await run_check(installed(folder, telegram, **more), as_json=True)
    report: dict[str, Any] = json.loads(capsys.readouterr().out)["telegram"]
    return report | {"code": code}


async def test_the_owner_sees_and_revokes_who_is_paired(tmp_path: Path, telegram: FakeTelegram) -> None:
    """/users lists them for the owner alone; a revoked one is a stranger with the next message."""
    async with run_on_telegram(tmp_path, telegram, ownerId=OWNER) as talk:
        parts = talk.app.parts
        await parts.access.issue(42, CODE, parts.clock.now() + timedelta(hours=1))
        await talk.ask(CODE, user=PAIRED)
        await talk.ask("My sister Vera lives in Porto.", user=PAIRED)
        asked_by_anna = await talk.ask("/users", user=ANNA)
        revoked_by_anna = await talk.ask(f"/users revoke {PAIRED}", user=ANNA)
        listed = await talk.ask("/users", user=OWNER)
        [shown] = [each for each in telegram.chats.of(OWNER) if each.keyboard]

        async def press(label: str) -> str:
            assert shown.keyboard is not None
            keys = [key for row in shown.keyboard["inline_keyboard"] for key in row if label in key["text"]]
            was = shown.text
            await telegram.presses(keys[0]["callback_data"], user=OWNER, shown=shown)
            await telegram.until(lambda: shown.text != was)
            await talk.app.answered()
            return shown.text

        card = await press(str(PAIRED))
        asked = await press("Revoke")
        still = await parts.access.is_paired(42, PAIRED)
        revoked = await press(f"Revoke {PAIRED}")
        before = len(telegram.texts(PAIRED))
        await telegram.says("am I still in?", user=PAIRED)
        await talk.taken()
        again = await talk.ask(f"/users {PAIRED}", user=OWNER)

    assert "ownerId" in asked_by_anna
    assert "ownerId" in revoked_by_anna
    assert str(PAIRED) in listed
    assert "Let in by a code on" in card
    assert "Messages that are kept: 1" in card
    assert "8 in no longer?" in asked
    assert still
    assert revoked.startswith("8 is not paired any more.")
    assert len(telegram.texts(PAIRED)) == before
    assert again == "8 is not paired."


async def test_the_owner_invites_from_the_chat(tmp_path: Path, telegram: FakeTelegram) -> None:
    """The code lets one person in; nobody else makes one, nor is one told where others read along."""
    async with run_on_telegram(tmp_path, telegram, ownerId=OWNER, allowedChats=[-100]) as talk:
        refused = await talk.ask("/users invite", user=ANNA)
        public = await talk.ask("/users invite", user=OWNER, chat=-100)
        invited = await talk.ask("/users invite", user=OWNER)
        code = re.search(r"/start ([A-Z0-9]{10})", invited)
        assert code is not None
        welcome = await talk.ask(f"/start {code[1]}", user=PAIRED)
        paired = await talk.app.parts.access.is_paired(42, PAIRED)

    assert "/start " not in refused + public
    assert f"https://t.me/mneme_bot?start={code[1]}" in invited
    assert welcome.startswith("Hello")
    assert paired


async def test_a_part_is_not_down_because_another_takes_long_to_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A malformed token is Telegram's trouble alone: its library is loaded before anybody waits for an answer.

    Loaded while LightRAG was asked, it held the answer up for longer than the check waits.
    """
    asked: list[str] = []
    asked_before: list[int] = []

    class Loading(MetaPathFinder):
        def find_spec(self, fullname: str, *_: object) -> None:
            if fullname == "adapters.telegram.account":
                asked_before.append(len(asked))

    async def answer(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.json_response({"status": "healthy"})

    lightrag = web.Application()
    lightrag.router.add_get("/health", answer)
    async with TestServer(lightrag) as server:
        rag = {"url": str(server.make_url("")).rstrip("/"), "apiKey": "key"}
        folders = make_folders(tmp_path, {"rag": rag, "telegram": {"token": "garbage"}})
        monkeypatch.delitem(sys.modules, "adapters.telegram.account", raising=False)
        monkeypatch.setattr(sys, "meta_path", [Loading(), *sys.meta_path])
        code = await run_check(folders, as_json=True)
    report = json.loads(capsys.readouterr().out)

    assert asked_before == [0]
    assert asked
    assert (report["telegram"]["state"], code) == ("down", 1)


async def test_whom_the_configuration_lets_in_is_not_revoked(tmp_path: Path, telegram: FakeTelegram) -> None:
    """They are listed, with the place where they can be taken out."""
    async with run_on_telegram(tmp_path, telegram, ownerId=OWNER) as talk:
        listed = await talk.ask("/users", user=OWNER)
        asked = await talk.ask(f"/users revoke {ANNA}", user=OWNER)
        forced = await talk.ask(f"/users revoke {ANNA} yes", user=OWNER)

    assert f"{OWNER} (my owner)" in listed
    assert "telegram.allowedUsers" in asked
    assert forced == f"{ANNA} is not paired."


async def test_a_code_is_printed_with_a_link(
    tmp_path: Path, telegram: FakeTelegram, capsys: pytest.CaptureFixture[str]
) -> None:
    """`mneme pair` prints the code alone for scripts, and a link that sends it with one touch for people."""
    await issue_code(installed(tmp_path, telegram))
    printed = capsys.readouterr()
    telegram.token = "43:another"
    await issue_code(make_folders(tmp_path, {**NO_RAG, "telegram": {"token": "42:wrong", "apiUrl": telegram.url}}))

    code = printed.out.strip()
    assert f"https://t.me/mneme_bot?start={code}" in printed.err
    assert "t.me" not in capsys.readouterr().err


async def test_every_language_has_a_menu(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Besides each language's own there is one for all others."""
    async with run_on_telegram(tmp_path, telegram):
        await telegram.until(lambda: len(telegram.methods.commands) == 4)

    assert set(telegram.methods.commands) == {"", "de", "en", "ru"}
    assert telegram.methods.commands[""] == telegram.methods.commands["en"]


async def test_check_asks_telegram(tmp_path: Path, telegram: FakeTelegram, capsys: pytest.CaptureFixture[str]) -> None:
    """A good token is ok; a wrong one is down and named; a webhook of somebody else's is named by its host alone."""
    good = await checked(tmp_path, capsys, telegram)
    telegram.methods.webhook = {"url": "https://elsewhere.example/secret-path"}
    webhook = await checked(tmp_path, capsys, telegram)
    telegram.token = "43:another"
    wrong = await checked(tmp_path, capsys, telegram, token="42:wrong")

    assert good == {"state": "ok", "reason": "", "code": 0}
    assert (webhook["state"], webhook["code"]) == ("degraded", 0)
    assert "elsewhere.example" in webhook["reason"]
    assert "secret-path" not in webhook["reason"]
    assert (wrong["state"], wrong["code"]) == ("down", 1)
    assert "TELEGRAM_TOKEN" in wrong["reason"]


@pytest.mark.parametrize("key", ["right", "wrong"])
async def test_check_asks_the_model_and_the_reranker(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], key: str
) -> None:
    """A key that is not accepted is named by its setting, without the key."""

    async def ranked(request: web.Request) -> web.Response:
        if request.headers["Authorization"] != "Bearer right":
            return web.json_response({"message": f"invalid {request.headers['Authorization']}"}, status=401)
        return web.json_response({"results": [{"index": 0, "relevance_score": 1.0}]})

    application = web.Application()
    application.add_routes([web.post("/v2/rerank", ranked)])
    async with TestServer(application) as provider, FakeOpenAi(api_key="right") as model:
        rerank = {"provider": "cohere", "apiKey": key, "url": str(provider.make_url("/v2/rerank"))}
        llm = {"url": model.url, "model": "fake-model", "apiKey": key}
        await run_check(make_folders(tmp_path, {"rag": {"enabled": False, "rerank": rerank}, "llm": llm}), as_json=True)
    report = json.loads(capsys.readouterr().out)
    states = report["llm"]["state"], report["reranker"]["state"]

    assert states == (("ok", "ok") if key == "right" else ("down", "degraded"))
    if key == "wrong":
        assert "llm.apiKey" in report["llm"]["reason"]
        assert "rag.rerank.apiKey" in report["reranker"]["reason"]
        assert "Bearer" not in str(report)


async def test_check_names_the_files_that_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A prompt that cannot be read is missing from every answer, and nothing else says so after the log."""
    folders = make_folders(tmp_path, NO_RAG)
    (folders.preferences / "prompts" / "RULES.md").write_bytes(b"line\n\xff")

    await run_check(folders, as_json=True)
    reported = capsys.readouterr().out
    config = json.loads(reported[reported.index("{\n") :])["config"]

    assert config["state"] == "degraded"
    assert "prompts/RULES.md:2" in config["reason"]
