"""Computes what is left of a debt, what amounts come to together, and how old somebody is by their date of birth.

The sentences themselves stand above it, so that anybody can check it; what is not certain is not computed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Final

from bot.memory.answering.changes import find_changes, find_payments, list_changing_words, names_debt, says_when
from bot.memory.answering.evidence import (
    Aliases,
    Evidence,
    RecalledUtterance,
    drop_repeated,
    is_of_somebody_else,
    list_statements,
)
from bot.memory.answering.questions import AnswerKind, QuestionAnalysis, analyse
from bot.memory.concepts import PEOPLE, STOP_WORDS, find_concept, is_alike, list_concepts
from bot.memory.learning.rewording import ADDS, holds_value
from bot.memory.learning.statements import find_facts
from bot.memory.patterns import compile_bounded
from language import alternatives, detect_languages, languages
from language.words import fold, split_words

_AMOUNT: Final = compile_bounded(
    r"(?<![\w.,])(?P<before>[€$£]?)(?P<number>\d{1,7}(?:[.,]\d{1,2})?)"
    rf"(?P<thousands>{alternatives(each.questions.thousands for each in languages())}(?!\w))?(?![\d:])"
    r"(?:\s?(?P<behind>[€$£]|[^\W\d_]{1,20}))?",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_LEAST_PARTS: Final = 2
_TEN, _TWENTY, _HUNDRED, _THOUSAND = 10, 20, 100, 1000
_TRADE: Final = compile_bounded(
    r"(?<![\w.,:])(?P<count>\d{1,6})(?P<thing>(?: [^\W\d_]+){0,4}?) "
    rf"(?:(?P<surely>{alternatives(each.questions.shares for each in languages())})|"
    rf"{alternatives(each.questions.priced for each in languages())})\s?"
    r"(?P<price>(?P<before>[€$£]?)\d{1,7}(?:[.,]\d{1,2})?(?![\d:])"
    rf"(?:\s?(?P<money>{alternatives(each.abilities.money for each in languages())})(?!\w))?)"
    rf"(?P<apiece>\s{alternatives(each.questions.apiece for each in languages())}(?!\w))?",
    re.IGNORECASE,
)
_ROW: Final = compile_bounded(
    r"[,;:](?!\d)|[.!](?=\s)|(?<!\w)(?:"
    + "|".join(alternatives((each.schedule.joins, *sorted(each.questions.joins))) for each in languages())
    + r")(?!\w)",
    re.IGNORECASE,
)
_MORE: Final = frozenset[str]().union(*(each.questions.too for each in languages()))
_DAY: Final = compile_bounded(
    rf"(?<!\w){alternatives(day for each in languages() for day in each.schedule.weekdays)}", re.IGNORECASE
)
_MONEY: Final = compile_bounded(rf"[€$£]|{alternatives(each.abilities.money for each in languages())}", re.IGNORECASE)
_PRICES: Final = compile_bounded(
    rf"(?<!\w){alternatives(each.questions.prices for each in languages())}(?!\w)", re.IGNORECASE
)
_TRADES: Final = compile_bounded(
    rf"(?<!\w){alternatives(each.questions.trades for each in languages())}(?!\w)", re.IGNORECASE
)
_PAYING: Final = compile_bounded(
    rf"(?<!\w){alternatives(each.questions.paying for each in languages())}(?!\w)", re.IGNORECASE
)
_SUMS: Final = compile_bounded(
    rf"(?<!\w){alternatives(each.questions.sums for each in languages())}(?!\w)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Amount:
    """A sum of money; ``currency`` is "" where none is told, ``written`` as it is told with its currency.

    ``digits`` are those of the number in units of ``scale``: 1000 in "20k".
    """

    number: Decimal
    currency: str
    digits: str
    written: str
    scale: int = 1

    def write(self, number: Decimal) -> str:
        """Return another number as this amount is told: with its currency, and its sign before the fraction."""
        plain = f"{(number / self.scale).normalize():f}" if self.scale > 1 else str(number)
        digits = plain.replace(".", ",") if "," in self.digits else plain
        return self.written.replace(self.digits, digits)


@dataclass(frozen=True, slots=True)
class Rest:
    """What is left of a ``debt``, ``amount`` in its currency, and the ``payments`` that say so, newest first."""

    amount: str
    payments: tuple[Evidence, ...]
    debt: Evidence


def compute_rest(
    asked: str, told: Sequence[Evidence], spoken: Sequence[RecalledUtterance], known: Aliases
) -> Rest | None:
    """Return how much is left of a debt that is told, or a payment of it, ``None`` where that is not certain.

    All that was paid back is of the same currency, and less than the debt.  "What do I owe Ben?" asks how much.
    """
    if analyse(asked).kind is not AnswerKind.NUMBER and not names_debt(asked):
        return None
    stated = (Evidence(text, said) for said in spoken if said.role == "user" for text in list_statements(said))
    before = [each for each in stated if names_debt(each.text)]
    within = [each for each in before if any(fold(each.text) in fold(piece.text) for piece in told)]
    said = {piece.text for piece in told}
    paid_of = [each for each in before if any(paid.text in said for paid in find_payments(asked, each, spoken, known))]
    for debt in (*(piece for piece in told if names_debt(piece.text)), *within, *paid_of):
        if (owed := _read_amount(debt.text)) is None:
            continue
        payments = find_payments(asked, debt, spoken, known)
        paid = [each for piece in payments if (each := _read_amount(piece.text)) is not None]
        same = all(is_alike(each.currency or owed.currency, owed.currency) for each in paid)
        left = owed.number - sum(each.number for each in paid)
        if paid and same and len(paid) == len(payments) and left > 0:
            return Rest(owed.write(left), payments[::-1], debt)
    return None


@dataclass(frozen=True, slots=True)
class Sum:
    """What amounts come to, ``amount`` with their currency or unit, and the ``parts`` that tell them, oldest first."""

    amount: str
    parts: tuple[Evidence, ...]


def asks_sum(asked: str) -> bool:
    """Return whether a question asks what amounts come to together, or what was paid or earned."""
    kind = analyse(asked).kind
    if _SUMS.search(asked) is not None and kind in (AnswerKind.NUMBER, AnswerKind.ANY):
        return True
    return _PAYING.search(asked) is not None and kind is AnswerKind.NUMBER and not names_debt(asked)


def compute_sum(asked: str, spoken: Sequence[RecalledUtterance], known: Aliases) -> Sum | None:
    """Return what the amounts come to that a question asks the sum of; ``None`` where those are not several.

    Parts of it are sentences that share all that any amount shares with the question; all are of one currency, and
    what has changed since counts no more; another part changes none.  What was added to one of them on the same day
    ("the hose was another 32") is one as well.  One sentence is enough that tells how many there were at what price, or
    a row of amounts; the newest of these where the question names nothing.
    """
    wanted = set(analyse(_PAYING.sub(" ", _SUMS.sub(" ", asked))).terms)
    told = drop_repeated(
        [Evidence(text, said) for said in spoken if said.role == "user" for text in list_statements(said)]
    )
    sold = [(amount, piece) for piece in told if (amount := _read_trade(piece.text, wanted)) is not None]
    if _SUMS.search(asked) is None:
        return _choose_trade(asked, sold, wanted, spoken, known)
    sold += [(amount, piece) for piece in told if (amount := _read_row(piece.text)) is not None]
    priced = {piece.text for _, piece in sold}
    simple = [each for each in told if each.text not in priced]
    read = [*sold, *((amount, each) for each in simple if (amount := _read_amount(each.text)) is not None)]
    shared = [wanted & set(list_concepts(piece.text)) for _, piece in read]
    about = set().union(*shared)
    parts = [each for each, shares in zip(read, shared, strict=True) if about and shares == about]
    if not wanted and sold:  # "what did I spend altogether": the row that was told last
        parts = [max(sold, key=lambda one: one[1].age)]
    said = {piece.text for _, piece in parts}
    more = [(amount, piece) for amount, piece in read if piece.text not in said and ADDS.search(piece.text)]
    parts += [one for one in more if any(_goes_on(one[1], piece) for _, piece in parts)]
    said = {piece.text for _, piece in parts}
    changes = find_changes(asked, tuple(piece for _, piece in parts), spoken, known)
    changed = {place for place, later in changes.items() if later.sure and later.piece.text not in said}
    parts = [each for place, each in enumerate(parts) if place not in changed]
    if len(parts) < (1 if any(piece.text in priced for _, piece in parts) else _LEAST_PARTS) or not all(
        is_alike(each.currency or parts[0][0].currency, parts[0][0].currency) for each, _ in parts
    ):
        return None
    if any(find_payments(asked, piece, spoken, known) for _, piece in parts):
        return None  # what is left of a debt is no sum
    first, whole = parts[0][0], sum((each.number for each, _ in parts), Decimal())
    pieces = tuple(sorted((piece for _, piece in parts), key=lambda piece: piece.age))
    return Sum(first.write(whole), pieces)


def _goes_on(later: Evidence, earlier: Evidence) -> bool:
    """Return whether somebody told something after something else on one day."""
    said, before = later.source.said_at, earlier.source.said_at
    follows = later.follows(earlier) or later.source.memory.exchange == earlier.source.memory.exchange != ""
    return follows and said is not None and before is not None and said.date() == before.date()


def _choose_trade(
    asked: str,
    sold: Sequence[tuple[_Amount, Evidence]],
    wanted: set[str],
    spoken: Sequence[RecalledUtterance],
    known: Aliases,
) -> Sum | None:
    """Return what the only trade comes to that a question is about; ``None`` for none, several, or a former one."""
    about = [each for each in sold if not wanted or _shares(wanted, each[1].text)]
    if len(about) != 1 or _PRICES.search(asked):
        return None
    [(amount, piece)] = about
    changed = any(later.sure for later in find_changes(asked, (piece,), spoken, known).values())
    return None if changed else Sum(amount.write(amount.number), (piece,))


def _shares(wanted: set[str], text: str) -> bool:
    return any(is_alike(one, other) for one in wanted for other in list_concepts(text))


def _read_trade(text: str, wanted: set[str]) -> _Amount | None:
    """Return what a sentence tells by numbers of things and their prices, of those that are wanted, or of all.

    ``None`` where it holds another number, or may tell an hour: "72 tickets at 2.50", but not "three talks at 10".
    """
    found = list(_TRADE.finditer(text))
    if not found or len(_NUMBER.findall(text)) != 2 * len(found):
        return None
    if not all(
        match["surely"] or match["apiece"] or match["before"] or match["money"] or _TRADES.search(text)
        for match in found
    ):
        return None
    named = [match for match in found if _shares(wanted, match["thing"])] or found
    amounts = [_read_amount(match["price"]) for match in named]
    first = amounts[0]
    if first is None or not all(each is not None and is_alike(each.currency, first.currency) for each in amounts):
        return None
    whole = sum(
        (int(match["count"]) * each.number for match, each in zip(named, amounts, strict=True) if each), Decimal()
    )
    longest = max((each for each in amounts if each), key=lambda each: len(each.digits.partition(".")[2]))
    return replace(longest, number=whole)


def _read_row(text: str) -> _Amount | None:
    """Return what a sentence tells in a row of amounts, one or none of them with its currency; ``None`` for others.

    "46 euros for feed, 18 for rings and 25 at the vet"; whatever else is counted in it makes it no row.
    """
    parts = [part for part in _ROW.split(text) if _NUMBER.search(part)]
    read = [_read_amount(part) for part in parts]
    amounts = [each for each in read if each is not None]
    if any(not each.currency for each in amounts) and not any(_MONEY.search(each.written) for each in amounts):
        amounts = [replace(each, currency="", written=each.digits) for each in amounts]  # "24 on diesel, 9.50 parking"
    named = [each for each in amounts if each.currency and _MONEY.search(each.written)]
    unnamed = not any(each.currency for each in amounts)
    if len(amounts) < max(len(parts), _LEAST_PARTS) or not (named or unnamed):
        return None
    first = max(named or amounts, key=lambda each: len(each.digits.partition(".")[2]))
    bare = [part for part, each in zip(parts, read, strict=True) if each is not None and not each.currency]
    if not (
        all(is_alike(each.currency or first.currency, first.currency) for each in amounts) and all(map(_ends, bare))
    ):
        return None
    return replace(first, number=sum((each.number for each in amounts), Decimal()))


def _ends(part: str) -> bool:
    """Return whether a number begins a part of a row, or stands right behind a word that says more than "at"."""
    before, _, behind = part.strip(" .!").partition(next(iter(_NUMBER.findall(part)), ""))
    last = next(reversed(split_words(before)), "")
    named = last not in STOP_WORDS or last in _MORE or ADDS.fullmatch(last) is not None  # "spent 38", "another 24"
    named = named or any(fold(day[0]) == last for day in _DAY.finditer(part))  # "sa 760, so 388"
    return named and not behind.startswith(".")


def _read_amount(text: str) -> _Amount | None:
    """Return the only number of a sentence as an amount, ``None`` where it holds none or several.

    Where there are no figures, numbers in words count, from two on: "forty pounds".
    """
    text = text if _NUMBER.search(text) else _write_figures(text)
    found = _AMOUNT.search(text)
    if found is None or len(_NUMBER.findall(text)) != 1:
        return None
    behind = found["behind"] or ""
    no_unit = STOP_WORDS | list_changing_words(text)  # "gave Ben 30 back"
    unit = behind.casefold()
    tells = says_when().fullmatch(unit) or _PAYING.fullmatch(unit)  # "noch 22,50 gekostet"
    behind = "" if unit in no_unit or find_concept(unit) in no_unit or tells else behind
    written = found[0][: len(found[0]) - len(found["behind"] or "") + len(behind)].strip()
    currency = found["before"] or find_concept(behind.casefold()) if found["before"] or behind else ""
    number, scale = Decimal(found["number"].replace(",", ".")), _THOUSAND if found["thousands"] else 1
    return _Amount(Decimal(int(number * scale)) if scale > 1 else number, currency, found["number"], written, scale)


def _write_figures(text: str) -> str:
    """Return a text with its numbers in words, of one word and from two on, in figures."""
    language = detect_languages(text)[0]
    numbers = {word: value for word, value in language.schedule.numbers.items() if "\\s" not in word}

    def count(word: str) -> int:
        return next(value for each, value in numbers.items() if re.fullmatch(each, word, re.IGNORECASE))

    def write(match: re.Match[str]) -> str:
        value = sum(count(match[part]) for part in ("ten", "one") if match[part]) or count(match["whole"])
        return str(value) if value > 1 else match[0]

    return _compile_number(language.code).sub(write, text)


@cache
def _compile_number(code: str) -> re.Pattern[str]:
    """Return what finds a number in words of a language, one of two words by its ``ten`` and its ``one``."""
    schedule = next(each.schedule for each in languages() if each.code == code)
    words = {word: value for word, value in schedule.numbers.items() if "\\s" not in word}
    tens, ones = (
        alternatives(word for word, value in words.items() if least <= value < most)
        for least, most in ((_TWENTY, _HUNDRED), (1, _TEN))
    )
    both = schedule.compound_number.format(ten=f"(?P<ten>{tens})", one=f"(?P<one>{ones})") or "(?!)"
    return compile_bounded(rf"(?<!\w)(?:{both}|(?P<whole>{alternatives(words)}))(?!\w)", re.IGNORECASE)


_AGE, _BIRTH = "age", "birth"
_OLDEST: Final = 120
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)(?!\d)"
_NUMBERS: Final = re.compile(
    rf"(?<!\d)(?:(?P<day>\d{{1,2}})\.\s?(?P<month>\d{{1,2}})\.\s?{_YEAR}|"
    rf"{_YEAR.replace('year', 'first')}-(?P<second>\d\d)-(?P<third>\d\d))"
)


def asks_age(asked: QuestionAnalysis) -> bool:
    """Return whether a question asks how old its asker is, or somebody whom it names."""
    return _AGE in asked.terms and (asked.of_asker or len(asked.terms) > 1)


def compute_age(
    asked: str, spoken: Sequence[RecalledUtterance], now: datetime, known: Aliases
) -> tuple[Evidence, int] | None:
    """Return the newest sentence that tells the whole date of a birth, and the age by it; ``None`` where none does.

    It is the birth of whom the question names, and the sentence names nobody else.
    """
    analysis = analyse(asked)
    if not asks_age(analysis):
        return None
    told = [Evidence(text, said) for said in spoken if said.role == "user" for text in list_statements(said)]
    for piece in sorted(told, key=lambda one: -one.age):
        born = _read_birth(piece.text) if _BIRTH in list_concepts(piece.text) else None
        if born is None or not _is_birth_of(analysis, piece, known):
            continue
        today = now.date()
        years = today.year - born.year - ((today.month, today.day) < (born.month, born.day))
        ended = any(later.sure for later in find_changes(asked, (piece,), spoken, known).values())  # "Gran died"
        return (piece, years) if born <= today and years <= _OLDEST and not ended else None
    return None


def _is_birth_of(asked: QuestionAnalysis, piece: Evidence, known: Aliases) -> bool:
    """Return whether a sentence about a birth is about those alone whom a question names, or about who asks."""
    meant = {name for term in asked.terms.keys() - {_AGE} for name in (term, *known.get(term, ()))}
    said = set(list_concepts(piece.text))
    if not said & PEOPLE <= meant or (asked.own and not piece.source.mine):
        return False
    if asked.of_asker and (not piece.source.mine or is_of_somebody_else(asked, piece, known)):
        return False
    subjects = [set(fact.subject.split()) for fact in find_facts(piece.text) if fact.rule.relation == _BIRTH]
    if any(subject <= ({"i"} if asked.of_asker else meant) for subject in subjects):
        return True
    named = {one for one in said - meant - {_AGE, _BIRTH} if not holds_value(one)}
    return not subjects and not named and (asked.of_asker or not said.isdisjoint(meant))


def _read_birth(text: str) -> date | None:
    """Return the only whole date of a sentence, ``None`` where there is none, or another order may be meant."""
    plain = text.lower()
    found = [(month, match) for month, pattern in enumerate(_compile_dates(), 1) for match in pattern.finditer(plain)]
    read = [(match["year"] or match["last"], str(month), match["before"] or match["behind"]) for month, match in found]
    read += [
        (match["year"] or match["first"], match["month"] or match["second"], match["day"] or match["third"])
        for match in _NUMBERS.finditer(plain)
    ]
    if len(read) != 1:
        return None
    year, month, day = map(int, read[0])
    try:
        return date(year, month, day)
    except ValueError:  # no such day
        return None


@cache
def _compile_dates() -> tuple[re.Pattern[str], ...]:
    """Return what finds a day with its year, for each month."""
    calendars = [each.calendar for each in languages() if each.calendar.months]
    ending = rf"(?:\.|{alternatives(each.day_ending for each in calendars)})?"
    of = rf"(?:{alternatives(each.of for each in calendars)}\s)?"
    return tuple(
        compile_bounded(
            rf"(?<!\d)(?P<before>\d{{1,2}}){ending}\s{of}{alternatives(names)}\.?,?\s{_YEAR}|"
            rf"\b{alternatives(names)}\s(?P<behind>\d{{1,2}}){ending},?\s{_YEAR.replace('year', 'last')}"
        )
        for names in zip(*(each.months for each in calendars), strict=True)
    )
