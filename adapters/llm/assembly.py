"""Puts a completion together from the chunks of a stream, or from one whole response.

Servers differ in what they leave out (indexes, ids, usage, the last marker), so everything is optional here but one
thing: a completion must end on purpose, or it is a broken one.
Shapes: https://platform.openai.com/docs/api-reference/chat-streaming
"""

from __future__ import annotations

import json
from typing import Any

from adapters.llm.growing_calls import GrowingCalls
from adapters.llm.refusals import provider_error
from adapters.llm.sse import SseParser
from adapters.llm.thinking import Habit, ThinkingFilter
from bot.errors import ModelUnavailable
from bot.ports.chat_model import Completed
from bot.turn import Usage

DONE = "[DONE]"
_APART = ("reasoning_content", "reasoning")
"""Where servers put the thoughts that they have taken out of the answer."""


class Assembly:
    """One completion in the making.

    ``done`` says that the server declared the end; ``malformed`` counts chunks that could not be read.
    """

    __slots__ = (
        "_calls",
        "_finish",
        "_held",
        "_model",
        "_settings",
        "_source",
        "_text",
        "_thinking",
        "_usage",
        "done",
        "malformed",
    )

    def __init__(self, source: str, model: str, settings: str = "llm", habit: Habit | None = None) -> None:
        self._source, self._model, self._settings = source, model, settings
        self._text: list[str] = []
        self._calls = GrowingCalls(source)
        self._thinking = ThinkingFilter(habit)
        self._usage = Usage(calls=1)
        self._finish = self._held = ""
        self.done = False
        self.malformed = 0

    def take(self, data: str) -> str:
        """Take one event's data and return the text it adds, "" if none.

        Raises the error that the provider reports inside the stream.
        """
        if data.strip() == DONE:
            self.done = True
            return ""
        chunk = _object(data)
        if chunk is not None:
            return self.take_object(chunk)
        lines = data.splitlines()
        if len(lines) > 1:
            return "".join(self.take(line) for line in lines)
        self.malformed += 1
        return ""

    def take_object(self, chunk: dict[str, Any]) -> str:  # Any: JSON of a foreign server
        """Take one parsed chunk, or a whole non-streamed response, and return the text it adds."""
        if chunk.get("error") or chunk.get("object") == "error":
            raise provider_error(chunk, self._source, self._settings)
        self._count(chunk.get("usage"))
        if isinstance(chunk.get("model"), str):
            self._model = chunk["model"] or self._model
        choices = chunk.get("choices")
        choice = _first(choices)
        if choice is None:
            return ""
        if isinstance(choice.get("finish_reason"), str):
            self._finish = choice["finish_reason"]
        delta = choice.get("delta") or choice.get("message")
        if not isinstance(delta, dict):
            return ""
        calls = delta.get("tool_calls")
        calls = calls if isinstance(calls, list) else []
        for place, call in enumerate(calls):
            self.malformed += not self._calls.take(call, place if len(calls) > 1 else None)
        if any(isinstance(delta.get(name), str) and delta[name].strip() for name in _APART):
            self._thinking.are_apart()
        text = _content(delta.get("content")) + _content(delta.get("refusal"))
        return self._answer(self._thinking.feed(self._whole(text)))

    def take_whole(self, body: bytes) -> str:
        """Take the body of a response that was not streamed (or was, under a wrong label) and return its text."""
        parser = SseParser()
        if body.lstrip()[:5] in {b"data:", b"event"} or body.lstrip()[:1] == b":":
            return "".join(self.take(event) for event in (*parser.feed(body), *parser.finish()))
        response = _object(body.decode("utf-8", "replace"))
        if response is None:
            self.malformed += 1
            return ""
        text = self.take_object(response)
        self.done = bool(response.get("choices"))
        return text

    def rest(self) -> str:
        """Return the text that was held back until the end."""
        held, self._held = self._held, ""
        return self._answer(self._thinking.feed(_characters(held)) + self._thinking.finish())

    def completed(self) -> Completed:
        """Return the finished completion.

        Raises :class:`~bot.errors.ModelUnavailable` when the stream ended before the answer did, or held no answer.
        """
        if not (self._finish or self.done):
            what = "sent garbage" if self.malformed and not self._text else "broke off in the middle of an answer"
            raise ModelUnavailable(f"the language model at {self._source} {what}")
        calls = self._calls.finished()
        finish = self._finish or ("tool_calls" if calls else "stop")
        return Completed("".join(self._text), calls, finish, self._usage, self._model)

    def _answer(self, text: str) -> str:
        if self._thinking.retracted:
            self._thinking.retracted = False
            self._text.clear()
        if text:
            self._text.append(text)
        return text

    def _whole(self, text: str) -> str:
        """Hold a half surrogate pair back: servers that count in UTF-16 cut emoji in two."""
        text = self._held + text
        self._held = text[-1] if text and "\ud800" <= text[-1] <= "\udbff" else ""
        return _characters(text.removesuffix(self._held)) if text else ""

    def _count(self, usage: object) -> None:
        if isinstance(usage, dict):
            prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens")
            self._usage = Usage(
                prompt if isinstance(prompt, int) else self._usage.prompt,
                completion if isinstance(completion, int) else self._usage.completion,
                calls=1,
            )


def _object(data: str) -> dict[str, Any] | None:  # Any: JSON of a foreign server
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list) and value:  # Gemini wraps its errors in a list
        value = value[0]
    return value if isinstance(value, dict) else None


def _first(choices: object) -> dict[str, Any] | None:  # Any: as above
    """Return the choice of index 0, the only one that was asked for; a server may leave its index out."""
    listed = choices if isinstance(choices, list) else ()
    return next((one for one in listed if isinstance(one, dict) and one.get("index") in (0, None)), None)


def _content(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):  # content parts, as Mistral sends them
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return ""


def _characters(text: str) -> str:
    """Join surrogate pairs and replace lone halves, which no encoder downstream would take."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if text else ""
