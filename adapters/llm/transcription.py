"""Speech to text at an OpenAI-compatible endpoint (https://platform.openai.com/docs/api-reference/audio).

whisper.cpp, faster-whisper servers, LocalAI, Groq and others speak the same protocol.
"""

from __future__ import annotations

import asyncio
import json
from http import HTTPStatus
from pathlib import Path
from typing import Final

import httpx

from adapters.llm.endpoint import Endpoint, parse_endpoint
from adapters.llm.errors import read_body, translate_faults
from bot.errors import ModelRefused, ModelUnavailable

_ROUTE: Final = "/audio/transcriptions"
_CONNECT_S: Final = 5.0
_PASSING: Final = frozenset({408, 409, 425, 429, *range(500, 600)})


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
        """Return what is said; see :class:`~bot.ports.transcriber.Transcriber`."""
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
        return _read_text(place, body)


def _read_text(place: Endpoint, body: bytes) -> str:
    try:
        text = json.loads(body)["text"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _misunderstand(place) from error
    if not isinstance(text, str):
        raise _misunderstand(place)
    return text.strip()


def _misunderstand(place: Endpoint) -> ModelUnavailable:
    return ModelUnavailable(f"{place.host} answers with something that is no transcript: is voice.url right?")


def _refuse(place: Endpoint, status: int) -> ModelRefused | ModelUnavailable:
    """Return the error of an HTTP status; the server's own words may repeat the key and are not told."""
    if status in _PASSING:
        return ModelUnavailable(f"speech recognition at {place.host} cannot answer now (HTTP {status})")
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return ModelRefused(f"{place.host} refuses the key (HTTP {status}): set voice.apiKey or VOICE_API_KEY")
    if status in {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}:
        return ModelRefused(f"there is no speech recognition at {place.host} (HTTP {status}): set voice.url")
    return ModelRefused(f"{place.host} rejects the recording (HTTP {status}): check voice.model")
