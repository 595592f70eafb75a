"""The words of /usage and of budgets in German."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from language.costs_texts import CostTexts

COSTS: Final = CostTexts(
    head="Was dieser Chat verbraucht hat",
    none="Für diesen Chat wurde diesen Monat kein Sprachmodell gefragt.",
    today="Heute",
    month="Diesen Monat",
    line="{what}: Token gelesen {prompt}{cached}, geschrieben {completion}, Aufrufe {calls}{money}",
    cached=" ({share} % davon aus dem Zwischenspeicher des Servers)",
    by_model="Nach Modell, diesen Monat",
    by_kind="Nach Zweck, diesen Monat",
    unknown_model="(nicht genannt)",
    kinds=MappingProxyType(
        {
            "answer": "Antworten",
            "summary": "Zusammenfassungen langer Gespräche",
            "learning": "Lernen aus Gesprächen",
            "search": "Lesen von Fragen",
            "check": "Prüfen von Antworten",
        }
    ),
    unpriced="Diese Modelle haben keinen Preis, ihre Token stehen also in keiner Summe: {models} (costs.prices)",
    budgets=MappingProxyType(
        {
            "chat day": "dem heutigen Budget dieses Chats",
            "chat month": "dem Budget dieses Chats für diesen Monat",
            "total day": "dem heutigen Budget aller Chats",
            "total month": "dem Budget aller Chats für diesen Monat",
        }
    ),
    budget_line="Verbraucht von {budget}: {spent} von {limit} ({share} %)",
    tokens="{count} Token",
    warned="(Von {budget} sind {share} % verbraucht: {spent} von {limit}. Erhöhen lässt es sich mit {setting}.)",
    stopped=(
        "(Von {budget} ist nichts mehr übrig, deshalb antworte ich nur aus dem Gedächtnis. Erhöhen lässt es sich mit "
        "{setting}.)"
    ),
    warned_user="(Von {budget} sind {share} % verbraucht: {spent} von {limit}. Mein Betreiber kann es erhöhen.)",
    stopped_user=(
        "(Von {budget} ist nichts mehr übrig, deshalb antworte ich nur aus dem Gedächtnis. Mein Betreiber kann es "
        "erhöhen.)"
    ),
    operator_warned="von {budget} ist nur noch wenig übrig ({setting})",
    operator_stopped="von {budget} ist nichts mehr übrig, alle bekommen Antworten nur aus dem Gedächtnis ({setting})",
    all_head="Was alle Chats diesen Monat verbraucht haben",
    all_line="{scope}: Token {tokens}, Aufrufe {calls}{money}",
    erased="vergessene Chats",
    together="zusammen",
    owner_only="Was alle Chats verbraucht haben, sieht nur mein Betreiber, in unserem eigenen Chat.",
    status="Kosten: heute {today}, diesen Monat {month} (/usage)",
    utc="Tage und Monate zählen nach UTC.",
)
