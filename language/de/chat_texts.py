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
)
