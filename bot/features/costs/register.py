"""/usage: tokens and money of a chat, today and this month, for the owner also of all chats; and what budgets say."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC
from typing import Any, ClassVar, Final

from adapters.llm.usage import MeteredChat
from adapters.sqlite.conversations.usage import SqliteUsage
from bot.commands.formatting import count, escape, make_reply
from bot.commands.status import StatusLines
from bot.features.costs.budgets import BudgetNotice, Budgets, Standing
from bot.features.costs.settings import CostsSettings
from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.messages import ChatKind
from bot.ports.system import CommandCall
from bot.ports.usage import Cost, PriceList, Spending, UsageLedger, UsageRow
from bot.runtime.app import App
from bot.turn import Reply, Turn
from language.catalogue import Message
from language.command_texts import StatusTexts
from language.page_texts import CostTexts
from language.texts import Texts

_CHATS: Final = 20
"""Chats that are listed; `mneme usage` lists all."""
_MODELS: Final = 10


async def register(app: App) -> None:
    """Add the ledger and budgets to Mneme."""
    usage = SqliteUsage(app.database, app.clock.now)
    budgets = Budgets(usage, lambda: app.settings.current.of(CostsSettings), app.clock)
    await budgets.load()

    def list_budgets(scope: Scope | None, words: CostTexts) -> tuple[str, ...]:
        prices = budgets.list_prices()
        standings = budgets.list_standings(scope)
        return tuple(words.budget_line.format(**_describe(each, prices, words)) for each in standings)

    report = UsageReport(usage, budgets.list_prices, list_budgets)
    app.provide(UsageLedger, usage)
    app.provide(Budgets, budgets)
    if app.leases is not None:
        app.added.jobs["budgets"] = budgets
    app.meter = lambda model, kind: MeteredChat(model, kind, budgets.note, budgets.refuse_background)
    app.added.stoppers.append(lambda turn: budgets.find_stop(turn.scope) is not None)
    app.added.commands.append(report)
    app.added.menu.append(report.name)
    app.added.systems.append(lambda: _build_notice(budgets, asked=app.model() is not None))
    app.added.status.append(
        StatusLines("tokens", lambda call, texts: list_spent(usage, budgets.list_prices(), call, texts))
    )
    app.added.alerts.append(lambda texts: ("budget", describe_trouble(budgets, texts)))


def _build_notice(budgets: Budgets, *, asked: bool) -> BudgetNotice:
    """Return the system that says how a budget stands; only where a model is ``asked`` at all."""

    def notice(turn: Turn) -> str:
        if not asked:
            return ""
        words, stop = turn.texts.costs, budgets.find_stop(turn.scope)
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


@dataclass(frozen=True, slots=True)
class UsageReport:
    """Reports what the ledger holds, at the prices in force.

    ``budgets`` returns a line for each budget that holds for a scope, or for all chats.
    """

    usage: UsageLedger
    prices: Callable[[], PriceList]
    budgets: Callable[[Scope | None, CostTexts], tuple[str, ...]]

    name: ClassVar[str] = "usage"
    ALL: ClassVar[str] = "all"

    async def run(self, call: CommandCall) -> Reply:
        """Return the report."""
        words = call.texts.costs
        if call.argument.casefold() == self.ALL:
            return await self._report_all(call, words)
        today, prices = call.now.astimezone(UTC).date(), self.prices()
        month = await self.usage.add_up(today.replace(day=1), today, call.scope)
        if not month:
            return make_reply(words.none, "\n".join(self.budgets(call.scope, words)))
        recent = await self.usage.add_up(today, today, call.scope)
        lines = [_line(words.today, prices.add_up(recent), prices, words)] if recent else []
        lines.append(_line(words.month, prices.add_up(month), prices, words))
        owner = call.author.trust is Trust.OWNER
        return make_reply(
            f"**{words.head}**\n{_list(lines)}",
            f"**{words.by_model}**\n{_list(_by_model(month, prices, words))}",
            f"**{words.by_kind}**\n{_list(_by_kind(month, prices, words))}",
            _list(self.budgets(call.scope, words)),
            _name_unpriced(month, prices, words) if owner else "",
            words.utc,
        )

    async def _report_all(self, call: CommandCall, words: CostTexts) -> Reply:
        if call.author.trust is not Trust.OWNER or call.message.chat_kind is not ChatKind.DIRECT:
            return make_reply(words.owner_only)
        today, prices = call.now.astimezone(UTC).date(), self.prices()
        rows = await self.usage.add_up(today.replace(day=1), today)
        scopes = prices.add_up_by(rows, lambda row: row.scope)
        lines = [_sum(tag or words.erased, cost, prices, words) for tag, cost in list(scopes.items())[:_CHATS]]
        lines.append(_sum(words.together, prices.add_up(rows), prices, words))
        return make_reply(
            f"**{words.all_head}**\n{_list(lines)}",
            f"**{words.by_model}**\n{_list(_by_model(rows, prices, words))}" if rows else "",
            _list(self.budgets(None, words)),
            _name_unpriced(rows, prices, words),
            words.utc,
        )


async def sum_up_money(usage: UsageLedger, prices: PriceList, call: CommandCall) -> tuple[str, str] | None:
    """Return what a chat has cost today and this month, ``None`` while nothing of it has a price."""
    today = call.now.astimezone(UTC).date()
    month = prices.add_up(await usage.add_up(today.replace(day=1), today, call.scope))
    if month.unpriced.calls == month.used.calls:
        return None
    recent = prices.add_up(await usage.add_up(today, today, call.scope))
    return prices.format(recent.money), prices.format(month.money)


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _line(what: str, cost: Cost, prices: PriceList, words: CostTexts) -> str:
    used = cost.used
    share = round(100 * used.cached / used.prompt) if used.prompt else 0
    return words.line.format(
        what=what,
        prompt=count(used.prompt),
        cached=words.cached.format(share=share) if used.cached else "",
        completion=count(used.completion),
        calls=count(used.calls),
        money=_money(cost, prices),
    )


def _sum(what: str, cost: Cost, prices: PriceList, words: CostTexts) -> str:
    money = _money(cost, prices)
    return words.all_line.format(scope=what, tokens=count(cost.tokens), calls=count(cost.used.calls), money=money)


def _money(cost: Cost, prices: PriceList) -> str:
    """Return what is known to have been paid; nothing where no token has a price."""
    unknown = cost.unpriced.calls == cost.used.calls
    return "" if unknown else f" – {prices.format(cost.money)}"


def _by_model(rows: Iterable[UsageRow], prices: PriceList, words: CostTexts) -> list[str]:
    dearest = list(prices.add_up_by(rows, lambda row: row.model).items())[:_MODELS]
    return [_line(escape(model, 80) or words.unknown_model, cost, prices, words) for model, cost in dearest]


def _by_kind(rows: Iterable[UsageRow], prices: PriceList, words: CostTexts) -> list[str]:
    sums = prices.add_up_by(rows, lambda row: row.kind)
    ordered = sorted(sums.items(), key=lambda each: (-each[1].tokens, each[0]))
    return [_line(words.kinds.get(kind, kind), cost, prices, words) for kind, cost in ordered]


def _name_unpriced(rows: Iterable[UsageRow], prices: PriceList, words: CostTexts) -> str:
    """Name the models whose tokens are in no sum; not where there are no sums at all."""
    rows = tuple(rows)
    if prices.add_up(rows).unpriced.calls == sum(row.used.calls for row in rows):
        return ""
    named = sorted({row.model for row in rows if prices.compute(row.used, row.model).unpriced.calls})
    models = ", ".join(escape(model, 80) or words.unknown_model for model in named[:_MODELS])
    return words.unpriced.format(models=models) if named else ""


async def list_spent(usage: UsageLedger, prices: PriceList, call: CommandCall, texts: Texts) -> list[str]:
    """Return the lines of /status about what a chat has cost, as servers count."""
    today, in_all = await usage.read(call.scope)
    words = texts.status
    lines = ((words.tokens_today, today), (words.tokens_in_all, in_all))
    money = await sum_up_money(usage, prices, call)
    told = [texts.costs.status.format(today=money[0], month=money[1])] if money is not None else []
    return [*(_spent(head, spending, words) for head, spending in lines if spending.total.calls), *told]


def _spent(head: Message, spending: Spending, texts: StatusTexts) -> str:
    total, background = spending.total, spending.background
    cached = round(100 * total.cached / total.prompt) if total.prompt else 0
    return head.format(
        prompt=count(total.prompt),
        cached=texts.tokens_cached.format(share=cached) if total.cached else "",
        completion=count(total.completion),
        background=count(background.prompt + background.completion),
        share=round(100 * spending.background_share),
    )
