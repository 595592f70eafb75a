"""Sentences with their names marked, our own to train on and those of a data set, and what of those found is right."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.memory.names import Tagged

SENTENCES: Final = Path(__file__).parent / "sentences"
_MARK: Final = re.compile(r"\[(PER|LOC|ORG|MISC) ([^\]]*)\]")
_KINDS: Final = {"PER": "person", "LOC": "location", "ORG": "organization", "MISC": "artifact"}
_CLOSES: Final = frozenset(".,;:!?)]»”%") | {"'s", "’s"}
_OPENS: Final = frozenset("([«“„")
_QUOTES: Final = '"«»„“”'


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence and its names, in order."""

    text: str
    names: tuple[Tagged, ...]


def read_own() -> dict[str, list[Marked]]:
    """Return the sentences to train on by language: one per line, ``[PER Vera Lind]`` for a name."""
    return {
        path.stem: [_read_line(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        for path in sorted(SENTENCES.glob("*.txt"))
    }


def read_data(path: Path) -> dict[str, list[Marked]]:
    """Return sentences of a JSON file: ``{"en": [{"tokens": [...], "names": [{"kind": ..., "tokens": [...]}]}]}``."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return {language: [_join(each) for each in sentences] for language, sentences in data.items()}


def read_forms() -> dict[str, list[tuple[str, ...]]]:
    """Return the forms of names by language: ``en: Anna, Anna's``."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in (SENTENCES.parent / "forms.txt").read_text(encoding="utf-8").splitlines():
        language, _, forms = line.partition(": ")
        found.setdefault(language, []).append(tuple(forms.split(", ")))
    return found


def _read_line(line: str) -> Marked:
    text, names, end = "", [], 0
    for match in _MARK.finditer(line):
        text += line[end : match.start()]
        names.append(Tagged(len(text), len(text) + len(match[2]), _KINDS[match[1]]))
        text += match[2]
        end = match.end()
    return Marked(text + line[end:], tuple(names))


def _join(sentence: dict[str, Any]) -> Marked:
    """Return a sentence as it is written, from its tokens."""
    tokens: list[str] = sentence["tokens"]
    text, spans = "", list[tuple[int, int]]()
    quoted = glued = False
    for word in tokens:
        closes = word in _CLOSES or (word == '"' and quoted)
        text += "" if not text or glued or closes else " "
        glued = word in _OPENS or (word == '"' and not quoted)
        quoted ^= word == '"'
        spans.append((len(text), len(text) + len(word)))
        text += word
    return Marked(text, tuple(_strip(text, name) for name in _place(sentence["names"], tokens, spans)))


def _strip(text: str, name: Tagged) -> Tagged:
    """Return a name without the quotation marks around it: some are marked with them, most are not."""
    marked = text[name.start : name.end]
    left = len(marked) - len(marked.lstrip(_QUOTES))
    return Tagged(name.start + left, name.start + len(marked.rstrip(_QUOTES)), name.kind)


def _place(names: list[dict[str, Any]], tokens: list[str], spans: list[tuple[int, int]]) -> Iterator[Tagged]:
    at = 0
    for name in names:
        length = len(name["tokens"])
        at = next(place for place in range(at, len(tokens)) if tokens[place : place + length] == name["tokens"])
        yield Tagged(spans[at][0], spans[at + length - 1][1], _KINDS[name["kind"]])
        at += length


_OTHER: Final = "artifact"
"""Titles, events, languages: nobody asks for them here; found as something else they are errors."""

Counts = Counter[tuple[str, str]]
"""By what is counted, and the kind of name: "found", "marked", "right" (span and kind), "span" (that alone), "nothing".

The last are found where no name of any kind is marked: nouns, most often.
"""


def judge(found: Sequence[Tagged], marked: Sequence[Tagged]) -> Counts:
    """Judge the names found in a sentence: each is one of those marked in it, from its first letter to its last."""
    found = [name for name in found if name.kind != _OTHER]
    asked = [name for name in marked if name.kind != _OTHER]
    spans = {(name.start, name.end) for name in asked}
    counts: Counts = Counter(("marked", name.kind) for name in asked)
    for name in found:
        counts["found", name.kind] += 1
        counts["right", name.kind] += name in asked
        counts["span", name.kind] += (name.start, name.end) in spans
        counts["nothing", name.kind] += not any(name.start < each.end and each.start < name.end for each in marked)
    return counts


def compute_shares(counts: Counts) -> dict[str, float | dict[str, float]]:
    """Return the shares: together, where the kind does not matter, and by kind."""
    totals: Counter[str] = Counter()
    for (what, _), count in counts.items():
        totals[what] += count
    return {
        "precision": _share(totals["span"], totals["found"]),
        "recall": _share(totals["span"], totals["marked"]),
        "precision_with_kind": _share(totals["right"], totals["found"]),
        "recall_with_kind": _share(totals["right"], totals["marked"]),
        "no_name": _share(totals["nothing"], totals["found"]),
        **{
            kind: {
                "precision": _share(counts["right", kind], counts["found", kind]),
                "recall": _share(counts["right", kind], counts["marked", kind]),
            }
            for kind in sorted({kind for what, kind in counts if what == "marked"})
        },
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 0.0
