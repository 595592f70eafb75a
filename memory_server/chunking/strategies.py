"""Chunking strategies that a document may ask for: along its headings, or one of LightRAG's own.

``semantic_vector`` is Greg Kamradt's method, as in LangChain's SemanticChunker, which LightRAG calls and which is not
installed here: every sentence is embedded together with its neighbours, and a cut is made where the distance to the
next one is unusually large.  https://python.langchain.com/docs/how_to/semantic-chunker/
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from lightrag.chunker.recursive_character import _split_text_with_spans, normalize_r_separators
from lightrag.constants import DEFAULT_SENTENCE_SPLIT_REGEX

from memory_server.chunking.headings import VERSION, Chunk, Limits, cut_by_headings, cut_by_tokens
from memory_server.errors import DocumentRejected
from memory_server.ports import Chunker, Embedder

SEPARATORS = ("\n\n", "\n", " ", "")
"""What a text is cut at, the best first: LangChain's defaults, which LightRAG uses when a request names none."""

Options = dict[str, Any]  # Any: validated JSON of LightRAG's request


@dataclass(frozen=True, slots=True)
class Cutter:
    """Cuts documents with the strategy they ask for; those that ask for none with ``own``, else along headings."""

    tokenizer: Any  # LightRAG's, untyped
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
            return await _semantic(text, size, self.tokenizer, self.embedder, options)
        if strategy == "custom" and self.own is not None and not options.get("split_by_character"):
            return await asyncio.to_thread(_foreign, self.own, text, Limits(size, overlap), self.tokenizer)
        return await asyncio.to_thread(_cut, strategy, text, Limits(size, overlap), self.tokenizer, options)


def cut_recursively(text: str, limits: Limits, tokenizer: Any, separators: list[str] | None = None) -> list[Chunk]:
    """Return chunks cut at the best separator that makes them small enough (Any: as above).

    LightRAG has the algorithm itself and takes from LangChain, which is not installed here, only its default values.
    """

    def count(part: str) -> int:
        return len(tokenizer.encode(part))

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


def cut_into_rows(
    tokenizer: Any,
    content: str,
    split_by_character: str | None = None,
    split_by_character_only: bool = False,  # noqa: FBT001, FBT002 - LightRAG's signature
    chunk_overlap_token_size: int = 100,
    chunk_token_size: int = 1200,
) -> list[dict[str, Any]]:
    """Cut along headings for LightRAG's pipeline, in the shape of its ``chunking_func`` (Any: its untyped parts)."""
    limits = Limits(chunk_token_size, min(chunk_overlap_token_size, chunk_token_size - 1))
    options = {"split_by_character": split_by_character, "split_by_character_only": split_by_character_only}
    chunks = _cut("custom", content, limits, tokenizer, options)
    return [
        {"tokens": chunk.tokens, "content": chunk.content, "chunk_order_index": order}
        for order, chunk in enumerate(chunks)
    ]


def _cut(strategy: str, text: str, limits: Limits, tokenizer: Any, options: Options) -> list[Chunk]:  # Any: as above
    if strategy == "custom" and not options.get("split_by_character"):
        return cut_by_headings(text, limits, tokenizer)
    if strategy in {"custom", "fixed_token"}:
        return cut_by_tokens(text, limits, tokenizer, **options)
    if strategy == "recursive_character":
        return cut_recursively(text, limits, tokenizer, options.get("separators"))
    if strategy == "paragraph_semantic":
        # It cuts along the blocks that LightRAG's file parsers find.  A text has none; then it is the recursive one.
        return cut_recursively(text, limits, tokenizer)
    raise DocumentRejected(f"there is no chunking strategy {strategy}")


def _foreign(own: Chunker, text: str, limits: Limits, tokenizer: Any) -> list[Chunk]:  # Any: as above
    """Return what a plug-in makes of a text; it is foreign code, and its bug is no reason to try for ever."""

    def count(part: str) -> int:
        return len(tokenizer.encode(part))

    try:
        pieces = [str(piece) for piece in own.chunks(text, limits.size, limits.overlap, count)]
    except DocumentRejected:
        raise
    except Exception as error:
        raise DocumentRejected(f"the chunker {own.version} failed: {type(error).__name__}") from error
    return [Chunk(piece, count(piece)) for piece in pieces if piece.strip()]


async def _semantic(text: str, size: int, tokenizer: Any, embedder: Embedder, options: Options) -> list[Chunk]:
    """Return semantic groups, those over ``size`` cut further without overlap, as LightRAG does (Any: as above)."""
    names = {"breakpoint_threshold_type": "kind", "breakpoint_threshold_amount": "amount", "buffer_size": "buffer"}
    given = {names[key]: value for key, value in options.items() if key in names}
    pieces = await cut_by_meaning(text, embedder, **given)
    return await asyncio.to_thread(
        lambda: [chunk for piece in pieces for chunk in cut_recursively(piece, Limits(size, 0), tokenizer)]
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
