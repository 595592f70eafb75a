"""When something is: days and months, times and repetitions, and requests to be reminded."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleWords:
    """Times of day, days and repetitions.

    All patterns match in either case, stand for whole words and bound every repetition.  In them ``{n}`` stands for a
    number with its articles, ``{h}`` for an hour in digits or words, ``{o}`` for an hour as an ordinal, ``{d}`` for the
    day of a month, ``{D}`` for one that its ending tells, ``{unit}`` for a unit of time, ``{amount}`` for numbers with
    their units, ``{weekday}`` for a day of the week.  Hours of a clock are named ``h``, minutes ``m``; empty groups say
    what is meant by them: ``am``, ``pm``, ``exact`` (the clock of 24 hours), ``half`` and ``quarter`` past,
    ``less_half`` and ``less_quarter`` before the hour, ``before_quarter`` a quarter of the hour that ends with it,
    ``one`` one o'clock; ``past`` and ``less`` are minutes after and before the hour, ``m2`` minutes that need not have
    two digits.
    """

    numbers: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Pattern of a number in words → the number: those below twenty, and the tens."""
    compound_number: str = ""
    """How a ten and a one make a number, with ``{ten}`` and ``{one}``: "{ten}[ -]{one}"."""
    articles: str = ""
    """Pattern of words that stand for one before a unit: "in an hour"."""
    ordinal_hours: Mapping[str, int] = field(default_factory=dict, hash=False)
    ordinals: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Days of a month in words: "first"."""
    ordinal_ending: str = ""
    """Pattern of what stands behind the number of a day that is no full date: "st|nd|rd|th"."""
    units: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Pattern of a unit → ``second``, ``minute``, ``hour``, ``day``, ``week``, ``month`` or ``year``."""
    bare_units: bool = False
    """Whether a unit alone stands for one of it: "через час"."""
    joins: str = ""
    """Pattern of words between parts of an amount and days of a list: "and"."""
    after: tuple[str, ...] = ()
    """Patterns of a length of time from now, with ``{amount}``."""
    fractions: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Pattern of a length of time that is no number with a unit → its minutes: "half an hour"."""
    rough: str = ""
    """Pattern of numbers that are none: "a few"."""
    lasting: str = ""
    """Pattern of how long a repetition goes on, with ``{amount}``: "for two weeks"."""
    timer: str = ""
    """Pattern of a length of time after a word for a timer, with ``{amount}``."""
    before: str = ""
    """Pattern of a time that is set by an event, of which nothing is known here, with ``{amount}``."""
    before_event: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Pattern of a time before an event (``span``, ``event`` and all behind it, at its end a ``todo`` that is none of
    it) → how ``{span}`` is said behind the event's own time: "the day before the concert" as "{span} before that"."""
    earlier: str = ""
    """Pattern of a length of time before what the same sentence names, with ``{amount}``: "an hour before"."""
    days_earlier: Mapping[str, tuple[int, str]] = field(default_factory=dict, hash=False)
    """Pattern of days before it → how many, and the part of that day or "": "the night before"."""
    weekday_after: tuple[str, ...] = ()
    """Patterns of a day of the week with ``{weekday}`` that is a week later: "a week on Saturday"."""
    days: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Pattern of a day → days from today."""
    day_parts: Mapping[str, tuple[int, str]] = field(default_factory=dict, hash=False)
    """Pattern of a day with its part → days from today, the part: "tonight"."""
    parts: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Pattern of a part of the day → ``morning``, ``forenoon``, ``noon``, ``afternoon``, ``evening``, ``night``,
    ``midnight``."""
    weekdays: tuple[str, ...] = ()
    """Seven patterns, Monday first."""
    weekday_range: str = ""
    """Pattern between two days of the week that mean all from one to the other: "to"."""
    nth: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Pattern of an ordinal before a day of the week → 1 to 5, or -1 for the last."""
    nth_weekday: tuple[str, ...] = ()
    """Patterns of such days of a month, with ``{nth}``, ``{weekday}`` and ``{month}``; a group ``every`` says that it
    repeats, one named ``coming`` that the next month is meant."""
    month_end: tuple[str, ...] = ()
    """Patterns of the last day of a month, with or without ``{month}``: "the end of June"."""
    year_end: str = ""
    """Pattern of the last day of the year."""
    holidays: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Pattern of a day with a name → its ``RRULE``; one that differs between countries is not here."""
    on: str = ""
    """Pattern of what may stand before a day or a date: "on"."""
    gone: str = ""
    """Pattern of a time that is over, with ``{weekday}`` and ``{unit}``: "last Friday"."""
    coming: str = ""
    """Pattern of a word before a day of the week that means the next one to come."""
    following: str = ""
    """Pattern of a word before it that means the one of next week."""
    next_units: Mapping[str, tuple[str, int]] = field(default_factory=dict, hash=False)
    """Pattern of a whole unit to come → the unit and how many of them: "next week"."""
    clocks: tuple[str, ...] = ()
    """Patterns of times of day."""
    twelve_hours: bool = False
    """Whether a time with minutes may be one of the afternoon: "5:30"."""
    month_first: bool = False
    """Whether a date in numbers begins with the month."""
    every: Mapping[str, tuple[str, int]] = field(default_factory=dict, hash=False)
    """Pattern of a repetition → its unit and how many of them."""
    every_number: tuple[str, ...] = ()
    """Patterns with ``{n}`` and ``{unit}``."""
    every_part: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Pattern of a daily repetition at a part of the day → the part."""
    each: str = ""
    """Pattern of a word that makes a day of the week repeat: "every"."""
    each_weekday: tuple[str, ...] = ()
    """Seven patterns that say so by themselves, Monday first: "mondays"."""
    every_second: str = ""
    """Pattern of every other one of a day of the week, with ``{days}``: "every other Friday"."""
    without: str = ""
    """Pattern between a daily repetition and the days on which it does not come, with ``{weekday}``, which
    the group ``except`` holds: "except on Sundays"."""
    workdays: str = ""
    weekends: str = ""
    of_month: tuple[str, ...] = ()
    """Patterns of a monthly repetition with its day ``{d}``, or with an empty group ``last``."""
    day_of_month: str = ""
    """Pattern of a day of the coming month with ``{d}``: "on the 15th"."""
    until: str = ""
    """Pattern of what stands before the last day of a repetition."""
    times: str = ""
    """Pattern of how often something repeats, with ``{n}``."""
    zones: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Pattern of a time zone's name → its IANA name."""
    zone_of: str = ""
    """Pattern of the time of a city, which is the group ``city``: "London time"."""
    each_time: str = ""
    """Pattern of words that say no more than that it repeats: "every time"."""
    weekend: str = ""
    """Pattern of a word for Saturday and Sunday among ``weekdays``, where it stands for the first of them."""
    case_endings: str = ""
    """Letters with which the cases of a name end, left out when one with a letter wrong is looked for."""
    near: tuple[str, ...] = ()
    """Words of six letters and more that are known with a letter wrong, besides the names of days and months."""
    sounds: str = ""
    """Pattern of words that speak of time wherever they stand: what is not understood of them is asked about."""
    relations: str = ""
    """Pattern of words that do so beside a time: "before", "other", a unit without a number."""
    fillers: str = ""
    """Pattern of words that may stand between the parts of a time."""
    compounds: str = ""
    """Pattern of a word that another one of time is written to without a space: "Freitag" in "Freitagabend"."""
    lead: str = ""
    """Pattern of the words that ask for a reminder, at the beginning, courtesies before it left out."""
    imperative: str = ""
    """Pattern of those of them that ask wherever they stand: "remind me", "erinner mich"."""
    hinders: str = ""
    """Pattern of what they do not ask behind: "I told her to", "it does not"."""
    orders: str = ""
    """Pattern of a word that asks in a clause without ``subjects``: "morgen um 9 an den Müll erinnern"."""
    subjects: str = ""
    """Pattern of words that make such a clause a statement: "ich", "soll"."""
    repeating: str = ""
    """Pattern of words in it that ask for more than one reminder, where a language has such a form."""
    wakes: str = ""
    """Pattern of words in it that mean the morning: "wake me"."""
    timers: str = ""
    """Pattern of words in it that ask for a timer or an alarm."""
    tail: str = ""
    """Pattern of words of the request that stand elsewhere: "erinnern"."""
    whom: str = ""
    """Pattern of the words before them that make them one: "mich"."""
    told: str = ""
    """Pattern of words that begin what is asked of memory and no errand: "remind me where …"."""
    links: str = ""
    """Pattern of words that tie what to do to the request: "to", "that"."""
    courtesies: str = ""
    """Pattern of words that say nothing at the end: "please"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """The calendar of one language.  All patterns are of small letters and are given small letters."""

    months: tuple[str, ...] = ()
    """Twelve patterns, January first: every form and abbreviation of the name."""
    day_ending: str = ""
    """Pattern of what stands right behind the number of a day: "st|nd|rd|th"."""
    of: str = ""
    """Pattern of a word between the day and the month: "of"."""
    year_word: str = ""
    """Pattern of a word behind the number of a year."""
    relative: Mapping[str, tuple[int, int]] = field(default_factory=dict, hash=False)
    """Expression → how many days before now the span begins and ends; generous, because the bonus is soft."""
    counts: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Small numbers in words, with the articles that stand for one."""
    units: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Pattern of a unit of time → its days."""
    ago: str = ""
    """Pattern of "three days ago", in which ``{count}`` stands for the number and ``{unit}`` for the unit."""
    exactly: str = ""
    """Pattern of what says when besides months and years: "last week", "on Friday"."""
    vaguely: str = ""
    """Pattern of what says so roughly: "recently"."""
    compares: str = ""
    """Pattern of what sets one time against another, or asks for a time in passing: "before", "how long"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderPatterns:
    """Requests for a reminder, an alarm or a timer.

    All patterns are tried from the beginning of a sentence, match in either case and bound every repetition.
    """

    polite: str = ""
    """What may stand before a request: "could you please"."""
    requests: tuple[str, ...] = ()
    """The requests themselves; an errand or a time makes them, "remind me where Vera lives" is a question."""
    manages: str = ""
    """Pattern of what is asked or ordered about reminders that there are, as a whole sentence without its mark: "stop
    reminding me", "which reminders do I have"."""
    may_manage: str = ""
    """The same where the word means memories as well: it holds where there are reminders."""
    cancels: str = ""
    """Pattern of words that make such an order one to cancel."""
    keeps: str = ""
    """Pattern of words that forbid to cancel: "don't delete"."""
    moves: str = ""
    """Pattern of words that make such an order one for another time."""
    things: str = ""
    """Pattern of what such orders call a reminder."""
    order_words: frozenset[str] = frozenset()
    """Words of such orders and questions that say nothing of which reminder is meant, beside the stop words."""
    onto: frozenset[str] = frozenset()
    """Words before the new time: a time that was named before is the old one."""
    rather_than: frozenset[str] = frozenset()
    """Words before the time that is to be another one."""
    every: str = ""
    """Pattern of words that mean all reminders."""
    dates: tuple[tuple[str, str], ...] = ()
    """Patterns of days of the month as they stand behind "move it to", each with what is read as such a day."""
    at: str = ""
    """Makes a number an hour: "at" of "at ten"."""
    within: str = ""
    """Makes a length of time a time to come: "in" of "in an hour"."""
    minute: str = ""
    """A minute, behind that word."""
    earlier: str = ""
    """Pattern of words by which a length of time goes back."""


def count(words: str, first: int = 1, step: int = 1) -> dict[str, int]:
    r"""Return patterns, which blanks part, with their numbers in order; in a pattern ``\s`` stands for a blank."""
    return {word: first + place * step for place, word in enumerate(words.split())}
