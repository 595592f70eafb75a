"""Every function that a message's text goes through, as something that takes a text alone."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from adapters.telegram.splitting import split
from bot.config.parse import parse_settings
from bot.errors import ConfigInvalid
from bot.memory.answering.answer import answer_from
from bot.memory.document import parse_document, render_document
from bot.memory.items import Channel, Provenance, Recalled, Trust
from bot.memory.learning.speech_acts import find_skip_reason
from bot.memory.learning.statements import extract_items
from bot.memory.patterns import cut_for_rules
from bot.memory.ranking.fusion import STORE_TOPICS, split_topics
from bot.memory.ranking.passages import find_days, find_subject
from bot.memory.sanitise import clean, fence_block
from bot.memory.secrets.redaction import redact
from harness.growth.inventory import text_functions
from language.en.texts import TEXTS as EN
from language.tokens import shorten

Work = Callable[[str], object]
NOW: Final = datetime(2026, 3, 1, 12, tzinfo=UTC)
FIRST: Final = datetime(2005, 1, 1, tzinfo=UTC)
_PROVENANCE: Final = Provenance(7, "Anna", "chat", Trust.USER, NOW, "a1")
_TAKES_NO_MESSAGE: Final = {
    "bot.memory.patterns.bound_repetitions": "a pattern of ours",
    "bot.memory.patterns.compile_bounded": "a pattern of ours",
    "adapters.telegram.session.open_bot": "the bot's token",
    "adapters.telegram.account.make_api_server": "an address from the settings",
    "adapters.telegram.splitting.split": "it is here with longer texts: the first 4 kB are one message",
    "adapters.telegram.markdown.render": "split hands it a window of a text, as converting is not linear",
}
"""Public functions whose text is not as long as somebody likes, with what it is."""


def _document(text: str) -> object:
    return parse_document(
        render_document(
            tag="tu42",
            uid="a1",
            said_at=NOW,
            skill="",
            author_name=text[:200],
            user_text=text,
            assistant_text=text,
        )
    )


def _configured(text: str) -> object:
    try:
        return parse_settings(text.encode(errors="replace"), "runtime-config.json", {})
    except ConfigInvalid as refused:
        return refused


def _answered(text: str) -> object:
    memory = Recalled("1", text, Channel.TURN, 1.0, "Anna", 7, role="user", said_at=NOW)
    return answer_from(cut_for_rules(text), (memory,), asker_id=7, asker_name="Anna", now=NOW, phrases=EN.answers)


WHOLE: Final[dict[str, Work]] = {
    "redact(clean)": lambda text: redact(clean(text)),
    "extract_items": lambda text: extract_items(user_text=text, assistant_text=text, provenance=_PROVENANCE),
    "find_skip_reason": lambda text: find_skip_reason(text, text, min_length=1, states_fact=False, synthetic=False),
    "answer_from": _answered,
    "find_days": lambda text: find_days(text, NOW, FIRST, NOW),
    "split_topics": lambda text: split_topics(text, STORE_TOPICS),
    "find_subject": lambda text: find_subject(text, ("Anna", "Boris"), 0),
    "shorten": lambda text: shorten(text, 500),
    "document": _document,
    "fence_block": lambda text: fence_block("memory", [text], "0123456789abcdef"),
    "parse_settings": _configured,
    "split": lambda text: split(text * 4),
}
"""What takes more than a text, and ways through several functions."""


def works() -> dict[str, Work]:
    """Return all of them by name: every public function that can be called with a text alone, and the whole ways."""
    alone = {name: work for name, function in text_functions() if (work := _alone(name, function)) is not None}
    return alone | WHOLE


def _alone(name: str, function: Callable[..., Any]) -> Work | None:
    parameters = list(inspect.signature(function).parameters.values())[1:]
    variadic = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    if name in _TAKES_NO_MESSAGE or any(p.default is p.empty and p.kind not in variadic for p in parameters):
        return None
    fresh = inspect.unwrap(function)

    def work(text: str) -> object:
        try:
            result = fresh(text)
            return list(result) if inspect.isgenerator(result) else result
        except Exception as error:  # noqa: BLE001  what a function refuses it has read
            return error

    return work
