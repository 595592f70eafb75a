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
    owner_commands={"users": "who was let in by a code"},
    topics={
        "memory": (
            "Tell me something and I keep it: who you are, what you decided, what you like. Ask, and I answer from it. "
            "/memory shows everything I keep, /why what my last answer was made from."
        ),
        "privacy": (
            "What you write is kept on my operator's own server. /forget deletes one memory, or everything, down to "
            "the last byte; passwords and keys are masked before they are kept. What a private chat remembers never "
            "comes up in a group."
        ),
        "groups": (
            "In a group I answer to a command, to my name, and to replies to me; the rest I do not read. The group has "
            "a memory of its own. My operator lists the groups that I work in."
        ),
    },
)
