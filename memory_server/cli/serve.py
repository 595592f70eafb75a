"""Serve until told to stop, or until the parent process is gone."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
import psutil
import structlog
import uvicorn

from memory_server.api.app import create_server
from memory_server.api.middleware import Gate
from memory_server.cli.lock import only_server
from memory_server.errors import ConfigInvalid
from memory_server.options import NO_PLUGINS, Plugins, ServerOptions
from memory_server.ports import Embedder

GRACE_S = 10
"""Seconds that requests may take to finish once the server is told to stop."""


async def serve(
    options: ServerOptions,
    embedder: Embedder,
    plugins: Plugins = NO_PLUGINS,
    *,
    on_ready: Callable[[int], None] = lambda _port: None,
) -> None:
    """Answer requests until SIGTERM, SIGINT or the parent's end; ``on_ready`` is told the port once they are answered.

    Raises :class:`ConfigInvalid` when the address is taken or another server uses the data folder.
    """
    with only_server(options.data_dir):
        listening = _listen(options.host, options.port)
        gate = _gate(options, embedder, plugins)
        settings = uvicorn.Config(
            gate,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="on",
            timeout_graceful_shutdown=GRACE_S,
            ws="none",
        )
        running = _Server(settings)
        watching = asyncio.create_task(_watch(running, options, listening.getsockname()[1], on_ready))
        try:
            await running.serve(sockets=[listening])
        finally:
            watching.cancel()
            listening.close()


def _gate(options: ServerOptions, embedder: Embedder, plugins: Plugins) -> Gate:
    if options.storage == "sqlite":
        return create_server(options, embedder, plugins).asgi
    # Imported here because its driver is an optional dependency.
    from memory_server.api.app_postgres import create_postgres_server  # noqa: PLC0415 - see the line above

    return create_postgres_server(options, embedder).asgi


class _Server(uvicorn.Server):
    """Ends with exit code 0 when it is told to stop: uvicorn raises the signal again once it has shut down."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Turn SIGTERM and SIGINT into a graceful stop, the second one into an immediate one."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        chosen = (signal.SIGTERM, signal.SIGINT)
        before = {number: signal.signal(number, self.handle_exit) for number in chosen}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def api_key(data_dir: Path) -> str:
    """Return the key of a data folder, made at the first start and kept readable for its owner only.

    Raises :class:`ConfigInvalid` for a file that holds no key: clients have the old one, so none is made unasked.
    """
    path = data_dir / "api-key"
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _kept_key(path)
    except OSError as error:
        raise ConfigInvalid(f"{path} cannot be made: {error.strerror}; let us read and write the folder") from error
    key = secrets.token_urlsafe(32)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(key + "\n")
    return key


def _kept_key(path: Path) -> str:
    try:
        key = path.read_text("ascii").strip()
    except (OSError, UnicodeError) as error:
        raise ConfigInvalid(_no_key(path)) from error
    if not key or any(not " " < character <= "~" for character in key):
        raise ConfigInvalid(_no_key(path))
    return key


def _no_key(path: Path) -> str:
    return f"{path} holds no readable key; put it back, or delete the file and give the new key to the clients"


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named in full, because asyncio turns Nagle off only for sockets that say they are TCP: 40 ms per answer otherwise.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise ConfigInvalid(f"cannot listen on {host}:{port}: {error.strerror}; choose another port") from error
    return listening


async def _watch(running: uvicorn.Server, options: ServerOptions, port: int, on_ready: Callable[[int], None]) -> None:
    """Say when the server is ready, and end it with its parent."""
    while not running.started:  # noqa: ASYNC110 - uvicorn offers a flag, no event
        await asyncio.sleep(0.02)
    if options.ready_file is not None:
        partial = options.ready_file.with_name(f".{options.ready_file.name}.{os.getpid()}")
        partial.write_bytes(orjson.dumps({"port": port, "pid": os.getpid()}) + b"\n")
        partial.replace(options.ready_file)
    on_ready(port)
    structlog.get_logger().info("memory_server_ready", host=options.host, port=port)
    while options.parent_pid is None or _alive(options.parent_pid):  # noqa: ASYNC110 - processes can only be polled
        await asyncio.sleep(1)
    structlog.get_logger().info("memory_server_orphaned")
    running.should_exit = True


def _alive(pid: int) -> bool:
    """Return whether a process runs; a zombie does not, and after a parent's death we belong to another."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
