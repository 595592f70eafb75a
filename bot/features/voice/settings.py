"""Who writes down what is said."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Self
from urllib.parse import urlsplit

from pydantic import Field

from bot.config.section import OPENAI, TURN, FeatureSection, Secret, WebAddress, setting


class VoiceSettings(FeatureSection, applies=TURN):
    """Voice messages, audio files and video notes: what is said in them is written down by a model."""

    key: ClassVar[str] = "voice"
    variables: ClassVar[Mapping[str, str]] = {"VOICE_API_KEY": "apiKey"}

    url: WebAddress = setting(
        "",
        "OpenAI-compatible endpoint with its version path, e.g. `https://api.openai.com/v1` or a whisper server's "
        "`http://localhost:8000/v1`. Empty: nobody listens, and the bot says so.",
    )
    api_key: Secret = setting(
        "",
        "Its key; `VOICE_API_KEY` overrides it, and the key of `llm` fills in where both are at the same host. "
        "Local servers need none.",
    )
    model: Annotated[str, Field(min_length=1, max_length=200)] = setting(
        "whisper-1", "Model name as the endpoint spells it."
    )
    language: Annotated[str, Field(pattern=r"^([a-z]{2})?$")] = setting(
        "", "Spoken language; empty: any.", spelling='two letters such as "en", or ""'
    )
    max_minutes: Annotated[int, Field(ge=1, le=600)] = setting(20, "Longest recording that is listened to.")
    timeout_seconds: Annotated[float, Field(ge=1, le=3600)] = setting(
        120, "Seconds after which writing one down is given up."
    )

    def complete(self, environment: Mapping[str, str], url: str, api_key: str) -> Self:
        """Return it with its key: the language model's where both are at the same host."""
        key = environment.get("VOICE_API_KEY", "").strip() or self.api_key
        if not key and self.url and urlsplit(self.url)[:2] == urlsplit(url)[:2]:
            key = api_key
        elif not key and urlsplit(self.url).hostname == OPENAI:
            key = environment.get("OPENAI_API_KEY", "").strip()
        return self.model_copy(update={"api_key": key})
