"""Groups the signals of recall into the few kinds that ``/why`` names."""

from __future__ import annotations

from typing import Final

_KINDS: Final = {
    "lexical": "words",
    "bm25": "words",
    "late": "near words",
    "least": "near words",
    "dense": "meaning",
    "sentence": "meaning",
    "speaker": "speaker",
    "first_speaker": "speaker",
    "date": "date",
    "time": "date",
    "when": "date",
    "known": "certainty",
    "confidence": "certainty",
    "recency": "recent",
    "salience": "importance",
    "lightrag chunk": "long-term memory",
    "lightrag entity": "long-term memory",
    "lightrag relation": "long-term memory",
    "rank": "rank",
    "rerank": "second look",
    "pinned": "pinned",
}
OTHER: Final = "kind of message"
"""Who usually says such things, in what form: a question, a number, a long answer."""


def find_signal_group(name: str) -> str:
    """Return the kind of a signal: of its name, or of the name without its last parts ("dense_before")."""
    stem = name
    while stem:
        if stem in _KINDS:
            return _KINDS[stem]
        stem = stem.rpartition("_")[0]
    return OTHER


SIGNAL_GROUPS: Final = frozenset((*_KINDS.values(), OTHER))
