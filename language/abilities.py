"""Questions that need no memory: the time, the date, days from here to there, sums, and units."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """How one language asks them.

    All patterns match in either case, bound every repetition and stand for a whole sentence without its mark, what
    :attr:`polite` and :attr:`ending` match left out.  In them ``{date}`` stands for words that name a day.
    """

    polite: str = ""
    """What may stand before a question: "can you tell me"."""
    ending: str = ""
    """What may stand behind it: "please", "right now"."""
    fillers: str = ""
    """Words that say nothing wherever they stand: "what's the date then"."""
    time: str = ""
    time_in: str = ""
    """Asks what time it is in ``{place}``, a city."""
    today: str = ""
    """Asks what day it is, of the week or of the month."""
    day_of: tuple[str, ...] = ()
    """Ask on which day of the week, or when, ``{date}`` is."""
    shifts: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Pattern of a day so many ``{spans}`` from ``{date}`` → 1 after it, -1 before it: "50 days after 3 March"."""
    spans: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Pattern of a span in all its forms → ``days``, ``weeks``, ``months`` or ``years``."""
    year: str = ""
    """Asks which year it is, or which week of the year."""
    week: str = ""
    days_since: tuple[str, ...] = ()
    """Ask how many days ago ``{date}`` was: one without a year is behind us."""
    days_until: tuple[str, ...] = ()
    """Ask how many days lie between now and ``{date}``, before or behind us."""
    days_between: tuple[str, ...] = ()
    """Ask how many days lie between ``{date}`` and ``{then}``."""
    named_days: Mapping[str, tuple[int, int]] = field(default_factory=dict, hash=False)
    """Pattern of a day with a name → its month and day."""
    calculates: str = ""
    """What may stand before a sum: "what is"."""
    result: str = ""
    """What may stand behind it: "equals"."""
    operators: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Pattern of words → ``+``, ``-``, ``*``, ``/``, ``^``, ``%``, for a share of something ``of``, and for"
    " what is left without it ``off``."""
    shares: Mapping[str, tuple[int, int]] = field(default_factory=dict, hash=False)
    """Pattern of a share in words, with the word behind it: "half of" → (1, 2)."""
    root: str = ""
    """Pattern of what stands before a number of which the square root is asked for."""
    orders: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Pattern of an order with the groups ``a`` and ``b`` → the sign between them: "divide 12 by 4"."""
    money: str = ""
    """Pattern of a currency behind a number of a sum, or before it as a sign: "15 percent of 86 dollars"."""
    decimal_comma: bool = False
    """Whether a comma stands before the fraction of a number, and a full stop between its thousands."""
    units: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Pattern of a unit in all its forms → its name in :data:`bot.features.abilities.arithmetic.UNITS`."""
    ends_at: str = ""
    """Pattern of a whole question for when something that was told to begin, and to last, ends: "when is it done"."""
    happens: str = ""
    """Pattern of verbs behind something told that has a day: "begins"."""
    into: str = ""
    """Pattern of words before the unit in which something told is asked for: "in", "how many"."""
    converts: tuple[str, ...] = ()
    """Ask for ``{amount}`` of the unit ``{from}`` in the unit ``{to}``; without an amount it is one."""
