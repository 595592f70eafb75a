"""German: what is shown around a conversation."""

from __future__ import annotations

from language.chat_texts import ChatTexts

CHAT = ChatTexts(
    stop_button="■ Stopp",
    description=(
        "Ein Assistent, der sich merkt, was du ihm erzählst, und zeigt, was er sich merkt.\n\n"
        "Schreib ihm wie einem Menschen. /memory zeigt, was er weiß, /why, woraus eine Antwort entstand, und /forget "
        "löscht endgültig.\n\n"
        "Er läuft auf einem eigenen Server: Er antwortet denen, die sein Betreiber zulässt."
    ),
    short_description="Ein Assistent mit einem Gedächtnis, das du siehst, berichtigst und löschst. Mehr mit /help.",
    owner_commands={"users": "wer mit einem Code hereinkam"},
    topics={
        "memory": (
            "Erzähl mir etwas, und ich behalte es: wer du bist, was du beschlossen hast, was du magst. Frag, und ich "
            "antworte daraus. /memory zeigt alles, was ich behalte, /why, woraus meine letzte Antwort entstand."
        ),
        "privacy": (
            "Was du schreibst, bleibt auf dem Server meines Betreibers. /forget löscht eine Erinnerung oder alle, bis "
            "zum letzten Byte; Passwörter und Schlüssel werden unkenntlich gemacht, bevor etwas behalten wird. Was ein "
            "privater Chat behält, kommt in keiner Gruppe vor."
        ),
        "groups": (
            "In einer Gruppe antworte ich auf Befehle, auf meinen Namen und auf Antworten an mich; den Rest lese ich "
            "nicht. Die Gruppe hat ein eigenes Gedächtnis. Mein Betreiber legt fest, in welchen Gruppen ich arbeite."
        ),
    },
)
