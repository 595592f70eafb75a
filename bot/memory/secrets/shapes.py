"""Secrets that have a shape of their own: keys, tokens, credentials in URLs and assignments.

Of keys the prefixes tell that their issuers document so that scanners can find leaked ones (``formats.toml``); what no
list knows is found by what only machines write.  A checksum tells a card (Luhn) and a bank account (ISO 7064 mod 97-10)
from an order number, so that masking the one leaves the other alone.  (Each is four lines here: of the libraries
python-stdnum is under the LGPL, and schwifty brings a register of the world's banks along.)  Twelve words in a row out
of a list of 2,048 (BIP-39), which leaves out the small words of which sentences are made, do not come about by chance:
a seed phrase is found also where no word beside it says so.

Every repetition has an end or gives nothing back, so that the work grows with the text.
"""

import itertools
import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from mnemonic import Mnemonic

from bot.memory.patterns import compile_bounded
from language import alternatives, languages
from language.patterns import compile_at_use
from language.words import fold


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret at ``text[start:end]``; ``kind`` is a word for people, such as "API key"."""

    start: int
    end: int
    kind: str


_EDGE: Final = r"(?<![A-Za-z0-9])"
_FORMATS: Final[dict[str, Any]] = tomllib.loads(  # Any: data of ours
    Path(__file__).with_name("formats.toml").read_text(encoding="utf-8")
)
_SHAPES: Final = tuple(
    (each["kind"], compile_at_use(("" if each.get("inside") else _EDGE) + each["pattern"])) for each in _FORMATS["keys"]
)
_CARDS: Final[list[tuple[str, str, list[int]]]] = _FORMATS["cards"]["ranges"]
_SECRETS: Final = tuple(each.secrets for each in languages())
_AUTHORIZATION: Final = compile_at_use(
    r"(?i)\b(?:bearer|basic|token|apikey)\s+(?P<value>[A-Za-z0-9_\-.~+/]{16,600}+={0,2})"
)
_URL: Final = compile_at_use(
    r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@'\"<>]{0,200}:(?P<value>[^\s/'\"<>]{1,200})@(?=[^\s@])"
)
STANDS_IN: Final = compile_bounded(
    rf"[*•xX.…_#-]+|[<\[{{(%$].*|//.*|(?:your|my|example|change|some|test)[-_ ]?\w*|user(?:name)?|secret|token|key"
    rf"|[a-z_]*{alternatives(each.example_names for each in _SECRETS)}(?:_[a-z_]+)?",
    re.IGNORECASE,
)
"""What a manual writes where the reader's own password goes."""
_UUID_KEY: Final = compile_at_use(
    r"(?i)(?:api[ _-]?key|secret|token)\b[^\n]{0,20}?[\s\"'`=:](?P<value>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})"
)
_USER_OPTION: Final = compile_at_use(r"(?<!\S)(?:-u|--user)[ =][\"']?[^\s:\"']{1,64}:(?P<value>[^\s\"']{1,100})")
_PARAMETER: Final = compile_at_use(
    r"(?i)[?&;](?:[a-z_-]{0,20}(?:key|token|secret|signature|password|passwd|pwd)|sig|auth|code)=(?P<value>[^&#\s'\"<>]{8,}+)"
)
_NAMED: Final = compile_bounded(rf"(?i){alternatives(each.key_words for each in _SECRETS)}[^\W\d]{{0,12}}")
_VALUE: Final = compile_at_use(
    r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-][A-Za-z0-9_\-+/.~:]{8,600}[A-Za-z0-9_+/]={0,2}(?![.:/+~-]*[A-Za-z0-9_(\[@])"
)
_BESIDE_ITS_NAME: Final = compile_bounded(
    rf"(?i)[\w.-]{{0,20}}[\"'`*]{{0,2}}(?: ?[:=]>? ?| {alternatives(each.being for each in _SECRETS)} | )[\"'`„“«]?"
)
_NAMED_AFTER: Final = compile_bounded(
    rf"(?i)[\"'`“»]?(?: ?[-–—=] | ?,? ?{alternatives(f'{each.is_the}|{each.as_what}' for each in _SECRETS)} )"
    rf"(?:\S{{1,20}} ){{0,2}}[^\W\d]{{0,5}}-?{alternatives(each.key_words for each in _SECRETS)}"
)
_SIGN_BEFORE: Final = compile_at_use(r"[:=—–] ?[\"'`„“«]?\Z")
_UUID: Final = compile_at_use(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_STANDS_FOR: Final = compile_at_use(r"(?i)(?<![a-z0-9])your[-_]")
"""What a manual writes where the reader's own key goes: "xoxb-your-slack-token"."""
_CHECKSUM: Final = compile_bounded(rf"(?i)\b{alternatives(each.checksums for each in _SECRETS)}\b")
_OF_A_STATE: Final = compile_bounded(rf"(?i)\b{alternatives(each.states for each in _SECRETS)}\b")
"""Names of states of a repository, of files and of images are hexadecimal, and no secrets."""
_WORD: Final = compile_at_use(r"[A-Za-z0-9_+/=~.-]{20,600}+")
_LEAST_DRAWN: Final = 20
_LEAST_UNBROKEN: Final = 13
"""Characters without white space that every other shape but figures has at least ("?key=" and eight more)."""
_LEAST_NAMED: Final = 10
_LEAST_CLEAR: Final = 16
_LEAST_CHANGES: Final = 3
_FIGURE: Final = compile_at_use(r"[0-9]")
_FIGURES: Final = "0123456789"
_LEAST_FIGURES: Final = 2
_BESIDE: Final = 60
"""Characters before a word in which it may be called a checksum."""


def find_shaped_secrets(text: str, *, guessing: bool = True) -> Iterator[Finding]:
    """Yield every secret that can be told by its form, in no particular order, possibly overlapping.

    Without ``guessing`` only published formats, checksums and values beside their own name count.
    Fifty patterns are not tried where none can match: most messages hold neither a long word nor many figures.
    """
    figures = sum(map(text.count, _FIGURES)) if _FIGURE.search(text) else 0
    if figures >= _SHORTEST_CARD:
        yield from find_cards(text)
    if figures >= _LEAST_FIGURES:
        yield from find_ibans(text)
    # what every credential in a URL, every user option and every armoured key holds, however short its words are
    longest = max(map(len, text.split()), default=0)
    if longest >= _LEAST_NAMED and any(len(word) >= _LEAST_NAMED and not _is_plain(word) for word in text.split()):
        yield from _find_named(text, guessing=guessing)
    if longest >= _LEAST_UNBROKEN or "://" in text or "-u" in text or "-----BEGIN " in text:
        yield from _find_unbroken(text)
    if guessing and longest >= _LEAST_DRAWN:
        yield from _find_drawn(text)


def _is_plain(word: str) -> bool:
    """Return whether a word is written in small letters alone, but for the first and what encloses it."""
    body = word.strip(".,;:!?\"'()")
    return body.isalpha() and body[1:].islower()


def _find_unbroken(text: str) -> Iterator[Finding]:
    """Yield what is written in one word, and armoured keys."""
    for kind, shape in _SHAPES:
        for match in shape.finditer(text):
            if not _STANDS_FOR.search(match[0]) and not is_name(match[0][:_MOST]):
                yield Finding(*match.span(), kind)
    for pattern, kind in ((_URL, "password"), (_USER_OPTION, "password"), (_UUID_KEY, "API key")):
        for match in pattern.finditer(text):
            if not STANDS_IN.fullmatch(match["value"]):
                yield Finding(*match.span("value"), kind)
    yield from _find_tokens(text)


def _find_tokens(text: str) -> Iterator[Finding]:
    """Yield what looks random where its place says that it is a token."""
    for pattern, least in ((_AUTHORIZATION, 16), (_PARAMETER, 8)):
        for match in pattern.finditer(text):
            if is_random(match["value"], least) and not _CHECKSUM.search(
                match[0][: match.start("value") - match.start()]
            ):
                yield Finding(*match.span("value"), "token")


def _find_named(text: str, *, guessing: bool) -> Iterator[Finding]:
    """Yield what looks random beside a word for a key: behind it in its line, or said to be one."""
    for named in _NAMED.finditer(text):
        for word in _VALUE.finditer(text, named.end(), named.end() + _MOST):
            between = text[named.end() : word.start()]
            if len(between) > _BESIDE or "\n" in between or _CHECKSUM.search(between):
                break
            direct = _BESIDE_ITS_NAME.fullmatch(between) is not None
            if _UUID.fullmatch(word[0]) and guessing and _SIGN_BEFORE.search(between):
                yield Finding(*word.span(), "API key")
            elif (direct or guessing) and _is_key(text, word, clearly=not direct and any(c in ".!?" for c in between)):
                yield Finding(*word.span(), "API key")
                break
    if guessing and _NAMED.search(text):
        for word in _VALUE.finditer(text):
            if _NAMED_AFTER.match(text, word.end()) and _is_key(text, word, clearly=False):
                yield Finding(*word.span(), "API key")


def _is_key(text: str, word: re.Match[str], *, clearly: bool) -> bool:
    """Return whether a word beside the name of a key is one; a short one has figures among its letters."""
    value = word[0]
    changes = _count_changes(value)
    if len(value) < _LEAST_CLEAR and (clearly or changes < _LEAST_CHANGES or ":" in value or not _FIGURE.search(value)):
        return False
    drawn = value.isalpha() and changes >= _CHANGES_OF_BASE_64 * len(value) and not is_name(value)
    random = drawn or is_random(value, min(len(value), _LEAST_CLEAR))
    return random and not _is_place(text, word.start(), value)


def _find_drawn(text: str) -> Iterator[Finding]:
    """Yield words that nobody has thought of: drawn by a machine, and neither an address, a path nor a checksum."""
    for match in _WORD.finditer(text):
        word, start = match[0].strip("=.-/"), match.start()
        before = text[max(0, start - _BESIDE) : start]
        if _HEX.fullmatch(word[:_MOST]):  # a key, or the name of a state of a repository
            drawn = not _OF_A_STATE.search(before)
        else:
            drawn = (
                is_drawn(word)
                and not is_name(word)
                and not _CHECKSUM.search(before + word[:8])
                and not _is_place(text, start, word)
            )
        if drawn:
            yield Finding(*match.span(), "API key")


def _is_place(text: str, start: int, word: str) -> bool:
    """Return whether a word is part of an address, a path or a picture: what it names is there to be found again."""
    before = text[max(0, start - _BESIDE) : start].rpartition(" ")[2].rpartition("\n")[2]
    return (
        "://" in before + text[start : start + len("://")] + word
        or before.endswith(("@", "/", "base64,"))
        or text.startswith("/", start)
        or "www." in before + word
    )


_WORDY: Final = compile_at_use(r"[a-z]{6}")
_RANDOM_BITS: Final = 3.0
_HEXADECIMAL: Final = compile_at_use(r"[0-9a-f]+|[0-9A-F]+")
_HEXADECIMAL_BITS: Final = 2.5
_CAMEL_BITS: Final = 4.0
_MOST: Final = 600
"""Characters that are looked at: what is drawn shows that early."""
_NOT_RANDOM: Final = compile_bounded(
    _UUID.pattern + r"|[0-9.,:/_+-]{1,600}|[a-z]+(?:[-_./][a-z]+)*[0-9]{0,4}|[A-Z]+(?:_[A-Z]+)*|https?.{0,600}"
    r"|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,4}"
    r"|[A-Za-z][a-z]*(?:[A-Z][a-z]+)*(?:[._:/-]+[A-Za-z][a-z]*(?:[A-Z][a-z]+)*)+"  # dotted names in camel case
    r"|[a-z]+(?:[/.][a-z0-9_-]+)+"  # paths, host names, module names
)
_HUMP: Final = compile_at_use(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NAME_PART: Final = compile_at_use(r"[0-9]{0,2}[A-Za-z]*+[0-9]{0,4}")
_LEAST_HUMP: Final = 3
_LEAST_LONG_HUMP: Final = 4
_MOSTLY: Final = 0.75
_PART: Final = compile_at_use(r"[A-Za-z0-9]+")
_HEX: Final = compile_at_use(r"[0-9a-f]{32,}|[0-9A-F]{32,}")
_LEAST_PART: Final = 20
_LEAST_LETTERS: Final = 28
_CHANGES_OF_LETTERS: Final = 0.45
"""Of names in camel case a third of the letters change between small and capital."""
_CHANGES_OF_BASE_64: Final = 0.4
_CHANGES: Final = 0.2
"""Changes between figures, small and capital letters, a character: drawn ones have 0.4 to 0.6, written ones 0.1."""


def is_random(value: str, least: int = 16) -> bool:
    """Return whether ``value`` looks made by a machine: long, letters and digits mixed, no path, no UUID, no word.

    The thresholds are Shannon entropy in bits per character: the lower keeps hexadecimal keys in and repeated fillers
    out, the higher tells letters alone from words in camel case.
    """
    value = value[:_MOST].rstrip(".,;=")
    if len(value) < least or _NOT_RANDOM.fullmatch(value) or is_name(value):
        return False
    if not any(c.isdigit() for c in value) and _WORDY.search(value):
        return False
    if value.isalpha():
        return (
            not value.islower() and not value.istitle() and len(value) > least and _measure_entropy(value) > _CAMEL_BITS
        )
    bits = _HEXADECIMAL_BITS if _HEXADECIMAL.fullmatch(value) else _RANDOM_BITS
    return _measure_entropy(value) >= min(bits, math.log2(least) - 0.5)


def is_name(value: str) -> bool:
    """Return whether ``value`` is put together from words, as names in programs are: figures only around a part."""
    named = whole = 0
    constant = value.isupper() and "_" not in value
    for part in _PART.findall(value):
        humps = _HUMP.findall(part)
        whole += len(part)
        if _NAME_PART.fullmatch(part) and not (constant and part.isupper()):
            least = _LEAST_HUMP if len(part) < _LEAST_PART else _LEAST_LONG_HUMP
            named += len(part) if len("".join(humps)) >= least * len(humps) else 0
    return named >= _MOSTLY * whole


def is_drawn(word: str) -> bool:
    """Return whether a word holds, unlabelled, what only a machine draws: twenty mixed characters, or 32 of hex."""
    word = word[:_MOST]
    return _is_drawn_whole(word) or any(_is_drawn_part(part) for part in _PART.findall(word))


def _is_drawn_whole(word: str) -> bool:
    """Return whether a word with signs in it (base 64) is drawn: there letters and figures change all the time."""
    body = "".join(_PART.findall(word))
    return (
        len(body) >= _LEAST_LETTERS
        and not body.isalpha()
        and any(c.islower() for c in body)
        and any(c.isupper() for c in body)
        and _count_changes(body) >= _CHANGES_OF_BASE_64 * len(body)
    )


def _count_changes(text: str) -> int:
    return sum(_classify(a) != _classify(b) for a, b in itertools.pairwise(text))


def _is_drawn_part(part: str) -> bool:
    if len(part) < _LEAST_PART or part.isdigit():
        return False
    if part.isalpha() and (len(part) < _LEAST_LETTERS or part.islower() or part.isupper()):
        return False
    mixed = any(c.islower() for c in part) and any(c.isupper() for c in part)
    least = _CHANGES_OF_LETTERS if part.isalpha() else _CHANGES_OF_BASE_64 if mixed else _CHANGES
    return _count_changes(part) >= least * len(part) and _measure_entropy(part) > _RANDOM_BITS


def _classify(character: str) -> int:
    return 0 if character.isdigit() else 1 if character.islower() else 2


def _measure_entropy(value: str) -> float:
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())


_GROUP: Final = compile_at_use(r"(?<![0-9A-Za-z])(?<![+@_])[0-9]{1,19}(?![0-9A-Za-z]|[-_][A-Za-z])")
"""Figures that are no part of a name, an address or a phone number."""
_FRACTION: Final = compile_at_use(r"[0-9][.,]")
_BETWEEN: Final = compile_at_use(r"[ \n]|[ \n]?[.–‑_/|·*-][ \n]?")
_IBAN: Final = compile_at_use(r"(?i)(?<![A-Z0-9])(?=([A-Z]{2}[0-9]{2}(?:[ \n.-]?[A-Z0-9]){11,32}))")
_SHORTEST_CARD: Final = 13
_LONGEST_CARD: Final = 19
_PRINTED: Final = frozenset({(4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3), (4, 4, 4, 4, 2), (4, 4, 4, 1)})
"""As cards are printed: these groups may stand in a column or be parted by different signs."""

_Span = tuple[int, int]


def find_cards(text: str) -> Iterator[Finding]:
    """Yield card numbers, also where other figures stand beside them (expiry dates, amounts, lists)."""
    run: list[_Span] = []
    for group in _GROUP.finditer(text):
        if run and (group.start() - run[-1][1] > 3 or _BETWEEN.fullmatch(text, run[-1][1], group.start()) is None):  # noqa: PLR2004  a sign between two blanks
            yield from _list_cards(text, run)
            run = []
        run.append(group.span())
    yield from _list_cards(text, run)


def _list_cards(text: str, groups: list[_Span]) -> Iterator[Finding]:
    """Yield the cards in one row of groups, from every beginning, longest first; each group in one card at most."""
    first = 0
    while first < len(groups):
        taken, figures = first, 0
        fitting = 0
        while taken < len(groups) and (figures := figures + groups[taken][1] - groups[taken][0]) <= _LONGEST_CARD:
            taken += 1
            if figures >= _SHORTEST_CARD and _is_card_at(text, groups[first:taken]):
                fitting = taken
        if fitting:
            yield Finding(groups[first][0], groups[fitting - 1][1], "card number")
        first = fitting or first + 1


def _is_card_at(text: str, groups: list[_Span]) -> bool:
    """Return whether these groups are a card's: grouped as printed, or all alike and parted by one kind of sign."""
    if _FRACTION.match(text, max(0, groups[0][0] - 2), groups[0][0]):
        return False
    sizes = tuple(end - start for start, end in groups)
    if sizes == (_SHORTEST_CARD,):  # no longer issued; articles, phones and moments are written like this
        return False
    between = {text[before[1] : after[0]] for before, after in itertools.pairwise(groups)}
    alike = len(between) <= 1 and (min(sizes) > 1 or set(sizes) == {1})
    return (alike or sizes in _PRINTED) and is_card("".join(text[start:end] for start, end in groups))


def find_ibans(text: str) -> Iterator[Finding]:
    """Yield bank accounts; each has the length of its country and a checksum."""
    for match in _IBAN.finditer(text):
        length = find_iban_length(match[1][:2].upper())
        places = [n for n, c in enumerate(match[1]) if c.isalnum()]
        if 0 < length <= len(places):
            end = places[length - 1] + 1
            if is_iban("".join(c for c in match[1][:end] if c.isalnum()).upper()):
                yield Finding(match.start(), match.start() + end, "IBAN")


def is_luhn(digits: str) -> bool:
    """Return whether ASCII ``digits`` pass the Luhn check (ISO/IEC 7812-1, annex B)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value  # noqa: PLR2004  nine: the digit sum of a two-digit number
    return total % 10 == 0


def is_card(digits: str) -> bool:
    """Return whether ASCII ``digits`` can be the number of a payment card: issuer range, length and checksum."""
    return (
        any(low <= digits[: len(low)] <= high and len(digits) in lengths for low, high, lengths in _CARDS)
        and len(set(digits)) > 1
        and is_luhn(digits)
    )


def find_iban_length(country: str) -> int:
    """Return how many characters an IBAN of ``country`` (two capital letters) has, 0 when there are none."""
    return next((int(length) for length, countries in _FORMATS["ibans"].items() if country in countries.split()), 0)


def is_iban(compact: str) -> bool:
    """Return whether ``compact`` (capital letters and digits, no spaces) is a valid IBAN."""
    if find_iban_length(compact[:2]) != len(compact) or not compact[2:4].isdecimal():
        return False
    return int("".join(str(int(c, 36)) for c in compact[4:] + compact[:4])) % 97 == 1


_FEWEST: Final = 12
_SHORTEST: Final = 4 * _FEWEST - 1
_ROW: Final = compile_at_use(
    r"[^\W\d_]{3,10}+(?:[ \n,;]{1,3}(?:[0-9]{1,2}[.):]? ?)?[^\W\d_]{3,10}+(?![^\W\d_])){0,47}+"
)
_LETTERS: Final = compile_at_use(r"[^\W\d_]+")
_LISTS: Final = tuple(each.secrets.seed_list for each in languages() if each.secrets.seed_list)


def find_seed_phrases(text: str, *, guessing: bool = True) -> Iterator[Finding]:
    """Yield every run of twelve or more words of one list; between them blanks, commas, line ends and numbers.

    Without ``guessing`` the checksum in the last word must be right: names of columns and poems are such runs, too.
    """
    if len(text) < _SHORTEST or not _may_hold(text):
        return
    for row in _ROW.finditer(text):
        if row.end() - row.start() < _SHORTEST:
            continue
        words = list(_LETTERS.finditer(text, *row.span()))
        for language in _LISTS:
            known = _words(language)
            first = None
            for place, word in enumerate([*words, None]):
                if word is not None and fold(word[0]) in known:
                    first = place if first is None else first
                    continue
                run = [] if first is None else [each[0].casefold() for each in words[first:place]]
                if (
                    first is not None
                    and len(run) >= _FEWEST
                    and (guessing or _load_list(language).check(" ".join(run)))
                ):
                    yield Finding(words[first].start(), words[place - 1].end(), "seed phrase")
                first = None


def _may_hold(text: str) -> bool:
    """Look at every twelfth word: a phrase of twelve has one of these; a number may be that of a word in a list."""
    for word in text.replace(",", " ").split()[_FEWEST - 1 :: _FEWEST]:
        if word[0].isdigit() or any(fold(word.strip(".;:")) in _words(one) for one in _LISTS):
            return True
    return False


@cache
def _load_list(language: str) -> Mnemonic:
    return Mnemonic(language)


@cache
def _words(language: str) -> frozenset[str]:
    """Return the list of a language, read when the first long row of words is seen."""
    return frozenset(map(fold, _load_list(language).wordlist))
