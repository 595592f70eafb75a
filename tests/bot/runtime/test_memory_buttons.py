"""Memory looked at and changed by buttons: the whole application behind a Telegram that keeps its rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.memory.scope import Scope
from bot.messages import Author
from bot.ports.memory_store import Selector
from harness.application import ANNA
from harness.fakes.telegram import FakeTelegram
from tests.bot.runtime.test_buttons import BOB, GROUP, Talk, data_of, labels_of, talking


async def contents(talk: Talk, scope: str = "tu7") -> list[str]:
    """What a scope remembers, newest first."""
    page = await talk.app.parts.editor.page(Scope(scope), Selector.ALL, size=100)
    return [one.content for one in page.items]


async def test_from_the_list_to_a_memory_and_back(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Kinds, people and times lead to memories, each view in the place of the one before; nothing is added."""
    async with talking(tmp_path, telegram) as talk:
        await talk.say("/remember Always answer in metric units.")
        await talk.say("/remember My sister Vera lives in Porto.")
        await talk.say("/remember I love jazz.")
        page = await talk.say("/memory")
        home, before = page.text, len(telegram.texts(ANNA))
        seen = {}
        for label in ("By kind", "Facts · 1", "2", "‹ Back", "All memories", "By person", "About sister Vera · 1"):
            await talk.choose(page, label)
            seen[label] = page.text
        await talk.choose(page, "All memories")
        await talk.choose(page, "By time")
        times = page.text
        await talk.choose(page, "This week · 3")

    assert home.startswith("Standing wishes:\n• 1: “Always answer in metric units.”")
    assert "Memories of this chat: 3" in home
    assert "Facts: 1" in seen["By kind"]
    assert "• 2: “My sister Vera lives in Porto.”" in seen["Facts · 1"]
    assert "jazz" not in seen["Facts · 1"]
    assert seen["2"].startswith("Memory 2 · Facts\n\n“My sister Vera lives in Porto.”\n\n— you · ")
    assert seen["‹ Back"] == seen["Facts · 1"]
    assert seen["All memories"] == home
    assert "• About sister Vera: 1" in seen["By person"]
    assert "Porto" in seen["About sister Vera · 1"]
    assert "• This week: 3" in times
    assert page.text.startswith("This week: 3")
    assert len(telegram.texts(ANNA)) == before


async def test_pin_edit_forget_and_undo(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Each is done to the memory that is open and shown in place; forgetting asks first and can be taken back."""
    async with talking(tmp_path, telegram) as talk:
        await talk.say("/remember My sister Vera lives in Porto.")
        page = await talk.say("/memory open 1")
        await talk.choose(page, "Pin")
        pinned = page.text
        await talk.choose(page, "Edit")
        asked = page.text
        edited = await talk.say("My sister Vera lives in Lisbon.")
        told, after = edited.text, await contents(talk)
        await talk.choose(edited, "Put back")
        back = await contents(talk)
        page = await talk.say("/memory open 1")
        await talk.choose(page, "Forget")
        confirm, still = page.text, await contents(talk)
        await talk.choose(page, "Forget")
        gone, receipt = await contents(talk), page.text
        await talk.choose(page, "Undo")
        again = await contents(talk)

    assert "is pinned" in pinned
    assert "Memory 1 · Facts · pinned" in pinned
    assert "Your next message within 5 minutes" in asked
    assert "“My sister Vera lives in Porto.”" in asked
    assert "Memory 1 now says: “My sister Vera lives in Lisbon.”" in told
    assert after == ["My sister Vera lives in Lisbon."]
    assert back == ["My sister Vera lives in Porto."]
    assert "Shall I forget memory 1?" in confirm
    assert "Porto" in confirm
    assert still == back
    assert gone == []
    assert receipt.startswith("Forgotten.")
    assert "Porto" not in receipt
    assert again == back


async def test_a_list_that_is_older_than_an_erase_opens_no_other_memory(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Pressing what is gone says so and shows what is there now; the neighbours are untouched and can be opened.

    Without the buttons that outlive an erase (conversations/buttons.py) this list was dead.
    """
    async with talking(tmp_path, telegram) as talk:
        await talk.say("/remember My sister Vera lives in Porto.")
        await talk.say("/remember I love jazz.")
        old = await talk.say("/memory")
        await talk.say("/forget 1")
        told = await talk.choose(old, "1")
        fresh = old.text
        await talk.choose(old, "2")

    assert told == ""
    assert fresh.startswith("Memory 1 is not there any more. This is what is there now:")
    assert "Porto" not in fresh
    assert "“I love jazz.”" in fresh
    assert old.text.startswith("Memory 2 · ")


async def test_a_memory_that_changed_while_it_was_open_is_not_touched(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Neither forgotten nor edited: the words that were shown are not there any more."""
    async with talking(tmp_path, telegram) as talk:
        await talk.say("/remember My sister Vera lives in Porto.")
        page = await talk.say("/memory open 1")
        await talk.say("/memory edit 1 My sister Vera lives in Rome.")
        told = await talk.choose(page, "Forget")
        page = await talk.say("/memory open 1")
        await talk.choose(page, "Edit")
        await talk.app.parts.editor.edit(
            Scope("tu7"), 1 << 32 | 1, "Vera moved.", talk.app.parts.clock.now(), Author(7, "Anna")
        )
        late = await talk.say("My sister Vera lives in Oslo.")
        left = await contents(talk)

    assert told == "Memory has changed since I asked. Ask me again."
    assert late.text.startswith("Memory 1 has changed meanwhile. Nothing was done")
    assert left == ["Vera moved."]


async def test_only_who_asked_may_press_and_a_group_sees_its_own(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Bob's press and Bob's next message change nothing of what Anna opened; Anna's private memory has no number here.

    With the asker left out of the awaited text Bob's message had become the memory.
    """
    async with talking(tmp_path, telegram) as talk:
        await talk.say("/remember my private diary is under the bed")
        await talk.say("/remember@mneme_bot our team lunch is at Lumen", chat=GROUP)
        page = await talk.say("/memory@mneme_bot open 1", chat=GROUP)
        shown = page.text
        bobs = await talk.press(page, labels_of(page).index("Edit"), user=BOB)
        await talk.choose(page, "Edit")
        await talk.say("@mneme_bot our team lunch is cancelled, I think", user=BOB, chat=GROUP)
        untouched = await contents(talk, "tcn100")
        await talk.say("@mneme_bot our team lunch is at Verde", chat=GROUP)
        changed = await contents(talk, "tcn100")

    assert "Lumen" in shown
    assert "diary" not in shown
    assert bobs == "Only the one who asked can press this."
    assert "our team lunch is at Lumen" in untouched
    assert "our team lunch is at Verde" in changed
    assert "our team lunch is at Lumen" not in changed


async def test_a_press_twice_late_and_after_a_restart(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Once is once; after ten minutes an open memory cannot be changed; a restart between question and text is none."""
    async with talking(tmp_path, telegram) as talk:
        await talk.say("/remember My sister Vera lives in Porto.")
        page = await talk.say("/memory open 1")
        token = data_of(page)[labels_of(page).index("Pin")]
        await talk.choose(page, "Pin")
        twice = await talk.send(token, page)
        page = await talk.say("/memory open 1")
        await talk.age(601)
        late = await talk.choose(page, "Forget")
        page = await talk.say("/memory open 1")
        await talk.choose(page, "Edit")
    async with talking(tmp_path, telegram) as talk:
        await talk.say("My sister Vera lives in Lisbon.")
        left = await contents(talk)

    assert twice == late == "This button has expired."
    assert left == ["My sister Vera lives in Lisbon."]


@pytest.mark.parametrize("said", ["/status", "forward", "cancel"])
async def test_what_was_not_meant_does_not_become_the_memory(tmp_path: Path, telegram: FakeTelegram, said: str) -> None:
    """A command, somebody else's words or Cancel end the waiting: what is said after that is a message again."""
    async with talking(tmp_path, telegram) as talk:
        await talk.say("/remember My sister Vera lives in Porto.")
        page = await talk.say("/memory open 1")
        await talk.choose(page, "Edit")
        if said == "cancel":
            await talk.choose(page, "Cancel")
        elif said == "forward":
            before = len(telegram.texts(ANNA))
            await telegram.says(
                "Sell everything", user=ANNA, forward_origin={"type": "hidden_user", "sender_user_name": "X", "date": 1}
            )
            await telegram.until(lambda: len(telegram.texts(ANNA)) > before)
            await talk.app.answered()
        else:
            await talk.say(said)
        await talk.say("What is the weather like in Lisbon?")
        left = await contents(talk)

    assert left == ["My sister Vera lives in Porto."]


async def test_the_new_words_hold_no_secret(tmp_path: Path, telegram: FakeTelegram) -> None:
    """What is typed as the new text goes the way of everything that is remembered."""
    key = "sk-abcdefghijklmnopqrstuvwxyz0123456789"
    async with talking(tmp_path, telegram) as talk:
        await talk.say("/remember the staging door is green")
        page = await talk.say("/memory open 1")
        await talk.choose(page, "Edit")
        told = await talk.say(f"the staging key is {key}")
        left = await contents(talk)

    assert key not in told.text
    assert "API key" in told.text
    assert key not in left[0]
