"""Files on the way out: whole, once, within the limits, and with an exact report of the outcome."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import DeliveryUnknown, NotDelivered
from bot.files import OutboundFile, write_outbound
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
