"""What LightRAG says about one of its documents.

A document's id is the md5 of its name, so the client knows it beforehand.  There is no route that shows one record; its
state is read from the track of its own POST, from the 409 that a second POST of the same name gets, or from the listing
(sorted by id, so that a record is found among N by log2(N/200) requests).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from hashlib import md5
from typing import Final

from adapters.rag.wire import Reply, Wire, refused
from bot.errors import MemoryUnavailable
from bot.memory.scope import Scope

_STATUS: Final = re.compile(r"\(Status: (?:DocStatus\.)?([A-Za-z]+)\)")
_PAGE: Final = 200
_NO_SUCH_ROUTE: Final = frozenset({404, 405, 501})


class Standing(Enum):
    """Where a document stands."""

    PROCESSED = auto()
    UNDERWAY = auto()
    FAILED = auto()
    ABSENT = auto()


@dataclass(frozen=True, slots=True)
class Record:
    """One document: ``original`` names the document that this one is a mere duplicate of, "" otherwise."""

    id: str
    source: str
    standing: Standing
    updated_at: str = ""
    original: str = ""


def document_id(source: str) -> str:
    """Return the id LightRAG gives to a document of this (flat) name."""
    return "doc-" + md5(source.encode(), usedforsecurity=False).hexdigest()


def conflict(reply: Reply) -> Standing | None:
    """Return the standing that the 409 of a second POST tells; ``None`` if it is about something else (deleting)."""
    match = _STATUS.search(reply.detail)
    return standing(match[1]) if match else None


def standing(status: str) -> Standing:
    """Map LightRAG's status words; an unknown one means that work goes on."""
    match status.lower():
        case "processed":
            return Standing.PROCESSED
        case "failed":
            return Standing.FAILED
        case _:
            return Standing.UNDERWAY


async def delete(wire: Wire, scope: Scope, ids: tuple[str, ...], *, deadline_s: float) -> bool:
    """Ask for the removal of documents; ``False`` when the server is busy and did not take the order.

    ``True`` says nothing about the end of it, not even that the documents exist.
    """
    asked = {"doc_ids": list(ids), "delete_file": False, "delete_llm_cache": True}
    reply = await wire.call("DELETE", "/documents/delete_document", scope, deadline_s=deadline_s, json=asked)
    return _body(reply).get("status") == "deletion_started"


class Records:
    """Reads the status of documents."""

    def __init__(self, wire: Wire, deadline_s: Callable[[], float]) -> None:
        self._wire = wire
        self._deadline_s = deadline_s

    async def tracked(self, scope: Scope, track: str) -> tuple[Record, ...]:
        """Return what a POST has become; empty for a moment after it, after a crash and for a wrong track id."""
        reply = await self._wire.call("GET", f"/documents/track_status/{track}", scope, deadline_s=self._deadline_s())
        if reply.status == 404:  # noqa: PLR2004 - HTTP's "not found"
            return ()
        return tuple(_records(_body(reply)))

    async def find(self, scope: Scope, wanted: str) -> Record | None:
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

    async def all(self, scope: Scope) -> tuple[Record, ...]:
        """Return every record of the workspace."""
        found: list[Record] = []
        page = pages = 1
        while page <= pages:
            records, pages = await self._page(scope, page)
            found += records
            page += 1
        return tuple(found)

    async def _page(self, scope: Scope, page: int) -> tuple[list[Record], int]:
        asked = {"page": page, "page_size": _PAGE, "sort_field": "id", "sort_direction": "asc"}
        reply = await self._wire.call("POST", "/documents/paginated", scope, deadline_s=self._deadline_s(), json=asked)
        if reply.status in _NO_SUCH_ROUTE:
            return [], 0
        body = _body(reply)
        pagination = body.get("pagination")
        pages = pagination.get("total_pages") if isinstance(pagination, dict) else None
        if not isinstance(pages, int):
            raise MemoryUnavailable("long-term memory unavailable: a listing without page numbers")
        return list(_records(body)), pages


def _body(reply: Reply) -> dict[str, object]:
    if reply.status != 200 or not isinstance(reply.body, dict):  # noqa: PLR2004 - HTTP's "OK"
        raise refused(reply)
    return reply.body


def _records(body: dict[str, object]) -> Iterator[Record]:
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
        yield Record(
            identity, source, standing(status), str(document.get("updated_at", "")), original or "?" * duplicate
        )
