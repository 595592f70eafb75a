"""The body of a request that knows whether the last of it was handed over: without that no server can act on it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from pathlib import Path
from typing import IO

from aiohttp.abc import AbstractStreamWriter
from aiohttp.payload import Payload

_PIECE = 16_384
"""Bytes that are handed over at once; the last piece goes when all before it has left us."""
_FILE_PIECE = 262_144
"""The same of a file: a large one would else wait for its line thousands of times."""
_LOOK_S = 0.005
"""Between looks whether a piece has left: only a body longer than a piece on a slow line ever waits."""


class Body(Payload):
    """Bytes and files, one after another; files are read while they are sent."""

    _autoclose = True  # files are opened by the writing alone

    def __init__(self, contents: tuple[bytes | Path, ...], content_type: str) -> None:
        """Raise ``OSError`` for a file that is not there."""
        super().__init__(contents, content_type=content_type)
        self._contents = contents
        self._size = sum(len(each) if isinstance(each, bytes) else each.stat().st_size for each in contents)
        self.whole = False

    @property
    def length(self) -> int:
        """All bytes of it."""
        return self._size or 0

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        """Raise: a body with files is no text."""
        raise TypeError("a body is written, not read")

    async def write(self, writer: AbstractStreamWriter) -> None:
        """Write all of it."""
        await self.write_with_length(writer, None)

    async def write_with_length(self, writer: AbstractStreamWriter, content_length: int | None) -> None:
        """Write all of it, each piece when the one before has left us."""
        begun = False
        async with aclosing(self._read()) as pieces:  # a file that is sent no further is closed at once
            async for piece in pieces:
                while begun and writer.transport is not None and writer.transport.get_write_buffer_size():  # noqa: ASYNC110 - asyncio tells of no such event
                    await asyncio.sleep(_LOOK_S)
                await writer.write(piece)
                begun = True
        self.whole = True

    async def _read(self) -> AsyncGenerator[bytes, None]:
        for content in self._contents:
            if isinstance(content, bytes):
                for start in range(0, len(content), _PIECE):
                    yield content[start : start + _PIECE]
                continue
            with await asyncio.to_thread(content.open, "rb") as file:
                while piece := await asyncio.to_thread(_read_piece, file):
                    yield piece


def make_form(fields: Mapping[str, str], files: Mapping[str, tuple[str, Path]]) -> Body:
    """Return a multipart form (RFC 7578) of text fields and of files, each a name and a path.

    Names stand as UTF-8, as browsers write them (https://html.spec.whatwg.org/#multipart-form-data).
    Raises ``OSError`` for a file that is not there.
    """
    boundary = secrets.token_hex(16)
    contents: list[bytes | Path] = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    for field, (name, path) in files.items():
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"; filename="{_quote(name)}"\r\n'
        contents += [f"{head}Content-Type: application/octet-stream\r\n\r\n".encode(), path, b"\r\n"]
    contents.append(f"--{boundary}--\r\n".encode())
    return Body(tuple(contents), f"multipart/form-data; boundary={boundary}")


def _read_piece(file: IO[bytes]) -> bytes:
    return file.read(_FILE_PIECE)


def _quote(name: str) -> str:
    return name.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
