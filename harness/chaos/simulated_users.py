"""People who write to the bot, each message with a mark of its own that can be found again anywhere."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field

from harness.fakes.telegram import FakeTelegram

_FACTS = (
    "My locker number is {mark} and it is in the red building.",
    "The parcel with the number {mark} belongs to my sister Vera.",
    "I parked the car in lot {mark} behind the old station.",
    "My booking code is {mark} for the ferry to Tallinn.",
)


@dataclass(slots=True)
class People:
    """``ids`` of the users, ``most`` messages at most; ``said`` maps every mark to who said it, ``texts`` to what."""

    telegram: FakeTelegram
    ids: tuple[int, ...]
    dice: random.Random
    pause_s: float
    most: int
    texts: dict[str, str] = field(default_factory=dict)
    said: dict[str, int] = field(default_factory=dict)

    async def write(self) -> None:
        """Write until cancelled or tired, at random intervals of ``pause_s`` seconds on average."""
        while len(self.said) < self.most:
            await self.say()
            await asyncio.sleep(self.dice.expovariate(1 / self.pause_s))

    async def say(self) -> None:
        """Let somebody say something that was never said before."""
        mark = f"QX{len(self.said):05d}Z"
        user = self.dice.choice(self.ids)
        self.said[mark] = user
        self.texts[mark] = self.dice.choice(_FACTS).format(mark=mark)
        await self.telegram.says(self.texts[mark], user=user)

    def answers(self, mark: str) -> int:
        """Return how many messages of the bot answer a mark in full, in any chat."""
        return sum(self.texts[mark][1:] in shown.text for shown in self.telegram.chats.of())

    def fragments(self) -> int:
        """Return how many messages are beginnings of an answer, neither whole nor an offer to see one again."""
        shown = [message.text for message in self.telegram.chats.of() if not message.keyboard]
        return sum(not any(text[1:] in one for text in self.texts.values()) for one in shown)

    def unanswered(self) -> list[str]:
        """Return the marks that no chat shows an answer to."""
        shown = " ".join(message.text for message in self.telegram.chats.of())
        return [mark for mark in self.said if mark not in shown]
