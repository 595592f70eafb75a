"""The files of messages: getFile gives a path that is valid for an hour, the path gives the bytes."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import web

from harness.fakes.telegram.floods import Fault, Faults
from harness.fakes.telegram.refusal import Refusal, bad_request, wrong_request

_Json = dict[str, Any]  # Any: JSON
LARGEST: Final = 20_000_000
"""Bytes that a bot may fetch."""
DOWNLOAD: Final = "file"
"""What a download is called in the faults that a test orders."""
_PIECE: Final = 1 << 16
_FOLDERS: Final = {"photo": "photos", "voice": "voice", "audio": "music", "video_note": "video_notes"}
_EXTRAS: Final[dict[str, _Json]] = {
    "voice": {"duration": 3},
    "audio": {"duration": 3},
    "video_note": {"duration": 3, "length": 240},
}


@dataclass(frozen=True, slots=True)
class _Stored:
    content: bytes
    size: int
    folder: str
    name: str


class Files:
    """Keeps what people send; ``fetched`` lists the ids whose bytes were given out, in order."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._stored: dict[str, _Stored] = {}
        self._paths: dict[str, str] = {}
        self._numbers = itertools.count(1)
        self.fetched: list[str] = []

    def attach(
        self, kind: str, content: bytes, *, name: str = "", media_type: str = "", size: int | None = None
    ) -> _Json:
        """Keep a file and return the fields of the message that carries it; ``size`` may claim another length."""
        number = next(self._numbers)
        file_id = f"file-{number}-{hashlib.sha256(content).hexdigest()[:12]}"
        length = len(content) if size is None else size
        self._stored[file_id] = _Stored(content, length, _FOLDERS.get(kind, "documents"), name)
        about: _Json = {"file_id": file_id, "file_unique_id": file_id[-12:], "file_size": length}
        if kind == "photo":
            return {"photo": [about | {"width": 800, "height": 600}]}
        about |= {"file_name": name} if name and kind in {"document", "audio"} else {}
        about |= {"mime_type": media_type} if media_type and kind != "video_note" else {}
        return {kind: about | _EXTRAS.get(kind, {})}

    def lose(self, file_id: str) -> None:
        """Let a file be gone for good."""
        del self._stored[file_id]

    def expire_paths(self) -> None:
        """Let an hour pass for every path given so far."""
        self._paths.clear()

    def get(self, params: _Json) -> _Json:
        """Return the answer to getFile."""
        file_id = str(params.get("file_id", ""))
        if not file_id:
            raise wrong_request("file_id is not specified")
        stored = self._stored.get(file_id)
        if stored is None:
            raise bad_request("wrong file_id or the file is temporarily unavailable")
        if stored.size > LARGEST:
            raise bad_request("file is too big")
        path = f"{stored.folder}/file_{next(self._numbers)}"
        self._paths[path] = file_id
        return {"file_id": file_id, "file_unique_id": file_id[-12:], "file_size": stored.size, "file_path": path}

    async def download(self, request: web.Request, path: str) -> web.StreamResponse:
        """Answer a download, in pieces; a path that was not given, or not within the hour, is none."""
        file_id = self._paths.get(path)
        stored = self._stored.get(file_id or "")
        if file_id is None or stored is None:
            refusal = Refusal(404, "Not Found")
            return web.json_response(refusal.body(), status=refusal.code)
        order = self._faults.next(DOWNLOAD)
        if order is not None and order.fault is Fault.FAILED:
            return web.json_response(Refusal(order.code, "Internal Server Error").body(), status=order.code)
        response = web.StreamResponse(headers={"Content-Length": str(len(stored.content))})
        response.content_type = "application/octet-stream"
        await response.prepare(request)
        for start in range(0, len(stored.content), _PIECE):
            if order is not None and start and request.transport is not None:  # any other fault: lost half-way
                request.transport.abort()
                return response
            await response.write(stored.content[start : start + _PIECE])
        await response.write_eof()
        self.fetched.append(file_id)
        return response
