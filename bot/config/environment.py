"""Secrets, and what a first start needs, from environment variables: they override or complete the file.

A variable that is empty counts as absent.  What comes from here is never written to disk by us.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from bot.config.schema import Settings

_OPENAI = "api.openai.com"
VARIABLES = (
    "TELEGRAM_TOKEN",
    "LLM_URL",
    "LLM_MODEL",
    "LLM_API_KEY",
    "OPENAI_API_KEY",
    "RAG_API_KEY",
    "RERANK_API_KEY",
)
"""What :func:`with_environment` asks for."""


def with_environment(settings: Settings, environment: Mapping[str, str]) -> Settings:
    """Return the settings as the environment completes them."""

    def given(name: str, otherwise: str) -> str:
        return environment.get(name, "").strip() or otherwise

    rag, llm, telegram = settings.rag, settings.llm, settings.telegram
    rerank = rag.rerank.model_copy(update={"api_key": given("RERANK_API_KEY", rag.rerank.api_key)})
    url = given("LLM_URL", llm.url)
    key = given("LLM_API_KEY", llm.api_key)
    if not key and urlsplit(url).hostname == _OPENAI:  # this key must reach nobody else
        key = given("OPENAI_API_KEY", "")
    return settings.model_copy(
        update={
            "rag": rag.model_copy(update={"api_key": given("RAG_API_KEY", rag.api_key), "rerank": rerank}),
            "llm": llm.model_copy(update={"url": url, "api_key": key, "model": given("LLM_MODEL", llm.model)}),
            "telegram": telegram.model_copy(update={"token": given("TELEGRAM_TOKEN", telegram.token)}),
        }
    )
