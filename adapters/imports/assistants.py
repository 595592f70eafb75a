"""Reads conversations with other assistants: ChatGPT's ``conversations.json``, Claude's, and plain JSON lines.

Both keep every version of a message as a tree; what was said is the branch that was kept, from its last message up to
the root.  Words are what was typed or spoken; thoughts, code that was run, pages that were read and what a person wrote
into the settings are not said in the conversation.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

import orjson

from adapters.imports.streaming import NEVER, ExportFile, build_objects, open_export, read_moment
from bot.errors import ImportRefused
from bot.ports.conversation_import import ExportedMessage, LeftOut, Read, Speaks

Json = Any  # objects of the exports, checked field by field

_CHATGPT: Final = {"user": Speaks.PERSON, "assistant": Speaks.ASSISTANT}
_CLAUDE: Final = {"human": Speaks.PERSON, "assistant": Speaks.ASSISTANT}
_CONVERSATIONS: Final = frozenset({"item", "conversations.item"})
_WORDED: Final = frozenset({"text", "multimodal_text"})
"""The ``content_type`` of what is said; others are code, its output, thoughts, quotes of pages and settings."""
_SPOKEN: Final = frozenset({"text", "audio_transcription"})
_POINTERS: Final = {"image": LeftOut.PICTURE, "audio": LeftOut.VOICE, "video": LeftOut.VIDEO}
"""What a part that points to a file is, by a word in its ``content_type``."""
_CITATION: Final = re.compile("\ue200[^\ue200\ue201]*\ue201")
"""A reference to a page, in characters for private use."""
_AUTHORS: Final = {Speaks.PERSON: "user", Speaks.ASSISTANT: "assistant"}
_LONGEST_LINE: Final = 4_000_000


def read_chatgpt(path: ExportFile) -> Iterator[Read]:
    """Yield the messages of each conversation's kept branch, oldest first.  Raises ``ImportRefused``."""
    for _, conversation in build_objects(path, _CONVERSATIONS, frozenset()):
        nodes = conversation.get("mapping")
        nodes = {name: node for name, node in nodes.items() if isinstance(node, dict)} if nodes else {}
        said = {name: node.get("message") or {} for name, node in nodes.items()}
        parents = {name: node.get("parent") for name, node in nodes.items()}
        dates = {name: read_moment(message.get("create_time")) for name, message in said.items()}
        branch = _follow(parents, dates, conversation.get("current_node"))
        chat = str(conversation.get("conversation_id") or conversation.get("id") or "")
        last = read_moment(conversation.get("create_time"))
        for name in branch:
            if said[name]:
                last = dates[name] if dates[name] != NEVER else last
                yield _read_chatgpt(said[name], chat, last)
        yield from _count_versions(_name_role(said[name]) in _CHATGPT for name in said.keys() - set(branch))


def _follow(parents: Mapping[str, str | None], dates: Mapping[str, datetime], leaf: str | None) -> list[str]:
    """Return the messages from the first to the leaf; without one, to the last that nothing follows."""
    if leaf not in parents:
        followed = set(parents.values())
        leaf = max((name for name in parents if name not in followed), key=lambda name: dates[name], default=None)
    branch: dict[str, None] = {}
    while leaf is not None and leaf in parents and leaf not in branch:
        branch[leaf] = None
        leaf = parents[leaf]
    return list(reversed(branch))


def _count_versions(spoken: Iterable[bool]) -> Iterator[LeftOut]:
    yield from [LeftOut.VERSION] * sum(spoken)


def _name_role(message: Json) -> str:
    return str((message.get("author") or {}).get("role"))


def _read_chatgpt(message: Json, chat: str, said_at: datetime) -> Read:
    role, content = _name_role(message), message.get("content") or {}
    more = message.get("metadata") or {}
    hidden = more.get("is_visually_hidden_from_conversation") or message.get("weight") == 0
    shown = message.get("recipient", "all") == "all" and message.get("channel") != "analysis"
    if role not in _CHATGPT or hidden or not shown or content.get("content_type", "text") not in _WORDED:
        return LeftOut.HIDDEN
    parts = content.get("parts") or ()
    text = "\n".join(filter(str.strip, map(_read_part, parts)))
    kinds = [each.get("content_type") or "" for each in parts if isinstance(each, dict)]
    kind = next((left for name, left in _POINTERS.items() if any(name in each for each in kinds)), LeftOut.NO_TEXT)
    if not text:
        return LeftOut.FILE if more.get("attachments") and kind is LeftOut.NO_TEXT else kind
    return ExportedMessage(
        f"chatgpt:{message.get('id')}",
        chat,
        _AUTHORS[_CHATGPT[role]],
        "",
        _CHATGPT[role],
        text,
        said_at,
        attachment="photo" if kind is LeftOut.PICTURE else "file" if more.get("attachments") else "",
    )


def _read_part(part: Json) -> str:
    """Return the words of a part of a message: typed, or spoken and written down by ChatGPT."""
    if isinstance(part, dict):
        part = part.get("text") if part.get("content_type") in _SPOKEN else ""
    return _CITATION.sub("", part) if isinstance(part, str) else ""


def read_claude(path: ExportFile) -> Iterator[Read]:
    """Yield the messages of each conversation's kept branch, oldest first.  Raises ``ImportRefused``."""
    for _, conversation in build_objects(path, _CONVERSATIONS, frozenset()):
        messages = conversation.get("chat_messages") or ()
        said = {str(message.get("uuid") or number): message for number, message in enumerate(messages)}
        if all(message.get("parent_message_uuid") for message in messages):
            parents = {name: message["parent_message_uuid"] for name, message in said.items()}
            dates = {name: read_moment(message.get("created_at")) for name, message in said.items()}
            branch = _follow(parents, dates, conversation.get("current_leaf_message_uuid"))
        else:
            branch = list(said)
        for name in branch:
            yield _read_claude(said[name], str(conversation.get("uuid") or ""))
        yield from _count_versions(said[name].get("sender") in _CLAUDE for name in said.keys() - set(branch))


def _read_claude(message: Json, chat: str) -> Read:
    speaks, blocks = _CLAUDE.get(message.get("sender")), message.get("content") or ()
    spoken = [each.get("text") or "" for each in blocks if each.get("type") in {"text", "voice_note"}]
    text = "\n".join(filter(str.strip, spoken)) if blocks else message.get("text") or ""
    files = message.get("attachments") or message.get("files")
    if speaks is None or not text.strip():
        blank = LeftOut.FILE if files else LeftOut.HIDDEN if blocks else LeftOut.NO_TEXT
        return LeftOut.NO_AUTHOR if speaks is None else blank
    return ExportedMessage(
        f"claude:{message.get('uuid')}",
        chat,
        _AUTHORS[speaks],
        "",
        speaks,
        text,
        read_moment(message.get("created_at")),
        attachment="file" if files else "",
    )


def read_jsonl(path: ExportFile) -> Iterator[Read]:
    """Yield the messages of a file with one object a line.

    Each has ``id``, ``chat``, ``author``, ``text``, ``said_at`` (ISO 8601 with an offset), and where need be ``role``
    ("assistant"), ``author_name``, ``forwarded_from``.
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
                wrong = f"{error} is missing" if isinstance(error, KeyError) else str(error)
                raise ImportRefused(f"{path.name}, line {number}, is no message: {wrong}") from error
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
        str(found["author"]),
        str(found.get("author_name") or found["author"]),
        Speaks.ASSISTANT if found.get("role") == "assistant" else Speaks.PERSON,
        text,
        said_at,
        forwarded_from=str(found.get("forwarded_from") or ""),
    )
