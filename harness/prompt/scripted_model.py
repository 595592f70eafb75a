"""A scripted language model for :class:`~harness.fakes.openai.FakeOpenAi` that gives a conversation's own answers.

Requests of the conversation come with tools, those beside it ask for something about JSON: its shape says what for.
Background answers are valid and fixed by what they are asked about, so that two runs are the same.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any, Final

from adapters.llm.extraction import MOST_LINES
from bot.memory.learning.speech_acts import SpeechAct, classify_speech
from harness.fakes.openai import Says, Step
from harness.prompt.counting import serialise
from language.sentences import split_sentences
from language.tokens import count_tokens

Json = Any  # requests, and what background calls are asked about

CONVERSATION: Final = "conversation"
_SUMMARY_TOKENS: Final = 400
"""What a summary grows to before its oldest part is dropped."""
_TOPICS: Final = 6
_ITEM_WORDS: Final = (5, 40)
_LONG: Final = 20
_LINE_WORDS: Final = 12
_COUNTED: Final = re.compile(r"\w+|[^\w\s]")
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Call:
    """A request and its answer; ``kind`` is :data:`CONVERSATION` or what else was asked for."""

    kind: str
    body: Json
    text: str
    """The request, serialised."""
    answer: str
    counted: int
    """Prompt tokens as the server counts and reports them: words and signs."""


@dataclass
class ConversationModel:
    """Answers every request of the conversation with ``answer``; ``calls`` are those since they were last taken."""

    answer: str = ""
    calls: list[Call] = field(default_factory=list)

    def __call__(self, body: Json) -> Step:
        """Return what the server does with a request."""
        kind, about = classify(body)
        said = self.answer if kind == CONVERSATION else _ANSWERS.get(kind, _answer_other)(about)
        text = serialise(body)
        counted = len(_COUNTED.findall(text))
        self.calls.append(Call(kind, body, text, said, counted))
        return Says(said, usage=(counted, len(_COUNTED.findall(said))))

    def take(self) -> tuple[Call, ...]:
        taken, self.calls = tuple(self.calls), []
        return taken


def classify(body: Json) -> tuple[str, Json]:
    """Return what a request is for, and what it is about if it is no part of the conversation."""
    if body.get("tools"):
        return CONVERSATION, None
    try:
        about, _ = json.JSONDecoder().raw_decode(body["messages"][-1]["content"])
    except ValueError:
        return "other", None
    if isinstance(about, list):
        return "extraction", about
    keys = about if isinstance(about, dict) else {}
    return next((kind for key, kind in _KINDS.items() if key in keys), "other"), about


_KINDS: Final = {"previous": "summary", "notes": "compression", "statements": "check", "message": "understanding"}


def _summarise(about: Json) -> str:
    """Return the summary so far and a line of topics per exchange; topics, because no sentence is to stand twice."""
    lines = [*about["previous"].splitlines(), *(_name_topics(each["user"]) for each in about["exchanges"])]
    while len(lines) > 1 and count_tokens("\n".join(lines)) > _SUMMARY_TOKENS:
        del lines[0]
    return "\n".join(lines)


def _name_topics(text: str) -> str:
    longest = sorted(set(_WORD.findall(text)), key=lambda word: (-len(word), word))[:_TOPICS]
    return f"Spoken of: {', '.join(longest)}."


def _extract(about: Json) -> str:
    """Return items and lines of the chronicle, word for word.

    An item is the first sentence of an exchange with which the user states something.  A line is the first sentence of
    a message that asks for one: the first of them, as many as are asked for.
    """
    items: list[Json] = []
    digest: dict[str, str] = {}
    for exchange in about:
        sentences = split_sentences(exchange["user"])
        if len(exchange["user"].split()) > _LONG and len(digest) < MOST_LINES:
            digest[str(exchange["exchange"])] = " ".join(sentences[0].split()[:_LINE_WORDS])
        for sentence in sentences:
            words = sentence.split()
            if _ITEM_WORDS[0] <= len(words) <= _ITEM_WORDS[1] and classify_speech(sentence) is SpeechAct.STATEMENT:
                items.append({"exchange": exchange["exchange"], "quote": sentence})
                break
    return json.dumps({"items": items, "digest": digest}, ensure_ascii=False)


def _answer_other(_about: Json) -> str:
    return "{}"


_ANSWERS: Final = {"summary": _summarise, "extraction": _extract}
