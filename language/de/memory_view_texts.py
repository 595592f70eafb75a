"""The sentences of looking at memory in the chat in German."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from language.memory_view_texts import MemoryViewTexts

MEMORY_VIEWS: Final = MemoryViewTexts(
    kinds=MappingProxyType(
        {
            "decision": "Entscheidungen",
            "constraint": "Regeln",
            "failure": "Probleme",
            "fix": "Lösungen",
            "preference": "Vorlieben",
            "project_fact": "Tatsachen",
            "task_state": "Aufgaben",
            "command_result": "Ergebnisse",
        }
    ),
    times=MappingProxyType({"week": "Diese Woche", "month": "Diesen Monat", "year": "Dieses Jahr", "older": "Älter"}),
    by_kind="Nach Art",
    by_person="Nach Person",
    by_time="Nach Zeit",
    pinned="Angeheftet",
    history="Ersetzt",
    home="Alle Erinnerungen",
    back="‹ Zurück",
    people_head="Wer es gesagt hat und um wen oder was es geht:",
    times_head="Wann es gesagt wurde:",
    kinds_head="Nach Art:",
    counted="{name} – {total}",
    said_by="Gesagt von: {name}",
    about="Über {name}",
    nobody="jemand Unbekanntes",
    gone="Die Erinnerung {id} gibt es nicht mehr. Das ist jetzt da:",
    none_here="Da ist nichts mehr.",
    opened="Erinnerung {id} · {kind}",
    from_message="Aus der Nachricht: {text}",
    cut="… und {count} weitere Zeichen",
    replaced_head="Sie hat ersetzt:",
    replaced_by="Ersetzt durch {id}: {text}",
    withdrawn="Zurückgenommen: Die Nachricht, die es sagte, wurde bearbeitet.",
    used="Für Antworten benutzt: {count}",
    used_last="Für Antworten benutzt: {count}, zuletzt am {day}",
    never_used="Noch für keine Antwort benutzt.",
    restated="Noch einmal gesagt: {count}",
    edit="Ändern",
    pin="Anheften",
    unpin="Lösen",
    forget="Vergessen",
    cancel="Abbrechen",
    put_back="Zurücksetzen",
    ask_edit=(
        "Deine nächste Nachricht wird, binnen {minutes} Minuten, der neue Text der Erinnerung {id}. Jetzt lautet sie:"
    ),
    ask_edit_group=(
        "Antworte hierauf binnen {minutes} Minuten mit dem neuen Text der Erinnerung {id}. Jetzt lautet sie:"
    ),
    changed="Die Erinnerung {id} hat sich inzwischen geändert. Nichts wurde getan; so lautet sie jetzt:",
    confirm_forget="Soll ich die Erinnerung {id} vergessen? Mit ihr geht, woher sie stammt:",
    answered="Meine Antwort: {text}",
    learned="Daraus gemerkt:",
    open_number="{number} öffnen",
    pressed="„{label}“ gewählt.",
)
