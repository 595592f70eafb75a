"""Which embedding model the memory server uses: its own, or an endpoint when the environment names one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import httpx

from adapters.embedding.endpoint import WINDOW_TOKENS, EndpointEmbedder
from adapters.embedding.minilm import MiniLmEmbedder
from bot.errors import ConfigInvalid
from bot.ports.embedder import Embedder

LEAST_WINDOW = 64
"""Tokens; less than that no model reads, and every chunk would become a heap of vectors."""


def server_embedder(models: Path, environment: Mapping[str, str]) -> Embedder:
    """Return the local model, or with EMBEDDING_URL the OpenAI-compatible endpoint there.

    EMBEDDING_TOKENS says how many tokens of a text the model there reads.
    Raises :class:`ConfigInvalid` when EMBEDDING_MODEL or EMBEDDING_DIMENSION is missing beside the address.  Its
    connections last as long as the process.
    """
    url = environment.get("EMBEDDING_URL", "")
    if not url:
        return MiniLmEmbedder(models)
    model, dimension = environment.get("EMBEDDING_MODEL", ""), environment.get("EMBEDDING_DIMENSION", "")
    if not model or not dimension.isdigit() or int(dimension) == 0:
        raise ConfigInvalid(
            "EMBEDDING_URL needs EMBEDDING_MODEL and EMBEDDING_DIMENSION, the length of the model's vectors; "
            f"got {model!r} and {dimension!r}"
        )
    window = environment.get("EMBEDDING_TOKENS", "") or str(WINDOW_TOKENS)
    if not window.isdigit() or int(window) < LEAST_WINDOW:
        raise ConfigInvalid(f"EMBEDDING_TOKENS must be a number from {LEAST_WINDOW} on, got {window!r}")
    key = environment.get("EMBEDDING_API_KEY", "")
    return EndpointEmbedder(url, key, model, int(dimension), httpx.AsyncClient(), window_tokens=int(window))
