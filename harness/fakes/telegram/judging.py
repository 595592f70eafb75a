"""Which requests are right by themselves, whatever the chats hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from harness.fakes.telegram.description import published
from harness.fakes.telegram.models import Models


class Judge(Protocol):
    """Knows the methods and what their parameters may be."""

    def knows(self, method: str) -> bool:
        """Whether there is such a method."""
        ...

    def decoded(self, method: str, form: Mapping[str, str]) -> dict[str, Any]:
        """Return the values of a form as JSON."""
        ...

    def problems(self, method: str, params: Mapping[str, Any]) -> list[str]:
        """Return what is wrong with a request, in words."""
        ...


def judge() -> Judge:
    """Return the published description, or aiogram's models where it is not at hand."""
    return published() or Models()
