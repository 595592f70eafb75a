"""What the Bot API answers when it does not do what it was asked."""

from __future__ import annotations


class Refusal(Exception):
    """An answer with ``ok: false``."""

    def __init__(self, code: int, description: str, *, retry_after: int | None = None) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.retry_after = retry_after

    def body(self) -> dict[str, object]:
        """Return the JSON of the answer."""
        answer: dict[str, object] = {"ok": False, "error_code": self.code, "description": self.description}
        if self.retry_after is not None:
            answer["parameters"] = {"retry_after": self.retry_after}
        return answer


def bad_request(description: str) -> Refusal:
    """Return an answer 400."""
    return Refusal(400, f"Bad Request: {description}")
