"""Asks a model one question behind the conversation, and checks its answer against what was said.

The check goes by words, without believing the model: names, numbers and codes carry the facts and are what an injected
text would change, so every one of them must stand in the source; of the other words most must, which leaves room for
grammar.
"""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import aclosing

from bot.errors import ModelUnavailable
from bot.memory.sanitise import remove_hidden
from bot.ports.chat_model import ChatMessage, ChatModel, Completed
from language import languages


class AnswerCutOff(ModelUnavailable):
    """The model had more to say than it may: asked the same, it would be cut off again."""


async def ask_model(model: ChatModel, system: str, question: str, *, max_tokens: int, deadline_s: float) -> str:
    """Return the model's text.

    Raises what the model raises, and :class:`~bot.errors.ModelUnavailable` after ``deadline_s`` seconds, for an empty
    answer and for one that was cut off: half a summary would pass for a whole one.
    """
    messages = (ChatMessage("system", system), ChatMessage("user", question))
    try:
        async with asyncio.timeout(deadline_s):
            completed = await _await_completion(model, messages, max_tokens)
    except TimeoutError as error:
        raise ModelUnavailable(f"the language model did not finish within {deadline_s:g} s") from error
    if completed.finish_reason == "length":
        raise AnswerCutOff("the language model's answer was cut off by its token limit")
    if not completed.text.strip():
        raise ModelUnavailable("the language model gave an empty answer")
    return completed.text.strip()


async def _await_completion(model: ChatModel, messages: tuple[ChatMessage, ...], max_tokens: int) -> Completed:
    async with aclosing(model.stream(messages, max_tokens=max_tokens)) as pieces:
        async for piece in pieces:
            if isinstance(piece, Completed):
                return piece
    raise ModelUnavailable("the language model ended without finishing its answer")


def parse_json_object(text: str) -> dict[str, object] | None:
    """Return the one JSON object that a model's answer is, with or without a code fence around it.

    ``None`` for anything else: nothing is guessed out of broken JSON.
    """
    body = text.strip()
    if body.startswith("```"):
        body = body.partition("\n")[2].rpartition("```")[0]
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_NOT_WORDS = re.compile(r"\W+")
_STEM = 4
"""Letters that two forms of one word share at least, in the languages we know of."""
_SHARE = 0.6
_GLUE = 3
"""Words of up to so many letters are grammar."""

_OPENERS = frozenset({"user"}).union(*(each.vocabulary.opening_words for each in languages()))
"""Words that a sentence may begin with although the source does not hold them."""


def is_quoted(quote: str, source: str) -> bool:
    """Return whether the words of ``quote`` stand in ``source`` in this order; case and punctuation do not count."""
    words = _normalise(quote)
    return bool(words.strip()) and words in _normalise(source)


def is_grounded(content: str, source: str) -> bool:
    """Return whether ``content`` says nothing of substance that ``source`` does not."""
    known = {word.casefold() for word in _WORD.findall(remove_hidden(source))}
    stems = {word[:_STEM] for word in known}
    words = _WORD.findall(remove_hidden(content))
    hard = {word.casefold() for number, word in enumerate(words) if _is_hard(word, opens=number == 0)}
    if any(word not in known and (_has_digit(word) or word[:_STEM] not in stems) for word in hard):
        return False
    soft = [word.casefold() for word in words if len(word) > _GLUE]
    return not soft or sum(word[:_STEM] in stems for word in soft) >= _SHARE * len(soft)


def _is_hard(word: str, *, opens: bool) -> bool:
    """Return whether a word carries a fact: a number, a name, and whatever opens the sentence unless it is grammar."""
    return _has_digit(word) or (word[0].isupper() and not (opens and word.casefold() in _OPENERS))


def _has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)


def _normalise(text: str) -> str:
    return f" {_NOT_WORDS.sub(' ', remove_hidden(text).casefold()).strip()} "
