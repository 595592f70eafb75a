"""LightRAG's REST server as it behaves (1.5.7), over real HTTP, without LightRAG: strict, slow and forgetful on demand.

What it copies was read from the package and seen on a running server: ids from base names, 409 with the status, the
``dup-`` record of a text seen before, deletions that begin after they are confirmed, work that nobody resumes after a
crash, a lexical stand-in for retrieval.
"""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import md5, sha256
from typing import Any, Self

from bot.memory.scope import Installation
from harness.fakes.faulty_http import Fault, FaultyHttp, Request, Response

INSTALLATION = Installation("a123456789012345")
"""Whose workspaces and documents they are, where a test does not say otherwise."""
_PREFIX = re.compile(r"[a-z][a-z0-9]{15}_")
_WORDS = re.compile(r"\w+")
_LARGEST_BODY = 1024 * 1024


@dataclass(slots=True)
class Stored:
    """A document: ``ready_at`` is when processing ends; ``failures`` how often it will fail until it works."""

    id: str
    source: str
    text: str
    track: str
    ready_at: float
    failures: int = 0
    stuck: bool = False
    version: int = 0
    original: str = ""
    gone_at: float | None = None

    @property
    def content_hash(self) -> str:
        return sha256(self.text.encode()).hexdigest()


@dataclass(slots=True)
class Workspace:
    """The documents of one workspace."""

    documents: dict[str, Stored] = field(default_factory=dict)


class FakeLightRag:
    """``ours``: honours the workspace header and can drop a workspace; a stock server has one workspace for all.

    ``delay_s`` is how long processing and deleting take, ``failing`` how often a text fails before it is processed,
    ``max_pending`` LightRAG's ``MAX_PENDING_DOCUMENTS``.
    """

    def __init__(
        self,
        *,
        ours: bool = True,
        key: str = "secret",
        delay_s: float = 0.0,
        failing: Callable[[str], int] = lambda _: 0,
        max_pending: int = 10_000,
        fault: Callable[[Request], Fault | None] = lambda _: None,
        seed: int = 0,
    ) -> None:
        self._ours = ours
        self._key = key
        self.delay_s = delay_s
        self._failing = failing
        self._max_pending = max_pending
        self._now = time.monotonic
        self._tracks = 0
        self.workspaces: dict[str, Workspace] = {}
        self.model_calls = 0
        """Calls of a language model that the client's requests would have cost."""
        self.http = FaultyHttp(self._answer, fault, seed=seed)

    async def __aenter__(self) -> Self:
        await self.http.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.stop()

    @property
    def url(self) -> str:
        return self.http.url

    def processed(self, tag: str) -> list[Stored]:
        """Return the documents that can be found of all workspaces of a scope (or of one by its name)."""
        return [document for document in self.stored(tag) if self._status(document) == "processed"]

    def stored(self, tag: str) -> list[Stored]:
        """Return all documents of all workspaces of a scope (or of one by its name)."""
        names = [name for name in self.workspaces if tag in {name, _PREFIX.sub("", name, count=1)}]
        return [document for name in names for document in self._living(name)]

    def put(self, workspace: str, source: str, text: str) -> None:
        """Store a processed document of a workspace without asking."""
        stored = Stored("doc-" + _md5(source), source, text, "", self._now())
        self.workspaces.setdefault(workspace, Workspace()).documents[stored.id] = stored

    async def crash(self, *, lose: Callable[[Stored], bool] = lambda _: False) -> None:
        """Kill and restart the server: what was not processed is lost or stays where it was until asked to resume."""
        await self.http.stop()
        for workspace in self.workspaces.values():
            for document in list(workspace.documents.values()):
                if self._status(document) not in {"processed", "failed"}:
                    document.stuck = True
                    if lose(document):
                        del workspace.documents[document.id]
        await self.http.start()

    def _answer(self, request: Request) -> Response:
        if request.path == "/health":
            return Response(200, {"status": "healthy", **({"mneme": {"workspaces": True}} if self._ours else {})})
        tag = request.headers.get("lightrag-workspace", "") if self._ours else ""
        if (refusal := self._refusal(request, tag)) is not None:
            return refusal
        body: dict[str, Any] = request.json if isinstance(request.json, dict) else {}
        if request.path == "/workspaces" and self._ours:
            return Response(200, {"workspaces": sorted(self.workspaces)})
        folder, _, name = request.path.strip("/").partition("/")
        if folder == "workspaces" and request.method == "DELETE" and self._ours:
            gone = self.workspaces.pop(name, Workspace())
            return Response(200, {"status": "dropped", "documents": len(gone.documents)})
        if name.startswith("track_status/"):
            track = name.partition("/")[2]
            return Response(200, {"documents": [self._shown(doc) for doc in self._living(tag) if doc.track == track]})
        routes: dict[tuple[str, str], Callable[[], Response]] = {
            ("POST", "/documents/text"): lambda: self._insert(tag, body),
            ("POST", "/documents/paginated"): lambda: self._page(tag, body),
            ("POST", "/documents/reprocess_failed"): lambda: self._reprocess(tag),
            ("DELETE", "/documents/delete_document"): lambda: self._delete(tag, body["doc_ids"]),
            ("GET", "/documents/pipeline_status"): lambda: Response(200, {"busy": self._busy(tag)}),
            ("POST", "/query/data"): lambda: self._query(tag, body),
        }
        route = routes.get((request.method, request.path))
        return Response(404, {"detail": "Not Found"}) if route is None else route()

    def _refusal(self, request: Request, tag: str) -> Response | None:
        if "authorization" in request.headers:
            return Response(401, {"detail": "Invalid token"})
        if request.headers.get("x-api-key") != self._key:
            return Response(403, {"detail": "Invalid API Key or no API Key"})
        if self._ours and not tag and not request.path.startswith("/workspaces"):
            return Response(400, {"detail": "LIGHTRAG-WORKSPACE is required"})
        if request.size > _LARGEST_BODY:
            return Response(413, {"detail": "Request body too large"})
        return None

    def _insert(self, tag: str, body: dict[str, Any]) -> Response:
        text, source = str(body.get("text", "")).strip(), str(body.get("file_source") or "").rsplit("/", 1)[-1]
        if not text:
            return Response(422, {"detail": [{"msg": "text cannot be empty or whitespace-only"}]})
        if any(document.gone_at is not None for document in self._living(tag)):
            return Response(409, {"detail": "Cannot enqueue documents while the pipeline is deleting documents."})
        if not source:
            return Response(400, {"detail": "A valid file_source is required for text insertion"})
        known = [document for document in self._living(tag) if document.source == source and not document.original]
        if known:
            status = self._status(known[0])
            detail = f"Document storage already contains '{source}' (Status: {status}). Delete the existing record"
            return Response(409, {"detail": f"{detail} before re-inserting."})
        if sum(self._status(document) not in {"processed", "failed"} for document in self._living(tag)) >= (
            self._max_pending
        ):
            return Response(429, {"detail": "Pipeline is at capacity"}, {"Retry-After": "1"})
        self._tracks += 1
        track = f"insert_{self._tracks}"
        new = Stored("doc-" + _md5(source), source, text, track, self._now() + self.delay_s)
        new.failures = self._failing(text)
        same = [doc for doc in self._living(tag) if doc.content_hash == new.content_hash and not doc.original]
        if same:
            new.id, new.original = f"dup-{_md5(new.id + track)}", same[0].id
        self.workspaces.setdefault(tag, Workspace()).documents[new.id] = new
        received = "Text successfully received. Processing will continue in background."
        return Response(200, {"status": "success", "message": received, "track_id": track})

    def _page(self, tag: str, body: dict[str, Any]) -> Response:
        key = {"id": "id", "file_path": "source"}[body["sort_field"]]
        down = body["sort_direction"] == "desc"
        documents = sorted(self._living(tag), key=lambda document: str(getattr(document, key)), reverse=down)
        size, page = body["page_size"], body["page"]
        shown = [self._shown(document) for document in documents[(page - 1) * size : page * size]]
        total = (len(documents) + size - 1) // size
        return Response(200, {"documents": shown, "pagination": {"page": page, "total_pages": total}})

    def _shown(self, document: Stored) -> dict[str, Any]:
        metadata = {"is_duplicate": True, "original_doc_id": document.original} if document.original else {}
        return {
            "id": document.id,
            "content_summary": document.text[:20],
            "status": self._status(document),
            "updated_at": f"version {document.version}",
            "track_id": document.track,
            "metadata": metadata,
            "file_path": document.source,
        }

    def _reprocess(self, tag: str) -> Response:
        for document in self._living(tag):
            if self._status(document) == "failed" and not document.original:
                document.failures -= 1
            elif not document.stuck:
                continue
            document.stuck = False
            document.version += 1
            document.ready_at = self._now() + self.delay_s
        return Response(200, {"status": "reprocessing_started", "message": "", "track_id": ""})

    def _delete(self, tag: str, ids: list[str]) -> Response:
        if self._busy(tag):
            return Response(200, {"status": "busy", "message": "", "doc_id": ", ".join(ids)})
        for document in self._living(tag):
            if document.id in ids:
                document.gone_at = self._now() + self.delay_s
        return Response(200, {"status": "deletion_started", "message": "", "doc_id": ", ".join(ids)})

    def _query(self, tag: str, body: dict[str, Any]) -> Response:
        query, mode = str(body["query"]).strip(), body["mode"]
        keywords = [*body.get("ll_keywords", ()), *body.get("hl_keywords", ())]
        if len(query) < 3:
            return Response(400, {"detail": "RAG query is too short."})
        if not keywords and mode != "naive":
            self.model_calls += 1
            if len(query) >= 50:
                return Response(500, {"detail": "internal_server_error"})
        asked = {word.casefold() for text in (query, *keywords) for word in _WORDS.findall(text)}
        wanted = body.get("ids") if self._ours else None
        hits = []
        for document in self.processed(tag):
            shared = len(asked & {word.casefold() for word in _WORDS.findall(document.text)})
            if shared and (wanted is None or document.id in wanted):
                hits.append((shared, document))
        found = [document for _, document in sorted(hits, key=lambda hit: -hit[0])][: body.get("chunk_top_k", 20)]
        if not found:
            return Response(200, {"status": "failure", "message": "[no-context]", "data": {}, "metadata": {}})
        chunks = [
            {
                "reference_id": str(n),
                "content": document.text,
                "file_path": document.source,
                "chunk_id": f"{document.id}-chunk-000",
            }
            for n, document in enumerate(found)
        ]
        entities = [] if mode == "naive" else list(_entities(found))
        data = {"entities": entities, "relationships": [], "chunks": chunks, "references": []}
        return Response(200, {"status": "success", "message": "", "data": data, "metadata": {"query_mode": mode}})

    def _living(self, tag: str) -> list[Stored]:
        workspace = self.workspaces.get(tag, Workspace())
        now = self._now()
        for document in list(workspace.documents.values()):
            if document.gone_at is not None and document.gone_at <= now:
                del workspace.documents[document.id]
        return list(workspace.documents.values())

    def _status(self, document: Stored) -> str:
        if document.original:
            return "failed"
        if document.stuck or self._now() < document.ready_at:
            return "processing"
        return "failed" if document.failures > 0 else "processed"

    def _busy(self, tag: str) -> bool:
        return any(
            document.gone_at is not None or (self._status(document) == "processing" and not document.stuck)
            for document in self._living(tag)
        )


def _md5(text: str) -> str:
    return md5(text.encode(), usedforsecurity=False).hexdigest()


def _entities(found: list[Stored]) -> Iterator[dict[str, Any]]:
    """Name every capitalised word; an entity of several documents carries all their names, joined."""
    mentions: dict[str, list[Stored]] = {}
    for document in found:
        for line in document.text.splitlines():
            for name in re.findall(r"\b[A-Z][a-z]{2,}\b", line.partition(": ")[2]):
                mentions.setdefault(name, []).append(document)
    for name, documents in mentions.items():
        sources = "<SEP>".join(dict.fromkeys(document.source for document in documents))
        description = "<SEP>".join(dict.fromkeys(_saying(document.text, name) for document in documents))
        yield {"entity_name": name, "entity_type": "UNKNOWN", "description": description, "file_path": sources}


def _saying(text: str, name: str) -> str:
    return next(line.partition(": ")[2] for line in text.splitlines() if name in line)
