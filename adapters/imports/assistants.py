"""Reads conversations with other assistants: ChatGPT's ``conversations.json``, Claude's, and plain JSON lines.

ChatGPT keeps every version of a message as a tree; what was said is the branch that was kept, from ``current_node`` up
to the root.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

import orjson

from adapters.imports.streaming import ExportPath, build_objects, open_export
from bot.errors import ImportRefused
from bot.ports.conversation_import import ExportedMessage, LeftOut, Read, Speaks

Json = Any  # objects of the exports, checked field by field

_CHATGPT: Final = {"user": Speaks.PERSON, "assistant": Speaks.ASSISTANT}
_CLAUDE: Final = {"human": Speaks.PERSON, "assistant": Speaks.ASSISTANT}
_OWNER: Final = "user"
_LONGEST_LINE: Final = 4_000_000


def read_chatgpt(path: ExportPath) -> Iterator[Read]:
    """Yield the messages of each conversation's kept branch, oldest first.  Raises ``ImportRefused``."""
    for _, conversation in build_objects(path, frozenset({"item"}), frozenset()):
        nodes, name = conversation.get("mapping"), conversation.get("current_node")
        branch: list[Json] = []
        seen: set[str] = set()
        while isinstance(nodes, dict) and isinstance(node := nodes.get(name), dict) and name not in seen:
            seen.add(name)
            branch.append(node.get("message"))
            name = node.get("parent")
        chat = str(conversation.get("conversation_id") or conversation.get("id") or "")
        last = _moment(conversation.get("create_time"))
        for message in reversed(branch):
            if message:
                found = _read_chatgpt(message, chat, str(conversation.get("title") or ""), last)
                last = found.said_at if isinstance(found, ExportedMessage) else last
                yield found


def _read_chatgpt(message: Json, chat: str, title: str, last: datetime | None) -> Read:
    role, content = (message.get("author") or {}).get("role"), message.get("content") or {}
    parts = content.get("parts") if isinstance(content, dict) else None
    text = "\n".join(part for part in parts or () if isinstance(part, str) and part.strip())
    said_at = _moment(message.get("create_time")) or last
    hidden = (message.get("metadata") or {}).get("is_visually_hidden_from_conversation")
    if role not in _CHATGPT or hidden or message.get("recipient", "all") != "all":
        return LeftOut.HIDDEN
    if not text or said_at is None:
        return LeftOut.NO_DATE if text else LeftOut.NO_TEXT
    return ExportedMessage(
        f"chatgpt:{message.get('id')}", chat, title, _author(_CHATGPT[role]), "", _CHATGPT[role], text, said_at
    )


def read_claude(path: ExportPath) -> Iterator[Read]:
    """Yield the messages of each conversation, oldest first.  Raises ``ImportRefused``."""
    for _, conversation in build_objects(path, frozenset({"item"}), frozenset()):
        for message in conversation.get("chat_messages") or ():
            speaks, said_at = _CLAUDE.get(message.get("sender")), _moment(message.get("created_at"))
            blocks = message.get("content") or ()
            spoken = [each.get("text") or "" for each in blocks if each.get("type") == "text"]
            text = "\n".join(filter(None, spoken)) or message.get("text") or ""
            if speaks is None or said_at is None or not text.strip():
                yield LeftOut.NO_AUTHOR if speaks is None else LeftOut.NO_DATE if text.strip() else LeftOut.NO_TEXT
            else:
                yield ExportedMessage(
                    f"claude:{message.get('uuid')}",
                    str(conversation.get("uuid") or ""),
                    str(conversation.get("name") or ""),
                    _author(speaks),
                    "",
                    speaks,
                    text,
                    said_at,
                )


def read_jsonl(path: ExportPath) -> Iterator[Read]:
    """Yield the messages of a file with one object a line.

    Each has ``id``, ``chat``, ``author``, ``text``, ``said_at`` (ISO 8601 with an offset), and where need be ``role``
    ("assistant"), ``author_name``, ``chat_title``, ``forwarded_from``.
    Raises ``ImportRefused`` with the number of the line that is none.
    """
    with open_export(path) as file:
        number = 0
        while line := file.readline(_LONGEST_LINE):
            number += 1
            if not line.strip():
                continue
            try:
                found = _read_line(line)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise ImportRefused(f"{path.name}, line {number}, is no message: {_tell(error)}") from error
            yield found


def _read_line(line: bytes) -> Read:
    found = orjson.loads(line)
    said_at = datetime.fromisoformat(found["said_at"])
    if said_at.tzinfo is None:
        raise ValueError("said_at has no offset")
    text = str(found["text"])
    if not text.strip():
        return LeftOut.NO_TEXT
    return ExportedMessage(
        f"jsonl:{found['chat']}:{found['id']}",
        str(found["chat"]),
        str(found.get("chat_title") or found["chat"]),
        str(found["author"]),
        str(found.get("author_name") or found["author"]),
        Speaks.ASSISTANT if found.get("role") == "assistant" else Speaks.PERSON,
        text,
        said_at,
        forwarded_from=str(found.get("forwarded_from") or ""),
    )


def _tell(error: Exception) -> str:
    """Return what is wrong with a line."""
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _author(speaks: Speaks) -> str:
    return _OWNER if speaks is Speaks.PERSON else "assistant"


def _moment(value: Json) -> datetime | None:
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC)
        return datetime.fromisoformat(value).astimezone(UTC) if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError):
        return None
