"""Requests in Russian to forget something."""

from __future__ import annotations

from typing import Final

from language.forgetting import ForgettingPatterns
from language.words import word_set

_PLEASE: Final = "пожалуйста|будь(?:те)? добры?"
_OBJECT: Final = r"\b(?P<object>.{1,500})"

FORGETTING: Final = ForgettingPatterns(
    please=_PLEASE,
    requests=(
        rf"(?:забудь|удали|сотри)(?:те)?{_OBJECT}",
        (
            r"(?:(?:не\s{1,3})?мо(?:жешь|жете|г(?:ла|ли)?\s{1,3}бы(?:\s{1,3}(?:ты|вы))?)|"
            r"прошу(?:\s{1,3}(?:тебя|вас))?)"
            rf"[,\s]{{1,3}}(?:(?:{_PLEASE})[,\s]{{1,3}})?(?:забыть|удалить|стереть){_OBJECT}"
        ),
        (
            r"(?:я\s{1,3})?(?:хочу|прошу|нужно),?\s{1,3}чтобы\s{1,3}(?:ты|вы)\s{1,3}(?:забыл|удалил|ст[её]р)[аи]?"
            rf"{_OBJECT}"
        ),
    ),
    favours=r"(?:не\s{1,3})?мо(?:жешь|жете|гл?[аи]?)",
    about="про|обо?",
    ours=r"мо[йяеёиюх]\w{0,2}|наш\w{0,3}|что|вс[её]",
    clauses="что|как|где|кто",
    denials=r"\b(?:не|ни|нет|никогда|ничего|кроме)\b",
    from_memory="из (?:своей )?памяти",
    empty_words=word_set("все этом этого этой эту него нее нем них"),
    sweeping_words=word_set("все забудь забыть удали"),
)
