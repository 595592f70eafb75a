"""German: about documents that were sent."""

from __future__ import annotations

from types import MappingProxyType

from language.document_texts import DocumentTexts

DOCUMENTS = DocumentTexts(
    reading="Ich lese {name} …",
    read="Ich habe {name} gelesen ({about}).",
    known="{name} kenne ich schon ({about}); es kam nichts dazu.",
    renewed="Es tritt an die Stelle des früheren mit diesem Namen (Fassung {version}).",
    cut="Es ist länger, als ich lesen darf: Der Rest fehlt.",
    masked="Was nach einem Geheimnis aussah, habe ich weggelassen.",
    how_to_ask="Frag mich danach oder antworte auf diese Nachricht. /docs zeigt, was ich gelesen habe.",
    failed="{name} konnte ich nicht lesen: {reason}.",
    export=(
        "{name} ist ein Export von Gesprächen. Um die Nachrichten mitzubringen, sende die Datei noch einmal mit der "
        "Beschriftung /import (im Terminal: /import PFAD). Ich habe nichts davon behalten."
    ),
    memory_off="Solange das Gedächtnis aus ist, behalte ich nichts; {name} habe ich deshalb nicht gelesen.",
    unnamed="die Datei",
    reasons=MappingProxyType(
        {
            "": "damit stimmt etwas nicht",
            "encrypted": "sie ist mit einem Passwort geschützt",
            "too_large": "sie ist zu groß",
            "empty": "sie ist leer",
            "no_text": "es ist kein Text darin, nur Bilder",
            "damaged": "sie ist beschädigt",
            "unknown_kind": "diese Art von Datei kenne ich nicht",
            "rich_text": "Rich Text (.rtf) lese ich nicht; speichere sie als .docx",
            "archive": "ein Archiv packe ich nicht aus; schick mir die Dateien darin einzeln",
            "old_office": "die alten Formate .doc, .xls und .ppt lese ich nicht; nimm .docx, .xlsx oder .pptx",
            "outlook": "Outlooks eigenes Format (.msg) lese ich nicht; speichere die Nachricht als .eml",
            "timed_out": "es hat zu lange gedauert",
            "gone": "sie ist nicht mehr da",
            "unreachable": "sie ist gerade nicht erreichbar; bitte versuch es später noch einmal",
            "disk": "hier ist kein Platz dafür",
            "private": "diese Adresse ist nicht öffentlich",
            "scheme": "nur Adressen mit http und https lassen sich lesen",
            "port": "nur gewöhnliche Webadressen werden gelesen",
            "credentials": "nur gewöhnliche Webadressen werden gelesen",
            "kind": "was dort liegt, kenne ich nicht",
            "malformed": "das ist keine Adresse",
            "status": "die Seite antwortet mit einem Fehler",
            "unresolved": "diese Adresse gibt es nicht",
            "redirects": "die Adresse führt im Kreis",
        }
    ),
    about_pages="Seiten: {count}",
    about_sections="Abschnitte: {count}",
    about_characters="Zeichen: {count}",
    place_page="S. {page}",
    listed="Dokumente: {count}",
    none="Ich habe hier noch keine Dokumente gelesen. Schick mir eine Datei oder einen Link.",
    open_button="Öffnen {number}",
    forget_button="Vergessen",
    added="Hinzugefügt am {day} von {author}.",
    source="Von {url}",
    outline="Abschnitte:",
    more_sections="… und weitere: {count}",
    confirm="Soll ich {name} vergessen, mit allem, was ich darin gelesen habe?",
    yes_forget="Ja, vergessen",
    several="Mit „{name}“ können mehrere Dokumente gemeint sein:",
    missing="Ein Dokument „{name}“ habe ich nicht. /docs zeigt, was ich gelesen habe.",
    from_terminal="Ein Pfad geht nur im Chat des Terminals. Schick mir hier die Datei.",
    usage="/docs zeigt die Dokumente; /docs NAME öffnet eines; /docs forget NAME vergisst es.",
    ask_usage="So geht es: /ask NAME deine Frage (Name oder Nummer stehen in /docs).",
    page_of="Seite {page} von {pages}",
)
