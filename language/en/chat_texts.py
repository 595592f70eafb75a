"""English: what is shown around a conversation."""

from __future__ import annotations

from language.chat_texts import ChatTexts

CHAT = ChatTexts(
    stop_button="■ Stop",
    description=(
        "An assistant that remembers what you tell it, and shows you what it remembers.\n\n"
        "Write to it as to a person. /memory shows what it knows, /why what an answer was made from, and /forget "
        "deletes for good.\n\n"
        "It runs on somebody's own server: it answers those whom its operator lets in."
    ),
    short_description="An assistant with a memory you can see, correct and delete. /help lists what it can do.",
)
