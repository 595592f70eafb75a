"""/usage: tokens and money of a chat, today and this month, for the owner also of all chats; and what budgets say.

The ledger is the truth; here its sums of today and of this month are kept at hand, so that asking costs an answer no
wait.  A budget stops a turn before it begins and never in its middle, so that it is overrun by no more than the turns
under way; work in the background is stopped call by call, and first.

System 57: say that a budget is nearly or wholly used up, after system 50 has planned what is remembered: sentences
about money are neither memories nor something that a model reads as its own words in the next turn.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date
from decimal import Decimal
from typing import Any, ClassVar, Final

from adapters.llm.usage import MeteredChat
from adapters.sqlite.conversations.usage import SqliteUsage
from bot.commands.formatting import count, escape, make_reply
from bot.commands.status import StatusLines
from bot.features.costs.settings import BudgetSettings, CostsSettings
from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.messages import ChatKind
from bot.ports.system import CommandCall, OnError
from bot.ports.usage import Cost, PriceList, Spending, UsageLedger, UsageRow
from bot.ports.when import Clock
from bot.runtime.app import App
from bot.turn import Reply, ReplyKind, Turn, Usage, UsageKind
from language.catalogue import Message
from language.command_texts import StatusTexts
from language.page_texts import CostTexts
from language.texts import Texts

_ALL: Final = ""
"""In place of a scope's tag."""
_KEPT: Final = 2
"""Newest days and months that are kept at hand: a clock may be set back."""
_FULL: Final = Decimal(1)
"""Times the price of a token read, where no price is set for one that the server keeps."""

_Counts = dict[str, dict[tuple[str, bool], Usage]]
"""By tag, and then by model and whether the cost was reported."""

_RECOUNT_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit that is set: ``most`` units of money or tokens of a chat or of all, in a day or a month.

    ``key`` is the path of its setting.
    """

    key: str
    of_all: bool
    by_month: bool
    money: bool
    most: Decimal


@dataclass(frozen=True, slots=True)
class Standing:
    """How much of a limit is used."""

    limit: Limit
    spent: Decimal

    @property
    def share(self) -> Decimal:
        """The share of the limit that is used; a limit of nothing is used up."""
        return self.spent / self.limit.most if self.limit.most else _FULL

    @property
    def stops(self) -> bool:
        """Whether nothing is left."""
        return self.share >= _FULL


class Budgets:
    """Counts what is noted in the ledger; :meth:`load` before use.

    ``settings`` returns the costs' settings in force, asked anew every time, so that a raised limit acts at once.
    """

    def __init__(self, ledger: UsageLedger, settings: Callable[[], CostsSettings], clock: Clock) -> None:
        self._ledger = ledger
        self._settings = settings
        self._clock = clock
        self._spans: dict[str, _Counts] = {}
        """By day ("2026-02-07") and by month ("2026-02")."""
        self._warned: dict[tuple[str, str], str] = {}
        """By tag and setting: the day or month in which it was told."""

    async def load(self) -> None:
        """Count what was spent today and this month before the start."""
        day = self._today()
        for first, span in ((day, day.isoformat()), (day.replace(day=1), f"{day:%Y-%m}")):
            rows = await self._ledger.add_up(first, day)
            self._spans[span] = {}
            for row in rows:
                self._count(span, row.scope, row.model, row.used)

    async def run(self) -> None:
        """Count again and again, until cancelled, what other workers have noted, too."""
        while True:
            await asyncio.sleep(_RECOUNT_S)
            await self.load()

    def note(self, scope: Scope, kind: UsageKind, model: str, used: Usage) -> None:
        """Count and note what a call has used; see :class:`~bot.ports.usage.UsageLedger`."""
        self._ledger.note(scope, kind, model, used)
        day = self._today()
        for span in (day.isoformat(), f"{day:%Y-%m}"):
            self._count(span, scope.tag, model, used)

    def list_prices(self) -> PriceList:
        """Return the prices in force."""
        return self._settings().list_prices()

    def list_standings(self, scope: Scope | None) -> tuple[Standing, ...]:
        """Return every limit that holds for a scope, with what is used of it, the fullest first.

        Without a scope: those of all chats together.
        """
        settings = self._settings()
        limits = [*(_list_limits(settings.chat, "chat") if scope else ()), *_list_limits(settings.total, "total")]
        if not limits:
            return ()
        prices = settings.list_prices()
        found = (Standing(limit, self._sum(limit, scope, prices)) for limit in limits)
        return tuple(sorted(found, key=lambda each: -each.share))

    def find_stop(self, scope: Scope) -> Standing | None:
        """Return the limit that stops answers of a scope, ``None`` while they are paid for."""
        return next((each for each in self.list_standings(scope) if each.stops), None)

    def refuse_background(self, scope: Scope, kind: UsageKind) -> str:
        """Return why a call of this kind may not be made in the background, "" if it may; answers always may.

        The text names the setting.
        """
        if kind is UsageKind.ANSWER:
            return ""
        share = Decimal(str(self._settings().background_share))
        full = next((each for each in self.list_standings(scope) if each.share >= share), None)
        return f"the budget {full.limit.key} leaves nothing for work in the background" if full is not None else ""

    def take_warning(self, scope: Scope) -> Standing | None:
        """Return, once in its day or month, the limit of a chat's own budget that is nearly used up."""
        share = Decimal(str(self._settings().warn_share))
        for standing in self.list_standings(scope):
            limit = standing.limit
            span = self._span(limit)
            if limit.of_all or standing.share < share or self._warned.get((scope.tag, limit.key)) == span:
                continue
            self._warned[scope.tag, limit.key] = span
            return standing
        return None

    def find_trouble(self) -> Standing | None:
        """Return the fullest limit of all chats that the owner has to know of, ``None`` while all is well."""
        share = Decimal(str(self._settings().warn_share))
        return next((each for each in self.list_standings(None) if each.share >= share), None)

    def _sum(self, limit: Limit, scope: Scope | None, prices: PriceList) -> Decimal:
        tag = _ALL if limit.of_all or scope is None else scope.tag
        counts = self._spans.get(self._span(limit), {}).get(tag, {})
        cost = sum((prices.compute(used, model) for (model, _), used in counts.items()), Cost())
        return cost.money if limit.money else Decimal(cost.tokens)

    def _span(self, limit: Limit) -> str:
        day = self._today()
        return f"{day:%Y-%m}" if limit.by_month else day.isoformat()

    def _count(self, span: str, tag: str, model: str, used: Usage) -> None:
        counts = self._spans.setdefault(span, {})
        for each in {_ALL, tag}:
            models = counts.setdefault(each, {})
            key = (model, used.cost is not None)
            models[key] = models.get(key, Usage()) + used
        for old in sorted(known for known in self._spans if len(known) == len(span))[:-_KEPT]:
            del self._spans[old]

    def _today(self) -> date:
        return self._clock.now().astimezone(UTC).date()


def _list_limits(budget: BudgetSettings, name: str) -> tuple[Limit, ...]:
    of_all = name == "total"
    found = (
        ("dayMoney", False, True, budget.day_money),
        ("monthMoney", True, True, budget.month_money),
        ("dayTokens", False, False, budget.day_tokens),
        ("monthTokens", True, False, budget.month_tokens),
    )
    return tuple(
        Limit(f"costs.{name}.{key}", of_all, by_month, money, Decimal(str(most)))
        for key, by_month, money, most in found
        if most is not None
    )


_SPOKEN = frozenset({ReplyKind.ANSWER, ReplyKind.RECALLED, ReplyKind.NOTED})


@dataclass(frozen=True, slots=True)
class BudgetNotice:
    """Add ``notice``, "" for none, to what answers a message; commands and notices are left as they are."""

    notice: Callable[[Turn], str]

    order: ClassVar[int] = 57
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with the notice in its reply."""
        if turn.reply is None or turn.reply.kind not in _SPOKEN or not (notice := self.notice(turn)):
            return turn
        return replace(turn, reply=replace(turn.reply, text=f"{turn.reply.text}\n\n{notice}".strip()))


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
