"""Exports of a scope, in the chat by /export and in the terminal: the same file, which goes to this chat alone."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import ClassVar, Final

from adapters.archive.files import write_archive
from adapters.sqlite.archive import SqliteSnapshot, read_snapshot
from adapters.sqlite.database import Database
from adapters.sqlite.installation import ensure_export_key
from bot.commands.formatting import make_reply
from bot.core.rights import May, Whose
from bot.errors import StorageUnavailable
from bot.files import OutboundFile
from bot.memory.scope import Installation, Scope
from bot.messages import ChatKind
from bot.ports.system import CommandCall
from bot.ports.transfer import ArchiveHeader, ExportedFile, Exporter
from bot.runtime.channel import Abilities
from bot.turn import EVERYTHING, Reply, ReplyKind
from language.command_texts import ExportTexts

MADE_BY: Final = "mneme 0.1.0"
LEFT_OUT: Final = {
    "the chronicle's derived lines": "made again from the turns; those that a model worded stand with their turn",
    "search indexes and vectors": "made again from the turns and memories",
    "long-term memory": "made again from the turns",
    "explanations of answers (/why)": "they say how an answer came about, and go with their answers",
    "messages on their way": "they are the business of this installation",
}
_KEPT_S: Final = 86_400.0
_ATTEMPTS: Final = 3
"""Exports of a memory of which something is erased meanwhile, before giving up."""
_MEGABYTE: Final = 1_000_000
_LARGEST_EXPORT: Final = 50
"""Megabytes that a bot may send: https://core.telegram.org/bots/api#senddocument."""


@dataclass(frozen=True, slots=True)
class ScopeExporter:
    """The port :class:`~bot.ports.transfer.Exporter` over the one database."""

    database: Database
    folder: Path
    installation: Installation
    now: Callable[[], datetime]

    async def export(self, scope: Scope) -> ExportedFile | None:
        """Write all of a scope below the data folder; exports of it that nobody fetched for a day go."""
        now = self.now()
        await asyncio.to_thread(self._drop_old, scope, now)
        return await self.write(scope, self.folder / f"{scope.tag}-{now:%Y%m%d-%H%M%S}.zip")

    async def write(self, scope: Scope, path: Path) -> ExportedFile | None:
        """Write all of a scope to a file of any place; ``None`` if nothing was ever kept of it.

        A file that was written while something of the scope was erased may hold it, and is written again.
        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        key = await ensure_export_key(self.database)
        for _ in range(_ATTEMPTS):
            epoch = await self._read_epoch(scope)
            if epoch is None:
                return None
            done = await asyncio.to_thread(self._write, scope, path, key)
            if await self._read_epoch(scope) == epoch:
                return done
            await asyncio.to_thread(path.unlink, missing_ok=True)
        raise StorageUnavailable(f"{scope} is being erased from; export it again in a moment")

    async def _read_epoch(self, scope: Scope) -> int | None:
        row = await self.database.fetch_one("SELECT epoch FROM scopes WHERE tag = ?", (scope.tag,))
        return None if row is None else int(row[0])

    def _drop_old(self, scope: Scope, now: datetime) -> None:
        for file in self.folder.glob(f"{scope.tag}-*.zip"):
            if now.timestamp() - file.stat().st_mtime > _KEPT_S:
                file.unlink(missing_ok=True)

    def _write(self, scope: Scope, path: Path, key: bytes) -> ExportedFile:
        header = ArchiveHeader(scope, self.installation.name, self.now().replace(microsecond=0), MADE_BY, LEFT_OUT)

        def write(snapshot: SqliteSnapshot) -> ExportedFile:
            manifest = write_archive(path, header, snapshot, key)
            files = {name: entry for name, entry in manifest.files.items() if name.startswith("data/")}
            counts = {Path(name).stem: entry.lines for name, entry in files.items()}
            return ExportedFile(path, path.stat().st_size, counts)

        return read_snapshot(self.database, scope, write)


@dataclass(frozen=True, slots=True)
class Export:
    """Writes the export of the caller's scope and sends it.

    What several people share is handed out by those who run the group, and is asked for twice where everybody will see
    it.  A private memory that is used in a group is not sent there.
    """

    exporter: Exporter
    may: May
    find_abilities: Callable[[str], Abilities]
    """Says what a platform can do: who sits at this machine is told where the file lies."""

    name: ClassVar[str] = "export"
    CONFIRMED: ClassVar[str] = "yes"

    async def run(self, call: CommandCall) -> Reply:
        """Return the file, or why there is none."""
        texts = call.texts.exporting
        alone = call.message.chat_kind is ChatKind.DIRECT
        if not alone and call.scope.personal:
            return make_reply(texts.private)
        if not await self.may(self.name, call.message, call.scope, Whose.ALL):
            return make_reply(texts.owner_only)
        if not alone and call.argument.strip().casefold() != self.CONFIRMED:
            button = (texts.confirm_button, f"/{self.name} {self.CONFIRMED}")
            return make_reply(texts.confirm, buttons=(button,), about=(EVERYTHING,))
        done = await self.exporter.export(call.scope)
        return make_reply(texts.nothing) if done is None else self._hand_over(call, done, texts)

    def _hand_over(self, call: CommandCall, done: ExportedFile, texts: ExportTexts) -> Reply:
        size = f"{done.size / _MEGABYTE:.1f}"
        ready = texts.ready.format(turns=done.counts.get("turns", 0), items=done.counts.get("items", 0), size=size)
        if self.find_abilities(call.message.address.platform).local:
            return make_reply(ready, texts.written.format(path=done.path))
        if done.size > _LARGEST_EXPORT * _MEGABYTE:
            return make_reply(texts.too_large.format(size=size, limit=_LARGEST_EXPORT, scope=call.scope))
        name = f"mneme-{call.scope}-{call.now:%Y-%m-%d}.zip"
        return Reply(ready, ReplyKind.COMMAND, file=OutboundFile(done.path, name))
