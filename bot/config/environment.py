"""Environment variables, completed by ``.env`` files at the start.

Secrets and the language model's address override or complete the settings file; variables of LightRAG are the memory
server's (memory_server/options.py).
A variable that is empty counts as absent.  No value of a variable is ever written to disk.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from dotenv import dotenv_values

from bot.config.features_schema import SECRET_VARIABLES
from bot.config.folders import Folders
from bot.config.schema import Settings

_OPENAI = "api.openai.com"
VARIABLES = ("LLM_URL", "LLM_MODEL", *SECRET_VARIABLES)
"""Names that :func:`apply_environment` reads."""


def apply_environment(settings: Settings, environment: Mapping[str, str]) -> Settings:
    """Return the settings as the environment completes them."""

    def given(name: str, otherwise: str) -> str:
        return environment.get(name, "").strip() or otherwise

    rag, llm, telegram = settings.rag, settings.llm, settings.telegram
    rerank = rag.rerank.model_copy(update={"api_key": given("RERANK_API_KEY", rag.rerank.api_key)})
    url = given("LLM_URL", llm.url)
    key = given("LLM_API_KEY", llm.api_key)
    if not key and urlsplit(url).hostname == _OPENAI:  # this key must reach nobody else
        key = given("OPENAI_API_KEY", "")
    voice = settings.voice
    voice_key = given("VOICE_API_KEY", voice.api_key)
    if not voice_key and voice.url and urlsplit(voice.url)[:2] == urlsplit(url)[:2]:
        voice_key = key
    elif not voice_key and urlsplit(voice.url).hostname == _OPENAI:
        voice_key = given("OPENAI_API_KEY", "")
    return settings.model_copy(
        update={
            "voice": voice.model_copy(update={"api_key": voice_key}),
            "rag": rag.model_copy(update={"api_key": given("RAG_API_KEY", rag.api_key), "rerank": rerank}),
            "llm": llm.model_copy(update={"url": url, "api_key": key, "model": given("LLM_MODEL", llm.model)}),
            "telegram": telegram.model_copy(update={"token": given("TELEGRAM_TOKEN", telegram.token)}),
        }
    )


def read_environment(places: Folders) -> Mapping[str, str]:
    """Return the environment, completed by ``.env`` of the data folder and of the current one (in this order)."""
    return {**read_dotenv_files(places.data), **os.environ}


def read_dotenv_files(data: Path) -> dict[str, str]:
    """Return the variables in ``.env`` of the data folder and of the current one."""
    found: dict[str, str] = {}
    for folder in (Path(), data):
        values = dotenv_values(folder / ".env")
        found |= {name: value for name, value in values.items() if value is not None}
    return found
