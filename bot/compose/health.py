"""``mneme check`` and the health lines of ``/status``: config, store, LightRAG, language model, Telegram."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from rich.console import Console
from rich.table import Table

from adapters.embedding.files import ModelFiles
from adapters.llm.health import check_models as model_health
from adapters.rerank import HttpReranker
from adapters.sqlite.recovery.beside import acknowledge_findings
from bot.commands.status import HealthLine
from bot.compose.building import open_parts
from bot.compose.maintenance import describe_backups
from bot.config.folders import Folders
from bot.config.schema import Settings
from bot.errors import EmbeddingUnavailable, MnemeError
from bot.ports.chat_model import WindowSource
from bot.ports.messenger import Fate
from bot.runtime.app import App
from bot.runtime.channel import find_plugins
from bot.runtime.installation import (
    describe_unread_variables,
    describe_waiting_settings,
    is_running,
    list_waiting_settings,
    load_live_settings,
)

_START_S = 30.0
_TELEGRAM = "adapters.telegram.account"
_LISTED = 5
"""Dead letters shown in the table; ``--json`` and ``mneme dead-letters`` show more."""
_SMALL_WINDOW = 8_000
"""Tokens below which memory, history and an answer do not fit together."""
_LARGER = "load the model with a larger context (Ollama: OLLAMA_CONTEXT_LENGTH, llama.cpp: -c)"
_WINDOW_SOURCES = {
    WindowSource.SETTINGS: "set in llm.contextTokens",
    WindowSource.SERVER: "said by the server",
    WindowSource.ASSUMED: "assumed because the server does not say; llm.contextTokens sets it",
}
_COLOURS = {"ok": "green", "degraded": "yellow", "down": "red"}


async def list_health_lines(parts: App) -> tuple[HealthLine, ...]:
    """Return one line per part, and one of what could not be loaded; asks them at the same time and never raises."""
    checks: tuple[tuple[str, Callable[[App], Awaitable[tuple[str, str]]]], ...] = (
        ("config", _config),
        ("store", _store),
        ("lightrag", lambda parts: parts.longterm.health()),
        ("llm", _llm),
        ("telegram", _telegram),
    )
    states = await asyncio.gather(*(_guarded(check(parts)) for _, check in checks))
    lines = [HealthLine(name, state, reason) for (name, _), (state, reason) in zip(checks, states, strict=True)]
    missing = ", ".join(await asyncio.to_thread(_list_missing, parts.settings.current))
    return (*lines, *([HealthLine("plug-ins", "degraded", f"not loaded: {missing}")] if missing else []))


async def run_check(places: Folders, *, as_json: bool, acknowledge: bool = False) -> int:
    """Print the health of an installation and return the exit code: 1 if something is down or was found damaged.

    ``acknowledge`` takes note of the damage, so that the next check does not tell of it.

    Starts the embedded memory server for the question and stops it again, unless a running Mneme has one.
    """
    live = load_live_settings(places)
    if live.current.telegram.token:
        import_module(_TELEGRAM)  # aiogram takes seconds, in which nothing else may wait for its answer
    parts = await open_parts(places, live)
    parts.remarks["config"] = lambda: _remarks(places, live.current)
    try:
        async with _longterm(parts):
            lines = (
                *await list_health_lines(parts),
                *await list_window_lines(parts),
                *await _reranker(parts),
                await asyncio.to_thread(_models, places),
                *[line for ask in parts.added.checks for line in await ask()],
                HealthLine("back-ups", "ok", await describe_backups(parts.housekeeping.database)),
            )
            counts = await parts.outbox.counts()
            dead = await parts.dead_letters.list_dead()
            undelivered = await parts.doubts.list_undelivered()
            damaged = bool(parts.housekeeping.database.problems)
    finally:
        await parts.close()
    worst = "down" if damaged or any(line.state == "down" for line in lines) else "ok"
    if acknowledge and acknowledge_findings(places.database):
        worst = "ok" if all(line.state != "down" for line in lines) else worst
    if as_json:
        report: dict[str, Any] = {line.part: {"state": line.state, "reason": line.reason} for line in lines}
        letters = [{"scope": each.scope, "source": each.source, "reason": each.reason} for each in dead]
        report["outbox"] = {"waiting": counts.waiting, "dead": counts.dead, "dead_letters": letters}
        report["deliveries"] = [
            {"chat": one.address.key, "fate": one.fate, "count": one.count, "reason": one.reason} for one in undelivered
        ]
        Console(soft_wrap=True).print_json(json.dumps(report))
    else:
        table = Table("part", "state", "reason", box=None)
        for line in lines:
            table.add_row(line.part, f"[{_COLOURS[line.state]}]{line.state}[/]", line.reason)
        remedy = "; to try again: mneme dead-letters --revive" if counts.dead else ""
        table.add_row("outbox", "", f"{counts.waiting} waiting, {counts.dead} given up{remedy}")
        for each in dead[:_LISTED]:
            table.add_row("", "", f"{each.source or 'the whole of ' + each.scope}: {each.reason}")
        for one in undelivered:
            table.add_row("replies", one.fate, f"{one.count} to {one.address.key}: {one.reason}")
        Console().print(table)
    return 1 if worst == "down" else 0


@asynccontextmanager
async def _longterm(parts: App) -> AsyncIterator[None]:
    if is_running(parts.places):
        parts.longterm.attach()
        try:
            yield
        finally:
            await parts.longterm.client.close()
        return
    background = asyncio.gather(parts.longterm.run(), parts.longterm.run_indexing())
    try:
        if parts.settings.current.rag.enabled:
            await parts.longterm.ready(_START_S)
        yield
    finally:
        background.cancel()
        await asyncio.gather(background, return_exceptions=True)


async def _guarded(check: Awaitable[tuple[str, str]]) -> tuple[Any, str]:
    try:
        return await check
    except MnemeError as error:
        return "down", str(error)


async def list_window_lines(parts: App) -> tuple[HealthLine, ...]:
    """Ask how much the model can read: too little, and the server cuts prompts off without a word."""
    if parts.model() is None:
        return ()
    try:
        await parts.window.look()
    except MnemeError as error:
        return (HealthLine("model window", "degraded", str(error)),)
    window = parts.window.current()
    told = f"{window.tokens:,} tokens, {_WINDOW_SOURCES[window.source]}"
    if window.tokens < _SMALL_WINDOW:
        return (HealthLine("model window", "degraded", f"{told}; that is little: {_LARGER}"),)
    return (HealthLine("model window", "ok", told),)


async def _reranker(parts: App) -> tuple[HealthLine, ...]:
    """Ask a reranker over HTTP, if one is configured: a turn goes on without it, and would never say so."""
    reranker = parts.reranker()
    if not isinstance(reranker, HttpReranker):
        return ()
    try:
        await reranker.check()
    except MnemeError as error:
        return (HealthLine("reranker", "degraded", str(error)),)
    return (HealthLine("reranker", "ok"),)


def _models(places: Folders) -> HealthLine:
    try:
        ModelFiles(places.models).check()
    except EmbeddingUnavailable as error:
        return HealthLine("embedding models", "degraded", str(error))
    return HealthLine("embedding models", "ok", f"as they were made, in {places.models}")


def _remarks(places: Folders, settings: Settings) -> str:
    late = describe_waiting_settings(list_waiting_settings(places, settings)) if is_running(places) else ""
    return "; ".join(filter(None, (late, describe_unread_variables(places, settings))))


async def _config(parts: App) -> tuple[str, str]:
    problem = parts.settings.problem
    if problem:
        return "degraded", f"{problem} ({parts.settings.in_force} are in force)"
    if left_out := await asyncio.to_thread(parts.preferences.problems):
        return "degraded", f"left out: {'; '.join(left_out)}"
    return "ok", parts.remarks.get("config", str)()


def _list_missing(settings: Settings) -> list[str]:
    """Return what the settings name and is not installed, or cannot be imported."""
    rerank, recall, plugins = settings.rag.rerank, settings.recall, settings.plugins
    wanted = [
        (f"plugins.{group}", group, name) for group in type(plugins).model_fields for name in getattr(plugins, group)
    ]
    wanted += [("recall.strategy", "retrieval", recall.strategy)] if recall.strategy else []
    wanted += [("rag.rerank.plugin", "rerankers", rerank.plugin)] if rerank.provider == "plugin" else []
    missing = [f"{setting} {name}" for setting, group, name in wanted if not find_plugins(group, (name,))]
    flash = rerank.provider == "flashrank" and find_spec("flashrank") is None
    return [*missing, "rag.rerank.provider flashrank (pip install 'mneme[rerank]')"] if flash else missing


async def _store(parts: App) -> tuple[str, str]:
    unsure = sum(one.count for one in await parts.doubts.list_undelivered() if one.fate is Fate.UNKNOWN)
    if problems := parts.housekeeping.database.problems:
        return "degraded", f"{'; '.join(problems)} (mneme check --acknowledge takes note of it)"
    if trouble := parts.troubles.get("store", str)():
        return "degraded", trouble
    told = f"{unsure} replies of unknown fate" if unsure else ""
    return "ok", "; ".join(filter(None, (told, await parts.housekeeping.database.describe_standbys())))


async def _llm(parts: App) -> tuple[str, str]:
    model = parts.model()
    if model is None:
        return "ok", "none configured (llm.url); answers come from memory alone"
    states = await model_health(model)
    first = states[0]
    if first.state != "ok" and any(state.state == "ok" for state in states[1:]):
        return "degraded", first.reason
    return first.state, first.reason


async def _telegram(parts: App) -> tuple[str, str]:
    settings = parts.settings.current.telegram
    if not settings.token:
        return "ok", "no token (TELEGRAM_TOKEN); the terminal chat is used"
    if "telegram" not in parts.troubles:  # `mneme check`: nobody here talks to Telegram already
        from adapters.telegram.account import check_health as telegram_health  # noqa: PLC0415 - as above
        from adapters.telegram.account import make_api_server  # noqa: PLC0415

        return await telegram_health(
            settings.token, make_api_server(settings.api_url), webhook_url=settings.webhook_url
        )
    trouble = parts.troubles["telegram"]()
    remark = parts.remarks["telegram"]() if "telegram" in parts.remarks else ""
    return ("degraded", trouble) if trouble else ("ok", remark)
