"""The prices that the operator has set."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from bot.config.features_schema import CostsSettings, PriceSettings
from bot.core.prices import Price, PriceList

_CACHE_WRITE_FACTOR: Final = Decimal("1.25")
"""Times the price of a token read, where no price is set for one that the server keeps."""


def build_prices(settings: CostsSettings) -> PriceList:
    """Return the prices that the settings name."""
    return PriceList(tuple(map(_build_price, settings.prices)), settings.use_reported, settings.currency)


def _build_price(named: PriceSettings) -> Price:
    prompt = Decimal(str(named.prompt))
    cached, cache_write = (None if each is None else Decimal(str(each)) for each in (named.cached, named.cache_write))
    return Price(
        named.model,
        prompt,
        prompt if cached is None else cached,
        Decimal(str(named.completion)),
        prompt * _CACHE_WRITE_FACTOR if cache_write is None else cache_write,
    )
