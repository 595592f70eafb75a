"""Reads ``message_1.json`` of Messenger and Instagram, and what Messenger exports of its encrypted chats.

Meta writes the bytes of UTF-8 as if each were a character ("Ã©" for "é"), and the newest message first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC
from typing import Any, Final

from adapters.imports.dates import read_moment
from adapters.imports.streaming import ExportFile, build_objects
from bot.errors import ImportRefused
from bot.ports.conversation_import import ExportedMessage, LeftOut, Read, Speaks

Json = Any  # one message of the export, checked field by field

_MESSAGE: Final = frozenset({"messages.item"})
_HEADERS: Final = frozenset({"title", "thread_path", "threadName"})
_SAID: Final = frozenset({"Generic", "Share", "text", "link", "media", "placeholder"})
_KINDS: Final = {
    "photos": LeftOut.PICTURE,
    "videos": LeftOut.VIDEO,
    "gifs": LeftOut.VIDEO,
    "audio_files": LeftOut.VOICE,
    "sticker": LeftOut.STICKER,
    "files": LeftOut.FILE,
    "media": LeftOut.FILE,
}
_LARGEST: Final = 50_000_000
"""Characters of one file, which is held to be turned round; Meta begins a new one after 10,000 messages."""


@dataclass(frozen=True, slots=True)
class _Said:
    author: str
    text: str
    milliseconds: Json
    media: bool


def read_messenger(path: ExportFile) -> Iterator[Read]:
    """Yield the messages of a file, oldest first.  Raises :class:`~bot.errors.ImportRefused`."""
    chat: dict[str, str] = {}
    found: list[_Said] = []
    size = 0
    for prefix, value in build_objects(path, _MESSAGE, _HEADERS):
        if prefix in _HEADERS:
            chat[prefix] = _mend(value)
            continue
        said = _read_message(value)
        if isinstance(said, LeftOut):
            yield said
            continue
        found.append(said)
        size += len(said.text)
        if size > _LARGEST:
            raise ImportRefused(f"{path.name} holds more than {_LARGEST:,} characters: split it")
    title = chat.get("title") or chat.get("threadName") or path.stem
    where = chat.get("thread_path") or title
    if found and read_moment(_seconds(found[0])) > read_moment(_seconds(found[-1])):
        found.reverse()
    for said in found:
        digest = hashlib.sha256(f"{said.author}\n{said.text}".encode()).hexdigest()[:16]
        yield ExportedMessage(
            source=f"messenger:{where}:{said.milliseconds}:{digest}",
            chat=where,
            chat_title=title,
            author=said.author,
            author_name=said.author,
            speaks=Speaks.PERSON,
            text=said.text,
            said_at=read_moment(_seconds(said), UTC),
            attachment="file" if said.media else "",
        )


def _read_message(value: Json) -> _Said | LeftOut:
    encrypted = "senderName" in value
    mend = str if encrypted else _mend
    told = value.get("type", "Generic")
    if told not in _SAID or value.get("is_unsent") or value.get("isUnsent") or "call_duration" in value:
        return LeftOut.SERVICE
    link = (value.get("share") or {}).get("link") or ""
    text = mend(value.get("text" if encrypted else "content") or "").strip()
    text = "\n".join(filter(None, (text, link if link not in text else "")))
    kind = next((kind for name, kind in _KINDS.items() if value.get(name)), None)
    author = mend(value.get("senderName" if encrypted else "sender_name") or "")
    if not text:
        return kind or LeftOut.NO_TEXT
    return (
        _Said(author, text, value.get("timestamp_ms", value.get("timestamp")), kind is not None)
        if author
        else (LeftOut.NO_AUTHOR)
    )


def _seconds(said: _Said) -> Json:
    return said.milliseconds / 1000 if isinstance(said.milliseconds, int | float) else None


def _mend(text: Json) -> str:
    """Return a text as it was written, where its characters are the bytes of one."""
    told = str(text)
    try:
        return told.encode("latin-1").decode()
    except UnicodeError:
        return told
