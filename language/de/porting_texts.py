"""What is said about taking a memory away and bringing conversations along, in German."""

from __future__ import annotations

from types import MappingProxyType

from language.porting_texts import ExportTexts, ImportTexts

EXPORTING = ExportTexts(
    ready=(
        "Alles, was ich von diesem Chat behalten habe. Nachrichten: {turns}, Erinnerungen: {items}, {size} MB.\n\n"
        "README.md darin sagt, was wo steht; mit /import zurückgeschickt, wird die Datei wieder eingelesen."
    ),
    written="Die Datei: `{path}`",
    nothing="Von diesem Chat ist noch nichts behalten.",
    too_large=(
        "Der Export hat {size} MB, mehr, als ich hier senden kann ({limit} MB). "
        "Im Terminal: `mneme export --scope {scope}`"
    ),
    confirm=(
        "Alle in dieser Gruppe können die Datei öffnen, mit allem, was ich von der Gruppe behalten habe. Soll ich "
        "sie senden?"
    ),
    confirm_button="Hier senden",
    owner_only=(
        "Ein Gedächtnis, das mehrere teilen, exportiert mein Besitzer, das einer Gruppe auch ihre Administratoren."
    ),
    private="In dieser Gruppe verwende ich dein privates Gedächtnis. Bitte in unserem Direktchat um den Export.",
)

IMPORTING = ImportTexts(
    usage=(
        "Schick mir eine exportierte Unterhaltung als Datei mit der Bildunterschrift /import: result.json von Telegram "
        "Desktop, einen Chat von WhatsApp, conversations.json von ChatGPT oder Claude, einen Kanal von Discord "
        "(DiscordChatExporter), message_1.json von Messenger oder Instagram, einen Arbeitsbereich von Slack, einen "
        "Export von mir, oder die Zip-Datei, in der sie kamen."
    ),
    usage_terminal="Nenne die Datei: `/import DATEI`",
    survey="{format}, Nachrichten: {messages}, Chats: {chats}, von {first} bis {last}.",
    archive="Erinnerungen: {items}.",
    left_out="Ausgelassen: {what}: {count}",
    reasons=MappingProxyType(
        {
            "SERVICE": "Hinweise (beigetreten, angerufen, angeheftet …)",
            "PICTURE": "Bilder ohne Text",
            "VIDEO": "Videos ohne Text",
            "VOICE": "Sprachnachrichten und Musik",
            "STICKER": "Sticker",
            "FILE": "Dateien ohne Text",
            "NO_TEXT": "andere Nachrichten ohne Worte",
            "VERSION": "ersetzte Fassungen von Nachrichten",
            "HIDDEN": "verborgene Nachrichten und Aufrufe von Werkzeugen",
            "NO_AUTHOR": "Nachrichten ohne Absender",
            "NO_DATE": "Nachrichten ohne Datum",
            "TOO_LONG": "Nachrichten mit mehr als 1.000.000 Zeichen",
            "NOT_YOURS": "Erinnerungen anderer",
        }
    ),
    more_people="… und weitere: {count}",
    who="Wer davon bist du? Deine Worte werden hier deine, die der anderen bleiben ihre.",
    nobody_button="Niemand davon",
    you="Du bist {name}.",
    own_export="Diese Datei habe ich selbst geschrieben: Alles kommt zurück, wie es war.",
    tokens="Das Langzeitgedächtnis gibt davon etwa {tokens} Token seinem Sprachmodell zu lesen.",
    tokens_priced=(
        "Das Langzeitgedächtnis gibt davon etwa {tokens} Token seinem Sprachmodell zu lesen: "
        "etwa {money}, ohne das, was das Modell schreibt."
    ),
    start="Noch ist nichts gespeichert. Soll ich es einlesen?",
    start_button="Einlesen",
    cancel_button="Abbrechen",
    begun="Ich lese „{name}“ jetzt ein und antworte dabei weiter. /import sagt, wie weit es ist.",
    progress="„{name}“: {done} von {total} ({share} %)",
    done="„{name}“ ist eingelesen. Neu: {added}, schon da: {known}.",
    forgotten="Früher mit Absicht vergessen, und das bleibt so: {count}.",
    refused="Das lässt sich nicht einlesen: {reason}",
    cancelled="Das Einlesen von „{name}“ wurde abgebrochen. Was bis dahin ankam, bleibt: {added}.",
    gone="Dieses Einlesen ist vorbei oder hat nie begonnen.",
    none="Gerade wird nichts eingelesen.",
    busy="Hier wird schon etwas eingelesen. /import sagt, wie weit es ist.",
    too_large=(
        "Die Datei ist größer, als ich hier abholen darf ({limit} MB). "
        "Leg sie auf den Rechner, auf dem ich laufe, und lies sie im Terminal ein: `mneme import DATEI`"
    ),
    not_fetched="Die Datei ließ sich nicht abholen. Bitte schick sie noch einmal.",
    owner_only=(
        "In ein Gedächtnis, das mehrere teilen, liest mein Besitzer etwas ein, in das einer Gruppe auch ihre "
        "Administratoren."
    ),
    memory_off="Das Gedächtnis ist ausgeschaltet: Es lässt sich nichts übernehmen.",
)
