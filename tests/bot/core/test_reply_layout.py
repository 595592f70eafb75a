"""The layout of replies: texts and files as the messages a chat will show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from adapters.console.plain import PlainMessenger
from adapters.telegram.splitting import split
from bot.core.delivery import ReplyLayout
from bot.files import OutboundFile, write_outbound
from bot.messages import LOST_DRAFT, Address
from bot.ports.messenger import FileMessenger, Mark
from bot.turn import Reply
from tests.systems.memory_fakes import said

LONG = "# About **Porto**\n\n" + "\n\n".join(f"Paragraph {number} about Porto. " * 12 for number in range(100))
TURN = said("tell me of Porto")


class Chat:
    """Splits as Telegram does; takes files of a hundred megabytes, and sends none here."""

    largest_file = 100_000_000

    def parts(self, text: str) -> tuple[str, ...]:
        return split(text)

    def is_caption(self, part: str) -> bool:
        return len(part) <= 1024

    async def send_file(
        self, to: Address, file: OutboundFile, caption: str, mark: Mark, *, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
        raise AssertionError("a layout sends nothing")

    async def send(self, *_: object, **__: object) -> int:
        raise AssertionError("a layout sends nothing")

    async def draft(self, *_: object, **__: object) -> object:
        raise AssertionError("a layout sends nothing")


class TextChat:
    """A place that shows texts alone."""

    parts, send, draft = Chat.parts, Chat.send, Chat.draft


def count(folder: Path) -> int:
    """How many files were made."""
    return len(list(folder.iterdir()))


def layout(folder: Path, most: int = 4) -> ReplyLayout:
    """English sentences, and files in a folder of the test's."""
    return ReplyLayout(folder, most)


async def test_a_long_answer_is_a_file_with_its_beginning_above(tmp_path: Path) -> None:
    """The file holds every word of it; the message its beginning, cut at a border, and where the rest is."""
    reply, parts = await layout(tmp_path)(TURN, Reply(LONG), Chat())  # type: ignore[arg-type]  # its draft is never asked for

    assert reply.file is not None
    assert reply.file.name.startswith("About Porto 20")
    assert reply.file.path.read_text() == LONG.strip() + "\n"
    [caption] = parts
    assert caption.startswith("# About **Porto**\n\nParagraph 0")
    assert caption.endswith(f"…\n\n*The whole answer is in the file {reply.file.name}.*")
    assert len(caption) <= 1024


async def test_a_draft_becomes_the_beginning(tmp_path: Path) -> None:
    """A message cannot become a file: the beginning is edited into it, and the file follows."""
    turn = replace(TURN, draft_id=12)
    reply, parts = await layout(tmp_path)(turn, Reply(LONG), Chat())  # type: ignore[arg-type]  # as above

    assert reply.file is not None
    assert len(parts) == 2
    assert parts[0].startswith("# About")
    assert parts[1] == ""


@pytest.mark.parametrize("most", [0, 100])
async def test_an_answer_within_the_limit_stays_messages(tmp_path: Path, most: int) -> None:
    """So does every answer where the limit is 0, or the place sends no files."""
    reply, parts = await layout(tmp_path, most)(TURN, Reply(LONG), Chat())  # type: ignore[arg-type]  # as above
    _, told = await layout(tmp_path)(TURN, Reply(LONG), TextChat())  # type: ignore[arg-type]  # as above

    assert (reply.file, parts) == (None, split(LONG))
    assert told == parts
    assert count(tmp_path) == 0


async def test_an_answer_that_is_one_block_of_code_is_cut_nowhere(tmp_path: Path) -> None:
    """Markup is not cut open: then the beginning is the whole first message."""
    code = "```python\n" + "print('Porto')\n" * 2000 + "```"
    reply, parts = await layout(tmp_path)(TURN, Reply(code), Chat())  # type: ignore[arg-type]  # as above

    assert reply.file is not None
    assert parts[0].startswith("```python\n")
    assert parts[0].count("```") == 2
    assert parts[-1] == ""


async def test_an_answer_nobody_may_see_yet_is_kept_without_secrets(tmp_path: Path) -> None:
    """Where nobody knows what the chat shows the file waits to be asked for, for days."""
    secret = "sk-proj-" + "a1B2c3D4" * 6
    turn = replace(TURN, draft_id=LOST_DRAFT)
    lost, _ = await layout(tmp_path)(turn, Reply(f"{secret}\n\n{LONG}"), Chat())  # type: ignore[arg-type]  # as above
    sent, _ = await layout(tmp_path)(TURN, Reply(f"{secret}\n\n{LONG}"), Chat())  # type: ignore[arg-type]  # as above

    assert lost.file is not None
    assert sent.file is not None
    assert secret not in lost.file.path.read_text()
    assert secret in sent.file.path.read_text()


async def test_a_full_disk_costs_the_file_not_the_answer(tmp_path: Path) -> None:
    """Without a place for the file the answer comes as messages."""
    (tmp_path / "outgoing").write_text("no folder")
    reply, parts = await layout(tmp_path / "outgoing")(TURN, Reply(LONG), Chat())  # type: ignore[arg-type]  # as above

    assert (reply.file, parts) == (None, split(LONG))


async def test_a_file_goes_with_its_text_or_after_it(tmp_path: Path) -> None:
    """One message where the text is short enough for a caption, else the text first; without text the file alone."""
    file = write_outbound(tmp_path, "memory.zip", b"PK")
    chat = Chat()
    assert isinstance(chat, FileMessenger)
    short, long, none = [
        (await layout(tmp_path)(TURN, Reply(text, file=file), chat))[1]  # type: ignore[arg-type]  # as above
        for text in ("Here it is.", "word " * 300, "")
    ]

    assert short == ("Here it is.",)
    assert long == (*split("word " * 300), "")
    assert none == ("",)


async def test_a_file_that_cannot_be_sent_is_a_sentence(tmp_path: Path) -> None:
    """Too large, gone, or at a place without files: the reply says so instead."""
    large = write_outbound(tmp_path, "memory.zip", b"")
    with large.path.open("r+b") as content:
        content.truncate(100_000_001)
    gone, at_terminal = OutboundFile(tmp_path / "gone", "gone.md"), Reply("Done.", file=large)
    said_large, said_gone, said_no = [
        (await layout(tmp_path)(TURN, reply, place))[1]  # type: ignore[arg-type]  # as above
        for reply, place in (
            (Reply("Done.", file=large), Chat()),
            (Reply("", file=gone), Chat()),
            (at_terminal, TextChat()),
        )
    ]

    assert said_large == ("Done.\n\nThe file memory.zip has 101 MB; more than 100 MB cannot be sent here.",)
    assert said_gone == ("The file gone.md is not there any more.",)
    assert said_no == ("Done.\n\nThe file memory.zip cannot be sent here.",)


def test_every_messenger_of_ours_sends_files() -> None:
    """A terminal saves them."""
    assert isinstance(PlainMessenger(), FileMessenger)
