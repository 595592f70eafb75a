"""Adds it to Mneme."""

from adapters.llm.media import OpenAiTranscriber
from bot.commands.formatting import escape
from bot.features.voice.attachments import PictureHandler, RecordingHandler
from bot.features.voice.settings import VoiceSettings
from bot.files import Incoming
from bot.ports.system import AttachmentHandler
from bot.runtime.app import App


async def register(app: App) -> None:
    """Add recordings and pictures to what Mneme can be sent."""
    app.added.attachments.append(lambda: _build_handlers(app))


def _build_handlers(app: App) -> tuple[AttachmentHandler, ...]:
    voice = app.settings.current.of(VoiceSettings)
    settings, room = app.settings.current, Incoming(app.places.incoming).make_room
    return (
        RecordingHandler(
            sources=app.file_sources,
            transcriber=_build_transcriber(voice),
            make_room=room,
            texts=lambda message: app.voice(message).media,
            escape=escape,
            longest_s=voice.max_minutes * 60,
            showing=app.model() is None,
        ),
        PictureHandler(
            sources=app.file_sources,
            make_room=room,
            texts=lambda message: app.voice(message).media,
            seeing=app.model() is not None and settings.llm.vision != "off",
        ),
    )


def _build_transcriber(settings: VoiceSettings) -> OpenAiTranscriber | None:
    if not settings.url:
        return None
    return OpenAiTranscriber(
        settings.url, settings.api_key, settings.model, language=settings.language, timeout_s=settings.timeout_seconds
    )
