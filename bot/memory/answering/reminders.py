"""Whether a message asks to be reminded of something later, which nobody here can do yet.

"Remind me where Vera lives" asks for what is remembered; only an errand or a time makes it a reminder.
Sentences are cut first and each is matched from its beginning, with bounded repetition: time grows with the text.
"""

from __future__ import annotations

import re
from typing import Final

_SENTENCES: Final = 50
_SENTENCE: Final = 300
"""Characters of a sentence that are looked at: who asks for a reminder says so at its beginning."""
_BREAKS: Final = re.compile(r"[.!?;\n]")

_EN_ASK: Final = (
    r"(?:(?:please|pls|hey|hi|ok|okay|and|also|then|so|can|could|would|will|you|i want you to|i need you to|"
    r"i would like you to|i'd like you to|don't forget to|do not forget to)\b[, ]{1,3}){0,6}"
)
_EN_WHEN: Final = (
    r"(?:today|tonight|tomorrow|later|next|every|daily|weekly|monthly|again|before|after|at|in|by|"
    r"on (?:mon|tues|wednes|thurs|fri|satur|sun)day|on the|on \d)\b"
)
_EN: Final = (
    rf"remind (?:me|us) (?:please )?(?:to\b|{_EN_WHEN})",
    rf"remind (?:me|us) (?:about|of|that)\b[^,]{{1,80}}?\b{_EN_WHEN}",
    (
        r"(?:set|create|make|add|schedule|start) (?:me |us )?(?:up )?(?:an? |the |another )?(?:\w{1,20} ){0,2}"
        r"(?:reminder|alarm|timer)\b"
    ),
    rf"(?:wake|ping|nudge|alert|notify) (?:me|us) (?:up )?{_EN_WHEN}",
    r"(?:don't|do not) let (?:me|us) forget to\b",
)
_RU_ASK: Final = (
    r"(?:(?:пожалуйста|привет|а|и|ещё|еще|можешь|можете|сможешь|мог бы ты|могла бы ты|не забудь|не забудьте)\b"
    r"[, ]{1,3}){0,5}"
)
_RU_WHEN: Final = (
    r"(?:сегодня|завтра|послезавтра|через|утром|дн[её]м|вечером|ночью|позже|потом|кажд\w{1,4}|в \d|"
    r"во? (?:понедельник|вторник|сред|четверг|пятниц|суббот|воскресень)|\d{1,2} \w{3,9}|за (?:час|день|\d))"
)
_RU_QUESTION: Final = (
    r"(?:что|чего|где|кто|кого|кому|когда|куда|откуда|как|какой|какая|какое|какие|почему|зачем|сколько|чей|чья)\b"
)
_RU: Final = (
    (
        r"напомни(?:ть|те|шь)?\b(?:[, ]{1,2}(?:мне|нам|пожалуйста)\b){0,2}[, ]{1,2}"
        rf"(?!{_RU_QUESTION})(?:[^, ]{{1,30}}[, ]{{1,2}}){{0,6}}?(?:{_RU_WHEN}|\w{{2,20}}(?:ть|ти|чь|ться|тись)\b)"
    ),
    r"(?:поставь|заведи|создай|включи|сделай)(?:те)? (?:мне |нам )?(?:\w{1,20} ){0,2}(?:напоминание|будильник|таймер)",
    r"не (?:дай|дайте) (?:мне |нам )?забыть\b",
    r"разбуди(?:те)? (?:меня|нас)\b",
)
_DE_ASK: Final = (
    r"(?:(?:bitte|hallo|und|auch|kannst|könntest|könnten|können|würdest|du|sie|vergiss nicht|mich|daran)\b"
    r"[, ]{1,3}){0,7}"
)
_DE_WHEN: Final = r"(?:daran|an|heute|morgen|übermorgen|später|um|in|am|jeden|jede|vor|nach|rechtzeitig)\b"
_DE: Final = (
    rf"erinner(?:e|n sie)? (?:mich|uns) (?:bitte )?{_DE_WHEN}",
    rf"{_DE_WHEN}[^,]{{0,120}}? (?:zu )?erinnern\b",
    (
        r"(?:stell|mach|setz)(?:en?)? (?:sie )?(?:mir |uns )?(?:bitte )?(?:einen?|de[nr]|die) (?:\w{1,20} ){0,2}"
        r"(?:wecker|timer|erinnerung)\b"
    ),
    r"weck(?:e|en sie)? (?:mich|uns)\b",
)
_PATTERNS: Final = tuple(
    re.compile(f"{ask}(?:{pattern})", re.IGNORECASE)
    for ask, patterns in ((_EN_ASK, _EN), (_RU_ASK, _RU), (_DE_ASK, _DE))
    for pattern in patterns
)


def wants_reminder(text: str) -> bool:
    """Return whether a sentence of the text asks for a reminder, an alarm or a timer (English, Russian, German)."""
    sentences = (sentence.strip(" \t\"'«»—-")[:_SENTENCE] for sentence in _BREAKS.split(text[: _SENTENCES * _SENTENCE]))
    looked_at = [sentence for sentence in sentences if sentence][:_SENTENCES]
    return any(pattern.match(sentence) for sentence in looked_at for pattern in _PATTERNS)
