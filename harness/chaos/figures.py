"""Simulated users, and figures of a storm counted from outside: the chats, the database and the memory server."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from harness.fakes.telegram import FakeTelegram
from harness.fakes.telegram.chats import Shown
from language.registry import get_user_texts

_FAULTS: Final = (
    *("lost", "double", "not_offered", "orphans", "files_double", "files_torn", "files_left", "unanswered"),
    *("exchanges_missing", "exchanges_double", "documents_missing", "documents_double", "misordered"),
    *("bad_ends", "unsettled"),
)
"""Figures that are promised to be 0, but for what is shown again."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts.  ``unanswered`` messages have no answer in their chat; ``lost`` are those whose chat is offered none.

    A reply whose sending a kill or a hiccup of Telegram interrupted is of ``unknown`` fate: listed, never sent again,
    whether it arrived or not, and offered to its chat; ``not_offered`` are those that no chat is told of.
    ``shown_again`` of the unanswered were shown when people pressed "Show again".  ``set_aside`` are messages that were
    begun five times, each time cut off, and whose chat was told so; they count for nothing else.
    Of the ``files`` that chats show ``files_double`` hold an answer that another one holds, ``files_torn`` not all of
    it; ``files_left`` lie on the disk though no reply needs them.
    ``fragments`` are beginnings of streamed answers that may or may not have been there, ``orphans`` messages without a
    word; ``offers`` are the offers that chats show.  ``bad_ends`` counts SIGTERMs that did not end with code 0 in 15 s,
    ``unsynced_bytes`` what power cuts took away.  ``unsettled`` replies were begun and never ended.
    ``busiest_second`` is the largest number of requests in a second, ``busiest_minute`` that of messages to a group in
    a minute; Telegram's limits are 30 and 20.  Half of the dead workers had no chat any more after ``taken_over_s``,
    half of those that were asked to stop after ``stopped_s``.
    """

    kills: int
    messages: int
    unanswered: int
    lost: int
    double: int
    unknown: int
    refused: int
    offers: int
    not_offered: int
    fragments: int
    orphans: int
    exchanges_missing: int
    exchanges_double: int
    documents_missing: int
    documents_double: int
    misordered: int
    seed: int
    files: int = 0
    files_double: int = 0
    files_torn: int = 0
    files_left: int = 0
    shown_again: int = 0
    set_aside: int = 0
    bad_ends: int = 0
    unsynced_bytes: int = 0
    unsettled: int = 0
    busiest_second: int = 0
    busiest_minute: int = 0
    taken_over_s: float = 0.0
    stopped_s: float = 0.0
    seconds: float = 0.0

    @property
    def faults(self) -> int:
        """Return how many promises were broken; 0 is a pass."""
        crowded = max(0, self.busiest_second - 30) + max(0, self.busiest_minute - 20)
        faults: int = sum(getattr(self, name) for name in _FAULTS) - self.shown_again + crowded
        return faults


Ask = Callable[[str], list[tuple[Any, ...]]]  # Any: column values
"""Returns the rows that a query finds in the store."""


def read_file(database: Path) -> Ask:

    def ask(query: str) -> list[tuple[Any, ...]]:  # Any: as above
        with closing(sqlite3.connect(database, timeout=10)) as connection:
            return connection.execute(query).fetchall()

    return ask


def counted(
    people: SimulatedUsers, ask: Ask, indexed: list[str] | None, folders: Iterable[Path], *, kills: int, seed: int
) -> Figures:
    """Count.

    ``indexed`` are the sources of all documents that the memory server has processed, ``None`` without one; files of
    replies lie in ``folders``.
    """
    rows = ask("SELECT user_text, source FROM exchanges")
    aside = _find_set_aside(people, ask)
    stored = {mark: sum(mark in text for text, _ in rows) for mark in people.said if mark not in aside}
    answers = {mark: people.answers(mark) for mark in people.said if mark not in aside}
    sources = Counter(indexed or ())
    wanted = [source for _, source in rows if source and indexed is not None]
    shown = people.telegram.chats.of()
    files = [one.file.content.decode() for one in shown if one.file is not None]
    held = Counter(mark[0] for text in files if (mark := MARK.search(text)) is not None)
    return Figures(
        kills=kills,
        messages=len(people.said),
        unanswered=sum(count == 0 for count in answers.values()),
        lost=lost(people, ask),
        double=sum(count > 1 for count in answers.values()),
        unknown=len(_unknown(ask)),
        refused=len(ask("SELECT id FROM deliveries WHERE state = 4")),
        unsettled=len(ask("SELECT id FROM deliveries WHERE state < 2")),
        offers=sum(_token(one) is not None for one in shown),
        not_offered=not_offered(people, ask),
        fragments=people.fragments() - len(aside),
        orphans=sum(one.file is None and not any(letter.isalnum() for letter in one.text) for one in shown),
        exchanges_missing=sum(count == 0 for count in stored.values()),
        exchanges_double=sum(count > 1 for count in stored.values()),
        documents_missing=sum(sources[source] == 0 for source in wanted),
        documents_double=sum(count > 1 for count in sources.values()),
        misordered=_misordered(people),
        seed=seed,
        set_aside=len(aside),
        files=len(files),
        files_double=sum(count > 1 for count in held.values()),
        files_torn=sum(map(_is_torn, files)),
        files_left=sum(count_left(ask, folder) for folder in folders),
        busiest_second=people.telegram.floods.busiest,
        busiest_minute=people.telegram.floods.busiest_group,
    )


def _is_torn(text: str) -> bool:
    mark = MARK.search(text)
    return mark is None or not text.endswith(f"{file_end(mark[0])}\n")


def count_left(ask: Ask, outgoing: Path) -> int:
    """Return how many files lie there that no reply needs."""
    needed = {path for (path,) in ask("SELECT file_path FROM deliveries WHERE file_path IS NOT NULL")}
    lying = {f"outgoing/{path.name}" for path in outgoing.iterdir()} if outgoing.is_dir() else set()
    return len(lying - needed)


def lost(people: SimulatedUsers, ask: Ask) -> int:
    """Return how many messages have no answer in their chat, nor an offer to see it."""
    offered = " ".join(text for _, _, text in _offered(people, ask))
    aside = _find_set_aside(people, ask)
    return sum(mark not in offered and mark not in aside for mark in people.unanswered())


def _find_set_aside(people: SimulatedUsers, ask: Ask) -> set[str]:
    """Return what the journal has given up, as far as chats were told of it."""
    marks = [MARK.search(bytes(payload).decode()) for (payload,) in ask("SELECT payload FROM journal WHERE state = 2")]
    told = sum(shown.text == _SET_ASIDE for shown in people.telegram.chats.of())
    return {mark[0] for mark in marks[:told] if mark is not None}


def not_offered(people: SimulatedUsers, ask: Ask) -> int:
    """Return how many replies of unknown fate no chat shows an offer of."""
    told = {doubt for _, doubt, _ in _offered(people, ask)}
    return sum(doubt not in told for doubt, _ in _unknown(ask))


def wanted_offers(people: SimulatedUsers, ask: Ask) -> list[tuple[Shown, str, int]]:
    """Return the newest offer of each answer that its chat does not show, with its button and who presses it."""
    silent = people.unanswered()
    newest: dict[int, tuple[Shown, str, int]] = {}
    for shown, doubt, text in _offered(people, ask):
        if mark := next((each for each in silent if each in text), None):
            newest[doubt] = (shown, str(_token(shown)), people.said[mark])
    return list(newest.values())


def _offered(people: SimulatedUsers, ask: Ask) -> list[tuple[Shown, int, str]]:
    """Return every offer that a chat shows: the message, its number, and a text that it offers."""
    buttons = [
        (token, json.loads(content)[0])
        for token, content in ask("SELECT token, content FROM tickets WHERE kind = 'button'")
    ]
    commands = {token: int(said.rpartition(" ")[2]) for token, said in buttons if str(said).startswith("/again ")}
    shown = [(one, commands.get(_token(one) or "")) for one in people.telegram.chats.of()]
    unknown = _unknown(ask)
    return [
        (one, number, text) for one, number in shown if number is not None for doubt, text in unknown if doubt == number
    ]


def _token(shown: Shown) -> str | None:
    return shown.keyboard["inline_keyboard"][0][0].get("callback_data") if shown.keyboard else None


def _unknown(ask: Ask) -> list[tuple[int, str]]:
    return ask("SELECT coalesce(doubt, 0), text FROM deliveries WHERE state = 3 AND offers IS NULL")


def _misordered(people: SimulatedUsers) -> int:
    """Return how many answers stand in their chat before the answer to an earlier message."""
    wrong = 0
    for user in set(people.said.values()):
        texts = [shown.text for shown in people.telegram.chats.of(people.topics.get(user, (user, 0))[0])]
        mine = [mark for mark, by in people.said.items() if by == user]
        places = [next((n for n, text in enumerate(texts) if mark in text), None) for mark in mine]
        shown = [place for place in places if place is not None]
        wrong += sum(later < earlier for earlier, later in itertools.pairwise(shown))
    return wrong


_IN_GROUP = 0.02
_SET_ASIDE: Final = get_user_texts("en").notice.poisoned
MARK = re.compile(r"QX(\d{5})Z")
"""What makes a message one of its kind."""


def file_end(mark: str) -> str:
    """Return the last words of an answer that is long enough for a file."""
    return f"So much for {mark}."


_FACTS = (
    "My locker number is {mark} and it is in the red building.",
    "My sister Vera has a parcel with the number {mark}.",
    "I parked the car in lot {mark} behind the old station.",
    "My booking code is {mark} for the ferry to Tallinn.",
)


@dataclass(slots=True)
class SimulatedUsers:
    """``ids`` of the users, ``most`` messages at most; ``said`` maps every mark to who said it, ``texts`` to what.

    Who ``topics`` names writes in that topic of that group instead, one message in fifty.
    """

    telegram: FakeTelegram
    ids: tuple[int, ...]
    dice: random.Random
    pause_s: float
    most: int
    texts: dict[str, str] = field(default_factory=dict)
    said: dict[str, int] = field(default_factory=dict)
    topics: dict[int, tuple[int, int]] = field(default_factory=dict)

    async def write(self) -> None:
        """Write until cancelled or tired, at random intervals of ``pause_s`` seconds on average."""
        while len(self.said) < self.most:
            await self.say()
            await asyncio.sleep(self.dice.expovariate(1 / self.pause_s))

    async def say(self) -> None:
        """Let somebody say something that was never said before."""
        mark = f"QX{len(self.said):05d}Z"
        in_group = bool(self.topics) and self.dice.random() < _IN_GROUP
        user = self.dice.choice(list(self.topics) if in_group else self.ids)
        self.said[mark] = user
        said = self.texts[mark] = self.dice.choice(_FACTS).format(mark=mark)
        if in_group:
            chat, topic = self.topics[user]
            await self.telegram.says(f"@{self.telegram.me['username']} {said}", user=user, chat=chat, topic=topic)
        else:
            await self.telegram.says(said, user=user)

    def answers(self, mark: str) -> int:
        """Return how many messages of the bot answer a mark in full, in any chat."""
        return sum(self.texts[mark][1:] in shown.text for shown in self.telegram.chats.of())

    def fragments(self) -> int:
        """Return how many messages are beginnings of an answer, neither whole nor an offer to see one again."""
        shown = [message.text for message in self.telegram.chats.of() if not (message.keyboard or message.file)]
        return sum(not any(text[1:] in one for text in self.texts.values()) for one in shown)

    def unanswered(self) -> list[str]:
        """Return the marks that no chat shows an answer to."""
        shown = " ".join(message.text for message in self.telegram.chats.of())
        return [mark for mark in self.said if mark not in shown]


@dataclass(frozen=True, slots=True)
class Facts:
    """``said``, ``shown`` and ``files`` are chats with texts, oldest first.

    ``documents`` are workspaces with sources and texts.
    """

    said: tuple[tuple[int, str], ...]
    shown: tuple[tuple[int, str], ...]
    documents: tuple[tuple[str, str, str], ...]
    files: tuple[tuple[int, str], ...] = ()


Recording = Callable[[Facts], None]


def unrecorded(_facts: Facts) -> None:
    """Keep nothing."""
