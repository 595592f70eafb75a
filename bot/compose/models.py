"""The language model of the settings in force, and what it does off the hot path."""

from __future__ import annotations

from adapters.llm.condensing import LlmSummary
from adapters.llm.extraction import LlmExtraction
from adapters.llm.fallback import FallbackChat
from adapters.llm.openai import ModelTimeouts, OpenAiChat
from bot.config.live import LiveSettings
from bot.config.schema import LlmSettings
from bot.ports.chat_model import ChatModel


class Models:
    """Makes a model once per distinct settings, so that a reload of something else keeps its connections."""

    def __init__(self, live: LiveSettings) -> None:
        self._live = live
        self._made_for: LlmSettings | None = None
        self._model: ChatModel | None = None
        self._chats: list[OpenAiChat] = []

    def model(self) -> ChatModel | None:
        """Return the model, ``None`` when none is configured."""
        settings = self._live.current().llm
        if settings != self._made_for:
            self._made_for = settings
            self._model = self._make(settings) if settings.configured else None
        return self._model

    def learning(self) -> tuple[LlmExtraction, LlmSummary] | None:
        """Return extraction and summary by the model, ``None`` without one."""
        model = self.model()
        return (LlmExtraction(model), LlmSummary(model)) if model else None

    async def close(self) -> None:
        """Close the connections of every model that was made."""
        for chat in self._chats:
            await chat.aclose()

    def _make(self, settings: LlmSettings) -> ChatModel:
        first = OpenAiChat(
            settings.url,
            settings.api_key,
            settings.model,
            timeouts=_timeouts(settings),
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
        )
        others = [
            OpenAiChat(
                fallback.url or settings.url,
                fallback.api_key or ("" if fallback.url else settings.api_key),
                fallback.model,
                timeouts=_timeouts(settings),
                temperature=settings.temperature,
                max_tokens=settings.max_tokens,
                settings=f"llm.fallbacks[{number}]",
            )
            for number, fallback in enumerate(settings.fallbacks)
        ]
        self._chats += [first, *others]
        return FallbackChat((first, *others)) if others else first


def _timeouts(settings: LlmSettings) -> ModelTimeouts:
    return ModelTimeouts(first_s=settings.timeout_seconds, idle_s=settings.timeout_seconds)
