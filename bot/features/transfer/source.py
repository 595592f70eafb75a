"""A file to import: what it is, what stands in it, and what is to be stored of it.

Makes exchanges and memories of an export of Mneme again.

An export that this installation wrote of the same memory, or one that the operator says to believe, comes back as it
was.  Any other is outside data: only the words of those who are said to be the user are the user's, their memories
with them; everybody else's are what the user passed on, and nothing is learned from them.  No text is believed
further than the user is, and an assistant's no further than a file; nobody is who such a file says they are, so that
no author's number is taken from it, and no line in which a model there worded what was said.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from itertools import chain
from pathlib import Path
from typing import Final

from adapters.archive.files import ArchiveFile
from adapters.imports.formats import Format, find_format, open_file, read_export
from adapters.imports.streaming import ExportPath
from bot.errors import ImportRefused
from bot.features.transfer.importing import ImportRules, Survey, mask_names, name_writer, plan_document, plan_exchanges
from bot.memory.chunking import DocumentChunk
from bot.memory.items import Origin, Part, Provenance, Trust
from bot.memory.learning.statements import compute_fingerprint
from bot.memory.sanitise import flatten
from bot.memory.scope import Installation, Scope
from bot.memory.secrets.redaction import Source, redact
from bot.messages import Address, Author
from bot.ports.chats import ChatSettings, is_zone
from bot.ports.documents import NewDocument
from bot.ports.lists import LONGEST, Deed, ItemState, ListItem
from bot.ports.reminders import Reminder
from bot.ports.transfer import (
    ArchivedDocument,
    ArchivedItem,
    ArchivedListItem,
    ArchivedReminder,
    ArchivedSession,
    ArchivedSettings,
    ArchivedTurn,
    ExportedMessage,
    Imported,
    ImportedDocument,
    ImportedExchange,
    ImportedSession,
    LeftOut,
    Read,
    Speaks,
)
from bot.ports.when import load_repetition
from bot.turn import Exchange

_BROUGHT: Final = re.compile("[ix][0-9a-f]{24}(?:v[0-9]+)?")
"""Names made of what was said elsewhere: they mean the same everywhere."""
_LIVE: Final = re.compile("[a-z0-9]{1,64}")
_LANGUAGE: Final = re.compile("[a-z]{2}")
_PLACE: Final = re.compile("([a-z]{1,20}):([0-9]{1,18}):(-?[0-9]{1,18}):([0-9]{1,18})")
_DIGEST: Final = re.compile("[0-9a-f]{32,64}")


@dataclass(frozen=True, slots=True)
class RestoreRules:
    """How an export is taken: ``believed`` as it says, else as outside data by ``rules``.

    ``origin`` names the installation and memory that it was made of, "" where that is this one: names of turns are
    unique within one memory alone.
    """

    rules: ImportRules
    believed: bool
    origin: str


def survey_turn(survey: Survey, turn: ArchivedTurn) -> None:
    """Count a turn among what stands in a file; its author goes by their number."""
    forwarded = next((part for part in turn.parts if part.origin is Origin.FORWARDED), None)
    text = turn.text or (forwarded.text if forwarded is not None else "") or turn.answer
    survey.note(
        ExportedMessage(
            source=turn.uid,
            chat=str(turn.session),
            author=str(turn.author_id),
            author_name=name_writer(turn.author_name),
            speaks=Speaks.PERSON,
            text=text,
            said_at=turn.said_at,
            forwarded_from=(name_writer(forwarded.author) or "?") if forwarded is not None else "",
        )
    )


def survey_item(survey: Survey, record: ArchivedItem, rules: RestoreRules) -> None:
    """Count a structured memory; those of people who are not the user are left out of an export not believed."""
    if is_taken(record, rules):
        survey.memories += 1
    else:
        survey.left_out[LeftOut.NOT_YOURS] += 1


def is_taken(record: ArchivedItem, rules: RestoreRules) -> bool:
    """Return whether a structured memory comes along: all of a believed export, of another only the user's own."""
    return rules.believed or str(record.item.provenance.author_id) in rules.rules.own


def plan_sessions(sessions: Iterable[ArchivedSession], rules: RestoreRules) -> Iterator[ImportedSession]:
    """Yield the conversations of an export, with their titles; of a believed one also where they were held."""
    for session in sessions:
        yield ImportedSession(
            str(session.key),
            session.started_at,
            session.ended_at,
            name_writer(session.title),
            load_place(session.place) if rules.believed else None,
        )


def plan_reminders(reminders: Iterable[ArchivedReminder], rules: RestoreRules) -> Iterator[Reminder]:
    """Yield the reminders of a believed export that were still to come, to be said where they were asked for."""
    for told in reminders if rules.believed else ():
        place, repetition = load_place(told.place), load_repetition(told.rule)
        if told.due is None or place is None or not is_zone(told.zone) or (told.rule and repetition is None):
            continue
        own = str(told.asker_id) in rules.rules.own
        yield Reminder(
            scope=rules.rules.scope,
            address=place,
            asker_id=rules.rules.user.id if own else told.asker_id,
            asker_name=name_writer(told.asker_name),
            text=_mask(told.text),
            due_at=told.due,
            start=told.start,
            zone=told.zone,
            passes=told.passes,
            repetition=repetition,
            language=name_writer(told.language),
            direct=told.direct,
            exchange=name_turn(told.exchange, rules) if told.exchange else "",
        )


def plan_lists(items: Iterable[ArchivedListItem], rules: RestoreRules) -> Iterator[ListItem]:
    """Yield what stood on lists: all of a believed export, else what the user put there, whoever has ticked it."""
    for told in items:
        own = str(told.added_by) in rules.rules.own
        text, key = flatten(_mask(told.text), LONGEST), name_writer(told.key)
        if not (own or rules.believed) or not (text and key):
            continue
        added = _claim_deed(told.added_by, told.added_name, told.added_at, told.exchange, rules)
        closed = None
        if told.state is not ItemState.OPEN and told.closed_at is not None:
            closed = _claim_deed(told.closed_by, told.closed_name, told.closed_at, told.closed_exchange, rules)
        title = name_writer(told.list) if told.list != told.key else ""
        state = told.state if closed is not None else ItemState.OPEN
        yield ListItem(key, title, text, added, state, closed)


def _claim_deed(by: int, name: str, at: datetime, exchange: str, rules: RestoreRules) -> Deed:
    """Return what somebody did to a list as it holds here: whom nobody here knows is nobody."""
    uid, user = name_turn(exchange, rules) if exchange else "", rules.rules.user
    told = name_writer(name) if rules.believed else ""
    if str(by) in rules.rules.own:
        return Deed(user.id, told or user.name, at, uid)
    return Deed(by if rules.believed else 0, told, at, uid)


def plan_settings(
    settings: Iterable[ArchivedSettings], sessions: Iterable[ArchivedSession], rules: RestoreRules
) -> Iterator[tuple[Address, ChatSettings]]:
    """Yield what the chats of a believed export chose for themselves; what cannot be read counts as not chosen."""
    held = filter(None, (load_place(session.place) for session in sessions)) if rules.believed else ()
    chats = {(place.platform, place.chat_id): replace(place, topic_id=None) for place in held}
    for told in settings if rules.believed else ():
        address = chats.get((told.platform, told.chat_id))
        if address is None:
            continue
        language = told.language if _LANGUAGE.fullmatch(told.language) else ""
        quiet = (told.quiet_from, told.quiet_to)
        yield address, ChatSettings.read(language, told.memory, told.streaming, told.time_zone, quiet)


def load_place(key: str) -> Address | None:
    """Return the place that a key names (see :attr:`~bot.messages.Address.key`), ``None`` for what is none."""
    found = _PLACE.fullmatch(key)
    return None if found is None else Address(found[1], int(found[2]), int(found[3]), int(found[4]) or None)


def plan_turns(turns: Iterable[ArchivedTurn], rules: RestoreRules) -> Iterator[ImportedExchange]:
    """Yield the exchanges of an export in its order.  Raises ``ValueError`` for a name that no turn can have."""
    for turn in turns:
        exchange = _build_believed(turn, rules) if rules.believed else _build_outside(turn, rules)
        document = None if turn.synthetic or turn.replaced_by else plan_document(exchange, rules.rules)
        yield ImportedExchange(
            exchange,
            (),
            document,
            str(turn.session),
            replaced_by=name_turn(turn.replaced_by, rules) if turn.replaced_by else "",
            chronicle=tuple(_mask(line) for line in turn.chronicle if rules.believed),
        )


def plan_items(items: Iterable[ArchivedItem], rules: RestoreRules) -> Iterator[ArchivedItem]:
    """Yield the structured memories of an export in its order."""
    for record in items:
        if not is_taken(record, rules):
            continue
        origin = record.item.provenance
        named = replace(origin, exchange=name_turn(origin.exchange, rules) if origin.exchange else "")
        item = replace(record.item, provenance=_claim(named, rules))
        content = _mask(item.content)
        item = replace(
            item,
            content=content,
            title=_mask(item.title),
            subject=_mask(item.subject),
            tags=tuple(_mask(tag) for tag in item.tags),
            fingerprint=item.fingerprint if _DIGEST.fullmatch(item.fingerprint) else compute_fingerprint(content),
        )
        sources = tuple(name_turn(uid, rules) for uid in record.sources)
        yield replace(record, item=item, sources=sources)


def plan_documents(documents: Iterable[ArchivedDocument], rules: RestoreRules) -> Iterator[ImportedDocument]:
    """Yield the documents of an export: all of a believed one, else those that the user brought."""
    for record in documents:
        own = str(record.author_id) in rules.rules.own
        if not (own or rules.believed):
            continue
        user, named = rules.rules.user, name_writer(record.author_name)
        author = (
            Author(user.id, (named if rules.believed else "") or user.name, min(record.trust, user.trust))
            if own
            else Author(record.author_id, named, record.trust)
        )
        uid = record.uid if not rules.origin else f"d{name_turn(record.uid, rules)[1:13]}"
        document = NewDocument(
            uid=uid,
            name=_mask(record.name),
            title=_mask(record.title),
            kind=name_writer(record.kind),
            author=author,
            added_at=record.added_at,
            place="",
            message_id=0,
            entry=0,
            exchange=name_turn(record.exchange, rules) if record.exchange else "",
            content_hash=_digest(record.hash),
            chunks=tuple(_mask_chunk(chunk) for chunk in record.chunks),
            url=_mask(record.url),
            pages=record.pages,
            cut=record.cut,
        )
        yield ImportedDocument(document, rules.rules.indexing)


def name_turn(uid: str, rules: RestoreRules) -> str:
    """Return the name of a turn here: the same for the same turn, and that of no other."""
    if not _LIVE.fullmatch(uid):
        raise ValueError(f"{uid!r} is no name of a turn")
    if not rules.origin or _BROUGHT.fullmatch(uid):
        return uid
    return f"x{hashlib.sha256(f'{rules.origin}:{uid}'.encode()).hexdigest()[:24]}"


def _digest(told: str) -> str:
    return told if _DIGEST.fullmatch(told) else hashlib.sha256(told.encode()).hexdigest()


def _mask(text: str) -> str:
    return redact(text, Source.DOCUMENT).text


def _mask_chunk(chunk: DocumentChunk) -> DocumentChunk:
    headings = tuple(_mask(heading) for heading in chunk.headings)
    return replace(chunk, text=_mask(chunk.text), headings=headings)


def _claim(origin: Provenance, rules: RestoreRules) -> Provenance:
    """Return the provenance of a memory as it holds here: the user's own go by the user's number."""
    user = rules.rules.user
    origin = replace(origin, author_name=name_writer(origin.author_name), source=name_writer(origin.source))
    if str(origin.author_id) in rules.rules.own:
        name = (origin.author_name if rules.believed else "") or user.name
        origin = replace(origin, author_id=user.id, author_name=name, trust=min(origin.trust, user.trust))
    return origin


def _build_believed(turn: ArchivedTurn, rules: RestoreRules) -> Exchange:
    user = rules.rules.user
    own = str(turn.author_id) in rules.rules.own
    author = Author(
        user.id if own else turn.author_id,
        name_writer(turn.author_name),
        min(turn.trust, user.trust) if own else turn.trust,
    )
    parts = tuple(replace(part, text=_mask(part.text), author=name_writer(part.author)) for part in turn.parts)
    return replace(_build(turn, rules, author), answer_trust=turn.answer_trust, parts=parts)


def _build_outside(turn: ArchivedTurn, rules: RestoreRules) -> Exchange:
    user = rules.rules.user
    parts = tuple(
        Part(part.origin, _mask(part.text), name_writer(part.author), trust=min(part.trust, Trust.FILE))
        for part in turn.parts
    )
    if str(turn.author_id) in rules.rules.own:
        author = replace(user, trust=min(turn.trust, user.trust))
        return replace(_build(turn, rules, author), parts=parts)
    passed_on = (Part(Origin.FORWARDED, _mask(turn.text), name_writer(turn.author_name)),) if turn.text else ()
    return replace(_build(turn, rules, user), user_text="", parts=(*parts, *passed_on))


def _build(turn: ArchivedTurn, rules: RestoreRules, author: Author) -> Exchange:
    return Exchange(
        scope=rules.rules.scope,
        uid=name_turn(turn.uid, rules),
        session_id=0,
        author=author,
        user_text=_mask(turn.text),
        assistant_text=_mask(turn.answer),
        said_at=turn.said_at,
        skill=name_writer(turn.skill),
        synthetic=turn.synthetic,
        echo=turn.echo,
        answer_trust=min(turn.answer_trust, Trust.FILE),
    )


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
