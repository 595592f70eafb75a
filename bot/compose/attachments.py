"""The handlers of what comes with messages, in the order in which they are asked.

A new kind of attachment is one line here.
"""

from __future__ import annotations

from bot.commands.language import Voice
from bot.compose.documents import build_document_handler
from bot.features.voice.joining import build_media_handlers
from bot.ports.attachments import AttachmentHandler
from bot.runtime.container import Container


def build_attachment_handlers(parts: Container, voice: Voice) -> tuple[AttachmentHandler, ...]:
    """Return the handlers of the settings in force now."""
    return (*build_media_handlers(parts, voice), build_document_handler(parts, voice))
