"""Makes structured items from what a person says, by rules: no model, no network, the same result every time.

The content of an item is the sentence as it was said: the rules may misread it, the reader need not.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from bot.memory.items import ItemType, Layer, MemoryItem, Provenance, Trust
from bot.memory.learning.statements import Fact, facts, states_fact
from language.words import words

__all__ = ["Fact", "facts", "fingerprint", "items_from", "states_fact"]


def fingerprint(text: str) -> str:
    """Return 32 hex digits, equal for texts with the same words in the same order, whatever their case and signs."""
    return hashlib.sha256(" ".join(words(text)).encode()).hexdigest()[:32]


def items_from(
    *,
    user_text: str,
    assistant_text: str,
    provenance: Provenance,
    answer_trust: Trust = Trust.BOT,
    skill: str = "",
) -> tuple[MemoryItem, ...]:
    """Return the items that an exchange gives, in the order of the text, each once.

    Text of less than a user's trust (files, forwards, tools, the web) gives none: it is never a fact by itself.
    From the assistant's words only results of commands are kept, with ``answer_trust``, and none where that is less
    than the assistant's own: such an answer rests on what somebody outside wrote.
    """
    items: dict[str, MemoryItem] = {}
    if provenance.trust >= Trust.USER:
        for fact in facts(user_text):
            item = _item(fact, provenance, skill)
            items.setdefault(item.fingerprint, item)
    spoken = replace(provenance, author_id=0, author_name="", trust=min(provenance.trust, answer_trust, Trust.BOT))
    if spoken.trust >= Trust.BOT:
        for fact in facts(assistant_text):
            if fact.rule.type is ItemType.RESULT:
                item = _item(fact, spoken, skill)
                items.setdefault(item.fingerprint, item)
    return tuple(items.values())


def _item(fact: Fact, provenance: Provenance, skill: str) -> MemoryItem:
    """Return the item; what is "mine" is keyed and fingerprinted by its author, so that two people never overwrite."""
    prefix = f"{provenance.author_id}:" if fact.own else ""
    return MemoryItem(
        layer=Layer.EPISODIC if fact.passing and fact.rule.layer is Layer.SEMANTIC else fact.rule.layer,
        type=fact.rule.type,
        title=fact.title,
        content=fact.sentence,
        provenance=provenance,
        fingerprint=fingerprint(prefix + fact.sentence),
        confidence=fact.confidence,
        salience=fact.rule.salience,
        tags=(skill,) if skill else (),
        ttl_s=fact.rule.ttl_s,
        created_at=provenance.said_at,
        updated_at=provenance.said_at,
        accessed_at=provenance.said_at,
        subject=prefix + fact.key if fact.key else "",
    )
