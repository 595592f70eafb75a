"""A fake web site over real HTTP on loopback: pages, redirections, and answers that are nothing of the kind."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class FakeSite:
    """A server that answers each path with bytes of its own and keeps what it was sent."""

    answers: dict[str, bytes]
    port: int = 0
    requests: list[str] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request."""
        request = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.requests.append(request)
        answer = self.answers.get(request.split(" ")[1], b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        writer.write(answer)
        if b"Content-Length" in answer:
            await writer.drain()
            writer.close()
        else:
            await reader.read()  # answers for ever: until the other side has had enough
            writer.close()


def answer_with(body: bytes = b"<p>hello</p>", *headers: str, kind: str = "text/html; charset=utf-8") -> bytes:
    """Return an answer with a body."""
    lines = ["HTTP/1.1 200 OK", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def redirect(place: str) -> bytes:
    """Return a redirection."""
    return f"HTTP/1.1 302 Found\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n".encode()


@asynccontextmanager
async def serving(answers: dict[str, bytes], *, tls: ssl.SSLContext | None = None) -> AsyncIterator[FakeSite]:
    """Run a server on loopback."""
    made = FakeSite(answers)
    listening = await asyncio.start_server(made.serve, "127.0.0.1", 0, ssl=tls)
    made.port = listening.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        listening.close()
