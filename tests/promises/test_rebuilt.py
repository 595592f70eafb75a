"""P16 for long-term memory: what its server lost is made again from the conversation store."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.compose.health import list_health_lines
from bot.memory.scope import Scope
from harness.application import RunningChats, run_chats, tag_of
from harness.processes import documents, until
from harness.samples import WordEmbedder

pytestmark = pytest.mark.usefixtures("forked_servers")


def _garbage(file: Path) -> None:
    file.write_bytes(b"garbage " * 4000)


def _spoilt_pages(file: Path) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = bytearray(file.read_bytes())
    for start in range(1024, len(whole), 512):
        whole[start : start + 64] = b"\xfe" * 64
    file.write_bytes(bytes(whole))


@pytest.mark.server
async def test_a_workspace_that_was_lost_comes_back(tmp_path: Path, model_dir: Path) -> None:
    """Deleted, or damaged in either way: every document is there again after one more message, none twice.

    ``mneme check`` names the file that was set aside.  Mutation check: when the bot does not listen to which
    incarnation has answered, only the new message's document is there.
    """
    (tmp_path / "models").symlink_to(model_dir)
    said = [f"My cousin Vera number {number} lives in the town of Porto since May." for number in range(3)]
    ways: tuple[Callable[[Path], None], ...] = (Path.unlink, _garbage, _spoilt_pages)
    async with run_chats(tmp_path, {}, WordEmbedder()) as bot:
        for chat, _ in enumerate(ways):
            for text in said:
                await bot.say(chat, text)
        await _settled(bot)
        names = [bot.parts.longterm.installation.workspace(Scope(tag_of(chat))) for chat, _ in enumerate(ways)]
    before = documents(bot.folders.data)
    for name, lose in zip(names, ways, strict=True):
        lose(bot.folders.memory_server / "workspaces" / f"{name}.sqlite3")
    async with run_chats(tmp_path, {}, WordEmbedder()) as bot:
        for chat, lose in enumerate(ways):
            await bot.say(chat, f"My cousin Olga lives in the town of Riga since {lose.__name__}.")
        await _settled(bot)
        await _until_there_are(len(before) + len(ways), bot.folders.data)
        (line,) = [line for line in await list_health_lines(bot.parts) if line.part == "lightrag"]
    after = documents(bot.folders.data)

    assert len(before) >= len(said) * len(ways)
    assert set(before) < set(after)
    assert len(after) == len(set(after)) == len(before) + len(ways)
    assert line.state == "degraded"
    assert "set aside" in line.reason
    assert names[0] not in line.reason


async def _settled(bot: RunningChats) -> None:
    assert await bot.parts.longterm.ready(240)
    assert await bot.parts.longterm.settle(240)


async def _until_there_are(most: int, data: Path) -> None:
    await until(lambda: len(documents(data)) == most, seconds=60)
