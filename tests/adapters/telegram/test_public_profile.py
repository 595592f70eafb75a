"""What Telegram shows of the bot: each menu in its place, said once, stale ones taken away."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from aiogram import Bot

from adapters.telegram.account import Profile, ProfilePublisher, show_chat_menu
from adapters.telegram.session import open_bot
from bot.compose.telegram import make_profile
from harness.application import run_console
from harness.fakes.telegram import FakeTelegram, Fault
from language import languages
from tests.adapters.telegram.fakes import ANNA, server_of

FULL = {"": (("new", "start afresh"), ("users", ""))}
PROFILE = Profile(
    everywhere=FULL, groups={"": (("memory", "what is kept"),)}, descriptions={"": "I remember."}, short_descriptions={}
)


@asynccontextmanager
async def client(telegram: FakeTelegram) -> AsyncIterator[Bot]:
    """A client of the fake, where Anna has written before."""
    telegram.chats.meet(ANNA)
    bot = open_bot(telegram.token, server_of(telegram))
    try:
        yield bot
    finally:
        await bot.session.close()


async def published(telegram: FakeTelegram, profile: Profile, record: Path | None = None) -> list[str]:
    """Publish it, and return the calls that took."""
    before = len(telegram.calls)
    async with client(telegram) as bot:
        await ProfilePublisher(lambda: profile, record, pause_s=0.0).publish(bot)
    return [method for method, _ in telegram.calls[before:]]


async def test_every_place_has_its_menu(telegram: FakeTelegram) -> None:
    """Private chats list everything, groups what makes sense there, the owner's chat what is theirs alone."""
    owners = {"": (("new", "start afresh"), ("users", "who was let in"))}
    await published(telegram, replace(PROFILE, owners=owners, owner=ANNA))

    names = {
        scope: [command["command"] for command in menu] for (scope, _), menu in telegram.methods.scoped_commands.items()
    }
    assert names == {
        "default": ["new"],
        "all_private_chats": ["new"],
        "all_group_chats": ["memory"],
        f"chat:{ANNA}": ["new", "users"],
    }
    assert telegram.methods.descriptions == {"": "I remember."}


async def test_what_was_said_is_not_said_again(telegram: FakeTelegram, tmp_path: Path) -> None:
    """A start with nothing new asks nothing of Telegram; a line that changed is said, and nothing else."""
    record = tmp_path / "profile.json"
    await published(telegram, PROFILE, record)
    again = await published(telegram, PROFILE, record)
    changed = await published(telegram, replace(PROFILE, groups={"": (("memory", "all that is kept"),)}), record)

    assert again == []
    assert changed == ["setMyCommands"]


async def test_what_is_stale_is_taken_away(telegram: FakeTelegram, tmp_path: Path) -> None:
    """A language that is gone, the chat of an owner who is none any more, a description that is left out."""
    record = tmp_path / "profile.json"
    wide = replace(PROFILE, everywhere=FULL | {"eo": (("new", "nova"),)}, owners=FULL, owner=ANNA)
    await published(telegram, wide, record)
    await published(telegram, replace(PROFILE, descriptions={}), record)

    places = {("default", ""), ("all_private_chats", ""), ("all_group_chats", "")}
    assert set(telegram.methods.scoped_commands) == places
    assert telegram.methods.descriptions == {"": ""}


async def test_a_description_of_the_operators_stays(telegram: FakeTelegram, tmp_path: Path) -> None:
    """What somebody wrote with BotFather is theirs, now and after the next start."""
    telegram.methods.descriptions[""] = "The family's bot."
    for _ in range(2):
        await published(telegram, PROFILE, tmp_path / "profile.json")

    assert telegram.methods.descriptions == {"": "The family's bot."}


async def test_our_own_description_of_another_language_is_not_taken_for_theirs(telegram: FakeTelegram) -> None:
    """A language without a description shows everybody's, which is ours."""
    await published(telegram, replace(PROFILE, descriptions={"": "I remember.", "de": "Ich erinnere mich."}))

    assert telegram.methods.descriptions == {"": "I remember.", "de": "Ich erinnere mich."}


async def test_an_owner_who_never_wrote_costs_nothing_else(telegram: FakeTelegram, tmp_path: Path) -> None:
    """There is no chat for their menu yet: the rest is shown, and theirs after a later start."""
    record = tmp_path / "profile.json"
    profile = replace(PROFILE, owners=FULL, owner=99)
    await published(telegram, profile, record)
    missing = ("chat:99", "") not in telegram.methods.scoped_commands
    telegram.chats.meet(99)
    await published(telegram, profile, record)

    assert missing
    assert ("chat:99", "") in telegram.methods.scoped_commands


async def test_a_dead_network_and_a_damaged_record_are_waited_out(telegram: FakeTelegram, tmp_path: Path) -> None:
    """What was not said is said the next time; a record that cannot be read says everything again."""
    record = tmp_path / "profile.json"
    telegram.fail("setMyCommands", Fault.DROPPED, times=1)
    await published(telegram, PROFILE, record)
    rest = await published(telegram, PROFILE, record)
    record.write_text('{"bot": 42, "published": 7}', encoding="utf-8")
    anew = await published(telegram, PROFILE, record)

    assert rest.count("setMyCommands") == 3
    assert anew.count("setMyCommands") == 3
    assert json.loads(record.read_text())["bot"] == 42


async def test_the_real_profile_keeps_the_limits(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Every language's menus and descriptions are taken by Telegram; strict, the fake refuses what is too long."""
    async with run_console(tmp_path, {"rag": {"enabled": False}}) as chat:
        profile = make_profile(chat.app.parts, "auto", ANNA)
    await published(telegram, profile)

    codes = {"", *(each.code for each in languages())}
    assert set(telegram.methods.descriptions) == codes
    assert len(telegram.methods.scoped_commands) == 4 * len(codes)
    groups = {command["command"] for command in telegram.methods.scoped_commands["all_group_chats", "de"]}
    assert {"memory", "stop"} <= groups
    assert not groups & {"start", "users", "export"}


async def test_one_chat_has_a_menu_of_its_own(telegram: FakeTelegram) -> None:
    """In the language chosen there, until that is taken back; a chat that is gone harms nothing."""
    async with client(telegram) as bot:
        await show_chat_menu(bot, ANNA, [("new", "neu")])
        shown = dict(telegram.methods.scoped_commands)
        await show_chat_menu(bot, ANNA, None)
        await show_chat_menu(bot, 404, [("new", "neu")])

    assert set(shown) == {(f"chat:{ANNA}", "")}
    assert telegram.methods.scoped_commands == {}
