"""The words of /new, /sessions and /compact in English."""

from __future__ import annotations

from typing import Final

from language.session_texts import SessionTexts

SESSIONS: Final = SessionTexts(
    titled="This one is called {title}.",
    head="Conversations of this chat",
    none="There is no conversation here yet. What I remember is in /memory.",
    line="{number}. {title} – {begun}, messages: {count}",
    current="(now)",
    untitled="(without words)",
    hint="A number takes us back to that conversation.",
    opened="We are back in {title} (last on {active}, messages: {count}). I know again what was said there.",
    already="We are in that conversation.",
    missing="There is no such conversation any more.",
    compacted=(
        "Messages that now stand as a summary: {count}. The last {staying} stay word for word. Nothing was deleted."
    ),
    too_short="This conversation is too short for a summary: it stays as it is.",
    no_model=(
        "A summary needs a language model, and none is configured. Nothing is lost: when a conversation gets long I "
        "leave out its oldest part by myself, and find it when you ask for it."
    ),
    not_compacted="My language model did not give a summary. The conversation stays as it is.",
    no_budget="Little is left of the budget, so it is kept for answers, and this conversation stays as it is (/usage).",
)
