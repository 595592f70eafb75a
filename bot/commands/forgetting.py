"""What /forget finds and what it says afterwards.

A receipt never repeats what was forgotten: the words would live on in the chat and in our own log of replies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.commands.numbering import number_of
from bot.memory.concepts import STOP_WORDS
from bot.memory.items import MemoryItem, Recalled
from bot.ports.memory import Receipt
from bot.texts.texts import ForgetTexts

_WORD: Final = re.compile(r"[^\W_]+", re.UNICODE)
_SWEEPING: Final = frozenset({"all", "everything", "forget", "все", "всё", "забудь", "забыть"})
_STEM: Final = 5
"""Letters compared, so that endings do not matter."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that could be meant: ``ref`` is what ``/forget`` takes, ``exact`` that every word is in it."""

    ref: str
    text: str
    author_id: int
    author: str
    role: str
    said_at: datetime | None
    exact: bool


def candidates(words: str, items: Iterable[MemoryItem], turns: Iterable[Recalled]) -> tuple[Candidate, ...]:
    """Return what shares words with the search, those with all of them first; one candidate per exchange.

    Recall also finds what only means something similar; to forget, the words themselves must be there: all of them,
    or, if nothing has all, at least half.
    """
    wanted = _stems(topic(words))
    found: dict[str, tuple[float, Candidate]] = {}
    for item in items:
        origin = item.provenance
        key = origin.exchange or f"item:{item.id}"
        share = _share(wanted, f"{item.title} {item.content}")
        role = "assistant" if origin.author_id == 0 else "user"
        candidate = Candidate(
            str(number_of(item.id)),
            item.content,
            origin.author_id,
            origin.author_name,
            role,
            origin.said_at,
            share == 1,
        )
        found.setdefault(key, (share, candidate))
    for turn in turns:
        share = _share(wanted, turn.text)
        ref = f"turn:{turn.exchange}"
        candidate = Candidate(ref, turn.text, turn.author_id, turn.author, turn.role, turn.said_at, share == 1)
        if turn.exchange and share > found.get(turn.exchange, (0.0,))[0]:
            found[turn.exchange] = (share, candidate)
    best = max((share for share, _ in found.values()), default=0.0)
    least = 1.0 if best == 1 else 0.5
    ranked = sorted((pair for pair in found.values() if pair[0] >= least), key=lambda pair: -pair[0])
    return tuple(candidate for _, candidate in ranked)


def receipt(done: Receipt, ref: str, texts: ForgetTexts, *, everything: bool = False) -> str:
    """Return the receipt in words; ``ref`` names what was asked for, in case there was nothing of the kind."""
    removed = (
        (texts.exchanges, done.exchanges),
        (texts.items, done.items),
        (texts.answers, done.answers),
        (texts.documents, done.documents),
    )
    lines = [sentence.format(count=count) for sentence, count in removed if count]
    if not lines and not done.pending and not done.residue and not everything:
        return texts.missing.format(ref=ref)
    if done.pending:
        lines.append(texts.pending)
    elif done.documents:
        lines.append(texts.confirmed)
    lines.append(texts.residue.format(count=len(done.residue)) if done.residue else texts.verified)
    head = texts.done_everything if everything else texts.done
    return "\n\n".join((head, "\n".join(f"- {line}" for line in lines)))


def joined(one: Receipt, other: Receipt) -> Receipt:
    """Return one receipt for two erases."""
    return Receipt(
        one.exchanges + other.exchanges,
        one.items + other.items,
        one.documents + other.documents,
        one.residue + other.residue,
        one.pending or other.pending,
        one.answers + other.answers,
    )


def _share(wanted: frozenset[str], text: str) -> float:
    return len(wanted & _stems(text)) / len(wanted) if wanted else 0.0


def topic(words: str) -> str:
    """Return the words of a search that say what it is about: "everything about my sister" is about a sister."""
    said = _WORD.findall(words.casefold().replace("ё", "е"))
    return " ".join([word for word in said if word not in STOP_WORDS | _SWEEPING] or said)


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in _WORD.findall(text.casefold().replace("ё", "е")))
