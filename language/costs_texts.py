"""The words of /usage and of budgets, as data: a language is one value of :class:`CostTexts`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CostTexts:
    """What model calls use and cost; sums of money come with their currency, counts with thousands apart."""

    head: str = ""
    none: str = ""
    today: str = ""
    month: str = ""
    line: str = ""
    """With {what}, {prompt}, {cached} (``cached`` or nothing), {completion}, {calls} and {money} (or nothing)."""
    cached: str = ""
    """With {share}, in percent."""
    by_model: str = ""
    by_kind: str = ""
    unknown_model: str = ""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """What calls were made for, by the values of ``UsageKind``."""
    unpriced: str = ""
    """To the owner, with {models} that have no price."""
    budgets: Mapping[str, str] = field(default_factory=dict)
    """Names of budgets, as subjects of a sentence, by "chat day", "chat month", "total day" and "total month"."""
    budget_line: str = ""
    """With {budget}, {spent}, {limit} and {share}, in percent."""
    tokens: str = ""
    """With {count}."""
    warned: str = ""
    """With {budget}, {spent}, {limit}, {share} and {setting}."""
    stopped: str = ""
    """With {budget} and {setting}: from now on memory answers."""
    warned_user: str = ""
    """The same two for people who do not run the bot; without {setting}."""
    stopped_user: str = ""
    operator_warned: str = ""
    """To the operator alone, with {budget} and {setting}."""
    operator_stopped: str = ""
    all_head: str = ""
    all_line: str = ""
    """With {scope}, {tokens}, {calls} and {money} (or nothing)."""
    erased: str = ""
    """In place of the chats that were forgotten."""
    together: str = ""
    owner_only: str = ""
    status: str = ""
    """With {today} and {month}: sums of money."""
    utc: str = ""
