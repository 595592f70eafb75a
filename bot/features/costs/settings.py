"""What models cost, and what they may cost."""

from decimal import Decimal
from typing import Annotated, ClassVar, Final

from pydantic import Field

from bot.config.section import LIVE, FeatureSection, Section, setting
from bot.ports.usage import Price, PriceList

_Price = Annotated[float, Field(ge=0, le=1_000_000)]
_Money = Annotated[float, Field(ge=0, le=1_000_000_000)]
_Tokens = Annotated[int, Field(ge=0, le=1_000_000_000_000)]
_CACHE_WRITE_FACTOR: Final = Decimal("1.25")
"""Times the price of a token read, where no price is set for one that the server keeps."""


class PriceSettings(Section, applies=LIVE):
    """What the tokens of some models cost."""

    model: Annotated[str, Field(min_length=1, max_length=200)] = setting(
        ...,
        "Model as the server names it in its answers (`/usage` shows that); `*` stands for anything, `?` for one "
        "character, and case does not matter. Required.",
    )
    prompt: _Price = setting(0.0, "Price of a million tokens read.")
    cached: _Price | None = setting(
        None, "The same for tokens that the server had kept from before; `null`: as dear as the others."
    )
    cache_write: _Price | None = setting(
        None,
        "The same for tokens that the server kept for later and says so (Anthropic does); `null`: 1.25 times "
        "`prompt`, which is what Anthropic takes for five minutes.",
    )
    completion: _Price = setting(0.0, "Price of a million tokens written.")

    def build(self) -> Price:
        """Return the price in exact numbers."""
        prompt, completion = Decimal(str(self.prompt)), Decimal(str(self.completion))
        cached, written = (None if each is None else Decimal(str(each)) for each in (self.cached, self.cache_write))
        return Price(
            self.model,
            prompt,
            prompt if cached is None else cached,
            completion,
            prompt * _CACHE_WRITE_FACTOR if written is None else written,
        )


class BudgetSettings(Section, applies=LIVE):
    """Limits of what model calls may use; `null` sets none. Days and months are those of UTC."""

    day_money: _Money | None = setting(None, "Money a day, in `costs.currency`.")
    month_money: _Money | None = setting(None, "Money a month.")
    day_tokens: _Tokens | None = setting(None, "Tokens a day, read (cached ones, too) and written together.")
    month_tokens: _Tokens | None = setting(None, "Tokens a month.")


class CostsSettings(FeatureSection, applies=LIVE):
    """Costs of language models."""

    key: ClassVar[str] = "costs"

    currency: Annotated[str, Field(min_length=1, max_length=8)] = setting(
        "USD", "What sums of money are told in: that of the prices."
    )
    prices: Annotated[tuple[PriceSettings, ...], Field(max_length=200)] = setting(
        (),
        "Prices by model; the first that fits counts. A change counts for all that is on the ledger, which keeps "
        "tokens and no money.",
    )
    use_reported: bool = setting(
        True,
        "Where a server says what a call has cost (OpenRouter, Perplexity and xAI do, in US dollars), believe "
        "it before the prices. `false` where that is another currency.",
    )
    chat: BudgetSettings = Field(default=BudgetSettings(), description="The budget of each chat.")
    total: BudgetSettings = Field(default=BudgetSettings(), description="The budget of all chats together.")
    warn_share: Annotated[float, Field(gt=0, le=1)] = setting(
        0.8, "Share of a budget (0..1) after which its chat, or the owner, is warned once."
    )
    background_share: Annotated[float, Field(gt=0, le=1)] = setting(
        0.9,
        "Share of a budget (0..1) after which only answers are paid for: learning, summaries, checks and the "
        "reading of questions wait.",
    )

    def list_prices(self) -> PriceList:
        """Return the prices that are set."""
        return PriceList(tuple(each.build() for each in self.prices), self.use_reported, self.currency)
