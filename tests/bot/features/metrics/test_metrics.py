"""Figures for Prometheus: read over HTTP from a running Mneme."""

import json
import re
import socket
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from adapters.metrics import Metrics
from bot.compose.entry_points import serving
from bot.config.folders import PROJECT
from bot.errors import ConfigInvalid
from bot.memory.scope import Scope
from bot.ports.usage import UsageLedger
from bot.turn import Usage, UsageKind
from harness.application import NO_RAG, run_console
from harness.samples import HeldClock

_NAME = re.compile(r"(?:mneme|process)_\w+")


async def test_turns_and_queues_are_counted_and_no_text_is_shown(tmp_path: Path) -> None:
    """What was said is counted under names of ours; no word of it, and no name, stands in the figures."""
    listen = f"127.0.0.1:{_find_port()}"
    async with run_console(tmp_path, {**NO_RAG, "metrics": {"listen": listen}}) as chat, serving(chat.app.parts):
        await chat.say("My sister Vera lives in Porto.")
        await chat.say("Where does my sister live?")
        await chat.say("/forget Vera")

        async with httpx.AsyncClient(base_url=f"http://{listen}") as client:
            health, figures = await client.get("/healthz"), await client.get("/metrics")

    found = {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(figures.text)
        for sample in family.samples
    }
    assert (health.status_code, health.text) == (200, "ok\n")
    assert found["mneme_turns_total", "console"] == 3
    assert found["mneme_system_seconds_count", "MemoryPersist"] >= 2
    assert found["mneme_system_seconds_count", "ResponseRouting"] == 3
    assert found["mneme_memory_searches_total", "found"] >= 1
    assert found["mneme_dead_letters",] == 0
    assert found["mneme_trouble", "store"] == 0
    assert not {"Vera", "Porto", "sister"} & set(figures.text.replace('"', " ").split())


def test_the_dashboard_asks_for_figures_that_there_are_and_the_docs_name_them_all() -> None:
    """Every name in deploy/grafana.json and docs/operations.md is one that Mneme serves, and each of ours is told."""
    board = json.loads((PROJECT / "deploy" / "grafana.json").read_text())
    asked = {name for panel in board["panels"] for target in panel["targets"] for name in _NAME.findall(target["expr"])}
    served = set(re.findall(r"^# TYPE (\w+) ", Metrics().render().decode(), re.MULTILINE))
    section = (PROJECT / "docs" / "operations.md").read_text("utf-8").split("## Metrics")[1].split("\n## ")[0]
    told = set(re.findall(r"`((?:mneme|process)_\w+)`", section))

    assert asked
    assert {name.removesuffix("_bucket") for name in asked} <= served
    assert told <= served
    assert {name for name in served if name.startswith("mneme_") and not name.endswith("_created")} <= told


async def test_a_part_that_is_not_well_is_named(tmp_path: Path) -> None:
    """The check of a service manager fails while something is wrong, and says with what."""
    listen = f"127.0.0.1:{_find_port()}"
    async with run_console(tmp_path, {**NO_RAG, "metrics": {"listen": listen}}) as chat, serving(chat.app.parts):
        chat.app.parts.troubles["store"] = lambda: "the disk is full"
        async with httpx.AsyncClient(base_url=f"http://{listen}") as client:
            health, figures = await client.get("/healthz"), await client.get("/metrics")

    assert (health.status_code, health.text) == (503, "store\n")
    assert 'mneme_trouble{part="store"} 1.0' in figures.text


async def test_the_day_of_tokens_is_that_of_the_ledger(tmp_path: Path) -> None:
    """It begins at midnight UTC, also where the people have another day already."""
    listen, clock = f"127.0.0.1:{_find_port()}", HeldClock(datetime(2026, 5, 3, 22, 30, tzinfo=UTC))
    settings = {**NO_RAG, "metrics": {"listen": listen}, "timeZone": "Asia/Tokyo"}
    async with run_console(tmp_path, settings, clock=clock) as chat, serving(chat.app.parts):
        chat.app.parts.need(UsageLedger).note(Scope("cu1"), UsageKind.ANSWER, "m", Usage(prompt=7, completion=2))
        await chat.app.parts.database.write(lambda _: None)  # the ledger goes along
        async with httpx.AsyncClient(base_url=f"http://{listen}") as client:
            figures = (await client.get("/metrics")).text

    assert 'mneme_tokens_today{direction="read",kind="answer",model="m"} 7.0' in figures


async def test_an_address_in_use_names_the_setting(tmp_path: Path) -> None:
    """Two on one port: the second says which setting to change."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        async with run_console(tmp_path, {**NO_RAG, "metrics": {"listen": listen}}) as chat:
            with pytest.raises(ConfigInvalid, match=r"set metrics\.listen"):
                async with serving(chat.app.parts):
                    pass


def _find_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])
