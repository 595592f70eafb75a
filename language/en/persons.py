"""Persons in English."""

from __future__ import annotations

from typing import Final

from language.persons import Persons
from language.words import word_set

PERSONS: Final = Persons(
    asker="I|my|me|mine|myself|i|My",
    speakers="I|my|My|we|We|our|Our|me|us",
    first_person=word_set("i me my mine we us our ours i'm i've i'd i'll we're we've im ive"),
    listener="you|your|yours",
    asks_what_was_answered=(
        r"(?<!\bcan )(?<!\bcould )(?<!\bwould )(?<!\bwill )\byou\s+(?:\w+\s+){0,2}(?:said|say|told|tell|"
        r"recommend\w*|suggest\w*|mention\w*|gave|give|provid\w*|"
        r"list\w*|wrote|write|explain\w*|describ\w*|propos\w*|shared?|advis\w*|answer\w*|creat\w*|generat\w*|offer\w*)\b|"
        r"\bremind me\b|\byour (?:list|advice|suggestions?|recommendations?|answer)\b|"
        r"\b(?:our|the) (?:previous|last|earlier) (?:chat|conversation)\b"
    ),
    asks_what_was_told=r"\bI\s+(?:\w+\s+){0,2}(?:tell|told|mention\w*|say|said|ask\w*|share\w*)\b",
    asks_what_was_done=(
        r"(?:what|which|where|when|who\w*|why|how)\b(?:(?!\b(?:I|me|my|mine)\b).)*?"
        r"\b(?:do|does|did|have|has|had|is|are|was|were)\s+(?:your\b|you\b"
        r"(?!\s+(?:and|or|remember|recall|know|think|believe|guess|suppose|mean|have|got|able|aware|sure)\b))"
    ),
    together="both|and",
)
