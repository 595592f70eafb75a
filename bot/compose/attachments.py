"""The handlers of what comes with messages, in the order in which they are asked.

A new kind of attachment is one line here.
"""

from __future__ import annotations

from bot.ports.attachments import AttachmentHandler
from bot.runtime.container import Container


def build_attachment_handlers(parts: Container) -> tuple[AttachmentHandler, ...]:  # noqa: ARG001 - what they are made of
    """Return the handlers of the settings in force now."""
    return ()
