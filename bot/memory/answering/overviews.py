"""Answers questions over time and over everything without a model: lines of the chronicle, dated, in order of time.

A quotation like every other answer: each line says who said it and when, and nothing is drawn from them.
"""

from __future__ import annotations

import itertools
import math
from datetime import datetime
from typing import Final

from bot.memory.answering.evidence import Evidence, list_utterances
from bot.memory.answering.phrasing import format_line
from bot.memory.items import Channel, Recalled
from bot.memory.overviews import Overview, OverviewKind
from bot.memory.secrets.redaction import is_redacted
from bot.memory.speakers import Reader
from bot.memory.synonyms import list_concepts
from language.answer_phrases import AnswerPhrases

_MOST: Final = 12
"""Lines that a person reads in a chat; the best of what was found."""
_NEAR_BEST: Final = 0.5
"""Share of the best line's score that a line needs which names nothing of what the question is about: a model
overlooks what is beside the point, a list shows it."""


def tell_lines(
    overview: Overview, memories: tuple[Recalled, ...], reader: Reader, now: datetime, phrases: AnswerPhrases
) -> tuple[str, tuple[Recalled, ...]] | None:
    """Return the answer and the lines that it quotes, ``None`` where the chronicle holds nothing for the question."""
    found = sorted((memory for memory in memories if memory.channel is Channel.DIGEST), key=lambda one: -one.score)
    wanted = frozenset(list_concepts(overview.subject))
    near = (
        memory
        for memory in found
        if memory.score >= _NEAR_BEST * found[0].score or not wanted.isdisjoint(list_concepts(memory.text))
    )
    shown = {memory.key for memory in itertools.islice(near, _MOST)}
    used = tuple(sorted((memory for memory in memories if memory.key in shown), key=_get_time))
    if not used:
        return None
    lines = [
        f"• {format_line(Evidence(said.text, said), now, phrases)}"
        for said in list_utterances(used, reader)
        if said.text.strip()
    ]
    if any(is_redacted(memory.text) for memory in used):
        lines.append(phrases.secret_left_out)
    return "\n".join((_choose_heading(overview, phrases), *lines)), used


def _choose_heading(overview: Overview, phrases: AnswerPhrases) -> str:
    if overview.kind is OverviewKind.DECISIONS:
        return phrases.decided
    return phrases.in_order if overview.chronological else phrases.gathered


def _get_time(memory: Recalled) -> float:
    return memory.said_at.timestamp() if memory.said_at else math.inf
