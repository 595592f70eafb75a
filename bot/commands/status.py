"""/status: health, what is remembered here, what is waiting."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Final, Literal

from bot.commands.formatting import count, escape, make_reply
from bot.commands.memory_views import write_kinds
from bot.errors import MnemeError
from bot.memory.items import Trust
from bot.ports.chat_model import Window
from bot.ports.memory_store import MemoryBrowser
from bot.ports.messenger import Fate, UncertainDeliveries
from bot.ports.rag import DeadLetters
from bot.ports.system import CommandCall
from bot.turn import Reply
from language.command_texts import StatusTexts
from language.texts import Texts

_LISTED: Final = 5
"""Dead letters shown with their reasons; `mneme dead-letters` shows all."""
_MINUTES: Final = len("2026-11-24 00:30")
_CHATS: Final = 20
"""Chats that the owner is told of at once."""


@dataclass(frozen=True, slots=True)
class HealthLine:
    """How one part is; ``reason`` names addresses and settings and is shown to the owner alone."""

    part: str
    state: Literal["ok", "degraded", "down"]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StatusLines:
    """What /status says of a part; where it cannot be asked, the report says so by the part's name.

    ``owner`` marks what counts all chats and is the owner's alone.
    """

    part: str
    ask: Callable[[CommandCall, Texts], Awaitable[list[str]]]
    owner: bool = False


@dataclass(frozen=True, slots=True)
class BackupSummary:
    """The back-ups of the store: how many, when the ``newest`` was made, their ``size`` in bytes together."""

    count: int
    newest: datetime
    size: int


@dataclass(frozen=True, slots=True)
class Status:
    """Reports; a part that cannot be asked is reported as down, never an error.

    ``health`` asks every part, ``model`` returns the language model's name ("" without one), ``remembering`` whether
    memory is on, ``window`` how much the model can read; ``added`` is what features have to say.
    Replies that may not have arrived are those of this chat; the owner sees those of every chat.
    """

    health: Callable[[], Awaitable[tuple[HealthLine, ...]]]
    browser: MemoryBrowser
    outbox: DeadLetters
    doubts: UncertainDeliveries
    model: Callable[[], str]
    remembering: Callable[[], bool]
    window: Callable[[], Window]
    added: Sequence[StatusLines]
    backups: Callable[[], Awaitable[BackupSummary | str | None]]

    name: ClassVar[str] = "status"

    async def run(self, call: CommandCall) -> Reply:
        """Return the report."""
        whole, owner = call.texts, call.author.trust is Trust.OWNER
        texts = whole.status
        model = self.model()
        lines = [self._model(model, texts)] if model else [texts.no_model]
        lines += [] if self.remembering() else [texts.memory_off]
        lines += await self._asked("memory", texts, self._memories(call, texts))
        if owner:  # counts of all chats
            lines += await self._asked("outbox", texts, self._waiting(texts))
            lines += await self._asked("backups", texts, self._backups(texts))
        for added in self.added:
            if owner or not added.owner:
                lines += await self._asked(added.part, texts, added.ask(call, whole))
        lines += await self._asked("deliveries", texts, self._deliveries(call, texts))
        lines += [_line(part, texts, detailed=owner) for part in await self.health()]
        return make_reply(texts.head, "\n".join(f"- {line}" for line in lines))

    def _model(self, model: str, texts: StatusTexts) -> str:
        window = self.window()
        said = texts.window.format(tokens=count(window.tokens), source=texts.window_sources[window.source])
        return f"{texts.model.format(model=escape(model))} ({said})"

    async def _memories(self, call: CommandCall, texts: StatusTexts) -> list[str]:
        counts = await self.browser.count(call.scope)
        kinds = write_kinds(counts, call.texts)
        total = texts.memory.format(total=counts.total)
        return [f"{total} ({kinds})" if kinds else total]

    async def _waiting(self, texts: StatusTexts) -> list[str]:
        counts = await self.outbox.counts()
        lines = [texts.waiting.format(count=counts.waiting) if counts.waiting else texts.nothing_waiting]
        if counts.dead:
            lines.append(texts.dead.format(count=counts.dead))
            letters = await self.outbox.list_dead(_LISTED)
            lines += [f"  {escape(letter.source or letter.scope)}: {escape(letter.reason)}" for letter in letters]
        return lines

    async def _backups(self, texts: StatusTexts) -> list[str]:
        made = await self.backups()
        if made is None:
            return [texts.no_backups]
        if isinstance(made, str):
            return [texts.backed_up_by.format(tool=made)]
        at = made.newest.astimezone().isoformat(" ", "minutes")[:_MINUTES]
        return [texts.backups.format(count=made.count, at=at, size=f"{made.size / 1e6:.1f}")]

    async def _deliveries(self, call: CommandCall, texts: StatusTexts) -> list[str]:
        here = call.message.address
        words = {Fate.UNKNOWN: texts.unknown_deliveries, Fate.REFUSED: texts.refused_deliveries}
        if call.author.trust is not Trust.OWNER:
            return [words[one.fate].format(count=one.count) for one in await self.doubts.list_undelivered(here)]
        return [
            f"{escape(one.address.key)}: {words[one.fate].format(count=one.count)} ({escape(one.reason)})"
            for one in (await self.doubts.list_undelivered())[:_CHATS]
        ]

    async def _asked(self, part: str, texts: StatusTexts, question: Awaitable[list[str]]) -> list[str]:
        try:
            return await question
        except (MnemeError, OSError):
            return [f"{texts.parts[part]}: {texts.states['down']}"]


def _line(part: HealthLine, texts: StatusTexts, *, detailed: bool) -> str:
    line = f"{texts.parts.get(part.part, escape(part.part))}: {texts.states[part.state]}"
    reason = texts.reasons.get(part.reason, part.reason)
    return f"{line} ({escape(reason)})" if reason and detailed else line
