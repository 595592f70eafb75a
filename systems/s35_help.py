"""System 35: answer a question about the assistant with the lines of /help that speak of it.

Only where no language model answers and memory does not know: how likely a line answers is read from how alike it is,
what a model that reads questions and answers makes of it, and the words that it shares.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Final

import numpy as np

from bot.memory.answering.questions import FIRST_PERSON, analyse
from bot.memory.answering.subjects import find_subject
from bot.memory.concepts import is_alike, list_concepts
from bot.memory.learning.speech_acts import (
    addresses_listener,
    asks_memory,
    asks_the_way,
    is_question,
    list_telling_sentences,
)
from bot.ports.embedder import AnswerReader, Embedder
from bot.ports.system import OnError
from bot.turn import Reply, ReplyKind, Turn
from language.texts import Texts
from language.words import split_words

_LONGEST: Final = 120
"""Characters of a question about the assistant."""
_FEW: Final = 4
"""Words of a question that may name somebody and still is about the assistant: "do you speak German"."""
_READ: Final = 8
"""Lines that are read together with the question: those most alike."""
_FLOOR: Final = 0.5
_ANSWERS, _SHARES = 0.3, 0.2
"""Weights of the likelihood of an answer and of the share of the question's words, beside the cosine."""
_NEAR: Final = 0.15
"""By how much a line may be worse than the best and still be shown."""
_MOST: Final = 2
_SENTENCES: Final = re.compile(r"(?<=[.;]) ")


@dataclass(frozen=True, slots=True)
class HelpAnswer:
    """Answer in place of "I don't know"; ``commands`` returns the lines of help by the name of their command."""

    embedder: Embedder
    commands: Callable[[Texts], Mapping[str, str]]

    order: ClassVar[int] = 35
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn, answered by what the assistant can do about it if it asks that."""
        said, reply = list_telling_sentences(turn.analysed), turn.reply
        if not turn.without_model or turn.focus or reply is None or reply.known:
            return turn
        if len(said) != 1 or len(said[0]) > _LONGEST:
            return turn
        asked, words = said[0], turn.texts
        if not is_question(asked):
            return turn
        lines = await self._find(asked, words)
        if analyse(asked).of_asker and not (addresses_listener(asked) or asks_the_way(asked)):
            lines = tuple(each for each in lines if each == words.chat.topics["privacy"])  # "what am I called"
        said_to_us = addresses_listener(asked) and not asks_the_way(asked) and not asks_memory(asked)
        short = len(split_words(asked)) <= _FEW or not analyse(asked).entities  # "do you think Vera is angry"
        own = said_to_us and short and FIRST_PERSON.isdisjoint(split_words(asked)) and find_subject(asked) is None
        if not lines and not own:
            return turn
        text = "\n".join(lines) or words.answers.introduction
        return replace(turn, reply=Reply(text, ReplyKind.NOTICE), trace=turn.trace.using(()))

    async def _find(self, asked: str, texts: Texts) -> tuple[str, ...]:
        """Return what tells of it, best first, () where nothing does."""
        if not isinstance(self.embedder, AnswerReader):
            return ()
        lines = self.commands(texts).items()
        told = [(f"{name}: {line.partition('/')[0]}", f"- /{name} – {line}") for name, line in lines]  # no example
        privacy = texts.chat.topics["privacy"]
        told += [(each, privacy) for each in _SENTENCES.split(privacy)]
        alike = (
            await self.embedder.embed([text for text, _ in told])
            @ ((await self.embedder.embed([asked], question=True))[0])
        )
        best = [told[place] for place in np.argsort(-alike)[:_READ]]
        answering = await self.embedder.rate_answers(asked, [text for text, _ in best])
        named = frozenset(list_concepts(asked))
        rated = sorted(
            (
                (near + _ANSWERS * answers + _SHARES * _share(named, text), shown)
                for (text, shown), near, answers in zip(best, -np.sort(-alike), answering, strict=False)
            ),
            reverse=True,
        )
        least = max(_FLOOR, rated[0][0] - _NEAR)
        return tuple(dict.fromkeys(shown for rate, shown in rated if rate >= least))[:_MOST]


def _share(named: frozenset[str], text: str) -> float:
    said = list_concepts(text)
    return sum(any(is_alike(one, other) for other in said) for one in named) / max(len(named), 1)
