"""/export in the chat and ``mneme export`` in the terminal, as somebody who keeps or leaves."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.commands import app
from bot.errors import ConfigInvalid
from bot.memory.items import Trust
from bot.messages import Address, Author, ChatKind
from harness.application import NO_RAG, PLATFORM, run_chats, run_console, tag_of
from harness.archives import read_texts
from harness.samples import WordEmbedder

GROUP = {"address": Address(PLATFORM, 1, -100), "chat_kind": ChatKind.GROUP}


async def test_a_chat_gets_its_own_memory_and_an_erase_takes_the_file_away(tmp_path: Path) -> None:
    """What another chat said is not in it; what is forgotten is not left in a file."""
    async with run_chats(tmp_path, NO_RAG, WordEmbedder()) as chats:
        await chats.say(0, "My sister Vera lives in Porto.")
        await chats.say(1, "My brother Paul keeps bees.")
        answer = await chats.say(0, "/export")
        (file,) = chats.folders.exports.glob(f"{tag_of(0)}-*.zip")
        text = read_texts(file)
        empty = await chats.say(2, "/export")
        await chats.say(0, "/forget everything yes")

        assert "Messages: 1" in answer
        assert "Vera lives in Porto" in text
        assert "Paul" not in text
        assert "Nothing is kept" in empty
        assert list(chats.folders.exports.iterdir()) == []


async def test_a_group_is_exported_by_the_owner_alone_and_only_when_confirmed(tmp_path: Path) -> None:
    """And a private memory that is used in a group is not sent to it.

    Mutation check: without the look at the scope the private words are in a file for the group.
    """
    owner = Author(5, "Olga", Trust.OWNER)
    async with run_chats(tmp_path, NO_RAG, WordEmbedder()) as chats:
        await chats.tell(0, "We meet at nine.", **GROUP)
        await chats.app.answered()
        for words, author in (("/export", None), ("/export", owner), ("/export yes", owner)):
            await chats.tell(0, words, **GROUP, **({"author": author} if author else {}))
            await chats.app.answered()
        refused, asked, sent = (text for _, text in chats.messenger.sent[-3:])
        (file,) = chats.folders.exports.iterdir()

        assert "by my owner" in refused
        assert "Everybody in this group" in asked
        assert "Messages: 1" in sent
        assert "We meet at nine" in read_texts(file)

        chats.configure({**NO_RAG, "memory": {"scopeGroup": "user"}})
        await chats.tell(0, "/export yes", **GROUP, author=owner)
        await chats.app.answered()
        assert "direct chat" in chats.messenger.sent[-1][1]
        assert list(chats.folders.exports.iterdir()) == [file]


async def test_the_terminal_exports_while_mneme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the file that was named, with counts; a memory that there is none of is told with those there are."""
    for name in ("MNEME_DATA", "MNEME_PREFERENCES", "TELEGRAM_OWNER_ID"):
        monkeypatch.delenv(name, raising=False)
    out = tmp_path / "mine.zip"
    async with run_console(tmp_path) as console:
        await console.say("My sister Vera lives in Porto.")
        shown = await console.say("/export")
        done = await _run("export", "--data", str(tmp_path / "data"), "--scope", "cu42", "--out", str(out))
        with pytest.raises(ConfigInvalid, match="cu42"):
            await _run("export", "--data", str(tmp_path / "data"), "--scope", "tu9", "--out", str(out))

    assert str(tmp_path / "data" / "exports") in shown
    assert "turns" in done
    assert "Vera lives in Porto" in read_texts(out)


async def _run(*arguments: str) -> str:
    """Run a command of the terminal on a thread of its own, which has no event loop yet."""
    done = await asyncio.to_thread(CliRunner().invoke, app, list(arguments), catch_exceptions=False)
    return done.stdout
