"""Builds what listens to recordings and looks at pictures, for the settings in force."""

from __future__ import annotations

from adapters.llm.media import OpenAiTranscriber
from bot.commands.formatting import escape
from bot.commands.language import Voice
from bot.config.voice_schema import VoiceSettings
from bot.features.documents.intake import Incoming
from bot.features.voice.pictures import PictureHandler
from bot.features.voice.recordings import RecordingHandler
from bot.ports.attachments import AttachmentHandler
from bot.runtime.container import Container


def build_media_handlers(parts: Container, voice: Voice) -> tuple[AttachmentHandler, ...]:
    """Return the handlers of recordings and pictures."""
    settings = parts.settings.current()
    room = Incoming(parts.places.incoming).make_room
    return (
        RecordingHandler(
            sources=parts.file_sources,
            transcriber=_build_transcriber(settings.voice),
            make_room=room,
            texts=lambda message: voice(message).media,
            escape=escape,
            longest_s=settings.voice.max_minutes * 60,
            showing=parts.model() is None,
        ),
        PictureHandler(
            sources=parts.file_sources,
            make_room=room,
            texts=lambda message: voice(message).media,
            seeing=parts.model() is not None and settings.llm.vision != "off",
        ),
    )


def _build_transcriber(settings: VoiceSettings) -> OpenAiTranscriber | None:
    if not settings.url:
        return None
    return OpenAiTranscriber(
        settings.url,
        settings.api_key,
        settings.model,
        language=settings.language,
        timeout_s=settings.timeout_seconds,
    )
