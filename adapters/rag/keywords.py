"""The words of a question that LightRAG should look for.

LightRAG asks a language model for them unless the client sends them, and its ``/query/data`` answers 500 when that
model finds none; so we always send our own, or use ``naive`` mode, which needs none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+(?:[-'’./@:+#&][^\W_]+)*")
_STOP: Final = frozenset(
    """
    a about after again all also am an and any are as at be been before being but by can cannot could did do does
    doing done down during each either else ever every few for from further get give go going got had has have having
    he her here hers herself him himself his how i if in into is it its itself just let me might more most must my
    myself need no nor not now of off on once one only or other our ours ourselves out over own please really same
    say says shall she should so some something such tell than thank thanks that the their theirs them themselves then
    there these they thing things this those through to too under until up us very was we were what whatever when
    where which while who whom whose why will with without would yes you your yours yourself yourselves know remember
    remind mention mentioned said told ok okay hi hello hey d ll m re s t ve don don't didn't doesn't isn't it's i'm
    i've i'd i'll what's where's who's when's that's can't won't let's you're
    а без бы был была были было быть в вам вас ваш весь во вот все всё всего вы где да даже для до его ее её если есть
    еще ещё же за здесь и из или им их к как какая какие каким какой какого какую ко когда кого кому кто куда ли мне
    меня мной мой моего моей моем моём моему мои моих мою моя моё мы на над надо наш наша не него нее неё нет ни них
    но ну о об обо один он она они оно от откуда очень по под почему при про раз с сам свой свою своей себя со так
    такой там те тебе тебя тем то тобой тогда того тоже той только том тот ту твой твоя твои твое твоё ты у уже чего
    чей чем что чтобы чья чьи эта эти это этого этой этом этот я зачем сколько скажи скажите помнишь помните напомни
    напомните знаешь расскажи пожалуйста спасибо привет говорил говорила сказал сказала можешь можно
    ним ней нём нем ними ими ей ему нам нами вами кем чему чём этими этих этому теми тому вся всю всех всем
    будет будут будешь ж б ведь лишь хотя либо кстати зовут называется
    """.split()  # noqa: SIM905 - two hundred quoted words would be no list to read
)
_WIDE: Final = re.compile(
    "[\u1100-\u11ff\u2e80-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffee"
    "\U00016fe0-\U00016fff\U0001aff0-\U0001b2ff\U00020000-\U0003fffd]"
)
_MOST_LOW: Final = 24
_MOST_HIGH: Final = 8
_LONGEST: Final = 120
_SHORTEST_QUERY: Final = 3
_SHORTEST_NAME: Final = 3


@dataclass(frozen=True, slots=True)
class Keywords:
    """``low``: names, codes and content words, for entities; ``high``: the question's phrases, for relations."""

    low: tuple[str, ...]
    high: tuple[str, ...]


def searchable(question: str) -> bool:
    """Whether LightRAG takes the question: at least three characters, where East Asian ones count as two."""
    question = question.strip()
    return len(question) + len(_WIDE.findall(question[:_SHORTEST_QUERY])) >= _SHORTEST_QUERY and bool(question)


def keywords(question: str) -> Keywords | None:
    """Return what to look for, ``None`` when the question holds nothing but function words.

    Low-level keywords come in this order: runs of capitalised words (names of several words), codes, the other content
    words; so that a cut hits the least telling.  A high-level keyword is a run of content words.
    Limits are LightRAG's: 64 per list, 512 characters each; ours are lower.
    """
    runs: list[list[str]] = [[]]
    previous_end = 0
    for match in _WORD.finditer(question):
        if not _is_gap(question[previous_end : match.start()]):
            runs.append([])
        previous_end = match.end()
        if _is_content(match.group(), starts=match.start() == len(question) - len(question.lstrip())):
            runs[-1].append(match.group()[:_LONGEST])
        else:
            runs.append([])
    runs = [run for run in runs if run]
    if not runs:
        return None
    words = [word for run in runs for word in run]
    names = [" ".join(name)[:_LONGEST] for run in runs for name in _names(run)]
    codes = [word for word in words if any(character.isdigit() for character in word)]
    phrases = [" ".join(words)[: 4 * _LONGEST], *(" ".join(run)[:_LONGEST] for run in runs if len(run) > 1)]
    return Keywords(_unique([*names, *codes, *words], _MOST_LOW), _unique(phrases, _MOST_HIGH))


def _is_gap(between: str) -> bool:
    return not between.strip()


def _is_content(word: str, *, starts: bool) -> bool:
    """A function word is one, unless it is written as a name ("Where does Will live?")."""
    if word.casefold().replace("’", "'") in _STOP and (starts or len(word) < _SHORTEST_NAME or not word.istitle()):
        return False
    return len(word) > 1 or word.isdigit() or bool(_WIDE.match(word))


def _names(run: list[str]) -> list[list[str]]:
    names: list[list[str]] = [[]]
    for word in run:
        if word[0].isupper():
            names[-1].append(word)
        else:
            names.append([])
    return [name for name in names if len(name) > 1]


def _unique(words: list[str], most: int) -> tuple[str, ...]:
    return tuple({word.casefold(): word for word in reversed(words)}.values())[::-1][:most]
