"""The words of /usage and of budgets in Russian."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from language.costs_texts import CostTexts

COSTS: Final = CostTexts(
    head="Сколько израсходовал этот чат",
    none="В этом месяце языковую модель для этого чата не спрашивали.",
    today="Сегодня",
    month="В этом месяце",
    line="{what}: прочитано токенов {prompt}{cached}, написано {completion}, вызовов {calls}{money}",
    cached=" (из них из кэша сервера {share} %)",
    by_model="По моделям, в этом месяце",
    by_kind="По назначению, в этом месяце",
    unknown_model="(не названа)",
    kinds=MappingProxyType(
        {
            "answer": "ответы",
            "summary": "краткие изложения длинных разговоров",
            "learning": "обучение на разговорах",
            "search": "разбор вопросов",
            "check": "проверка ответов",
        }
    ),
    unpriced="У этих моделей нет цены, поэтому их токены не входят ни в одну сумму: {models} (costs.prices)",
    budgets=MappingProxyType(
        {
            "chat day": "бюджет этого чата на сегодня",
            "chat month": "бюджет этого чата на этот месяц",
            "total day": "бюджет всех чатов на сегодня",
            "total month": "бюджет всех чатов на этот месяц",
        }
    ),
    budget_line="Израсходовано, {budget}: {spent} из {limit} ({share} %)",
    tokens="токенов: {count}",
    warned="({budget}: израсходовано {share} %, {spent} из {limit}. Увеличить: {setting}.)",
    stopped="({budget}: израсходован, поэтому я отвечаю только по памяти. Увеличить: {setting}.)",
    warned_user="({budget}: израсходовано {share} %, {spent} из {limit}. Увеличить может мой владелец.)",
    stopped_user="({budget}: израсходован, поэтому я отвечаю только по памяти. Увеличить может мой владелец.)",
    operator_warned="{budget}: осталось мало ({setting})",
    operator_stopped="{budget}: израсходован, все получают ответы только по памяти ({setting})",
    all_head="Сколько израсходовали все чаты в этом месяце",
    all_line="{scope}: токенов {tokens}, вызовов {calls}{money}",
    erased="забытые чаты",
    together="вместе",
    owner_only="Расход всех чатов видит только мой владелец, в нашем личном чате.",
    status="Расходы: сегодня {today}, в этом месяце {month} (/usage)",
    utc="Дни и месяцы считаются по UTC.",
)
