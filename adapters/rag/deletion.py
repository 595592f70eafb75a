"""Documents out of LightRAG, until a search proves that they are gone.

LightRAG confirms a deletion before it begins, also one of a document that never was, and its own success message has
been wrong; so an erase ends only when the listing does not know the document and a query does not find it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from adapters.rag.documents import DocumentRecords, ServerNames, delete_documents, document_id
from adapters.rag.transport import Transport, refuse_status
from bot.errors import MemoryUnavailable
from bot.memory.scope import Scope

_BATCH: Final = 100
_VERIFIED_RESULTS: Final = 100
_NO_SUCH_ROUTE: Final = frozenset({404, 405, 501})


class DeletionRoute:
    """Implements ``RagEraser``."""

    def __init__(
        self,
        transport: Transport,
        records: DocumentRecords,
        names: ServerNames,
        *,
        deadline_s: Callable[[], float],
        workspaces: bool,
    ) -> None:
        self._transport = transport
        self._records = records
        self._names = names
        self._deadline_s = deadline_s
        self._workspaces = workspaces

    async def erase(self, scope: Scope, source: str) -> bool:
        """Remove one document; ``True`` once it is gone.  A repeated call is one more step."""
        name = self._names.document(source)
        wanted = document_id(name)
        if await self._records.find(scope, wanted) is not None or await self._residue(scope, name, wanted):
            await delete_documents(self._transport, scope, (wanted,), deadline_s=self._deadline_s())
            return False
        return True

    async def erase_scope(self, scope: Scope) -> bool:
        """Drop the workspace where the server can; else remove every document of the scope, one batch per call."""
        if self._workspaces:
            path = f"/workspaces/{self._names.workspace(scope)}"
            reply = await self._transport.call("DELETE", path, scope, deadline_s=self._deadline_s())
            if reply.status == 200 and isinstance(reply.body, dict):  # noqa: PLR2004 - HTTP's "OK"
                return reply.body.get("status") != "busy" and not reply.body.get("residue")
            if reply.status not in _NO_SUCH_ROUTE:
                raise refuse_status(reply)
        mine = []
        for record in await self._records.all(scope):
            named = self._names.source(record.source)
            if named is not None and named.tag == scope.tag:
                mine.append(record.id)
        if mine:
            await delete_documents(self._transport, scope, tuple(mine[:_BATCH]), deadline_s=self._deadline_s())
        return not mine

    async def _residue(self, scope: Scope, name: str, wanted: str) -> bool:
        """Whether a search still finds anything that names the document."""
        named = self._names.source(name)
        about = f"{named.tag} {named.uid}" if named else name
        asked = {
            "query": f"Ref: {about}",
            "mode": "mix",
            "ll_keywords": [about],
            "hl_keywords": [about],
            "chunk_top_k": _VERIFIED_RESULTS,
            "top_k": _VERIFIED_RESULTS,
            "enable_rerank": False,
        }
        if self._workspaces:
            asked["ids"] = [wanted]
        reply = await self._transport.call("POST", "/query/data", scope, deadline_s=self._deadline_s(), json=asked)
        if reply.status != 200 or not isinstance(reply.body, dict):  # noqa: PLR2004 - HTTP's "OK"
            raise refuse_status(reply)
        data = reply.body.get("data")
        if not isinstance(data, dict):
            raise MemoryUnavailable("long-term memory unavailable: an answer that makes no sense")
        return any(name in names.split("<SEP>") for names in _named(data))


def _named(data: Mapping[str, object]) -> Iterator[str]:
    for kind in ("chunks", "entities", "relationships"):
        entries = data.get(kind)
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and isinstance(entry.get("file_path"), str):
                yield entry["file_path"]
