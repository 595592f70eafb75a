"""Long-term memory that is asked each question once."""

from __future__ import annotations

import time

from adapters.rag.client import LightRagClient
from bot.memory.scope import Scope
from bot.ports.rag import IndexOutcome, QueryMode, RagAnswer
from bot.turn import IndexDocument


class CachedRag:
    """Long-term memory, asked once per question and mode: sources of one run share its answers.

    ``saved_ms`` adds up what the answers that were given again had cost.
    """

    def __init__(self, client: LightRagClient) -> None:
        self._client = client
        self._known: dict[tuple[Scope, str, QueryMode, bool], tuple[RagAnswer, float]] = {}
        self.saved_ms = 0.0

    async def query(
        self, scope: Scope, question: str, mode: QueryMode, *, deadline_s: float, documents_only: bool = False
    ) -> RagAnswer:
        """Return what the server says, or has said; see :class:`~bot.ports.rag.RagPort`."""
        key = (scope, question, mode, documents_only)
        if (known := self._known.get(key)) is not None:
            self.saved_ms += known[1]
            return known[0]
        start = time.perf_counter()
        answer = await self._client.query(scope, question, mode, deadline_s=deadline_s, documents_only=documents_only)
        self._known[key] = (answer, 1000 * (time.perf_counter() - start))
        return answer

    async def index(self, document: IndexDocument) -> IndexOutcome:
        """Hand over to the server."""
        return await self._client.index(document)

    async def is_available(self) -> bool:
        """Ask the server."""
        return await self._client.is_available()
