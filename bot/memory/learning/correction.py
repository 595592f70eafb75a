"""Finds what somebody puts right of their own earlier words: "no, wait: at 8:40", "not Kovacs, Novak".

A correction names what holds, and often what does not.  Both are compared with what the same person said before: only
where the wrong value stands there, or one of the same kind in the same place, is it known what is meant.  The statement
that holds from then on is the earlier sentence with the right value in it, or the new sentence, if it is a whole one.
Where it is not known, nothing is replaced: both stay, and are told with their dates.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final

from bot.memory.concepts import STOP_WORDS
from bot.memory.learning.rewording import (
    ADDS,
    DATE,
    GAP,
    PREPOSITIONS,
    PRONOUNS,
    TOKEN,
    holds_value,
    join_patterns,
    replace_alike,
    replace_behind,
    replace_day,
    replace_kind,
    replace_misspelt,
    replace_only_name,
    replace_referring,
    replace_value,
    replace_whole,
    split_tokens,
    tells_value_of_a_kind,
)
from bot.memory.learning.speech_acts import SpeechAct, classify_speech, is_trivial, keep_own_words
from bot.memory.learning.statements import find_facts
from bot.memory.patterns import compile_bounded
from bot.memory.secrets.redaction import is_redacted
from language import alternatives, detect_languages, languages, negations
from language.patterns import compile_at_use
from language.sentences import is_ordinal, split_sentences
from language.words import fold

_LONGEST: Final = 400
"""Characters: who corrects a word says little."""
_LONGEST_CLOSED: Final = 100
"""Characters of a sentence at whose end it is looked for an apology."""
_MOST_OF_VALUE: Final = 3
"""Words of a mere value."""
_RECENT: Final = 16
_REMEMBERED: Final = 4096
"""Sentences whose opening is known: the same memories are found again and again."""
_LANGUAGES: Final = languages()
_VALUE: Final = r"(?P<{name}>[^\s,;:.!?–—-][^;!?{more}]{{0,{most}}}{lazy})"
_SOUNDS: Final = rf"(?:{join_patterns('interjections')}(?!\w){GAP}){{0,3}}"
_BEGINS: Final = compile_bounded(rf"\A{_SOUNDS}", re.IGNORECASE)
_COURTESY: Final = compile_at_use(
    rf"(?:[\s,]{GAP}{join_patterns('courtesies')}(?!\w)){{1,4}}+[\s.!)]{{0,8}}+$", re.IGNORECASE
)
_OPENING: Final = compile_bounded(
    rf"[\s*]{{0,3}}+(?:{_SOUNDS}{join_patterns('openers')}(?!\w){GAP}){{1,6}}+", re.IGNORECASE
)
_ADDITIONS: Final = {
    each.code: compile_bounded(rf"\s*(?:{each.corrections.additions})(?!\w)", re.IGNORECASE) for each in languages()
}
"""By language: "also" adds nothing in German."""
_WEAK_OPENING: Final = compile_bounded(rf"\s*(?:{join_patterns('weak_openers')}(?!\w){GAP}){{1,4}}+", re.IGNORECASE)
_CLOSING: Final = compile_at_use(rf"[\s,]{GAP}{join_patterns('closers')}(?!\w)[\s.!)]{{0,8}}+$", re.IGNORECASE)
_DENIAL: Final = compile_at_use(
    rf"[\s*]{{0,3}}+{_SOUNDS}(?:{join_patterns('denials')}(?!\w){GAP}){{1,3}}", re.IGNORECASE
)
_BEFORE_DENIAL: Final = compile_at_use(
    rf"[.!]{{1,4}}(?=\s+(?:{alternatives(each.vocabulary.negations for each in languages())})\s)", re.IGNORECASE
)
_STARRED: Final = compile_at_use(r"\*(?P<value>\w[^*\n]{0,40})")
"""How people put a slip right: "*Petra"."""


def _compile_contrast(source: str) -> re.Pattern[str]:
    """Return the pattern; its last value takes all that follows, so that nothing is tried twice."""
    last = "wrong" if source.find("{wrong}") > source.find("{right}") else "right"
    for name, more, most in (("wrong", ",–—", 60), ("right", "", 120)):
        value = _VALUE.format(name=name, more=more, most=most, lazy="" if name == last else "?")
        source = source.replace(f"{{{name}}}", value)
    return compile_bounded(source, re.IGNORECASE)


_CONTRASTS: Final = {each.code: tuple(map(_compile_contrast, each.corrections.contrasts)) for each in _LANGUAGES}
_BREAK: Final = compile_at_use(r"[,.](?=\s|\Z)|[!;\n]")
_MIDST: Final = compile_bounded(rf"\s(?={join_patterns('closers')}\s)", re.IGNORECASE)
"""Where words that take back what was said go on to say why: "level 5 sorry was reading the wrong ticket"."""
_INTRODUCTION: Final = compile_at_use(r"\A[^:]{1,60}+:(?!\d)\s*")
"""What somebody says before a correction: "they called: …"."""
_FIGURES: Final = re.compile(
    r"(?<!\w)(?!\d{1,2}[./-]\d{1,2}\b|\d{4}-\d\d-)(?=\S{0,40}\d)[^\W_](?:[^\s,;:!?()\"'«»„“”*]{0,60}[^\W_])?"
)
_LEAST_SECRET: Final = 3
"""Characters of the shortest PIN."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that the same person said before; ``uid`` names its exchange, ``last`` that it was said just now."""

    uid: str
    sentence: str
    last: bool = False


@dataclass(frozen=True, slots=True)
class Correction:
    """``sentence``, verbatim of the exchange ``uid``, does not hold: ``statement`` holds instead."""

    uid: str
    sentence: str
    statement: str


def may_correct(text: str) -> bool:
    """Return whether a message can be a correction of what was said just before it, or of anything."""
    said = keep_own_words(text).strip()
    first = TOKEN.search(said[:_LONGEST_CLOSED]) if 0 < len(said) <= _LONGEST_CLOSED else None
    leans = first is not None and bool(PREPOSITIONS.fullmatch(first[0]) or fold(first[0]) in PRONOUNS)
    return leans or begins_with_value(text) or looks_like_correction(text)


def begins_with_value(text: str) -> bool:
    """Return whether a short message says a mere value first: "4020! mixed the digits up"."""
    said = keep_own_words(text).strip()
    return 0 < len(said) <= _LONGEST_CLOSED and _is_value(_cut_clauses(said)[0])


def names_what_is_wrong(text: str) -> bool:
    """Return whether a message names the wrong value, or what it is about: then all of memory is worth a search."""
    said = keep_own_words(text).strip()
    if not 0 < len(said) <= _LONGEST:
        return False
    bare = (strip_opening(sentence)[0] for sentence in split_sentences(said))
    return any(map(find_contrasts, bare))


@lru_cache(maxsize=_RECENT)
def looks_like_correction(text: str) -> bool:
    """Return whether a message has the form of a correction: then what was just told is worth looking at."""
    said = _join_denial(keep_own_words(text).strip())
    if not said or len(said) > _LONGEST:
        return False
    if _STARRED.fullmatch(said) or _OPENING.match(said) or _WEAK_OPENING.match(said):
        return True
    told = split_sentences(said)
    clauses = chain.from_iterable(map(_cut_clauses, told)) if len(said) <= _LONGEST_CLOSED else told
    return any(map(_closes, told)) or any(map(find_contrasts, clauses))


def find_secrets_put_right(text: str, before: str) -> tuple[str, ...]:
    """Return what ``text`` puts in the place of a secret that was left out of ``before``, and what it says was wrong.

    A value whose wrong one stands in ``before`` puts that right, and a date is no secret.
    """
    if not is_redacted(before) or not (looks_like_correction(text) or begins_with_value(text)):
        return ()
    found, spared = [], set[str]()
    for sentence in split_sentences(keep_own_words(text)):
        bare, strong, _ = strip_opening(sentence)
        contrasts = [pair for clause in _cut_clauses(bare) for pair in find_contrasts(clause)]
        spared.update(right for wrong, right in contrasts if _stands_in(before, wrong))
        found += [one for pair in contrasts for one in pair if len(one.split()) == 1]
        found += [one.strip() for one in _cut_clauses(bare)[:1] if strong and len(one.split()) == 1]
        found += (match[0] for match in _FIGURES.finditer(sentence))
    told = (one for one in dict.fromkeys(found) if not _stands_in(before, one) and not is_trivial(one))
    return tuple(one for one in told if len(one) >= _LEAST_SECRET and not any(_stands_in(each, one) for each in spared))


def _stands_in(text: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE) is not None


def denies(text: str) -> bool:
    """Return whether a message says that something is wrong, and nothing else."""
    return len(text) <= _LONGEST_CLOSED and _DENIAL.fullmatch(text.strip()) is not None


def find_corrections(
    text: str, before: Sequence[Statement], *, denied: bool = False
) -> tuple[tuple[Correction, ...], bool]:
    """Return what ``text`` puts right of ``before`` (likeliest first), and whether it says nothing else.

    ``denied`` says that the author has just called something wrong, in a message of its own.
    """
    said = _join_denial(keep_own_words(text).strip())
    if not (denied or may_correct(text)):
        return (), False
    if (starred := _STARRED.fullmatch(said)) is not None:
        slip = _correct_slip(_CLOSING.sub("", starred["value"]), before)
        return ((slip,), True) if slip is not None else ((), False)
    told: list[tuple[str, bool, bool]] = []
    weak = False
    opened = denied
    for sentence in split_sentences(said):
        bare, strong, hinted = strip_opening(sentence)
        opened, weak = opened or strong or _closes(sentence), weak or hinted
        bare = _BEGINS.sub("", bare, count=1) if opened else bare
        if bare and not is_trivial(bare):
            told.append((bare, opened, weak))
    alone = len(told) == 1
    # "That's the garage. The door is 5520": what is right stands in the sentence that tells it anew.
    anew = [any(_tells_anew(bare, one.sentence) for bare, *_ in told) for one in before]
    each = [
        _correct(
            bare,
            [one for one, again in zip(before, anew, strict=True) if not again or _tells_anew(bare, one.sentence)],
            opened=opened,
            weak=weak,
            alone=alone or (number == 0 and begins_with_value(bare)),
        )
        for number, (bare, opened, weak) in enumerate(told)
    ]
    found: dict[tuple[str, str], Correction] = {}
    whole = True
    for one, (bare, *_) in zip(each, told, strict=True):
        # What follows "no, Tuesday" is no second correction of the same words.
        again = one is not None and found.get((one.uid, one.sentence), one).statement != one.statement
        whole = whole and one is not None and not again and not _adds_value(bare)
        if one is not None:
            found.setdefault((one.uid, one.sentence), one)
    return tuple(found.values()), bool(found) and whole


def _tells_anew(bare: str, sentence: str) -> bool:
    """Return whether a sentence names something that another one names, and tells a value of the same kind."""
    named = (
        {token.concept for token in split_tokens(text) if token.folded not in STOP_WORDS} for text in (bare, sentence)
    )
    return tells_value_of_a_kind(bare, sentence) and not set.isdisjoint(*named)


def _join_denial(said: str) -> str:
    """Return a short message with what it denies in the sentence before that: "Fairbrother! Not Fairweather"."""
    return _BEFORE_DENIAL.sub(",", said, count=1) if len(said) <= _LONGEST_CLOSED else said


def _adds_value(bare: str) -> bool:
    """Return whether a sentence says more than what is right: "Thursday. Wednesday is the funeral"."""
    told = any(_is_value(clause) and holds_value(bare[len(clause) :]) for clause in _cut_clauses(bare))
    return told and not find_contrasts(bare)


def _cut_clauses(text: str) -> tuple[str, ...]:
    """Return what of a text stands before each end of a clause, and it whole; no day has an end in it: "am 9. März"."""
    dates = {match.end() for match in DATE.finditer(text)}
    breaks = (match for match in _BREAK.finditer(text) if match.end() not in dates)
    ends = [match.start() for match in breaks if not is_ordinal(text, match.end())]
    ends += [match.start() for match in _MIDST.finditer(text)]
    return (*(text[:end] for end in sorted(ends)), text)


def find_corrected_value(text: str) -> str:
    """Return the words of a message that surely corrects something and says one thing, "" for any other."""
    said = keep_own_words(text).strip()
    if not 0 < len(said) <= _LONGEST_CLOSED:
        return ""
    read = [strip_opening(sentence) for sentence in split_sentences(said)]
    told = [bare for bare, *_ in read if bare and not is_trivial(bare)]
    surely = any(strong for _, strong, _ in read) or _closes(said)
    return told[0] if surely and len(told) == 1 else ""


def _list_spoken(patterns: Mapping[str, tuple[re.Pattern[str], ...]], text: str) -> Iterator[re.Pattern[str]]:
    """Yield the patterns of the languages that a text is likely written in."""
    return chain.from_iterable(patterns[each.code] for each in detect_languages(text))


def _closes(sentence: str) -> bool:
    """Return whether a short sentence ends with words that take back what was said: "easyJet, sorry"."""
    if len(sentence) > _LONGEST_CLOSED or _CLOSING.search(sentence) is not None:
        return len(sentence) <= _LONGEST_CLOSED
    midst = _MIDST.search(sentence)
    return midst is not None and _is_value(strip_opening(sentence[: midst.start()])[0])


@lru_cache(maxsize=_REMEMBERED)
def strip_opening(sentence: str) -> tuple[str, bool, bool]:
    """Return a sentence without what opens a correction, and whether that surely did, or may have done."""
    strong = weak = False
    rest, adds = sentence, _ADDITIONS[detect_languages(sentence)[0].code]
    while adds.match(rest) is None and ((match := _OPENING.match(rest)) or (match := _WEAK_OPENING.match(rest))):
        if match.end() == 0:
            break
        is_strong = _OPENING.match(rest) is not None
        strong, weak = strong or is_strong, weak or not is_strong
        denies = negations().search(match[0]) is not None
        if denies and find_contrasts(rest) and not find_contrasts(rest[match.end() :]):
            break  # "no, not on the 17th but on the 27th" denies a day, and not what was said
        rest = rest[match.end() :]
    return _COURTESY.sub("", f" {rest}").strip(), strong, weak


def _correct(bare: str, before: Sequence[Statement], *, opened: bool, weak: bool, alone: bool) -> Correction | None:
    """Return what one sentence, its opening taken off, puts right; ``alone``: the message says nothing else."""
    if classify_speech(bare) is SpeechAct.QUESTION or (ADDS.search(bare) and not opened):
        return None
    clauses = _cut_comments(bare, opened=opened)
    contrasts = [pair for clause in clauses for pair in find_contrasts(clause)]
    # "guys, not Ann, but Bea": what stands before the wrong one is right where nothing behind it is.
    contrasts.sort(key=lambda pair: bare.find(pair[1]) < bare.find(pair[0]))
    for wrong, right in contrasts:
        for said in (one for one in before if wrong not in dict(find_contrasts(one.sentence))):  # which says so, too
            new = replace_value(said.sentence, wrong, right, opened=opened, last=said.last)
            new = new or _replace_day(said, wrong, right)
            if new is not None:
                return Correction(said.uid, said.sentence, new)
    if ADDS.search(bare):
        return None
    if not (opened or weak):
        return _correct_last(bare, before) if alone else None
    for said in before:
        new = replace_referring(said.sentence, bare) if said.last else None
        new = new or replace_whole(said.sentence, bare, sure=opened)
        if new is None and said.last:
            values = _list_right(bare, said, clauses, {right for _, right in contrasts}, opened=opened)
            tried = (replace_alike(said.sentence, clause, sure=opened, alone=alone) for clause in values)
            slips = (replace_misspelt(said.sentence, one) for one in values if opened or _is_short(one))
            new = next(filter(None, slips), None) or next(filter(None, tried), None)
        if new is not None:
            return Correction(said.uid, said.sentence, new)
    return _correct_only(bare, before) if opened else None


def _list_right(
    bare: str, said: Statement, clauses: Sequence[str], denied: AbstractSet[str], *, opened: bool
) -> list[str]:
    """Return the clauses that may say what is right: none that denies, or behind which it is told anew.

    Nor is that of a contrast whose wrong one stands nowhere a value: "not Ann, but Bea".
    """
    told = (each for each in clauses if each not in denied and not negations().match(each))
    values = [each for each in told if not find_contrasts(each)]
    return values if opened else [each for each in values if not _tells_on(bare[len(each) :], said.sentence)]


def _replace_day(said: Statement, wrong: str, right: str) -> str | None:
    """Return what :func:`replace_day` makes of a statement, if that is of whom the last clause begins with, or last."""
    clause = right.rpartition(",")[2]
    named = [one for one in split_tokens(clause) if one.folded not in STOP_WORDS and not holds_value(one.text)]
    there = {one.concept for one in split_tokens(said.sentence)}
    meant = named[0].concept in there if named else said.last
    return replace_day(said.sentence, wrong, right) if meant else None


def _correct_slip(value: str, before: Sequence[Statement]) -> Correction | None:
    """Return what a mere word puts right of what was said just before: what is spelled alike, or alone of its kind."""
    last = [said for said in before if said.last]
    for put in (replace_misspelt, replace_kind, replace_only_name):
        fits = [(said, new) for said in last if (new := put(said.sentence, value)) is not None]
        if fits:
            return Correction(fits[0][0].uid, fits[0][0].sentence, fits[0][1]) if len(fits) == 1 else None
    return None


def _correct_only(bare: str, before: Sequence[Statement]) -> Correction | None:
    """Return what a value puts right of the only statement that says the same with another: "no, it leaves at 8:40"."""
    told = {token.concept for token in split_tokens(bare) if token.folded not in STOP_WORDS}
    alike = [said for said in before if told & {token.concept for token in split_tokens(said.sentence)}]
    fits = [(said, new) for said in alike if (new := replace_kind(said.sentence, bare)) is not None]
    return Correction(fits[0][0].uid, fits[0][0].sentence, fits[0][1]) if len(fits) == 1 else None


def _cut_comments(bare: str, *, opened: bool) -> tuple[str, ...]:
    """Return a sentence without the clauses at its end that may only say why, the shortest first: "…, I misread it".

    Behind a mere value whatever follows says why: "no, Thursday, Wednesday is the funeral".
    """
    *clauses, _ = _cut_clauses(bare)
    told = bare
    while (shorter := _CLOSING.sub("", told)) != told:  # "Sunday I meant, my mistake"
        told = shorter
    *before, _ = _cut_clauses(told)  # "brain fart, Thursday I mean"
    last = told[len(before[-1]) if before else 0 :].strip(" ,.!;\n") if told != bare else ""
    return (
        *((last,) if last and _is_value(last) else ()),
        *(each for each in clauses if _is_comment(bare[len(each) :].strip(" ,")) or (opened and _is_value(each))),
        bare,
    )


def _is_value(clause: str) -> bool:
    """Return whether a clause says nothing but what is right: "Thursday", "at 8:40"."""
    return _is_short(clause) and holds_value(_end_day(clause))


def _is_short(clause: str) -> bool:
    return len(split_tokens(clause)) <= _MOST_OF_VALUE


def _end_day(clause: str) -> str:
    """Return a mere word with a full stop, as which a day of the week may be cut short: "wed"."""
    return f"{clause}." if clause.isalpha() and fold(clause) not in STOP_WORDS else clause


def _tells_on(behind: str, said: str) -> bool:
    """Return whether what stands behind a clause tells anew what was said: "moved, she lives in Leeds now"."""
    told, before = (
        {one.concept for one in split_tokens(text) if one.folded not in STOP_WORDS} for text in (behind, said)
    )
    return not told.isdisjoint(before)


def _is_comment(clause: str) -> bool:
    tokens = split_tokens(clause)
    return bool(tokens) and not holds_value(clause) and (len(tokens) > 1 or clause[0].islower())


def _correct_last(bare: str, before: Sequence[Statement]) -> Correction | None:
    """Return what a message that does not say that it corrects puts right of what was said just before it.

    "At school number 7" behind "… works at school number 5"; "his name is Voigt" behind another name of his.
    """
    if not before or not before[0].last:
        return None
    said, new = before[0], None
    tokens, told = split_tokens(said.sentence), split_tokens(bare)
    if not told:
        return None
    if begins_with_value(bare) and not begins_with_value(said.sentence):
        clause, words = _cut_clauses(bare)[0], {token.folded for token in tokens}
        # "at 9" is no rent of 9 euros: what stands beside the value stood there before.
        same = all(token.folded in words for token in split_tokens(clause) if not holds_value(_end_day(token.text)))
        new = replace_kind(said.sentence, _end_day(clause)) if same else None
        return None if new is None else Correction(said.uid, said.sentence, new)
    if PREPOSITIONS.fullmatch(told[0].text) and len(told) < len(tokens):
        shared = {token.concept for token in told if token.folded not in STOP_WORDS} & {one.concept for one in tokens}
        new = replace_kind(said.sentence, bare) if shared else None
    elif told[0].folded in PRONOUNS:
        facts = find_facts(f"{said.sentence} {bare}")
        if len({fact.key for fact in facts}) == 1 < len(facts) and facts[0].key:
            new = replace_behind(said.sentence, bare, tokens, told[1:], sure=True)
    return None if new is None else Correction(said.uid, said.sentence, new)


@lru_cache(maxsize=_REMEMBERED)
def find_contrasts(sentence: str) -> tuple[tuple[str, str], ...]:
    """Return the wrong and the right value, as every form reads them that fits."""
    whole = _COURTESY.sub("", sentence).rstrip(" .!)")
    behind = _INTRODUCTION.sub("", whole, count=1)
    matches = [
        pattern.match(text) for text in dict.fromkeys((whole, behind)) for pattern in _list_spoken(_CONTRASTS, whole)
    ]
    found = (
        (match["wrong"].strip(), match["right"][_find_clause(match) :].strip())
        for match in matches
        if match is not None and match.end() == len(match.string) and not is_trivial(match["right"])
    )
    return tuple(
        (wrong, f"{right}." if _is_ordinal(wrong) and right[-1:].isdecimal() else right) for wrong, right in found
    )


def _find_clause(match: re.Match[str]) -> int:
    """Return where a right value begins that stands before the wrong one: "they rang, Friday not Thursday"."""
    return match["right"].rfind(", ") + 1 if match.start("right") < match.start("wrong") else 0


def _is_ordinal(value: str) -> bool:
    return value.endswith(".") and value[-2:-1].isdecimal()
