"""The ledger of what calls to language models cost: per scope, day, model and purpose.

What tokens cost: prices by model, and the sums of a ledger in money.

Money is worked out when it is looked at, because prices change and the tokens do not.  What a server reports as the
cost of a call (OpenRouter's ``usage.cost``) is taken as it is: it knows its prices, discounts and caches.
All sums are exact; they are rounded where they are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fnmatch import fnmatchcase
from typing import Final, Protocol, TypeVar, runtime_checkable

from bot.memory.scope import Scope
from bot.turn import Usage, UsageKind

Key = TypeVar("Key", bound=str | tuple[str, ...])


@dataclass(frozen=True, slots=True)
class Spending:
    """What a scope has cost in a stretch of time: answers, and everything in the background."""

    answers: Usage = field(default_factory=Usage)
    background: Usage = field(default_factory=Usage)

    @property
    def total(self) -> Usage:
        """Both together."""
        return self.answers + self.background

    @property
    def background_share(self) -> float:
        """The background's share of all tokens, read and written, 0..1."""
        total, background = self.total, self.background
        tokens = total.prompt + total.completion
        return (background.prompt + background.completion) / tokens if tokens else 0.0


@dataclass(frozen=True, slots=True)
class UsageRow:
    """What calls of one kind to one model have used for a scope: of calls whose cost was reported, or of others.

    ``scope`` is its tag, "" for all that were erased; ``day`` an ISO date (UTC), "" for a sum of several.
    """

    scope: str
    day: str
    model: str
    kind: UsageKind
    used: Usage


class UsageLedger(Protocol):
    """Keeps what was spent, by scope until that is erased, and then of all erased ones together.

    Figures only: no text, no author.
    """

    def note(self, scope: Scope, kind: UsageKind, model: str, used: Usage) -> None:
        """Add to today (UTC) and return at once; a crash within the next second may lose it."""

    async def read(self, scope: Scope) -> tuple[Spending, Spending]:
        """Return what a scope has cost today (UTC) and in all; the last second may be missing.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """

    async def add_up(self, first: date, last: date, scope: Scope | None = None) -> tuple[UsageRow, ...]:
        """Return the sums of the days (UTC) from ``first`` to ``last`` by scope, model and kind, in that order.

        Of one scope, or of all; errors and what may be missing as for :meth:`read`.
        """

    async def list_days(self, scope: Scope, after: str = "", limit: int = 366) -> tuple[UsageRow, ...]:
        """Return what a scope has used day by day, oldest first, of at most ``limit`` days behind ``after``.

        ``after`` is an ISO date; errors as for :meth:`read`.
        """


_MILLION: Final = 1_000_000
_BILLION: Final = 1_000_000_000
_TOKEN_CHARS: Final = 4
"""Characters of text per token, about, in English; other languages have fewer."""
_CENTS_FROM: Final = Decimal(1)


@dataclass(frozen=True, slots=True)
class Price:
    """Money per million tokens of the models that ``pattern`` fits (``gpt-4o*``, whatever the case)."""

    pattern: str
    prompt: Decimal
    cached: Decimal
    completion: Decimal
    cache_write: Decimal


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens, what they cost as far as that is known, and those of them that have no price."""

    used: Usage = field(default_factory=Usage)
    money: Decimal = Decimal(0)
    unpriced: Usage = field(default_factory=Usage)

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.used + other.used, self.money + other.money, self.unpriced + other.unpriced)

    @property
    def tokens(self) -> int:
        """Tokens read and written."""
        return self.used.prompt + self.used.completion


@dataclass(frozen=True, slots=True)
class PriceList:
    """The prices in force, the first that fits counts; ``reported`` says whether servers' own figures do before them.

    ``currency`` is that of both.
    """

    prices: tuple[Price, ...] = ()
    reported: bool = True
    currency: str = "USD"

    def compute(self, used: Usage, model: str) -> Cost:
        """Return what calls of one model cost; ``used`` is either of calls whose cost was reported or of others."""
        if used.cost is not None and self.reported:
            return Cost(used, Decimal(used.cost) / _BILLION)
        price = next((each for each in self.prices if fnmatchcase(model.casefold(), each.pattern.casefold())), None)
        if price is None:
            return Cost(used, unpriced=used)
        fresh = used.prompt - used.cached - used.cache_writes
        read = fresh * price.prompt + used.cached * price.cached + used.cache_writes * price.cache_write
        return Cost(used, (read + used.completion * price.completion) / _MILLION)

    def add_up(self, rows: Iterable[UsageRow]) -> Cost:
        """Return what rows of a ledger cost together."""
        return sum((self.compute(row.used, row.model) for row in rows), Cost())

    def add_up_by(self, rows: Iterable[UsageRow], by: Callable[[UsageRow], Key]) -> dict[Key, Cost]:
        """Return what rows cost by a key of theirs, the dearest first, then the one with the most tokens."""
        sums: dict[Key, Cost] = {}
        for row in rows:
            sums[by(row)] = sums.get(by(row), Cost()) + self.compute(row.used, row.model)
        return dict(sorted(sums.items(), key=lambda each: (-each[1].money, -each[1].tokens, each[0])))

    def format(self, money: Decimal) -> str:
        """Return "1.25 USD"; below one unit with two digits more, as single answers cost parts of a cent."""
        return f"{money:.2f} {self.currency}" if money >= _CENTS_FROM or not money else f"{money:.4f} {self.currency}"


@dataclass(frozen=True, slots=True)
class Reading:
    """About what a model will be given to read, and what that costs; ``money`` is "" where it has no price."""

    tokens: int = 0
    money: str = ""


def estimate_reading(characters: int, model: str, prices: PriceList) -> Reading:
    """Return about what it takes that a model reads a text of so many characters."""
    tokens = characters // _TOKEN_CHARS
    cost = prices.compute(Usage(prompt=tokens, calls=1), model)
    return Reading(tokens, "" if cost.unpriced.calls else prices.format(cost.money))


@runtime_checkable
class Priced(Protocol):
    """A section of the settings that names prices."""

    def list_prices(self) -> PriceList:
        """Return them."""


def find_prices(sections: Iterable[object]) -> PriceList:
    """Return the prices that one of the features' sections names; none where no feature has any."""
    return next((each.list_prices() for each in sections if isinstance(each, Priced)), PriceList())
