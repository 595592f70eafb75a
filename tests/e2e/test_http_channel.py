"""The example of a third channel: found by its entry point, named in the settings, touching nothing of ours."""

from __future__ import annotations

import asyncio
import json
import os
import runpy
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from bot.config.folders import PROJECT
from bot.errors import ConfigInvalid

EXAMPLE = PROJECT / "examples" / "http_channel"
ANNA = {"Authorization": "Bearer annas-token"}
BEN = {"Authorization": "Bearer bens-token"}


def _install(folder: Path) -> None:
    """Lay out what an installed package leaves: its module, and its entry points as its pyproject.toml names them."""
    (folder / "mneme_http.py").symlink_to(EXAMPLE / "mneme_http.py")
    about = folder / "mneme_http_channel-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mneme-http-channel\nVersion: 0.1.0\n", "utf-8")
    line = next(line for line in (EXAMPLE / "pyproject.toml").read_text("utf-8").splitlines() if "mneme_http:" in line)
    (about / "entry_points.txt").write_text(f"[mneme.channels]\n{line.replace(chr(34), '')}\n", "utf-8")


@asynccontextmanager
async def _mneme(folder: Path, tokens: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    packages, settings = folder / "packages", folder / "preferences"
    for each in (packages, settings):
        each.mkdir(exist_ok=True)
    if not any(packages.iterdir()):
        _install(packages)
    config = {"rag": {"enabled": False}, "plugins": {"channels": ["http"]}}
    (settings / "runtime-config.json").write_text(json.dumps(config), "utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    paths = (str(PROJECT), str(packages), os.environ.get("PYTHONPATH", ""))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "run", "--data", str(folder / "data"), "--preferences", str(settings)),
        env={
            **{name: value for name, value in os.environ.items() if name != "TELEGRAM_TOKEN"},
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "MNEME_HTTP_TOKENS": tokens,
            "MNEME_HTTP_LISTEN": f"127.0.0.1:{port}",
        },
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process, f"http://127.0.0.1:{port}"
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _until_up(http: httpx.AsyncClient) -> None:
    async with asyncio.timeout(60):
        while True:
            try:
                await http.get("/events")
            except httpx.TransportError:
                await asyncio.sleep(0.1)
            else:
                return


async def _say(http: httpx.AsyncClient, who: dict[str, str], *texts: tuple[str, str]) -> list[Any]:  # Any: JSON
    """Send texts, each with its id, while listening; return an event for each different id."""
    heard: list[Any] = []
    async with http.stream("GET", "/events", headers=who) as stream:
        lines = stream.aiter_lines()
        for place, (number, text) in enumerate(texts):
            sent = await http.post("/messages", headers=who, json={"id": number, "text": text})
            assert sent.status_code == 202
            if number in {before for before, _ in texts[:place]}:
                continue
            async for line in lines:
                if line.startswith("data: "):
                    heard.append(json.loads(line.removeprefix("data: ")))
                    break
    return heard


async def test_a_third_channel_is_found_by_its_entry_point(tmp_path: Path) -> None:
    """Each person has a memory of their own, a repeated id is one message, strangers get nothing."""
    async with _mneme(tmp_path, "anna=annas-token,ben=bens-token") as (process, address):
        async with httpx.AsyncClient(base_url=address, trust_env=False, timeout=30) as http:
            await _until_up(http)
            told = await _say(
                http,
                ANNA,
                ("1", "My sister Vera lives in Porto."),
                ("1", "My sister Vera lives in Porto."),
                ("2", "/new"),
                ("3", "Where does my sister live?"),
            )
            foreign = await _say(http, BEN, ("1", "Where does my sister live?"))
            stranger = await http.post("/messages", json={"id": "9", "text": "hello"})
            nonsense = [
                (await http.post("/messages", headers=ANNA, content=body)).status_code
                for body in (b"[", b"[1]", b'{"id": 1}', b'{"id": "x", "text": 5}', b'{"id": "x", "text": " "}')
            ]
            torn = await http.post("/messages", headers=ANNA, content=rb'{"id": "\ud800", "text": "hello \ud800"}')
            garbled = await http.get("/events", headers={b"Authorization": b"Bearer \xff\xfe"})
        process.terminate()
        ended = await process.wait()

    assert len(told) == 3
    assert "Your sister Vera lives in Porto" in told[-1]["text"]
    assert "Porto" not in foreign[0]["text"]
    assert nonsense == [400] * 5
    assert (torn.status_code, stranger.status_code, garbled.status_code) == (202, 401, 401)
    assert ended == 0


@pytest.mark.parametrize("tokens", ["", "anna", "anna=,=annas-token"])
def test_without_tokens_it_is_closed(monkeypatch: pytest.MonkeyPatch, tokens: str) -> None:
    """The start ends with what to set."""
    monkeypatch.setenv("MNEME_HTTP_TOKENS", tokens)
    opening = runpy.run_path(str(EXAMPLE / "mneme_http.py"))["open_http"](None, None)

    with pytest.raises(ConfigInvalid, match="MNEME_HTTP_TOKENS"):
        asyncio.run(opening)
