"""A file to import: what it is, what stands in it, and what is to be stored of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import tzinfo
from itertools import chain
from pathlib import Path
from typing import Final

from adapters.archive.files import ArchiveFile
from adapters.imports.formats import Format, find_format, open_file, read_export
from adapters.imports.streaming import ExportPath
from bot.errors import ImportRefused
from bot.features.transfer.importing import ImportRules, Survey, mask_names, name_writer, plan_exchanges
from bot.features.transfer.restoring import (
    RestoreRules,
    plan_documents,
    plan_items,
    plan_lists,
    plan_reminders,
    plan_sessions,
    plan_settings,
    plan_turns,
    survey_item,
    survey_turn,
)
from bot.memory.scope import Installation, Scope
from bot.memory.secrets.redaction import Source, redact
from bot.messages import Address
from bot.ports.archive import (
    ArchivedDocument,
    ArchivedItem,
    ArchivedListItem,
    ArchivedReminder,
    ArchivedSession,
    ArchivedSettings,
    ArchivedTurn,
)
from bot.ports.chats import ChatSettings
from bot.ports.conversation_import import Imported, Read

_UNFIT: Final = re.compile(r"[^\w.,()+-]+")
_LONGEST_NAME: Final = 80


@dataclass(frozen=True, slots=True)
class ImportSource:
    """A file of a known format.  ``ours`` says that this installation exported it from the memory it goes to."""

    file: ExportPath
    name: str
    format: Format
    zone: tzinfo | None
    dates: str
    archive: ArchiveFile | None = None
    origin: str = ""
    ours: bool = False

    def survey(self, rules: ImportRules, *, believed: bool = False) -> Survey:
        """Read all of it and return what stands in it (blocking).

        Raises :class:`~bot.errors.ImportRefused`, also where there is nothing to import.
        """
        survey = Survey()
        if self.archive is not None:
            self.archive.check()
            for turn in self.archive.list_records(ArchivedTurn):
                survey_turn(survey, turn)
            for record in self.archive.list_records(ArchivedItem):
                survey_item(survey, record, self._restore(rules, believed=believed))
            for listed in self.archive.list_records(ArchivedListItem):
                survey.note_author(str(listed.added_by), name_writer(listed.added_name))
            for reminder in self.archive.list_records(ArchivedReminder):
                survey.note_author(str(reminder.asker_id), name_writer(reminder.asker_name))
        else:
            for found in self._read():
                survey.note(found)
        if not (survey.messages or survey.memories or survey.authors or self._has_documents()):
            raise ImportRefused(f"{self.name} holds no message that could be imported, read as {self.format}")
        return survey

    def plan(self, rules: ImportRules, *, believed: bool = False) -> Iterator[Imported]:
        """Yield what is to be stored.  Raises :class:`~bot.errors.ImportRefused`."""
        if self.archive is None:
            yield from plan_exchanges(self._read(), rules)
            return
        how = self._restore(rules, believed=believed)
        try:
            yield from chain(
                plan_sessions(self.archive.list_records(ArchivedSession), how),
                plan_turns(self.archive.list_records(ArchivedTurn), how),
                plan_items(self.archive.list_records(ArchivedItem), how),
                plan_documents(self.archive.list_records(ArchivedDocument), how),
                plan_reminders(self.archive.list_records(ArchivedReminder), how),
                plan_lists(self.archive.list_records(ArchivedListItem), how),
            )
        except ValueError as error:
            raise ImportRefused(f"{self.name}: {error}") from error

    def list_settings(self, rules: ImportRules, *, believed: bool) -> tuple[tuple[Address, ChatSettings], ...]:
        """Return what the chats of an export of Mneme chose for themselves, if it is believed (blocking)."""
        if self.archive is None:
            return ()
        told, held = self.archive.list_records(ArchivedSettings), self.archive.list_records(ArchivedSession)
        return tuple(plan_settings(told, held, self._restore(rules, believed=believed)))

    def _has_documents(self) -> bool:
        return self.archive is not None and any(True for _ in self.archive.list_records(ArchivedDocument))

    def _read(self) -> Iterator[Read]:
        return map(mask_names, read_export(self.file, self.format, self.zone, self.dates))

    def _restore(self, rules: ImportRules, *, believed: bool) -> RestoreRules:
        return RestoreRules(rules, believed or self.ours, "" if self.ours else self.origin)


def open_source(
    path: Path, name: str, *, scope: Scope, key: bytes, here: Installation | None, zone: tzinfo | None, dates: str = ""
) -> ImportSource:
    """Return the file as it can be read into a memory (blocking).

    ``key`` is that of the exports of this installation, b"" where it has none.
    Raises :class:`~bot.errors.ImportRefused`.
    """
    file = open_file(path)
    wanted = find_format(file)
    if wanted is not Format.ARCHIVE:
        return ImportSource(file, name, wanted, zone, dates)
    archive = ArchiveFile(path)
    header = archive.manifest.header
    sealed = bool(key) and archive.is_sealed(key)
    at_home = sealed and here is not None and header.installation == here.name
    ours = at_home and header.scope == scope
    return ImportSource(file, name, wanted, zone, dates, archive, f"{header.installation}:{header.scope}", ours)


def name_file(name: str) -> str:
    """Return a file's name as one that can be used here: no folders, no secrets, nothing that a shell or disk minds."""
    told = Path(name.replace("\\", "/"))
    plain = f"{redact(told.stem, Source.DOCUMENT).text}{redact(told.suffix, Source.DOCUMENT).text}"
    return _UNFIT.sub("_", plain).lstrip(".")[-_LONGEST_NAME:] or "file"
