"""Reads a question: what kind of answer it wants, which words the answer must share with it, and whom it is about."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.memory.learning.speech_acts import opened
from bot.memory.patterns import compiled
from bot.memory.synonyms import PEOPLE, STOP_WORDS, concept, meanings
from language import alternatives, languages
from language.words import vocabulary, words


class Kind(StrEnum):
    """What would answer."""

    PLACE = "place"
    TIME = "time"
    PERSON = "person"
    NUMBER = "number"
    REASON = "reason"
    YES_NO = "yes or no"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question, read.

    ``terms`` are the concepts of its content words with their weights; ``entities`` those that an answer cannot do
    without (names, "sister", codes); ``of_asker`` whether it is about the asker themselves ("where do I live"), ``own``
    whether about them or theirs ("my sister", or just "sister"); ``whole`` whether it asks for all that is known,
    ``name`` whether it asks for the asker's own name; ``rather`` a concept that an answer has if there is a choice:
    "work" in "what does Max do", which "Max is a pilot" answers, too.
    """

    kind: Kind
    terms: dict[str, float]
    entities: frozenset[str]
    of_asker: bool
    own: bool
    whole: bool
    name: bool = False
    rather: str = ""


_PLACE: Final = (
    r"\b(?:where|which (?:city|town|country|place|street)|what (?:city|town|country|place|address)|где|куда|откуда|"
    r"в как(?:ом|ую|ой) (?:город|стран|мест|улиц)\w*|адрес)\b"
)
_TIME: Final = (
    r"\b(?:when|what (?:time|date|day|year|month)|which (?:day|year|month|date)|how long ago|since when|когда|"
    r"во сколько|какого числа|в каком (?:году|месяце)|в какой день|с каких пор)\b"
)
_NUMBER: Final = (
    r"\b(?:how (?:many|much|old|tall|long|far|big|often)|"
    r"what(?:['’]s| is| was)?(?: \w+){0,4}? (?:number|code|pin|phone|price|size|age|id|zip)|"
    r"сколько|как(?:ой|ая|ое|ов)(?: \w+){0,4}? (?:номер|код|пин|телефон|размер|возраст|цена)|"
    r"(?:мой|наш)(?: \w+){0,2} (?:код|номер|пин|телефон))\b"
)
_PERSON: Final = (
    r"\b(?:who|whom|whose|what(?:['’]s| is| was)?(?: [\w'’]+){0,4}? names?|called|кто|кого|кому|кем|чей|чья|чье|"
    r"зовут|"
    r"как(?:ое|ая)? (?:имя|кличка))\b"
)
_REASON: Final = r"\b(?:why|how come|what for|почему|зачем|отчего)\b"
_YES_NO: Final = r"^(?:is|are|am|was|were|do|does|did|have|has|had|can|could|will)\b|\bли\b"
_KINDS: Final = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (Kind.PLACE, _PLACE),
        (Kind.TIME, _TIME),
        (Kind.NUMBER, _NUMBER),
        (Kind.PERSON, _PERSON),
        (Kind.REASON, _REASON),
        (Kind.YES_NO, _YES_NO),
    )
)
_KIND_WORDS: Final = {
    Kind.PLACE: vocabulary("city town country place street located location address find"),
    Kind.TIME: vocabulary("time date day year month hour число числа день году год месяц месяце дня время"),
    Kind.PERSON: vocabulary("name names named called call person people зовут имя кличка кличку человек"),
    Kind.NUMBER: vocabulary("old age лет годов"),
}
_BUSY: Final = frozenset(meanings("living занимается"))
_SORT: Final = compiled(
    r"(?:what|which|как(?:ой|ая|ое|ие|ую|ого)|в каком|на каком)\s+(?!is\b|was\b|are\b)([\w-]+)\s+\S", re.IGNORECASE
)
_SORT_WEIGHT: Final = 0.6
"""Of "book" in "which book did I read": an answer names the book and may not call it one."""
_ABOUT_ME: Final = re.compile(
    r"\b(?:about me|of me|remember\??$|have i told you\??$|did i tell you\??$|"
    r"обо мне|про меня|что ты (?:помнишь|знаешь)\??$)",
    re.IGNORECASE,
)
_NAME_FIRST: Final = re.compile(alternatives(each.learning.name for each in languages()), re.IGNORECASE)
_MY_NAME: Final = re.compile(
    r"(?:what(?:['’]s| is| was)|(?:do|can) you (?:still )?(?:know|remember|tell me))\s+(?:again\s+)?my "
    r"(?:first |full |own )?name\b|who am i\b|как меня зовут|как мо[её] имя|кто я\b(?!\s+\w)",
    re.IGNORECASE,
)
_INTRODUCES: Final = re.compile(
    r"\b(?:my (?:first |full )?name(?:['’]s| is)|i(?:['’]m| am) called|(?:they|people|friends) call me|call me|i go by|"
    r"меня зовут|мо[её] имя|зови(?:те)? меня)\s+\S",
    re.IGNORECASE,
)
_SAYS_WHO: Final = compiled(
    r"(?:(?:Hi|Hello|Hey)\W+)?I(?:['’]m| am) [A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?\W*|Я\s*[-–—]?\s*[А-ЯЁ][а-яё]+\W*"
)
_IS_A: Final = compiled(
    r"\bI(?:['’]m| am) (?:an?|the) [\w-]+|"
    r"^я\s*[-–—]?\s*(?:[\w-]+\s+)?[а-яё]{2,}(?:ист|ер|ор|арь|тель|ник|ик|ец|лог|граф|ач|ица)\b",
    re.IGNORECASE,
)
_PERHAPS: Final = 0.92
"""Of "I'm Sam" as a name and of "I'm a baker" as an occupation: "I'm German" and "I'm a vegan" look the same."""
_OCCUPATION: Final = compiled(
    r"what do(?:es)?\s+.{1,40}?\s+do(?:\s+for\s+(?:a|my|his|her|their|our)\s+living)?\W*$|"
    r"чем\s+(?:.*\s)?занима\w+(?:\s+[\w-]+){0,3}\W*$",
    re.IGNORECASE,
)
"""Asks for somebody's work without a word for it."""
FIRST_PERSON: Final = vocabulary(
    "my our mine i we me us i'm i've мой моя мое мои моего моей моему мою моих я мы мне меня наш наша наше нас нам"
)
"""Words that mean another person in another mouth."""
_I: Final = vocabulary("i i'm i've me я мне меня мной")
_CODE: Final = compiled(r"(?=.*\d)[\w-]+")
_PRESENT: Final = {
    Kind.PLACE: re.compile(
        r"\b(?:in|at|to|from|near|on|under|behind|inside|into|outside|next to)\s+(?:the\s+|my\s+|our\s+|a\s+)?\w+|"
        r"\b(?:home|abroad|here|address)\b"
        r"|\b(?:в|во|на|у|из|под|около|возле|рядом с|за|до|при)\s+\w+|\b(?:дома|адрес\w*)\b",
        re.IGNORECASE,
    ),
    Kind.TIME: re.compile(
        r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:january|february|march|april|may|june|july|august|"
        r"september|october|"
        r"november|december|today|tomorrow|yesterday|tonight|noon|midnight|morning|evening|week|month|year|spring|"
        r"summer|autumn|"
        r"winter|weekend|easter|christmas|ago|понедельник|вторник|сред[уы]|четверг|пятниц|суббот|воскресень|январ|"
        r"феврал|март|"
        r"апрел|ма[яей]\b|июн|июл|август|сентябр|октябр|ноябр|декабр|сегодня|завтра|вчера|утр|вечер|недел|месяц|"
        r"год|весн|лет[оа]|"
        r"осен|зим|выходн|назад)",
        re.IGNORECASE,
    ),
    Kind.NUMBER: re.compile(
        r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|hundred|thousand|"
        r"once|twice|"
        r"один|одна|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|двадцать|сто|тысяч\w*|дважды|раз)\b|"
        r"\b(?-i:[A-Z]{4,})\b",
        re.IGNORECASE,
    ),
    Kind.REASON: re.compile(
        r"\b(?:because|since|so that|due to|as a result|to \w+|потому|так как|чтобы|из-за|поскольку)\b", re.IGNORECASE
    ),
}  # fmt: skip


def read(question: str) -> Wanted:
    """Return what ``question`` (one or several sentences) asks for."""
    plain = opened(question.strip())
    kind = next((kind for kind, pattern in _KINDS if pattern.search(plain)), Kind.ANY)
    said = words(plain)
    implied = {concept(word) for word in _KIND_WORDS.get(kind, ())} - {"live"}
    terms = [term for term in meanings(plain) if term not in implied or kind is Kind.NUMBER]
    occupation = _OCCUPATION.match(plain) is not None
    if occupation:
        terms = [term for term in terms if term not in _BUSY] or ["work"]
    entities = frozenset(_entities(plain))
    sort = _SORT.match(plain)
    kind_of_thing = (
        {term: _SORT_WEIGHT for term in meanings(sort[1]) if term in terms} if sort and len(terms) > 1 else {}
    )
    return Wanted(
        kind=kind,
        terms={term: 1.5 if term in entities else 0.5 if term in implied else 1.0 for term in terms} | kind_of_thing,
        entities=entities & frozenset(terms),
        of_asker=not _I.isdisjoint(said) and not entities & PEOPLE,
        own=not FIRST_PERSON.isdisjoint(said) or (bool(entities) and entities <= PEOPLE),
        whole=_ABOUT_ME.search(plain) is not None,
        name={"name"}.issuperset(terms) and _MY_NAME.match(plain) is not None,
        rather="work" if occupation else "",
    )


def introduces(sentence: str) -> float:
    """Return how surely somebody says their own name in a sentence, 0..1."""
    if _INTRODUCES.search(sentence):
        return 1.0
    return _PERHAPS if _SAYS_WHO.fullmatch(sentence.strip()) else 0.0


def tells_occupation(sentence: str) -> float:
    """Return how surely somebody says what they are without a word of work: "I'm a baker", 0..1."""
    return _PERHAPS if _IS_A.search(sentence) else 0.0


def gives(wanted: Wanted, sentence: str) -> bool:
    """Return whether ``sentence`` holds the kind of thing that is wanted."""
    if wanted.kind is Kind.PERSON:
        return _names_someone(sentence, wanted.terms)
    pattern = _PRESENT.get(wanted.kind)
    return pattern is None or pattern.search(sentence) is not None


def _names_someone(sentence: str, asked: Container[str]) -> bool:
    """Return whether there is a name or a relative.

    The first word has a capital anyway: it is a name unless it is a common one or the question has it, too.
    """
    first, *inner = sentence.split() or ("",)
    if any(word[:1].isupper() and word not in ("I", "I'm", "I’m") for word in inner):
        return True
    begins = _NAME_FIRST.match(sentence) and not _PRESENT[Kind.TIME].search(first)
    return bool(begins and concept(next(iter(words(first)), "")) not in asked) or not PEOPLE.isdisjoint(
        meanings(sentence)
    )


def _entities(question: str) -> list[str]:
    """Return the concepts of names, of people near the asker and of codes in a question."""
    found = []
    for n, word in enumerate(re.findall(r"[^\W_]+(?:[-'’][^\W_]+)*", question)):
        folded = word.casefold().replace("ё", "е")
        bare = folded.removesuffix("'s").removesuffix("’s")
        if bare in STOP_WORDS or folded in STOP_WORDS:
            continue
        is_name = word[0].isupper() and n > 0
        if concept(bare) in PEOPLE or is_name or _CODE.fullmatch(word):
            found.append(concept(folded))
    return found
