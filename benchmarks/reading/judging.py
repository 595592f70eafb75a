"""How well rates of messages tell which of them answer a question, and whether any does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.reading.lives import Asked

Rates = Sequence[Sequence[float]]
Figures = dict[str, float]


def judge(asked: Sequence[Asked], rates: Rates) -> dict[str, Figures]:
    """Return by language, and for all, what :func:`_judge` says of the rates of each question's messages."""
    found = {"all": _judge(asked, rates)}
    for language in sorted({each.language for each in asked}):
        chosen = [number for number, each in enumerate(asked) if each.language == language]
        found[language] = _judge([asked[number] for number in chosen], [rates[number] for number in chosen])
    return found


def _judge(asked: Sequence[Asked], rates: Rates) -> Figures:
    """Return per cent of questions whose first message answers, and of those without an answer that are refused.

    ``known`` is the area under the curve of the best rate as a sign that any message answers; "refused at 95" is at the
    floor that keeps 95 % of the questions with an answer.
    """
    best = np.array([max(each) for each in rates])
    known = np.array([bool(each.answers) for each in asked])
    pairs = [(np.argsort(each)[::-1], one.answers) for each, one in zip(rates, asked, strict=True) if one.answers]
    floor = np.quantile(best[known], 0.05)
    above = best[known][:, None] > best[~known]
    same = best[known][:, None] == best[~known]
    return {
        "questions": len(asked),
        "first": round(100 * float(np.mean([order[0] in answers for order, answers in pairs])), 1),
        "first three": round(100 * float(np.mean([not answers.isdisjoint(order[:3]) for order, answers in pairs])), 1),
        "known": round(float(np.mean(above + 0.5 * same)), 3),
        "refused at 95": round(100 * float(np.mean(best[~known] < floor)), 1),
    }
