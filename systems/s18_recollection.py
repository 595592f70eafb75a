"""System 18: list what somebody told at the time that a message asks about.

Only where no language model answers: what is shown is everything of that time, which no search for its words finds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from bot.memory.answering.recollection import ToldThen, find_told_then, recall_said, tell_then
from bot.memory.items import Recalled
from bot.messages import MessageKind
from bot.ports.clock import Clock
from bot.ports.memory_browser import Timeline
from bot.ports.system import OnError
from bot.ports.when import WhenReader, find_day
from bot.turn import Reply, ReplyKind, Turn
from language.texts import AnswerPhrases

_AT_ONCE: Final = 100
_PAGES: Final = 20
"""Pages of a time that are read: what is older than 2,000 messages is no more told."""


@dataclass(frozen=True, slots=True)
class Recollection:
    """Answer from the timeline; ``wanted`` says that nobody else does, ``phrases`` are the words of a turn's answer."""

    timeline: Timeline
    reader: WhenReader
    clock: Clock
    wanted: Callable[[], bool]
    phrases: Callable[[Turn], AnswerPhrases]

    order: ClassVar[int] = 18
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn, answered if it asks what was told then."""
        if turn.reply is not None or turn.message.kind is MessageKind.BUTTON or turn.focus or not self.wanted():
            return turn
        now = self.clock.now()
        asked = find_told_then(turn.analysed, now, lambda words: find_day(self.reader.read_alone(words, now)))
        if asked is None:
            return turn
        said = await self._read(turn, asked)
        text, used = tell_then(asked, said, turn.message.find_reader(turn.scope), now, self.phrases(turn))
        return replace(turn, reply=Reply(text, ReplyKind.RECALLED), trace=turn.trace.using(used))

    async def _read(self, turn: Turn, asked: ToldThen) -> tuple[Recalled, ...]:
        """Return what was typed then, oldest first; of a question for the newest, the last page."""
        said: list[Recalled] = []
        page = await self.timeline.read(turn.scope, until=asked.end, size=_AT_ONCE)
        for _ in range(_PAGES):
            within = [each for each in page.exchanges if each.said_at >= asked.start]
            said += [
                recall_said(each.uid, each.user_text, each.author.id, each.author.name, each.said_at)
                for each in within
                if each.user_text and not each.synthetic
            ]
            if page.older is None or len(within) < len(page.exchanges) or asked.newest:
                break
            page = await self.timeline.read(turn.scope, before=page.older, size=_AT_ONCE)
        return tuple(reversed(said))
