"""Pictures in a request, and speech to text (https://platform.openai.com/docs/api-reference/audio).

OpenAI, whisper.cpp, faster-whisper servers, LocalAI, Groq and others speak the same protocol; how a server says that
its model sees no pictures is told by words.
"""

import asyncio
import base64
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import httpx

from adapters.llm.endpoint import Endpoint, Refusal, parse_endpoint, read_body, translate_faults
from bot.errors import ModelRefused, ModelUnavailable
from bot.ports.chat_model import ChatMessage

_ROUTE: Final = "/audio/transcriptions"
_CONNECT_S: Final = 5.0
_PASSING_STATUS: Final = frozenset({408, 409, 425, 429, *range(500, 600)})


class OpenAiTranscriber:
    """A model behind ``{url}/audio/transcriptions``.

    ``language`` is an ISO 639-1 code or "" for the model to find out; ``timeout_s`` is for a recording as a whole.
    """

    def __init__(self, url: str, api_key: str, model: str, *, language: str = "", timeout_s: float = 120.0) -> None:
        self._place = (url.strip().rstrip("/").removesuffix(_ROUTE), api_key, "voice")
        self._model = model
        self._language = language
        self._timeout_s = timeout_s

    async def transcribe(self, recording: Path, *, name: str) -> str:
        """Return what is said, "" where nothing can be heard; ``name`` has the ending of the recording's format.

        Raises :class:`~bot.errors.ModelUnavailable` or :class:`~bot.errors.ModelRefused`.
        """
        place = parse_endpoint(*self._place)
        fields = {"model": self._model, "response_format": "json"}
        if self._language:
            fields["language"] = self._language
        content = await asyncio.to_thread(recording.read_bytes)
        headers = {"Accept": "application/json"}
        if place.authorization:
            headers["Authorization"] = place.authorization
        timeout = httpx.Timeout(self._timeout_s, connect=_CONNECT_S)
        with translate_faults(place):
            async with (
                asyncio.timeout(self._timeout_s),
                httpx.AsyncClient(trust_env=not place.is_local, timeout=timeout) as http,
                http.stream(
                    "POST", f"{place.base}{_ROUTE}", headers=headers, data=fields, files={"file": (name, content)}
                ) as response,
            ):
                body = await read_body(response)
        if not response.is_success:
            raise _refuse(place, response.status_code)
        try:
            return str.strip(json.loads(body)["text"])
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise ModelUnavailable(
                f"{place.host} answers with something that is no transcript: is voice.url right?"
            ) from error


def _refuse(place: Endpoint, status: int) -> ModelRefused | ModelUnavailable:
    """Return the error of an HTTP status; the server's own words may repeat the key and are not told."""
    if status in _PASSING_STATUS:
        return ModelUnavailable(f"speech recognition at {place.host} cannot answer now (HTTP {status})")
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return ModelRefused(f"{place.host} refuses the key (HTTP {status}): set voice.apiKey or VOICE_API_KEY")
    if status in {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}:
        return ModelRefused(f"there is no speech recognition at {place.host} (HTTP {status}): set voice.url")
    return ModelRefused(f"{place.host} rejects the recording (HTTP {status}): check voice.model")


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
    return tuple(
        replace(
            message, content=f"{message.content}\n\n{_UNSEEN.format(count=len(message.pictures))}".strip(), pictures=()
        )
        if message.pictures
        else message
        for message in messages
    )


def refuses_pictures(refusal: Refusal) -> bool:
    """Return whether a server refuses a request with pictures for their sake."""
    about = _ABOUT_PICTURES.search(refusal.words) or _WANTS_TEXT.search(refusal.words)
    return refusal.status in _STATUSES and about is not None


def sees_nothing(refusal: Refusal) -> bool:
    """Return whether such a server will refuse the next picture, too."""
    return _NEVER.search(refusal.words) is not None or _WANTS_TEXT.search(refusal.words) is not None
