"""Persons in Russian."""

from __future__ import annotations

from typing import Final

from language.persons import Persons
from language.words import word_set

PERSONS: Final = Persons(
    asker="[Яя]|[Мм]ой|[Мм]оя|[Мм]о[её]|[Мм]ои|моего|моей|моих|моему|моим|[Мм]не|меня|мной",
    speakers=r"[Яя]|[Мм]ы|[Мм]не|[Мм]еня|[Мм]о[йяеёи]|[Мм]оего|[Мм]оей|[Мм]оих|[Нн]ас|[Нн]аш\w*",
    first_person=word_set("я мне меня мной мой моя мое мои моего моей моих мою мы нас нам наш наша наше наши нашего"),
    listener="ты|вы|твой|твоя|твои|тебя|тебе|вас|вам",
    asks_what_was_answered=(
        r"\b(?:ты|вы)\s+(?:\w+\s+){0,2}(?:сказал\w*|говорил\w*|советовал\w*|посоветовал\w*|рекомендовал\w*|порекомендовал\w*|"
        r"предложил\w*|предлагал\w*|дал\w*|написал\w*)\b|\bнапомни\b"
    ),
    asks_what_was_told=r"\b[Яя]\s+(?:\w+\s+){0,2}(?:говорил\w*|сказал\w*|рассказывал\w*|упоминал\w*)\b",
    together="оба|обе|обоих|и",
    name_vowels="аяйеиоь",
)
