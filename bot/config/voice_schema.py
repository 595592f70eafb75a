"""Settings of voice messages."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bot.config.section import TURN, Secret, Section, WebAddress, setting


class VoiceSettings(Section):
    """Voice messages, audio files and video notes: what is said in them is written down by a model."""

    url: WebAddress = setting(
        TURN,
        default="",
        description=(
            "OpenAI-compatible endpoint with its version path, e.g. `https://api.openai.com/v1` or a whisper server's "
            "`http://localhost:8000/v1`. Empty: nobody listens, and the bot says so."
        ),
    )
    api_key: Secret = setting(
        TURN,
        default="",
        description=(
            "Its key; `VOICE_API_KEY` overrides it, and the key of `llm` fills in where both are at the same host. "
            "Local servers need none."
        ),
    )
    model: Annotated[str, Field(min_length=1, max_length=200)] = setting(
        TURN, default="whisper-1", description="Model name as the endpoint spells it."
    )
    language: Annotated[str, Field(pattern=r"^([a-z]{2})?$")] = setting(
        TURN, default="", spelling='two letters such as "en", or ""', description="Spoken language; empty: any."
    )
    max_minutes: Annotated[int, Field(ge=1, le=600)] = setting(
        TURN, default=20, description="Longest recording that is listened to."
    )
    timeout_seconds: Annotated[float, Field(ge=1, le=3600)] = setting(
        TURN, default=120, description="Seconds after which writing one down is given up."
    )
