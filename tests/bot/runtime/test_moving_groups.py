"""Groups that become supergroups, and chats that the bot is added to and removed from."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import NotDelivered
from bot.messages import Address
from harness.application import ANNA, GROUP, run_on_telegram
from harness.fakes.openai import FakeOpenAi, Hangs
from harness.fakes.telegram import FakeTelegram

STRANGER = 666
LUNCH = "@mneme_bot Our team lunch is at Cafe Lumen."
WHERE = "@mneme_bot where is our team lunch?"


async def test_a_group_that_becomes_a_supergroup_goes_on(tmp_path: Path, telegram: FakeTelegram) -> None:
    """It stays allowed under its new id, over a restart too, and remembers what was said under the old one."""
    telegram.chats.basic.add(GROUP)
    async with run_on_telegram(tmp_path, telegram, allowedChats=[GROUP]) as talk:
        await talk.ask(LUNCH, chat=GROUP)
        new = await telegram.migrates(GROUP)
        at_once = await talk.ask(WHERE, chat=new)
    async with run_on_telegram(tmp_path, telegram, allowedChats=[GROUP]) as talk:
        after_restart = await talk.ask(WHERE, chat=new)
        why = await talk.ask("/why@mneme_bot", chat=new)

    assert "Lumen" in at_once
    assert "Lumen" in after_restart
    assert "Lumen" in why


async def test_an_answer_under_way_reaches_the_new_chat(tmp_path: Path, telegram: FakeTelegram) -> None:
    """A question asked in the old chat, when nobody has told us of the move yet, is answered in the new one."""
    telegram.chats.basic.add(GROUP)
    async with run_on_telegram(tmp_path, telegram, allowedChats=[GROUP]) as talk:
        await talk.ask(LUNCH, chat=GROUP)
        asked = telegram.message(WHERE, user=ANNA, chat=GROUP)
        new = GROUP - 10**12
        telegram.chats.meet(new)
        telegram.chats.migrated[GROUP] = new
        await telegram.push({"message": asked})
        answer = await talk.next(new, 0)
        again = await talk.ask(WHERE, chat=new)

    assert "Lumen" in answer
    assert "Lumen" in again


async def test_a_question_that_waited_over_a_restart_is_answered_in_the_new_chat(
    tmp_path: Path, telegram: FakeTelegram
) -> None:
    """What was journaled under the old id is answered where the group is now."""
    telegram.chats.basic.add(GROUP)
    async with run_on_telegram(tmp_path, telegram, allowedChats=[GROUP]) as talk:
        await talk.ask(LUNCH, chat=GROUP)
        parts = talk.app.parts
        await talk.app._dispatcher.close(0)  # nothing is answered any more, as in a process that is being killed
        await telegram.says(WHERE, user=ANNA, chat=GROUP)
        new = await telegram.migrates(GROUP)
        await telegram.until(lambda: not telegram.updates.pending)
        waiting = await parts.journal.pending()
    async with run_on_telegram(tmp_path, telegram, allowedChats=[GROUP]) as talk:
        answer = await talk.next(new, 0)

    assert [entry.message.address.chat_id for entry in waiting] == [GROUP]
    assert "Lumen" in answer


async def test_the_new_chats_messages_are_not_taken_for_old_ones(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Messages are numbered anew there: an edit of number 31 replaces nothing that was number 31 before."""
    telegram.chats.basic.add(GROUP)
    async with run_on_telegram(tmp_path, telegram, allowedChats=[GROUP]) as talk:
        await talk.ask(LUNCH, chat=GROUP, message_id=31)
        new = await telegram.migrates(GROUP)
        await talk.ask("@mneme_bot Our dentist is called Novak.", chat=new, message_id=31)
        await telegram.edits("@mneme_bot Our dentist is called Kowalski.", user=ANNA, chat=new, message_id=31)
        await talk.taken()
        answer = await talk.ask(WHERE, chat=new)

    assert "Lumen" in answer


async def test_a_strangers_group_that_moves_leaves_no_trace(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Only groups that are listed or were served are carried over: nobody can fill our disk with moves."""
    async with run_on_telegram(tmp_path, telegram) as talk:
        new = await telegram.migrates(GROUP)
        await talk.taken()
        home = talk.app.parts.chats.home(42, new)

    assert home == new


async def test_who_adds_the_bot_learns_how_to_let_it_work(tmp_path: Path, telegram: FakeTelegram) -> None:
    """The greeting names the group's id and the setting; a stranger's group gets silence, a listed one a welcome."""
    listed, strangers = GROUP - 1, GROUP - 2
    async with run_on_telegram(tmp_path, telegram, allowedChats=[listed]) as talk:
        await telegram.adds_bot(strangers, user=STRANGER)
        await telegram.adds_bot(GROUP, user=ANNA)
        await telegram.adds_bot(listed, user=ANNA)
        await telegram.until(lambda: telegram.texts(GROUP) and telegram.texts(listed))
        await talk.taken()

    assert str(GROUP) in telegram.texts(GROUP)[0]
    assert "telegram.allowedChats" in telegram.texts(GROUP)[0]
    assert "/help" in telegram.texts(listed)[0]
    assert telegram.texts(strangers) == []


async def test_nothing_is_sent_where_the_bot_was_thrown_out(tmp_path: Path, telegram: FakeTelegram) -> None:
    """After a block the answer that waits is not tried; it is noted durably, until the person is back."""
    async with run_on_telegram(tmp_path, telegram) as talk:
        await talk.ask("hello")
        telegram.calls.clear()
        question = telegram.message("who am I?", user=ANNA)
        await telegram.blocks(ANNA)
        await talk.taken()
        blocked = talk.app.parts.chats.is_gone(message_address())
    async with run_on_telegram(tmp_path, telegram) as talk:
        still = talk.app.parts.chats.is_gone(message_address())
        with pytest.raises(NotDelivered, match="removed"):
            await talk.app.parts.messengers["telegram"].send(message_address(), "planned before the block")
        tried = [method for method, _ in telegram.calls if method == "sendMessage"]
        await telegram.unblocks(ANNA)
        await telegram.push({"message": question})
        answer = await talk.next(ANNA, 1)

    assert (blocked, still, tried) == (True, True, [])
    assert answer


def message_address() -> Address:
    """Return Anna's chat."""
    return Address("telegram", 42, ANNA)


async def test_anonymous_admins_are_told_or_let_in(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Who writes as the group is let in where its id stands among the users, and hears why where it does not."""
    telegram.chats.meet(GROUP)
    async with run_on_telegram(tmp_path, telegram, allowedChats=[GROUP]) as talk:
        await telegram.says_as_chat("@mneme_bot hello", chat=GROUP)
        refused = await talk.next(GROUP, 0)
    async with run_on_telegram(tmp_path / "other", telegram, allowedChats=[GROUP], allowedUsers=[ANNA, GROUP]) as talk:
        await telegram.says_as_chat("@mneme_bot Our team lunch is at Cafe Lumen.", chat=GROUP)
        await talk.next(GROUP, 1)
        answer = await talk.ask(WHERE, chat=GROUP)

    assert "telegram.allowedUsers" in refused
    assert "Lumen" in answer


async def test_two_askers_get_answers_that_name_their_questions(tmp_path: Path, telegram: FakeTelegram) -> None:
    """In a group an answer refers to the message that asked; in a direct chat it does not."""
    async with run_on_telegram(tmp_path, telegram, allowedChats=[GROUP], allowedUsers=[ANNA, 8]) as talk:
        await talk.ask("@mneme_bot hello", chat=GROUP, message_id=901)
        await talk.ask("@mneme_bot hello", chat=GROUP, user=8, message_id=902)
        await talk.ask("hello")

    sent = [call for method, call in telegram.calls if method == "sendMessage"]
    assert [(call.get("reply_parameters") or {}).get("message_id") for call in sent] == [901, 902, None]


async def test_stop_in_the_new_chat_ends_what_was_begun_in_the_old_one(tmp_path: Path, telegram: FakeTelegram) -> None:
    """The group moved while the answer was being made.  Red where only the new chat was looked at: nothing ended."""
    telegram.chats.basic.add(GROUP)
    async with FakeOpenAi(default=lambda _: Hangs("It was")) as server:
        model = {"llm": {"url": server.url, "model": "fake-model"}}
        async with run_on_telegram(tmp_path, telegram, others=model, allowedChats=[GROUP]) as talk:
            await telegram.says("@mneme_bot Tell us a story.", user=ANNA, chat=GROUP)
            await telegram.until(lambda: server.requests)
            new = await telegram.migrates(GROUP)
            await telegram.until(lambda: not telegram.updates.pending)
            await telegram.says("/stop@mneme_bot", user=ANNA, chat=new)
            await talk.taken()
            told = telegram.texts(new)

    assert any(text.startswith("Stopped") for text in told), told


async def test_the_numbers_of_old_answers_mean_nothing_in_the_new_chat(tmp_path: Path, telegram: FakeTelegram) -> None:
    """A reply to a message with the number of an answer of before forgets nothing of what that told."""
    telegram.chats.basic.add(GROUP)
    async with run_on_telegram(tmp_path, telegram, allowedChats=[GROUP]) as talk:
        await talk.ask(LUNCH, chat=GROUP)
        number = telegram.chats.of(GROUP)[-1].message_id
        new = await telegram.migrates(GROUP)
        await talk.ask("@mneme_bot hello", chat=new)
        unheard = telegram.message("Who has my umbrella?", user=ANNA, chat=new) | {"message_id": number}
        await talk.ask("@mneme_bot forget that", chat=new, reply_to_message=unheard)
        answer = await talk.ask(WHERE, chat=new)

    assert "Lumen" in answer
