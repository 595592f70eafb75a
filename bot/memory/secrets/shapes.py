"""Secrets that have a shape of their own: keys, tokens, cards, accounts, credentials in URLs and assignments.

The prefixes are those that the issuers document so that scanners can find leaked keys.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.memory.secrets.checksums import iban_length, is_card, is_iban

_EDGE: Final = r"(?<![A-Za-z0-9])"
_ARMOUR: Final = r"(?:(?!-----END)[\s\S]){0,20000}(?:-----END [A-Z0-9 ]{1,40}-----)?"
_SHAPES: Final = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("private key", r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----" + _ARMOUR),
        ("private key", r"AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
        ("bot token", r"(?<![0-9])[0-9]{6,12}:[A-Za-z0-9_-]{34,36}(?![A-Za-z0-9_-])"),
        ("token", _EDGE + r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,3}"),
        ("token", _EDGE + r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}"),  # Discord
        ("API key", _EDGE + r"sk-[A-Za-z0-9_-]{20,}"),  # OpenAI, Anthropic, OpenRouter, DeepSeek
        ("API key", _EDGE + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),  # AWS
        ("token", _EDGE + r"(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})"),
        ("token", _EDGE + r"(?:glpat|gldt|glrt)-[A-Za-z0-9_-]{20,}"),  # GitLab
        ("token", _EDGE + r"(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{10,}"),  # Slack
        ("token", r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,}"),
        ("token", r"discord(?:app)?\.com/api/webhooks/[0-9]{15,}/[A-Za-z0-9_-]{40,}"),
        ("API key", _EDGE + r"AIza[A-Za-z0-9_-]{35}"),  # Google
        ("token", _EDGE + r"(?:ya29\.|GOCSPX-)[A-Za-z0-9_-]{20,}"),
        ("API key", _EDGE + r"(?:[rs]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,}"),  # Stripe
        ("API key", _EDGE + r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),  # SendGrid
        ("API key", _EDGE + r"(?:hf|gsk|npm|r8|nvapi|pplx|xai|fw|lsv2_pt|tvly|ntn)[_-][A-Za-z0-9_-]{24,}"),
        ("API key", _EDGE + r"(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])"),  # Twilio
        ("API key", _EDGE + r"(?:key-[0-9a-f]{32}|dapi[0-9a-f]{32}|[0-9a-f]{32}-us[0-9]{1,2})(?![A-Za-z0-9])"),
        ("token", _EDGE + r"(?:pypi-AgE[A-Za-z0-9_-]{30,}|do[opr]_v1_[0-9a-f]{60,})"),
        ("token", _EDGE + r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),  # Shopify
        ("token", _EDGE + r"(?:lin_api_|secret_|sntrys_|sbp_|dckr_pat_|rubygems_|hv[sb]\.)[A-Za-z0-9_=-]{24,}"),
        ("token", _EDGE + r"(?:EAA[A-Za-z0-9]{80,}|sq0(?:atp|csp)-[A-Za-z0-9_-]{22,})"),  # Facebook, Square
    )
)
_AUTHORIZATION: Final = re.compile(r"(?i)\b(?:bearer|basic|token|apikey)\s+(?P<value>[A-Za-z0-9_\-.~+/]{16,}={0,2})")
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@'\"<>]{0,200}:([^\s/'\"<>]{1,200})@(?=[^\s@])")
_UUID_KEY: Final = re.compile(
    r"(?i)(?:api[ _-]?key|secret|token)\b[^\n]{0,20}?[\s\"'`=:](?P<value>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})"
)
_USER_OPTION: Final = re.compile(r"(?<!\S)(?:-u|--user)[ =][\"']?[^\s:\"']{1,64}:(?P<value>[^\s\"']{1,100})")
_PARAMETER: Final = re.compile(
    r"(?i)[?&;](?:[a-z_-]{0,20}(?:key|token|secret|signature|password|passwd|pwd)|sig|auth|code)=(?P<value>[^&#\s'\"<>]{8,})"
)
_CONTEXT: Final = re.compile(
    r"(?i)(?:key|token|secret|credential|auth|ключ|токен|секрет|schlüssel|geheim)[a-zа-яёäöü_]{0,12}"
    r"[\"'`*]{0,2}[^\n]{0,60}?[\s\"'`=:(>](?P<value>[A-Za-z0-9_\-+/.~]{16,}={0,2})(?![A-Za-z0-9])"
)
_CHECKSUM: Final = re.compile(r"(?i)\b(?:commit|sha-?[0-9]*|md5|hash|checksum|digest|revision|fingerprint|хеш|хэш)\b")
_BARE: Final = re.compile(r"(?<![A-Za-z0-9/+=_.-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])")  # AWS secret access keys
_DIGITS: Final = re.compile(
    r"(?<![0-9A-Za-z])(?<![0-9][.,])[0-9]{2,19}(?:[ \u00a0\u2009.–‑-][0-9]{2,19}){0,12}(?![0-9A-Za-z])"
)
_GROUP: Final = re.compile(r"[0-9]+")
_IBAN: Final = re.compile(r"(?i)(?<![A-Z0-9])(?=([A-Z]{2}[0-9]{2}(?:[ \u00a0-]?[A-Z0-9]){11,32}))")
_WORDY: Final = re.compile(r"[a-z]{6}")
_BEGINS: Final = ("://", "-u", "-----BEGIN ")
"""What every credential in a URL, every user option and every armoured key holds."""
_LEAST_UNBROKEN: Final = 13
"""Characters without white space that every other shape but figures has at least ("?key=" and eight more)."""
_FIGURES: Final = "0123456789"
_LEAST_FIGURES: Final = 2
_MOST_GROUPS: Final = 8
_SHORTEST_CARD: Final = 13
_LONGEST_CARD: Final = 19
_RANDOM_BITS: Final = 3.0
_CAMEL_BITS: Final = 4.0
_NOT_RANDOM: Final = re.compile(
    r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"  # UUID
    r"|[0-9.,:/_+-]+|[a-z]+(?:[-_./][a-z]+)*[0-9]{0,4}|[A-Z]+(?:_[A-Z]+)*|https?.*|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,4}"
    r"|[A-Za-z][a-z]*(?:[A-Z][a-z]+)*(?:[._:/-]+[A-Za-z][a-z]*(?:[A-Z][a-z]+)*)+"  # dotted names in camel case
    r"|[a-z]+(?:[/.][a-z0-9_-]+)+"  # paths, host names, module names
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret at ``text[start:end]``; ``kind`` is a word for people, such as "API key"."""

    start: int
    end: int
    kind: str


def shaped_secrets(text: str) -> Iterator[Finding]:
    """Yield every secret that can be told by its form, in no particular order, possibly overlapping.

    Thirty patterns are not tried where none can match: most messages hold neither a long word nor many figures.
    """
    figures = sum(map(text.count, _FIGURES))
    if figures >= _SHORTEST_CARD:
        yield from _cards(text)
    if figures >= _LEAST_FIGURES:
        yield from _ibans(text)
    if any(sign in text for sign in _BEGINS) or max(map(len, text.split()), default=0) >= _LEAST_UNBROKEN:
        yield from _unbroken(text)


def _unbroken(text: str) -> Iterator[Finding]:
    """Yield what is written in one word, and armoured keys."""
    for kind, shape in _SHAPES:
        for match in shape.finditer(text):
            yield Finding(*match.span(), kind)
    for match in _URL.finditer(text):
        yield Finding(*match.span(1), "password")
    for pattern, kind in ((_USER_OPTION, "password"), (_UUID_KEY, "API key")):
        for match in pattern.finditer(text):
            yield Finding(*match.span("value"), kind)
    yield from _tokens(text)


def is_random(value: str, least: int = 16) -> bool:
    """Return whether ``value`` looks made by a machine: long, letters and digits mixed, no path, no UUID, no word.

    The thresholds are Shannon entropy in bits per character: the lower keeps hexadecimal keys in and repeated fillers
    out, the higher tells letters alone from words in camel case.
    """
    value = value.rstrip(".,;=")
    if len(value) < least or _NOT_RANDOM.fullmatch(value):
        return False
    if not any(c.isdigit() for c in value) and _WORDY.search(value):
        return False
    if value.isalpha():
        return not value.islower() and not value.istitle() and len(value) > least and _bits(value) > _CAMEL_BITS
    return _bits(value) >= min(_RANDOM_BITS, math.log2(least) - 0.5)


def _bits(value: str) -> float:
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())


def _tokens(text: str) -> Iterator[Finding]:
    """Yield what looks random where a word or a place says that it is a key."""
    for pattern, kind, least in ((_AUTHORIZATION, "token", 16), (_PARAMETER, "token", 8), (_CONTEXT, "API key", 16)):
        for match in pattern.finditer(text):
            if is_random(match["value"], least) and not _CHECKSUM.search(
                match[0][: match.start("value") - match.start()]
            ):
                yield Finding(*match.span("value"), kind)
    for match in _BARE.finditer(text):
        if is_random(match[0]) and not (match[0].isupper() or match[0].islower()):
            yield Finding(*match.span(), "API key")


def _cards(text: str) -> Iterator[Finding]:
    """Yield card numbers, also where other figures stand beside them (expiry dates, amounts)."""
    for run in _DIGITS.finditer(text):
        groups = [(m.start(), m.end()) for m in _GROUP.finditer(text, *run.span())]
        first = 0
        while first < len(groups):
            last = next(
                (
                    n
                    for n in range(min(len(groups), first + _MOST_GROUPS), first, -1)
                    if _is_card_at(text, groups[first:n])
                ),
                None,
            )
            if last is not None:
                yield Finding(groups[first][0], groups[last - 1][1], "card number")
            first = last or first + 1


def _is_card_at(text: str, groups: list[tuple[int, int]]) -> bool:
    """Return whether these groups of digits, parted by one kind of sign, are a card number."""
    if not _SHORTEST_CARD <= sum(end - start for start, end in groups) <= _LONGEST_CARD:
        return False
    between = {text[before[1] : after[0]] for before, after in itertools.pairwise(groups)}
    return len(between) <= 1 and is_card("".join(text[start:end] for start, end in groups))


def _ibans(text: str) -> Iterator[Finding]:
    for match in _IBAN.finditer(text):
        length = iban_length(match[1][:2].upper())
        places = [n for n, c in enumerate(match[1]) if c.isalnum()]
        if 0 < length <= len(places):
            end = places[length - 1] + 1
            if is_iban("".join(c for c in match[1][:end] if c.isalnum()).upper()):
                yield Finding(match.start(), match.start() + end, "IBAN")
