"""The words that LightRAG should look for, and the answer of ``/query/data`` as memories of one scope.

LightRAG has no filter by chat, and a shared graph mixes what chats say about one name; so every result is checked again
here against the scope that asked, by the name of the document it comes from.

LightRAG asks a language model for a question's keywords unless the client sends them, and its ``/query/data`` answers
500 when that model finds none; so we always send our own, or use ``naive`` mode, which needs none.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Final

from adapters.rag.transport import ServerNames
from bot.memory.chunking import find_document_uid
from bot.memory.document import Source, parse_document
from bot.memory.items import Channel, DocumentPlace, Recalled, Trust
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
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
    name, description = _text(entry, "entity_name"), _join_parts(entry, "description")
    if name and description:
        text = description if name.casefold() in description.casefold() else f"{name}: {description}"
        yield _derived(f"entity:{name}", text, Channel.ENTITY, score, source)


def _relation(entry: Mapping[str, object], source: Source | None, score: float) -> Iterator[Recalled]:
    ends, description = (_text(entry, "src_id"), _text(entry, "tgt_id")), _join_parts(entry, "description")
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


def _join_parts(entry: Mapping[str, object], key: str) -> str:
    parts = (part.strip() for part in _text(entry, key).split(_JOINT))
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
