"""Tells what a sentence may be to a list, by its kind and its reading.

Finds what a correction makes of something that stands on a list: "no, 3 l", "не гречку, а рис".
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

from bot.features.lists import reading
from bot.features.lists.matching import asks_what_is_left, find_asked
from bot.features.lists.reading import Named, find_list
from bot.memory.learning.correction import find_contrasts, find_corrected_value, strip_opening
from bot.memory.learning.kinds import LIKELY, SURE, SentenceKind, decide_kind, tell_kinds
from bot.memory.learning.rewording import replace_kind, replace_value
from bot.memory.learning.speech_acts import is_question, puts_on_list
from bot.ports.lists import ListItem
from language.words import split_words

_MORE: Final = 1
"""Words that what is right has more: "Ben drinks tea, not coffee" tells of Ben."""


def may_amend(sentence: str, *, following: bool) -> bool:
    """Return whether a sentence corrects something; ``following``: the message before was about a list."""
    bare, strong, _ = strip_opening(sentence)
    return bool(find_contrasts(bare)) or (following and strong and bool(find_corrected_value(sentence)))


def find_amended(sentence: str, items: Sequence[ListItem], key: str | None) -> tuple[ListItem, str] | None:
    """Return the only one of ``items`` that a sentence corrects, and what it says from then on; ``None`` otherwise.

    What names no wrong value is about the list ``key`` alone, about none where that is ``None``.
    """
    pairs = [
        (wrong, right)
        for wrong, right in find_contrasts(strip_opening(sentence)[0])
        if len(right.split()) <= len(wrong.split()) + _MORE
    ]
    fits = [
        (item, new)
        for wrong, right in pairs
        for item in items
        if (new := replace_value(item.text, wrong, right, opened=True, last=True)) is not None
    ]
    if not pairs and key is not None:
        value = find_corrected_value(sentence).strip(" .!")
        beside = [item for item in items if item.key == key]
        fits = [(item, new) for item in beside if (new := replace_kind(item.text, value)) is not None]
    if len({item.id for item, _ in fits}) != 1:
        return None
    item, new = fits[0]
    return item, (new[:1].lower() if item.text[:1].islower() else new[:1]) + new[1:]


_HINT: Final = 0.2
"""From this probability of a question for a list on it is worth to look whether what a question names stands on one."""
_WANTED: Final = 0.3
"""From this probability on, no other kind being likelier, a sentence that says what is needed puts that on a list."""
_FOLLOWING: Final = 12
"""Words of a message that only names more of what was just put on a list."""

_BARE: Final = 3
"""Words of one that says so behind what it names."""


class Act(Enum):
    """What a sentence may be to a list; of the last two only what is there tells."""

    ADD = "add"
    TICK = "tick"
    SHOW = "show"
    MAY_TICK = "may tick"
    MAY_ASK = "may ask"


_ACTS: Final = {
    SentenceKind.LIST_ADD: Act.ADD,
    SentenceKind.LIST_DONE: Act.TICK,
    SentenceKind.LIST_SHOW: Act.SHOW,
}
_OTHERS: Final = frozenset(
    {
        *(SentenceKind.REMINDER, SentenceKind.REMINDER_CANCEL, SentenceKind.REMINDER_MOVE, SentenceKind.REMINDER_SHOW),
        SentenceKind.UNDO,
    }
)
"""What surely is one of these is nothing to a list."""
_ASKING: Final = frozenset({SentenceKind.LIST_SHOW, SentenceKind.QUESTION, SentenceKind.OVERVIEW})


def find_act(sentence: str, *, following: bool = False) -> tuple[Act, bool] | None:
    """Return what a sentence may be to a list, and whether that is sure; ``following``: so was the message before.

    Its kind decides where it is sure; else its words must speak of a list as well.
    """
    sure, likely = (decide_kind(sentence, least) for least in (SURE, LIKELY))
    named = find_list(sentence)
    over = reading.DONE.search(sentence) or reading.PAST.search(sentence) or reading.REMOVES.search(sentence)
    if sure is SentenceKind.LIST_DONE and reading.ONTO.search(sentence) and not over:
        return Act.ADD, True
    if sure in _ACTS:
        return _ACTS[sure], True
    if named is not None and (puts_on_list(sentence) or reading.begins_list(sentence) is not None):
        return Act.ADD, True
    if sure in _OTHERS:
        return None
    if named is not None:
        return _find_act_by_name(sentence, named, likely, told=sure is not None)
    found = _find_act_by_words(sentence, sure, likely, following=following and sure is None)
    return None if found is None else (found, False)


def _find_act_by_name(
    sentence: str, named: Named, likely: SentenceKind | None, *, told: bool
) -> tuple[Act, bool] | None:
    """Return what a sentence that names a list may be to it; ``told``: it surely is something else."""
    whole = not find_asked(sentence, named, ())[1]
    if is_question(sentence) or reading.ASKS_IF.match(sentence) or (likely in _ASKING and whole):
        return Act.SHOW, whole
    over = reading.DONE.search(sentence) or reading.REMOVES.search(sentence)
    if over and likely in (None, SentenceKind.FORGET, SentenceKind.CORRECTION, SentenceKind.LIST_DONE):
        return Act.TICK, False
    puts = reading.puts(sentence) or (reading.ONTO.search(sentence) and tell_kinds(sentence).measure(*_ACTS) >= LIKELY)
    if likely is SentenceKind.LIST_ADD or (puts and not told):
        return Act.ADD, False
    return (Act.SHOW, True) if whole else None


def _find_act_by_words(
    sentence: str, sure: SentenceKind | None, likely: SentenceKind | None, *, following: bool
) -> Act | None:
    """Return what a sentence without the name of a list may be to one."""
    on_it = reading.ASKS_IF.match(sentence) and reading.ON_IT.search(sentence)
    asks = (is_question(sentence) or on_it) and not reading.TICKS.search(sentence)
    if (asks or likely in _ASKING) and asks_what_is_left(sentence):
        return Act.SHOW
    if likely is SentenceKind.LIST_SHOW:
        return Act.SHOW
    over = reading.DONE.search(sentence) or reading.PAST.search(sentence)
    deed = over is not None and not sentence[: over.start()].strip()  # "talked to the vet"
    if asks or (likely is SentenceKind.QUESTION and not deed):
        hinted = tell_kinds(sentence).measure(SentenceKind.LIST_SHOW) >= _HINT
        return Act.MAY_ASK if over or hinted or on_it or reading.wants_bought(sentence) else None
    said = split_words(sentence)
    named = [word for word in said if word not in reading.FOLLOWS]
    following = following and reading.DENIES.isdisjoint(named[:1])  # "oh, not the buns"
    too = len(said) <= _BARE and not reading.FOLLOWS.isdisjoint(said[-1:])  # "nails too"
    more = too or not reading.FOLLOWS.isdisjoint(said[:1]) or reading.orders_to_put(sentence)
    follows = following and more and len(said) <= _FOLLOWING
    wanted = decide_kind(sentence, _WANTED) is SentenceKind.LIST_ADD
    wants = wanted and (following or reading.wants_bought(sentence))
    wants = wants or (likely is SentenceKind.LIST_ADD and reading.puts(sentence))
    if (follows or wants) and not reading.ASKS_IF.match(sentence):
        return Act.ADD
    forgets = sure is SentenceKind.FORGET
    removes = not reading.EVERYTHING.search(sentence) if forgets else reading.REMOVES.search(sentence)
    done = over and (reading.TICKS.search(sentence) or not reading.NOT_YET.search(sentence))
    seems = likely is SentenceKind.LIST_DONE and len(said) > 1
    return Act.MAY_TICK if done or removes or seems else None
