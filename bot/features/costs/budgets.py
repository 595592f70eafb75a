"""Budgets: what may be spent, counted while it is spent.

The ledger is the truth; here its sums of today and of this month are kept at hand, so that asking costs an answer no
wait.  A budget stops a turn before it begins and never in its middle, so that it is overrun by no more than the turns
under way; work in the background is stopped call by call, and first.

System 57: say that a budget is nearly or wholly used up.

It adds to the reply after system 50 has planned what is remembered, so that sentences about money are neither memories
nor something that a model reads as its own words in the next turn.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date
from decimal import Decimal
from typing import ClassVar, Final

from bot.features.costs.settings import BudgetSettings, CostsSettings
from bot.memory.scope import Scope
from bot.ports.system import OnError
from bot.ports.usage import Cost, PriceList, UsageLedger
from bot.ports.when import Clock
from bot.turn import ReplyKind, Turn
from bot.usage import Usage, UsageKind

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
