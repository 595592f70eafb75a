"""A child process that keeps the memory server's contract, and breaks it on command.

Run as ``python fake_process.py MOOD FOLDER``: FOLDER/starts gets a line per start, FOLDER/log what happens.
Moods: good · silent (announces no port) · dies (ends after the first health check) · hangs (answers two health checks)
· stubborn (ignores SIGTERM and the end of stdin) · sick (announces, never healthy) · refuses (ends at once).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import threading
from pathlib import Path


async def main(mood: str, folder: Path) -> int:
    with (folder / "starts").open("a") as starts:
        starts.write(f"{os.getpid()} {os.environ.get('MNEME_MEMORY_KEY', '')}\n")
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    if mood == "refuses":
        return 3
    if mood == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    else:
        loop.add_signal_handler(signal.SIGTERM, ended.set)
        threading.Thread(target=_until_stdin_ends, args=(loop, ended), daemon=True).start()
    checks = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal checks
        await reader.readuntil(b"\r\n\r\n")
        checks += 1
        if (mood == "hangs" and checks > 2) or mood == "sick":
            await ended.wait()
        body = b'{"status": "healthy", "mneme": {}}'
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        await writer.drain()
        writer.close()
        if mood == "dies":
            os._exit(7)

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    sys.stdout.write("a line that is no announcement\n")
    if mood != "silent":
        sys.stdout.write(json.dumps({"port": server.sockets[0].getsockname()[1]}) + "\n")
    sys.stdout.write("started, with a very long line: " + "x" * 200_000 + "\n")
    sys.stdout.flush()
    sys.stderr.write("said on stderr\n")
    sys.stderr.flush()
    await ended.wait()
    with (folder / "log").open("a") as log:
        log.write("ended by itself\n")
    return 0


def _until_stdin_ends(loop: asyncio.AbstractEventLoop, ended: asyncio.Event) -> None:
    while sys.stdin.buffer.read(1024):
        pass
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(ended.set)


if __name__ == "__main__":
    code = asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
    os._exit(code)
