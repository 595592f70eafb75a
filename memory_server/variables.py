"""The environment of a memory server: LightRAG's variables, of which four are read and the others named as not read.

https://github.com/HKUDS/LightRAG/blob/main/env.example has them all.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dotenv import dotenv_values

from memory_server.errors import ConfigInvalid

_LONGEST_LANGUAGE = 60
_NOT_READ = (
    "LLM_BINDING",
    "LLM_BINDING_HOST",
    "LLM_BINDING_API_KEY",
    "EMBEDDING_BINDING",
    "EMBEDDING_BINDING_HOST",
    "EMBEDDING_BINDING_API_KEY",
    "EMBEDDING_DIM",
    "RERANK_BINDING",
    "RERANK_BINDING_HOST",
    "RERANK_BINDING_API_KEY",
    "RERANK_MODEL",
    "LIGHTRAG_KV_STORAGE",
    "LIGHTRAG_VECTOR_STORAGE",
    "LIGHTRAG_GRAPH_STORAGE",
    "LIGHTRAG_DOC_STATUS_STORAGE",
    "LIGHTRAG_PARSER",
    "AUTH_ACCOUNTS",
    "WHITELIST_PATHS",
    "ENABLE_LLM_CACHE",
    "ENABLE_LLM_CACHE_FOR_EXTRACT",
)
"""Variables that would matter most to somebody who relies on them, and whose names are nobody else's."""


@dataclass(frozen=True, slots=True)
class LightRagVariables:
    """LightRAG's variables that are read: CHUNK_SIZE, CHUNK_OVERLAP_SIZE, COSINE_THRESHOLD, SUMMARY_LANGUAGE."""

    chunk_tokens: int = 1200
    chunk_overlap: int = 100
    least_cosine: float = 0.2
    language: str = "English"

    def variables(self) -> dict[str, str]:
        """Return them as the variables that say the same."""
        return {
            "CHUNK_SIZE": str(self.chunk_tokens),
            "CHUNK_OVERLAP_SIZE": str(self.chunk_overlap),
            "COSINE_THRESHOLD": str(self.least_cosine),
            "SUMMARY_LANGUAGE": self.language,
        }


LIGHTRAG_VARIABLES = tuple(LightRagVariables().variables())


def read_server_environment(data: Path) -> Mapping[str, str]:
    """Return the environment, completed by ``.env`` of the folder around the server's data and of the current one."""
    found: dict[str, str] = {}
    for folder in (Path(), data.expanduser().absolute().parent):
        found |= {name: value for name, value in dotenv_values(folder / ".env").items() if value is not None}
    return {**found, **os.environ}


def read_lightrag_variables(environment: Mapping[str, str]) -> LightRagVariables:
    """Return what the variables say; one that is empty counts as not set.

    Raises :class:`~memory_server.errors.ConfigInvalid`, which names the variable and what it may be.
    """
    usual = LightRagVariables()
    size = _number(environment, "CHUNK_SIZE", 64, 32_768, usual.chunk_tokens)
    overlap = _number(environment, "CHUNK_OVERLAP_SIZE", 0, size - 1, min(usual.chunk_overlap, size // 2))
    language = environment.get("SUMMARY_LANGUAGE", "").strip() or usual.language
    if len(language) > _LONGEST_LANGUAGE or not language.isprintable():
        raise ConfigInvalid(f"SUMMARY_LANGUAGE: the name of a language expected, at most {_LONGEST_LANGUAGE} letters")
    return LightRagVariables(size, overlap, _share(environment, "COSINE_THRESHOLD", usual.least_cosine), language)


def name_unread_variables(environment: Mapping[str, str], *more: str) -> str:
    """Return the sentence about LightRAG's variables that are set and not read, ``more`` among them; "" for none."""
    found = [name for name in (*more, *_NOT_READ) if environment.get(name, "").strip()]
    return f"variables of LightRAG that are not read by Mneme: {', '.join(found)}" if found else ""


def _number(environment: Mapping[str, str], name: str, least: int, most: int, usual: int) -> int:
    given = environment.get(name, "").strip()
    if not given:
        return usual
    if not (given.isascii() and given.isdigit() and len(given) <= len(str(most)) and least <= int(given) <= most):
        raise ConfigInvalid(f"{name}: a whole number of tokens from {least} to {most:,} expected")
    return int(given)


def _share(environment: Mapping[str, str], name: str, usual: float) -> float:
    given = environment.get(name, "").strip()
    try:
        share = float(given) if given else usual
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ConfigInvalid(f"{name}: a number from 0 to 1 expected")
    return share
