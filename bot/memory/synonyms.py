"""Makes different forms of one meaning equal: word endings, synonyms, and the commonest words of two languages.

Enough for "lives", "living", "moved to" and "живёт" to meet in one concept without a model.  The stemmer is light on
purpose: it may leave two forms apart, it must not throw two different words together.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from language.words import vocabulary, words

_RU_ENDING: Final = re.compile(
    r"(?:иями|ями|ами|ого|его|ому|ему|ыми|ими|иях|иям|ием|ией|ется|ются|ится|ятся|ешь|ишь|ете|ите|лась|лось|лись|"
    r"лся|ть|тся|ться"
    r"|ой|ей|ий|ый|ая|яя|ое|ее|ые|ие|ых|их|ую|юю|ом|ем|ам|ям|ах|ях|ов|ев|ет|ют|ит|ят|ут|ем|им|ла|ло|ли|ия|ию|ии|иё"
    r"|а|я|о|е|у|ю|ы|и|ь|й|л)$"
)
_LEAST_STEM: Final = 3
ALIKE: Final = 4
"""Letters that two :func:`alike` concepts have in common at their beginning."""

_GROUPS: Final = {
    "live": "live lives lived living reside resides move moves moved moving relocate relocated relocating "
    "address home based "
    "жить живу живет живут живем живешь жил жила жили живя проживает проживаю переехать переехал переехала переехали "
    "переезжает переезжаю адрес дом дома",
    "work": "work works worked working job jobs employer employed employs company profession occupation career "
    "работать работаю работает работают работал работала работа работу работы работе должность профессия "
    "компания компании "
    "устроился устроилась трудится",
    "name": "name names named call called calls nickname зовут звать имя имени кличка кличку называется фамилия",
    "birth": "born birth birthday birthdays рождения рождение родился родилась родились днюха",
    "age": "age aged old лет год года возраст старше",
    "study": "study studies studied studying university school college student учится учусь учиться училась учился "
    "университет университете школа школе студент студентка студенткой",
    "marry": "married marry marries marrying wedding spouse engaged женат замужем свадьба свадьбу женился женюсь "
    "супруг",
    "like": "like likes liked love loves loved enjoy enjoys prefer prefers preferred favourite favorite "
    "favourites favorites "
    "люблю любит любят любишь нравится нравятся обожаю обожает предпочитаю предпочитает любимый любимая любимое "
    "любимые "
    "любимого любимую",
    "dislike": "hate hates dislike dislikes ненавижу ненавидит",
    "allergy": "allergic allergy allergies аллергия аллергии аллергию аллергик",
    "own": "have has had own owns got есть имею имеет",
    "phone": "phone telephone mobile телефон телефона телефону тел мобильный",
    "mail": "email e-mail mail почта почты почту имейл",
    "book": "booking bookings reservation reserved booked бронь брони бронирование бронирования бронировании "
    "забронировал",
    "code": "code codes код кода коды кодом",
    "number": "number numbers номер номера номером",
    "sister": "sister sisters sis сестра сестры сестре сестру сестрой сестер сестренка",
    "brother": "brother brothers bro брат брата брату братом братья братишка",
    "mother": "mother mothers mom mum mommy mama мама мамы маме маму мамой мать матери матерью",
    "father": "father fathers dad daddy papa папа папы папе папу папой отец отца отцу отцом",
    "parent": "parent parents родители родителей родителям",
    "wife": "wife жена жены жене жену женой",
    "husband": "husband муж мужа мужу мужем",
    "son": "son sons сын сына сыну сыном",
    "daughter": "daughter daughters дочь дочери дочка дочки дочке дочку дочерью",
    "child": "child children kid kids ребенок ребенка дети детей детям",
    "grandmother": "grandmother grandma granny бабушка бабушки бабушке бабушку",
    "grandfather": "grandfather grandpa grandad дедушка дедушки дедушке дед деда",
    "aunt": "aunt auntie тетя тети тете тетю",
    "uncle": "uncle дядя дяди дяде дядю",
    "cousin": "cousin cousins кузен кузина кузины",
    "friend": "friend friends buddy друг друга другу другом друзья подруга подруги подруге подругу",
    "partner": "partner girlfriend boyfriend fiance fiancee партнер девушка девушки парень парня",
    "boss": "boss manager supervisor начальник начальника начальница босс босса шеф шефа",
    "colleague": "colleague colleagues coworker coworkers коллега коллеги коллеге",
    "neighbour": "neighbour neighbor neighbours neighbors сосед соседа соседка соседки соседи",
    "dog": "dog dogs puppy собака собаки собаке собаку собакой собак пес песик",
    "cat": "cat cats kitten кошка кошки кошке кошку кот кота котенок",
    "doctor": "doctor doctors dr врач врача врачу доктор доктора",
    "car": "car cars машина машины машину машине авто автомобиль",
    "city": "city town cities город города городе",
    "country": "country countries страна страны стране",
    "meeting": "meet meets met meeting meetings appointment appointments встречаемся встречаюсь встретимся "
    "встречаться встреча встречи встречу встрече",
    "flight": "flight flights рейс рейса самолет самолета вылет",
    "colour": "colour color colours colors цвет цвета",
    "food": "food foods meal еда еду блюдо",
    "plan": "plan plans planning планы план планирую",
    "decide": "decide decided decision decisions choose chose chosen agreed решил решила решили решение выбрали "
    "договорились",
    "buy": "buy buys buying bought purchase purchased купил купила купили покупка",
    "visit": "visit visits visited trip travel travelled traveled поездка ездил ездила съездил посетил",
}
_CONCEPT: Final = {form: name for name, forms in _GROUPS.items() for form in vocabulary(forms)}

PEOPLE: Final = vocabulary(
    "sister brother mother father parent wife husband son daughter child grandmother grandfather aunt uncle "
    "cousin friend "
    "partner boss colleague neighbour dog cat doctor"
)
"""Concepts for those who are near somebody: "my sister" and "Vera" may be the same."""

STOP_WORDS: Final = vocabulary(
    """
    a an the this that these those and or but if of in on at to for from with by as into about than then so too
    very just also is are am was were be been being do does did done doing have has had having can could will
    would shall should may might must get gets getting not no nor i me my mine myself you your yours he him his
    she her hers it its we us our ours they them their what which who whom whose where when why how there here
    again ever please tell know remember remind say said told give show s t re ve ll d m don doesn didn isn aren
    wasn what's who's where's when's how's i'm it's that's let lets let's some any much many one thing things
    something anything currently now still exactly ok okay hey hi well про насчет кого кому кем чем чего чему ком
    куда и в во на с со к ко у о об от до по за из под над при без для не ни да нет но а или же ли бы то это эта
    этот эти тот та те я меня мне мной мы нас нам мой моя мое мои моего моей моему моем моим моими моих мою ты
    тебя тебе твой твоя твое твои вы вас вам ваш ваша он его ему им она ее ей оно они их ними наш наша наше наши
    нашего нашей себя свой своя свое свои что кто где откуда когда как какой какая какое какие какого какую каком
    каков чей чья чье сколько почему зачем который которая был была было были есть быть будет буду уже еще там тут
    здесь так такой вот ну очень только даже скажи расскажи напомни помнишь знаешь пожалуйста говорил говорила
    сказал сказала сейчас сегодня
    """
)
"""Words that carry no subject of their own."""


@lru_cache(maxsize=8192)
def concept(word: str) -> str:
    """Return the meaning of a case-folded word: the name of its group, else its stem."""
    bare = word.removesuffix("'s").removesuffix("’s")
    return _CONCEPT.get(bare) or stem(bare)


def forms(meaning: str) -> tuple[str, ...]:
    """Return the beginnings that words of a concept can have, so that a text without any of them lacks the concept.

    At most four letters each: two words that are :func:`alike` share as many, or all of the shorter one.
    """
    known = vocabulary(_GROUPS.get(meaning, ""))
    return tuple(sorted({form[:ALIKE] for form in (meaning, *known)}))


def stem(word: str) -> str:
    """Return ``word`` without its inflection; codes and words with figures stay as they are."""
    if not word.isalpha() and any(c.isdigit() for c in word):
        return word
    if "а" <= word[:1] <= "я":
        short = _RU_ENDING.sub("", word)
        return short if len(short) >= _LEAST_STEM else word
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", "")):
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM and not word.endswith(("ss", "us", "is")):
            return word[: len(word) - len(ending)] + instead
    return word


def meanings(text: str) -> tuple[str, ...]:
    """Return the concepts of the words of ``text`` that carry meaning, in order, with repetitions."""
    return tuple(
        concept(word) for word in words(text) if word not in STOP_WORDS and word.removesuffix("'s") not in STOP_WORDS
    )


def alike(one: str, other: str) -> bool:
    """Return whether two concepts are the same up to an ending that the stemmer left, with four letters in common."""
    if one == other:
        return True
    if one[:ALIKE] != other[:ALIKE]:
        return False
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    return len(short) >= ALIKE and long.startswith(short) and len(long) - len(short) <= len(short)
