"""The words around a remembered answer in German."""

from __future__ import annotations

from typing import Final

from language.answer_phrases import AnswerPhrases

DAY: Final = "{day}. {month} {year}"
MONTHS: Final = (
    *("Januar", "Februar", "März", "April", "Mai", "Juni"),
    *("Juli", "August", "September", "Oktober", "November", "Dezember"),
)
WEEKDAYS: Final = (
    *("Montag", "Dienstag", "Mittwoch", "Donnerstag"),
    *("Freitag", "Samstag", "Sonntag"),
)

ANSWER_PHRASES: Final = AnswerPhrases(
    greeting="Hallo! Erzähl mir, was ich mir merken soll, oder frag mich nach dem, was du mir erzählt hast.",
    thanks="Gern geschehen!",
    farewell="Bis bald! Was du mir erzählt hast, behalte ich.",
    wellbeing="Danke, mir geht es gut. Erzähl mir, wie es dir geht, dann merke ich es mir.",
    introduction=(
        "Ich bin Mneme, ein Assistent mit Gedächtnis. Erzähl mir, was dir einfällt, und frag mich Tage oder Monate "
        "später danach. Alle Befehle: /help"
    ),
    other_smalltalk="Alles klar.",
    noted="Ich merke mir: {text}",
    wish_noted="Als dauerhaften Wunsch notiert, für Antworten, die ein Sprachmodell schreibt: {text}",
    heard="Ich habe es gelesen und finde es wieder, wenn du fragst.",
    secret_left_out="Das Geheimnis habe ich weggelassen: Passwörter und Schlüssel gehören nicht ins Gedächtnis.",  # noqa: S106  a sentence about passwords
    told="Du hast mir am {date} gesagt: {text}",
    told_undated="Du hast mir gesagt: {text}",
    said="{name} hat am {date} gesagt: {text}",
    said_undated="{name} hat gesagt: {text}",
    forwarded="Weitergeleitet von {name} am {date}: {text}",
    forwarded_undated="Weitergeleitet von {name}: {text}",
    forward_noted="Das merke ich mir als weitergeleitet von {name}, nicht als deine eigenen Worte.",
    shown="Mir gezeigt am {date}: {text}",
    shown_undated="Mir gezeigt: {text}",
    shown_noted="Das merke ich mir als etwas, das mir gezeigt wurde, nicht als deine eigenen Worte.",
    answered="Ich habe am {date} geantwortet: {text}",
    answered_undated="Ich habe geantwortet: {text}",
    found="Im Langzeitgedächtnis finde ich: {text}",
    document="„{text}“ — {place}",
    document_page="S. {page}",
    earlier="Davor, am {date}: {text}",
    earlier_undated="Davor: {text}",
    perhaps="Vielleicht hilft dir das: {line}",
    unknown="Das weiß ich nicht: Nichts, was mir hier erzählt wurde, beantwortet das.",
    unread="Das weiß ich noch nicht: Ich konnte nicht rechtzeitig alles durchsehen. Frag mich bitte noch einmal.",
    not_answered="Weitere Fragen: {count}. Schick sie bitte in einer eigenen Nachricht.",
    how_to_forget=(
        "Noch ist nichts vergessen. Schreib /forget und ein Wort daraus: Ich zeige dir, was ich finde, und lösche es."
    ),
    needs_model="Ich kann nur wiederholen, was mir erzählt wurde; dafür braucht es ein Sprachmodell.",
    in_order="Der zeitlichen Reihenfolge nach:",
    gathered="Was ich dazu finde, nach Tagen:",
    decided="Was entschieden wurde:",
    no_model=(
        "(Es ist kein Sprachmodell eingerichtet, deshalb antworte ich nur aus dem Gedächtnis. So kommt eines dazu: "
        "llm.url und llm.model in preferences/runtime-config.json oder LLM_URL, LLM_MODEL und LLM_API_KEY.)"
    ),
    another="Jemand anderes",
    another_source="jemand anderem",
    numbered="Person {id}",
    date=DAY,
    weekday_date="{weekday}, " + DAY,
    months=MONTHS,
    weekdays=WEEKDAYS,
)
