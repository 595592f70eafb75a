"""The chats: who is in them, what they show, and the files that people send.

getFile gives a path that is valid for an hour, the path gives the bytes.
"""

from __future__ import annotations

import hashlib
import itertools
import time
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import web

from harness.fakes.telegram.floods import Fault, Faults, Refusal, bad_request, wrong_request

_Json = dict[str, Any]  # Any: JSON


@dataclass(slots=True)
class Shown:
    """A message of the bot as its chat shows it now; ``versions`` are the texts it had before."""

    message_id: int
    chat_id: int
    text: str
    topic: int | None = None
    entities: list[_Json] = field(default_factory=list)
    keyboard: _Json | None = None
    versions: list[str] = field(default_factory=list)
    reply_to: int | None = None
    file: SentFile | None = None
    """A document; then ``text`` is its caption."""


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file as it arrived."""

    name: str
    content: bytes


class Chats:
    """Every chat of the bot; ids below zero are groups.

    ``admins`` are pairs of a group and one who runs it.  ``unmodified`` counts the edits that changed nothing.
    """

    def __init__(self, me: _Json) -> None:
        self.me = me
        self.blocked: set[int] = set()
        self.left: set[int] = set()
        self.migrated: dict[int, int] = {}
        self.basic: set[int] = set()
        self.admins: set[tuple[int, int]] = set()
        self.closed_topics: set[tuple[int, int]] = set()
        self.typing: dict[int, int] = {}
        self.reactions: dict[tuple[int, int], str] = {}
        self.without_reactions: set[int] = set()
        self.previews: dict[int, str] = {}
        self.unmodified = 0
        self._known: set[int] = set()
        self._topics: set[tuple[int, int]] = set()
        self._shown: dict[tuple[int, int], Shown] = {}
        self._said: set[tuple[int, int]] = set()
        self._next_id = 1

    def next_message_id(self) -> int:
        """Return a message id; they grow over all chats, which no client may rely on and none may stumble over."""
        self._next_id += 1
        return self._next_id

    def meet(self, chat_id: int, topic: int | None = None) -> None:
        """Let the bot write to this chat: somebody wrote there, or added it."""
        self._known.add(chat_id)
        self.left.discard(chat_id)
        if topic is not None:
            self._topics.add((chat_id, topic))

    def heard(self, chat_id: int, message_id: int) -> None:
        """Keep that somebody's message stands in a chat, so that it can be replied to."""
        self._said.add((chat_id, message_id))

    def reachable(self, chat_id: int, topic: int | None = None) -> None:
        """Raise what the Bot API answers when the bot may not write there."""
        if (now := self.migrated.get(chat_id)) is not None:
            raise Refusal(400, "Bad Request: group chat was upgraded to a supergroup chat", migrate_to=now)
        if chat_id in self.blocked:
            raise Refusal(403, "Forbidden: bot was blocked by the user")
        if chat_id in self.left:
            kind = "group" if chat_id in self.basic else "supergroup"
            raise Refusal(403, f"Forbidden: bot was kicked from the {kind} chat")
        if chat_id not in self._known:
            raise bad_request("chat not found")
        if topic is not None and (chat_id, topic) not in self._topics:
            raise bad_request("message thread not found")
        if topic is not None and (chat_id, topic) in self.closed_topics:
            raise bad_request("TOPIC_CLOSED")

    def replied(self, chat_id: int, parameters: _Json | None) -> int | None:
        """Return the message that a new one replies to; without it the message goes only if that is allowed."""
        if parameters is None:
            return None
        if "message_id" not in parameters:
            raise wrong_request("message to reply to is not specified")
        message_id = int(parameters["message_id"])
        place = parameters.get("chat_id", chat_id)
        if (place, message_id) in self._said or (place, message_id) in self._shown:
            return message_id
        if parameters.get("allow_sending_without_reply") and place == chat_id:
            return None
        raise bad_request("message to be replied not found")

    def show(self, shown: Shown) -> _Json:
        self._shown[shown.chat_id, shown.message_id] = shown
        return self.as_json(shown)

    def edit(self, chat_id: int, message_id: int, text: str, entities: list[_Json], keyboard: _Json | None) -> _Json:
        """Change a message of the bot; an edit that changes nothing is refused."""
        shown = self._to_edit(chat_id, message_id)
        if shown.file is not None:
            raise bad_request("there is no text in the message to edit")
        if (shown.text, shown.entities, shown.keyboard) == (text, entities, keyboard):
            raise self._not_modified()
        shown.versions.append(shown.text)
        shown.text, shown.entities, shown.keyboard = text, entities, keyboard
        return self.as_json(shown)

    def edit_keyboard(self, chat_id: int, message_id: int, keyboard: _Json | None) -> _Json:
        shown = self._to_edit(chat_id, message_id)
        if shown.keyboard == keyboard:
            raise self._not_modified()
        shown.keyboard = keyboard
        return self.as_json(shown)

    def delete(self, chat_id: int, message_id: int) -> bool:
        """Take a message away, as its reader or the bot may; return whether it was there."""
        said = (chat_id, message_id) in self._said
        self._said.discard((chat_id, message_id))
        return self._shown.pop((chat_id, message_id), None) is not None or said

    def react(self, chat_id: int, message_id: int, emoji: str) -> None:
        """Put the bot's reaction on a message, or take it away."""
        if (chat_id, message_id) not in self._said and (chat_id, message_id) not in self._shown:
            raise bad_request("message to react not found")
        if chat_id in self.without_reactions:
            raise bad_request("REACTION_INVALID")
        self.reactions.pop((chat_id, message_id), None)
        if emoji:
            self.reactions[chat_id, message_id] = emoji

    def of(self, chat_id: int | None = None) -> list[Shown]:
        """Return what a chat (or all) shows of the bot, oldest first."""
        return [shown for shown in self._shown.values() if chat_id in {None, shown.chat_id}]

    def as_json(self, shown: Shown) -> _Json:
        """Return a message of the bot as the Bot API gives it."""
        message: _Json = {
            "message_id": shown.message_id,
            "date": int(time.time()),
            "chat": self.chat_json(shown.chat_id),
            "from": self.me,
        }
        if shown.file is None:
            message["text"] = shown.text
        else:
            name, size = shown.file.name, len(shown.file.content)
            unique = f"file{shown.message_id}"
            message["document"] = {"file_id": unique, "file_unique_id": unique, "file_name": name, "file_size": size}
            if shown.text:
                message["caption"] = shown.text
        if shown.entities:
            message["entities" if shown.file is None else "caption_entities"] = shown.entities
        if shown.keyboard:
            message["reply_markup"] = shown.keyboard
        if shown.topic is not None:
            message |= {"message_thread_id": shown.topic, "is_topic_message": True}
        return message

    def chat_json(self, chat_id: int) -> _Json:
        """Return a chat as JSON: a person's own, a basic group, or a supergroup."""
        if chat_id > 0:
            return {"id": chat_id, "type": "private", "first_name": f"User {chat_id}"}
        kind = "group" if chat_id in self.basic else "supergroup"
        return {"id": chat_id, "type": kind, "title": f"Group {chat_id}"}

    def _to_edit(self, chat_id: int, message_id: int) -> Shown:
        shown = self._shown.get((chat_id, message_id))
        if shown is None:
            raise bad_request("message to edit not found")
        return shown

    def _not_modified(self) -> Refusal:
        self.unmodified += 1
        return bad_request(
            "message is not modified: specified new message content and reply markup are exactly the same "
            "as a current content and reply markup of the message"
        )


def user_json(user_id: int) -> _Json:
    return {"id": user_id, "is_bot": False, "first_name": f"User {user_id}", "language_code": "en"}


LARGEST: Final = 20_000_000
"""Bytes that a bot may fetch."""
DOWNLOAD: Final = "file"
"""What a download is called in the faults that a test orders."""
_PIECE: Final = 1 << 16
_FOLDERS: Final = {"photo": "photos", "voice": "voice", "audio": "music", "video_note": "video_notes"}
_EXTRAS: Final[dict[str, _Json]] = {
    "voice": {"duration": 3},
    "audio": {"duration": 3},
    "video_note": {"duration": 3, "length": 240},
}


@dataclass(frozen=True, slots=True)
class _Stored:
    content: bytes
    size: int
    folder: str
    name: str


class Files:
    """Keeps what people send; ``fetched`` lists the ids whose bytes were given out, in order."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._stored: dict[str, _Stored] = {}
        self._paths: dict[str, str] = {}
        self._numbers = itertools.count(1)
        self.fetched: list[str] = []

    def attach(
        self, kind: str, content: bytes, *, name: str = "", media_type: str = "", size: int | None = None
    ) -> _Json:
        """Keep a file and return the fields of the message that carries it; ``size`` may claim another length."""
        number = next(self._numbers)
        file_id = f"file-{number}-{hashlib.sha256(content).hexdigest()[:12]}"
        length = len(content) if size is None else size
        self._stored[file_id] = _Stored(content, length, _FOLDERS.get(kind, "documents"), name)
        about: _Json = {"file_id": file_id, "file_unique_id": file_id[-12:], "file_size": length}
        if kind == "photo":
            return {"photo": [about | {"width": 800, "height": 600}]}
        about |= {"file_name": name} if name and kind in {"document", "audio"} else {}
        about |= {"mime_type": media_type} if media_type and kind != "video_note" else {}
        return {kind: about | _EXTRAS.get(kind, {})}

    def lose(self, file_id: str) -> None:
        del self._stored[file_id]

    def get(self, params: _Json) -> _Json:
        file_id = str(params.get("file_id", ""))
        if not file_id:
            raise wrong_request("file_id is not specified")
        stored = self._stored.get(file_id)
        if stored is None:
            raise bad_request("wrong file_id or the file is temporarily unavailable")
        if stored.size > LARGEST:
            raise bad_request("file is too big")
        path = f"{stored.folder}/file_{next(self._numbers)}"
        self._paths[path] = file_id
        return {"file_id": file_id, "file_unique_id": file_id[-12:], "file_size": stored.size, "file_path": path}

    async def download(self, request: web.Request, path: str) -> web.StreamResponse:
        """Answer a download, in pieces; a path that was not given is none."""
        file_id = self._paths.get(path)
        stored = self._stored.get(file_id or "")
        if file_id is None or stored is None:
            refusal = Refusal(404, "Not Found")
            return web.json_response(refusal.body(), status=refusal.code)
        order = self._faults.next(DOWNLOAD)
        if order is not None and order.fault is Fault.FAILED:
            return web.json_response(Refusal(order.code, "Internal Server Error").body(), status=order.code)
        response = web.StreamResponse(headers={"Content-Length": str(len(stored.content))})
        response.content_type = "application/octet-stream"
        await response.prepare(request)
        for start in range(0, len(stored.content), _PIECE):
            if order is not None and start and request.transport is not None:  # any other fault: lost half-way
                request.transport.abort()
                return response
            await response.write(stored.content[start : start + _PIECE])
        await response.write_eof()
        self.fetched.append(file_id)
        return response
