"""Ollama's ``/api`` as LightRAG plays it, for the workspace of each request."""

from __future__ import annotations

from typing import Any

import structlog
from fastapi import APIRouter, Depends, HTTPException, Request
from lightrag.base import QueryParam
from pydantic import ValidationError

from memory_server.api.lightrag_routes import LightragApi
from memory_server.errors import MemoryServerError

PREFIX = "/api"


def ollama_router(api: LightragApi, rag: Any) -> APIRouter:  # Any: looks like a LightRAG
    """Return LightRAG's routes; what they would repeat of an invalid request is refused before them."""

    async def checked(request: Request) -> None:
        model = api.ollama_bodies.get(request.scope["path"].removeprefix(request.scope.get("root_path", "")))
        if model is None:
            return
        try:
            model.model_validate_json(await request.body())
        except ValidationError as error:
            if api.too_large(error):
                return  # LightRAG's 413 names fields only
            found = (f"{' -> '.join(map(str, entry['loc'])) or 'body'}: {entry['msg']}" for entry in error.errors())
            raise HTTPException(400, f"Invalid request body: {'; '.join(found)}") from error

    router = APIRouter(prefix=PREFIX, dependencies=[Depends(checked)])
    router.include_router(api.ollama(_AnsweringRag(rag, api.server_names())).router)
    return router


class _AnsweringRag:
    """Looks like a LightRAG to Ollama's routes.

    They hand some prompts to the model alone (``/api/generate``, ``/bypass``); where no model can answer one, it is
    answered with what is found for it.
    """

    def __init__(self, rag: Any, names: Any) -> None:  # Any: looks like a LightRAG; LightRAG's untyped names
        self._rag, self.ollama_server_infos = rag, names
        self.role_llm_funcs = {"query": self._answer}

    def __getattr__(self, name: str) -> Any:  # Any: whatever LightRAG has under this name
        return getattr(self._rag, name)

    async def _answer(self, prompt: str, **hints: Any) -> Any:  # Any: LightRAG's hints; a text or its pieces
        if self._rag.asked_model.name:
            try:
                return await self._rag.role_llm_funcs["query"](prompt, **hints)
            except (MemoryServerError, TimeoutError) as error:
                structlog.get_logger().warning("answer_by_rules", error=type(error).__name__)
        return await self._rag.aquery(prompt, QueryParam(mode="mix", stream=False))
