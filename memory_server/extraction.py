"""A chunk in, entities and relations out: deterministic, a few milliseconds, no model.

An exchange is rendered as ``Ref: … / Date: … / Skill: … / User (Anna): … / Forwarded (from Eve): … / Assistant: …``,
of two Annas as ``User 7 (Anna)``; any other text is one voice without a name.
Each sentence becomes a quotation that stands on its own: speaker, date, words.
An entity is worth keeping for what it is (a name or a code more than a noun phrase), for how often it comes and for who
said it (the user's words before the assistant's).  Relations join neighbours in one sentence, named by the words
between them, and the speaker with what they say of themselves.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise

from language import languages, stop_words
from language.analyser import Stemmer
from language.sentences import split_sentences as split
from language.spans import Span, fold, is_stop, spans

MOST_ENTITIES, MOST_RELATIONS, MOST_SENTENCES = 12, 10, 60
LONGEST_NAME = 80
WORTH = {
    "person": 4.0,
    "name": 4.0,
    "location": 4.0,
    "organization": 4.0,
    "artifact": 3.5,
    "code": 3.5,
    "email": 3.5,
    "phone": 3.5,
    "url": 3.0,
    "date": 2.5,
    "quote": 2.5,
    "time": 2.0,
    "number": 1.5,
    "concept": 1.0,
}


_FIRST_PERSON = frozenset[str]().union(*(each.persons.first_person for each in languages()))
_EMPTY = stop_words()


class NameStems:
    """Keys of names: what the forms of one name have in common.  Safe in any thread."""

    def __init__(self) -> None:
        self._choose_stemmer = Stemmer()

    def key(self, name: str) -> str:
        """Return what two forms of a name have in common."""
        return " ".join(self._choose_stemmer.stem_name(word) for word in fold(name).split())


@dataclass(frozen=True, slots=True)
class Entity:
    """Something a chunk mentions: ``key`` is equal for forms of one name, ``i`` the sentence that mentions it first."""

    name: str
    key: str
    kind: str
    i: int


@dataclass(frozen=True, slots=True)
class Relation:
    """Two entities of one sentence, by key, and the words that join them, comma-separated."""

    source: str
    target: str
    keywords: str
    i: int


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a chunk holds: quotations by number, entities best first, relations."""

    texts: dict[int, str]
    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]


class Extractor:
    """Finds entities and relations; one instance may serve several threads."""

    def __init__(self) -> None:
        self._stems = NameStems()

    def extract(self, text: str) -> Extraction:
        """Return what ``text`` (one chunk) mentions."""
        said = sentences(text)[:MOST_SENTENCES]
        found = [spans(sentence.text) for sentence in said]
        entities = self._entities(said, found)
        kept = {entity.key for entity in entities}
        relations = self._relations(said, found, kept)
        used = {entity.i for entity in entities} | {relation.i for relation in relations}
        return Extraction({i: said[i].quoted for i in sorted(used)}, entities, relations)

    def keywords(self, question: str) -> tuple[list[str], list[str]]:
        """Return the names a question mentions (low level) and what it is about (high level)."""
        found = [span for sentence in sentences(question) for span in spans(sentence.text)]
        low = [span.name for span in found]
        high = [span.name for span in found if span.kind == "concept"] or low
        rest = [word for word in question.split() if not is_stop(fold(word.strip(".,?!")))]
        return low or rest or [question], high or rest or [question]

    def _entities(self, said: list[Sentence], found: list[list[Span]]) -> tuple[Entity, ...]:
        first: dict[str, Entity] = {}
        worth: dict[str, float] = defaultdict(float)
        for i, sentence in enumerate(said):
            if sentence.speaker not in {"", "User", "Assistant"} and not sentence.speaker.startswith(_PASSED_ON):
                key = self._stems.key(sentence.speaker)
                first.setdefault(key, Entity(sentence.speaker, key, "person", i))
                first[key] = replace(first[key], kind="person")
                worth[key] += 10
            share = 0.5 if sentence.speaker == "Assistant" else 1.0
            for span in found[i]:
                key = self._stems.key(span.name)
                if not key or len(span.name) > LONGEST_NAME:
                    continue
                known = first.setdefault(key, Entity(span.name, key, span.kind, i))
                if known.kind in {"name", "concept"} and WORTH[span.kind] >= WORTH[known.kind]:
                    first[key] = replace(known, kind=span.kind)
                size = 1 + 0.25 * span.name.count(" ")
                worth[key] = max(worth[key], WORTH[span.kind] * share * size) + 0.2 * share
        ranked = sorted(first.values(), key=lambda entity: (-worth[entity.key], entity.i, entity.key))
        return tuple(ranked[:MOST_ENTITIES])

    def _relations(self, said: list[Sentence], found: list[list[Span]], kept: set[str]) -> tuple[Relation, ...]:
        made: dict[tuple[str, str], Relation] = {}
        for i, sentence in enumerate(said):
            here = [(self._stems.key(span.name), span) for span in found[i]]
            here = [(key, span) for key, span in here if key in kept]
            speaker = self._stems.key(sentence.speaker)
            if speaker in kept and _of_themselves(sentence.text):
                for key, span in here[:3]:
                    _add(made, speaker, key, _joining(sentence.text, 0, span.start), i)
            for (one, left), (other, right) in pairwise(here):
                _add(made, one, other, _joining(sentence.text, left.end, right.start), i)
        return tuple(list(made.values())[:MOST_RELATIONS])


def _add(made: dict[tuple[str, str], Relation], source: str, target: str, keywords: str, i: int) -> None:
    a, b = sorted((source, target))
    if a != b and (a, b) not in made:
        made[a, b] = Relation(source, target, keywords, i)


def _of_themselves(text: str) -> bool:
    return any(fold(word.strip('.,!?;:()"«»')) in _FIRST_PERSON for word in text.split())


def _joining(text: str, start: int, end: int) -> str:
    """Return up to three words of a gap that carry meaning, comma-separated; most of them are verbs."""
    gap = [fold(word.strip('.,!?;:()"«»—-')) for word in text[start:end].split()]
    telling = [word for word in gap if len(word) > 2 and word not in _FIRST_PERSON and word not in _EMPTY]  # noqa: PLR2004 - "in", "of"
    return ",".join(dict.fromkeys(telling[:3])) or "mentioned together"


LONGEST = 280
"""Characters of a quotation; what is longer is cut at a word."""

_HEADER = re.compile(r"^(Ref|Date|Skill): (.*)$")
_VOICE = re.compile(
    r"^(?:User(?: (?P<id>-?\d{1,20}))?(?: \((?P<name>[^)\n]{0,80})\))?|Forwarded \((?P<origin>from [^)\n]{0,80})\)"
    r"|(?P<assistant>Assistant)(?: \(after reading outside text\))?): ?"
)
_PASSED_ON = "Forwarded "
_ROLES = ("Assistant", "User", _PASSED_ON)
_REFERENCE = re.compile(r"\ARef: .*\n")
_SPEAKER = re.compile(r"^([^:\n]{1,100}:) (?=\S)", re.MULTILINE)
_LIST_MARK = re.compile(r"^\s*(?:[-*•>#]+|\d{1,2}[.)])\s+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence.  ``speaker`` is a name, "Assistant" or "" when nobody is named; ``date`` as the document has it."""

    text: str
    speaker: str
    date: str

    @property
    def quoted(self) -> str:
        """The sentence with who said it and when."""
        text = self.text if len(self.text) <= LONGEST else self.text[:LONGEST].rsplit(" ", 1)[0] + "…"
        if not self.speaker:
            return text
        return f"{self.speaker} ({self.date}): {text}" if self.date else f"{self.speaker}: {text}"


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of a document in order."""
    date, speaker = "", ""
    found: list[Sentence] = []
    body: list[str] = []

    def finish() -> None:
        found.extend(Sentence(part, speaker, date) for part in _split("\n".join(body)))
        body.clear()

    fenced, headed = False, True
    for line in text.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            continue
        if headed and (header := _HEADER.match(line)):
            date = header[2][:10] if header[1] == "Date" else date
            continue
        voice = _VOICE.match(line)
        if voice and not fenced:
            finish()
            headed = False
            speaker = _name_speaker(voice)
        said = line[voice.end() :] if voice and not fenced else line
        if said.strip():
            body.append(said)
    finish()
    return found


def _name_speaker(voice: re.Match[str]) -> str:
    """Return who a label says speaks: a name that reads like a role is in quotation marks."""
    if voice["origin"]:
        return f"{_PASSED_ON}{voice['origin']}"
    if not voice["name"]:
        return voice["assistant"] or "User"
    name = f"{voice['name']} #{voice['id']}" if voice["id"] else voice["name"]
    return f"“{name}”" if name.startswith(_ROLES) else name


def by_line(text: str) -> str:
    """Return a text to embed: a sentence on each line, who speaks on the line before, and no reference.

    A model that reads line by line then has a sentence once for a chunk and all that it is about.
    """
    return _SPEAKER.sub(r"\1\n", "\n".join(split(_REFERENCE.sub("", text))))


def _split(text: str) -> list[str]:
    stripped = (_LIST_MARK.sub("", part).strip() for part in split(text))
    return [part for part in stripped if part]
