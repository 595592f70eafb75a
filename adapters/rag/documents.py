"""Documents on the server: the names that this installation gives them, and what LightRAG records about them.

Names: two bots give the same tag to the same person, and every terminal is ``cu1``; so whatever a server keeps by name
carries the installation's own name as well: the workspace where the server keeps workspaces apart, the document where
it has one workspace for all.

Records: a document's id is the md5 of its name, so the client knows it beforehand.  There is no route that shows one
record; its state is read from the track of its own POST, from the 409 that a second POST of the same name gets, or from
the listing (sorted by id, so that a record is found among N by log2(N/200) requests).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from hashlib import md5
from typing import Final

from adapters.rag.transport import ServerReply, Transport, refuse_status
from bot.errors import MemoryUnavailable
from bot.memory.document import Source, parse_source
from bot.memory.scope import Installation, Scope

_MARKED: Final = re.compile(r"(?P<installation>[a-z][a-z0-9]{15})_(?P<source>(?:conv|doc)_.+)")
_NOBODY: Final = "-"
"""No scope's tag."""


@dataclass(frozen=True, slots=True)
class ServerNames:
    """Names for the server in force; ``shared`` says whether it keeps (or may keep) everything in one workspace."""

    installation: Installation
    shared: Callable[[], bool] = lambda: False

    def workspace(self, scope: Scope) -> str:
        """Return the name of a scope's workspace."""
        return self.installation.workspace(scope)

    def document(self, source: str) -> str:
        """Return the name that a document has on the server."""
        return f"{self.installation.name}_{source}" if self.shared() else source

    def source(self, document: str) -> Source | None:
        """Return what a document's name on the server says, ``None`` for one that no Mneme gives.

        A document of another installation belongs to a tag that no scope has.
        """
        marked = _MARKED.fullmatch(document)
        said = parse_source(marked["source"] if marked else document)
        if said is None:
            return None
        foreign = marked["installation"] != self.installation.name if marked else self.shared()
        return Source(said.said_at, _NOBODY, said.uid) if foreign else said


_STATUS: Final = re.compile(r"\(Status: (?:DocStatus\.)?([A-Za-z]+)\)")
_PAGE: Final = 200
_NO_SUCH_ROUTE: Final = frozenset({404, 405, 501})


class DocumentState(Enum):
    """Where a document stands."""

    PROCESSED = auto()
    UNDERWAY = auto()
    FAILED = auto()
    ABSENT = auto()


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """One document: ``original`` names the document that this one is a mere duplicate of, "" otherwise."""

    id: str
    source: str
    state: DocumentState
    updated_at: str = ""
    original: str = ""


def document_id(source: str) -> str:
    """Return the id LightRAG gives to a document of this (flat) name."""
    return "doc-" + md5(source.encode(), usedforsecurity=False).hexdigest()


def read_conflict(reply: ServerReply) -> DocumentState | None:
    """Return the state that the 409 of a second POST tells; ``None`` if it is about something else (deleting)."""
    match = _STATUS.search(reply.detail)
    return parse_state(match[1]) if match else None


def parse_state(status: str) -> DocumentState:
    """Map LightRAG's status words; an unknown one means that work goes on."""
    match status.lower():
        case "processed":
            return DocumentState.PROCESSED
        case "failed":
            return DocumentState.FAILED
        case _:
            return DocumentState.UNDERWAY


async def delete_documents(transport: Transport, scope: Scope, ids: tuple[str, ...], *, deadline_s: float) -> bool:
    """Ask for the removal of documents; ``False`` when the server is busy and did not take the order.

    ``True`` says nothing about the end of it, not even that the documents exist.
    """
    asked = {"doc_ids": list(ids), "delete_file": False, "delete_llm_cache": True}
    reply = await transport.call("DELETE", "/documents/delete_document", scope, deadline_s=deadline_s, json=asked)
    return _body(reply).get("status") == "deletion_started"


class DocumentRecords:
    """Reads the status of documents."""

    def __init__(self, transport: Transport, deadline_s: Callable[[], float]) -> None:
        self._transport = transport
        self._deadline_s = deadline_s

    async def list_tracked(self, scope: Scope, track: str) -> tuple[DocumentRecord, ...]:
        """Return what a POST has become; empty for a moment after it, after a crash and for a wrong track id."""
        reply = await self._transport.call(
            "GET", f"/documents/track_status/{track}", scope, deadline_s=self._deadline_s()
        )
        if reply.status == 404:  # noqa: PLR2004 - HTTP's "not found"
            return ()
        return tuple(_records(_body(reply)))

    async def find(self, scope: Scope, wanted: str) -> DocumentRecord | None:
        """Return the record of id ``wanted`` from the listing, ``None`` if it is not there or cannot be listed."""
        first, last = 1, 1
        while first <= last:
            page = (first + last) // 2
            records, pages = await self._page(scope, page)
            last = pages if last == 1 else min(last, pages)
            ids = [record.id for record in records]
            if wanted in ids:
                return records[ids.index(wanted)]
            if ids and wanted > ids[-1]:
                first = page + 1
            else:
                last = page - 1
        return None

    async def all(self, scope: Scope) -> tuple[DocumentRecord, ...]:
        """Return every record of the workspace."""
        found: list[DocumentRecord] = []
        page = pages = 1
        while page <= pages:
            records, pages = await self._page(scope, page)
            found += records
            page += 1
        return tuple(found)

    async def _page(self, scope: Scope, page: int) -> tuple[list[DocumentRecord], int]:
        asked = {"page": page, "page_size": _PAGE, "sort_field": "id", "sort_direction": "asc"}
        reply = await self._transport.call(
            "POST", "/documents/paginated", scope, deadline_s=self._deadline_s(), json=asked
        )
        if reply.status in _NO_SUCH_ROUTE:
            return [], 0
        body = _body(reply)
        pagination = body.get("pagination")
        pages = pagination.get("total_pages") if isinstance(pagination, dict) else None
        if not isinstance(pages, int):
            raise MemoryUnavailable("long-term memory unavailable: a listing without page numbers")
        return list(_records(body)), pages


def _body(reply: ServerReply) -> dict[str, object]:
    if reply.status != 200 or not isinstance(reply.body, dict):  # noqa: PLR2004 - HTTP's "OK"
        raise refuse_status(reply)
    return reply.body


def _records(body: dict[str, object]) -> Iterator[DocumentRecord]:
    documents = body.get("documents")
    for document in documents if isinstance(documents, list) else ():
        if not isinstance(document, dict):
            continue
        identity, source, status = (document.get(key) for key in ("id", "file_path", "status"))
        if not (isinstance(identity, str) and isinstance(source, str) and isinstance(status, str)):
            continue
        metadata = document.get("metadata")
        duplicate = isinstance(metadata, dict) and metadata.get("is_duplicate") is True
        original = str(metadata.get("original_doc_id", "")) if duplicate and isinstance(metadata, dict) else ""
        yield DocumentRecord(
            identity, source, parse_state(status), str(document.get("updated_at", "")), original or "?" * duplicate
        )
