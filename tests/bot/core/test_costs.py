"""Prices: which counts, what of a call they count, and how sums of money are told."""

from __future__ import annotations

from decimal import Decimal

from bot.ports.usage import Cost, Price, PriceList, UsageRow
from bot.turn import Usage, UsageKind
from tests.cases import each_row

LARGE = Price("house/large*", Decimal("2.5"), Decimal("0.25"), Decimal(10), Decimal(3))
REST = Price("HOUSE/*", Decimal(1), Decimal(1), Decimal(2), Decimal(1))
PRICES = PriceList((LARGE, REST))
USED = Usage(1_000_000, 100_000, 3, 400_000)


@each_row(
    ("model", "used", "money"),
    [
        ("house/large-2", USED, "2.6"),
        ("House/LARGE", USED, "2.6"),
        ("house/large", Usage(1_000_000, 0, 1, 400_000, cache_writes=600_000), "1.9"),
        ("house/small", USED, "1.2"),
        ("house/large", Usage(1, 0, 1), "0.0000025"),
        ("house/large", Usage(1_000_000, 0, 1, cost=123), "0.000000123"),
        ("elsewhere", Usage(9, 9, 1, cost=0), "0"),
    ],
)
def test_the_first_price_that_fits_counts_and_a_reported_cost_before_it(model: str, used: Usage, money: str) -> None:
    """Tokens from the cache and into it at prices of their own; nothing is rounded."""
    cost = PRICES.compute(used, model)

    assert cost == Cost(used, Decimal(money))


def test_tokens_without_a_price_are_told_apart() -> None:
    """They are counted, and in no sum; a reported cost that is not to be believed is as none."""
    free, distrusted = Usage(5, 5, 1), Usage(5, 5, 1, cost=9)

    assert PRICES.compute(free, "other") == Cost(free, Decimal(0), free)
    assert PriceList((), reported=False).compute(distrusted, "other").unpriced == distrusted


def test_scopes_are_listed_dearest_first() -> None:
    """Where nothing has a price, by tokens."""
    rows = [
        UsageRow(tag, "", model, UsageKind.ANSWER, used)
        for tag, model, used in (
            ("a", "x", Usage(9, 0, 1)),
            ("b", "house/large", Usage(1, 0, 1)),
            ("c", "x", Usage(10)),
        )
    ]

    assert list(PRICES.add_up_by(rows, lambda row: row.scope)) == ["b", "c", "a"]


@each_row(
    ("money", "told"),
    [("0", "0.00 USD"), ("0.00014", "0.0001 USD"), ("0.5", "0.5000 USD"), ("1234.567", "1234.57 USD")],
)
def test_small_sums_are_told_finer(money: str, told: str) -> None:
    """Single answers cost parts of a cent."""
    assert PRICES.format(Decimal(money)) == told
