"""Lists are carried away and come back: as they stood, once, and without what was forgotten."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.commands import app
from harness.application import ANNA, TelegramChats, run_on_telegram
from harness.fakes.telegram import FakeTelegram
from tests.bot.features.transfer.test_import_in_chat import press, send, until_told

MALLORY = 9
SAID = ("put milk, eggs and condoms on the list", "got the milk", "put a tent on my packing list", "/list add wine")


async def tell(chats: TelegramChats, *lines: str) -> list[str]:
    """Say one after the other and return the answers."""
    return [await chats.ask(line) for line in lines]


async def run(*arguments: str) -> str:
    """Run a command of the terminal beside the bot and return what it printed."""
    done = await asyncio.to_thread(CliRunner().invoke, app, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


async def carry_away(folder: Path, file: Path, user: int = ANNA) -> None:
    """Export the memory of a user to a file."""
    await run("export", "--scope", f"tu{user}", "--out", str(file), "--data", str(folder / "data"))


async def bring(folder: Path, file: Path, *more: str) -> None:
    """Import it into Anna's memory; a bot that runs does it."""
    await run("import", str(file), "--user", str(ANNA), *more, "--data", str(folder / "data"))


def show(told: str) -> list[str]:
    """Return what stands on each list of an answer."""
    return [line for line in told.splitlines() if line.startswith("•")]


async def test_lists_come_back_as_they_stood(tmp_path: Path, telegram: FakeTelegram) -> None:
    """A second import adds nothing, whatever was done to them since."""
    out = tmp_path / "mine.zip"
    async with run_on_telegram(tmp_path / "here", telegram) as chats:
        await tell(chats, *SAID)
        await carry_away(tmp_path / "here", out)
        stood = await tell(chats, "/list", "/list closed", "who got the milk?")
    await bring(tmp_path / "there", out, "--trust", "--as", str(ANNA))
    async with run_on_telegram(tmp_path / "there", telegram) as chats:
        came = await tell(chats, "/list", "/list closed", "who got the milk?")
        done = await chats.ask("got the eggs")
        await bring(tmp_path / "there", out, "--trust", "--as", str(ANNA))
        after = await tell(chats, "/list", "/list closed")

    assert came == stood
    assert "✓ eggs" in done
    assert show(after[0]) == [line for line in show(stood[0]) if "eggs" not in line]
    assert {"• ✓ eggs", *show(stood[1])} == set(show(after[1]))


async def test_what_was_forgotten_does_not_come_back_on_a_list(tmp_path: Path, telegram: FakeTelegram) -> None:
    """By itself it stays away; after an erase of everything all is wanted back, and is forgotten as before."""
    out = tmp_path / "mine.zip"
    async with run_on_telegram(tmp_path, telegram) as chats:
        await tell(chats, "put milk on the list", "put condoms on the list", "put rum on the list", "got the milk")
        await carry_away(tmp_path, out)
        await tell(chats, "/forget condoms")
        await bring(tmp_path, out)
        kept = await tell(chats, "/list", "/list closed")
        await tell(chats, "/forget all yes")
        gone = await chats.ask("/list")
        await bring(tmp_path, out)
        back = await tell(chats, "/list", "/list closed")
        await tell(chats, "/forget rum")
        left = await tell(chats, "/list", "/list closed")

    assert (show(kept[0]), show(kept[1])) == (["• rum"], ["• ✓ milk"])
    assert gone.startswith("There is no list yet.")
    assert (show(back[0]), show(back[1])) == (["• rum"], ["• ✓ milk"])
    assert (show(left[0]), show(left[1])) == ([], ["• ✓ milk"])


@pytest.mark.parametrize(("who", "listed"), [("User", ["• ✓ rosin", "• cello strings"]), ("None of them", [])])
async def test_of_a_strangers_export_only_ones_own_things_come(
    tmp_path: Path, telegram: FakeTelegram, who: str, listed: list[str]
) -> None:
    """A bot that knew of no lists understands at once what is said of them; nobody is who such a file says.

    Mutation check: red where an export that is not believed is read like one that is, and where what is held in memory
    is not read again behind an import.
    """
    telegram.chats.meet(MALLORY)
    out = tmp_path / "theirs.zip"
    async with run_on_telegram(tmp_path, telegram, allowedUsers=[ANNA, MALLORY]) as chats:
        await chats.ask("put rosin and cello strings on the list", user=MALLORY)
        await chats.ask("got the rosin", user=MALLORY)
        await carry_away(tmp_path, out, MALLORY)
        shown = await send(chats, out.read_bytes(), name="theirs.zip")
        await press(chats, shown, who)
        await until_told(chats, "is imported")
        told = await tell(chats, "/list closed", "/list", "got the cello strings")

    assert show("\n".join(told[:2])) == listed
    assert ("✓ cello strings" in told[2]) == bool(listed)


async def test_a_list_comes_back_where_nothing_was_said(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Commands leave no message behind: the export has none, and who put something on a list can be named."""
    out = tmp_path / "mine.zip"
    async with run_on_telegram(tmp_path / "here", telegram) as chats:
        await chats.ask("/list add wine")
        await carry_away(tmp_path / "here", out)
    await bring(tmp_path / "there", out, "--as", str(ANNA))
    async with run_on_telegram(tmp_path / "there", telegram) as chats:
        listed = await chats.ask("/list")

    assert show(listed) == ["• wine"]
