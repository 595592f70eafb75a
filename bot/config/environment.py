"""Environment variables, completed by ``.env`` files at the start.

Secrets and the language model's address override or complete the settings file; variables of LightRAG are the memory
server's (memory_server/options.py).
A variable that is empty counts as absent.  No value of a variable is ever written to disk.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from dotenv import dotenv_values

from bot.config.folders import Folders
from bot.config.schema import FEATURE_SECTIONS, Settings
from bot.config.section import OPENAI

SECRET_VARIABLES: Final = (
    "TELEGRAM_TOKEN",
    "LLM_API_KEY",
    "OPENAI_API_KEY",
    "RAG_API_KEY",
    "RERANK_API_KEY",
    "DATABASE_URL",
    *(name for section in FEATURE_SECTIONS for name in section.variables),
)
"""Those that complete the settings: :func:`apply_environment` reads no other secret."""
OWN_VARIABLES: Final = frozenset({*SECRET_VARIABLES, "MNEME_MEMORY_KEY", "LIGHTRAG_API_KEY"})
"""Secrets of Mneme itself and of its memory server: no server of tools gets them, whatever the settings say."""
VARIABLES: Final = ("LLM_URL", "LLM_MODEL", *SECRET_VARIABLES)
"""Names that :func:`apply_environment` reads."""


def apply_environment(settings: Settings, environment: Mapping[str, str]) -> Settings:
    """Return the settings as the environment completes them."""

    def given(name: str, otherwise: str) -> str:
        return environment.get(name, "").strip() or otherwise

    rag, llm, telegram = settings.rag, settings.llm, settings.telegram
    rerank = rag.rerank.model_copy(update={"api_key": given("RERANK_API_KEY", rag.rerank.api_key)})
    url = given("LLM_URL", llm.url)
    key = given("LLM_API_KEY", llm.api_key)
    if not key and urlsplit(url).hostname == OPENAI:
        key = given("OPENAI_API_KEY", "")
    llm = llm.model_copy(update={"url": url, "api_key": key, "model": given("LLM_MODEL", llm.model)})
    return settings.model_copy(
        update={
            **{each.key: each.complete(environment, url, key) for each in settings.list_features()},
            "rag": rag.model_copy(update={"api_key": given("RAG_API_KEY", rag.api_key), "rerank": rerank}),
            "llm": llm,
            "storage": settings.storage.model_copy(update={"url": given("DATABASE_URL", settings.storage.url)}),
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
