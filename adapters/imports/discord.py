"""Reads a channel as DiscordChatExporter writes it as JSON (fields as in its ``JsonMessageWriter.cs``)."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator
from typing import Any, Final

from adapters.imports.dates import NEVER, read_moment
from adapters.imports.streaming import ExportFile, build_objects
from bot.ports.conversation_import import ExportedMessage, LeftOut, Read, Speaks

Json = Any  # one message of the export, checked field by field

_MESSAGE: Final = frozenset({"messages.item"})
_HEADERS: Final = frozenset({"guild.name", "channel.id", "channel.name"})
_SAID: Final = frozenset({"Default", "Reply", "ThreadStarterMessage", "ChatInputCommand", "ContextMenuCommand"})
"""Kinds of messages that somebody wrote; old versions of the exporter write the numbers of the others."""
_SAID_NUMBERS: Final = frozenset({"0", "19", "20", "21", "23"})
_UNKNOWN: Final = "?"
"""Who wrote what was forwarded: Discord does not tell."""


_KINDS: Final = {"image": LeftOut.PICTURE, "video": LeftOut.VIDEO, "audio": LeftOut.VOICE}


def kind_of_file(name: str) -> LeftOut:
    """Return what a file without words is counted as, where only its name tells it."""
    kind = mimetypes.guess_type(name)[0] or ""
    return _KINDS.get(kind.partition("/")[0], LeftOut.FILE)


def read_discord(path: ExportFile) -> Iterator[Read]:
    """Yield the messages of a channel, oldest first.  Raises :class:`~bot.errors.ImportRefused`."""
    channel: dict[str, str] = {}
    for prefix, value in build_objects(path, _MESSAGE, _HEADERS):
        if prefix in _HEADERS:
            channel[prefix] = str(value or "")
        else:
            yield _read_message(value, channel)


def _read_message(value: Json, channel: dict[str, str]) -> Read:
    if str(value.get("type", "Default")) not in _SAID | _SAID_NUMBERS:
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
        chat_title=" / ".join(filter(None, (channel.get("guild.name"), channel.get("channel.name")))),
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
