"""Joins costs and budgets: the sentences about them, and `mneme usage`."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, timedelta
from typing import Any

from rich.console import Console
from rich.table import Table

from adapters.clock import SystemClock
from adapters.sqlite.conversations.usage import SqliteUsage
from adapters.sqlite.database import Database
from bot.commands.formatting import count
from bot.commands.language import Voice
from bot.compose.building import load_live_settings
from bot.config.folders import Folders
from bot.errors import CommandInvalid
from bot.features.costs.budgets import Budgets, Standing, build_prices
from bot.features.costs.command import UsageReport
from bot.memory.scope import Scope
from bot.ports.prices import Cost, PriceList, add_up_scopes
from bot.ports.usage import UsageRow
from bot.runtime.container import Container
from bot.turn import Turn
from language.costs_texts import CostTexts
from language.texts import Texts
from systems.s57_budget_notice import BudgetNotice


def build_usage_report(parts: Container, voice: Voice) -> UsageReport:
    """Return the command /usage of these parts."""

    def list_budgets(scope: Scope | None, words: CostTexts) -> tuple[str, ...]:
        prices = parts.budgets.list_prices()
        standings = parts.budgets.list_standings(scope)
        return tuple(words.budget_line.format(**_describe(each, prices, words)) for each in standings)

    return UsageReport(voice, parts.usage, parts.budgets.list_prices, list_budgets)


def build_budget_notice(parts: Container, voice: Voice) -> BudgetNotice:
    """Return the system that says how a budget stands; only where a model is asked at all."""
    asked = parts.model() is not None

    def notice(turn: Turn) -> str:
        if not asked:
            return ""
        words, stop = voice(turn.message).costs, parts.budgets.find_stop(turn.scope)
        warned = None if stop is not None else parts.budgets.take_warning(turn.scope)
        if stop is not None:
            return _begin(words.stopped.format(**_describe(stop, parts.budgets.list_prices(), words)))
        if warned is not None:
            return _begin(words.warned.format(**_describe(warned, parts.budgets.list_prices(), words)))
        return ""

    return BudgetNotice(notice)


def is_paid_for(budgets: Budgets) -> Callable[[Turn], bool]:
    """Return whether the model may be asked for a turn."""
    return lambda turn: budgets.find_stop(turn.scope) is None


def describe_budget_trouble(budgets: Budgets, texts: Texts) -> str:
    """Return what the operator has to know of the budget of all chats, "" while there is enough.

    No figures that change all the time: the operator is told again when the sentence changes.
    """
    trouble = budgets.find_trouble()
    if trouble is None:
        return ""
    said = texts.costs.operator_stopped if trouble.stops else texts.costs.operator_warned
    return said.format(**_describe(trouble, budgets.list_prices(), texts.costs))


def _describe(standing: Standing, prices: PriceList, words: CostTexts) -> dict[str, str]:
    limit = standing.limit

    def amount(value: Any) -> str:  # Any: a Decimal
        return prices.format(value) if limit.money else words.tokens.format(count=count(int(value)))

    whose, when = ("total" if limit.of_all else "chat"), ("month" if limit.by_month else "day")
    return {
        "budget": words.budgets[f"{whose} {when}"],
        "spent": amount(standing.spent),
        "limit": amount(limit.most),
        "share": str(int(100 * standing.share)),
        "setting": limit.key,
    }


def _begin(sentence: str) -> str:
    """Return a sentence in brackets with a capital letter, wherever a name came to stand first."""
    return f"({sentence[1:2].upper()}{sentence[2:]}" if sentence.startswith("(") else sentence


async def run_usage(places: Folders, *, month: str | None, as_json: bool) -> None:
    """Print what every chat has used in a month ("2026-02"), by model and purpose, in tokens and money.

    Raises :class:`~bot.errors.CommandInvalid` for what is no month.
    """
    prices = build_prices(load_live_settings(places).current().costs)
    first, last = _read_month(month, SystemClock().now().astimezone(UTC).date())
    database = Database(places.database)
    await database.open()
    try:
        rows = await SqliteUsage(database).add_up(first, last)
    finally:
        await database.close()
    console = Console(soft_wrap=True)
    if as_json:
        console.print_json(json.dumps(render_usage(rows, prices, f"{first:%Y-%m}")))
        return
    table = Table("memory of", "model", "for", "read", "cached", "written", "calls", prices.currency, box=None)
    for row in rows:
        cost = prices.compute(row.used, row.model)
        table.add_row(row.scope or "(forgotten)", row.model or "?", row.kind.value, *_cells(cost))
    table.add_row("together", "", "", *_cells(prices.add_up(rows)))
    console.print(table if rows else f"no model was asked in {first:%Y-%m}")


def render_usage(rows: tuple[UsageRow, ...], prices: PriceList, month: str) -> dict[str, Any]:  # Any: JSON
    """Return a month as JSON: every row, the sums by chat and by model, and the sum of all; money as exact text."""
    models: dict[str, Cost] = {}
    for row in rows:
        models[row.model] = models.get(row.model, Cost()) + prices.compute(row.used, row.model)
    return {
        "month": month,
        "currency": prices.currency,
        "rows": [
            {
                "chat": row.scope,
                "model": row.model,
                "kind": row.kind.value,
                **_render(prices.compute(row.used, row.model)),
            }
            for row in rows
        ],
        "chats": {tag: _render(cost) for tag, cost in add_up_scopes(rows, prices).items()},
        "models": {model: _render(cost) for model, cost in models.items()},
        "total": _render(prices.add_up(rows)),
    }


def _render(cost: Cost) -> dict[str, Any]:  # Any: JSON
    used = cost.used
    return {
        "prompt": used.prompt,
        "cached": used.cached,
        "cacheWrites": used.cache_writes,
        "completion": used.completion,
        "reasoning": used.reasoning,
        "calls": used.calls,
        "money": f"{cost.money.normalize():f}",
        "unpricedTokens": cost.unpriced.prompt + cost.unpriced.completion,
    }


def _cells(cost: Cost) -> tuple[str, ...]:
    used = cost.used
    unknown = cost.unpriced.calls == used.calls and used.calls > 0
    counts = (used.prompt, used.cached, used.completion, used.calls)
    return (*(f"{each:,}" for each in counts), "?" if unknown else f"{cost.money:.4f}")


def _read_month(text: str | None, today: date) -> tuple[date, date]:
    try:
        first = date.fromisoformat(f"{text}-01") if text else today.replace(day=1)
    except ValueError:
        raise CommandInvalid(f"not a month: {text!r}; write it like this: 2026-02") from None
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
