"""Serve until told to stop, or until the parent process is gone; one server per data folder.

Two writers with their own vectors in memory would not see each other's changes, hence the lock.  Logs go to standard
error as JSON, or in colour on a terminal; errors are logged as types and places in the code, because their texts may
quote what is stored.
"""

import asyncio
import gc
import json
import logging
import os
import secrets
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import structlog
import uvicorn
from filelock import FileLock, Timeout

from memory_server.api.app import create_server
from memory_server.embedding import endpoint_embedder
from memory_server.errors import ConfigInvalid, locate_error
from memory_server.options import (
    NO_PLUGINS,
    Embedder,
    LlmOptions,
    Plugins,
    ServerCall,
    ServerOptions,
    name_unread_variables,
    named_chunker,
    named_loaders,
    read_database_url,
    read_lightrag_variables,
    read_server_environment,
)

KEY_VARIABLE = "MNEME_MEMORY_KEY"
"""The environment variable that carries the key to a server that Mneme starts."""
GRACE_S = 10
"""Seconds that requests may take to finish once the server is told to stop."""
_NEW_OBJECTS = 10_000
"""After which a collection of garbage looks at them: a millisecond or two."""


async def run_server(call: ServerCall) -> None:
    """Serve until told to stop; a child also ends when its standard input does."""
    set_up_logs("info", pretty=not call.child and sys.stderr.isatty())
    data = call.data.expanduser().absolute()
    data.mkdir(parents=True, exist_ok=True)
    variables = read_server_environment(data)
    endpoints = {} if call.child else dict(os.environ)
    if not call.child and (unread := name_unread_variables(variables)):
        sys.stderr.write(f"memory server: {unread}\n")
    options = ServerOptions(
        data_dir=data,
        api_key=os.environ.get(KEY_VARIABLE) or os.environ.get("LIGHTRAG_API_KEY") or api_key(data),
        host=call.host,
        port=call.port,
        most_open=call.open_workspaces,
        parent_pid=os.getppid() if call.child else None,
        database_url=read_database_url(os.environ),
        lightrag=read_lightrag_variables(variables),
        llm=LlmOptions(endpoints.get("LLM_URL", ""), endpoints.get("LLM_API_KEY", ""), endpoints.get("LLM_MODEL", "")),
    )
    embedder = choose_embedder(call, endpoints)
    plugged = Plugins(named_chunker(), named_loaders())
    announce = _announce if call.child else partial(_describe, data)
    serving = asyncio.ensure_future(serve(options, embedder, plugged, on_ready=partial(_settle, announce)))
    if call.child:
        asyncio.get_running_loop().run_in_executor(None, _until_abandoned)
    await serving


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
    with lock_folder(options.data_dir):
        listening = _listen(options.host, options.port)
        settings = uvicorn.Config(
            create_server(options, embedder, plugins).asgi,
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
    except (OSError, UnicodeError):
        key = ""
    if not key or any(not " " < character <= "~" for character in key):
        raise ConfigInvalid(
            f"{path} holds no readable key; put it back, or delete the file and give the new key to the clients"
        )
    return key


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


def choose_embedder(call: ServerCall, environment: Mapping[str, str]) -> Embedder:
    """Return the endpoint that EMBEDDING_URL names, else the local model.

    Raises :class:`ConfigInvalid` where there is neither.
    """
    if (endpoint := endpoint_embedder(environment)) is not None:
        return endpoint
    if call.local_model is None:
        raise ConfigInvalid(
            "this program brings no embedding model along: set EMBEDDING_URL, EMBEDDING_MODEL and EMBEDDING_DIMENSION, "
            "or install Mneme, which has one, and run mneme memory-server"
        )
    return call.local_model(call.data.expanduser().absolute(), call.models)


def _settle(announce: Callable[[int], None], port: int) -> None:
    """Announce the server, whose start has made what stays: collections of garbage do not look at it again."""
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS)
    announce(port)


def _announce(port: int) -> None:
    sys.stdout.write(json.dumps({"port": port}) + "\n")
    sys.stdout.flush()


def _describe(data: Path, port: int) -> None:
    """Say where the server listens and where its key is: in a file only if it is read there."""
    given = next((name for name in (KEY_VARIABLE, "LIGHTRAG_API_KEY") if os.environ.get(name)), None)
    where = f"the one in the environment variable {given}" if given else f"in {data / 'api-key'}"
    sys.stderr.write(f"memory server: listening on port {port}; its key is {where}\n")


def _until_abandoned() -> None:
    """Block until whoever started us is gone, then end at once: what was acknowledged is on disk."""
    while sys.stdin.buffer.read(1024):
        pass
    os._exit(0)


@contextmanager
def lock_folder(data_dir: Path) -> Iterator[None]:
    """Hold the folder's lock, which the system frees with the process.

    Raises :class:`ConfigInvalid` when it is held, or the folder cannot be used.
    """
    # A lock by the mere existence of a file, the library's way out without flock, would outlast a killed process.
    lock = FileLock(data_dir / "server.lock", timeout=0, mode=0o600, fallback_to_soft=False)
    try:
        data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        (data_dir / "workspaces").mkdir(exist_ok=True, mode=0o700)
        next((data_dir / "workspaces").iterdir(), None)
        lock.acquire()
    except Timeout as error:
        raise ConfigInvalid(f"another memory server uses {data_dir}; stop it first") from error
    except OSError as error:
        path = error.filename or data_dir
        raise ConfigInvalid(f"{path} cannot be used: {error.strerror}; let us read and write the folder") from error
    try:
        yield
    finally:
        lock.release()


Event = MutableMapping[str, Any]  # Any: structlog's


def set_up_logs(level: str, *, pretty: bool) -> None:  # Any: structlog's processors
    """Send every log line, ours and the libraries', to standard error."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _replace_exception,
    ]
    renderer: Any = structlog.dev.ConsoleRenderer() if pretty else structlog.processors.JSONRenderer(ensure_ascii=False)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer]
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for name in ("httpx", "httpcore", "asyncio"):
        logging.getLogger(name).setLevel(logging.ERROR)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def _replace_exception(_logger: Any, _name: str, event: Event) -> Event:  # Any: structlog's
    """Put the place of an exception where its text would stand."""
    found = event.pop("exc_info", None)
    error = sys.exc_info()[1] if found is True else found[1] if isinstance(found, tuple) else found
    if isinstance(error, BaseException):
        event["error"] = locate_error(error)
    return event
