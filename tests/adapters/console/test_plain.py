"""The terminal for scripts: a line in, an answer out."""

from __future__ import annotations

import io
from dataclasses import dataclass, field

import pytest

from adapters.console.plain import ADDRESS, AUTHOR, ConsoleMessages, PlainMessenger, PlainReceiver
from bot.errors import DeliveryUnknown
from bot.memory.items import Trust
from bot.messages import InboundMessage
from harness.samples import NOON


@dataclass
class Heard:
    """What was accepted, answered and settled, in order."""

    happened: list[str] = field(default_factory=list)
    messages: list[InboundMessage] = field(default_factory=list)

    async def accept(self, message: InboundMessage) -> None:
        self.messages.append(message)
        self.happened.append(f"accept {message.text}")

    async def answered(self) -> None:
        self.happened.append("answered")

    async def settled(self) -> None:
        self.happened.append("settled")


def lines() -> ConsoleMessages:
    """Lines said at noon."""
    return ConsoleMessages(lambda: NOON)


async def test_each_line_is_answered_before_the_next_is_read() -> None:
    """The order of a script's answers is the order of its lines; empty lines are nothing said."""
    heard = Heard()
    await PlainReceiver(heard.accept, heard.answered, None, lines(), io.BytesIO(b"one\n\n   \ntwo")).run()

    assert heard.happened == ["accept one", "answered", "accept two", "answered"]


async def test_settle_waits_after_every_answer() -> None:
    """``--settle`` comes after the answer, before the next line."""
    heard = Heard()
    await PlainReceiver(heard.accept, heard.answered, heard.settled, lines(), io.BytesIO(b"one\ntwo\n")).run()

    assert heard.happened == ["accept one", "answered", "settled", "accept two", "answered", "settled"]


async def test_strange_bytes_are_no_reason_to_stop() -> None:
    """What is not UTF-8 is replaced, control characters are taken out."""
    heard = Heard()
    await PlainReceiver(heard.accept, heard.answered, None, lines(), io.BytesIO(b"caf\xe9\x00 \x1b[31mred\r\n")).run()

    assert [message.text for message in heard.messages] == ["caf\ufffd [31mred"]


def test_ids_of_lines_only_grow() -> None:
    """Also over restarts and when the clock jumps back: a repeated id would be taken for a redelivery."""
    before, after = ConsoleMessages(lambda: NOON), ConsoleMessages(lambda: NOON, _last_id=2**62)
    ids = [before.build("a").update_id, before.build("a").update_id, after.build("a").update_id]

    assert ids == sorted(set(ids))


def test_the_terminal_is_the_owners() -> None:
    """Whoever sits at the machine owns the memory."""
    message = lines().build("  hi  ")

    assert (message.author, message.author.trust, message.address, message.text) == (AUTHOR, Trust.OWNER, ADDRESS, "hi")


async def test_an_answer_stands_after_the_prompt_with_its_lines_indented() -> None:
    """A script finds answers by ``mneme> `` and what belongs to them by the indent."""
    out = io.StringIO()
    messenger = PlainMessenger(out)
    sent = await messenger.send(ADDRESS, "one\ntwo", buttons=(("Forget", "forget:1"),))

    assert out.getvalue() == "mneme> one\n       two\n       [Forget] forget:1\n"
    assert sent == 1


async def test_a_terminal_that_is_gone_makes_the_outcome_unknown() -> None:
    """A closed pipe may have taken the text or not."""
    out = io.StringIO()
    out.close()

    with pytest.raises(DeliveryUnknown, match="terminal is gone"):
        await PlainMessenger(out).send(ADDRESS, "hi")


async def test_an_empty_answer_is_still_an_answer() -> None:
    """There is at least one part, and drafts show nothing."""
    messenger = PlainMessenger(io.StringIO())
    draft = await messenger.draft(ADDRESS)
    await draft.update("growing")

    assert messenger.parts("  \n") == ("…",)
    assert draft.message_id is None


def test_a_bare_command_is_in_the_language_of_the_line_before() -> None:
    """A terminal tells no language: the reader's own lines do, and before the first of them the locale."""
    desk = ConsoleMessages(lambda: NOON, "ru_RU.UTF-8")
    said = ("/status", "Where does Vera live?", "/why", "Где живёт Вера?", "/new", "567-00", "/remember Вера тут")
    german = ("Wo wohnt Vera?", "haha", "/vergiss Vera")

    assert [desk.build(text).language.split("_")[0] for text in said] == ["ru", "en", "en", "ru", "ru", "ru", "ru"]
    assert {desk.build(text).language for text in german} == {"de"}
