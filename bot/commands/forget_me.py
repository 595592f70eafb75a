"""Sentences that ask to forget something, answered without a language model by what would go, with a button for each.

Nothing is erased by a sentence: what it names is found by its words, and they may mean something else.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.commands.forget import Forget
from bot.memory.learning.speech_acts import find_forgotten, is_trivial, keep_own_words
from bot.messages import MessageKind
from bot.ports.clock import Clock
from bot.ports.command import CommandCall
from bot.turn import Reply, Turn
from language.sentences import split_sentences

_TYPED: frozenset[MessageKind] = frozenset({MessageKind.TEXT, MessageKind.EDITED})


@dataclass(frozen=True, slots=True)
class SentenceForgetting:
    """Answers messages that ask for nothing but to forget something."""

    forget: Forget
    clock: Clock

    async def answer(self, turn: Turn) -> Reply | None:
        """Return what would go, ``None`` for any other message."""
        message = turn.message
        if turn.parts or any(entry.message.kind not in _TYPED for entry in turn.accepted):
            return None
        whole = keep_own_words(turn.analysed).strip()
        sentences = [each for each in split_sentences(whole) if not is_trivial(each)]
        named = [words for each in sentences if (words := find_forgotten(each)) is not None]
        about = " ".join(filter(None, named)) if len(named) == len(sentences) else find_forgotten(whole)
        if not sentences or not about:
            return None
        call = CommandCall(self.forget.name, about, message, turn.scope, turn.session, self.clock.now())
        return await self.forget.offer(call)
