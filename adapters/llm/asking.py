"""One question to a model and its whole answer, for work behind the conversation."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing

from bot.errors import ModelUnavailable
from bot.ports.chat_model import ChatMessage, ChatModel, Completed


async def answer_of(model: ChatModel, system: str, question: str, *, max_tokens: int, deadline_s: float) -> str:
    """Return the model's text.

    Raises what the model raises, and :class:`~bot.errors.ModelUnavailable` after ``deadline_s`` seconds, for an empty
    answer and for one that was cut off: half a summary would pass for a whole one.
    """
    messages = (ChatMessage("system", system), ChatMessage("user", question))
    try:
        async with asyncio.timeout(deadline_s):
            completed = await _completed(model, messages, max_tokens)
    except TimeoutError as error:
        raise ModelUnavailable(f"the language model did not finish within {deadline_s:g} s") from error
    if completed.finish_reason == "length":
        raise ModelUnavailable("the language model's answer was cut off by its token limit")
    if not completed.text.strip():
        raise ModelUnavailable("the language model gave an empty answer")
    return completed.text.strip()


async def _completed(model: ChatModel, messages: tuple[ChatMessage, ...], max_tokens: int) -> Completed:
    async with aclosing(model.stream(messages, max_tokens=max_tokens)) as pieces:
        async for piece in pieces:
            if isinstance(piece, Completed):
                return piece
    raise ModelUnavailable("the language model ended without finishing its answer")


def json_object(text: str) -> dict[str, object] | None:
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
