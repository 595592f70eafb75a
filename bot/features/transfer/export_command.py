"""/export: all that is kept of a chat, as a file that goes to this chat and nowhere else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import ClassVar, Final

from bot.commands.language import Voice, make_reply
from bot.files import OutboundFile
from bot.messages import ChatKind
from bot.ports.command import CommandCall
from bot.ports.exporter import ExportedFile, Exporter
from bot.turn import EVERYTHING, Reply, ReplyKind
from language.command_texts import ExportTexts

_MEGABYTE: Final = 1_000_000
_LARGEST: Final = 50
"""Megabytes that a bot may send: https://core.telegram.org/bots/api#senddocument."""


@dataclass(frozen=True, slots=True)
class Export:
    """Writes the export of the caller's scope and sends it.

    What several people share is handed out by those who run the group, and is asked for twice where everybody will see
    it.  A private memory that is used in a group is not sent there.
    """

    texts: Voice
    exporter: Exporter
    may: Callable[[CommandCall], Awaitable[bool]]
    """Who may take the memory of a chat away: its own person, of a group its admins and the owner."""
    local: Callable[[str], bool]
    """Whether who writes on a platform sits at this machine: they are told where the file lies."""

    name: ClassVar[str] = "export"
    CONFIRMED: ClassVar[str] = "yes"

    async def run(self, call: CommandCall) -> Reply:
        """Return the file, or why there is none."""
        texts = self.texts(call.message).exporting
        alone = call.message.chat_kind is ChatKind.DIRECT
        if not alone and call.scope.personal:
            return make_reply(texts.private)
        if not await self.may(call):
            return make_reply(texts.owner_only)
        if not alone and call.argument.strip().casefold() != self.CONFIRMED:
            button = (texts.confirm_button, f"/{self.name} {self.CONFIRMED}")
            return make_reply(texts.confirm, buttons=(button,), about=(EVERYTHING,))
        done = await self.exporter.export(call.scope)
        return make_reply(texts.nothing) if done is None else self._hand_over(call, done, texts)

    def _hand_over(self, call: CommandCall, done: ExportedFile, texts: ExportTexts) -> Reply:
        size = f"{done.size / _MEGABYTE:.1f}"
        ready = texts.ready.format(turns=done.counts.get("turns", 0), items=done.counts.get("items", 0), size=size)
        if self.local(call.message.address.platform):
            return make_reply(ready, texts.written.format(path=done.path))
        if done.size > _LARGEST * _MEGABYTE:
            return make_reply(texts.too_large.format(size=size, limit=_LARGEST, scope=call.scope))
        name = f"mneme-{call.scope}-{call.now:%Y-%m-%d}.zip"
        return Reply(ready, ReplyKind.COMMAND, file=OutboundFile(done.path, name))
