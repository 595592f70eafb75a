"""What a passage looks like, and what a question asks for: cheap marks that say whether the one can answer the other.

A question that starts with "when" is answered by a passage with a time expression, "how many" by one with a number,
"where" and "who" by one with a name, "why" by one with a reason; a passage that is itself a question rarely answers.
Patterns of small letters are given small letters: ignoring case takes ``re`` three times as long.
What somebody has done so far ("how many", "which … has") is told piece by piece, each when it was news.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.memory.ranking.timewords import says_when

ASKS, ENDS_ASKING, TIME, VAGUE_TIME, NUMBER, NAME, REASON, FIRST_PERSON, NEWS = (1 << bit for bit in range(9))

_NUMBER: Final = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|couple|twice|once|dozen|first|second|third|"
    r"один|одна|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|пара|дважды|впервые|втор\w+|трет\w+|"
    r"eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zweimal|erste\w*|zweite\w*)\b",
)
_NAME: Final = re.compile(r"(?<=[^\W\d_,][ ])[A-ZА-ЯЁ][^\W\d_]{2,}|[\"“«][^\"“”«»]{1,80}[\"”»]")
_REASON: Final = re.compile(
    r"\b(?:because|'cause|cause|since|so that|reason|feel|felt|feeling|makes me|made me|"
    r"потому|чтобы|поэтому|чувств\w+|из-за|weil|damit|deshalb|fühl\w+)\b",
)
_FIRST: Final = re.compile(
    r"\b(?:I|my|My|we|We|our|Our|me|us|[Яя]|[Мм]ы|[Мм]не|[Мм]еня|[Мм]о[йяеёи]|[Мм]оего|[Мм]оей|[Мм]оих|[Нн]ас|[Нн]аш\w*|"
    r"[Ii]ch|[Mm]ein\w*|[Mm]ich|[Mm]ir|[Ww]ir|[Uu]ns\w*)\b"
)
_NEWS: Final = re.compile(
    r"\b(?:just|recently|lately|finally|yesterday|today|ago|guess what|by the way|since we last|the other day|"
    r"last (?:week|month|night|weekend|\w+day|year|fri|sat|sun)|this (?:week|month|weekend|morning)|"
    r"только что|недавно|наконец|вчера|сегодня|назад|кстати|на днях|на (?:прошлой|этой) неделе|в прошл\w+|"
    r"gerade|neulich|kürzlich|endlich|gestern|heute|übrigens|letzte[nrs]? \w+|vor \w+ (?:tag|woche|monat|jahr)\w*)\b",
)
_PICTURE: Final = re.compile(r"\[(?:photo|picture|фото|картинка|foto|bild)\b", re.IGNORECASE)

_WHEN: Final = re.compile(
    r"^\W*(?:when|what date|which (?:month|year|day)|how long|in which|what (?:day|year|month|time)|"
    r"когда|в како[мй] (?:год|месяц|ден)\w*|как(?:ого|ой) числа|как долго|сколько времени|с каких пор|"
    r"wann|seit wann|wie lange|in welchem|an welchem)\b",
)
_HOW_MANY: Final = re.compile(
    r"\b(?:how (?:many|much|old|often|long)|сколько|как часто|wie (?:viele?|oft|alt|lange))\b"
)
_NAMED: Final = re.compile(
    r"\b(?:where|who|which|names?|called|what (?:book|movie|film|city|country|state|band|song|game|place)|"
    r"где|куда|откуда|кто|кого|кому|как зовут|называ\w+|имя|имена|каком городе|"
    r"wo|wohin|woher|wer|wen|wem|heißt|namen?)\b",
)
_WHY: Final = re.compile(
    r"\b(?:why|feel|motivat\w*|inspir\w*|reason|почему|зачем|чувству\w+|warum|weshalb|wieso|fühl\w*)\b"
)

_SEVERAL: Final = re.compile(
    r"\b(?:how many|has|have|had|сколько|как часто|wie (?:viele|oft))\b|"
    r"^\W*(?:what|which|who|where|in what)\b(?:(?!\b(?:does|did|are)\b).)*?"
    r"\b(?<!['’])\w{3,}s\b.*?\b(?:does|do|did|are)\b|"
    r"^\W*(?:какие|каких|какими|welche[nr]?)\b",
)


def cues(text: str) -> int:
    """Return the marks of a passage as bits; the caption of a picture is none of its author's words."""
    said = _PICTURE.split(text, maxsplit=1)[0].strip()
    small = said.lower()
    exactly, roughly = says_when(said)
    marks = (
        (ASKS, "?" in said),
        (ENDS_ASKING, said.endswith("?")),
        (TIME, exactly),
        (VAGUE_TIME, roughly),
        (NUMBER, bool(_NUMBER.search(small))),
        (NAME, bool(_NAME.search(said))),
        (REASON, bool(_REASON.search(small))),
        (FIRST_PERSON, bool(_FIRST.search(said))),
        (NEWS, bool(_NEWS.search(small))),
    )
    return sum(bit for bit, present in marks if present)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What kind of passage a question wants."""

    time: bool
    number: bool
    name: bool
    reason: bool
    several: bool


@lru_cache(maxsize=4)
def wanted(question: str) -> Wanted:
    """Return what a question asks for, by its interrogatives."""
    small = question.lower()
    return Wanted(
        time=bool(_WHEN.search(small)),
        number=bool(_HOW_MANY.search(small)),
        name=bool(_NAMED.search(small)),
        reason=bool(_WHY.search(small)),
        several=bool(_SEVERAL.search(small)),
    )
