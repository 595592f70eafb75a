"""Pictures in a request, and how servers say that their model sees none."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from adapters.llm.errors import Refusal
from bot.ports.chat_model import ChatMessage

_ABOUT_PICTURES: Final = re.compile(r"image|picture|vision|multi-?modal|modalit|mmproj")
_WANTS_TEXT: Final = re.compile(r"content.{0,80}(?:string|str\b)|string.{0,80}content|expected `?text", re.DOTALL)
_NEVER: Final = re.compile(
    r"support|multi-?modal model|mmproj|at most 0|no endpoints|unknown variant|only .{0,40}models?|modalit"
    r"|does not have|not allowed"
)
"""Words of a server whose model sees no pictures at all, as opposed to one that dislikes this picture."""
_STATUSES: Final = frozenset({400, 404, 415, 422, 500, 501})
_UNSEEN: Final = "[{count} picture(s) came along that you cannot see: nothing on them is known.]"


def hold_pictures(messages: Sequence[ChatMessage]) -> bool:
    """Return whether any of the messages has a picture."""
    return any(message.pictures for message in messages)


def encode_content(message: ChatMessage, content: str) -> list[dict[str, Any]]:  # Any: JSON
    """Return the parts of a message with pictures (platform.openai.com/docs/guides/images-vision)."""
    pictures = (
        f"data:{picture.media_type};base64,{base64.b64encode(picture.content).decode('ascii')}"
        for picture in message.pictures
    )
    shown = [{"type": "image_url", "image_url": {"url": url}} for url in pictures]
    return [*([{"type": "text", "text": content}] if content else []), *shown]


def leave_out_pictures(messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Return the messages without pictures, saying so where they were."""
    return tuple(_leave_out(message) if message.pictures else message for message in messages)


def _leave_out(message: ChatMessage) -> ChatMessage:
    told = _UNSEEN.format(count=len(message.pictures))
    return replace(message, content=f"{message.content}\n\n{told}".strip(), pictures=())


def refuses_pictures(refusal: Refusal) -> bool:
    """Return whether a server refuses a request with pictures for their sake."""
    about = _ABOUT_PICTURES.search(refusal.words) or _WANTS_TEXT.search(refusal.words)
    return refusal.status in _STATUSES and about is not None


def sees_nothing(refusal: Refusal) -> bool:
    """Return whether such a server will refuse the next picture, too."""
    return _NEVER.search(refusal.words) is not None or _WANTS_TEXT.search(refusal.words) is not None
