"""The same conversations in other clothes: what a configuration fitted to one kind of chat must also stand.

Labels stay valid: only who speaks, how long, when, and how carefully is changed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from harness.recall.dataset import Conversation, Labelled
from harness.recall.metrics import ADVERSARIAL

_PADDING_SENTENCES: Final = (14, 34)
_TYPO_SHARE: Final = 0.3
_LEAST_TYPO_WORD: Final = 4
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"

Transform = Callable[[Conversation, random.Random], Conversation]


def first_person(conversation: Conversation, _: random.Random) -> Conversation:
    """Ask as the person the question is about: "What did I say about …"; questions that name nobody are left out."""
    speakers = {said.speaker for said in conversation.said}
    asked = tuple(_asked_by(question, speakers) for question in conversation.questions)
    return replace(conversation, questions=tuple(question for question in asked if question is not None))


def user_and_assistant(conversation: Conversation, chance: random.Random) -> Conversation:
    """Let one speaker be "user" and the other a verbose "assistant" who pads every answer to several hundred words."""
    user, assistant = list(dict.fromkeys(said.speaker for said in conversation.said))[:2]
    said = tuple(
        replace(turn, speaker="assistant", text=_padded(turn.text, chance))
        if turn.speaker == assistant
        else replace(turn, speaker="user")
        for turn in conversation.said
    )
    questions = tuple(
        replace(question, text=_spoken(_spoken(question.text, user, "I", "my"), assistant, "you", "your"), asker="user")
        for question in conversation.questions
    )
    return replace(conversation, said=said, questions=questions)


def undated(conversation: Conversation, _: random.Random) -> Conversation:
    """Put all turns into one minute after the other of one day: no date tells sessions apart."""
    start = datetime(2024, 1, 1, tzinfo=UTC)
    said = tuple(replace(turn, at=start + timedelta(minutes=place)) for place, turn in enumerate(conversation.said))
    return replace(conversation, said=said)


def typos(conversation: Conversation, chance: random.Random) -> Conversation:
    """Misspell a third of the longer words of every question: swapped, lost, doubled or wrong letters."""
    return replace(
        conversation,
        questions=tuple(
            replace(question, text=re.sub(r"[a-z]+", lambda match: _misspelt(match.group(), chance), question.text))
            for question in conversation.questions
        ),
    )


TRANSFORMS: Final[Mapping[str, Transform]] = {
    "as it is": lambda conversation, _: conversation,
    "first person": first_person,
    "user and assistant": user_and_assistant,
    "undated": undated,
    "typos": typos,
}


def _asked_by(question: Labelled, speakers: set[str]) -> Labelled | None:
    named = [speaker for speaker in speakers if re.search(rf"\b{re.escape(speaker)}\b", question.text)]
    if len(named) != 1:
        return None
    return replace(question, text=_spoken(question.text, named[0], "I", "my"), asker=named[0])


def _spoken(text: str, name: str, subject: str, owner: str) -> str:
    text = re.sub(rf"\b{re.escape(name)}['’]s\b", owner, text)
    return re.sub(rf"\b{re.escape(name)}\b", subject, text)


def _padded(text: str, chance: random.Random) -> str:
    filler = Path(__file__).with_name("padding.txt").read_text(encoding="utf-8").splitlines()
    lines = chance.sample(filler, min(chance.randint(*_PADDING_SENTENCES), len(filler)))
    lines.insert(chance.randint(0, 3), text)
    return " ".join(lines)


def _misspelt(word: str, chance: random.Random) -> str:
    if len(word) < _LEAST_TYPO_WORD or chance.random() > _TYPO_SHARE:
        return word
    place = chance.randrange(1, len(word) - 1)
    match chance.randrange(4):
        case 0:
            return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
        case 1:
            return word[:place] + word[place + 1 :]
        case 2:
            return word[:place] + word[place] + word[place:]
        case _:
            return word[:place] + chance.choice(_LETTERS) + word[place + 1 :]


_SEED: Final = 7
_TOGETHER: Final = 3


def together(conversation: Conversation) -> tuple[Labelled, ...]:
    """Return messages of three questions each, in a random order, with the evidence of all three."""
    asked = [one for one in conversation.questions if one.category not in ADVERSARIAL and one.evidence]
    random.Random(_SEED).shuffle(asked)
    groups = [asked[place : place + _TOGETHER] for place in range(0, len(asked) - _TOGETHER + 1, _TOGETHER)]
    return tuple(
        replace(
            group[0],
            text=" ".join(one.text for one in group),
            evidence=tuple(dict.fromkeys(turn for one in group for turn in one.evidence)),
        )
        for group in groups
    )
