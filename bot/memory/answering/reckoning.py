"""Computes what is left of a debt that was paid back in part.

The sentences themselves stand above it, so that anybody can check it; what is not certain is not computed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from bot.memory.answering.changes import find_payments
from bot.memory.answering.evidence import Aliases, Evidence, RecalledUtterance
from bot.memory.answering.questions import AnswerKind, analyse
from bot.memory.synonyms import STOP_WORDS, find_concept, is_alike

_AMOUNT: Final = re.compile(
    r"(?<![\w.,])(?P<before>[€$£]?)(?P<number>\d{1,7}(?:[.,]\d{2})?)(?![\d:])(?:\s?(?P<behind>[€$£]|[^\W\d_]{1,20}))?"
)
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class _Amount:
    """A sum of money; ``currency`` is "" where none is told, ``written`` as it is told with its currency."""

    number: Decimal
    currency: str
    digits: str
    written: str


@dataclass(frozen=True, slots=True)
class Rest:
    """What is left of a debt, ``amount`` in its currency, and the ``payments`` that say so, newest first."""

    amount: str
    payments: tuple[Evidence, ...]


def compute_rest(
    asked: str, told: Sequence[Evidence], spoken: Sequence[RecalledUtterance], known: Aliases
) -> Rest | None:
    """Return how much is left of a debt that is told, ``None`` where that is not certain.

    All that was paid back is of the same currency, and less than the debt.
    """
    if analyse(asked).kind is not AnswerKind.NUMBER:
        return None
    for debt in told:
        if (owed := _read_amount(debt.text)) is None:
            continue
        payments = find_payments(asked, debt, spoken, known)
        paid = [each for piece in payments if (each := _read_amount(piece.text)) is not None]
        same = all(is_alike(each.currency or owed.currency, owed.currency) for each in paid)
        left = owed.number - sum(each.number for each in paid)
        if paid and same and len(paid) == len(payments) and left > 0:
            return Rest(owed.written.replace(owed.digits, str(left)), payments[::-1])
    return None


def _read_amount(text: str) -> _Amount | None:
    """Return the only number of a sentence as an amount, ``None`` where it holds none or several."""
    found = _AMOUNT.search(text)
    if found is None or len(_NUMBER.findall(text)) != 1:
        return None
    behind = found["behind"] or ""
    behind = "" if behind.casefold() in STOP_WORDS else behind
    written = found[0][: len(found[0]) - len(found["behind"] or "") + len(behind)].strip()
    currency = found["before"] or find_concept(behind.casefold()) if found["before"] or behind else ""
    return _Amount(Decimal(found["number"].replace(",", ".")), currency, found["number"], written)
