"""The words of /usage and of budgets in English."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from language.costs_texts import CostTexts

COSTS: Final = CostTexts(
    head="What this chat has used",
    none="No language model was asked for this chat this month.",
    today="Today",
    month="This month",
    line="{what}: tokens read {prompt}{cached}, written {completion}, calls {calls}{money}",
    cached=" ({share} % of them from the server's cache)",
    by_model="By model, this month",
    by_kind="By purpose, this month",
    unknown_model="(not named)",
    kinds=MappingProxyType(
        {
            "answer": "answers",
            "summary": "summaries of long conversations",
            "learning": "learning from conversations",
            "search": "reading questions",
            "check": "checking answers",
        }
    ),
    unpriced="These models have no price, so their tokens are in no sum of money: {models} (costs.prices)",
    budgets=MappingProxyType(
        {
            "chat day": "this chat's budget for today",
            "chat month": "this chat's budget for this month",
            "total day": "the budget of all chats for today",
            "total month": "the budget of all chats for this month",
        }
    ),
    budget_line="Used of {budget}: {spent} of {limit} ({share} %)",
    tokens="{count} tokens",
    warned="(Of {budget} {share} % are used: {spent} of {limit}. To raise it: {setting}.)",
    stopped="(Nothing is left of {budget}, so I answer from memory alone. To raise it: {setting}.)",
    warned_user="(Of {budget} {share} % are used: {spent} of {limit}. My owner can raise it.)",
    stopped_user="(Nothing is left of {budget}, so I answer from memory alone. My owner can raise it.)",
    operator_warned="little is left of {budget} ({setting})",
    operator_stopped="nothing is left of {budget}, so everybody is answered from memory alone ({setting})",
    all_head="What all chats have used this month",
    all_line="{scope}: tokens {tokens}, calls {calls}{money}",
    erased="chats that were forgotten",
    together="together",
    owner_only="Only my owner sees what all chats have used, in our own chat.",
    status="Costs: {today} today, {month} this month (/usage)",
    utc="Days and months are those of UTC.",
)
