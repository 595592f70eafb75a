"""Patterns of English statements that can answer a question."""

from __future__ import annotations

from typing import Final

from language.answers import AnswerPatterns
from language.words import CAPITAL, word_set

ANSWERS: Final = AnswerPatterns(
    place=(
        r"\b(?:in|at|to|from|near|on|under|behind|inside|into|outside|next to)\s+(?:the\s+|my\s+|our\s+|a\s+)?\w+|"
        r"\b(?:home|abroad|here|address)\b"
    ),
    time=(
        r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:january|february|march|april|may|june|july|august|"
        r"september|october|november|december|today|tomorrow|yesterday|tonight|noon|midnight|morning|evening|week|month|"
        r"year|spring|summer|autumn|winter|weekend|easter|christmas|ago)"
    ),
    number=(
        r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|hundred|thousand|once|"
        r"twice)\b|\b(?-i:[A-Z]{4,})\b"
    ),
    reason=r"\b(?:because|since|so that|due to|as a result|to \w+)\b",
    no_names=frozenset(("I", "I'm", "I’m")),
    introduces=(
        r"\b(?:my (?:first |full )?name(?:['’]s| is)|i(?:['’]m| am) called|(?:they|people|friends) call me|call me|"
        r"i go by)\s+\S"
    ),
    is_called=r"(?:(?:Hi|Hello|Hey)\W+)?I(?:['’]m| am) [A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?\W*",
    is_a=r"\bI(?:['’]m| am) (?:an?|the) [\w-]+",
    age=r"(?:\b(?:is|am|are|turns|turned)|['’]m)\s+\d{1,3}\b(?![:.,]\d)" rf"|\b(?-i:{CAPITAL})\w+\s*\(\d{{1,2}}\)",
    near="my|our",
    aliases=(
        rf"(?i:\b(?:my|our))\s+(?:\w+\s+)?(?P<kin>\w+),?\s+(?P<name>{CAPITAL}\w+)",
        rf"(?i:\b(?:my|our))\s+(?P<kin>\w+)(?:['’]s name is| is (?:called|named))\s+(?P<name>{CAPITAL}\w+)",
        rf"\b(?P<name>{CAPITAL}\w+)\s+(?i:is|—|-|–)\s*(?i:my|our)\s+(?P<kin>\w+)",
    ),
    corrects="actually|no|correction|sorry|i mean|i meant|wait",
    amends=r"(?:no|sorry|wait)\s*[,:–—-]|(?:actually|correction|i mean|i meant|make that)\b",
    pronouns="he|she|they|it|his|her|their|there",
    never_lowered=word_set("i i'm i’m i've i’ve i'll i’ll i'd i’d may will"),
)
