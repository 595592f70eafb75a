"""Cut documents into chunks: along their headings, or with the strategy that a document asks for.

A chunk that starts in the middle of a section has lost what it is about; each chunk therefore carries its headings as
``[Section: H1 > H2]``.  Documents without headings go to LightRAG's own chunker.

``semantic_vector`` is Greg Kamradt's method, as in LangChain's SemanticChunker, which LightRAG calls and which is not
installed here: every sentence is embedded together with its neighbours, and a cut is made where the distance to the
next one is unusually large.  https://python.langchain.com/docs/how_to/semantic-chunker/

The tokenizer needs no vocabulary file; LightRAG's default downloads one from the internet at first use.  Budgets need a
stable estimate, not a model's exact tokens: pieces of at most six letters come within some ten per cent of GPT's counts
for English and above them for Russian.  A token is the piece itself: LightRAG counts them all the time, and numbers
would cost half of a query.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from lightrag.chunker import chunking_by_fixed_token
from lightrag.chunker.recursive_character import _split_text_with_spans, normalize_r_separators
from lightrag.constants import DEFAULT_SENTENCE_SPLIT_REGEX
from lightrag.utils import Tokenizer

from memory_server.errors import DocumentRejected
from memory_server.options import Chunker, Embedder

VERSION = "headings-2"
"""Stored with a document; another version means that its chunks were cut, or read, differently."""

DEEPEST, SMALLEST, SMALL_START = 3, 16, 32
"""Headings below level 3 stay in the body; sections under 16 tokens join the previous chunk, what stands before the
first heading (a file's front matter, a badge) the first section if it is under 32."""

_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]++(.+)$")
_CLOSING = re.compile(r"(?<=[ \t])#+\Z")
"""What may stand after a heading's title and is no part of it."""
_FENCE = re.compile(r"^([ \t]*)(?:[-*+>][ \t]+|\d{1,9}[.)][ \t]+)*(`{3,}|~{3,})")
"""At any depth: inside a list a fence is indented, and outside of one it is meant as a fence too."""
_SHALLOW = 4
"""A fence indented less than this holds to the end of the text if it is not closed; a deeper one is then none."""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MARKERS = re.compile(r"<SEP>|<\|#\|>|<\|COMPLETE\|>")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document: its final text, prefix included, and the tokens of that text."""

    content: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Chunk size and overlap, in tokens."""

    size: int = 1200
    overlap: int = 100


@dataclass(frozen=True, slots=True)
class _Section:
    path: tuple[str, ...]
    body: str


def clean(text: str) -> str:
    """Return a text that every store can hold: no lone surrogates, control characters or LightRAG's own markers."""
    plain = text.encode("utf-8", "replace").decode()
    return _MARKERS.sub(" ", _CONTROL.sub("", plain)).strip()


def cut_by_headings(text: str, limits: Limits) -> list[Chunk]:
    """Return the chunks of a Markdown document, in order."""
    sections = _sections(text)
    if not any(section.path for section in sections):
        return cut_by_tokens(text, limits)
    if len(sections) > 1 and not sections[0].path and count(sections[0].body) < SMALL_START:
        start, first, *others = sections
        sections = [replace(first, body=f"{start.body}\n\n{first.body}".strip()), *others]
    merged: list[_Section] = []
    for section, after in zip(sections, [*sections[1:], _Section((), "")], strict=True):
        if not section.body and after.path[: len(section.path)] == section.path:
            continue  # a heading above other headings: it stands in their prefixes
        if merged and count(section.body) < SMALLEST:
            merged[-1] = _joined(merged[-1], section)
        elif section.body or section.path:
            merged.append(section)
    return [chunk for section in merged for chunk in _windows(section, limits)]


def cut_by_tokens(text: str, limits: Limits, **options: Any) -> list[Chunk]:  # Any: LightRAG's
    """Return the chunks of LightRAG's fixed-token chunker."""
    rows = chunking_by_fixed_token(tokenizer(), text, limits.size, chunk_overlap_token_size=limits.overlap, **options)
    return [Chunk(row["content"], count(row["content"])) for row in rows]


def _sections(text: str) -> list[_Section]:
    found: list[_Section] = []
    stack: list[tuple[int, str]] = []
    body: list[str] = []
    path: tuple[str, ...] = ()
    lines = text.splitlines()
    for line, fenced in zip(lines, _fenced(lines), strict=True):
        heading = None if fenced else _HEADING.match(line)
        if heading is None or len(heading[1]) > DEEPEST:
            body.append(line)
            continue
        found.append(_Section(path, "\n".join(body).strip()))
        body = []
        title = _CLOSING.sub("", heading[2].strip()).strip()
        stack = [entry for entry in stack if entry[0] < len(heading[1])] + [(len(heading[1]), title)]
        path = tuple(title for _, title in stack)
    found.append(_Section(path, "\n".join(body).strip()))
    return [section for section in found if section.path or section.body]


def _fenced(lines: list[str]) -> list[bool]:
    """Return for every line whether it belongs to a fenced block, its fences included."""
    marks = [_FENCE.match(line) for line in lines]
    bare = [mark is not None and not line.strip().strip(mark[2][0]) for line, mark in zip(lines, marks, strict=True)]
    closers = _longest_after(marks, bare)
    found: list[bool] = []
    fence = ""
    for mark, closes, after in zip(marks, bare, closers, strict=True):
        if fence:
            found.append(True)
            fence = "" if mark and closes and mark[2].startswith(fence) else fence
            continue
        opens = mark is not None and (len(mark[1].expandtabs(4)) < _SHALLOW or len(mark[2]) <= after[mark[2][0]])
        fence = mark[2] if mark and opens else ""
        found.append(opens)
    return found


def _longest_after(marks: list[re.Match[str] | None], bare: list[bool]) -> list[dict[str, int]]:
    """Return for every line the longest closing fence of either kind that comes after it."""
    found: list[dict[str, int]] = []
    longest = {"`": 0, "~": 0}
    for mark, closes in zip(reversed(marks), reversed(bare), strict=True):
        found.append(longest)
        if mark and closes:
            longest = {**longest, mark[2][0]: max(longest[mark[2][0]], len(mark[2]))}
    return found[::-1]


def _joined(before: _Section, small: _Section) -> _Section:
    """Return the previous section with a small one in it: its heading inline, the prefix cut to what both share."""
    shared = 0
    while shared < min(len(before.path), len(small.path)) and before.path[shared] == small.path[shared]:
        shared += 1
    own = "\n".join([*_inline(before, shared), before.body])
    known = set(own.splitlines())
    inline = [line for line in _inline(small, shared) if line not in known]
    return replace(before, path=before.path[:shared], body="\n".join([own, "", *inline, small.body]).strip())


def _inline(section: _Section, shared: int) -> list[str]:
    """Return the headings of a section below the first ``shared`` as lines of Markdown."""
    return [f"{'#' * (level + 1)} {title}" for level, title in enumerate(section.path) if level >= shared]


def _windows(section: _Section, limits: Limits) -> list[Chunk]:
    prefix = f"[Section: {' > '.join(section.path)}]\n\n" if section.path else ""
    whole = prefix + section.body
    if count(whole) <= limits.size:
        return [Chunk(whole.strip(), count(whole.strip()))]
    room = max(limits.size - count(prefix), SMALLEST)
    windows = cut_by_tokens(section.body, Limits(room, min(limits.overlap, room - 1)))
    texts = [prefix + window.content for window in windows]
    return [Chunk(text, count(text)) for text in texts]


SEPARATORS = ("\n\n", "\n", " ", "")
"""What a text is cut at, the best first: LangChain's defaults, which LightRAG uses when a request names none."""

Options = dict[str, Any]  # Any: validated JSON of LightRAG's request


@dataclass(frozen=True, slots=True)
class Cutter:
    """Cuts documents with the strategy they ask for; those that ask for none with ``own``, else along headings."""

    embedder: Embedder
    limits: Limits
    own: Chunker | None = None

    @property
    def version(self) -> str:
        """Stored with every document; another one means that its chunks were cut differently."""
        window = "" if self.limits == Limits() else f", {self.limits.size}/{self.limits.overlap} tokens"
        return (VERSION if self.own is None else f"plug-in {self.own.version}, windows") + window

    async def chunks(self, text: str, chunking: Options | None) -> list[Chunk]:
        """Return the chunks of a document, in order.

        Raises :class:`DocumentRejected` for a strategy that there is not and for what a plug-in cannot cut, and what
        the embedder raises.
        """
        strategy = (chunking or {}).get("strategy", "custom")
        options: Options = dict((chunking or {}).get("params", {}))
        size = int(options.pop("chunk_token_size", self.limits.size))
        overlap = min(int(options.pop("chunk_overlap_token_size", self.limits.overlap)), max(size - 1, 0))
        if strategy == "semantic_vector":
            return await _semantic(text, size, self.embedder, options)
        if strategy == "custom" and self.own is not None and not options.get("split_by_character"):
            return await asyncio.to_thread(_foreign, self.own, text, Limits(size, overlap))
        return await asyncio.to_thread(_cut, strategy, text, Limits(size, overlap), options)


def cut_recursively(text: str, limits: Limits, separators: list[str] | None = None) -> list[Chunk]:
    """Return chunks cut at the best separator that makes them small enough.

    LightRAG has the algorithm itself and takes from LangChain, which is not installed here, only its default values.
    """
    pieces = _split_text_with_spans(
        text,
        base_offset=0,
        separators=normalize_r_separators(separators) or SEPARATORS,
        chunk_size=limits.size,
        chunk_overlap=limits.overlap,
        length_function=count,
        keep_separator=True,
        is_separator_regex=False,
        strip_whitespace=True,
    )
    bodies = (body.strip() for body, *_ in pieces)
    return [Chunk(body, count(body)) for body in bodies if body]


def _cut(strategy: str, text: str, limits: Limits, options: Options) -> list[Chunk]:
    if strategy == "custom" and not options.get("split_by_character"):
        return cut_by_headings(text, limits)
    if strategy in {"custom", "fixed_token"}:
        return cut_by_tokens(text, limits, **options)
    if strategy == "recursive_character":
        return cut_recursively(text, limits, options.get("separators"))
    if strategy == "paragraph_semantic":
        # It cuts along the blocks that LightRAG's file parsers find.  A text has none; then it is the recursive one.
        return cut_recursively(text, limits)
    raise DocumentRejected(f"there is no chunking strategy {strategy}")


def _foreign(own: Chunker, text: str, limits: Limits) -> list[Chunk]:
    """Return what a plug-in makes of a text; it is foreign code, and its bug is no reason to try for ever."""
    try:
        pieces = [str(piece) for piece in own.chunks(text, limits.size, limits.overlap, count)]
    except DocumentRejected:
        raise
    except Exception as error:
        raise DocumentRejected(f"the chunker {own.version} failed: {type(error).__name__}") from error
    return [Chunk(piece, count(piece)) for piece in pieces if piece.strip()]


async def _semantic(text: str, size: int, embedder: Embedder, options: Options) -> list[Chunk]:
    """Return semantic groups, those over ``size`` cut further without overlap, as LightRAG does."""
    names = {"breakpoint_threshold_type": "kind", "breakpoint_threshold_amount": "amount", "buffer_size": "buffer"}
    given = {names[key]: value for key, value in options.items() if key in names}
    pieces = await cut_by_meaning(text, embedder, **given)
    return await asyncio.to_thread(
        lambda: [chunk for piece in pieces for chunk in cut_recursively(piece, Limits(size, 0))]
    )


Distances = npt.NDArray[np.float64]

_SENTENCE_END = re.compile(DEFAULT_SENTENCE_SPLIT_REGEX)
_USUAL_AMOUNT = {"percentile": 95.0, "standard_deviation": 3.0, "interquartile": 1.5, "gradient": 95.0}


async def cut_by_meaning(
    text: str, embedder: Embedder, *, kind: str = "percentile", amount: float | None = None, buffer: int = 1
) -> list[str]:
    """Return the pieces of ``text``, in order and without overlap; raises what the embedder raises.

    ``buffer`` is the number of neighbours on each side that a sentence is embedded with.  ``kind`` and ``amount`` say
    what is unusual: a percentile of the distances or of their gradient, so many standard deviations above the mean, or
    so many interquartile ranges.
    """
    starts = [0, *(end.end() for end in _SENTENCE_END.finditer(text) if end.end() < len(text))]
    sentences = [text[start:end].strip() for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    if len(sentences) == 1:
        return [text.strip()]
    around = [" ".join(sentences[max(0, i - buffer) : i + buffer + 1]) for i in range(len(sentences))]
    vectors = await embedder.embed(around)
    distances = 1 - np.einsum("ij,ij->i", vectors[:-1], vectors[1:]).astype(np.float64)
    cuts = [starts[i + 1] for i in _find_unusual(distances, kind, _USUAL_AMOUNT[kind] if amount is None else amount)]
    pieces = [text[start:end].strip() for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    return [piece for piece in pieces if piece]


def _find_unusual(distances: Distances, kind: str, amount: float) -> list[int]:
    """Return the places, in order, whose distance is above the threshold."""
    if kind == "gradient":
        if len(distances) == 1:
            return [0]
        distances = np.gradient(distances)
    thresholds: Mapping[str, Callable[[], float]] = {
        "percentile": lambda: float(np.percentile(distances, amount)),
        "gradient": lambda: float(np.percentile(distances, amount)),
        "standard_deviation": lambda: float(distances.mean() + amount * distances.std()),
        "interquartile": lambda: float(distances.mean() + amount * np.subtract(*np.percentile(distances, [75, 25]))),
    }
    return [int(place) for place in np.flatnonzero(distances > thresholds[kind]())]


_PIECE = re.compile(r"\s?[A-Za-z]{1,6}|\s?[^\W\d_]{1,4}|\d{1,3}|\s+|[^\w\s]|_|.", re.DOTALL)


class Pieces:
    """Encode to pieces and back, without state."""

    def encode(self, content: str) -> list[str]:
        """Return the pieces of a text; LightRAG counts and slices them and looks at none."""
        return _PIECE.findall(content)

    def decode(self, tokens: list[str]) -> str:
        """Return the text of a sequence of pieces."""
        return "".join(tokens)


def count(text: str) -> int:
    """Return the number of tokens of a text."""
    return len(_PIECE.findall(text))


@cache
def tokenizer() -> Tokenizer:
    """Return the tokenizer in LightRAG's wrapper."""
    return Tokenizer("pieces", Pieces())
