"""System 10: each file goes to who reads it, and where nothing was typed what was read is the answer."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from bot.files import InboundFile
from bot.memory.scope import Scope
from bot.messages import Accepted, Address, Author, InboundMessage, MessageKind
from bot.turn import Reply, ReplyKind, Session, StopSignal, Turn
from language.registry import get_user_texts
from systems.s10_attachment_reading import AttachmentReading

NOW = datetime(2026, 2, 7, 14, 30, tzinfo=UTC)


@dataclass
class Reader:
    """Reads files of its kinds whose name it knows."""

    kinds: frozenset[str]
    known: tuple[str, ...] = ()
    seen: list[str] = field(default_factory=list)

    async def handle(self, turn: Turn, file: InboundFile) -> Turn:
        """Say that the file was read, or leave it."""
        self.seen.append(file.name)
        if self.known and file.name not in self.known:
            return turn
        receipts = (*turn.receipts, f"read {file.name}")
        return replace(turn, receipts=receipts, handled_files=turn.handled_files | {file.id})


def turn_with(*files: InboundFile, text: str = "") -> Turn:
    """Return the turn of an album."""
    accepted = tuple(
        Accepted(
            number,
            InboundMessage(
                Address("telegram", 1, 7),
                number,
                number,
                Author(7, "Anna"),
                text if number == 1 else "",
                NOW,
                kind=MessageKind.UNSUPPORTED,
                attachment=file.kind,
                file=file,
            ),
        )
        for number, file in enumerate(files, start=1)
    )
    return Turn(accepted, Scope("tu7"), Session(1, NOW), NOW, text, StopSignal())


def document(name: str) -> InboundFile:
    """Return a document."""
    return InboundFile(f"id of {name}", "document", name)


def reading(*readers: Reader) -> AttachmentReading:
    """Return the system with these handlers."""
    return AttachmentReading(readers)


async def test_the_first_handler_that_takes_a_file_reads_it() -> None:
    """A file that one leaves goes to the next of its kind; nobody is shown a file of another kind, or a read one."""
    picky, all_of_them, voices = (
        Reader(frozenset({"document"}), ("a",)),
        Reader(frozenset({"document"})),
        Reader(frozenset({"voice"})),
    )
    turn = await reading(picky, all_of_them, voices)(turn_with(document("a"), document("b")))

    assert (picky.seen, all_of_them.seen, voices.seen) == (["a", "b"], ["b"], [])
    assert turn.reply == Reply("read a\n\nread b", ReplyKind.NOTED)


async def test_a_caption_is_answered_by_others() -> None:
    """With words there is something to answer: no reply yet, and nothing is unknown any more."""
    turn = await reading(Reader(frozenset({"document"})))(turn_with(document("a"), text="What is it?"))

    assert turn.reply is None
    assert (turn.receipts, turn.unknown_attachments) == (("read a",), ())


async def test_what_nobody_reads_is_said() -> None:
    """An attachment alone gets an answer, not silence; one beside words stays unknown, and others say so."""
    alone = await reading()(turn_with(document("a")))
    beside = await reading()(turn_with(document("a"), text="Look!"))
    notice = get_user_texts("en").notice

    assert alone.reply == Reply(notice.unsupported.format(what=notice.attachments["document"]), ReplyKind.NOTICE)
    assert (beside.reply, beside.unknown_attachments) == (None, ("document",))
