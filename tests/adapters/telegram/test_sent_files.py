"""Files on the way out: whole, once, within the limits, and with an exact report of the outcome."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.core.delivery import Ending, deliver
from bot.errors import DeliveryUnknown, NotDelivered
from bot.files import OutboundFile, write_outbound
from bot.ports.messenger import Delivery, DeliveryOutcome, Fate
from harness.fakes.telegram import FakeTelegram, Fault
from tests.adapters.telegram.fakes import ANNA
from tests.adapters.telegram.test_messenger import TO, opened


class Marks:
    """Counts how often an attempt was marked."""

    def __init__(self) -> None:
        self.count = 0

    async def __call__(self) -> None:
        self.count += 1


def file_of(folder: Path, content: bytes = b"# Porto\n", name: str = "answer.md") -> OutboundFile:
    """A file as a turn makes it."""
    return write_outbound(folder, name, content)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("answer.md", b"# Porto\n"),
        ("Ответ «о Вере» 2026.md", "Вера живёт в Порту 👍\n".encode()),
        ('a "quoted"; name=x.md', b"--boundary\r\n\r\nname"),
        ("big.zip", bytes(range(256)) * 8192),
    ],
)
async def test_a_file_arrives_as_it_is(telegram: FakeTelegram, tmp_path: Path, name: str, content: bytes) -> None:
    """Name, content, caption with its formatting and buttons stand in one message, marked once."""
    mark, file = Marks(), file_of(tmp_path, content, name)
    async with opened(telegram) as messenger:
        sent = await messenger.send_file(TO, file, "It is **here**", mark, buttons=(("Open", "/open"),))

    [shown] = telegram.chats.of(ANNA)
    assert shown.file is not None
    assert (shown.message_id, shown.file.name, shown.file.content) == (sent, file.name, content)
    assert (shown.text, [entity["type"] for entity in shown.entities]) == ("It is here", ["bold"])
    assert shown.keyboard is not None
    assert mark.count == 1


async def test_a_file_needs_no_caption(telegram: FakeTelegram, tmp_path: Path) -> None:
    """Where the text went before it, the file stands alone."""
    async with opened(telegram) as messenger:
        await messenger.send_file(TO, file_of(tmp_path), "", Marks())

    [shown] = telegram.chats.of(ANNA)
    assert (shown.text, shown.file is not None) == ("", True)


async def test_a_caption_has_1024_units(telegram: FakeTelegram) -> None:
    """Counted in UTF-16 and as it is shown, not as Markdown writes it."""
    async with opened(telegram) as messenger:
        assert messenger.is_caption("*" * 2 + "a" * 1024 + "*" * 2)
        assert messenger.is_caption("👍" * 512)
        assert not messenger.is_caption("👍" * 513)
        assert not messenger.is_caption("a" * 1025)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault.DROPPED_AFTER, DeliveryUnknown),
        (Fault.FAILED_AFTER, DeliveryUnknown),
        (Fault.GATEWAY, DeliveryUnknown),
        (Fault.REFUSED, NotDelivered),
        (Fault.LIMITED, NotDelivered),
        (Fault.UNREAD, NotDelivered),
    ],
)
async def test_a_failed_upload_says_whether_it_can_have_arrived(
    telegram: FakeTelegram, tmp_path: Path, fault: Fault, error: type[Exception]
) -> None:
    """An upload that was cut off before its last byte surely did not arrive; afterwards nobody knows."""
    telegram.fail("sendDocument", fault, code=503)
    async with opened(telegram) as messenger:
        with pytest.raises(error):
            await messenger.send_file(TO, file_of(tmp_path, b"x" * 4_000_000), "", Marks())


async def test_a_file_that_is_gone_is_not_tried_again(telegram: FakeTelegram, tmp_path: Path) -> None:
    """Nothing is marked and nothing leaves."""
    mark = Marks()
    async with opened(telegram) as messenger:
        with pytest.raises(NotDelivered) as told:
            await messenger.send_file(TO, OutboundFile(tmp_path / "gone", "gone.md"), "", mark)

    assert (told.value.retry_after_s, mark.count, telegram.calls) == (None, 0, [])


class Log:
    """Keeps what became of a delivery."""

    def __init__(self) -> None:
        self.attempts = 0
        self.fates: list[Fate] = []

    async def begin_attempt(self, delivery_id: int) -> bool:
        self.attempts += 1
        return True

    async def finish(self, delivery_id: int, outcome: DeliveryOutcome) -> None:
        self.fates.append(outcome.fate)

    async def postpone(self, delivery_id: int, reason: str, *, draft_gone: bool = False) -> None:
        """Take the attempt back."""


@pytest.mark.parametrize(("name", "follows"), [("answer.md", True), ("export.zip", False)])
async def test_a_file_that_is_refused_is_said_to_be(
    telegram: FakeTelegram,
    tmp_path: Path,
    name: str,
    follows: bool,  # noqa: FBT001 - a row of a table
) -> None:
    """A long answer follows as messages, of another file one sentence says that it did not come.

    Unsaid, an answer ended at "the whole answer is in the file", and an export said nothing.
    """
    whole = "# Porto\n\n" + "A river runs through the town. " * 300 + "\n\nThe end."
    file, log = file_of(tmp_path, whole.encode(), name), Log()
    telegram.fail("sendDocument", Fault.REFUSED)
    async with opened(telegram) as messenger:
        ending = await deliver(
            log, messenger, Delivery(1, TO, "It is here.", file=file), say_refused=lambda _: "The file did not come."
        )

    texts = telegram.texts(ANNA)
    assert ending is Ending.SETTLED
    assert log.fates == [Fate.SENT]
    assert texts[0] == "It is here.\n\nThe file did not come."
    assert ("The end." in texts[-1]) is follows
    assert (len(texts) > 2) is follows
