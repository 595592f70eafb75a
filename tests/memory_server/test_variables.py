"""LightRAG's variables that people bring along are read, or named as not read."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.compose.building import open_parts
from bot.compose.health import list_health_lines
from bot.config.schema import Settings
from bot.runtime.installation import describe_unread_variables, load_live_settings
from harness.application import NO_RAG, make_folders, run_console
from harness.samples import WordEmbedder
from memory_server.errors import ConfigInvalid
from memory_server.maintenance import chosen_limits
from memory_server.options import (
    LIGHTRAG_VARIABLES,
    LightRagVariables,
    ServerCall,
    name_unread_variables,
    read_lightrag_variables,
    read_server_environment,
)
from tests.cases import each_row


@pytest.fixture(autouse=True)
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without ``.env``, and an environment without these variables."""
    monkeypatch.chdir(tmp_path)
    for name in LIGHTRAG_VARIABLES:
        monkeypatch.delenv(name, raising=False)


def test_what_they_say_and_what_is_usual() -> None:
    """Set ones are read; the usual overlap fits into a small size."""
    said = {"CHUNK_SIZE": "800", "CHUNK_OVERLAP_SIZE": "0", "COSINE_THRESHOLD": "0.35", "SUMMARY_LANGUAGE": "German"}

    assert read_lightrag_variables(said) == LightRagVariables(800, 0, 0.35, "German")
    assert read_lightrag_variables({"CHUNK_SIZE": " ", "SUMMARY_LANGUAGE": ""}) == LightRagVariables()
    assert read_lightrag_variables({"CHUNK_SIZE": "64"}).chunk_overlap == 32
    assert read_lightrag_variables(LightRagVariables(800, 0, 0.35, "German").variables()) == LightRagVariables(
        800, 0, 0.35, "German"
    )


@each_row(
    ("name", "value"),
    [
        ("CHUNK_SIZE", "big"),
        ("CHUNK_SIZE", "63"),
        ("CHUNK_SIZE", "9" * 5000),
        ("CHUNK_SIZE", "８００"),
        ("CHUNK_OVERLAP_SIZE", "1200"),
        ("CHUNK_OVERLAP_SIZE", "-1"),
        ("COSINE_THRESHOLD", "1.5"),
        ("COSINE_THRESHOLD", "nan"),
        ("SUMMARY_LANGUAGE", "x" * 61),
        ("SUMMARY_LANGUAGE", "a\nb"),
    ],
)
def test_a_wrong_value_names_the_variable(name: str, value: str) -> None:
    """And what it may be, not what it was."""
    with pytest.raises(ConfigInvalid, match=f"^{name}: .* expected|^{name}: .*letters") as caught:
        read_lightrag_variables({name: value})

    assert value not in str(caught.value)


async def test_the_embedded_server_is_given_what_env_says(tmp_path: Path) -> None:
    """``.env`` of the bot's folder reaches the server that the bot starts, and the commands on its data."""
    folders = make_folders(tmp_path, NO_RAG)
    (folders.data / ".env").write_text("CHUNK_SIZE=300\nCOSINE_THRESHOLD=0.4\n", encoding="utf-8")
    parts = await open_parts(folders, load_live_settings(folders), embedder=WordEmbedder())
    given = parts.longterm._child._environment or {}
    await parts.close()
    limits = chosen_limits(ServerCall(folders.memory_server, None, "127.0.0.1", 0, child=False))

    assert {name: given[name] for name in LIGHTRAG_VARIABLES} == LightRagVariables(300, 100, 0.4).variables()
    assert read_lightrag_variables(read_server_environment(folders.memory_server)) == LightRagVariables(300, 100, 0.4)
    assert (limits.size, limits.overlap) == (300, 100)


async def test_a_wrong_value_costs_the_bot_no_memory(tmp_path: Path) -> None:
    """The usual values hold, the log says so, and the server gets nothing that it would refuse to start with."""
    log = tmp_path / "log"
    (tmp_path / ".env").write_text("CHUNK_SIZE=0\n", encoding="utf-8")
    async with run_console(tmp_path, NO_RAG, log=log) as chat:
        longterm = chat.app.parts.longterm
        given = longterm._child._environment or {}

    assert given["CHUNK_SIZE"] == "1200"
    assert longterm._complaint.startswith("CHUNK_SIZE: ")
    assert "CHUNK_SIZE: a whole number" in log.read_text(encoding="utf-8")


async def test_others_are_named_as_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once in the log, and by ``mneme check``; names alone, a value may be a key."""
    monkeypatch.setenv("LLM_BINDING_API_KEY", "s3cr3t-canary")
    (tmp_path / ".env").write_text("EMBEDDING_DIM=1024\nSUMMARY_LANGUAGE=German\n", encoding="utf-8")
    log = tmp_path / "log"
    async with run_console(tmp_path, NO_RAG, log=log) as chat:
        config = (await list_health_lines(chat.app.parts))[0]
    lines = log.read_text(encoding="utf-8")

    assert config.reason == name_unread_variables(dict.fromkeys(("LLM_BINDING_API_KEY", "EMBEDDING_DIM"), "x")).replace(
        ": ", ": SUMMARY_LANGUAGE, "
    )
    assert lines.count("not read by Mneme") == 1
    assert "s3cr3t-canary" not in lines


def test_another_server_has_an_environment_of_its_own(tmp_path: Path) -> None:
    """With ``rag.url`` none of the four is read here."""
    folders = make_folders(tmp_path, NO_RAG)
    (tmp_path / ".env").write_text("CHUNK_SIZE=300\n", encoding="utf-8")

    assert describe_unread_variables(folders, Settings()) == ""
    assert describe_unread_variables(folders, Settings.model_validate({"rag": {"url": "http://x.test"}})).endswith(
        ": CHUNK_SIZE"
    )
