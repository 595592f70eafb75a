"""E-mail, and mailboxes of it: the head, what was written, and what is attached, read by the reader of its own kind."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message
from io import BytesIO
from itertools import chain
from typing import Final

from adapters.documents.formats import read_sections
from adapters.documents.recognition import decode, recognise
from adapters.documents.source import Source
from bot.errors import DocumentUnreadable
from bot.ports.document_reading import DocumentSection

_SHOWN: Final = ("From", "To", "Cc", "Date", "Subject")
_DEEPEST: Final = 4
"""Messages that are attached to messages."""
_MOST_ATTACHED: Final = 100
_SEPARATOR: Final = re.compile(rb"(?m)(?:\A|(?<=\n\n)|(?<=\r\n\r\n))From [^\r\n]*\r?\n")
"""Of the messages of a mailbox (RFC 4155)."""
_SUFFIX: Final = re.compile(r"\.[a-z0-9]{1,10}\Z")
_SPACES: Final = re.compile(r"\s+")
_Path = tuple[str, ...]


def read(source: Source) -> Iterator[DocumentSection]:
    """Yield the sections of each message; an attachment's stand under its name.

    Raises :class:`~bot.errors.DocumentUnreadable`.
    """
    letters = [source.file.read()]
    if source.kind == "mbox":
        letters = [letter for letter in _SEPARATOR.split(letters[0]) if letter.strip()]
        source.pages, source.cut = len(letters), len(letters) > source.limits.pages
    attachments = _Attachments(source)
    for number, letter in enumerate(letters[: source.limits.pages], 1):
        mail = message_from_bytes(letter.lstrip())
        subject = _find_header(mail, "Subject")
        source.title = source.title or subject
        path = (subject or str(number),) if source.pages else ()
        for section in _read_message(mail, path, attachments):
            yield DocumentSection(section.headings, section.text, number if source.pages else section.page)


@dataclass(slots=True)
class _Attachments:
    """Counts attachments, and how deep the message lies that they are attached to."""

    source: Source
    count: int = 0
    depth: int = 0


def _read_message(mail: Message, path: _Path, attachments: _Attachments) -> Iterator[DocumentSection]:
    """Yield the head with what was written below it, then each attachment."""
    written, attached = _divide(mail)
    head = [f"{name}: {told}" for name in _SHOWN if (told := _find_header(mail, name))]
    if attached:
        head.append(f"Attachments: {', '.join(_find_name(part) or part.get_content_type() for part in attached)}")
    yield DocumentSection(path, "\n".join(head))
    for part in written:
        yield from _read_written(part, path, attachments.source)
    for part in attached:
        attachments.count += 1
        if attachments.count > _MOST_ATTACHED or attachments.depth >= _DEEPEST:
            attachments.source.cut = True
            return
        yield from _read_attached(part, path, attachments)


def _divide(part: Message) -> tuple[list[Message], list[Message]]:
    """Return the parts that are the text of a message, and those that are attached to it."""
    inner = part.get_payload()
    if isinstance(inner, list) and part.get_content_maintype() == "multipart":
        divided = [_divide(each) for each in inner if isinstance(each, Message)]
        written = [texts for texts, _ in divided if texts]
        if part.get_content_type() == "multipart/alternative" and written:
            written = [next(filter(_is_plain, written), written[-1])]
        return list(chain.from_iterable(written)), [each for _, attached in divided for each in attached]
    text = part.get_content_type() in {"text/plain", "text/html"} and part.get_content_disposition() != "attachment"
    return ([part], []) if text and not part.get_filename() else ([], [part])


def _is_plain(parts: list[Message]) -> bool:
    return any(part.get_content_type() == "text/plain" and _decode(_get_content(part), part).strip() for part in parts)


def _read_written(part: Message, path: _Path, source: Source) -> Iterator[DocumentSection]:
    text = _decode(_get_content(part), part)
    if part.get_content_type() == "text/html":
        yield from _read_file(f"\ufeff{text}".encode(), ".html", path, source)
    else:
        yield DocumentSection(path, text.replace("\r\n", "\n").strip("\n"))


def _read_attached(part: Message, path: _Path, attachments: _Attachments) -> Iterator[DocumentSection]:
    inner = part.get_payload()
    if part.get_content_type() == "message/rfc822" and isinstance(inner, list) and isinstance(inner[0], Message):
        attachments.depth += 1
        yield from _read_message(inner[0], (*path, _find_header(inner[0], "Subject") or "…"), attachments)
        attachments.depth -= 1
        return
    name = _find_name(part)
    suffix = _SUFFIX.search(name.lower())
    yield from _read_file(_get_content(part), suffix[0] if suffix else "", (*path, name or "…"), attachments.source)


def _read_file(content: bytes, suffix: str, path: _Path, source: Source) -> Iterator[DocumentSection]:
    """Yield the sections of a file in a message, none if it cannot be read: the message can."""
    file = Source(BytesIO(content), "", suffix, source.limits)
    try:
        file.kind = recognise(file.file, suffix)
        for section in read_sections(file):
            yield DocumentSection((*path, *section.headings), section.text, section.page)
    except DocumentUnreadable:
        return
    finally:
        source.cut = source.cut or file.cut


def _get_content(part: Message) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _decode(content: bytes, part: Message) -> str:
    """Return text in the charset that its part names, or else by its statistics."""
    try:
        return content.decode(part.get_content_charset() or "utf-8")
    except (LookupError, ValueError):
        return decode(content)


def _find_name(part: Message) -> str:
    return _decode_words(part.get_filename() or "")


def _find_header(mail: Message, name: str) -> str:
    raw = next((str(value) for key, value in mail.raw_items() if key.lower() == name.lower()), "")
    return _decode_words(_decode(raw.encode("utf-8", "surrogateescape"), mail))


def _decode_words(text: str) -> str:
    """Return text with its encoded words decoded (RFC 2047), on one line."""
    with suppress(LookupError, ValueError):  # it names no encoding, or lies about it: as it stands
        text = str(make_header(decode_header(text)))
    return _SPACES.sub(" ", text).strip()
