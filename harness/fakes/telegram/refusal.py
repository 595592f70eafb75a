"""The Bot API's answer to a request that it does not carry out."""

from __future__ import annotations

from dataclasses import dataclass


class Refusal(Exception):
    """An answer with ``ok: false``.

    A ``violation`` is a request that no correct client sends, whatever the state of the chats.
    """

    def __init__(
        self,
        code: int,
        description: str,
        *,
        retry_after: int | None = None,
        migrate_to: int | None = None,
        violation: bool = False,
    ) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.retry_after = retry_after
        self.migrate_to = migrate_to
        self.violation = violation

    def body(self) -> dict[str, object]:
        """Return the JSON of the answer."""
        answer: dict[str, object] = {"ok": False, "error_code": self.code, "description": self.description}
        parameters = {"retry_after": self.retry_after, "migrate_to_chat_id": self.migrate_to}
        if given := {name: value for name, value in parameters.items() if value is not None}:
            answer["parameters"] = given
        return answer


@dataclass(frozen=True, slots=True)
class Violation:
    """A request against the published rules: which method, and what was wrong with it."""

    method: str
    problem: str


class ViolationsSeen(AssertionError):
    """The client sent requests that the Bot API does not allow."""


def bad_request(description: str) -> Refusal:
    """Return an answer 400 that the state of the chats calls for."""
    return Refusal(400, f"Bad Request: {description}")


def wrong_request(description: str) -> Refusal:
    """Return an answer 400 to a request that is wrong in itself."""
    return Refusal(400, f"Bad Request: {description}", violation=True)
