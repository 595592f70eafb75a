"""Reads a workspace as Slack exports it: a zip with a folder a channel, and in it a file a day.

Fields as in Slack's help ("How to read Slack data exports") and its reference of message events; text is "mrkdwn",
in which people, channels and links stand in angle brackets.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Final

from adapters.imports.dates import NEVER, read_moment
from adapters.imports.discord import kind_of_file
from adapters.imports.streaming import ExportFile, build_objects
from adapters.imports.zips import PEOPLE
from bot.ports.conversation_import import ExportedMessage, LeftOut, Read, Speaks

Json = Any  # one message of the export, checked field by field

_EACH: Final = frozenset({"item"})
_LISTS: Final = frozenset({"channels.json", "groups.json", "dms.json", "mpims.json"})
_SAID: Final = frozenset({None, "", "thread_broadcast", "me_message", "file_share", "bot_message", "reply_broadcast"})
"""The ``subtype`` of what somebody wrote; the others tell of the channel."""
_ANGLE: Final = re.compile(r"<([^<>|\n]+)(?:\|([^<>\n]*))?>")


@dataclass(slots=True)
class _Workspace:
    """Names of people by their id, and ids and titles of channels by the folder they have."""

    people: dict[str, str] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)


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
            members = [workspace.people.get(each, each) for each in channel.get("members") or ()]
            folder = str(channel.get("name") or number)
            workspace.ids[folder] = number
            workspace.titles[folder] = str(channel.get("name") or ", ".join(members))
    for file in files:
        if file not in lists and file.name not in PEOPLE:
            folder = PurePath(str(file)).parent.name
            for _, message in build_objects(file, _EACH, frozenset()):
                yield _read_message(message, folder, workspace)


def _name_person(person: Json) -> str:
    profile = person.get("profile") or {}
    names = (profile.get("display_name"), profile.get("real_name"), person.get("real_name"), person.get("name"))
    return str(next(filter(None, names), ""))


def _read_message(value: Json, folder: str, workspace: _Workspace) -> Read:
    files = value.get("files") or ()
    text = _read_text(str(value.get("text") or ""), workspace.people).strip()
    if value.get("type") != "message" or value.get("subtype") not in _SAID:
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
        chat_title=workspace.titles.get(folder, folder),
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
