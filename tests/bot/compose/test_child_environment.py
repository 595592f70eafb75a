"""The memory server needs none of our secrets, so it gets none."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

import pytest

from adapters.rag.process import KEY_VARIABLE
from bot.compose.building import open_parts
from bot.compose.pipeline import build_application
from bot.config.environment import OWN_VARIABLES, apply_environment
from bot.config.schema import Settings
from bot.runtime.installation import load_live_settings
from harness.application import make_folders
from harness.processes import list_children, until
from harness.samples import WordEmbedder

SECRET = "s3cr3t-canary-71"


class RecordingEnvironment(Mapping[str, str]):
    """An environment that has all but ``LLM_API_KEY``, and keeps what was asked for."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.names.add(name)
        if name == "LLM_API_KEY":  # without it the key of OpenAI's own name is asked for
            return ""
        return "https://api.openai.com/v1" if name == "LLM_URL" else SECRET

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


async def _no_changes() -> AsyncIterator[None]:
    await asyncio.Event().wait()
    yield


def test_every_secret_that_is_read_is_kept_from_servers_of_tools() -> None:
    """VOICE_API_KEY had reached a server that named it: the list of what is kept from them was another one."""
    asked = RecordingEnvironment()
    apply_environment(Settings(), asked)

    assert asked.names - {"LLM_URL", "LLM_MODEL"} <= OWN_VARIABLES
    assert {KEY_VARIABLE, "LIGHTRAG_API_KEY"} <= OWN_VARIABLES


@pytest.mark.server
async def test_the_memory_server_gets_none_of_our_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever variable the settings read is not in the environment of the process we start; its own key is.

    Read from the running process; neither does it read them itself from ``.env``.
    Mutation check: with ``os.environ`` handed on as it is, it is red.
    """
    asked = RecordingEnvironment()
    apply_environment(Settings(), asked)
    for name in asked.names:
        monkeypatch.setenv(name, SECRET)
    folders = make_folders(tmp_path, {"llm": {"enabled": False}})
    monkeypatch.delenv("DATABASE_URL")  # there is none at such an address
    live = load_live_settings(folders)
    monkeypatch.setenv("DATABASE_URL", SECRET)
    app = build_application(await open_parts(folders, live, embedder=WordEmbedder()))
    await app.start(_no_changes())
    try:
        app.parts.longterm.start()
        await until(lambda: list_children("bot.compose.memory_server"))
        environment = list_children("bot.compose.memory_server")[0].environ()
    finally:
        await app.close()

    assert {"TELEGRAM_TOKEN", "LLM_API_KEY", "OPENAI_API_KEY", "RAG_API_KEY", "RERANK_API_KEY"} <= asked.names
    assert asked.names & environment.keys() == set()
    assert [name for name, value in environment.items() if SECRET in value] == []
    assert environment[KEY_VARIABLE]
    assert _read_by_lightrag(tmp_path, environment) == ""


def _read_by_lightrag(folder: Path, environment: Mapping[str, str]) -> str:
    """Return what LightRAG's import puts into that environment from a ``.env`` in its working folder."""
    (folder / ".env").write_text(f"TELEGRAM_TOKEN={SECRET}\n", encoding="utf-8")
    code = "import lightrag, os; print(os.environ.get('TELEGRAM_TOKEN', ''))"
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code], cwd=folder, env=dict(environment), capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
