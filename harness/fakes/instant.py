"""Stands in for the outside world: a messenger that sends nothing, a language model, an embedder without a model."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from hashlib import blake2b

import numpy as np

from bot.messages import Address
from bot.ports.chat_model import ChatMessage, Completed, TextDelta, ToolSpec
from bot.ports.embedder import Vectors, WordVectors
from bot.ports.messenger import Mark
from bot.usage import Usage

DIMENSION = 384


class SwallowedDraft:
    """Shows nothing."""

    message_id: int | None = None

    async def update(self, text: str) -> bool:
        """Show nothing."""
        return False


class Swallowing:
    """A messenger that delivers nowhere, at once, as Telegram with room in its limits would.

    ``sent`` is told of each part's address.
    """

    def __init__(self, sent: Callable[[Address], None]) -> None:
        self._sent = sent
        self._count = 0

    def parts(self, text: str) -> tuple[str, ...]:
        """Return the whole text."""
        return (text,)

    async def send(
        self,
        to: Address,
        part: str,
        *,
        draft_id: int | None = None,
        buttons: tuple[tuple[str, str], ...] = (),
    ) -> int:
        """Tell that a part arrived."""
        self._count += 1
        self._sent(to)
        return self._count

    async def reserve(self, to: Address) -> None:
        """Make nobody wait."""

    async def send_marked(
        self,
        to: Address,
        part: str,
        mark: Callable[[], Awaitable[None]],
        *,
        draft_id: int | None = None,
        buttons: tuple[tuple[str, str], ...] = (),
    ) -> int:
        """Let the attempt be marked and tell that the part arrived."""
        await mark()
        return await self.send(to, part, draft_id=draft_id, buttons=buttons)

    def is_shown(self, to: Address, draft_id: int, part: str, buttons: tuple[tuple[str, str], ...] = ()) -> bool:
        """Know of no draft."""
        return False

    def reserve_now(self, to: Address) -> bool:
        """Make nobody wait."""
        return True

    async def draft(
        self,
        to: Address,
        message_id: int | None = None,
        *,
        begins: Mark | None = None,
    ) -> SwallowedDraft:
        """Return a draft that shows nothing."""
        return SwallowedDraft()


class AtOnce:
    """A language model that takes no time: everything that is done for one is done."""

    async def stream(
        self,
        messages: tuple[ChatMessage, ...],
        tools: tuple[ToolSpec, ...] = (),
        *,
        max_tokens: int | None = None,
    ) -> AsyncGenerator[TextDelta | Completed]:
        """Yield one answer."""
        text = "I see. The journey takes some hours by train, so leave early and keep the receipts."
        yield TextDelta(text)
        yield Completed(text, (), "stop", Usage(), "at-once")


class FreeVectors:
    """Vectors that cost next to nothing, under the name of a real model, so that both can use one store.

    The time to search vectors does not depend on what they say.
    """

    def __init__(self, model: str) -> None:
        self.model = model
        self.dimension = DIMENSION
        self._rows = np.random.default_rng(7).standard_normal((4096, DIMENSION)).astype(np.float32)
        self._rows /= np.linalg.norm(self._rows, axis=1, keepdims=True)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row per text, the same for the same text."""
        rows: Vectors = self._rows[[_number(text) for text in texts]].reshape(len(texts), DIMENSION)
        return rows


class FreeWordVectors(FreeVectors):
    """The same, and a state per word."""

    async def embed_words(self, texts: Sequence[str], *, patient: bool = False) -> tuple[WordVectors, ...]:
        """Return a row per text and one per word of it."""
        return tuple(self._words(text) for text in texts)

    def _words(self, text: str) -> WordVectors:
        spans, start = [], 0
        for word in text.split():
            start = text.index(word, start)
            spans.append((start, start + len(word)))
            start += len(word)
        pieces = self._rows[[_number(text[low:high]) for low, high in spans]].reshape(len(spans), DIMENSION)
        return WordVectors(self._rows[_number(text)], pieces, np.array(spans, dtype=np.int64).reshape(-1, 2))


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=2).digest(), "big") % 4096
