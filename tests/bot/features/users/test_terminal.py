"""``mneme users`` beside a running bot."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from bot.features.users.terminal import run_users
from harness.application import ANNA, run_on_telegram
from harness.fakes.telegram import FakeTelegram

OWNER, PAIRED = 1, 8
CODE = "RGHTCDE234"


async def test_users_are_listed_and_revoked_beside_a_running_bot(
    tmp_path: Path, telegram: FakeTelegram, capsys: pytest.CaptureFixture[str]
) -> None:
    """`mneme users --revoke ID` acts at once; one who is not paired is an error."""
    async with run_on_telegram(tmp_path, telegram, ownerId=OWNER) as talk:
        parts = talk.app.parts
        await parts.access.issue(42, CODE, parts.clock.now() + timedelta(hours=1))
        await talk.ask(CODE, user=PAIRED)
        await talk.ask("My sister Vera lives in Porto.", user=PAIRED)
        capsys.readouterr()
        listed = await run_users(parts.places, revoke=None, as_json=True), json.loads(capsys.readouterr().out)
        revoked = await run_users(parts.places, revoke=PAIRED, as_json=False)
        unknown = await run_users(parts.places, revoke=PAIRED, as_json=False)
        before = len(telegram.texts(PAIRED))
        await telegram.says("am I still in?", user=PAIRED)
        await talk.taken()

    code, told = listed
    assert (code, told["paired"]) == (0, [PAIRED])
    assert {each["id"]: each["messages"] for each in told["users"]} == {OWNER: 0, ANNA: 0, PAIRED: 1}
    assert (revoked, unknown) == (0, 1)
    assert len(telegram.texts(PAIRED)) == before
