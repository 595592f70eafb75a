"""Makes exchanges of what stands in an exported file: whose words they are, what is learned and what is indexed.

Only the words of the person who is the user are the user's own.  Everybody else's are what the user passed on, as a
forward is in a live chat: found under their author's name and date, believed as a file is, and never learned from.
What an assistant elsewhere answered is an assistant's answer, and believed no further than the file either.
Secrets are masked before anything is handed on.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final

from bot.memory.items import Origin, Part, Provenance, Trust
from bot.memory.learning.speech_acts import is_trivial
from bot.memory.learning.statements import extract_items, states_fact
from bot.memory.sanitise import flatten
from bot.memory.scope import Scope
from bot.memory.secrets.redaction import Source, is_redacted, redact
from bot.messages import Author
from bot.ports.transfer import ExportedMessage, ImportedExchange, LeftOut, Read, Speaks, name_source
from bot.turn import Exchange, IndexDocument

_LONGEST: Final = 1_000_000
"""Characters of a message: what is longer is a document."""
_UNKNOWN: Final = "?"
"""Stands in exports for a writer nobody knows."""
_LONGEST_NAME: Final = 100
NOBODY: Final = "nobody"
"""Said where the user is not among the people of a file."""


@dataclass(frozen=True, slots=True)
class ImportRules:
    """Whose memory is added to, and how.

    ``own`` are the authors of the file who are the user.  ``idle`` ends a conversation, as it does in a live chat.
    ``min_length`` and ``indexing`` are ``rag.indexMinLength`` and whether long-term memory is on; ``deriving`` says
    whether items are made of what is learned.  ``zone`` is where dates are told, ``None`` for the machine's.
    """

    scope: Scope
    user: Author
    own: frozenset[str]
    idle: timedelta
    min_length: int
    indexing: bool
    deriving: bool
    zone: tzinfo | None = None


@dataclass(slots=True)
class Seen:
    """A person or an assistant of a file."""

    author: str
    name: str
    speaks: Speaks
    messages: int = 0


@dataclass(slots=True)
class Survey:
    """What stands in a file: counts, people, chats and dates, and what is left out and why."""

    messages: int = 0
    authors: dict[str, Seen] = field(default_factory=dict)
    chats: set[str] = field(default_factory=set)
    first: datetime | None = None
    last: datetime | None = None
    forwards: int = 0
    memories: int = 0
    """Structured memories, of an export of Mneme."""
    characters: int = 0
    left_out: Counter[LeftOut] = field(default_factory=Counter)

    def note(self, read: Read) -> None:
        """Count one more."""
        if isinstance(read, LeftOut):
            self.left_out[read] += 1
            return
        if len(read.text) > _LONGEST:
            self.left_out[LeftOut.TOO_LONG] += 1
            return
        self.messages += 1
        self.forwards += bool(read.forwarded_from)
        self.characters += len(read.text)
        self.chats.add(read.chat)
        self.note_author(read.author, read.author_name, read.speaks).messages += 1
        self.first = min(self.first or read.said_at, read.said_at)
        self.last = max(self.last or read.said_at, read.said_at)

    def note_author(self, author: str, name: str, speaks: Speaks = Speaks.PERSON) -> Seen:
        """Return one of those who are in a file, by who put something on a list there or said something."""
        seen = self.authors.setdefault(author, Seen(author, "", speaks))
        seen.name = name or seen.name
        return seen

    @property
    def people(self) -> tuple[Seen, ...]:
        """The people, those who wrote most first."""
        people = [seen for seen in self.authors.values() if seen.speaks is Speaks.PERSON]
        return tuple(sorted(people, key=lambda seen: (-seen.messages, seen.author)))

    def find_people(self, name_or_id: str) -> tuple[Seen, ...]:
        """Return who bears an id or else a name, in any case; several people may bear one name."""
        by_id = tuple(seen for seen in self.people if seen.author == name_or_id)
        wanted = name_or_id.casefold().strip()
        return by_id or tuple(seen for seen in self.people if seen.name.casefold().strip() == wanted)


def plan_exchanges(found: Iterable[Read], rules: ImportRules) -> Iterator[ImportedExchange]:
    """Yield the exchanges of a file in its order: one per message of a person, with the answers that follow it.

    A conversation goes on in its chat, or topic, until nobody has written for ``rules.idle``.
    """
    last: dict[str, tuple[datetime, int]] = {}
    for message, answers in _join_answers(found):
        where = f"{message.chat}\n{message.topic}"
        at, number = last.get(where, (message.said_at, 0))
        number += abs(message.said_at - at) > rules.idle
        last[where] = ((answers[-1] if answers else message).said_at, number)
        yield _plan(message, answers, rules, f"{where}\n{number}")


def _join_answers(found: Iterable[Read]) -> Iterator[tuple[ExportedMessage, list[ExportedMessage]]]:
    first: ExportedMessage | None = None
    answers: list[ExportedMessage] = []
    for read in found:
        if isinstance(read, LeftOut) or len(read.text) > _LONGEST:
            continue
        if first is not None and read.speaks is Speaks.ASSISTANT and read.chat == first.chat:
            answers.append(read)
            continue
        if first is not None:
            yield first, answers
        first, answers = read, []
    if first is not None:
        yield first, answers


def _plan(
    message: ExportedMessage, answers: list[ExportedMessage], rules: ImportRules, conversation: str
) -> ImportedExchange:
    said_at = message.said_at.astimezone(rules.zone)
    own = message.author in rules.own and message.speaks is Speaks.PERSON and not message.forwarded_from
    spoken = [message, *answers] if message.speaks is Speaks.ASSISTANT else answers
    said = redact(message.text, Source.DOCUMENT).text if message.speaks is Speaks.PERSON else ""
    parts = (
        ()
        if own or not said
        else (
            Part(Origin.FORWARDED, said, name_writer(message.forwarded_from or message.author_name or message.author)),
        )
    )
    if message.attachment:
        # Our own word for what stood there, not the file's: it makes nothing less believed.
        parts = (*parts, Part(Origin.FILE, f"[{message.attachment}]", trust=rules.user.trust))
    exchange = Exchange(
        scope=rules.scope,
        uid=name_source(message.source),
        session_id=0,
        author=rules.user,
        user_text=said if own else "",
        assistant_text="\n\n".join(redact(each.text, Source.DOCUMENT).text for each in spoken),
        said_at=said_at,
        parts=parts,
        answer_trust=Trust.FILE if spoken else Trust.BOT,
    )
    provenance = Provenance(rules.user.id, rules.user.name, "import", rules.user.trust, said_at, exchange.uid)
    items = extract_items(user_text=exchange.user_text, provenance=provenance) if own and rules.deriving else ()
    items = tuple(replace(item, created_at=said_at, updated_at=said_at) for item in items)
    return ImportedExchange(
        exchange,
        items,
        plan_document(exchange, rules),
        conversation,
        answers=name_source(message.reply_to) if message.reply_to else "",
        edited=message.edited_at is not None,
    )


@lru_cache(maxsize=4096)
def name_writer(name: str) -> str:
    """Return the name that a file gives to somebody as it may stand in a line, "" for nobody known."""
    return "" if name == _UNKNOWN else flatten(redact(name, Source.DOCUMENT).text, _LONGEST_NAME)


def mask_names(read: Read) -> Read:
    """Return a message whose names hold no secret, as they may be shown, chosen from and stored.

    Whoever goes by a secret goes by a digest of it: messages of one author stay one author's.
    """
    if isinstance(read, LeftOut):
        return read
    author = read.author
    if is_redacted(name_writer(author)):
        author = f"#{hashlib.sha256(author.encode(errors='replace')).hexdigest()[:12]}"
    forwarded = name_writer(read.forwarded_from) or read.forwarded_from
    return replace(read, author=author, author_name=name_writer(read.author_name), forwarded_from=forwarded)


def plan_document(exchange: Exchange, rules: ImportRules) -> IndexDocument | None:
    """Return the document of an exchange, by the rules of live turns but one: between people there are no answers."""
    said = exchange.said
    short = len(said.strip()) + len(exchange.assistant_text.strip()) < rules.min_length
    if (not exchange.assistant_text and is_trivial(said)) or (short and not states_fact(said)):
        return None
    return replace(IndexDocument.from_exchange(exchange), deferred=not rules.indexing)
