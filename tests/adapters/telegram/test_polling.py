"""The way in: what is confirmed to Telegram, and when."""

from __future__ import annotations

import asyncio
import logging

import pytest

from adapters.telegram.account import Profile, ProfilePublisher
from bot.errors import ConfigInvalid, StorageUnavailable
from bot.messages import InboundMessage
from harness.fakes.telegram import FakeTelegram, Fault
from tests.adapters.telegram.fakes import ANNA, Journal, receiver_for, running


async def test_a_message_comes_in_and_is_confirmed(telegram: FakeTelegram) -> None:
    """What an allowed user writes is accepted once and then confirmed to Telegram."""
    journal = Journal()
    async with running(receiver_for(telegram, journal)) as receiver:
        update_id = await telegram.says("My sister Vera lives in Porto.", user=ANNA)
        await telegram.until(lambda: telegram.updates.confirmed)

    assert journal.texts == ["My sister Vera lives in Porto."]
    assert telegram.updates.confirmed == [update_id]
    assert (receiver.bot_id, receiver.username, receiver.trouble) == (42, "mneme_bot", "")


async def test_a_kill_between_receiving_and_accepting_brings_the_message_again(telegram: FakeTelegram) -> None:
    """The offset never passes a message that was not accepted: the next process gets it.

    Mutation checked: with the offset moved before ``accept`` the second receiver finds nothing.
    """
    reached, forever = asyncio.Event(), asyncio.Event()

    async def hang(_message: InboundMessage) -> None:
        reached.set()
        await forever.wait()

    killed = receiver_for(telegram, Journal(), accept=hang)
    await telegram.says("do not lose me", user=ANNA)
    task = asyncio.create_task(killed.run())
    await reached.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await killed.close()
    journal = Journal()
    async with running(receiver_for(telegram, journal)):
        await telegram.until(lambda: journal.accepted)

    assert journal.texts == ["do not lose me"]


async def test_a_full_disk_holds_messages_back_at_telegram(telegram: FakeTelegram) -> None:
    """While nothing can be stored nothing is confirmed; afterwards all come in, in order."""
    journal = Journal(failures=[StorageUnavailable("disk full")] * 7)
    async with running(receiver_for(telegram, journal)) as receiver:
        for text in ("one", "two", "three"):
            await telegram.says(text, user=ANNA)
        await telegram.until(lambda: receiver.trouble.startswith("messages cannot be stored"))
        confirmed_meanwhile = list(telegram.updates.confirmed)
        await telegram.until(lambda: len(telegram.updates.confirmed) == 3)

    assert confirmed_meanwhile == []
    assert journal.texts == ["one", "two", "three"]
    assert receiver.trouble == ""


async def test_messages_before_a_failing_one_are_confirmed(telegram: FakeTelegram) -> None:
    """A batch that fails in the middle is not taken from its beginning again."""
    journal = Journal()
    for text in ("one", "two"):
        await telegram.says(text, user=ANNA)

    async def accept(message: InboundMessage) -> None:
        if message.text == "two" and len(journal.accepted) < 2 and not journal.failures:
            journal.failures.append(RuntimeError("only once"))
            raise StorageUnavailable("disk full")
        journal.accepted.append(message)

    async with running(receiver_for(telegram, journal, accept=accept)):
        await telegram.until(lambda: len(telegram.updates.confirmed) == 2)

    assert journal.texts == ["one", "two"]


async def test_an_unreadable_update_is_set_aside_at_once(telegram: FakeTelegram) -> None:
    """What can never be read is taken once, counted and passed over: it is given a single time and delays nobody."""
    journal = Journal()
    poison = [
        await telegram.push({"message": {"message_id": "not a number", "text": "poison"}}),
        await telegram.push({"message": "poison"}),
        await telegram.push({"edited_message": {"chat": {"id": 2**70}, "from": {"id": ANNA}, "text": "poison"}}),
    ]
    await telegram.says("after it", user=ANNA)
    async with running(receiver_for(telegram, journal)) as receiver:
        await telegram.until(lambda: len(telegram.updates.confirmed) == 4)

    assert journal.texts == ["after it"]
    assert [telegram.updates.given.count(update_id) for update_id in poison] == [1, 1, 1]
    assert (receiver.set_aside, receiver.trouble) == (3, "")


async def test_an_update_that_crashes_the_handler_is_set_aside(telegram: FakeTelegram) -> None:
    """Whatever ``accept`` raises for one update but for the disk's sake, the next ones come in at once."""
    journal = Journal(failures=[ValueError("boom")])
    await telegram.says("crash", user=ANNA)
    await telegram.says("fine", user=ANNA)
    async with running(receiver_for(telegram, journal)) as receiver:
        await telegram.until(lambda: len(telegram.updates.confirmed) == 2)

    assert journal.texts == ["fine"]
    assert receiver.set_aside == 1


async def test_an_update_without_an_id_hides_no_other(telegram: FakeTelegram) -> None:
    """What cannot be confirmed is counted; the rest of its batch comes in."""
    journal = Journal()
    receiver = receiver_for(telegram, journal)
    answers: list[list[object]] = [
        ["?", {"message": {}}, {"update_id": 7, "message": telegram.message("hi", user=ANNA)}],
        [],  # to deleteWebhook
    ]

    async def call(*_arguments: object, **_more: object) -> list[object]:
        return answers.pop() if answers else []

    receiver.bot.__class__ = type("Scripted", (type(receiver.bot),), {"__call__": lambda _bot, *a, **k: call(*a, **k)})
    receiver.username = "mneme_bot"
    async with running(receiver):
        await telegram.until(lambda: journal.accepted)

    assert (journal.texts, receiver.set_aside) == (["hi"], 2)


async def test_empty_answers_at_once_are_no_hot_loop(telegram: FakeTelegram) -> None:
    """A server that does not wait is asked less and less often, and a message still comes in.

    Mutation checked: without the floor there are thousands of polls.
    """
    journal = Journal()

    def polls() -> int:
        return sum(method == "getUpdates" for method, _ in telegram.calls)

    async with running(receiver_for(telegram, journal, poll_s=0)):
        await telegram.until(polls)
        await asyncio.sleep(1.5)
        idle = polls()
        await telegram.says("hello", user=ANNA)
        await telegram.until(lambda: journal.accepted)

    assert idle <= 8
    assert journal.texts == ["hello"]


async def test_strange_characters_do_not_stop_an_update(telegram: FakeTelegram) -> None:
    """Lone surrogates and NUL, which no database stores, are replaced on the way in."""
    journal = Journal()
    async with running(receiver_for(telegram, journal)):
        await telegram.says("a\ud83db\0c 😀", user=ANNA)
        await telegram.until(lambda: journal.accepted)

    assert journal.texts == ["a\ufffdb c 😀"]


@pytest.mark.parametrize("fault", [Fault.FAILED, Fault.DROPPED, Fault.GARBAGE, Fault.LIMITED])
async def test_trouble_on_the_way_is_waited_out(telegram: FakeTelegram, fault: Fault) -> None:
    """Errors of server, network and proxy cost time, never a message."""
    journal = Journal()
    telegram.fail("getUpdates", fault, retry_after=1)
    telegram.fail("getMe", fault, retry_after=1)
    await telegram.says("still here", user=ANNA)
    async with running(receiver_for(telegram, journal)):
        await telegram.until(lambda: telegram.updates.confirmed)

    assert journal.texts == ["still here"]


async def test_a_second_instance_is_named_and_waited_for(telegram: FakeTelegram) -> None:
    """Two processes with one token: each says so, keeps trying, and no message is lost between them."""
    one, two = Journal(), Journal()
    first, second = receiver_for(telegram, one, poll_s=5), receiver_for(telegram, two, poll_s=5)
    async with running(first), running(second):
        await telegram.until(lambda: "another instance" in first.trouble + second.trouble)
        await telegram.says("to whom?", user=ANNA)
        await telegram.until(lambda: one.accepted or two.accepted)

    assert {*one.texts, *two.texts} == {"to whom?"}


async def test_a_wrong_token_is_a_configuration_error(telegram: FakeTelegram) -> None:
    """A token that Telegram refuses ends the receiver with the setting's name, and without the token."""
    journal = Journal()
    receiver = receiver_for(telegram, journal)
    telegram.token = "43:another"

    with pytest.raises(ConfigInvalid, match="TELEGRAM_TOKEN") as caught:
        await receiver.run()
    await receiver.close()
    assert "fake" not in str(caught.value)
    with pytest.raises(ConfigInvalid, match="TELEGRAM_TOKEN"):
        receiver_for(FakeTelegram("42:"), journal)


async def test_the_token_appears_in_no_log_and_no_error(
    telegram: FakeTelegram, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever fails, and at the chattiest level, the bot token is written nowhere."""
    caplog.set_level(logging.DEBUG)
    journal = Journal()
    await telegram.says("hello", user=ANNA)
    for fault in (Fault.DROPPED, Fault.GARBAGE, Fault.FAILED):
        telegram.fail("getUpdates", fault)
    async with running(receiver_for(telegram, journal)) as receiver:
        await telegram.until(lambda: telegram.updates.confirmed)
        telegram.fail("getUpdates", Fault.DROPPED, times=50)
        await telegram.until(lambda: receiver.trouble)
        trouble = receiver.trouble

    secret = telegram.token.split(":")[1]
    assert secret not in caplog.text + trouble + "".join(capsys.readouterr())


async def test_the_menu_is_shown_per_language(telegram: FakeTelegram) -> None:
    """The commands of each language are set at the start."""
    menu = {"": [("new", "Start afresh")], "ru": [("new", "Начать заново")]}
    publisher = ProfilePublisher(lambda: Profile(everywhere=menu), pause_s=0.0)
    async with running(receiver_for(telegram, Journal(), profile=publisher)):
        await telegram.until(lambda: len(telegram.methods.commands) == 2)

    assert telegram.methods.commands["ru"] == [{"command": "new", "description": "Начать заново"}]


async def test_old_messages_survive_a_left_over_webhook(telegram: FakeTelegram) -> None:
    """A webhook from before is removed without dropping what waited."""
    journal = Journal()
    telegram.methods.webhook = {"url": "https://old.example"}
    await telegram.says("I waited", user=ANNA)
    async with running(receiver_for(telegram, journal)):
        await telegram.until(lambda: journal.accepted)

    assert journal.texts == ["I waited"]


async def test_stopping_does_not_wait_for_the_long_poll(telegram: FakeTelegram) -> None:
    """``stop`` ends an idle receiver at once."""
    receiver = receiver_for(telegram, Journal(), poll_s=30)
    task = asyncio.create_task(receiver.run())
    await telegram.until(lambda: any(method == "getUpdates" for method, _ in telegram.calls))
    receiver.stop()

    await asyncio.wait_for(task, 25)
    await receiver.close()


async def test_ids_that_start_anew_are_not_hidden_by_an_old_offset(telegram: FakeTelegram) -> None:
    """After a quiet week Telegram numbers updates from a random place: a lower id still comes in."""
    journal = Journal()
    async with running(receiver_for(telegram, journal, poll_s=0)):
        await telegram.push({"update_id": 900_000, "message": telegram.message("before", user=ANNA)})
        await telegram.until(lambda: telegram.updates.confirmed)
        await telegram.push({"update_id": 5, "message": telegram.message("after", user=ANNA)})
        await telegram.until(lambda: len(telegram.updates.confirmed) == 2)

    assert journal.texts == ["before", "after"]
