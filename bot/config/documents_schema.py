"""Settings of documents: files that are sent and pages that are linked."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bot.config.section import LIVE, TURN, Section, setting


class DocumentSettings(Section):
    """Files and pages, read into sections apart from the bot's own process."""

    links: bool = setting(
        TURN,
        default=True,
        description="Read the pages that a message is nothing but the address of, or asks to have read.",
    )
    max_megabytes: Annotated[int, Field(ge=1, le=2000)] = setting(
        LIVE, default=20, description="Largest file that is read. Telegram's own servers hand bots no more than 20."
    )
    max_pages: Annotated[int, Field(ge=1, le=100_000)] = setting(
        LIVE, default=2000, description="Pages, slides or chapters that are read of one document; the rest is left out."
    )
    max_characters: Annotated[int, Field(ge=1000, le=100_000_000)] = setting(
        LIVE, default=5_000_000, description="Characters that are read of one document; the rest is left out."
    )
    timeout_seconds: Annotated[float, Field(ge=1, le=3600)] = setting(
        LIVE, default=60, description="Seconds after which reading a document is given up."
    )
    memory_megabytes: Annotated[int, Field(ge=128, le=64_000)] = setting(
        LIVE,
        default=512,
        description="Memory of the process that reads a document; what needs more is refused. Kept on Linux alone.",
    )
