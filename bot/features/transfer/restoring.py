"""Makes exchanges and memories of an export of Mneme again.

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
from datetime import datetime
from typing import Final

from bot.features.transfer.importing import ImportRules, Survey, name_writer, plan_document
from bot.memory.documents.chunking import DocumentChunk
from bot.memory.items import Origin, Part, Provenance, Trust
from bot.memory.learning.statements import compute_fingerprint
from bot.memory.sanitise import flatten
from bot.memory.secrets.redaction import Source, redact
from bot.messages import Address, Author
from bot.ports.archive import (
    ArchivedDocument,
    ArchivedItem,
    ArchivedListItem,
    ArchivedReminder,
    ArchivedSession,
    ArchivedSettings,
    ArchivedTurn,
)
from bot.ports.chats import ChatSettings, is_zone
from bot.ports.conversation_import import (
    ExportedMessage,
    ImportedDocument,
    ImportedExchange,
    ImportedMemory,
    ImportedSession,
    LeftOut,
    Speaks,
)
from bot.ports.documents import NewDocument
from bot.ports.lists import LONGEST, Deed, ItemState, ListItem
from bot.ports.reminders import Reminder
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


def plan_items(items: Iterable[ArchivedItem], rules: RestoreRules) -> Iterator[ImportedMemory]:
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
        yield ImportedMemory(item, record.uses, record.restated, sources)


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
