"""``mneme usage``: what every chat has used in a month, by model and purpose."""

import json
from datetime import UTC, date, timedelta
from typing import Any

from rich.console import Console
from rich.table import Table

from adapters.sqlite.conversations.usage import SqliteUsage
from bot.config.folders import Folders
from bot.errors import CommandInvalid
from bot.features.costs.settings import CostsSettings
from bot.ports.usage import Cost, PriceList, UsageRow
from bot.runtime.chat_rules import SystemClock
from bot.runtime.installation import choose_store, load_live_settings


async def run_usage(places: Folders, *, month: str | None, as_json: bool) -> None:
    """Print what every chat has used in a month ("2026-02"), by model and purpose, in tokens and money.

    Raises :class:`~bot.errors.CommandInvalid` for what is no month.
    """
    settings = load_live_settings(places).current
    prices = settings.of(CostsSettings).list_prices()
    first, last = _read_month(month, SystemClock().now().astimezone(UTC).date())
    async with choose_store(places, settings) as database:
        rows = await SqliteUsage(database).add_up(first, last)
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
        "chats": {tag: _render(cost) for tag, cost in prices.add_up_by(rows, lambda row: row.scope).items()},
        "models": {model: _render(cost) for model, cost in prices.add_up_by(rows, lambda row: row.model).items()},
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
