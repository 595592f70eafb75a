"""Counts what stands in a request to a language model: what is new in it, its memory, repeats and evidence.

Everything is read from the request as it was sent, so that the figures hold whatever builds the prompt.  Texts are
compared by their words in order, without case, punctuation and line ends: escaping and shortening do not hide them.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from language.sentences import split_sentences
from language.tokens import count_tokens

Json = Any  # a request as it was sent

HEADINGS: Final = ("# Memory", "# Relevant Memory")
"""Sections that are memory even where nothing is fenced in them."""
LEAST_WORDS: Final = 5
"""Shorter sentences recur in every talk and say nothing: "Thank you very much."."""
SHINGLE: Final = 8
"""Consecutive words by which a turn is recognised."""
_SHORT: Final = 3
_WORDS: Final = re.compile(r"\w+")
_SECTION: Final = re.compile(r"^(?=# )", re.MULTILINE)
_FENCED: Final = re.compile(r"^<<<(\w+) (\w+)\n(.*?)^\1 \2>>>$", re.MULTILINE | re.DOTALL)
_CLOCK: Final = re.compile(r"Now: .*\n\n")
_UNFENCED: Final = re.compile(rf"\n*(?:{'|'.join(HEADINGS)})\n(?:.+\n)+\n")
_APART: Final = frozenset({"wishes", "summary"})
"""Labels of fences behind which stands no memory of the newest message."""
_HEAD: Final = re.compile(r"- (?:\[[^\]\n]*\] ?)?")
_LINE_MARK: Final = " / "
"""What a line end inside a memory is shown as."""
_JOINT: Final = " • "
"""Stands between memories that share a head."""


def serialise(body: Json) -> str:
    """Return a request as a server reads it: what leads as ``system``, the tools, the other messages in order."""
    messages = body["messages"]
    first = next((place for place, each in enumerate(messages) if each["role"] != "system"), len(messages))
    tools = [json.dumps(tool, ensure_ascii=False) for tool in body.get("tools", ())]
    return "\n".join((*map(_written, messages[:first]), *tools, *map(_written, messages[first:])))


def _written(message: Json) -> str:
    calls = message.get("tool_calls")
    tail = json.dumps(calls, ensure_ascii=False) if calls else ""
    return f"<|{message['role']}|>\n{message.get('content') or ''}{tail}"


@dataclass(frozen=True, slots=True)
class Prefix:
    """What of a request is the same as the one before, from its first character on."""

    tokens: int
    whole_tokens: int

    @property
    def new_tokens(self) -> int:
        """Tokens that a cache cannot take from the request before."""
        return self.whole_tokens - self.tokens


def compare_prefix(before: str, now: str) -> Prefix:
    """Return the common prefix of two serialised requests; ``before`` is "" for the first of a session."""
    same, most = 0, min(len(before), len(now))
    while same < most:
        middle = (same + most + 1) // 2
        if before[same:middle] == now[same:middle]:
            same = middle
        else:
            most = middle - 1
    return Prefix(count_tokens(now[:same]), count_tokens(now))


@dataclass(frozen=True, slots=True)
class MemoryShown:
    """Sections of a request with all that stands in them, and the entries' texts without heads."""

    sections: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """What the sections cost: headings, notices and fences included."""
        return sum(map(count_tokens, self.sections))

    @property
    def by_section(self) -> dict[str, int]:
        """The same for each heading; "" for what stands under none."""
        costs: Counter[str] = Counter()
        for section in self.sections:
            costs[section.partition("\n")[0].lstrip("# ") if section.startswith("# ") else ""] += count_tokens(section)
        return dict(costs)


@dataclass(frozen=True, slots=True)
class Layout:
    """A request, taken apart by what each piece is for.

    ``front`` is what leads as ``system``, without wishes and memory, and the tools.  ``wishes`` hold for every message
    and are no memory of this one; ``summary`` stands for the conversation's older part, ``history`` for the rest of it;
    ``memory`` is what was found for the newest message, ``context`` what else is told for it alone, such as the time.
    """

    front: tuple[str, ...]
    wishes: MemoryShown
    summary: MemoryShown
    history: tuple[str, ...]
    memory: MemoryShown
    context: tuple[str, ...]

    def count(self) -> dict[str, int]:
        """Return the tokens of each kind of piece."""
        texts = {
            "front": self.front,
            "wishes": self.wishes.sections,
            "summary": self.summary.sections,
            "history": self.history,
            "memory": self.memory.sections,
            "context": self.context,
        }
        return {name: sum(map(count_tokens, pieces)) for name, pieces in texts.items()}


def take_apart(body: Json) -> Layout:
    """Return what a request is made of.

    A section of a system message reaches from one heading to the next, of a user's to the end of its last fence: what
    follows there is the user's own.  The label of its fence says what a section is; without a fence it is memory if
    :data:`HEADINGS` name it.  Answers hold none.
    """
    messages = body["messages"]
    first = next((place for place, each in enumerate(messages) if each["role"] != "system"), len(messages))
    pieces: dict[str, list[str]] = {"front": [json.dumps(tool, ensure_ascii=False) for tool in body.get("tools", ())]}
    for place, message in enumerate(messages):
        text = message.get("content") or ""
        if message["role"] == "system":
            found = _split_system(text, "front" if place < first else "context")
        else:
            found = _split_spoken(text) if message["role"] == "user" else [("history", text)]
        for kind, piece in found:
            kept = "newest" if kind == "history" and place == len(messages) - 1 else kind
            if piece.strip():
                pieces.setdefault(kept, []).append(piece)
    return Layout(
        tuple(pieces["front"]),
        _show(pieces.get("wishes", ())),
        _show(pieces.get("summary", ())),
        tuple(pieces.get("history", ())),
        _show(pieces.get("memory", ())),
        tuple(pieces.get("context", ())),
    )


def _split_system(text: str, otherwise: str) -> list[tuple[str, str]]:
    return [(_find_kind(section) or otherwise, section) for section in _SECTION.split(text)]


def _split_spoken(text: str) -> list[tuple[str, str]]:
    """Return the pieces of a user's message: sections up to its last fence, and the user's own words behind it."""
    blocks = list(_FENCED.finditer(text))
    end = blocks[-1].end() if blocks else 0
    if (clock := _CLOCK.match(text)) is not None and all(block[1] in _APART for block in blocks):
        end = max(end, clock.end())
        nothing = _UNFENCED.match(text, end)
        end = nothing.end() if nothing is not None else end
    told = [(_find_kind(section) or "context", section) for section in _SECTION.split(text[:end])]
    return [*told, ("history", text[end:].lstrip())]


def _find_kind(section: str) -> str:
    """Return what a section is by its fence or its heading, "" for neither."""
    fenced = _FENCED.search(section)
    if fenced is not None:
        return fenced[1] if fenced[1] in _APART else "memory"
    return "memory" if section.startswith(tuple(f"{heading}\n" for heading in HEADINGS)) else ""


def _show(sections: Iterable[str]) -> MemoryShown:
    kept = tuple(sections)
    blocks = (block for section in kept for block in _FENCED.finditer(section))
    written = (line for block in blocks for line in block[3].splitlines())
    entries = (_HEAD.sub("", line, count=1) for line in written if line.startswith("- "))
    return MemoryShown(kept, tuple(said for entry in entries for said in entry.split(_JOINT)))


def normalise(text: str) -> tuple[str, ...]:
    """Return the words of a text in order, in small letters."""
    return tuple(_WORDS.findall(text.casefold()))


def count_repeats(memory: Iterable[str], history: Iterable[str]) -> int:
    """Return how many sentences of memory stand in the prompt already, in the history or earlier in memory.

    Sentences are the same that have the same words in the same order; those under :data:`LEAST_WORDS` words are left
    out.  What people repeat within the history is theirs.
    """
    known = {sentence for text in history for sentence in _sentences(text)}
    counts = Counter(sentence for text in memory for sentence in _sentences(text.replace(_LINE_MARK, "\n")))
    return sum(count if sentence in known else count - 1 for sentence, count in counts.items())


def _sentences(text: str) -> list[tuple[str, ...]]:
    found = (normalise(sentence) for sentence in split_sentences(text))
    return [words for words in found if len(words) >= LEAST_WORDS]


class TurnFinder:
    """Recognises the turns of a conversation in a text.

    A turn stands there if :data:`SHINGLE` consecutive words of it do that no other turn holds; a shorter turn, if it
    is a line by itself.  A shorter line is the turn that holds its words, at least three and nowhere else.
    """

    def __init__(self, turns: Mapping[str, str]) -> None:
        self._whole: dict[tuple[str, ...], set[str]] = {}
        self._shingles: dict[tuple[str, ...], str] = {}
        self._texts: dict[str, str] = {}
        for name, text in turns.items():
            words = normalise(text)
            self._whole.setdefault(words, set()).add(name)
            self._texts[name] = f" {' '.join(words)} "
            for shingle in set(_cut_shingles(words)):
                self._shingles[shingle] = name if self._shingles.get(shingle, name) == name else ""

    def find(self, text: str) -> frozenset[str]:
        """Return the names of the turns of which something stands in ``text``."""
        pieces = {normalise(piece) for line in (text, *text.splitlines()) for piece in (line, *line.split(_LINE_MARK))}
        found = {name for words in pieces for name in self._whole.get(words, ())}
        found |= {self._shingles.get(shingle, "") for shingle in _cut_shingles(normalise(text))}
        words = normalise(text)
        if not found and _SHORT <= len(words) < SHINGLE:
            holding = [name for name, held in self._texts.items() if f" {' '.join(words)} " in held]
            found |= set(holding) if len(holding) == 1 else set()
        return frozenset(found - {""})

    def find_any(self, texts: Iterable[str]) -> frozenset[str]:
        """Return the turns of which something stands in one of the texts."""
        return frozenset().union(*map(self.find, texts))


def _cut_shingles(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [words[place : place + SHINGLE] for place in range(len(words) - SHINGLE + 1)]
