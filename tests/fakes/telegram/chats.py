"""The chats: who is in them, and what they show."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.telegram.refusal import Refusal, bad_request

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


class Chats:
    """Every chat of the bot; ids below zero are groups."""

    def __init__(self, me: _Json) -> None:
        self.me = me
        self.blocked: set[int] = set()
        self.typing: dict[int, int] = {}
        self.previews: dict[int, str] = {}
        self._known: set[int] = set()
        self._topics: set[tuple[int, int]] = set()
        self._shown: dict[tuple[int, int], Shown] = {}
        self._next_id = 1

    def next_message_id(self) -> int:
        """Return a message id; they grow over all chats, which no client may rely on and none may stumble over."""
        self._next_id += 1
        return self._next_id

    def meet(self, chat_id: int, topic: int | None = None) -> None:
        """Let the bot write to this chat: somebody wrote there, or added it."""
        self._known.add(chat_id)
        if topic is not None:
            self._topics.add((chat_id, topic))

    def reachable(self, chat_id: int, topic: int | None = None) -> None:
        """Raise what the Bot API answers when the bot may not write there."""
        if chat_id in self.blocked:
            raise Refusal(403, "Forbidden: bot was blocked by the user")
        if chat_id not in self._known:
            raise bad_request("chat not found")
        if topic is not None and (chat_id, topic) not in self._topics:
            raise bad_request("message thread not found")

    def show(self, shown: Shown) -> _Json:
        """Put a message into its chat and return it as JSON."""
        self._shown[shown.chat_id, shown.message_id] = shown
        return self.as_json(shown)

    def edit(self, chat_id: int, message_id: int, text: str, entities: list[_Json], keyboard: _Json | None) -> _Json:
        """Change a message of the bot; an edit that changes nothing is refused."""
        shown = self._shown.get((chat_id, message_id))
        if shown is None:
            raise bad_request("message to edit not found")
        if (shown.text, shown.entities, shown.keyboard) == (text, entities, keyboard):
            raise bad_request(
                "message is not modified: specified new message content and reply markup are exactly the same "
                "as a current content and reply markup of the message"
            )
        shown.versions.append(shown.text)
        shown.text, shown.entities, shown.keyboard = text, entities, keyboard
        return self.as_json(shown)

    def delete(self, chat_id: int, message_id: int) -> None:
        """Take a message away, as its reader may."""
        self._shown.pop((chat_id, message_id), None)

    def of(self, chat_id: int | None = None) -> list[Shown]:
        """Return what a chat (or all) shows of the bot, oldest first."""
        return [shown for shown in self._shown.values() if chat_id in {None, shown.chat_id}]

    def as_json(self, shown: Shown) -> _Json:
        """Return a message of the bot as the Bot API gives it."""
        message: _Json = {
            "message_id": shown.message_id,
            "date": int(time.time()),
            "chat": chat_json(shown.chat_id),
            "from": self.me,
            "text": shown.text,
        }
        if shown.entities:
            message["entities"] = shown.entities
        if shown.topic is not None:
            message |= {"message_thread_id": shown.topic, "is_topic_message": True}
        return message


def chat_json(chat_id: int) -> _Json:
    """Return a chat as JSON: a person's own, or a supergroup."""
    if chat_id > 0:
        return {"id": chat_id, "type": "private", "first_name": f"User {chat_id}"}
    return {"id": chat_id, "type": "supergroup", "title": f"Group {chat_id}"}


def user_json(user_id: int, name: str = "", language: str = "en") -> _Json:
    """Return a person as JSON."""
    return {"id": user_id, "is_bot": False, "first_name": name or f"User {user_id}", "language_code": language}
