"""LightRAG's own API modules, imported where and when they can be.

They parse the command line at import and read settings from the environment; the rest of the program must not pay for
that or be surprised by it.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter

from memory_server.chunking.tokens import tokenizer


@dataclass(frozen=True, slots=True)
class LightragApi:
    """What this server takes from LightRAG's: router factories, request models, small functions (Any: untyped)."""

    query_routes: Callable[..., APIRouter]
    graph_routes: Callable[..., APIRouter]
    document_routes: Callable[..., APIRouter]
    customization_routes: Callable[..., APIRouter]
    ollama: Callable[..., Any]
    ollama_bodies: dict[str, Any]
    too_large: Callable[[Any], bool]
    server_names: Callable[[], Any]
    document_manager: Callable[..., Any]
    text_request: Any
    texts_request: Any
    delete_request: Any
    chunking: Any
    chunking_of: Callable[[Any, Any], tuple[str, Any]]
    normalize_source: Callable[[str | None], str]
    valid_source: Callable[[str | None], bool]
    track_id: Callable[[str], str]


def _without_texts(record: logging.LogRecord) -> bool:
    """Keep where an error happened and its type, and nothing below errors: LightRAG quotes questions and names."""
    if record.levelno < logging.ERROR:
        return False
    kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else "error"
    record.msg, record.args = f"{kind} in {record.module}:{record.lineno}", ()
    record.exc_info = record.exc_text = None
    return True


def load() -> LightragApi:
    """Import LightRAG's routers with no command line, and with a log that names no texts."""
    arguments = sys.argv
    sys.argv = arguments[:1]
    log = logging.getLogger("lightrag")
    log.addFilter(_without_texts)
    try:
        from lightrag.api.config import initialize_config  # noqa: PLC0415 - see the module's text

        initialize_config()
        from lightrag.api.routers import (  # noqa: PLC0415 - see above
            document_routes,
            graph_routes,
            ollama_api,
            query_routes,
            ui_customization_routes,
        )
        from lightrag.base import OllamaServerInfos  # noqa: PLC0415 - see above
        from lightrag.utils import generate_track_id  # noqa: PLC0415 - see above
    finally:
        sys.argv = arguments
    # It counts tokens for Ollama's statistics with a vocabulary that it would download at the first request.
    ollama_api._ESTIMATE_TOKENIZER = tokenizer()  # noqa: SLF001 - there is no other way to give it one
    return LightragApi(
        query_routes=query_routes.create_query_routes,
        graph_routes=graph_routes.create_graph_routes,
        document_routes=document_routes.create_document_routes,
        customization_routes=ui_customization_routes.create_ui_customization_routes,
        ollama=ollama_api.OllamaAPI,
        ollama_bodies={
            "/api/chat": ollama_api.OllamaChatRequest,
            "/api/generate": ollama_api.OllamaGenerateRequest,
        },
        too_large=ollama_api._is_size_violation,  # noqa: SLF001 - which refusals are 413 there
        server_names=OllamaServerInfos,
        document_manager=document_routes.DocumentManager,
        text_request=document_routes.InsertTextRequest,
        texts_request=document_routes.InsertTextsRequest,
        delete_request=document_routes.DeleteDocRequest,
        chunking=document_routes.TextChunkingConfig,
        chunking_of=document_routes._resolve_text_chunking,  # noqa: SLF001 - its own route's step from request to pipeline
        normalize_source=document_routes.normalize_file_path,
        valid_source=document_routes.is_valid_file_source,
        track_id=generate_track_id,
    )
