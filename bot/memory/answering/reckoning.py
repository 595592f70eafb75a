"""Computes what is left of a debt, what amounts come to together, and how old somebody is by their date of birth.

The sentences themselves stand above it, so that anybody can check it; what is not certain is not computed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Final

from bot.memory.answering.changes import (
    find_changes,
    find_payments,
    list_changing_words,
    names_debt,
    says_when,
    speaks_of_self,
    tells_end,
)
from bot.memory.answering.evidence import Aliases, Evidence, drop_repeated, find_aliases, is_of_somebody_else
from bot.memory.answering.phrasing import format_lines
from bot.memory.answering.questions import FIRST_PERSON, AnswerKind, QuestionAnalysis, analyse
from bot.memory.answering.recollection import find_year
from bot.memory.answering.utterances import RecalledUtterance, list_statements
from bot.memory.concepts import PEOPLE, STOP_WORDS, find_concept, is_alike, list_concepts
from bot.memory.helpfulness import ANSWERING, MAY_ANSWER, get_answering
from bot.memory.items import Recalled
from bot.memory.learning.correction import find_contrasts, strip_opening
from bot.memory.learning.rewording import ADDS, ORDINAL, PREPOSITIONS, holds_value
from bot.memory.learning.statements import find_facts
from bot.memory.patterns import compile_bounded, compile_words
from language import alternatives, detect_languages, languages
from language.sentences import split_sentences
from language.texts import AnswerPhrases
from language.words import fold, split_words

_AMOUNT: Final = compile_bounded(
    r"(?<![\w.,])(?P<before>[€$£]?)(?P<number>\d{1,7}(?:[.,]\d{1,2})?)"
    rf"(?P<thousands>{alternatives(each.questions.thousands for each in languages())}(?!\w))?(?![\d:])"
    r"(?:\s?(?P<behind>[€$£]|[^\W\d_]{1,20}))?",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_LEAST_PARTS: Final = 2
_FEW: Final = 4
"""Words beside an amount that tell of something else."""
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
_UNITS: Final = compile_bounded(rf"(?<![^\W\d_])(?:{_MONEY.pattern})(?![^\W\d_])", re.IGNORECASE)
_PRICES: Final = compile_words(lambda each: each.questions.prices)
_TRADES: Final = compile_words(lambda each: each.questions.trades)
_PAYING: Final = compile_words(lambda each: each.questions.paying)
_SUMS: Final = compile_words(lambda each: each.questions.sums)

_THEN: Final = compile_words(lambda each: alternatives(filter(None, (each.changes.now, each.changes.past))))
_UNTIL: Final = compile_words(lambda each: each.questions.until)
_NUMBERED: Final = compile_bounded(
    rf"(?<!\w){alternatives(each.questions.numbered for each in languages())}\s?\d+(?:[.,]\d+)?(?!\w)"
    r"|(?<![\d.,])(?:\+\d|0\d)\d*(?:[ /-]?\d+)*",  # a telephone's
    re.IGNORECASE,
)
_DATED: Final = compile_bounded(
    r"(?<![\d.,])\d{1,2}(?:"
    + alternatives((r"\.", *(each.calendar.day_ending for each in languages() if each.calendar.day_ending)))
    + rf")?\s{alternatives(name for each in languages() for name in each.calendar.months)}(?!\w)|"
    rf"(?<![\d.,])\d{{1,2}}"
    rf"(?:{ORDINAL}|\s{alternatives(name for each in languages() for name in each.schedule.parts)})(?!\w)",
    re.IGNORECASE,
)
_LASTING: Final = compile_bounded(
    r"(?<![\w.,:])\d{1,3}(?:[.,]\d)?\s?"
    + alternatives(unit for each in languages() for unit, name in each.abilities.units.items() if name in {"h", "min"})
    + r"(?!\w)",
    re.IGNORECASE,
)
_PAID: Final = compile_bounded(
    rf"(?<!\w)(?:{alternatives(each.questions.paying for each in languages())}\s\w{{1,4}}|"
    rf"{alternatives(each.questions.was for each in languages())})\s?$",
    re.IGNORECASE,
)
"""What a bare amount stands behind: "it cost me", "they were"."""
_SPENDING: Final = compile_words(lambda each: each.questions.spending)
_EARNING: Final = compile_words(lambda each: each.questions.earning)
_PUT_LAST: Final = re.compile(r"[,:–—=]\s?\d[\d.,]{0,12}\s?$")
"""A bare number that ends a sentence behind a sign."""
_BOUGHT_FOR: Final = frozenset(each.questions.bought_for for each in languages())
_REFUNDS: Final = compile_words(lambda each: each.questions.refunds)
_OWED: Final = compile_words(lambda each: each.questions.owed)
_WIDE: Final = compile_bounded(rf"{alternatives(each.questions.wide for each in languages() if each.questions.wide)}$")
_ALL_PEOPLE: Final = frozenset(find_concept(word) for each in languages() for word in each.questions.person_words)
_COUNTS: Final = compile_words(lambda each: alternatives(each.schedule.numbers))
_CLAUSES: Final = re.compile(r"[,;:.!?](?:\s|$)")
_ENDS: Final = re.compile(r"[.!?]\s+")
"""Between sentences, those that begin with a small letter as well."""
_THINGS: Final = compile_bounded(
    r",|(?<!\w)(?:"
    + "|".join(
        alternatives((each.schedule.joins, each.questions.along, *sorted(each.questions.joins))) for each in languages()
    )
    + r")(?!\w)",
    re.IGNORECASE,
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

    def put_right(self, digits: str) -> _Amount:
        """Return this amount with other digits."""
        number, written = Decimal(digits.replace(",", ".")) * self.scale, self.written.replace(self.digits, digits)
        return replace(self, number=number, digits=digits, written=written)


@dataclass(frozen=True, slots=True)
class _Part:
    """An amount that a sentence tells, and the words that it belongs to.

    ``text`` are those that it stands among, ``about`` with what it goes on from: "8 yesterday", of "12 on lunch".
    ``single`` says that its sentence tells one amount, and is no number of things with their price.
    """

    amount: _Amount
    text: str
    about: str
    single: bool = False


_Told = tuple[_Part, Evidence]


def _read_parts(text: str) -> tuple[_Part, ...]:
    """Return the amounts of a sentence, () where a number in it may be none; what is counted, as what it comes to.

    Sizes, days of a month and hours of a day are no amounts, nor how long it took what was paid.
    """
    plain = _DATED.sub(" ", _NUMBERED.sub(" ", text))
    if trades := _read_trades(plain):
        return trades
    bare = _LASTING.sub(" ", plain)
    bare = bare if _NUMBER.search(bare) and (_PAYING.search(bare) or _UNITS.search(bare)) else plain
    return _read_row(bare) or _read_price(bare)


def _read_trades(text: str) -> tuple[_Part, ...]:
    """Return what a sentence tells by numbers of things and their prices.

    () where it holds another number, or may tell an hour: "72 tickets at 2.50", but not "three talks at 10".
    """
    found, sells = list(_TRADE.finditer(text)), _TRADES.search(text) is not None
    priced = (sells or match["surely"] or match["apiece"] or match["before"] or match["money"] for match in found)
    if len(_NUMBER.findall(text)) != 2 * len(found) or not all(priced):
        return ()
    amounts = [each for match in found if (each := _read_amount(match["price"])) is not None]
    if not all(is_alike(each.currency, amounts[0].currency) for each in amounts):
        return ()
    whole = [int(match["count"]) * each.number for match, each in zip(found, amounts, strict=True)]
    return tuple(
        _Part(replace(each, number=number), match["thing"], match["thing"])
        for match, each, number in zip(found, amounts, whole, strict=True)
    )


def _read_row(text: str) -> tuple[_Part, ...]:
    """Return the amounts of a row, one or none of them with its currency; () for others.

    "46 euros for feed, 18 for rings and 25 at the vet"; whatever else is counted in it makes it no row.
    """
    pieces = [each for each in _ROW.split(text) if _NUMBER.search(each)]
    amounts = [each for piece in pieces if (each := _read_amount(piece)) is not None]
    former = any(_THEN.match(each.strip()) for each in pieces[1:])  # "410 an hour, before that 365"
    if len(pieces) < _LEAST_PARTS or len(amounts) < len(pieces) or former:
        return ()
    bare = [piece for piece, each in zip(pieces, amounts, strict=True) if not each.currency and each.scale == 1]
    if any(not each.currency for each in amounts) and not any(_MONEY.search(each.written) for each in amounts):
        amounts = list(map(_drop_thing, amounts))  # "24 on diesel, 9.50 parking"
    units = [each.currency for each in amounts if each.currency]
    money = [each.currency for each in amounts if each.currency and _MONEY.search(each.written)]
    if (units and not money) or not all(is_alike(each, money[0]) for each in units) or not all(map(_ends, bare)):
        return ()
    parts: list[_Part] = []
    for amount, own in zip(amounts, pieces, strict=True):
        about = own
        behind = own.partition(amount.digits)[2]
        if not parts and _name_things(behind):
            about = behind  # what stands before the first of a row is what all of it is for
        elif parts and ADDS.search(own):
            about = f"{parts[-1].about}, {own}"
            parts[-1] = replace(parts[-1], about=about)
        elif parts and not (_name_things(own) or FIRST_PERSON.intersection(split_words(own))):
            about = f"{parts[-1].about}, {own}"  # "12 on lunch today and 8 yesterday"
        currency = amount.currency or next(iter(money), "")
        parts.append(_Part(replace(amount, currency=currency), own, about))
    return tuple(parts)


def _drop_thing(amount: _Amount) -> _Amount:
    """Return an amount without the thing behind it: "9.50 parking"."""
    return replace(amount, currency="", written=amount.digits if amount.scale == 1 else amount.written)


def _ends(part: str) -> bool:
    """Return whether a number begins a part of a row, or stands right behind a word that says more than "at"."""
    before, _, behind = part.strip(" .!").partition(next(iter(_NUMBER.findall(part)), ""))
    last = next(reversed(split_words(before)), "")
    more = {*split_words(before)[-2:], *split_words(behind)[:1]}  # "another 24", "3 more"
    named = last not in STOP_WORDS or not _MORE.isdisjoint(more) or any(map(ADDS.fullmatch, more))  # "spent 38"
    named = named or last in FIRST_PERSON or (not last and _ROW.match(part.strip()) is not None)  # "and 7 yesterday"
    named = named or says_when().fullmatch(last) is not None  # "spent today 38"
    named = named or _PAID.search(before) is not None  # "the tiles came to 40"
    named = named or (last in _BOUGHT_FOR and not behind.strip(" .,!"))  # "grips for 18.50"
    named = named or (not PREPOSITIONS.fullmatch(last) and not _BOUGHT_FOR.isdisjoint(split_words(behind)[:1]))
    named = named or any(fold(day[0]) == last for day in _DAY.finditer(part))  # "sa 760, so 388"
    return named and not behind.startswith(".")


def _read_price(text: str) -> tuple[_Part, ...]:
    """Return the only number of a sentence where that is an amount of something, and no hour: "swimming at 5"."""
    amount = _read_amount(text)
    if amount is None:
        return ()
    before, *numbered = _NUMBER.split(text, maxsplit=1)
    at_day = any(not before[day.end() :].strip(" .s") for day in _DAY.finditer(before))
    clause, *beside = sorted(_CLAUSES.split(text), key=lambda each: _NUMBER.search(each) is None)
    alone = len(" ".join(beside).split()) < _FEW or _adds(clause)  # "plot 4, the key is with Olga" tells a name
    alone = alone or not _NUMBER.sub("", clause, count=1).strip(" .")  # "had the oil of the car changed, 260"
    told = amount.currency or amount.scale > 1 or _PAYING.search(text) or _TRADES.search(text)
    sure = told or (numbered and not at_day and alone and _ends(clause))
    return (_Part(amount, text, text, single=True),) if sure else ()


def _read_amount(text: str) -> _Amount | None:
    """Return the only number of a sentence as an amount, ``None`` where it holds none or several.

    Where there are no figures, numbers in words count, from two on: "forty pounds".
    """
    text = text if _NUMBER.search(text) else write_figures(text)
    found = _AMOUNT.search(text)
    if found is None or len(_NUMBER.findall(text)) != 1:
        return None
    behind = found["behind"] or ""
    no_unit = STOP_WORDS | list_changing_words(text)  # "gave Ben 30 back"
    unit = behind.casefold()
    tells = (
        says_when().fullmatch(unit)
        or _REFUNDS.fullmatch(unit)
        or _PAYING.fullmatch(unit)
        or PREPOSITIONS.fullmatch(unit)
    )  # "noch 22,50 gekostet"
    behind = "" if unit in no_unit or find_concept(unit) in no_unit or tells else behind
    written = found[0][: len(found[0]) - len(found["behind"] or "") + len(behind)].strip()
    currency = found["before"] or find_concept(behind.casefold()) if found["before"] or behind else ""
    number, scale = Decimal(found["number"].replace(",", ".")), _THOUSAND if found["thousands"] else 1
    return _Amount(Decimal(int(number * scale)) if scale > 1 else number, currency, found["number"], written, scale)


def write_figures(text: str) -> str:
    """Return a text with its numbers in words, of one word and from two on, in figures: "three hours"."""
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
    """What amounts come to, ``amount`` with their currency or unit, and the ``parts`` that tell them, oldest first.

    ``amount`` is "" where they cannot be added up.
    """

    amount: str
    parts: tuple[Evidence, ...]


def tell_sum(
    asked: str,
    spoken: tuple[RecalledUtterance, ...],
    now: datetime,
    phrases: AnswerPhrases,
    within: Callable[[Evidence, str], bool] | None = None,
) -> tuple[str, tuple[Recalled, ...]] | None:
    """Return the answer of :func:`compute_sum` and the memories that it quotes."""
    summed = compute_sum(asked, spoken, find_aliases(spoken), within)
    if summed is None:
        return None
    text = format_lines(summed.parts, now, phrases)
    text = f"{text}\n{phrases.sum.format(amount=summed.amount)}" if summed.amount else text
    return text, tuple({piece.source.memory.key: piece.source.memory for piece in summed.parts}.values())


def tell_total(
    asked: str, told: Sequence[Evidence], spoken: Sequence[RecalledUtterance], known: Aliases, phrases: AnswerPhrases
) -> str:
    """Return what the amounts of the only row come to that answers how much; "" for others, and where one is in doubt.

    In doubt is what the question asks of a part alone, what was told anew, or goes on, and what was paid of a debt.
    """
    read, (_, wanted) = _read_all(told), _list_wanted(asked)
    pieces = list({piece.text: piece for _, piece in read}.values())
    debt = names_debt(asked) and bool(wanted)
    if not (debt if names_debt(asked) else _adds_up(asked)) or len(pieces) != 1 or all(part.single for part, _ in read):
        return ""
    [row] = pieces
    if row.source.role != "user" or (debt and (not names_debt(row.text) or tells_end(row.text))):
        return ""  # "he wants 380 and was paid 100" is no sum, nor is one line of a table
    money = any(_UNITS.search(part.amount.written) for part, _ in read) or _PAYING.search(f"{asked} {row.text}")
    changed = find_changes(asked, pieces, spoken, known) or find_payments(asked, row, spoken, known)
    others = [piece for piece in _list_stated(spoken) if piece.text not in row.text and _read_parts(piece.text)]
    goes_on = any((_goes_on(piece, row) and piece.follows(row)) or _find_shared(wanted, piece.text) for piece in others)
    if not money or changed or goes_on:
        return ""
    shared = [len(_find_shared(wanted, part.about)) for part, _ in read]
    parts = [part for (part, _), shares in zip(read, shared, strict=True) if shares == max(shared)]
    return "" if len(parts) < len(read) else phrases.sum.format(amount=_add_up(parts))


def _add_up(parts: Sequence[_Part]) -> str:
    """Return what amounts come to, as the one that tells most of its currency is told."""
    amounts = [part.amount for part in parts]
    first = max(amounts, key=lambda each: len(each.written) - len(each.digits))
    longest = max(amounts, key=lambda each: len(each.digits.replace(",", ".").partition(".")[2]))
    if longest.scale == first.scale:
        first = first.put_right(longest.digits)
    return first.write(sum((each.number for each in amounts), Decimal()))


def asks_sum(asked: str, *, of_time: bool = False) -> bool:
    """Return whether a question asks what amounts come to together, or what was paid or earned.

    ``of_time`` says that it names a time of which it asks that.
    """
    kind, alone = analyse(asked).kind, not analyse(asked).terms
    of_money = of_time and (_PAYING.search(asked) or (alone and kind is AnswerKind.NUMBER))
    if (_adds_up(asked) or of_money) and kind in (AnswerKind.NUMBER, AnswerKind.ANY):
        return not of_time or not names_debt(asked)
    return _PAYING.search(asked) is not None and kind is AnswerKind.NUMBER and not names_debt(asked)


def asks_all_spent(asked: str) -> bool:
    """Return whether a question asks what was spent, and names nothing for which, nor a time."""
    return _SPENDING.search(asked) is not None and asks_sum(asked, of_time=True) and not _list_wanted(asked)[1]


def strip_paying(text: str) -> str:
    """Return a text without the words by which it asks for a sum, or tells that something is paid."""
    return " ".join(_SPENDING.sub(" ", _PAYING.sub(" ", text)).split())


def tells_amounts(text: str) -> bool:
    """Return whether a message tells amounts: one alone, a row of them, or numbers of things with their prices.

    What begins with "and" goes on with such a row: "and 45 for the keys".
    """
    goes_on = _ROW.match(text.strip()) is not None and _read_amount(text) is not None
    return goes_on or bool(_read_parts(text))


def tells_paid(text: str) -> bool:
    """Return whether a sentence tells an amount of money before it names a thing: "and 9 pounds on compost"."""
    found = _AMOUNT.search(text)
    before = split_words(text[: found.start()]) if found is not None else ()
    if found is None or not all(word in STOP_WORDS or word in _MORE or ADDS.fullmatch(word) for word in before):
        return False
    behind = found["behind"] or ""
    return bool(found["before"] or _MONEY.fullmatch(behind) or PREPOSITIONS.fullmatch(behind.casefold()))


def asks_amount(asked: str) -> bool:
    """Return whether a question asks how much money was paid or earned, or is owed."""
    return _PAYING.search(asked) is not None and analyse(asked).kind is AnswerKind.NUMBER


def _adds_up(asked: str) -> bool:
    """Return whether words ask for a sum: "in total", "spent on", and "so far" of what was paid."""
    sums = _SUMS.search(asked) or _SPENDING.search(asked)
    return sums is not None or (_UNTIL.search(asked) is not None and _PAYING.search(asked) is not None)


def compute_sum(
    asked: str,
    spoken: Sequence[RecalledUtterance],
    known: Aliases,
    within: Callable[[Evidence, str], bool] | None = None,
) -> Sum | None:
    """Return what the amounts come to that a question asks the sum of; ``None`` where those are not several.

    They share all that any amount shares with the question, or one of the things that it names in a row; all are of one
    currency, and what has changed since counts no more; another part changes none.  What was added to one of them on
    the same day ("the hose was another 32") is one as well.  One sentence is enough that tells a row of amounts, or how
    many there were at what price; the newest of these where the question names nothing.  Where another amount is read
    as an answer there is none: it may belong to it.

    With ``within`` all that was said is ``spoken``, and the question asks for what it holds of, by a sentence and its
    words about an amount, be it one amount, or where it names nothing all that was paid, or earned; "" for the amount
    where their currencies differ, or another bare amount told on the same day may have been paid as well.
    """
    bare, wanted = _list_wanted(asked)
    stated = _list_stated(spoken)
    days: dict[date | None, list[Evidence]] = {}
    for one in stated:  # who buys coffee on two days pays twice
        days.setdefault(one.source.said_at.date() if within and one.source.said_at else None, []).append(one)
    told = [piece for day in days.values() for piece in drop_repeated(_cut_former(each, day) for each in day)]
    read, rights = _put_right(told)
    righting = {later.text for later in rights.values()}
    others = {piece.text for _, piece in read} if within else set[str]()
    read = [one for one in read if within is None or within(one[1], _find_words(*one))]
    rows = [piece for part, piece in read if not part.single]
    debts = names_debt(asked) and not wanted
    if debts:
        parts = _list_debts(asked, told)
    elif not wanted and within is not None:
        parts = _list_paid(asked, read)
    else:
        parts = _choose_parts(bare, wanted, read) or _list_read(asked, read)
        parts = parts if wanted or not rows else _list_last(rows, read)
    if not _adds_up(asked) and within is None:
        parts = _list_alone(asked, parts)
    parts = [counted for one in parts if (counted := _count_refund(*one, parts)) is not None]
    parts = [one for one in parts if not any(_tells_again(other, one[1]) for _, other in parts)]
    parts += [] if debts else _list_added(parts, read)
    said = {piece.text for _, piece in parts} | righting
    if debts:
        said = {text for piece in told for text in (piece.text, *_ENDS.split(piece.text)) if names_debt(text)}
    parts = _keep_unchanged(asked, parts, said, others, spoken, known)
    if not parts or (len(parts) < _LEAST_PARTS and not within and parts[0][1] not in rows):
        return None
    named = [part.amount for part, _ in parts if part.amount.currency]
    mixed = not all(is_alike(each.currency, named[0].currency) for each in named)
    if mixed and within is None:
        return None
    unsure = _SUMS.search(asked) is None
    unsure = unsure or any(not (part.amount.currency or _adds(piece.text)) for part, piece in parts)
    if unsure and named and not any(_UNITS.search(each.written) for each in named):
        return None  # "what have I taken so far" may be no money
    if any(find_payments(asked, piece, spoken, known) or _is_doubted(piece, read) for _, piece in parts):
        return None  # what is left of a debt is no sum
    told_bare = within is not None and not (wanted or named or _EARNING.search(asked))
    perhaps = _list_perhaps(parts, read) if told_bare else []
    pieces = [each for _, piece in [*parts, *perhaps] for each in (piece, rights.get(piece.text)) if each is not None]
    pieces = [piece for place, piece in enumerate(pieces) if piece not in pieces[:place]]
    mixed = mixed or bool(perhaps)
    return Sum(
        "" if mixed else _add_up([part for part, _ in parts]), tuple(sorted(pieces, key=lambda piece: piece.age))
    )


def _find_words(part: _Part, piece: Evidence) -> str:
    """Return the words of a sentence about an amount of its own, the days of a month with them, "" where none are."""
    own = [each for each in _ROW.split(piece.text) if part.amount.digits in _NUMBER.findall(each)]
    return own[0] if len(own) == 1 else ""


def _list_last(rows: Sequence[Evidence], read: Sequence[_Told]) -> list[_Told]:
    """Return the amounts of the row that was told last: "what did I spend altogether"."""
    last = max(rows, key=lambda piece: piece.age)
    return [one for one in read if one[1] is last]


def _list_alone(asked: str, parts: Sequence[_Told]) -> list[_Told]:
    """Return the amounts of the only sentence about things with their prices that a question is about."""
    alone = len({piece.text for _, piece in parts}) == 1 and not _PRICES.search(asked)
    return list(parts) if alone and _TRADE.search(parts[0][1].text) else []


def _list_wanted(asked: str) -> tuple[str, set[str]]:
    """Return a question without what asks for a sum, and the concepts that it names besides."""
    bare = _THEN.sub(" ", _UNTIL.sub(" ", _PAYING.sub(" ", _SUMS.sub(" ", asked))))
    return bare, {each for each in analyse(bare).terms if not _COUNTS.fullmatch(each)} - _ALL_PEOPLE


def _list_stated(spoken: Sequence[RecalledUtterance]) -> list[Evidence]:
    return [Evidence(text, said) for said in spoken if said.role == "user" for text in list_statements(said)]


def _read_all(pieces: Iterable[Evidence]) -> list[_Told]:
    return [(part, piece) for piece in pieces for part in _read_parts(piece.text)]


def _list_added(parts: Sequence[_Told], read: Sequence[_Told]) -> list[_Told]:
    """Return the amounts that were added to others on one day, without a thing for a unit where those have none."""
    said = {piece.text for _, piece in parts}
    added = [one for one in read if one[1].text not in said and _adds(one[1].text)]
    added = [one for one in added if any(_goes_on(one[1], each) for _, each in parts)]
    if any(part.amount.currency for part, _ in parts):
        return added
    return [
        (part if _MONEY.search(part.amount.written) else replace(part, amount=_drop_thing(part.amount)), piece)
        for part, piece in added
    ]


def _keep_unchanged(
    asked: str,
    parts: Sequence[_Told],
    said: set[str],
    others: set[str],
    spoken: Sequence[RecalledUtterance],
    known: Aliases,
) -> list[_Told]:
    """Return the amounts that hold: what was ``said`` changes none, unless a model surely read it so.

    Amounts of a time are paid one by one: none of the ``others`` is in the place of any.
    """
    found = find_changes(asked, tuple(piece for _, piece in parts), spoken, known)
    held: list[_Told] = []
    for place, (part, piece) in enumerate(parts):
        later, replaces = found.get(place), False
        # what is put right is so already
        if later is not None and not any(map(find_contrasts, _CLAUSES.split(later.piece.text))):
            own = next((each for each in said if later.piece.text.endswith(each)), later.piece.text)
            read = later.sure and not (names_debt(own) or ADDS.search(own))
            replaces = later.perhaps and own not in others and (own not in said or read)
        if later is None or not replaces:
            held.append((part, piece))
            continue
        amount = None if later.ends else _read_amount(later.piece.text)
        if amount is not None and later.piece.text not in said.union(each.text for _, each in held):
            held.append((replace(part, amount=amount), later.piece))  # "it was only 104 in the end"
    return held


def _count_refund(part: _Part, piece: Evidence, parts: Sequence[_Told]) -> _Told | None:
    """Return a part of a sum, what came back as less than nothing; ``None`` where nothing was paid for the same."""
    if _REFUNDS.search(part.text) is None:
        return part, piece
    about = _name_things(_REFUNDS.sub(" ", part.text))
    paid = any(piece.follows(each) and _find_shared(about, each.text) for _, each in parts)
    return (replace(part, amount=replace(part.amount, number=-part.amount.number)), piece) if paid else None


def _list_paid(asked: str, read: Sequence[_Told]) -> list[_Told]:
    """Return the amounts that were paid, or that came in where a question asks for that; no debts and no prices.

    Where no word says that something is paid, it is money that is told once: "boots 80 euros", "oil change, 60".
    """
    earned = _EARNING.search(asked) is not None

    def is_paid(part: _Part, text: str) -> bool:
        amount, priced = part.amount, part.single and _PRICES.search(text) is not None
        if _PAYING.search(text) or _REFUNDS.search(text) or (_TRADES.search(text) and not priced):
            return not amount.currency or _UNITS.search(amount.written) is not None
        row = not (part.single or _BOUGHT_FOR.isdisjoint(split_words(text)))  # "24 for light and 8 for water"
        told = _UNITS.search(amount.written) or (not amount.currency and (row or _PUT_LAST.search(text)))
        return bool(told) and not priced

    return [
        (part, piece)
        for part, piece in read
        if (_EARNING.search(piece.text) is not None) is earned
        and not names_debt(piece.text)
        and is_paid(part, piece.text)
    ]


def _list_perhaps(paid: Sequence[_Told], read: Sequence[_Told]) -> list[_Told]:
    """Return the bare amounts that end a sentence told on the day of what was paid, and may be so: "taxi 45"."""
    texts = {piece.text for _, piece in paid}
    bare = [one for one in read if one[1].text not in texts and one[0].single and not one[0].amount.currency]
    return [
        (part, piece)
        for part, piece in bare
        if not _NUMBER.split(piece.text)[-1].strip(" .!")
        and not any(each.search(piece.text) for each in (_EARNING, _PRICES))
        and not names_debt(piece.text)
        and any(_goes_on(piece, other) or _goes_on(other, piece) for _, other in paid)
    ]


def _choose_parts(asked: str, wanted: set[str], read: Sequence[_Told]) -> list[_Told]:
    """Return the amounts that share all that any shares with a question, or those of each thing that it names."""
    shared = [_share_part(wanted, part, piece) for part, piece in read]
    about = set[str]().union(*shared)
    parts = [each for each, shares in zip(read, shared, strict=True) if about and shares == about]
    things = [thing for part in _THINGS.split(asked) if (thing := wanted & set(list_concepts(part)))]
    if not parts and len(things) >= _LEAST_PARTS:
        for thing in things:
            rates = [(len(shares & thing), len(shares)) for shares in shared]
            best = max(rates, default=(0, 0))
            if not best[0]:
                return []
            parts += [each for each, rate in zip(read, rates, strict=True) if rate == best and each not in parts]
    whole = {piece.source.memory.key for _, piece in parts}  # a message is read as one
    left = (piece for each in read if each not in parts for piece in (each[1],))
    return [] if any(_is_read(piece) and piece.source.memory.key not in whole for piece in left) else parts


def _list_read(asked: str, read: Sequence[_Told]) -> list[_Told]:
    """Return the amounts that are read as answers, one of them surely: "what did both craftsmen cost together"."""
    likely = [one for one in read if (get_answering(one[1].source.memory) or 0.0) >= MAY_ANSWER]
    return likely if _SUMS.search(asked) and any(_is_read(piece) for _, piece in likely) else []


def _share_part(wanted: set[str], part: _Part, piece: Evidence) -> set[str]:
    """Return what is wanted of what a part tells; all of it, or none, where parts of its row name all that is wanted.

    Where one of them names it alone it is that one; what stands beside the row is what all of it is for.
    """
    row = [(each, _find_shared(wanted, each.about)) for each in _read_parts(piece.text)]
    named = [(each, names) for each, names in row if names]
    rest = {one for each, names in named for one in _name_things(each.text) if not _find_shared(wanted, one)}
    whole = part.single or set[str]().union(*(names for _, names in named)) != wanted
    if whole or (rest and not len(named) == len(wanted) > 1):
        return _find_shared(wanted, piece.text)
    return wanted if any(each.text == part.text for each, _ in named) else set()


def _is_read(piece: Evidence) -> bool:
    return (get_answering(piece.source.memory) or 0.0) >= ANSWERING


def _list_debts(asked: str, told: Sequence[Evidence]) -> list[_Told]:
    """Return the amounts that the speaker owes, or is owed, as a question asks for either; none where one is unclear.

    Unclear is who owes whom where others are named as well, what was lent, and what somebody owes who owes already.
    """
    owes = _owes(asked)
    sentences = [replace(piece, text=text) for piece in told for text in _ENDS.split(piece.text)]
    found: list[_Told] = []
    debtors = set[str]()
    for piece in (each for each in sentences if names_debt(each.text) and _NUMBER.search(each.text)):
        own = not FIRST_PERSON.isdisjoint(split_words(piece.text))
        for part in _read_parts(piece.text) or (None,):
            said = [word for word in split_words(_UNITS.sub(" ", part.text if part else "")) if word not in STOP_WORDS]
            verbs = [word for word in said if names_debt(word) and _PAYING.fullmatch(word)]
            named = [word for word in said if word not in verbs and not holds_value(word) and not ADDS.fullmatch(word)]
            # "Robbie owes me 30, Kit 12.50" says that Kit owes, too.
            owing = verbs or (found and found[-1][1] is piece)
            clear = bool(named) if own else len(named) == 1
            if part is None or not owing or not clear or not debtors.isdisjoint(named):
                return []
            leads = bool(verbs) and said[0] == verbs[0]
            by_speaker = _OWED.search(piece.text) is None and (speaks_of_self(piece.text) or (leads and not own))
            debtors.update(named)
            found += [(part, piece)] if by_speaker is owes else []
    return found


def _owes(text: str) -> bool:
    return speaks_of_self(text) and _OWED.search(text) is None


def tells_other_debt(text: str, asked: str) -> bool:
    """Return whether a text tells what the speaker owes and a question asks what they are owed, or the reverse."""
    owing = [word for word in split_words(text) if names_debt(word) and _PAYING.fullmatch(word)]
    own = all(names_debt(each) and not FIRST_PERSON.isdisjoint(split_words(each)) for each in (text, asked))
    return own and len(owing) == 1 and _owes(text) is not _owes(asked)


def _cut_former(piece: Evidence, told: Sequence[Evidence]) -> Evidence:
    """Return what puts an amount right, or follows what may, without the sentence before that it leans on."""
    own = next((each for each in split_sentences(piece.source.text) if piece.text.endswith(each)), piece.text)
    former = fold(piece.text.removesuffix(own).strip(" ."))
    others = [each for each in told if each is not piece]
    before = [each for each in others if former and former in fold(each.text)]
    rights = _opens_right(own) or any(_find_again(each.text, _read_all(others)) for each in before)
    return replace(piece, text=own) if before and rights else piece


def _put_right(told: Sequence[Evidence]) -> tuple[list[_Told], dict[str, Evidence]]:
    """Return the amounts as later sentences put them right, and those by the texts that they put right."""
    read, rights = _read_all(told), dict[str, Evidence]()
    for later in told:
        for (part, piece), digits in _list_righted(later, read):
            place = read.index((part, piece))
            read[place], rights[piece.text] = (replace(part, amount=part.amount.put_right(digits)), piece), later
    righting = {later.text for later in rights.values()}
    return [one for one in read if one[1].text not in righting], rights


def _list_righted(later: Evidence, read: Sequence[_Told]) -> list[tuple[_Told, str]]:
    """Return the amounts that a sentence puts right of what was told before, with the right number.

    It says both, or corrects the amount of the one thing that it names: "not 12 but 15", "no, the car wash was 15".
    """
    before, meant = [each for each in read if later.follows(each[1])], set(list_concepts(later.text))
    for clause in (later.text, *_CLAUSES.split(later.text)):
        for wrong, right in find_contrasts(clause):
            old, new = _NUMBER.findall(wrong), _NUMBER.findall(right)
            fits = [one for one in before if [one[0].amount.digits] == old and _find_shared(meant, one[1].text)]
            if len(new) == 1 and fits:
                return [(one, new[0]) for one in fits]
    named = _find_again(later.text, before) if _opens_right(later.text) else []
    return [(named[0], _NUMBER.findall(later.text)[0])] if len(named) == 1 else []


def _opens_right(text: str) -> bool:
    return any(strip_opening(text)[1:]) and not _adds(text)


def _is_doubted(row: Evidence, read: Sequence[_Told]) -> bool:
    """Return whether an amount of a row was told anew later on the day, and nobody says that it is another one."""
    own = [(part, row) for part in _read_parts(row.text)]
    later = {piece.text for _, piece in read if piece is not row and not _adds(piece.text) and _goes_on(piece, row)}
    return any(_find_again(text, own) for text in later)


def _find_again(later: str, before: Sequence[_Told]) -> list[_Told]:
    """Return the amounts of rows that a sentence with one amount tells of the same things anew."""
    bare = strip_opening(later)[0]
    about = _name_things(bare)
    if not about or len(_NUMBER.findall(bare)) != 1:
        return []
    return [one for one in before if not one[0].single and one[1].text != later and about <= _name_things(one[0].text)]


def _name_things(text: str) -> set[str]:
    """Return what a part of a row names beside its amount, and when that was paid."""
    plain = _DAY.sub(" ", _PAYING.sub(" ", _UNITS.sub(" ", text)))
    said = (one for one in list_concepts(plain) if not holds_value(one))
    return {one for one in said if says_when().fullmatch(one) is None and one not in FIRST_PERSON}


def _adds(text: str) -> bool:
    """Return whether a sentence adds an amount to what was told before it: "another 8", "mittwoch nochmal 8"."""
    begins = _ROW.match(text.strip()) is not None
    return begins or ADDS.search(text) is not None or not _MORE.isdisjoint(split_words(text))


def _tells_again(later: Evidence, earlier: Evidence) -> bool:
    """Return whether a sentence tells the one amount of another once more, of the same and not as one more."""
    [number, *others] = _NUMBER.findall(earlier.text) or [""]
    if others or not later.follows(earlier) or not _goes_on(later, earlier):
        return False
    clauses = [each for each in _ROW.split(later.text) if number in _NUMBER.findall(each)]
    about = {each for each in list_concepts(strip_paying(_UNITS.sub(" ", earlier.text))) if not holds_value(each)}
    again = (
        {one for one in list_concepts(strip_paying(each)) if not holds_value(one)}
        for each in clauses
        if not _adds(each)
    )
    return any(about & said in (about, said) for said in again if about and said)


def _goes_on(later: Evidence, earlier: Evidence) -> bool:
    """Return whether somebody told something after something else on one day, or within the same second."""
    said, before = later.source.said_at, earlier.source.said_at
    follows = later.source.whose == earlier.source.whose and later.age >= earlier.age
    follows = follows or later.source.memory.exchange == earlier.source.memory.exchange != ""
    return follows and said is not None and before is not None and said.date() == before.date()


def _find_shared(wanted: set[str], text: str) -> set[str]:
    """Return those of the wanted concepts that a text speaks of, if only by the first part: "garden stuff"."""
    said = {*list_concepts(text), *(word for word in split_words(text) if word not in STOP_WORDS)}
    return {one for one in wanted if any(is_alike(_WIDE.sub("", one), other) for other in said)}


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
) -> tuple[Evidence, int, int] | None:
    """Return the newest sentence that tells the whole date of a birth, the age by it, and the year in which it is that.

    ``None`` where none tells one; the year is 0 where today's age is asked for.  It is the birth of whom the question
    names, and the sentence names nobody else.
    """
    analysis = analyse(asked)
    if not asks_age(analysis):
        return None
    told = [Evidence(text, said) for said in spoken if said.role == "user" for text in list_statements(said)]
    for piece in sorted(told, key=lambda one: -one.age):
        born = _read_birth(piece.text) if _BIRTH in list_concepts(piece.text) else None
        if born is None or not _is_birth_of(analysis, piece, known):
            continue
        today, year = now.date(), find_year(asked, now.date())
        years = (year or today.year) - born.year
        years -= not year and (today.month, today.day) < (born.month, born.day)
        ended = any(later.perhaps for later in find_changes(asked, (piece,), spoken, known).values())  # "Gran died"
        return (piece, years, year) if born <= today and 0 <= years <= _OLDEST and not ended else None
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
