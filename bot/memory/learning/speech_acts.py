"""Tells what a sentence does: states, asks, asks for something, supposes, or says nothing.

Only what a person states about their world is worth keeping as theirs; a question is no evidence for its answer.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import Final

from bot.memory.learning.addressed import GREETED, ONLY_GREETS, REQUESTS, WONDERS
from bot.memory.learning.trivial import is_trivial
from bot.memory.sanitise import visible


class Speech(StrEnum):
    """What a sentence does."""

    STATEMENT = "statement"
    QUESTION = "question"
    REQUEST = "request"
    HYPOTHESIS = "hypothesis"
    SMALLTALK = "smalltalk"


_RECENT: Final = 64
"""Sentences remembered: the stages of a turn ask about the same few one after the other."""
_OPENING: Final = re.compile(
    r"(?i)^(?:[-–—•*]\s+|\d{1,2}[.)]\s+)?(?:(?:so|and|but|well|ok|okay|hey|hi|hello|by the way|btw|fyi|also|oh|ah|"
    r"actually|yes|yeah|no(?!\s+(?:idea|clue)\b)|"
    r"привет|кстати|слушай|ну|а|и|но|да|нет|итак|вообще|между прочим)\b[,!.:…\s–—-]*)+(?=\S)"
)
_KEEP: Final = re.compile(
    r"(?i)^(?:please\s+|пожалуйста,?\s+)?(?:(?:(?:can|could|would|will) you (?:please )?)?"
    r"(?:remember|note|keep in mind|make a note|"
    r"save|don't forget|never forget)"
    r"(?:\s+(?:this|that|down|for me|please))*|for the record|just so you know|i want you to (?:know|remember) that"
    r"|(?:запомни|запиши|учти|имей в виду|не забудь|заметь|сохрани|знай)(?:\s+(?:это|себе|"
    r"пожалуйста))*|(?:не\s+)?(?:можешь|можете|мог(?:ла|ли)? бы (?:ты|вы))\s+(?:ты\s+|вы\s+)?(?:пожалуйста,?\s+)?"
    r"(?:запомнить|записать|учесть))[,:\s–—-]+(?:that\s+|что\s+)?(?=\S)"
)
_TELLS: Final = re.compile(
    r"(?i)(?:please\s+)?(?:can|could|would|will) you .*(?:\bthat|:)\s*$|(?:не )?мо[гж].*(?:\bчто|:)\s*$"
)
"""What stands before something to be remembered though the sentence ends as a question: "can you remember that"."""
_NOT_A_NOTE: Final = re.compile(
    r"(?i)(?:when|where|what|who|how|why|which|if|whether|to|когда|где|кто|как|какой|какая|ли)\b"
)
_AUXILIARY: Final = (
    r"(?:is|are|am|was|were|do|does|did|can|could|will|would|shall|should|have|has|had|may|isn['’]t|aren['’]t|"
    r"don['’]t|"
    r"doesn['’]t|didn['’]t|wasn['’]t|weren['’]t|won['’]t|can['’]t|haven['’]t|hasn['’]t)"
)
_ASKS: Final = re.compile(
    rf"(?i)^(?:(?:what|where|when|who|whom|whose|why|how|which)(?:['’]s|['’]re|['’]d)\b"
    rf"|(?:what|where|when|who|whom|whose|why|how|which)(?!\s+(?:i|you|he|she|it|we|"
    rf"they)\b)(?:\s+[\w'’-]+){{0,3}}?\s+{_AUXILIARY}\b(?!.*,)"
    r"|how\s+(?:many|much|old|long|far|often|tall|big|come|about)\b|what\s+(?:time|kind|colou?r|about|if)\b|"
    r"who\s+\w+s\b"
    rf"|{_AUXILIARY}\s+(?:i|you|he|she|it|we|they|my|your|his|her|our|their|there|these|those|any|anyone|anybody)\b"
    r"|(?:is|are|was|were|does|did|can|could|will|would|shall|should|has|had)\s+(?:the|this|that|a|an)\b)"
)
_ASKS_NAMED: Final = re.compile(r"^(?i:is|are|was|were|does|did|has|isn['’]t|doesn['’]t|didn['’]t)\s+[A-Z]\w+\s+\w+")
_ASKS_RU: Final = re.compile(
    r"(?i)^(?:(?:что|где|куда|откуда|кто|кого|кому|кем|чей|чья|ч[ье]ё?|как|каков\w*|как(?:ой|ая|ое|ие|ого|ую|ом|"
    r"им)|сколько|"
    r"почему|зачем|котор\w+|разве|неужели)\b(?!\s+(?:бы|же|ни)\b)|когда\b(?!.*,)|(?:в|на|о|об|с|у|за|от|из|к|по|"
    r"до|для)\s+"
    r"(?:каком|какой|какую|каких|какого|что|чем|кем|ком|кого|чего|скольк\w+|котор\w+)\b)|^\S+\s+ли\b"
)
_REQUEST: Final = re.compile(
    r"(?i)^(?:please\b|can you\b|could you\b|would you\b|will you\b|help\b|tell me\b|remind me\b|show me\b|"
    r"forget\b(?!-)|erase\b|"
    r"give me\b|explain\b|write\b|translate\b|"
    r"summari[sz]e\b|list\b|search\b|find\b|look up\b|calculate\b|describe\b|compare\b|generate\b|draft\b|"
    r"do you (?:know|remember)\b|"
    r"(?:deploy|run|build|create|make|send|open|start|stop|restart|install|update|check|add|remove|delete|fix|"
    r"refactor|test|"
    r"book|order|play|convert|rewrite|shorten|improve|review|analy[sz]e|suggest|recommend|choose|pick|sort|count|"
    r"read|use)"
    r"\s+(?!is\b|was\b|are\b|were\b|has\b)\w|"
    r"пожалуйста\b|скажи\b|расскажи\b|напомни\b|покажи\b|дай\b|объясни\b|напиши\b|переведи\b|помоги\b|найди\b|"
    r"посчитай\b|опиши\b|забудь(?:те)?\b|удали(?:те)?\b|сотри(?:те)?\b|"
    r"сравни\b|составь\b|придумай\b|сделай\b|подскажи\b|поищи\b|можешь\b|можете\b|сможешь\b|ты (?:знаешь|"
    r"помнишь)\b|помнишь\b)"
)
_FORGET: Final = re.compile(
    r"(?i)(?:please\s+|пожалуйста,?\s+)?(?:(?:can|could|would|will) you\s+(?:please\s+)?)?"
    r"(?:(?:forget|erase|delete)\b(?!-)|(?:забудь|удали|сотри)(?:те)?\b)"
)
_ASKS_MEMORY: Final = re.compile(
    r"(?i)(?:please\s+|пожалуйста,?\s+)?(?:(?:can|could|would|will) you\s+(?:please\s+)?)?(?:"
    r"(?:tell me|show me|give me|remind me)\s+(?!to\b|a\b)|do you (?:know|remember)\b|"
    r"(?:скажи|расскажи|напомни|покажи|подскажи)(?:те)?(?:\s+мне)?(?:,|\s)\s*(?=что|где|когда|кто|как|како|"
    r"сколько|про|о|об|мо|наш)|"
    r"(?:ты\s+)?(?:знаешь|помнишь)\b|what about\b|а что (?:с|насчёт|насчет)\b)"
)
_SUPPOSING: Final = re.compile(
    r"(?i)(?:if|suppose|supposing|imagine|assume|assuming|pretend|let['’]?s say|what if|unless|in case|"
    r"hypothetically|"
    r"если|допустим|предположим|представь\w*|вообрази\w*|пусть)\b"
)
_SUPPOSES: Final = (
    *("if i were", "if i was", "if i had", "i wish", "if only", "would have", "if you", "если бы", "вот бы"),
    *("хотелось бы", "was just kidding", "for example", "например"),
)
_HEDGES: Final = re.compile(
    r"(?i)\b(?:maybe|perhaps|probably|possibly|might|i think|i guess|i suppose|not sure|i believe|seems?|"
    r"apparently|allegedly|rumou?r|"
    r"может быть|возможно|наверное|наверно|кажется|вроде|видимо|думаю|не уверен\w*|вероятно|похоже|якобы)\b"
)
_CODE: Final = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_CITED: Final = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_QUOTED: Final = re.compile(
    r"\"[^\"\n]{2,600}+\"|“[^”\n]{2,600}+”|«[^»\n]{2,600}+»|"
    r"„[^“”\n]{2,600}+[“”]|(?<!\w)'[^'\n]{12,600}+'(?!\w)"
)


@lru_cache(maxsize=_RECENT)
def opened(sentence: str) -> str:
    """Return ``sentence`` without "By the way," and its like, and without "Remember that" before a statement."""
    rest = _begun(sentence)
    asked = _KEEP.match(rest)
    kept = rest[asked.end() :] if asked else rest
    if _NOT_A_NOTE.match(kept):
        return rest
    return kept.rstrip().removesuffix("?") if asked and _TELLS.match(asked[0]) else kept


def _begun(sentence: str) -> str:
    """Return ``sentence`` from where its first clause begins, after a greeting and "By the way,"."""
    return _OPENING.sub("", GREETED.sub("", sentence, count=1) if GREETED.match(sentence) else sentence)


@lru_cache(maxsize=_RECENT)
def speech_of(sentence: str) -> Speech:
    """Return what one sentence does; what cannot be told is a statement."""
    if is_trivial(sentence) or ONLY_GREETS.fullmatch(sentence.strip()):
        return Speech.SMALLTALK
    plain = opened(visible(sentence).strip())
    if is_question(plain):
        return Speech.QUESTION
    if _REQUEST.match(plain) or (REQUESTS.match(plain) and not asks_to_keep(sentence)):
        return Speech.REQUEST
    if _SUPPOSING.match(plain) or _holds(plain, _SUPPOSES):
        return Speech.HYPOTHESIS
    return Speech.STATEMENT


def is_question(sentence: str) -> bool:
    """Return whether a sentence asks, by its mark or, where people leave that out, by its first words."""
    plain = opened(sentence.strip())
    ending = plain.rstrip("\"'»”). ")
    if ending.endswith("!"):
        return False
    return (
        ending.endswith(("?", "؟", "？"))
        or WONDERS.match(plain) is not None
        or _ASKS.match(plain) is not None
        or _ASKS_NAMED.match(plain) is not None
        or _ASKS_RU.search(plain) is not None
    )


def _holds(sentence: str, phrases: tuple[str, ...]) -> bool:
    """Return whether one of ``phrases``, in small letters, stands in a sentence, not as a part of longer words."""
    folded = sentence.casefold()
    return any(phrase in folded and re.search(rf"\b{phrase}\b", folded) for phrase in phrases)


def asks_memory(sentence: str) -> bool:
    """Return whether a sentence asks to be told something without being a question: "Remind me where Vera lives"."""
    return _ASKS_MEMORY.match(opened(sentence.strip())) is not None


def asks_to_keep(sentence: str) -> bool:
    """Return whether a sentence asks to keep what it says: "Please remember that the key is with Vera"."""
    return _KEEP.match(_begun(sentence.strip())) is not None


def asks_to_forget(sentence: str) -> bool:
    """Return whether a sentence asks to forget something: "Forget my old address"."""
    return _FORGET.match(opened(sentence.strip())) is not None


def is_hedged(sentence: str) -> bool:
    """Return whether the speaker says that they are not sure."""
    return _HEDGES.search(sentence) is not None


def own_words(text: str) -> str:
    """Return ``text`` without code blocks and cited lines: what the author says themselves, line ends kept."""
    return _CITED.sub("", _CODE.sub("\n", visible(text)))


def unquoted(sentence: str) -> str:
    """Return ``sentence`` with quotations taken out: they are somebody else's words."""
    return _QUOTED.sub("…", sentence)
