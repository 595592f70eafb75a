"""Adds it to Mneme."""

from __future__ import annotations

from typing import Any

from adapters.llm.usage import MeteredChat
from adapters.sqlite.conversations.usage import SqliteUsage
from bot.commands.formatting import count
from bot.commands.status import StatusLines
from bot.core.prices import PriceList
from bot.features.costs.budgets import Budgets, Standing
from bot.features.costs.command import UsageReport, list_spent
from bot.memory.scope import Scope
from bot.ports.usage import UsageLedger
from bot.runtime.app import App
from bot.turn import Turn
from language.page_texts import CostTexts
from language.texts import Texts
from systems.s57_budget_notice import BudgetNotice


async def register(app: App) -> None:
    """Add the ledger and budgets to Mneme."""
    usage = SqliteUsage(app.database, app.clock.now)
    budgets = Budgets(usage, lambda: app.settings.current().costs, app.clock)
    await budgets.load()

    def list_budgets(scope: Scope | None, words: CostTexts) -> tuple[str, ...]:
        prices = budgets.list_prices()
        standings = budgets.list_standings(scope)
        return tuple(words.budget_line.format(**_describe(each, prices, words)) for each in standings)

    report = UsageReport(app.voice, usage, budgets.list_prices, list_budgets)
    app.provide(UsageLedger, usage)
    app.provide(Budgets, budgets)
    app.meter = lambda model, kind: MeteredChat(model, kind, budgets.note, budgets.refuse_background)
    app.added.stoppers.append(lambda turn: budgets.find_stop(turn.scope) is not None)
    app.added.commands.append(report)
    app.added.menu.append(report.name)
    app.added.systems.append(lambda: _build_notice(app, budgets, asked=app.model() is not None))
    app.added.status.append(
        StatusLines("tokens", lambda call, texts: list_spent(usage, budgets.list_prices(), call, texts))
    )
    app.added.alerts.append(lambda texts: ("budget", describe_trouble(budgets, texts)))


def _build_notice(app: App, budgets: Budgets, *, asked: bool) -> BudgetNotice:
    """Return the system that says how a budget stands; only where a model is ``asked`` at all."""

    def notice(turn: Turn) -> str:
        if not asked:
            return ""
        words, stop = app.voice(turn.message).costs, budgets.find_stop(turn.scope)
        warned = None if stop is not None else budgets.take_warning(turn.scope)
        if stop is not None:
            return _begin(words.stopped.format(**_describe(stop, budgets.list_prices(), words)))
        if warned is not None:
            return _begin(words.warned.format(**_describe(warned, budgets.list_prices(), words)))
        return ""

    return BudgetNotice(notice)


def describe_trouble(budgets: Budgets, texts: Texts) -> str:
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
