"""The words of /new, /sessions and /compact in German."""

from __future__ import annotations

from typing import Final

from language.session_texts import SessionTexts

SESSIONS: Final = SessionTexts(
    titled="Dieses heißt {title}.",
    head="Gespräche in diesem Chat",
    none="Hier gibt es noch kein Gespräch. Was ich mir gemerkt habe, steht in /memory.",
    line="{number}. {title} – {begun}, Nachrichten: {count}",
    current="(jetzt)",
    untitled="(ohne Worte)",
    hint="Eine Zahl führt zurück in dieses Gespräch.",
    opened=(
        "Wir sind wieder in {title} (zuletzt {active}, Nachrichten: {count}). Was dort gesagt wurde, weiß ich wieder."
    ),
    already="In diesem Gespräch sind wir schon.",
    missing="Dieses Gespräch gibt es nicht mehr.",
    compacted=(
        "Nachrichten, für die jetzt eine Zusammenfassung steht: {count}. Die letzten {staying} bleiben wörtlich. "
        "Gelöscht ist nichts."
    ),
    too_short="Dieses Gespräch ist für eine Zusammenfassung zu kurz: Es bleibt, wie es ist.",
    no_model=(
        "Eine Zusammenfassung braucht ein Sprachmodell, und keines ist eingestellt. Verloren geht nichts: Wird ein "
        "Gespräch lang, lasse ich seinen ältesten Teil von selbst weg und finde ihn, wenn du danach fragst."
    ),
    not_compacted="Mein Sprachmodell hat keine Zusammenfassung geliefert. Das Gespräch bleibt, wie es ist.",
    no_budget=(
        "Vom Budget ist nur noch wenig übrig, das bleibt für Antworten, und dieses Gespräch bleibt, wie es ist "
        "(/usage)."
    ),
)
