"""Requests that we gave up and the server may still carry out.

A POST that timed out may be stored after an erase has looked for the document and found nothing; so an erase does not
believe that until the POST can no longer be under way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from bot.memory.scope import Scope

_MANY: Final = 1000


class Unanswered:
    """Remembers for ``for_s`` seconds of ``monotonic`` which documents were sent without an answer."""

    def __init__(self, for_s: float, monotonic: Callable[[], float]) -> None:
        self._for_s = for_s
        self._monotonic = monotonic
        self._sent: dict[tuple[Scope, str], float] = {}

    @contextmanager
    def sending(self, scope: Scope, source: str) -> Iterator[None]:
        """Wrap a request: one that ends without an exception was answered."""
        if len(self._sent) > _MANY:
            self._sent = {key: at for key, at in self._sent.items() if self._is_recent(at)}
        try:
            yield
        except BaseException:
            self._sent[scope, source] = self._monotonic()
            raise
        # An older unanswered request for the same document stays remembered: this answer says nothing about it.

    def possible(self, scope: Scope, source: str = "") -> bool:
        """Whether a document (any of the scope's, without a ``source``) may still arrive."""
        return any(self._is_recent(at) for (of, name), at in self._sent.items() if of == scope and source in {"", name})

    def _is_recent(self, at: float) -> bool:
        return self._monotonic() - at < self._for_s
