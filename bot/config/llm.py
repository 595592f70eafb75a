"""Settings of the language model: any OpenAI-compatible endpoint, or none."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bot.config.section import TURN, Secret, Section, WebAddress, setting

_ModelName = Annotated[str, Field(max_length=200)]


class FallbackSettings(Section):
    """A model that is asked when the ones before it are down or refuse."""

    url: WebAddress = setting(TURN, default="", description="Address of the endpoint; empty means `llm.url`.")
    api_key: Secret = setting(
        TURN, default="", description="Its key; empty means `llm.apiKey` if the address is `llm.url`."
    )
    model: _ModelName = setting(TURN, description="Its model name; required.")


class LlmSettings(Section):
    """Language model."""

    enabled: bool = setting(
        TURN, default=True, description="`false`: answer from memory alone even if a model is configured."
    )
    url: WebAddress = setting(
        TURN,
        default="",
        description=(
            "OpenAI-compatible endpoint with its version path, e.g. `https://api.openai.com/v1` or "
            "`http://localhost:11434/v1`; `LLM_URL` overrides it. Empty: no model, answers come from memory."
        ),
    )
    api_key: Secret = setting(
        TURN,
        default="",
        description=(
            "Its key; `LLM_API_KEY` overrides it, `OPENAI_API_KEY` fills in when the address is api.openai.com. Local "
            "servers need none."
        ),
    )
    model: _ModelName = setting(
        TURN, default="", description="Model name as the endpoint spells it; `LLM_MODEL` overrides it."
    )
    fallbacks: Annotated[tuple[FallbackSettings, ...], Field(max_length=5)] = setting(
        TURN, default=(), description="Models asked in order when the first is down."
    )
    temperature: Annotated[float, Field(ge=0, le=2)] | None = setting(
        TURN,
        default=None,
        description="Sampling temperature (0..2); `null` leaves it to the model, some accept no other.",
    )
    max_tokens: Annotated[int, Field(ge=16, le=1_000_000)] | None = setting(
        TURN, default=None, description="Tokens of one answer at most; `null` leaves it to the model."
    )
    timeout_seconds: Annotated[float, Field(ge=1, le=3600)] = setting(
        TURN,
        default=60,
        description="Seconds without a byte after which a call counts as dead; local models start slowly.",
    )
    context_tokens: Annotated[int, Field(ge=1000, le=10_000_000)] = setting(
        TURN, default=16_000, description="Tokens the model can read; history is trimmed to fit. Safe for most models."
    )
    max_calls: Annotated[int, Field(ge=1, le=100)] = setting(
        TURN, default=8, description="Model calls in one turn; enough for tools in sequence, bounded for the bill."
    )
    max_tool_runs: Annotated[int, Field(ge=0, le=500)] = setting(TURN, default=16, description="Tool runs in one turn.")
    wall_seconds: Annotated[float, Field(ge=1, le=3600)] = setting(
        TURN, default=120, description="Seconds one turn may take in all before it ends with what it has."
    )

    @property
    def configured(self) -> bool:
        """Whether there is a model to ask."""
        return self.enabled and bool(self.url) and bool(self.model)
