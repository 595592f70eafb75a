"""The way out: what the chat shows, and what is known about it afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from adapters.telegram import draft as draft_module
from adapters.telegram.messenger import TelegramMessenger
from adapters.telegram.rate_limit import RateLimit, SendLimits
from adapters.telegram.session import open_bot
from bot.core import delivery as delivery_protocol
from bot.core.delivery import deliver
from bot.errors import DeliveryUnknown, DraftGone, NotDelivered
from bot.messages import LOST_DRAFT, Address
from bot.ports.messenger import Delivery, DeliveryOutcome
from harness.fakes.telegram import FakeTelegram, Fault, SentFile
from tests.adapters.telegram.fakes import ANNA, GROUP, StaticChats, WallClock, server_of

UNLIMITED = SendLimits(chat_s=0.0, overall=10_000, group=10_000)
TO = Address("telegram", 42, ANNA)


@asynccontextmanager
async def opened(
    telegram: FakeTelegram,
    *,
    limits: SendLimits = UNLIMITED,
    interval_s: float = 0.0,
    previews: bool = False,
    clock: WallClock | None = None,
) -> AsyncIterator[TelegramMessenger]:
    """Open a messenger to a fake where Anna has written before; without limits the fake has none either."""
    telegram.chats.meet(ANNA)
    telegram.floods.enforced = limits is not UNLIMITED
    bot = open_bot(telegram.token, server_of(telegram))
    clock = clock or WallClock()
    messenger = TelegramMessenger(
        bot,
        clock=clock,
        chats=StaticChats(),
        rate_limit=RateLimit(clock, limits),
        edit_interval_s=lambda: interval_s,
        previews=previews,
    )
    try:
        yield messenger
    finally:
        await messenger.close()
        await bot.session.close()


async def test_formatting_arrives_as_entities(telegram: FakeTelegram) -> None:
    """Markdown is shown as text with entities, without link previews, and with its buttons."""
    async with opened(telegram) as messenger:
        sent = await messenger.send(TO, "**Vera** lives in `Porto`", buttons=(("Forget", "forget:7"), ("Keep", "keep")))

    [shown] = telegram.chats.of(ANNA)
    assert (shown.message_id, shown.text) == (sent, "Vera lives in Porto")
    assert [entity["type"] for entity in shown.entities] == ["bold", "code"]
    assert shown.keyboard is not None
    assert shown.keyboard["inline_keyboard"][0][0]["callback_data"] == "forget:7"
    assert telegram.calls[-1][1]["link_preview_options"] == {"is_disabled": True}


async def test_a_topic_gets_its_answer_in_the_topic(telegram: FakeTelegram) -> None:
    """The thread is part of the address on the way out, too."""
    telegram.chats.meet(GROUP, 5)
    async with opened(telegram) as messenger:
        await messenger.send(Address("telegram", 42, GROUP, 5), "here")

    assert telegram.chats.of(GROUP)[0].topic == 5


async def test_an_answer_refers_to_the_message_that_asked(telegram: FakeTelegram) -> None:
    """Its first frame and its parts carry the reference, and one to a message that was deleted does no harm."""
    telegram.chats.meet(GROUP)
    to = Address("telegram", 42, GROUP, reply_to=77)
    async with opened(telegram) as messenger:
        draft = await messenger.draft(to)
        await draft.update("Ver")
        await messenger.send(to, "Vera lives in Porto.")

    sent = [call for method, call in telegram.calls if method == "sendMessage"]
    assert [call["reply_parameters"]["message_id"] for call in sent] == [77, 77]
    assert all(call["reply_parameters"]["allow_sending_without_reply"] for call in sent)


async def test_what_telegram_cannot_parse_is_sent_plain(telegram: FakeTelegram) -> None:
    """Markup is never worth a lost answer."""
    telegram.fail("sendMessage", Fault.REFUSED, description="Bad Request: can't parse entities: whatever")
    async with opened(telegram) as messenger:
        await messenger.send(TO, "**bold**")

    [shown] = telegram.chats.of(ANNA)
    assert (shown.text, shown.entities) == ("bold", [])


@pytest.mark.parametrize(
    "fault",
    [Fault.DROPPED_AFTER, Fault.DROPPED, Fault.UNREAD, Fault.FAILED_AFTER, Fault.FAILED, Fault.GARBAGE],
)
async def test_an_open_outcome_is_unknown_and_never_repeated(telegram: FakeTelegram, fault: Fault) -> None:
    """When nobody can know whether a message arrived it is not sent again.

    Mutation checked: with these answered by another try the chat shows two.
    """
    telegram.fail("sendMessage", fault)
    async with opened(telegram) as messenger:
        with pytest.raises(DeliveryUnknown):
            await messenger.send(TO, "once")

    assert len(telegram.texts(ANNA)) <= 1
    assert [method for method, _ in telegram.calls] == ["sendMessage"]


async def test_a_blocked_bot_is_told_that_trying_again_is_pointless(telegram: FakeTelegram) -> None:
    """Blocked and unknown chats are sure and final."""
    telegram.chats.blocked.add(ANNA)
    async with opened(telegram) as messenger:
        with pytest.raises(NotDelivered, match="blocked") as blocked:
            await messenger.send(TO, "hello")
        with pytest.raises(NotDelivered, match="chat not found") as unknown:
            await messenger.send(Address("telegram", 42, 999), "hello")

    assert blocked.value.retry_after_s is unknown.value.retry_after_s is None


async def test_no_connection_is_surely_not_delivered() -> None:
    """When nothing listens nothing was sent; the error says so without the token."""
    async with FakeTelegram() as telegram, opened(telegram) as messenger:
        await telegram.__aexit__(None, None, None)
        with pytest.raises(NotDelivered) as caught:
            await messenger.send(TO, "hello")

    assert caught.value.retry_after_s
    chain = f"{caught.value!r}{caught.value.__cause__!r}{caught.value.__cause__}"
    assert telegram.token.split(":")[1] not in chain


@pytest.mark.parametrize("retry_after", [1, 600])
async def test_a_pause_is_handed_back_and_kept(telegram: FakeTelegram, retry_after: int) -> None:
    """``retry_after`` is waited out by the caller, who takes the attempt back; the next turn comes after it."""
    telegram.fail("sendMessage", Fault.LIMITED, retry_after=retry_after)
    async with opened(telegram) as messenger:
        with pytest.raises(NotDelivered) as caught:
            await messenger.send(TO, "later")
        pause = messenger._rate_limit.compute_delay(ANNA)

    assert caught.value.retry_after_s == retry_after
    assert retry_after - 1 < pause <= retry_after
    assert len(telegram.calls) == 1


async def test_the_limits_of_telegram_are_kept(telegram: FakeTelegram) -> None:
    """Against flood control without any tolerance three messages to one chat go out without a single refusal."""
    telegram.floods.chat, telegram.floods.burst = (1, 0.3), 1
    async with opened(telegram, limits=SendLimits(chat_s=0.33)) as messenger:

        async def send(text: str) -> None:
            await messenger.reserve(TO)
            await messenger.send(TO, text)

        await asyncio.gather(*(send(f"part {number}") for number in range(3)))

    assert len(telegram.texts(ANNA)) == 3
    assert telegram.floods.refused == 0


async def test_an_edit_into_the_draft_can_be_repeated(telegram: FakeTelegram) -> None:
    """The final text replaces the draft; saying it again changes nothing and counts as delivered."""
    async with opened(telegram) as messenger:
        draft = await messenger.draft(TO)
        await draft.update("My sis")
        first = await messenger.send(TO, "My sister", draft_id=draft.message_id)
        again = await messenger.send(TO, "My sister", draft_id=draft.message_id)

    [shown] = telegram.chats.of(ANNA)
    assert first == again == shown.message_id
    assert (shown.text, shown.versions) == ("My sister", ["My sis"])


async def test_an_edit_without_an_answer_is_made_again(telegram: FakeTelegram, monkeypatch: pytest.MonkeyPatch) -> None:
    """Edits are repeated until their outcome is known: repeating them is harmless.

    Red when an edit was given up after three tries: the chat went on showing the beginning.
    """
    monkeypatch.setattr(delivery_protocol, "_PAUSES_S", (0.0,))
    log = Marks()
    async with opened(telegram) as messenger:
        draft = await messenger.draft(TO)
        await draft.update("My sister")
        for fault in 3 * (Fault.FAILED, Fault.DROPPED):
            telegram.fail("editMessageText", fault)
        await deliver(log, messenger, Delivery(1, TO, "My sister lives in Porto.", draft_id=draft.message_id))

    assert telegram.texts(ANNA) == ["My sister lives in Porto."]
    assert log.ended == [1]
    assert log.marked == [1] * 7


async def test_a_frame_that_shows_nothing_new_is_not_sent(telegram: FakeTelegram) -> None:
    """Neither while the answer grows by what is not shown, nor when its last frame was the whole of it.

    Red when texts were compared and not what they show: Telegram answers "message is not modified".
    """
    log = Marks()
    async with opened(telegram) as messenger:
        draft = await messenger.draft(TO)
        for text in ("My sister", "My sister ", "My sister\n\n", "My sister **", "**My** sister", "**My** sister\n"):
            await draft.update(text)
        await deliver(log, messenger, Delivery(1, TO, "**My** sister", draft_id=draft.message_id))

    edits = [params["text"] for method, params in telegram.calls if method == "editMessageText"]
    assert edits == ["My sister **", "My sister"]
    assert (log.marked, log.ended) == ([], [1])


async def test_the_first_frame_is_waited_for(telegram: FakeTelegram, monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow Telegram is, the id of a message under way is not thrown away.

    Red when a frame was given up after three seconds: its message stayed as an orphan.
    """
    monkeypatch.setattr(draft_module, "_FRAME_S", 0.05)
    answered = telegram.methods.call

    async def slow(method: str, params: dict[str, Any], uploads: dict[str, SentFile] | None = None) -> Any:  # Any: JSON
        await asyncio.sleep(0.3)
        return await answered(method, params, uploads)

    telegram.methods.call = slow  # type: ignore[method-assign]  # a slow server
    async with opened(telegram) as messenger:
        draft = await messenger.draft(TO)
        shown = await draft.update("My sister")

    assert shown
    assert draft.message_id == telegram.chats.of(ANNA)[0].message_id


async def test_a_deleted_draft_is_told_apart(telegram: FakeTelegram) -> None:
    """The caller marks the message that replaces it as a first send, which a restart must not repeat as an edit."""
    async with opened(telegram) as messenger:
        draft = await messenger.draft(TO)
        await draft.update("My sis")
        assert draft.message_id is not None
        telegram.chats.delete(ANNA, draft.message_id)
        with pytest.raises(DraftGone):
            await messenger.send(TO, "My sister", draft_id=draft.message_id)

    assert telegram.texts(ANNA) == []


async def test_without_a_frame_there_is_no_placeholder(telegram: FakeTelegram) -> None:
    """A draft shows "typing…" at once and a message only when there is something to read."""
    async with opened(telegram) as messenger:
        draft = await messenger.draft(TO)
        await draft.update("   ")
        await telegram.until(lambda: telegram.chats.typing.get(ANNA))

    assert draft.message_id is None
    assert telegram.texts(ANNA) == []


async def test_frames_come_no_faster_than_the_interval(telegram: FakeTelegram) -> None:
    """Frames in between are dropped; nothing waits for them."""
    async with opened(telegram, interval_s=30.0) as messenger:
        draft = await messenger.draft(TO)
        for length in range(1, 50):
            await draft.update("x" * length)

    assert telegram.texts(ANNA) == ["x"]


@pytest.mark.parametrize("fault", list(Fault))
async def test_a_failing_frame_disturbs_nobody(telegram: FakeTelegram, fault: Fault) -> None:
    """Whatever happens to a frame, ``update`` returns."""
    async with opened(telegram) as messenger:
        draft = await messenger.draft(TO)
        await draft.update("one")
        telegram.fail("editMessageText", fault, seconds=0.05)
        await draft.update("one two")
        await draft.update("one two three")

    assert len(telegram.texts(ANNA)) == 1


async def test_a_first_frame_of_unknown_fate_ends_the_stream(telegram: FakeTelegram) -> None:
    """A second message beside a lost first frame would be a double: no further frame is sent, however late.

    Mutation checked: when the stream goes on the chat shows two.
    """
    telegram.fail("sendMessage", Fault.DROPPED_AFTER)
    clock = WallClock()
    async with opened(telegram, clock=clock) as messenger:
        draft = await messenger.draft(TO)
        await draft.update("one")
        clock.moved_s = 60
        await draft.update("one two")

    assert draft.message_id == LOST_DRAFT
    assert telegram.texts(ANNA) == ["one"]


async def test_a_first_frame_that_surely_failed_is_not_in_doubt(telegram: FakeTelegram) -> None:
    """The answer is posted as a whole then; what began is told before the first byte leaves."""
    began: list[int] = []

    async def begins() -> None:
        began.append(sum(method == "sendMessage" for method, _ in telegram.calls))

    telegram.fail("sendMessage", Fault.LIMITED)
    async with opened(telegram) as messenger:
        draft = await messenger.draft(TO, begins=begins)
        await draft.update("one")

    assert draft.message_id is None
    assert began == [0]


async def test_a_draft_goes_on_after_a_restart(telegram: FakeTelegram) -> None:
    """Given the id of a draft begun before, frames go into that message."""
    async with opened(telegram) as messenger:
        before = await messenger.draft(TO)
        await before.update("one")
        after = await messenger.draft(TO, before.message_id)
        await after.update("one two")

    assert telegram.texts(ANNA) == ["one two"]


async def test_a_frame_of_a_long_answer_shows_its_end(telegram: FakeTelegram) -> None:
    """An answer that outgrows a message is watched growing; in the end the message holds its first part.

    Red when the frames went on showing the beginning: nothing moved beyond 4096 units.
    """
    text = "A sentence of some words. " * 400
    async with opened(telegram) as messenger:
        draft = await messenger.draft(TO)
        await draft.update(text)
        watched = telegram.texts(ANNA)
        first, *rest = messenger.parts(text)
        await messenger.send(TO, first, draft_id=draft.message_id)
        for part in rest:
            await messenger.send(TO, part)

    assert watched == [rest[-1].strip()]
    assert len(telegram.texts(ANNA)) == 1 + len(rest)
    assert " ".join(telegram.texts(ANNA)) == text.strip()


async def test_a_preview_leaves_nothing_behind(telegram: FakeTelegram) -> None:
    """With previews the growing answer is no message; the final one is the only message, whatever became of a frame."""
    async with opened(telegram, previews=True) as messenger:
        draft = await messenger.draft(TO)
        await draft.update("My **sis**")
        seen = dict(telegram.chats.previews)
        telegram.fail("sendMessageDraft", Fault.DROPPED_AFTER)
        await draft.update("My sister")
        await messenger.send(TO, "My sister", draft_id=draft.message_id)

    assert seen == {ANNA: "My sis"}
    assert draft.message_id is None
    assert telegram.texts(ANNA) == ["My sister"]
    assert telegram.chats.previews == {}


@pytest.mark.parametrize("fault", [Fault.REFUSED])
async def test_where_drafts_are_refused_a_message_grows(telegram: FakeTelegram, fault: Fault) -> None:
    """The first refusal is remembered for the whole bot, and costs this answer one frame."""
    telegram.fail("sendMessageDraft", fault, description="Bad Request: TEXTDRAFT_PEER_INVALID")
    async with opened(telegram, previews=True) as messenger:
        draft = await messenger.draft(TO)
        await draft.update("My sis")
        await draft.update("My sister")
        other = await messenger.draft(TO)
        await other.update("Her name")

    assert telegram.texts(ANNA) == ["My sister", "Her name"]
    assert sum(method == "sendMessageDraft" for method, _ in telegram.calls) == 1


async def test_a_preview_is_renewed_before_it_fades(telegram: FakeTelegram) -> None:
    """Telegram shows it for half a minute; a tool may take longer."""
    clock = WallClock()
    async with opened(telegram, previews=True, clock=clock) as messenger:
        draft = await messenger.draft(TO)
        await draft.update("My sister")
        await draft.update("My sister")
        clock.moved_s = 25
        await draft.update("My sister")

    assert [method for method, _ in telegram.calls].count("sendMessageDraft") == 2


async def test_groups_have_no_previews(telegram: FakeTelegram) -> None:
    """In a group the answer grows in a message, as always."""
    telegram.chats.meet(GROUP)
    async with opened(telegram, previews=True) as messenger:
        draft = await messenger.draft(Address("telegram", 42, GROUP))
        await draft.update("My sis")

    assert telegram.texts(GROUP) == ["My sis"]


async def test_buttons_that_telegram_would_refuse_do_not_cost_the_text(telegram: FakeTelegram) -> None:
    """A button with more than 64 bytes of data is left out."""
    async with opened(telegram) as messenger:
        await messenger.send(TO, "hello", buttons=(("long", "ж" * 33), ("fine", "ж" * 32)))

    [shown] = telegram.chats.of(ANNA)
    assert shown.keyboard is not None
    assert [key["text"] for row in shown.keyboard["inline_keyboard"] for key in row] == ["fine"]


async def test_a_limit_without_a_pause_may_be_tried_again(telegram: FakeTelegram) -> None:
    """A 429 is a sure refusal even when it names no pause."""
    telegram.fail("sendMessage", Fault.LIMITED, retry_after=0)
    async with opened(telegram) as messenger:
        with pytest.raises(NotDelivered) as caught:
            await messenger.send(TO, "hello")

    assert caught.value.retry_after_s is not None


@dataclass
class Marks:
    """The log of attempts, which takes its time to write; keeps what was marked."""

    marked: list[int] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)

    async def begin_attempt(self, delivery_id: int) -> bool:
        await asyncio.sleep(0.01)
        self.marked.append(delivery_id)
        return True

    async def finish(self, delivery_id: int, outcome: DeliveryOutcome) -> None:
        self.ended.append(delivery_id)

    async def postpone(self, delivery_id: int, reason: str, *, draft_gone: bool = False) -> None:
        assert not draft_gone


async def test_of_two_chats_and_one_place_the_second_is_not_marked_before_its_turn(telegram: FakeTelegram) -> None:
    """Nothing waits for a limit once its attempt is marked: a kill then would make its outcome unknown.

    With a ``reserve`` that only looks whether there is a place, and a ``send`` that takes it, both are marked at once.
    """
    telegram.chats.meet(8)
    log = Marks()
    async with opened(telegram, limits=SendLimits(chat_s=0.0, overall=1)) as messenger:
        both = [
            asyncio.create_task(deliver(log, messenger, Delivery(number, Address("telegram", 42, chat), "hello")))
            for number, chat in enumerate((ANNA, 8))
        ]
        await telegram.until(lambda: log.ended)
        await asyncio.sleep(0.2)
        meanwhile = list(log.marked)
        await asyncio.gather(*both)

    assert meanwhile == [0]
    assert log.marked == log.ended == [0, 1]


async def test_an_attempt_is_marked_between_the_connection_and_the_request(telegram: FakeTelegram) -> None:
    """A kill finds it unmarked while a connection is made, and marked before a byte of it is on its way."""
    seen: list[int] = []

    async def mark() -> None:
        await asyncio.sleep(0.01)
        seen.append(len(telegram.calls))

    async with opened(telegram) as messenger:
        await messenger.send_marked(TO, "new connection", mark)
        await messenger.send_marked(TO, "the same", mark)
        await messenger.send(TO, "not marked")

    assert seen == [0, 1]
    assert telegram.texts(ANNA) == ["new connection", "the same", "not marked"]


async def test_without_a_connection_nothing_is_marked() -> None:
    """A Telegram that cannot be reached leaves the attempt planned, whenever the kill comes.

    Marked before the connection is tried, this test fails.
    """
    log = Marks()
    async with FakeTelegram() as telegram, opened(telegram) as messenger:
        await telegram.__aexit__(None, None, None)
        with pytest.raises(NotDelivered):
            await messenger.send_marked(TO, "hello", lambda: _marked(log))

    assert log.marked == []


async def _marked(log: Marks) -> None:
    await log.begin_attempt(1)


async def test_an_attempt_that_was_made_before_sends_nothing(telegram: FakeTelegram) -> None:
    """The connection is there already; not a byte is written to it."""

    class Taken(Marks):
        async def begin_attempt(self, delivery_id: int) -> bool:
            return False

    async with opened(telegram) as messenger:
        await deliver(Taken(), messenger, Delivery(1, TO, "again"))
        await deliver(Marks(), messenger, Delivery(2, TO, "first"))

    assert telegram.texts(ANNA) == ["first"]
    assert len(telegram.calls) == 1


async def test_a_place_at_once_needs_a_connection(telegram: FakeTelegram) -> None:
    """A reply is marked with its turn only if its request goes out then."""
    async with opened(telegram) as messenger:
        before = messenger.reserve_now(TO)
        await messenger.send(TO, "hello")
        after = messenger.reserve_now(TO)

    assert (before, after) == (False, True)


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_no_message_is_shown_twice_whatever_fails(telegram: FakeTelegram, seed: int) -> None:
    """With a third of the sends failing in every way, retrying only the sure failures shows nothing twice.

    What was reported as sent is there; what was not is known by name.
    """
    telegram.faults.chance, telegram.faults.seed = 0.3, seed
    telegram.faults.by_chance = (
        *(Fault.DROPPED, Fault.DROPPED_AFTER, Fault.UNREAD),
        *(Fault.FAILED, Fault.FAILED_AFTER, Fault.GARBAGE),
    )
    sent, unknown = set(), set()
    async with opened(telegram) as messenger:
        for number in range(100):
            try:
                await messenger.send(TO, f"message {number}")
                sent.add(f"message {number}")
            except DeliveryUnknown:
                unknown.add(f"message {number}")

    shown = telegram.texts(ANNA)
    assert len(shown) == len(set(shown))
    assert sent <= set(shown) <= sent | unknown
    assert len(sent | unknown) == 100


async def test_after_closing_nothing_can_have_been_sent(telegram: FakeTelegram) -> None:
    """A send that comes too late in a shutdown is surely not delivered, and opens no new connection."""
    async with opened(telegram) as messenger:
        await messenger._calls.bot.session.close()
        with pytest.raises(NotDelivered) as caught:
            await messenger.send(TO, "too late")

    assert caught.value.retry_after_s
    assert telegram.calls == []


async def test_typing_ends_with_the_answer(telegram: FakeTelegram) -> None:
    """Once something was sent nothing types any more."""
    async with opened(telegram) as messenger:
        await messenger.draft(TO)
        await telegram.until(lambda: telegram.chats.typing)
        await messenger.send(TO, "done")

        assert messenger._typing._tasks == {}
