"""Documents: accept, erase, and the state of the queue, in the shapes of LightRAG's ``/documents`` routes.

What only reads (track status, pages, counts) is LightRAG's own code on the storages; these routes replace the ones that
start its pipeline.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from lightrag.utils import generate_track_id

from memory_server.api.lightrag_api import LightragApi, read_body, router_of
from memory_server.errors import DocumentRejected, EmbeddingUnavailable
from memory_server.indexing.embedding_texts import erase
from memory_server.indexing.ingest import TooMany, Worker, accept, count_waiting, revive
from memory_server.options import Embedder, Loader, ServerOptions
from memory_server.storage.workspace import current

Answer = dict[str, Any]  # Any: JSON in LightRAG's shapes
_RECEIVED = "Text successfully received. Processing will continue in background."


@dataclass(frozen=True, slots=True)
class DocumentRoutes:
    """The routes that write."""

    api: LightragApi
    worker: Worker
    embedder: Embedder
    options: ServerOptions
    loaders: tuple[Loader, ...] = ()

    def router(self) -> APIRouter:
        """Return the routes; they are to be asked before LightRAG's."""
        return router_of(
            "documents",
            ("POST", "/documents/text", self.insert_text),
            ("POST", "/documents/texts", self.insert_texts),
            ("POST", "/documents/upload", self.upload),
            ("GET", "/documents/supported_file_types", self.file_types),
            ("DELETE", "/documents/delete_document", self.delete),
            ("DELETE", "/documents", self.clear),
            ("GET", "/documents/pipeline_status", self.pipeline_status),
            ("POST", "/documents/reprocess_failed", self.reprocess_failed),
            ("POST", "/documents/cancel_pipeline", self.cancel),
            ("POST", "/documents/clear_cache", self.clear_cache),
            ("POST", "/documents/scan", self.scan),
        )

    async def insert_text(self, request: Request) -> Answer:
        """Accept one text: durable when this answers 200."""
        asked = await read_body(request, self.api.documents.InsertTextRequest)
        return await self._take({asked.file_source: asked.text}, asked.chunking)

    async def insert_texts(self, request: Request) -> Answer:
        """Accept several texts, all or none."""
        asked = await read_body(request, self.api.documents.InsertTextsRequest)
        sources = asked.file_sources or []
        texts = dict(zip(sources, asked.texts, strict=False))
        if not len(texts) == len(sources) == len(asked.texts):
            raise HTTPException(400, "A unique file_source is required for each text")
        return await self._take(texts, asked.chunking)

    async def _take(
        self, texts: dict[str, str], chunking: Any, kind: str = "insert"
    ) -> Answer:  # Any: LightRAG's model
        """Accept texts by their sources and name the track by which they are found."""
        if not all(self.api.documents.is_valid_file_source(source) for source in texts):
            raise HTTPException(400, "A valid file_source is required for text insertion")
        options, workspace, track_id = (
            chunking.model_dump() if chunking else None,
            current().workspace,
            generate_track_id(kind),
        )
        try:
            conflicts = await accept(workspace, texts, options, track_id, most_pending=self.options.most_pending)
        except TooMany as error:
            raise HTTPException(429, str(error), headers={"Retry-After": "10"}) from error
        except DocumentRejected as error:
            raise HTTPException(422, str(error)) from error
        for source, status in conflicts.items():  # in LightRAG's words, which clients read
            raise HTTPException(
                409,
                f"Document storage already contains '{source}' (Status: {status}). "
                "Delete the existing record before re-inserting.",
            )
        self.worker.wake(workspace.name)
        return {"status": "success", "message": _RECEIVED, "track_id": track_id}

    async def file_types(self) -> Answer:
        """List the endings that can be uploaded: plain text of any kind, and what loaders read."""
        read = {ending for loader in self.loaders for ending in loader.endings}
        return {"supported_extensions": sorted({*TEXT_ENDINGS, *read}), "engines": {}}

    async def upload(self, request: Request) -> Answer:
        """Accept a file of plain text in UTF-8, or of a kind that a loader reads."""
        async with request.form() as form:
            file = form.get("file")
            if file is None or isinstance(file, str) or not file.filename:
                raise HTTPException(400, "A file is required")
            try:
                text = await asyncio.to_thread(read_text_file, await file.read(), file.filename, self.loaders)
            except DocumentRejected as error:
                raise HTTPException(400, str(error)) from error
        return await self._take({self.api.documents.normalize_file_path(file.filename): text}, None, "upload")

    async def delete(self, request: Request) -> Answer:
        """Erase documents; the answer carries the receipt."""
        asked = await read_body(request, self.api.documents.DeleteDocRequest)
        try:
            receipt = await erase(current().workspace, asked.doc_ids, self.embedder)
        except EmbeddingUnavailable as error:
            raise HTTPException(503, f"erased, but entities cannot be embedded anew now: {error}") from error
        return {
            "status": "deletion_started",
            "message": f"Erased {receipt.documents} of {len(asked.doc_ids)} documents",
            "doc_id": ", ".join(asked.doc_ids),
            "receipt": asdict(receipt),
        }

    async def clear(self) -> Answer:
        """Erase every document of the workspace."""
        workspace = current().workspace
        ids = await workspace.read(lambda db: [key for (key,) in db.execute("SELECT id FROM status")])
        receipt = await erase(workspace, ids, self.embedder)
        return {"status": "success", "message": f"Erased {receipt.documents} documents", "receipt": asdict(receipt)}

    async def pipeline_status(self) -> Answer:
        """Say whether documents are being indexed and how many wait."""
        workspace = current().workspace
        count = await workspace.read(count_waiting)
        busy = workspace.name in self.worker.indexing
        message = f"{count} documents waiting" if count else "Nothing to index"
        return {
            "busy": busy,
            "job_name": "Indexing texts" if busy else "-",
            "job_start": None,
            "docs": count,
            "batchs": count,
            "cur_batch": 0,
            "latest_message": message,
            "history_messages": [message],
            "update_status": {},
            "recovery_required": False,
            "recovery_kind": None,
            "recovery_message": None,
        }

    async def reprocess_failed(self) -> Answer:
        """Make failed documents wait again and index them now."""
        workspace = current().workspace
        count = await revive(workspace)
        self.worker.wake(workspace.name)
        message = f"{count} documents will be indexed again"
        return {"status": "reprocessing_started", "message": message, "track_id": ""}

    async def cancel(self) -> Answer:
        """Answer that nothing is cancelled: accepted texts are always indexed."""
        return {"status": "not_busy", "message": "Accepted documents are always indexed; delete them instead"}

    async def clear_cache(self) -> Answer:
        """Answer that there is no cache of model answers here."""
        return {"status": "success", "message": "No answers of language models are kept"}

    async def scan(self) -> Answer:
        """Refuse: this server has no input folder."""
        raise HTTPException(501, "This server has no input folder; post texts or upload files")


TEXT_ENDINGS = (
    ".txt", ".md", ".mdx", ".markdown", ".rst", ".tex", ".html", ".htm", ".csv", ".tsv", ".json", ".xml", ".yaml",
    ".yml", ".toml", ".log", ".conf", ".ini", ".properties", ".sql", ".bat", ".sh", ".c", ".h", ".cpp", ".hpp", ".py",
    ".java", ".js", ".ts", ".swift", ".go", ".rb", ".php", ".css", ".scss", ".less",
)  # fmt: skip
"""Endings of text that clients offer for upload; any other file is taken as well if it is text in UTF-8."""


def read_text_file(content: bytes, name: str, loaders: Iterable[Loader] = ()) -> str:
    """Return the text of a file: read by the first loader for its ending, else as plain text in UTF-8.

    Raises :class:`DocumentRejected` for what is neither; a loader is foreign code, so whatever it raises becomes that.
    """
    for loader in loaders:
        if name.casefold().endswith(loader.endings):
            try:
                return str(loader.text(content, name))
            except DocumentRejected:
                raise
            except Exception as error:
                raise DocumentRejected(f"this file cannot be read: {type(error).__name__}") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentRejected("Only plain text in UTF-8 is accepted here") from error
    if "\0" in text:
        raise DocumentRejected("Only plain text is accepted here")
    return text
