"""Servers written elsewhere, and checks of the wire: streaming, usage, tools, errors, what is said of the window.

They are installed from the package indexes into a cache of the command's own and started; nothing is installed into the
project's environment.  Once installed they run offline, on loopback alone.
"""

import asyncio
import os
import shutil
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx

from adapters.llm.endpoint import RetryPolicy
from adapters.llm.health import ask_window, check_models
from adapters.llm.openai import OpenAiChat
from bot.errors import ContextTooLong, MnemeError, ModelRefused, ModelUnavailable
from bot.ports.chat_model import ChatMessage, Completed, TextDelta, ToolSpec

LLAMA_PACKAGES: Final = ("xllamacpp==2026.10.11549", "gguf==0.19.0", "numpy<3")
"""xllamacpp ships llama.cpp's own server, with wheels for the usual platforms."""
LITELLM_PACKAGES: Final = ("litellm[proxy]==1.106.2",)
MODEL: Final = "tiny-random"
WINDOW: Final = 32_768
_START_S: Final = 180.0
_INSTALL_S: Final = 900.0


class Missing(Exception):
    """A server cannot be had here; the text says why."""


def find_cache() -> Path:
    """Return the folder of installed servers: ``$MNEME_ENDPOINTS``, else below the user's cache."""
    chosen = os.environ.get("MNEME_ENDPOINTS")
    return Path(chosen) if chosen else Path.home() / ".cache" / "mneme" / "endpoints"


async def install_python(cache: Path, name: str, packages: Sequence[str]) -> Path:
    """Return the Python of an environment that holds the packages, made the first time.

    Raises :class:`Missing` with the last line of what pip says.
    """
    folder = cache / name
    python, done = folder / "bin" / "python", folder / "installed"
    wanted = "\n".join(packages)
    if done.exists() and done.read_text(encoding="utf-8") == wanted:
        return python
    shutil.rmtree(folder, ignore_errors=True)
    await run_tool(sys.executable, "-m", "venv", str(folder))
    await run_tool(str(python), "-m", "pip", "install", "--quiet", *packages)
    done.write_text(wanted, encoding="utf-8")
    return python


async def run_tool(*command: str) -> None:
    """Run something to its end.  Raises :class:`Missing` when it fails or takes too long."""
    try:
        tool = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
        )
    except OSError as error:
        raise Missing(f"{Path(command[0]).name} cannot be started: {error}") from error
    try:
        async with asyncio.timeout(_INSTALL_S):
            _, said = await tool.communicate()
    except TimeoutError as error:
        tool.kill()
        raise Missing(f"{Path(command[0]).name} did not end within {_INSTALL_S:g} s") from error
    if tool.returncode:
        lines = said.decode("utf-8", "replace").strip().splitlines()
        raise Missing(f"{Path(command[0]).name} failed: {lines[-1] if lines else tool.returncode}")


@asynccontextmanager
async def run_llama(cache: Path, words: str, *, window: int = WINDOW) -> AsyncIterator[str]:
    """Run llama.cpp's server with a tiny random model that knows these words; yield its address without a path."""
    python = await install_python(cache, "llama.cpp", LLAMA_PACKAGES)
    listed, model, scripts = cache / "words.txt", cache / "tiny.gguf", Path(__file__).parent
    listed.write_text(words, encoding="utf-8")
    await run_tool(str(python), str(scripts / "tiny_model.py"), str(model), str(listed))
    command = (str(python), str(scripts / "llama_server.py"), str(model), str(window))
    async with _running(command, cache / "llama.cpp.log") as server:
        if server.stdout is None:
            raise Missing("llama.cpp's server was started without a pipe")
        async with asyncio.timeout(_START_S):
            while not (line := (await server.stdout.readline()).decode()).startswith("http"):
                if not line:
                    raise Missing("llama.cpp's server ended at once, see llama.cpp.log")
        yield line.strip().rstrip("/")


_LITELLM_CONFIG: Final = """\
model_list:
  - model_name: mock
    litellm_params: {model: openai/gpt-4o, api_key: none, mock_response: "Vera lives in Porto."}
    model_info: {max_input_tokens: 24000}
  - model_name: limited
    litellm_params: {model: openai/gpt-4o, api_key: none, mock_response: "litellm.RateLimitError"}
  - model_name: narrow
    litellm_params: {model: openai/gpt-4o, api_key: none, mock_response: "litellm.ContextWindowExceededError"}
general_settings: {master_key: sk-endpoints}
"""
LITELLM_KEY: Final = "sk-endpoints"


@asynccontextmanager
async def run_litellm(cache: Path) -> AsyncIterator[str]:
    """Run LiteLLM's proxy with mock answers; yield its address without a path."""
    python = await install_python(cache, "litellm", LITELLM_PACKAGES)
    config, port = cache / "litellm.yaml", _find_free_port()
    config.write_text(_LITELLM_CONFIG, encoding="utf-8")
    command = (str(python.with_name("litellm")), "--config", str(config), "--host", "127.0.0.1", "--port", str(port))
    async with _running(command, cache / "litellm.log"):
        address = f"http://127.0.0.1:{port}"
        await _wait_until_up(f"{address}/health/liveliness", "LiteLLM's proxy")
        yield address


@asynccontextmanager
async def _running(command: Sequence[str], log: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a server while the block runs; its standard input is closed at the end, and then it is ended."""
    with log.open("wb") as written:
        server = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE if "llama" in log.name else written,
            stderr=written,
            cwd=log.parent,
        )
        try:
            yield server
        finally:
            if server.stdin is not None:
                server.stdin.close()
            if server.returncode is None:
                server.terminate()
            try:
                async with asyncio.timeout(10):
                    await server.wait()
            except TimeoutError:
                server.kill()
                await server.wait()


async def _wait_until_up(url: str, what: str) -> None:
    async with httpx.AsyncClient(trust_env=False) as client:
        for _ in range(int(_START_S)):
            try:
                if (await client.get(url)).is_success:
                    return
            except httpx.HTTPError:
                pass  # not up yet
            await asyncio.sleep(1)
    raise Missing(f"{what} did not answer within {_START_S:g} s")


def _find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


_ASKED: Final = (ChatMessage("system", "You are a helper who remembers."), ChatMessage("user", "Where does Vera live?"))
_TOOLS: Final = (ToolSpec("search", "Search memory.", {"type": "object", "properties": {"query": {"type": "string"}}}),)
_LONG: Final = "the memory of the party " * 20_000


@dataclass(frozen=True, slots=True)
class Check:
    """One check; ``seen`` is what came back."""

    name: str
    ok: bool
    seen: str


async def check_litellm(address: str, key: str) -> list[Check]:
    """LiteLLM's proxy with mock answers."""
    return [
        await _check("streams an answer", _answers(_chat(address, "mock", key), "Porto")),
        await _check("counts tokens", _counts(_chat(address, "mock", key))),
        await _check("takes tools", _answers(_chat(address, "mock", key), "", _TOOLS)),
        await _check("lists its models", _is_listed(_chat(address, "mock", key))),
        await _check("tells the window", _window(_chat(address, "mock", key), 24_000)),
        # Without a database of keys it says 400 where a provider says 401.
        await _check("refuses a wrong key", _fails(_chat(address, "mock", "sk-wrong"), ModelRefused, "")),
        await _check("refuses an unknown model", _fails(_chat(address, "nobody", key), ModelRefused, "llm.model")),
        await _check("limits a rate", _fails(_chat(address, "limited", key), ModelUnavailable, "rate")),
        await _check("tells of a context too long", _fails(_chat(address, "narrow", key), ContextTooLong, "")),
    ]


async def check_llama(address: str, model: str, window: int) -> list[Check]:
    """llama.cpp's own server."""
    return [
        await _check("streams an answer", _answers(_chat(address, model), "", tries=5)),
        await _check("counts tokens, and those it had cached", _caches(_chat(address, model))),
        await _check("takes tools", _answers(_chat(address, model), "", _TOOLS, tries=5)),
        await _check("stops when it is told to", _stops(_chat(address, model))),
        await _check("lists its model", _is_listed(_chat(address, model))),
        await _check("tells the window", _window(_chat(address, model), window)),
        await _check("tells of a context too long", _fails(_chat(address, model), ContextTooLong, "", _LONG)),
    ]


def _chat(address: str, model: str, key: str = "") -> OpenAiChat:
    return OpenAiChat(f"{address}/v1", key, model, max_tokens=200, retries=RetryPolicy(count=0), thinks_first=False)


async def _check(name: str, work: Awaitable[str]) -> Check:
    try:
        return Check(name, ok=True, seen=await work)
    except (AssertionError, MnemeError, TimeoutError) as error:
        return Check(name, ok=False, seen=f"{type(error).__name__}: {error}"[:200])


def _expect(*, holds: bool, seen: str) -> str:
    if not holds:
        raise AssertionError(seen)
    return seen


async def _complete(
    chat: OpenAiChat, messages: tuple[ChatMessage, ...] = _ASKED, tools: tuple[ToolSpec, ...] = ()
) -> tuple[int, Completed]:
    """Return how many pieces came, and the end."""
    pieces = 0
    try:
        async with asyncio.timeout(120), aclosing(chat.stream(messages, tools)) as stream:
            async for piece in stream:
                if isinstance(piece, Completed):
                    return pieces, piece
                pieces += 1
    finally:
        await chat.aclose()
    raise AssertionError("no end")


async def _answers(chat: OpenAiChat, expected: str, tools: tuple[ToolSpec, ...] = (), *, tries: int = 1) -> str:
    """Expect an answer in pieces; a model that answers by chance may say nothing, and is asked again."""
    pieces, done = await _complete(chat, tools=tools)
    for _ in range(tries - 1):
        if done.text:
            break
        pieces, done = await _complete(chat, tools=tools)
    seen = f"{pieces} pieces, {done.finish_reason}: {done.text[:40]!r}"
    return _expect(holds=pieces > 1 and expected in done.text and bool(done.text), seen=seen)


async def _counts(chat: OpenAiChat) -> str:
    _, done = await _complete(chat)
    return _expect(holds=done.usage.prompt > 0 and done.usage.completion > 0, seen=str(done.usage))


async def _caches(chat: OpenAiChat) -> str:
    await _complete(chat)
    _, done = await _complete(chat)
    holds = done.usage.completion > 0 and 0 < done.usage.cached <= done.usage.prompt
    return _expect(holds=holds, seen=str(done.usage))


async def _stops(chat: OpenAiChat) -> str:
    """Hang up after the first piece; the next question is answered at once, not behind the abandoned one."""
    async with aclosing(chat.stream(_ASKED)) as stream:
        async for piece in stream:
            if isinstance(piece, TextDelta):
                break
    _, done = await _complete(chat)
    return _expect(holds=bool(done.text), seen="answers the next one")


async def _is_listed(chat: OpenAiChat) -> str:
    (health,) = await check_models(chat)
    await chat.aclose()
    return _expect(holds=health.state == "ok", seen=health.reason or health.state)


async def _window(chat: OpenAiChat, expected: int) -> str:
    told = await ask_window(chat)
    await chat.aclose()
    return _expect(holds=told is not None and told.tokens == expected, seen=str(told))


async def _fails(chat: OpenAiChat, kind: type[MnemeError], words: str, said: str = "") -> str:
    try:
        _, done = await _complete(chat, (ChatMessage("user", said),) if said else _ASKED)
    except kind as error:
        return _expect(holds=words in str(error), seen=str(error))
    return _expect(holds=False, seen=f"answered {done.text[:60]!r}")
