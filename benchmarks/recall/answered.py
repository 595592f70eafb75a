"""A question's ranking, whoever made it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.memory.items import Channel, Recalled
from bot.memory.prompt.rendering import Attribution
from bot.memory.sanitise import escape_line
from bot.memory.speakers import Reader
from harness.recall.dataset import Conversation, Labelled, Said
from harness.recall.metrics import Judged
from language.tokens import count_tokens


@dataclass(frozen=True, slots=True)
class Answered:
    """Turn ids, best first, with the prompt tokens and the score of each; ``sure`` is the best certainty of the top."""

    conversation: str
    question: Labelled
    ranked: tuple[str, ...]
    cost: tuple[int, ...]
    scores: tuple[float, ...]
    ms: float
    sure: float = 1.0

    def judged(self) -> Judged:
        """Return what is measured."""
        return Judged(self.question.category, frozenset(self.question.evidence), self.ranked, self.cost)


def judged(answers: Iterable[Answered]) -> list[Judged]:
    """Return what is measured of each."""
    return [answer.judged() for answer in answers]


def prompt_cost(memory: Recalled, conversation: Conversation) -> int:
    """Return the tokens of a memory's line in the prompt, see :mod:`bot.memory.prompt.rendering`."""
    heads = Attribution(conversation.said[-1].at)
    head = heads.render_head(memory.said_at, heads.reader.identify(memory), memory.channel)
    return count_tokens(f"{head}{escape_line(memory.text)}\n")


def turn_cost(turn: Said, conversation: Conversation) -> int:
    """Return the same for a turn: what a peer finds is charged as ours is."""
    heads = Attribution(conversation.said[-1].at)
    head = heads.render_head(turn.at, Reader().identify_author(0, turn.speaker, "user"), Channel.TURN)
    return count_tokens(f"{head}{escape_line(turn.text)}\n")
