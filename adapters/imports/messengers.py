"""Reads what Slack, Discord, Messenger and Instagram export.

Slack: a zip with a folder a channel, and in it a file a day, its fields as in Slack's help ("How to read Slack data
exports") and its reference of message events; text is "mrkdwn", in which people, channels and links stand in angle
brackets.
Discord: a channel as DiscordChatExporter writes it as JSON (fields as in its ``JsonMessageWriter.cs``).
Messenger and Instagram: ``message_1.json``, and what Messenger exports of its encrypted chats.  Meta writes the bytes
of UTF-8 as if each were a character ("Ã©" for "é"), and the newest message first.

Reads conversations with other assistants: ChatGPT's ``conversations.json``, Claude's, and plain JSON lines.

Both keep every version of a message as a tree; what was said is the branch that was kept, from its last message up to
the root.  Words are what was typed or spoken; thoughts, code that was run, pages that were read and what a person wrote
into the settings are not said in the conversation.
"""

import hashlib
import html
import mimetypes
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import PurePath
from typing import Any, Final

import orjson

from adapters.imports.streaming import NEVER, ExportFile, build_objects, open_export, read_moment
from adapters.imports.zips import PEOPLE
from bot.errors import ImportRefused
from bot.ports.transfer import ExportedMessage, LeftOut, Read, Speaks

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


_EACH: Final = frozenset({"item"})
_LISTS: Final = frozenset({"channels.json", "groups.json", "dms.json", "mpims.json"})
_SLACK_SAID: Final = frozenset(
    {None, "", "thread_broadcast", "me_message", "file_share", "bot_message", "reply_broadcast"}
)
"""The ``subtype`` of what somebody wrote; the others tell of the channel."""
_ANGLE: Final = re.compile(r"<([^<>|\n]+)(?:\|([^<>\n]*))?>")


@dataclass(slots=True)
class _Workspace:
    """Names of people by their id, and ids of channels by the folder they have."""

    people: dict[str, str] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)


def read_slack(files: Sequence[ExportFile]) -> Iterator[Read]:
    """Yield the messages of a workspace, channel by channel and day by day.

    Raises :class:`~bot.errors.ImportRefused`.
    """
    workspace = _Workspace()
    lists = [file for file in files if file.name in _LISTS]
    for file in [file for file in files if file.name in PEOPLE]:
        for _, person in build_objects(file, _EACH, frozenset()):
            workspace.people[str(person.get("id"))] = _name_person(person)
    for file in lists:
        for _, channel in build_objects(file, _EACH, frozenset()):
            number = str(channel.get("id"))
            workspace.ids[str(channel.get("name") or number)] = number
    for file in files:
        if file not in lists and file.name not in PEOPLE:
            folder = PurePath(str(file)).parent.name
            for _, message in build_objects(file, _EACH, frozenset()):
                yield _read_slack_message(message, folder, workspace)


def _name_person(person: Json) -> str:
    profile = person.get("profile") or {}
    names = (profile.get("display_name"), profile.get("real_name"), person.get("real_name"), person.get("name"))
    return str(next(filter(None, names), ""))


def _read_slack_message(value: Json, folder: str, workspace: _Workspace) -> Read:
    files = value.get("files") or ()
    text = _read_text(str(value.get("text") or ""), workspace.people).strip()
    if value.get("type") != "message" or value.get("subtype") not in _SLACK_SAID:
        return LeftOut.SERVICE
    if not text:
        return kind_of_file(str(files[0].get("name") or "")) if files else LeftOut.NO_TEXT
    author = str(value.get("user") or value.get("bot_id") or "")
    known = workspace.people.get(author) or _name_person({"profile": value.get("user_profile")})
    if not author:
        return LeftOut.NO_AUTHOR
    where, ts, thread = workspace.ids.get(folder, folder), value.get("ts"), value.get("thread_ts")
    edited = read_moment((value.get("edited") or {}).get("ts"))
    return ExportedMessage(
        source=f"slack:{where}:{ts}",
        chat=where,
        author=author,
        author_name=known or str(value.get("username") or author),
        speaks=Speaks.PERSON,
        text=text,
        said_at=read_moment(ts),
        reply_to=f"slack:{where}:{thread}" if thread and thread != ts else "",
        edited_at=None if edited == NEVER else edited,
        attachment="file" if files else "",
    )


def _read_text(text: str, people: Mapping[str, str]) -> str:
    """Return the words of a text: people by their names, links with their addresses."""

    def name(found: re.Match[str]) -> str:
        what, label = found[1], found[2]
        if what.startswith("@"):
            return f"@{label or people.get(what[1:], what[1:])}"
        if what.startswith(("#", "!")):
            return (label or what[1:]).join(("#", "")) if what[0] == "#" else f"@{(label or what[1:]).lstrip('@')}"
        address = what.removeprefix("mailto:")
        return f"{label} ({address})" if label and label not in address else address

    return html.unescape(_ANGLE.sub(name, text))


_DISCORD_MESSAGE: Final = frozenset({"messages.item"})
_DISCORD_HEADERS: Final = frozenset({"channel.id"})
_DISCORD_SAID: Final = frozenset({"Default", "Reply", "ThreadStarterMessage", "ChatInputCommand", "ContextMenuCommand"})
"""Kinds of messages that somebody wrote; old versions of the exporter write the numbers of the others."""
_DISCORD_SAID_NUMBERS: Final = frozenset({"0", "19", "20", "21", "23"})
_UNKNOWN: Final = "?"
"""Who wrote what was forwarded: Discord does not tell."""


_DISCORD_KINDS: Final = {"image": LeftOut.PICTURE, "video": LeftOut.VIDEO, "audio": LeftOut.VOICE}


def kind_of_file(name: str) -> LeftOut:
    """Return what a file without words is counted as, where only its name tells it."""
    kind = mimetypes.guess_type(name)[0] or ""
    return _DISCORD_KINDS.get(kind.partition("/")[0], LeftOut.FILE)


def read_discord(path: ExportFile) -> Iterator[Read]:
    """Yield the messages of a channel, oldest first.  Raises :class:`~bot.errors.ImportRefused`."""
    channel: dict[str, str] = {}
    for prefix, value in build_objects(path, _DISCORD_MESSAGE, _DISCORD_HEADERS):
        if prefix in _DISCORD_HEADERS:
            channel[prefix] = str(value or "")
        else:
            yield _read_discord_message(value, channel)


def _read_discord_message(value: Json, channel: dict[str, str]) -> Read:
    if str(value.get("type", "Default")) not in _DISCORD_SAID | _DISCORD_SAID_NUMBERS:
        return LeftOut.SERVICE
    author, forwarded = value.get("author") or {}, value.get("forwardedMessage") or {}
    parts = forwarded or value
    text = str(parts.get("content") or "").strip() or "\n\n".join(filter(None, map(_word, parts.get("embeds") or ())))
    files = [str(each.get("fileName") or "") for each in parts.get("attachments") or ()]
    kind = kind_of_file(files[0]) if files else LeftOut.STICKER if parts.get("stickers") else LeftOut.NO_TEXT
    who = str(author.get("id") or author.get("name") or "")
    if not text:
        return kind
    if not who:
        return LeftOut.NO_AUTHOR
    where, answered = channel.get("channel.id", ""), (value.get("reference") or {}).get("messageId")
    edited = read_moment(value.get("timestampEdited"))
    return ExportedMessage(
        source=f"discord:{where}:{value.get('id')}",
        chat=where,
        author=who,
        author_name=str(author.get("nickname") or author.get("name") or ""),
        speaks=Speaks.PERSON,
        text=text,
        said_at=read_moment(value.get("timestamp")),
        reply_to=f"discord:{where}:{answered}" if answered and not forwarded else "",
        forwarded_from=_UNKNOWN if forwarded else "",
        edited_at=None if edited == NEVER else edited,
        attachment="photo" if kind is LeftOut.PICTURE else "file" if files else "",
    )


def _word(embed: Json) -> str:
    """Return the words of a card that a program posts; that of a link stands beside words of a person's own."""
    said = [embed.get("title"), embed.get("description")]
    said += [f"{each.get('name')}: {each.get('value')}" for each in embed.get("fields") or ()]
    return "\n".join(str(each).strip() for each in said if each)


_META_MESSAGE: Final = frozenset({"messages.item"})
_META_HEADERS: Final = frozenset({"title", "thread_path", "threadName"})
_META_SAID: Final = frozenset({"Generic", "Share", "text", "link", "media", "placeholder"})
_META_KINDS: Final = {
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


def read_messenger(path: ExportFile) -> Iterator[Read]:
    """Yield the messages of a file, oldest first.  Raises :class:`~bot.errors.ImportRefused`."""
    chat: dict[str, str] = {}
    found: list[ExportedMessage] = []
    size = 0
    for prefix, value in build_objects(path, _META_MESSAGE, _META_HEADERS):
        if prefix in _META_HEADERS:
            chat[prefix] = _mend(value)
            continue
        said = _read_meta_message(value)
        if isinstance(said, LeftOut):
            yield said
            continue
        found.append(said)
        size += len(said.text)
        if size > _LARGEST:
            raise ImportRefused(f"{path.name} holds more than {_LARGEST:,} characters: split it")
    where = chat.get("thread_path") or chat.get("title") or chat.get("threadName") or path.stem
    if found and found[0].said_at > found[-1].said_at:
        found.reverse()
    for said in found:
        yield replace(said, source=f"messenger:{where}:{said.source}", chat=where)


def _read_meta_message(value: Json) -> Read:
    """Return a message; its chat is known at the end of the file alone."""
    encrypted = "senderName" in value
    mend = str if encrypted else _mend
    told = value.get("type", "Generic")
    if told not in _META_SAID or value.get("is_unsent") or value.get("isUnsent") or "call_duration" in value:
        return LeftOut.SERVICE
    link = (value.get("share") or {}).get("link") or ""
    text = mend(value.get("text" if encrypted else "content") or "").strip()
    text = "\n".join(filter(None, (text, link if link not in text else "")))
    kind = next((kind for name, kind in _META_KINDS.items() if value.get(name)), None)
    author = mend(value.get("senderName" if encrypted else "sender_name") or "")
    if not text or not author:
        return LeftOut.NO_AUTHOR if text else kind or LeftOut.NO_TEXT
    moment = value.get("timestamp_ms", value.get("timestamp"))
    digest = hashlib.sha256(f"{author}\n{text}".encode()).hexdigest()[:16]
    return ExportedMessage(
        source=f"{moment}:{digest}",
        chat="",
        author=author,
        author_name=author,
        speaks=Speaks.PERSON,
        text=text,
        said_at=read_moment(moment / 1000 if isinstance(moment, int | float) else None),
        attachment="file" if kind is not None else "",
    )


def _mend(text: Json) -> str:
    """Return a text as it was written, where its characters are the bytes of one."""
    told = str(text)
    try:
        return told.encode("latin-1").decode()
    except UnicodeError:
        return told
