"""How ``mneme page`` asks a running Mneme for a link: through a socket that only the data folder's owner can open.

The running process alone may write to its database, so it serves the page; a link that is asked for here may see every
memory of the installation, as whoever can open the folder can anyway.

A browser is led to a link by a file: whatever stands in a program's arguments, every user of the machine can read.  It
lies in a folder of its own that nobody else may open, and goes when its link is used, else when the page closes.
"""

import asyncio
import os
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path
from typing import Final

import structlog

from adapters.page.gate import hash_token
from bot.errors import MnemeError

_NAME: Final = "page.sock"
_LINE: Final = b"link\n"
_LIMIT_S: Final = 10.0


class Control:
    """Answers each connection with a link."""

    def __init__(self, folder: Path, make_link: Callable[[], Awaitable[str]]) -> None:
        self._folder = folder
        self._make_link = make_link
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Begin to answer; where no socket can be made, ``mneme page`` is told so by nobody answering."""
        (self._folder / _NAME).unlink(missing_ok=True)
        try:
            with _shorten(self._folder) as path:
                self._server = await asyncio.start_unix_server(self._answer, path)
            (self._folder / _NAME).chmod(0o600)
        except OSError as error:
            structlog.get_logger().warning("page control not started", reason=error.strerror)

    async def close(self) -> None:
        """Stop answering; no file leads to a link any more."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
            (self._folder / _NAME).unlink(missing_ok=True)
        await asyncio.to_thread(delete_redirects, self._folder)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_LIMIT_S):
                if await reader.readline() == _LINE:
                    writer.write(f"{await self._make_link()}\n".encode())
                    await writer.drain()
        except (MnemeError, OSError, TimeoutError) as error:
            structlog.get_logger().warning("page link not given", cause=type(error).__name__)
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


async def ask_for_link(folder: Path) -> str | None:
    """Return a link from the Mneme that uses a folder, ``None`` if nobody answers there."""
    try:
        async with asyncio.timeout(_LIMIT_S):
            with _shorten(folder) as path:
                reader, writer = await asyncio.open_unix_connection(path)
            try:
                writer.write(_LINE)
                line = await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return None
    return line.decode("ascii", errors="replace").strip() or None


@contextmanager
def _shorten(folder: Path) -> Iterator[str]:
    """Yield a short path to the socket: the system takes no more than some hundred bytes, and folders lie deep."""
    with tempfile.TemporaryDirectory(prefix="mneme-") as short:
        link = os.path.join(short, "s")  # noqa: PTH118 - a socket's path is text
        os.symlink(folder.absolute(), link)  # noqa: PTH211 - as above
        yield os.path.join(link, _NAME)  # noqa: PTH118 - as above


_FOLDER: Final = "page-link"
_PAGE: Final = (
    '<!doctype html><meta charset="utf-8"><title>Mneme</title>'
    '<meta http-equiv="refresh" content="0;url={link}"><p><a href="{link}">Mneme</a></p>\n'
)


def write_redirect(state: Path, link: str) -> Path:
    """Write the file for a link below the state folder and return where it is.  Blocks; raises ``OSError``."""
    (state / _FOLDER).mkdir(mode=0o700, exist_ok=True)
    file = _find_file(state, link.rpartition("/")[2])
    file.touch(mode=0o600)
    file.write_text(_PAGE.format(link=escape(link)), encoding="utf-8")
    return file


def delete_redirect(state: Path, token: str) -> None:
    """Delete the file of the link that ends in a token, if there is one."""
    _find_file(state, token).unlink(missing_ok=True)


def delete_redirects(state: Path) -> None:
    """Delete the files of all links."""
    shutil.rmtree(state / _FOLDER, ignore_errors=True)


def _find_file(state: Path, token: str) -> Path:
    return (state / _FOLDER / hash_token(token)).with_suffix(".html")
