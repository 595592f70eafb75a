"""The words of lists in all languages, tried together, as people mix languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from bot.memory.patterns import compile_bounded
from bot.memory.synonyms import STOP_WORDS
from language import alternatives, languages
from language.lists import ListWords

ALL: Final = tuple(each.lists for each in languages())
FLEETING: Final = compile_bounded(alternatives(each.fleeting for each in ALL if each.fleeting))


def _compile(find: Callable[[ListWords], str]) -> re.Pattern[str]:
    return compile_bounded(rf"(?<!\w){alternatives(filter(None, map(find, ALL)))}(?!\w)", re.IGNORECASE)


DONE: Final = _compile(lambda each: each.done)
REMOVES: Final = _compile(lambda each: each.removes)
ONTO: Final = _compile(lambda each: each.onto)
TICKS: Final = _compile(lambda each: each.ticks)
DEEDS: Final = {past: verb for each in ALL for past, verb in each.deeds.items()}
PREFIX: Final = compile_bounded(alternatives(each.prefixes for each in ALL if each.prefixes))
SEVERAL: Final = _compile(lambda each: each.several)
PAST: Final = _compile(lambda each: each.past)
ASKS_IF: Final = _compile(lambda each: each.asks_if)
ON_IT: Final = _compile(lambda each: each.on_it)
NOT_YET: Final = _compile(lambda each: each.open)
EVERYTHING: Final = _compile(lambda each: each.everything)
LEFT: Final = _compile(lambda each: each.left)
BUT: Final = _compile(lambda each: each.but)
LIKE: Final = _compile(lambda each: each.instead_of_more)
TASK: Final = compile_bounded(alternatives(each.tasks for each in ALL if each.tasks), re.IGNORECASE)
_JOINS: Final = alternatives(each.joins for each in ALL if each.joins)
BREAKS: Final = compile_bounded(rf"[;\n•]|,(?!\d)|(?<!\d),|(?<=\s)[&+](?=\s)|(?<!\w){_JOINS}(?!\w)", re.IGNORECASE)
ASKS_WITH: Final = compile_bounded(
    rf"(?<!\w){alternatives(each.speech.asks_with for each in languages() if each.speech.asks_with)}(?!\w)",
    re.IGNORECASE,
)


def _join(find: Callable[[ListWords], frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*map(find, ALL))


ARTICLES: Final = _join(lambda each: each.articles)
MEASURES: Final = _join(lambda each: each.measures)
TELLS_NOTHING: Final = STOP_WORDS | ARTICLES
BUYS: Final = _join(lambda each: each.buys)
_FRAMES: Final = _join(lambda each: each.frames)
PUTS: Final = _join(lambda each: each.puts)
FOLLOWS: Final = _join(lambda each: each.follows)
DENIES: Final = _join(lambda each: each.denies)
AROUND_TICKED: Final = _FRAMES | FOLLOWS | DENIES
AROUND_HEADED: Final = _FRAMES | FOLLOWS
AROUND_TASKS: Final = _FRAMES | FOLLOWS | PUTS
AROUND_MADE: Final = AROUND_TASKS | _join(lambda each: each.makes)
AROUND_ADDED: Final = AROUND_TASKS | BUYS
AROUND_ASKED: Final = _FRAMES | _join(lambda each: each.asks)
