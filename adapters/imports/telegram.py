"""Reads what Telegram Desktop exports as JSON: one chat, or the whole account.

Fields as in https://core.telegram.org/import-export and in exports of Telegram Desktop 4 and 5; what is not a message
of a person (service messages, polls, stickers without a caption) is left out, a caption is kept with what it is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from adapters.imports.streaming import ExportPath, build_objects
from bot.ports.conversation_import import ExportedMessage, LeftOut, Read, Speaks

Json = Any  # one message of the export, checked field by field

_CHATS: Final = ("", "chats.list.item.", "left_chats.list.item.")
_BEGINS: Final = frozenset(chat.rstrip(".") for chat in _CHATS)
_HEADERS: Final = frozenset(f"{chat}{name}" for chat in _CHATS for name in ("id", "name", "type"))
_MESSAGES: Final = frozenset(f"{chat}messages.item" for chat in _CHATS)
_MEDIA: Final = ("media_type", "photo", "file", "location_information", "contact_information", "poll")

_UNKNOWN: Final = "?"
"""Who wrote a forward whose writer has deleted the account or hides it: the export has ``null`` there."""


def read_telegram(path: ExportPath) -> Iterator[Read]:
    """Yield the messages of a ``result.json`` in its order.  Raises :class:`~bot.errors.ImportRefused`."""
    chat: dict[str, str] = {}
    topics: dict[int, str] = {}
    for prefix, value in build_objects(path, _MESSAGES, _HEADERS | _BEGINS):
        if prefix in _BEGINS:
            chat, topics = {}, {}
            continue
        if prefix in _HEADERS:
            chat[prefix.rpartition(".")[2]] = str(value)
            continue
        if value.get("action") == "topic_created":
            topics[value.get("id", 0)] = _text(value.get("title"))
        yield _read_message(value, chat, topics)


def _read_message(value: Json, chat: dict[str, str], topics: dict[int, str]) -> Read:
    said_at, text = _moment(value, "date"), _text(value.get("text"))
    author = value.get("from_id")
    if value.get("type") != "message":
        return LeftOut.SERVICE
    if not text.strip():
        return LeftOut.NO_TEXT
    if said_at is None or not isinstance(author, str):
        return LeftOut.NO_DATE if said_at is None else LeftOut.NO_AUTHOR
    where, answered = chat.get("id", ""), value.get("reply_to_message_id")
    media = next((name for name in _MEDIA if value.get(name)), "")
    return ExportedMessage(
        source=f"telegram:{where}:{value.get('id')}",
        chat=where,
        chat_title=chat.get("name", ""),
        author=author,
        author_name=str(value.get("from") or ""),
        speaks=Speaks.PERSON,
        text=text,
        said_at=said_at,
        reply_to=f"telegram:{where}:{answered}" if answered else "",
        forwarded_from=str(value.get("forwarded_from") or "") or (_UNKNOWN if "forwarded_from" in value else ""),
        edited_at=_moment(value, "edited"),
        topic=topics.get(answered, "") if isinstance(answered, int) else "",
        attachment=str(value["media_type"]) if media == "media_type" else media,
    )


def _text(value: Json) -> str:
    """Return a text that is a string, or a list of strings and of objects with one."""
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else []
    return "".join(part if isinstance(part, str) else _text(part.get("text")) for part in parts if part)


def _moment(value: Json, name: str) -> datetime | None:
    """Return the moment of the exact field, or the local one taken as UTC where an old export has no other."""
    try:
        if (seconds := value.get(f"{name}_unixtime")) is not None:
            return datetime.fromtimestamp(int(seconds), UTC)
        told = value.get(name)
        return datetime.fromisoformat(told).replace(tzinfo=UTC) if isinstance(told, str) else None
    except (ValueError, OverflowError, OSError):
        return None
