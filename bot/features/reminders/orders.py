"""Orders about reminders that are set: which one is meant to be cancelled, moved or shown, and what is done to it.

One is found by words of its text, by its time, or because it was made or said last; exactly one found is changed, and a
button puts back what it was.  What several may be meant by is shown, each with a button that does it.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from enum import Enum
from functools import cache
from itertools import pairwise
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.shown import choose, split_places
from bot.features.reminders.requests import ReminderRequests, Request, is_on, list_plans
from bot.features.reminders.wording import write_exactly
from bot.memory.concepts import ALIKE, STOP_WORDS, find_concept, is_alike, is_slip, list_concepts
from bot.memory.learning.correction import find_contrasts, find_corrected_value
from bot.memory.learning.kinds import LIKELY, SURE, SentenceKind, decide_kind, tell_kinds, tell_order
from bot.memory.learning.orders import OUTCOMES, Role
from bot.memory.learning.rewording import PREPOSITIONS
from bot.memory.learning.speech_acts import (
    is_trivial,
    list_telling_sentences,
    manages_reminders,
    puts_on_list,
    strip_greeting,
    wants_reminder,
)
from bot.memory.patterns import compile_bounded, compile_words
from bot.ports.reminders import Reminder
from bot.ports.when import Plan, Repetition, Unit, WhenReading, localise
from language import alternatives, languages
from language.schedule import ReminderPatterns
from language.words import fold

_WORDS: Final = re.compile(r"[^\W_]+(?:[:.'’/-][^\W_]+)*\.?")
_CLAUSE: Final = re.compile(r"[,;]\s+|\s[–—-]\s")
_NUMBERS: Final = re.compile(r"\d+(?:[:.]\d\d)?(?!\d)")
_LAST_PLACE: Final = -1
_KEEPS: Final = compile_words(lambda each: each.reminders.keeps)
_THINGS: Final = compile_words(lambda each: each.reminders.things)
_MOST_WORDS: Final = 30
"""Of an order; who says more tells a story."""
_FEW: Final = 5
"""Words that name a thing."""
_MOST_BESIDE: Final = 12
"""Of a message that only names a time."""
_LITTLE: Final = 2
"""Words that stand beside the time of a clause that is about nothing else."""
_SPAN: Final = 6
"""Words of a time."""
_HALF_DAY: Final = timedelta(hours=12)
_MINUTE: Final = timedelta(minutes=1)
_LITTLE_BEFORE: Final = timedelta(hours=2)
_DAY: Final = 24
_MORNING: Final = time(6)
_NOON: Final = time(12)


class Act(Enum):
    """What is wanted of reminders."""

    CANCEL = "cancel"
    MOVE = "move"
    SHOW = "show"


_ACTS: Final = {
    SentenceKind.REMINDER_CANCEL: Act.CANCEL,
    SentenceKind.REMINDER_MOVE: Act.MOVE,
    SentenceKind.REMINDER_SHOW: Act.SHOW,
}


@dataclass(frozen=True, slots=True)
class Order:
    """A sentence that is about reminders; ``sure`` where it surely is, ``named`` where it calls them that.

    ``likely`` says that its act is, and not only that it is about them.  ``numbers`` are those of the reminders that it
    means by their place among what was shown.  ``beside`` is what stands behind an order: why, or which one.
    ``done`` says that it tells what was done, and orders nothing itself; ``nameless`` that it is read to name nothing.
    """

    act: Act
    sentence: str
    sure: bool
    named: bool = False
    likely: bool = True
    numbers: tuple[int, ...] = ()
    beside: str = ""
    done: bool = False
    nameless: bool = False


@dataclass(frozen=True, slots=True)
class Description:
    """What an order says of the reminder that it means.

    ``words`` are concepts that may stand in its text, ``before`` its time as it is now, ``to`` the new one as it was
    written or ``by`` the length of time that it comes later, ``every`` whether all of them are meant.
    """

    words: tuple[str, ...]
    before: WhenReading | None = None
    to: str = ""
    by: timedelta | None = None
    every: bool = False


def find_order(text: str, *, only_sure: bool) -> Order | None:
    """Return what a message wants of reminders and says nothing else, ``None`` for any other.

    ``only_sure``: by its kind, not by a pattern alone.
    """
    said = list_telling_sentences(text)
    if len(said) != 1 or len(said[0].split()) > _MOST_WORDS:
        return None
    sentence = strip_greeting(said[0].strip())
    kinds = tell_kinds(said[0])
    shares = {act: kinds.measure(kind) for kind, act in _ACTS.items()}
    done = kinds.measure(SentenceKind.LIST_DONE) >= SURE
    likely = max(shares, key=shares.__getitem__)
    sure = shares[likely] >= SURE
    if (only_sure and not sure) or (likely is not Act.MOVE and _KEEPS.search(sentence)):
        return None
    named = manages_reminders(sentence, any_set=True)
    if likely is Act.SHOW and named and _read_act(sentence.partition(" ")[0]) is Act.CANCEL:
        likely = Act.CANCEL  # "strike all reminders"
    if (alone := _find_cancelling(sentence)) is not None or sure:
        nameless = likely is Act.MOVE and bool(kinds.order.parts) and not kinds.order.pick(*OUTCOMES)
        return alone or Order(likely, sentence, True, named or bool(_THINGS.search(sentence)), nameless=nameless)
    clause = sentence.partition(",")[0]  # "delete the last reminder, he is not coming"
    if _THINGS.search(clause) and split_places(clause)[0] == (_LAST_PLACE,) and (act := _read_act(clause)) is not None:
        return Order(act, clause, True, True)
    if named:
        act = _read_act(sentence) or (likely if shares[likely] >= LIKELY else Act.SHOW)
        return Order(act, sentence, True, named)
    about, act = done or sum(shares.values()) >= LIKELY, Act.CANCEL if done else likely
    return Order(act, sentence, False, likely=done or shares[act] >= LIKELY, done=done) if about else None


def _find_cancelling(sentence: str) -> Order | None:
    """Return the order of a clause to cancel a reminder that it calls nothing else, with what stands beside it."""
    clauses = [each.strip() for each in _CLAUSE.split(sentence)]
    for place, clause in enumerate(clauses if len(clauses) > 1 else ()):
        order = _THINGS.search(clause) is not None and manages_reminders(clause, any_set=True)
        if order and _read_act(clause) is Act.CANCEL and all(map(_says_nothing, _list_words(clause))):
            beside = ", ".join(each for other, each in enumerate(clauses) if other != place)
            more = wants_reminder(beside) or _read_act(beside) is Act.MOVE or puts_on_list(beside)
            return None if more else Order(Act.CANCEL, clause, True, True, beside=beside)
    return None


def _list_words(text: str) -> list[str]:
    return [fold(each[0]).rstrip(".") for each in _WORDS.finditer(text)]


def find_placed_order(text: str, numbers: tuple[int, ...]) -> Order | None:
    """Return what a message wants of reminders that it names by their place alone, ``None`` for any other.

    ``numbers`` are those that were shown last, in their order: "cancel the second one".
    """
    said = list_telling_sentences(text)
    if not numbers or len(said) != 1 or len(said[0].split()) > _MOST_BESIDE:
        return None
    places, rest = split_places(said[0])
    chosen = choose(numbers, places)
    kind = decide_kind(said[0])
    act = _read_act(rest) or (Act.CANCEL if kind is SentenceKind.FORGET else _ACTS.get(kind) if kind else None)
    return Order(act, strip_greeting(rest.strip()), sure=True, named=True, numbers=chosen) if chosen and act else None


def find_shown_order(text: str, shown: Sequence[Reminder], read: Callable[[str], WhenReading | None]) -> Order | None:
    """Return the order to cancel those of the reminders shown last that all its words name, ``None`` for any other."""
    said = list_telling_sentences(text)
    if len(said) != 1 or len(said[0].split()) > _MOST_BESIDE or _read_act(said[0]) is not Act.CANCEL:
        return None
    order = Order(Act.CANCEL, strip_greeting(said[0].strip()), sure=True, named=True)
    words = describe(order, read)
    numbers = tuple(each.number for each in shown if names_all(words, (each,)))
    return replace(order, numbers=numbers) if numbers else None


def complete_time(text: str, said: str, read: Callable[[str], WhenReading | None]) -> str:
    """Return the time of a request with the number of its correction in it: "no, 3" behind "in 2 hours".

    "" where the correction says more, or a time of its own.
    """
    spans = [said[slice(*each)] for each in _find_times(said, [each.span() for each in _WORDS.finditer(said)], read)]
    times, numbers = [each for each in spans if not each.isdigit()], _NUMBERS.findall(text)
    if len(times) != 1 or len(numbers) != 1 or not (plans := list_plans(read(times[0]))):
        return ""
    now = next((start.plan.local - _MINUTE for _, start in _list_minutes(read) if start.plan is not None), None)
    hour = plans[0].local if plans[0].assumed else None  # "in 3 days": now, on another day
    lasts = plans[0].passes or (None not in (now, hour) and f"{now:%H:%M}" == f"{hour:%H:%M}")
    length = _find_length(text, [each.span() for each in _WORDS.finditer(text)], read) if lasts else None
    span = text[slice(*length[0])] if length is not None else numbers[0]
    marks = set(_list_words(times[0])) | (frozenset() if lasts else _list_onto())
    beside = [word for word in _list_words(text.replace(span, " ")) if word not in marks]
    own = not lasts and (plans[0].assumed or find_only_time(text, read) not in ("", numbers[0]))
    if own or not all(
        not PREPOSITIONS.fullmatch(each) and (_says_nothing(each) or is_trivial(each)) for each in beside
    ):
        return ""
    if length is not None:
        news = [f"{each.within} {span}" for each, _ in _list_minutes(read)]
    else:
        news = [_NUMBERS.sub(span, times[0])] if len(_NUMBERS.findall(times[0])) == 1 else []
    told = next(((each, plans) for each in news if _is_time(read(each)) and (plans := list_plans(read(each)))), None)
    if told is None or (not lasts and ":" not in span and told[1][0].local.minute):
        return ""  # "9" behind "half 8" is no half past nine
    return told[0]


def _read_act(sentence: str) -> Act | None:
    """Return what the words of a sentence say that is wanted of reminders, ``None`` where they say neither."""
    return next((act for act, pattern in _compile_acts() if pattern.search(sentence)), None)


@cache
def _compile_acts() -> tuple[tuple[Act, re.Pattern[str]], ...]:
    words = [each.reminders for each in languages()]
    forms = ((Act.MOVE, [each.moves for each in words]), (Act.CANCEL, [each.cancels for each in words]))
    return tuple((act, compile_bounded(rf"(?<!\w){alternatives(form)}(?!\w)", re.IGNORECASE)) for act, form in forms)


@cache
def _compile_every() -> re.Pattern[str]:
    every = alternatives(each.reminders.every for each in languages())
    return compile_bounded(rf"(?<!\w){every}(?!\w)", re.IGNORECASE)


@cache
def _list_order_words() -> frozenset[str]:
    return STOP_WORDS.union(*(each.reminders.order_words | each.reminders.onto for each in languages()))


@cache
def _list_onto() -> frozenset[str]:
    return frozenset[str]().union(*(each.reminders.onto for each in languages()))


def cut_reason(text: str, read: Callable[[str], WhenReading | None]) -> tuple[str, str]:
    """Return a text to the end of its new time, and the clauses behind it that say why: "at 9, I sleep in".

    The reason is "" where they may as well order something, or name it.
    """
    ends = [each.span() for each in _CLAUSE.finditer(text)]
    starts = [0, *(end for _, end in ends)]
    stops = [*(start for start, _ in ends), len(text)]
    last = -1
    for place, span in enumerate(zip(starts, stops, strict=True)):
        new, only = _read_clause(text[slice(*span)], read)
        if only or (new and last < 0):
            last = place
    end = stops[last] if 0 <= last < len(ends) else len(text)
    for part in tell_order(text).pick(Role.REASON):  # "to 4 I am asleep till 3"
        if text.endswith(part) and _read_clause(text[: -len(part)], read)[0]:
            end = min(end, len(text) - len(part))
    reason = _CLAUSE.sub("", text[end:], count=1).strip()
    words = [each.span() for each in _WORDS.finditer(reason)]
    dated = any(start == words[0][0] for start, _ in _find_times(reason, words, read))
    names = _names_thing(reason) and not dated  # "on Sunday we are away"
    orders = wants_reminder(reason) or _read_act(reason) or puts_on_list(reason) or names
    return (text, "") if not reason or orders else (text[:end].strip(), reason)


def name_alarm(text: str, woken: str) -> str:
    """Return what a new alarm is called that a message orders, ``woken`` by "wake me", "" for any other message.

    It moves no other alarm, unless it says so: "wake me at 7 instead".
    """
    said = strip_greeting(text.strip())
    found = _compile_alarms().match(said)
    if found is None or _read_act(said) is Act.MOVE or find_contrasts(said) or find_corrected_value(text):
        return ""
    return found["alarm"] or woken


@cache
def _compile_alarms() -> re.Pattern[str]:
    words = [each.schedule for each in languages()]
    asks, wakes = alternatives(each.lead for each in words), alternatives(each.wakes for each in words)
    alarms = alternatives(each.timers for each in words)
    named = rf"(?:(?:{wakes})|(?P<alarm>{alarms}))(?!\w)"
    return compile_bounded(rf"(?={asks}(?!\w))(?:[^.?!]{{0,40}}?(?<!\w))??{named}", re.IGNORECASE)


def find_reasoned_move(text: str, read: Callable[[str], WhenReading | None]) -> Order | None:
    """Return the order to move something that stands before the reason for it, ``None`` for any other text."""
    if _read_act(text) is not Act.MOVE:
        return None
    sentence, beside = cut_reason(text, read)
    return Order(Act.MOVE, sentence, sure=False, beside=beside) if beside and _read_act(sentence) else None


def _read_clause(clause: str, read: Callable[[str], WhenReading | None]) -> tuple[bool, bool]:
    """Return whether a clause names a new time, and whether it does little else than name one: "no, on Friday"."""
    words = [each.span() for each in _WORDS.finditer(clause)]
    times = _find_times(clause, words, read)
    left = [fold(clause[slice(*each)]).rstrip(".") for each in words if not _is_within(each, times)]
    only = bool(times) and times[-1][1] == words[-1][1] and len(left) <= _LITTLE
    return any(not _is_old(clause, each) for each in times), only


def describe(order: Order, read: Callable[[str], WhenReading | None]) -> Description:
    """Return what an order says of the reminder that it means; ``read`` reads a text that is nothing but a time."""
    sentence = _write_days(order.sentence)
    found = [(each.start(), each.end()) for each in _WORDS.finditer(sentence)]
    spans = _find_times(sentence, found, read)
    new = [each for each in spans if not _is_old(sentence, each)]
    to = new[-1] if new and order.act is Act.MOVE else None
    by, hour = None, _join_hour(sentence, new, read) if to else ""
    if order.act is Act.MOVE and to is None:
        if (length := _find_length(sentence, found, read)) is not None:
            spans, by = [length[0]], length[1]
        elif (bare := _find_hour(sentence, found, read)) is not None:
            spans, hour = [bare[0]], bare[1]
    times = list(spans)
    spans = [each for each in spans if each != to]
    left = [fold(sentence[slice(*each)]).rstrip(".") for each in found if not _is_within(each, times)]
    return Description(
        words=tuple(dict.fromkeys(find_concept(word) for word in left if not _says_nothing(word))),
        before=read(sentence[slice(*spans[-1])]) if spans and by is None and not hour else None,
        by=by,
        to=hour or (sentence[slice(*to)] if to is not None else ""),
        every=bool(_compile_every().search(sentence)),
    )


def names_any(order: Order, reminders: Sequence[Reminder]) -> bool:
    """Return whether any word of an order stands in the text of a reminder: where none does no time needs be read."""
    concepts = {find_concept(word) for word in _list_words(_write_days(order.sentence)) if not _says_nothing(word)}
    return any(_names(concept, each) for each in reminders for concept in concepts)


def names_all(said: Description, reminders: Sequence[Reminder]) -> bool:
    """Return whether all words of an order stand in the text of the only reminder that may be meant."""
    return len(reminders) == 1 and bool(said.words) and all(_names(word, reminders[0]) for word in said.words)


def drop_idle(said: Description, reminders: Sequence[Reminder]) -> Description:
    """Return what an order says that is read to name nothing without the words that stand in no reminder."""
    return replace(said, words=tuple(word for word in said.words if any(_names(word, each) for each in reminders)))


def _write_days(sentence: str) -> str:
    """Return a sentence in which a day of the month that stands behind "move it to" is one that can be read."""
    for pattern, day in _compile_dates():
        sentence = pattern.sub(day, sentence)
    return sentence


@cache
def _compile_dates() -> tuple[tuple[re.Pattern[str], str], ...]:
    dates = [each for language in languages() for each in language.reminders.dates]
    return tuple((compile_bounded(pattern, re.IGNORECASE), day) for pattern, day in dates)


def _says_nothing(word: str) -> bool:
    parts = re.split(r"['’]", word)
    return all(part in _list_order_words() for part in parts) or _compile_every().fullmatch(word) is not None


def _is_within(word: tuple[int, int], spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= word[0] and word[1] <= end for start, end in spans)


def _is_old(sentence: str, span: tuple[int, int]) -> bool:
    """Return whether a time is not the new one by a word before it, or by its first: "at 7 instead of 6"."""
    words = {*sentence[: span[0]].lower().split()[-1:], *sentence[slice(*span)].lower().split()[:1]}
    return any(words & each.reminders.rather_than for each in languages())


def _find_times(
    sentence: str, words: Sequence[tuple[int, int]], read: Callable[[str], WhenReading | None]
) -> list[tuple[int, int]]:
    """Return where times stand, the longest that begins first, in their order; a word before the new one parts two."""
    spans: list[tuple[int, int]] = []
    at, moves = 0, _read_act(sentence) is Act.MOVE
    while at < len(words):
        most = next((n for n in range(at + 1, len(words)) if _is_onto(sentence, words[n])), len(words))
        ends = range(min(at + _SPAN, len(words)), at, -1)
        timed = (end for end in ends if _is_time(read(sentence[words[at][0] : words[end - 1][1]])))
        end = next((end for end in timed if end <= most or not moves), at)
        if end > at:
            spans.append((words[at][0], words[end - 1][1]))
        at = max(end, at + 1)
    return spans


def find_only_time(text: str, read: Callable[[str], WhenReading | None], new: Sequence[str] = ()) -> str:
    """Return the time that a text names, "" where it says more than that, or names several: "actually Friday".

    What is read as a ``new`` value is an hour: "let's say ten".
    """
    words = [(each.start(), each.end()) for each in _WORDS.finditer(text)]
    spans = _find_times(text, words, read) if len(words) <= _MOST_BESIDE else []
    beside = [span for span in words if not _is_within(span, spans)]
    times = [text[slice(*each)] for each in spans if not _is_old(text, each)]
    if not spans and (hour := _find_hour(text, words, read, new)) is not None:
        beside, times = [span for span in words if span != hour[0]], [hour[1]]
    said = (text[slice(*each)] for each in beside)
    only = len(times) == max(len(spans), 1) == 1 and all(_says_nothing(fold(word)) or is_trivial(word) for word in said)
    return times[0] if only else ""


@dataclass(frozen=True, slots=True)
class OtherTime:
    """The one time of a message at which a reminder does not come, as it is written.

    ``alone``: its clause names nothing else, ``whole``: nor does the message; ``instead``: it says the former, too.
    """

    to: str
    alone: bool
    whole: bool
    instead: bool


def find_other_time(
    text: str, reminder: Reminder, read: Callable[[str], WhenReading | None], now: datetime
) -> OtherTime | None:
    """Return the other time of a text: "at 6 I am still at work, at 8"; ``None`` for none, or several.

    What is read as a reason counts only where nothing else names one.
    """
    clauses = [each for sentence in list_telling_sentences(text) for each in _CLAUSE.split(sentence)]
    orders = [tell_order(each) for each in list_telling_sentences(text)]
    reasons = [part for each in orders for part in each.pick(Role.REASON)]

    def list_said(new: Sequence[str]) -> list[tuple[str, str]]:
        return [(clause, each) for clause in clauses for each in _list_times(clause, read, new)]

    former = any(_keep_at((reminder,), read(each), now) for _, each in list_said(()))
    new = [part for each in orders for part in each.pick(Role.NEW)]
    new = [each for each in new if not each.isdigit() or (former and int(each) < _DAY)]  # "not 9 euros, 12"
    said = list_said(new)
    fresh = [one for one in said if list_plans(when := read(one[1])) and not _keep_at((reminder,), when, now)]
    alone = [one for one in fresh if find_only_time(one[0], read, new)]
    plain = [one for one in fresh if not any(one[0].strip() in each for each in reasons)]
    [(_, to), *others] = found if (found := (alone if len(alone) == 1 else plain or fresh)) else [("", "")]
    if not to or others:
        return None
    return OtherTime(to, bool(alone), len(clauses) == 1 and bool(alone), len(said) > len(fresh))


def _list_times(clause: str, read: Callable[[str], WhenReading | None], new: Sequence[str]) -> list[str]:
    """Return the times of a clause, or the hour that it says by a word before it, or that is ``new``: "to ten"."""
    words = [each.span() for each in _WORDS.finditer(clause)]
    hour = _find_hour(clause, words, read, new)
    return [clause[slice(*each)] for each in _find_times(clause, words, read)] or ([hour[1]] if hour else [])


def find_marked_time(text: str, read: Callable[[str], WhenReading | None]) -> str:
    """Return the new time of a text by what is read of its words, "" for none: "they shut at 5, rather 4 o'clock"."""
    order = tell_order(text)
    new, times = (order.pick(role) for role in (Role.NEW, Role.TIME))
    left = text
    for reason in order.pick(Role.REASON):
        left = left.replace(reason, " ")
    rights = (right for _, right in find_contrasts(left.strip(" ,")))
    texts = (*new, *rights, left, *(times if len(times) == 1 else ()))
    found = (find_only_time(each, read) for each in texts)
    return next((each for each in found if each and not _CLAUSE.search(each)), "")  # "at 6, 5:30" may be either


def _find_hour(
    sentence: str,
    words: Sequence[tuple[int, int]],
    read: Callable[[str], WhenReading | None],
    new: Sequence[str] = (),
) -> tuple[tuple[int, int], str] | None:
    """Return where an hour stands that only the word before it tells to be one, and how it reads: "to ten"."""
    ats = [each.reminders.at for each in languages() if each.reminders.at]
    for before, hour in pairwise([(0, 0), *words]):
        text = sentence[slice(*hour)]
        text = text if _is_onto(sentence, before) or text in new else ""
        told = next((f"{at} {text}" for at in ats if text and _is_time(read(f"{at} {text}"))), "")
        if told:
            return hour, told
    return None


def _join_hour(sentence: str, spans: Sequence[tuple[int, int]], read: Callable[[str], WhenReading | None]) -> str:
    """Return a day and the hour behind it as one time where both are the new one: "на вторник на 15"."""
    for day, hour in tuple(pairwise(spans))[-1:]:
        before, (first, *rest) = sentence[: day[1]].lower().split(), sentence[day[1] : hour[1]].split()
        if first.lower() in _list_onto().intersection(before) and rest:
            ats = [each.reminders.at for each in languages() if each.reminders.at]
            texts = [" ".join((sentence[slice(*day)], at, *rest)) for at in ats]
            return next((each for each in texts if _is_on_one_day(read(each))), "")
    return ""


def _is_on_one_day(reading: WhenReading | None) -> bool:
    return len({each.local.date() for each in list_plans(reading)}) == 1


def _find_length(
    sentence: str, words: Sequence[tuple[int, int]], read: Callable[[str], WhenReading | None]
) -> tuple[tuple[int, int], timedelta] | None:
    """Return where a length of time stands, and the length itself, below zero for an earlier time."""
    sign = -1 if _compile_earlier().search(sentence) else 1
    within = [(each.within, start.plan.local) for each, start in _list_minutes(read) if start.plan is not None]
    for first in range(len(words)):
        for last in range(min(first + _SPAN, len(words)), first, -1):
            span = (words[first][0], words[last - 1][1])
            for word, minute in within:
                reading = read(f"{word} {sentence[slice(*span)]}")
                if reading is not None and reading.plan is not None and reading.plan.passes:
                    return span, (reading.plan.local - minute + _MINUTE) * sign
    return None


def _list_minutes(read: Callable[[str], WhenReading | None]) -> list[tuple[ReminderPatterns, WhenReading]]:
    """Return how each language reads what comes in a minute: what a length is measured by."""
    words = [each.reminders for each in languages() if each.reminders.within]
    read_ = [(each, read(f"{each.within} {each.minute}")) for each in words]
    return [(each, reading) for each, reading in read_ if reading is not None]


@cache
def _compile_earlier() -> re.Pattern[str]:
    earlier = alternatives(each.reminders.earlier for each in languages())
    return compile_bounded(rf"(?<!\w){earlier}(?!\w)", re.IGNORECASE)


def _is_onto(sentence: str, word: tuple[int, int]) -> bool:
    return sentence[slice(*word)].lower() in _list_onto()


def _is_time(reading: WhenReading | None) -> bool:
    return reading is not None and (reading.plan is not None or bool(reading.options) or reading.past is not None)


def pick(reminders: Sequence[Reminder], said: Description, now: datetime) -> tuple[Reminder, ...]:
    """Return the reminders that a description fits: by words first, of those by the time that is named."""
    found = tuple(reminders)
    if said.words:
        matched = [(sum(_names(word, each) for word in said.words), each) for each in found]
        best = max((count for count, _ in matched), default=0)
        found = tuple(each for count, each in matched if count == best > 0)
    if said.before is not None:
        found = _keep_at(found, said.before, now) or (found if said.words else ())
    return found


def _names(word: str, reminder: Reminder) -> bool:
    """Whether a word stands in a reminder's text, also with a slip, or as the beginning of a compound."""
    return any(
        is_alike(word, concept) or is_slip(word, concept) or (len(word) >= ALIKE and concept.startswith(word))
        for concept in list_concepts(reminder.text)
    )


def find_others(beside: str, newest: Reminder, reminders: Sequence[Reminder]) -> tuple[tuple[Reminder, ...], bool]:
    """Return the others that words beside "that reminder" may mean, and whether the newest is surely meant.

    A reason names nothing: "sorted it online".
    """
    words = {find_concept(word) for word in _list_words(beside) if not _says_nothing(word)}
    found = [each for each in reminders if any(_names(word, each) for word in words)]
    names = bool(words) and _names_thing(beside)
    others = tuple(each for each in (found or (reminders if names else ())) if each.number != newest.number)
    return others, not others and (not names or bool(found))


def _names_thing(clause: str) -> bool:
    """Whether a clause is short and begins as what names a thing: "the dentist one"."""
    said = _list_words(clause)
    return 0 < len(said) <= _FEW and (said[0] in _list_articles() or bool(PREPOSITIONS.fullmatch(said[0])))


@cache
def _list_articles() -> frozenset[str]:
    return frozenset[str]().union(*(each.learning.articles for each in languages()))


def comes_then(reminder: Reminder, said: Description, now: datetime) -> bool:
    """Return whether a reminder comes when a description says, or that says no time."""
    return said.before is None or bool(_keep_at((reminder,), said.before, now))


def _keep_at(reminders: Sequence[Reminder], said: WhenReading | None, now: datetime) -> tuple[Reminder, ...]:
    """Return those that come at a time: on its day and at its hour, or else at its hour on any day."""
    plans = list_plans(said)
    if said is not None and said.past is not None:
        plans = (Plan(said.past, assumed=True),)
    on_day = tuple(each for each in reminders if any(_comes(each, plan, now, day=True) for plan in plans))
    return on_day or tuple(each for each in reminders if any(_comes(each, plan, now, day=False) for plan in plans))


def _comes(reminder: Reminder, plan: Plan, now: datetime, *, day: bool) -> bool:
    at = (reminder.wake_at or now).astimezone(ZoneInfo(reminder.zone)).replace(tzinfo=None)
    same_day = at.date() == plan.local.date() or (not plan.assumed and reminder.repetition is not None)
    same_hour = plan.assumed or at.time() in (plan.local.time(), (plan.local + _HALF_DAY).time())
    return same_hour and (same_day if day else not plan.assumed)


def find_newest(reminders: Iterable[Reminder], since: datetime) -> Reminder | None:
    """Return the reminder that was made or said last, ``None`` where none was ``since`` then."""
    dated = [(max(filter(None, (each.made_at, each.fired_at)), default=None), each.id, each) for each in reminders]
    of_late = [(at, number, each) for at, number, each in dated if at is not None and at >= since]
    return max(of_late, key=lambda each: each[:2])[2] if of_late else None


def write_back(reminder: Reminder) -> str:
    """Return a reminder as the command takes it, to be what it is now."""
    plan = dump_plan(reminder)
    return "" if plan is None else write_exactly(plan, reminder.text, reminder.exchange)


def write_former(reminder: Reminder) -> str:
    """Return the command that moves a reminder back to when it comes now, "" where it does not come."""
    plan = dump_plan(reminder)
    return "" if plan is None else f"move {reminder.number} {write_exactly(plan, '')}"


def dump_plan(reminder: Reminder) -> Plan | None:
    """Return when a reminder comes, on the wall clock of its zone, ``None`` where it does not."""
    due = reminder.due_at or reminder.snoozed_to
    if due is None:
        return None
    local = due.astimezone(ZoneInfo(reminder.zone)).replace(tzinfo=None)
    return Plan(local, repetition=reminder.repetition if reminder.due_at is not None else None)


def list_new_plans(to: str, reminder: Reminder, requests: ReminderRequests, request: Request) -> tuple[Plan, ...]:
    """Return what a reminder's new time may be, as the words of an order say; () where none can be read.

    Only an hour keeps its day, only a day its hour, a length of time is counted from its time; its rule stays as far as
    the day leaves it.
    """
    zone = ZoneInfo(requests.zone(request.message).name)
    due = reminder.due_at or reminder.snoozed_to or reminder.fired_due or reminder.fired_at or request.message.sent_at
    was, now = due.astimezone(zone).replace(tzinfo=None), request.message.sent_at.astimezone(zone)

    def read(text: str, at: datetime) -> tuple[Plan, ...]:
        return list_plans(requests.reader.read_alone(text, at, (request.language,)))

    texts = (to, *_list_ends(to))
    hour = next((each for each in texts if requests.names_no_day(each, was.date(), request)), "")
    told = read(to, now)
    days = {was.date()} if hour == to else {each.local.date() for each in told}
    if hour and not any(each.repetition or each.passes for each in told):
        plans = tuple(
            plan for day in sorted(days) for plan in _choose_half(_read_hours(hour, day, read, zone), was, now)
        )
    else:
        plans = tuple(_keep_hour(each, was) for each in told)
    found = (_keep_rule(_complete(each), reminder, was) for each in dict.fromkeys(plans))
    return tuple(each for each in found if each.repetition is not None or localise(each.local, zone.key) > now)


def _read_hours(
    hour: str, day: date, read: Callable[[str, datetime], tuple[Plan, ...]], zone: ZoneInfo
) -> tuple[Plan, ...]:
    """Return what an hour may mean on a day, in either half of it."""
    seen = (read(hour, datetime.combine(day, at, zone)) for at in (time(), _NOON))
    return tuple(dict.fromkeys(plan for plans in seen for plan in plans if is_on(day, plan)))


def _choose_half(plans: tuple[Plan, ...], was: datetime, now: datetime) -> tuple[Plan, ...]:
    """Return of what an hour may mean what is nearest to the former hour by far, all of it where none is.

    What is at night is not meant where the former hour is not, unless it is little before that.
    """

    def measure(plan: Plan) -> timedelta:
        return abs(datetime.combine(was, plan.local.time()) - was)

    coming = [each for each in plans if each.repetition or localise(each.local, str(now.tzinfo)) > now]
    awake = [each for each in coming if min(each.local, was).time() >= _MORNING or measure(each) <= _LITTLE_BEFORE]
    near, *others = sorted(awake or coming, key=measure) or (None,)
    alone = near is not None and all(measure(each) >= 2 * measure(near) for each in others)
    return (near,) if near is not None and alone else tuple(awake or coming)


def _list_ends(text: str) -> list[str]:
    """Return what a text ends in, shorter by a word each."""
    return [text[each.start() :] for each in _WORDS.finditer(text)][1:]


def _keep_hour(plan: Plan, was: datetime) -> Plan:
    """Return a plan at the former hour where it names none."""
    return replace(plan, local=datetime.combine(plan.local.date(), was.time())) if plan.assumed else plan


def _complete(plan: Plan) -> Plan:
    """Return a plan to the whole minute, as one that is exact."""
    over = timedelta(seconds=plan.local.second, microseconds=plan.local.microsecond)
    local = plan.local - over + (_MINUTE if over else timedelta())
    return replace(plan, local=local, passes=False, assumed=False)


def shift(reminder: Reminder, length: timedelta) -> Plan | None:
    """Return when a reminder comes that is moved by a length of time."""
    plan = dump_plan(reminder)
    return None if plan is None else _keep_rule(Plan(plan.local + length), reminder, plan.local)


def _keep_rule(plan: Plan, reminder: Reminder, was: datetime) -> Plan:
    """Return a plan with the rule of the reminder, moved to another day where the rule names the old one."""
    rule = reminder.repetition
    if rule is None or plan.repetition is not None or plan.passes:
        return plan
    if plan.local.date() != was.date():
        rule = _move_rule(rule, plan.local)
    return replace(plan, repetition=rule)


def _move_rule(rule: Repetition, to: datetime) -> Repetition:
    match rule.unit:
        case Unit.WEEK if len(rule.weekdays) == 1:
            return replace(rule, weekdays=(to.weekday(),))
        case Unit.MONTH if rule.day:
            return replace(rule, day=to.day)
        case Unit.YEAR:
            return replace(rule, month=to.month, day=to.day)
        case _:
            return rule
