"""Questions to LightRAG: within a deadline, behind a circuit breaker, with a cache of answers.

A turn waits at most its deadline.  A server that does not answer is not asked by turns any more but probed in the
background, and what was just answered is not asked again.

The words that LightRAG should look for, and the answer of ``/query/data`` as memories of one scope.

LightRAG has no filter by chat, and a shared graph mixes what chats say about one name; so every result is checked again
here against the scope that asked, by the name of the document it comes from.

LightRAG asks a language model for a question's keywords unless the client sends them, and its ``/query/data`` answers
500 when that model finds none; so we always send our own, or use ``naive`` mode, which needs none.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Final

import structlog
from cachetools import LRUCache

from adapters.rag.transport import ServerNames, ServerReply, Transport, refuse_status
from bot.errors import MemoryUnavailable
from bot.memory.chunking import find_document_uid
from bot.memory.document import Source, parse_document, source_pattern
from bot.memory.items import Channel, DocumentPlace, Recalled, Trust
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.ports.rag import QueryMode, RagAnswer
from bot.retry import Backoff, Pauses
from language import languages, stop_words
from language.patterns import compile_at_use
from language.words import fold

_JOINT: Final = "<SEP>"
_NOTHING: Final = "[no-context]"
_SECTION: Final = compile_at_use(r"\s*\[Section: (?P<path>[^\]\n]{1,400})\]\s*")
_ASSISTANT_WEIGHT: Final = 0.5
"""What the assistant said is weaker evidence than what the user said."""


@dataclass(frozen=True, slots=True)
class QueryResults:
    """Memories, best first, and how many results were dropped because they name another scope."""

    found: tuple[Recalled, ...]
    foreign: int


@dataclass(frozen=True, slots=True)
class _Origin:
    """The documents a result comes from: the only one if it is one, and whether any belongs to somebody else."""

    single: Source | None
    foreign: bool


def map_results(scope: Scope, data: Mapping[str, object], names: ServerNames) -> QueryResults:
    """Map ``data`` of a successful answer; what has another shape than LightRAG documents is left out.

    Where several chats share a workspace, results of which a part has no proven origin are dropped, too.
    LightRAG gives no scores: rank n of each kind scores 1/(n+1), and the kinds are interleaved.
    """
    found: list[Recalled] = []
    foreign = 0
    for kind, mapped in (("chunks", _chunk), ("entities", _entity), ("relationships", _relation)):
        rank = 0
        for entry in _entries(data.get(kind)):
            origin = _origin(scope, _text(entry, "file_path"), names)
            if origin.foreign or (kind == "chunks" and _belongs_elsewhere(scope, _text(entry, "content"))):
                foreign += 1
                continue
            memories = [memory for memory in mapped(entry, origin.single, 1 / (1 + rank)) if _is_memory(memory)]
            found += memories
            rank += bool(memories)
    unique: dict[str, Recalled] = {}
    for memory in found:
        unique.setdefault(memory.key, memory)
    return QueryResults(tuple(sorted(unique.values(), key=lambda memory: -memory.score)), foreign)


def _chunk(entry: Mapping[str, object], source: Source | None, score: float) -> Iterator[Recalled]:
    """A chunk of an exchange is what the user said and what the assistant said, each a memory of its own."""
    text, name = _text(entry, "content"), _text(entry, "chunk_id") or _text(entry, "file_path")
    if source is not None and source.file:
        yield _of_file(text, f"chunk:{name}", source, score)
        return
    exchange, said_at, key = source.uid if source else "", source.said_at if source else None, f"chunk:{name}"
    parsed = parse_document(text)
    if parsed is None:
        yield _recalled(key, text, Channel.CHUNK, score, said_at, exchange)
        return
    if said_at is not None and parsed.said_at is not None:
        said_at = said_at.astimezone(parsed.said_at.tzinfo)
    said_at, exchange = said_at or parsed.said_at, exchange or parsed.uid
    user = _recalled(key, parsed.user_text, Channel.CHUNK, score, said_at, exchange, "user", parsed.author_name)
    yield replace(user, trust=Trust.USER, author_id=parsed.author_id)
    if (part := parsed.forwarded) is not None:
        forwarded = f"{key}:forwarded"
        passed = _recalled(forwarded, part.text, Channel.CHUNK, score, said_at, exchange, "forwarded", part.author)
        yield replace(passed, forwarder=parsed.author_name, forwarder_id=parsed.author_id)
    answered, weight = parsed.assistant_text, score * _ASSISTANT_WEIGHT
    answer = _recalled(f"{key}:assistant", answered, Channel.CHUNK, weight, said_at, exchange, "assistant")
    yield replace(answer, trust=parsed.answer_trust)


def _of_file(text: str, key: str, source: Source, score: float) -> Recalled:
    """A chunk of a document that was sent: nobody said it, whatever its lines look like."""
    section = _SECTION.match(text)
    headings = tuple(part.strip() for part in section["path"].split(" > ")) if section is not None else ()
    body = text[section.end() :] if section is not None else text
    place = DocumentPlace(find_document_uid(source.uid), "", headings)
    return replace(_recalled(key, body, Channel.CHUNK, score, source.said_at, ""), place=place)


def _entity(entry: Mapping[str, object], source: Source | None, score: float) -> Iterator[Recalled]:
    name, description = _text(entry, "entity_name"), _describe(entry)
    if name and description:
        text = description if name.casefold() in description.casefold() else f"{name}: {description}"
        yield _derived(f"entity:{name}", text, Channel.ENTITY, score, source)


def _relation(entry: Mapping[str, object], source: Source | None, score: float) -> Iterator[Recalled]:
    ends, description = (_text(entry, "src_id"), _text(entry, "tgt_id")), _describe(entry)
    if all(ends) and description:
        known = all(end.casefold() in description.casefold() for end in ends)
        text = description if known else f"{ends[0]} – {ends[1]}: {description}"
        yield _derived(f"relation:{ends[0]}|{ends[1]}", text, Channel.RELATION, score, source)


def _derived(key: str, text: str, channel: Channel, score: float, source: Source | None) -> Recalled:
    exchange = source.uid if source is not None and not source.file else ""
    return _recalled(key, text, channel, score, source.said_at if source else None, exchange)


def _recalled(
    key: str, text: str, channel: Channel, score: float, said_at: datetime | None, exchange: str, role: str = "",
    author: str = "",
) -> Recalled:  # fmt: skip
    signals = MappingProxyType({"rank": round(1 / score, 1)})
    found = Recalled(clean(key), clean(text).strip(), channel, score, said_at=said_at, signals=signals)
    return replace(found, author=author, role=role, exchange=exchange)


def _origin(scope: Scope, paths: str, names: ServerNames) -> _Origin:
    documents = [path.strip() for path in paths.split(_JOINT) if path.strip()]
    sources = [names.source(document) for document in documents]
    foreign = any(source is not None and source.tag != scope.tag for source in sources)
    unproven = names.shared() and (not sources or None in sources)
    return _Origin(sources[0] if len(set(documents)) == 1 else None, foreign or unproven)


def _belongs_elsewhere(scope: Scope, content: str) -> bool:
    parsed = parse_document(content)
    return parsed is not None and parsed.tag not in {"", scope.tag}


def _is_memory(memory: Recalled) -> bool:
    """LightRAG says "Sorry, I'm not able to … [no-context]" where it knows nothing: no memory of anything."""
    return bool(memory.text) and not memory.text.endswith(_NOTHING)


def _entries(value: object) -> Iterator[Mapping[str, object]]:
    if isinstance(value, list):
        yield from (entry for entry in value if isinstance(entry, dict))


def _text(entry: Mapping[str, object], key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""


def _describe(entry: Mapping[str, object]) -> str:
    parts = (part.strip() for part in _text(entry, "description").split(_JOINT))
    return "\n".join(dict.fromkeys(part for part in parts if part))


_WORD: Final = compile_at_use(r"[^\W_]+(?:[-'’./@:+#&][^\W_]+)*")
_STOP: Final = stop_words().union(*(each.vocabulary.asking_words for each in languages()))
_WIDE: Final = compile_at_use(
    "[\u1100-\u11ff\u2e80-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffee"
    "\U00016fe0-\U00016fff\U0001aff0-\U0001b2ff\U00020000-\U0003fffd]"
)
_MOST_LOW: Final = 24
_MOST_HIGH: Final = 8
_LONGEST: Final = 120
_SHORTEST_QUERY: Final = 3
_SHORTEST_NAME: Final = 3


@dataclass(frozen=True, slots=True)
class Keywords:
    """``low``: names, codes and content words, for entities; ``high``: the question's phrases, for relations."""

    low: tuple[str, ...]
    high: tuple[str, ...]


def searchable(question: str) -> bool:
    """Whether LightRAG takes the question: at least three characters, where East Asian ones count as two."""
    question = question.strip()
    return len(question) + len(_WIDE.findall(question[:_SHORTEST_QUERY])) >= _SHORTEST_QUERY and bool(question)


def keywords(question: str) -> Keywords | None:
    """Return what to look for, ``None`` when the question holds nothing but function words.

    Low-level keywords come in this order: runs of capitalised words (names of several words), codes, the other content
    words; so that a cut hits the least telling.  A high-level keyword is a run of content words.
    Limits are LightRAG's: 64 per list, 512 characters each; ours are lower.
    """
    runs: list[list[str]] = [[]]
    previous_end = 0
    for match in _WORD.finditer(question):
        if question[previous_end : match.start()].strip():
            runs.append([])
        previous_end = match.end()
        if _is_content(match.group(), starts=match.start() == len(question) - len(question.lstrip())):
            runs[-1].append(match.group()[:_LONGEST])
        else:
            runs.append([])
    runs = [run for run in runs if run]
    if not runs:
        return None
    words = [word for run in runs for word in run]
    names = [" ".join(name)[:_LONGEST] for run in runs for name in _names(run)]
    codes = [word for word in words if any(character.isdigit() for character in word)]
    phrases = [" ".join(words)[: 4 * _LONGEST], *(" ".join(run)[:_LONGEST] for run in runs if len(run) > 1)]
    return Keywords(_unique([*names, *codes, *words], _MOST_LOW), _unique(phrases, _MOST_HIGH))


def _is_content(word: str, *, starts: bool) -> bool:
    """A function word is one, unless it is written as a name ("Where does Will live?")."""
    if fold(word).replace("’", "'") in _STOP and (starts or len(word) < _SHORTEST_NAME or not word.istitle()):
        return False
    return len(word) > 1 or word.isdigit() or bool(_WIDE.match(word))


def _names(run: list[str]) -> list[list[str]]:
    names: list[list[str]] = [[]]
    for word in run:
        if word[0].isupper():
            names[-1].append(word)
        else:
            names.append([])
    return [name for name in names if len(name) > 1]


def _unique(words: list[str], most: int) -> tuple[str, ...]:
    return tuple({word.casefold(): word for word in reversed(words)}.values())[::-1][:most]


_LONGEST_QUESTION: Final = 16_000
"""Characters; more than the longest piece that a long message is cut into.  What is over it is not asked, and noted."""
_NOT_TO_ITS_LIKING: Final = frozenset({400, 413, 422})
_STARTING: Final = "long-term memory is starting"


@dataclass(frozen=True, slots=True)
class QuerySize:
    """How much is asked for: entities and relations (``top_k``), chunks (``chunk_top_k``); LightRAG's ranges 1..1000.

    ``relations=False`` leaves relations out.
    """

    top_k: int = 60
    chunk_top_k: int = 20
    relations: bool = True


class QueryRoute:
    """Implements ``RagPort.query``.

    ``names`` says whether the server keeps several chats in one workspace: then nothing without a proven origin is
    believed.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        size: Callable[[], QuerySize],
        names: ServerNames,
        cache: QueryCache,
        breaker: CircuitBreaker,
    ) -> None:
        self._transport, self._names, self._size = transport, names, size
        self._cache, self._breaker = cache, breaker
        self._probing: asyncio.Task[None] | None = None
        self._hurried = asyncio.Event()

    @property
    def asking(self) -> bool:
        """Whether a question would be sent now: there is an address and the breaker is closed."""
        return self._breaker.closed and self._transport.has_address

    def hurry(self) -> None:
        """Probe at once instead of after the breaker's pause."""
        self._hurried.set()

    async def close(self) -> None:
        if self._probing is not None:
            self._probing.cancel()
            await asyncio.gather(self._probing, return_exceptions=True)

    async def ask(
        self, scope: Scope, question: str, mode: QueryMode, *, deadline_s: float, documents_only: bool = False
    ) -> RagAnswer:
        whole = clean(question).strip()
        question = whole[:_LONGEST_QUESTION]
        if not searchable(question) or deadline_s <= 0:
            return RagAnswer()
        size = self._size()
        key = self._cache.key(scope, mode, question, size, documents_only)
        if (known := self._answer_without_asking(key)) is not None:
            return known
        log = structlog.get_logger()
        try:
            asked = _body(question, mode, size)
            if documents_only:  # LightRAG's own server takes no notice of it
                asked["file_sources_unlike"] = self._names.document(source_pattern(scope.tag))
            answer = await self._send(scope, asked, size, deadline_s)
        except MemoryUnavailable as error:
            log.warning("rag query failed", cause=str(error), scope=scope.tag)
            if self._breaker.failed(str(error)):
                log.warning("rag queries paused", cause=str(error))
                self._hurried.clear()
                self._probing = asyncio.create_task(self._probe(scope, deadline_s))
            return RagAnswer(note=str(error))
        self._breaker.succeeded()
        if answer.note:
            log.warning("rag query failed", cause=answer.note, scope=scope.tag)
            return answer
        if len(question) < len(whole):
            answer = replace(answer, note=f"asked of long-term memory: {len(question)} of {len(whole)} characters")
        self._cache.put(key, answer)
        event = f"rag query: {answer.chars} characters retrieved"
        log.info(event, scope=scope.tag, chars=answer.chars, found=len(answer.found))
        return answer

    def _answer_without_asking(self, key: CacheKey) -> RagAnswer | None:
        if (cached := self._cache.get(key)) is not None:
            return cached
        if not self._transport.has_address:
            return RagAnswer(note=_STARTING)
        if not self._breaker.closed:
            return RagAnswer(note=f"{self._breaker.cause} (not asked again until it recovers)")
        return None

    async def _send(self, scope: Scope, asked: Mapping[str, object], size: QuerySize, deadline_s: float) -> RagAnswer:
        reply = await self._transport.call("POST", "/query/data", scope, deadline_s=deadline_s, json=asked)
        if reply.status in _NOT_TO_ITS_LIKING:
            return RagAnswer(note=f"long-term memory refuses the question: HTTP {reply.status}")
        data = _data(reply)
        if not size.relations:
            data = {kind: entries for kind, entries in data.items() if kind != "relationships"}
        mapped = map_results(scope, data, self._names)
        if mapped.foreign:
            structlog.get_logger().error("rag query: foreign results dropped", scope=scope.tag, count=mapped.foreign)
        return RagAnswer(mapped.found, chars=sum(len(memory.text) for memory in mapped.found))

    async def _probe(self, scope: Scope, deadline_s: float) -> None:
        """Ask a harmless question in the background until it is answered in the time that a turn would give it."""
        while not self._breaker.closed:
            with suppress(TimeoutError):  # not wait_for: in Python 3.11 it can swallow a cancellation
                async with asyncio.timeout(self._breaker.pause_s()):
                    await self._hurried.wait()
            self._hurried.clear()
            asked = {"query": "probe", "mode": QueryMode.NAIVE.value, "chunk_top_k": 1, "enable_rerank": False}
            try:
                _data(await self._transport.call("POST", "/query/data", scope, deadline_s=deadline_s, json=asked))
            except MemoryUnavailable as error:
                self._breaker.cause = str(error)
                continue
            self._breaker.close()
            structlog.get_logger().info("rag queries resumed")


def _body(question: str, mode: QueryMode, size: QuerySize) -> dict[str, object]:
    """Return the body of a question; what holds nothing but function words is asked in ``naive`` mode."""
    words = keywords(question)
    body: dict[str, object] = {
        "query": question,
        "mode": (mode if words else QueryMode.NAIVE).value,
        "top_k": size.top_k,
        "chunk_top_k": size.chunk_top_k,
        "enable_rerank": False,  # a server without a reranker logs a warning at every query
    }
    return body | {"ll_keywords": words.low, "hl_keywords": words.high} if words else body


def _data(reply: ServerReply) -> Mapping[str, object]:
    """Return the ``data`` of an answer; "nothing found" is a success with empty data."""
    if reply.status == 200 and isinstance(reply.body, dict):  # noqa: PLR2004 - HTTP's "OK"
        data = reply.body.get("data")
        if isinstance(data, dict) and reply.body.get("status") in {"success", "failure"}:
            return data
    raise refuse_status(reply)


_IN_A_ROW: Final = 5
_WINDOW: Final = 20
_PROBING: Final = Backoff(10.0, 120.0, jitter=0.2)


class CircuitBreaker:
    """Says whether a server may be asked; after M. Nygard, "Release It!", chapter 5.

    Open after 5 failures in a row or when half of the last 20 calls failed; closed again by a good probe.
    """

    def __init__(self, dice: random.Random | None = None) -> None:
        self._pauses = Pauses(_PROBING, dice)
        self._calls: deque[bool] = deque(maxlen=_WINDOW)
        self._in_a_row = 0
        self.cause = ""
        """Why the last call failed; "" while closed."""
        self.closed = True

    def succeeded(self) -> None:
        """Count a good call; one that began before the breaker opened does not close it."""
        self._calls.append(True)
        self._in_a_row = 0

    def failed(self, cause: str) -> bool:
        """Count a failed call; ``True`` when this one opened the breaker."""
        self._calls.append(False)
        self._in_a_row += 1
        if not self.closed:
            return False
        if self._in_a_row < _IN_A_ROW and 2 * self._calls.count(False) < _WINDOW:
            return False
        self.closed = False
        self.cause = cause
        self._pauses.reset()
        return True

    def pause_s(self) -> float:
        """Return how long to wait before the next probe: 10 s doubling to 120 s, less up to a fifth at random."""
        return self._pauses.next_s()

    def close(self) -> None:
        """A probe was answered: start again with a clean record."""
        self._calls.clear()
        self._in_a_row = 0
        self._pauses.reset()
        self.cause = ""
        self.closed = True


_MOST_EPOCHS: Final = 10_000


CacheKey = tuple[Scope, int, Hashable]
"""A scope, the epoch of its memory, and what was asked."""


class QueryCache:
    """At most ``size`` answers, each for ``ttl_s()`` seconds of ``monotonic``, 0 for none; the longest unused goes.

    Whatever a scope forgets or learns starts a new epoch of it; an answer that was asked for in an old one is never
    found again, also when it arrives late.
    """

    def __init__(self, size: int, ttl_s: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self._ttl_s = ttl_s
        self._monotonic = monotonic
        self._answers: LRUCache[CacheKey, tuple[float, RagAnswer]] = LRUCache(size)
        self._epochs: LRUCache[Scope, int] = LRUCache(_MOST_EPOCHS)
        self._newest = 0

    def key(self, scope: Scope, *asked: Hashable) -> CacheKey:
        """Return the key of a question asked now; take it before the question goes out."""
        return scope, self._epochs.get(scope, 0), asked

    def get(self, key: CacheKey) -> RagAnswer | None:
        """Return the answer if it is known and fresh."""
        entry = self._answers.get(key)
        if entry is None:
            return None
        if self._monotonic() - entry[0] >= self._ttl_s():
            del self._answers[key]
            return None
        return entry[1]

    def put(self, key: CacheKey, answer: RagAnswer) -> None:
        """Keep an answer, unless its epoch is over."""
        scope, epoch, _ = key
        if epoch == self._epochs.get(scope, 0) and self._ttl_s():
            self._answers[key] = (self._monotonic(), answer)

    def forget(self, scope: Scope) -> None:
        """Drop everything of a scope and start its next epoch."""
        self._newest += 1
        self._epochs[scope] = self._newest
        for key in [key for key in self._answers if key[0] == scope]:
            del self._answers[key]
