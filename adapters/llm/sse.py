"""Server-sent events, as model servers really send them.

Why not ``httpx``'s line iterator: it also splits at U+2028, U+0085 and form feeds, which stand unescaped in JSON.
The format is the WHATWG one (https://html.spec.whatwg.org/multipage/server-sent-events.html) with three indulgences:
a last event without its blank line counts, a bare JSON line counts as data, and events may lack blank lines between
them (see :meth:`SseParser.feed`).
"""

from __future__ import annotations

import codecs
from collections.abc import AsyncGenerator, AsyncIterator

from bot.errors import ModelUnavailable

MAX_LINE_CHARS = 8_000_000
"""More than any chunk of a sane server: a line that never ends is garbage, not an answer."""


class SseParser:
    """Cuts a byte stream into the data of its events, however the network sliced it."""

    __slots__ = ("_buffer", "_data", "_decoder")

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._buffer = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> tuple[str, ...]:
        """Return the data of the events that this chunk completes.

        Raises :class:`~bot.errors.ModelUnavailable` when a line grows without end.
        """
        self._buffer += self._decoder.decode(chunk)
        held = "\r" if self._buffer.endswith("\r") else ""  # its \n may come with the next chunk
        text = self._buffer.removesuffix(held).replace("\r\n", "\n").replace("\r", "\n")
        *lines, rest = text.split("\n")
        self._buffer = rest + held
        if len(self._buffer) > MAX_LINE_CHARS:
            raise ModelUnavailable("the language model server sends a line without end")
        return tuple(event for line in lines for event in self._line(line))

    def finish(self) -> tuple[str, ...]:
        """Return what an end without a blank line left over."""
        rest = self._buffer + self._decoder.decode(b"", final=True)
        self._buffer = ""
        return (*self._line(rest.rstrip("\r")), *self._line(""))

    def _line(self, line: str) -> tuple[str, ...]:
        if line.startswith("data:"):
            self._data.append(line[5:].removeprefix(" "))
        elif line.startswith("{"):
            self._data.append(line)
        elif not line and self._data:
            event = "\n".join(self._data)
            self._data.clear()
            return (event,)
        return ()


async def events(chunks: AsyncIterator[bytes]) -> AsyncGenerator[str]:
    """Yield the data of each event; comments, names and ids are left out."""
    parser = SseParser()
    async for chunk in chunks:
        for event in parser.feed(chunk):
            yield event
    for event in parser.finish():
        yield event
