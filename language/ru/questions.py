"""Questions of Russian."""

from __future__ import annotations

from typing import Final

from language.questions import QuestionPatterns
from language.words import vocabulary

_WORD: Final = (
    r"(?:(?:в|на|о|об|с|у|за|от|из|к|по|до|для|во|со)\s+)?(?:что|чем|чего|ч[её]м|где|куда|откуда|кто|кого|кому|кем|ком|"
    r"чей|чья|чь[её]|когда|как|каков\w*|как(?:ой|ая|ое|ие|ого|ую|ом|им|их)|сколько|скольких|почему|зачем|котор\w+)\b"
)
_WHETHER: Final = r"\S+\s+ли\b"

QUESTIONS: Final = QuestionPatterns(
    place=r"где|куда|откуда|в как(?:ом|ую|ой) (?:город|стран|мест|улиц)\w*|адрес",
    time=r"когда|во сколько|какого числа|в каком (?:году|месяце)|в какой день|с каких пор",
    number=(
        r"сколько|как(?:ой|ая|ое|ов)(?: \w+){0,4}? (?:номер|код|пин|телефон|размер|возраст|цена)|"
        r"(?:мой|наш)(?: \w+){0,2} (?:код|номер|пин|телефон)"
    ),
    person=r"кто|кого|кому|кем|чей|чья|чье|зовут|как(?:ое|ая)? (?:имя|кличка)",
    reason=r"почему|зачем|отчего",
    yes_no=r"\bли\b",
    place_words=vocabulary("город страна"),
    time_words=vocabulary("число числа день год году месяц месяце дня время"),
    person_words=vocabulary("зовут имя кличка кличку человек"),
    number_words=vocabulary("лет годов"),
    which=r"как(?:ой|ая|ое|ие|ую|ого)|в каком|на каком",
    about_asker=r"\b(?:обо мне|про меня|что ты (?:помнишь|знаешь)\??$)",
    own_name=r"как меня зовут|как мо[её] имя|кто я\b(?!\s+\w)",
    occupation=r"чем\s+(?:.*\s)?занима\w+(?:\s+[\w-]+){0,3}\W*$",
    occupied=vocabulary("занимается"),
    first_person=vocabulary("мой моя мое мои моего моей моему мою моих я мы мне меня наш наша наше нас нам"),
    asker=vocabulary("я мне меня мной"),
    begins=f"{_WORD}|{_WHETHER}",
    joins=vocabulary("и а"),
    too=vocabulary("ещё еще также"),
    continues=rf"(?:{_WORD})\s+\S|{_WHETHER}",
    listed=r"(?:как|сколько|почему|зачем|когда|как(?:ой|ая|ое|ие|ого))\s+\S+\s+\S",
    supposes="когда|если",
    refers=vocabulary("он она оно они его ее их ему ей им него нее них ним ней"),
)
