"""Several models as one: the next is asked when the one before is down or refuses."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

import structlog

from bot.errors import ModelRefused, ModelUnavailable
from bot.ports.chat_model import ChatMessage, ChatModel, Completed, TextDelta, ToolSpec


class FallbackChat:
    """Asks ``models`` in order.

    A model that failed rests for ``rest_s`` seconds (or as long as it asked for), so that not every turn waits for it
    first; when all rest, all are asked.  Once text was shown there is no way back: two models' sentences do not mix.
    """

    def __init__(
        self,
        models: tuple[ChatModel, ...],
        *,
        rest_s: float = 60.0,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        if not models:
            raise ValueError("a fall-back needs at least one model")
        self.models = models
        self._rest_s, self._monotonic = rest_s, monotonic
        self._rested_at = [float("-inf")] * len(models)

    def __repr__(self) -> str:
        return f"FallbackChat({self.models!r})"

    async def stream(
        self, messages: tuple[ChatMessage, ...], tools: tuple[ToolSpec, ...] = (), *, max_tokens: int | None = None
    ) -> AsyncGenerator[TextDelta | Completed]:
        """Yield the answer of the first model that gives one; see :class:`~bot.ports.chat_model.ChatModel`.

        When all fail: :class:`~bot.errors.ModelRefused` if no model may be expected to recover by itself, else
        :class:`~bot.errors.ModelUnavailable`, with all the reasons.
        """
        failures: list[ModelUnavailable | ModelRefused] = []
        for number in self._list_awake():
            begun = False
            try:
                async with aclosing(self.models[number].stream(messages, tools, max_tokens=max_tokens)) as pieces:
                    async for piece in pieces:
                        begun = True
                        yield piece
            except (ModelUnavailable, ModelRefused) as error:
                if begun:
                    raise
                self._let_rest(number, error)
                failures.append(error)
            else:
                return
        raise _combine_failures(failures)

    def _list_awake(self) -> tuple[int, ...]:
        now = self._monotonic()
        everyone = tuple(range(len(self.models)))
        return tuple(number for number in everyone if self._rested_at[number] <= now) or everyone

    def _let_rest(self, number: int, error: ModelUnavailable | ModelRefused) -> None:
        asked_for = error.retry_after_s if isinstance(error, ModelUnavailable) else None
        self._rested_at[number] = self._monotonic() + max(self._rest_s, asked_for or 0.0)
        structlog.get_logger().warning("model fell back", number=number, of=len(self.models), cause=str(error))


def _combine_failures(failures: list[ModelUnavailable | ModelRefused]) -> ModelUnavailable | ModelRefused:
    """Return one error that gives all the reasons."""
    if len(failures) == 1:
        return failures[0]
    text = "; ".join(dict.fromkeys(str(error) for error in failures))
    temporary = [error for error in failures if isinstance(error, ModelUnavailable)]
    if not temporary:
        return ModelRefused(text)
    pauses = [error.retry_after_s for error in temporary if error.retry_after_s is not None]
    return ModelUnavailable(text, retry_after_s=min(pauses, default=None))
