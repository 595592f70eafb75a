"""Files of messages: which one a message carries, and how its bytes come over."""

from __future__ import annotations

import logging
import traceback
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiogram.client.telegram import TelegramAPIServer

from adapters.telegram.fields import read_attachment, read_file, read_in_words
from adapters.telegram.messenger import TelegramFiles
from adapters.telegram.session import open_bot
from bot.errors import FileUnavailable
from bot.files import InboundFile
from harness.fakes.telegram import FakeTelegram, Fault
from harness.fakes.telegram.server import TOKEN
from tests.cases import each_row

LIMIT = 50_000_000
CONTENT = bytes(range(256)) * 2_000


async def at_once(_seconds: float) -> None:
    """Pause not at all."""


@pytest.fixture
async def files(telegram: FakeTelegram) -> AsyncIterator[TelegramFiles]:
    """A source of the fake's files."""
    bot = open_bot(TOKEN, TelegramAPIServer.from_base(telegram.url))
    yield TelegramFiles(bot, sleep=at_once)
    await bot.session.close()


def sent(telegram: FakeTelegram, content: bytes = CONTENT, **more: Any) -> InboundFile:  # Any: as attach takes it
    """Return a document as a message names it."""
    message = telegram.files.attach("document", content, name="a.pdf", media_type="application/pdf", **more)
    file = read_file(message, read_attachment(message))
    assert file is not None
    return file


async def test_a_file_comes_over_whole(telegram: FakeTelegram, files: TelegramFiles, tmp_path: Path) -> None:
    """The bytes are those that were sent, and their number is told."""
    size = await files.fetch(sent(telegram), tmp_path / "a", limit=LIMIT)

    assert size == len(CONTENT)
    assert (tmp_path / "a").read_bytes() == CONTENT


@pytest.mark.parametrize("fault", [Fault.DROPPED, Fault.FAILED])
async def test_what_may_pass_is_tried_again(
    telegram: FakeTelegram, files: TelegramFiles, tmp_path: Path, fault: Fault
) -> None:
    """A download that breaks off, or a server in trouble, is asked again, and nothing of the first is left over."""
    telegram.fail("file", fault, times=2)
    size = await files.fetch(sent(telegram), tmp_path / "a", limit=LIMIT)

    assert size == len(CONTENT)
    assert (tmp_path / "a").read_bytes() == CONTENT


async def test_a_download_that_never_ends_well_is_given_up(
    telegram: FakeTelegram, files: TelegramFiles, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """After three attempts it is out of reach for now; nothing lies on the disk, and the token stands nowhere.

    Mutation checked: with aiohttp's own text in the error the address, and the token in it, is there.
    """
    caplog.set_level(logging.DEBUG)
    telegram.fail("file", Fault.DROPPED, times=3)
    with pytest.raises(FileUnavailable) as caught:
        await files.fetch(sent(telegram), tmp_path / "a", limit=LIMIT)
    telegram.fail("getFile", Fault.DROPPED, times=3)
    with pytest.raises(FileUnavailable) as unasked:
        await files.fetch(sent(telegram), tmp_path / "a", limit=LIMIT)

    shown = "".join(map("".join, map(traceback.format_exception, (caught.value, unasked.value)))) + caplog.text
    assert (caught.value.why, caught.value.temporary) == ("unreachable", True)
    assert (unasked.value.why, unasked.value.temporary) == ("unreachable", True)
    assert not (tmp_path / "a").exists()
    assert TOKEN not in shown


@pytest.mark.parametrize(
    ("claimed", "limit", "asked"),
    [(None, 1_000, False), (20_000_001, LIMIT, False), (None, LIMIT, True)],
    ids=["ours", "Telegram's", "fits"],
)
async def test_no_more_is_taken_than_may_be(
    telegram: FakeTelegram,
    files: TelegramFiles,
    tmp_path: Path,
    claimed: int | None,
    limit: int,
    asked: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """A file that says it is too large is not even asked for."""
    file = sent(telegram, size=claimed)
    if asked:
        await files.fetch(file, tmp_path / "a", limit=limit)
    else:
        with pytest.raises(FileUnavailable, match="MB") as caught:
            await files.fetch(file, tmp_path / "a", limit=limit)
        assert caught.value.why == "too_large"

    assert bool(telegram.calls) is asked


async def test_a_file_that_lies_about_its_size_is_cut_off(
    telegram: FakeTelegram, files: TelegramFiles, tmp_path: Path
) -> None:
    """What comes is counted, whatever the message said; nothing of it stays.

    Mutation checked: without the count the file is written whole.
    """
    with pytest.raises(FileUnavailable) as caught:
        await files.fetch(sent(telegram, size=10), tmp_path / "a", limit=1_000)

    assert caught.value.why == "too_large"
    assert not (tmp_path / "a").exists()


async def test_a_file_that_is_gone_is_not_asked_for_again(
    telegram: FakeTelegram, files: TelegramFiles, tmp_path: Path
) -> None:
    """Telegram does not know it any more: one question, and the reason."""
    file = sent(telegram)
    telegram.files.lose(file.id)
    with pytest.raises(FileUnavailable) as caught:
        await files.fetch(file, tmp_path / "a", limit=LIMIT)

    assert (caught.value.why, caught.value.temporary) == ("gone", False)
    assert [method for method, _ in telegram.calls] == ["getFile"]


@each_row(
    ("message", "expected"),
    [
        (
            {"document": {"file_id": "d", "file_name": "r\u202e.pdf", "mime_type": "Application/PDF", "file_size": 5}},
            InboundFile("d", "document", "r.pdf", "application/pdf", 5),
        ),
        (
            {"voice": {"file_id": "v", "duration": 7, "mime_type": "audio/ogg"}},
            InboundFile("v", "voice", media_type="audio/ogg", seconds=7),
        ),
        (
            {
                "photo": [
                    {"file_id": "s", "width": 90, "height": 90, "file_size": 1000},
                    {"file_id": "l", "width": 900, "height": 900, "file_size": 100_000},
                    {"file_id": "x", "width": 9000, "height": 9000, "file_size": 30_000_000},
                ]
            },
            InboundFile("l", "photo", size=100_000),
        ),
        ({"animation": {"file_id": "g"}, "document": {"file_id": "g", "mime_type": "video/mp4"}}, None),
        ({"document": {"file_name": "no id"}}, None),
        ({"document": "not an object"}, None),
        ({"photo": "none"}, None),
        ({"sticker": {"file_id": "s"}}, None),
    ],
)
def test_which_file_a_message_carries(message: dict[str, Any], expected: InboundFile | None) -> None:  # Any: JSON
    """A photo's largest size that may be fetched; no file of what nobody reads, and none that cannot be named."""
    assert read_file(message, read_attachment(message)) == expected


@each_row(
    ("message", "words"),
    [
        ({"sticker": {"file_id": "s", "emoji": "\U0001f600"}}, "sticker: \U0001f600"),
        (
            {"poll": {"question": "Where\u202e to?", "options": [{"text": "Porto"}, {"text": "Faro"}, 7]}},
            "poll: Where to? (Porto, Faro)",
        ),
        ({"contact": {"first_name": "Vera", "last_name": "Braga", "phone_number": "+351"}}, "contact: Vera Braga"),
        ({"location": {"latitude": 41.14961, "longitude": -8.61099}}, "location: 41.14961, -8.61099"),
        (
            {
                "venue": {"title": "Caf\u00e9", "address": "Rua 1", "location": {"latitude": 1, "longitude": 2.5}},
                "location": {},
            },
            "venue: Caf\u00e9; Rua 1; 1.00000, 2.50000",
        ),
        ({"location": {"latitude": "north", "longitude": True}}, ""),
        ({"poll": "none"}, ""),
        ({"document": {"file_id": "d"}}, ""),
    ],
)
def test_what_an_attachment_says_in_words(message: dict[str, Any], words: str) -> None:  # Any: JSON
    """Emoji, question and options, name, place: cleaned, on one line; nothing of what cannot be read."""
    assert read_in_words(message, read_attachment(message)) == words
