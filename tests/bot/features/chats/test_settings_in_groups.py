"""What only the operator can set is told to the operator, where nobody else reads along."""

from __future__ import annotations

from pathlib import Path

from harness.application import ANNA, GROUP, run_on_telegram
from harness.fakes.telegram import FakeTelegram


async def test_a_group_is_not_told_what_to_set(tmp_path: Path) -> None:
    """The first answer without a model names the settings to the owner alone in private, not in their group."""
    async with (
        FakeTelegram() as telegram,
        run_on_telegram(tmp_path, telegram, ownerId=ANNA, allowedChats=[GROUP]) as talk,
    ):
        telegram.chats.meet(ANNA)
        telegram.chats.meet(GROUP)
        shared = await talk.ask("@mneme_bot Who is my dentist?", chat=GROUP)
        private = await talk.ask("Who is my dentist?")

    assert "LLM_URL" in private
    assert "LLM_URL" not in shared
    assert "don't know" in shared
