"""Secrets that have a shape of their own: keys, tokens, credentials in URLs and assignments.

The prefixes are those that the issuers document so that scanners can find leaked keys; what no list knows is found by
what only machines write.  Every repetition has an end or gives nothing back, so that the work grows with the text.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from bot.memory.patterns import compile_bounded
from bot.memory.secrets.financial import Finding, find_cards, find_ibans
from language import alternatives, languages

_EDGE: Final = r"(?<![A-Za-z0-9])"
_ARMOUR: Final = r"(?:(?!-----END)[\s\S]){0,20000}+(?:-----END [A-Z0-9 ]{1,40}-----)?"
_SHAPES: Final = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("private key", r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----" + _ARMOUR),
        ("private key", r"AGE-SECRET-KEY-1[A-Z0-9]{50,}+"),
        (
            "private key",
            _EDGE + r"(?:[5KL][1-9A-HJ-NP-Za-km-z]{50,51}|[xyz]prv[1-9A-HJ-NP-Za-km-z]{100,112})(?![A-Za-z0-9])",
        ),
        ("private key", _EDGE + r"0x[0-9a-fA-F]{64}(?![A-Za-z0-9])"),
        ("bot token", r"(?<![0-9])[0-9]{6,12}:[A-Za-z0-9_-]{34,36}(?![A-Za-z0-9_-])"),
        (
            "token",
            _EDGE + r"(?:eyJ|ZXlK)[A-Za-z0-9_-]{8,1000}+\.[A-Za-z0-9_-]{8,4000}+(?:\.[A-Za-z0-9_-]{0,4000}+){0,3}",
        ),
        ("token", _EDGE + r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}"),  # Discord
        ("API key", _EDGE + r"(?:sk|csk)-[A-Za-z0-9_-]{20,}+"),  # OpenAI, Anthropic, OpenRouter, DeepSeek, Cerebras
        ("API key", _EDGE + r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])"),  # AWS
        ("API key", _EDGE + r"(?:ABSK[A-Za-z0-9+/]{100,}+|LTAI[A-Za-z0-9]{12,20}(?![A-Za-z0-9]))"),  # AWS, Alibaba
        ("API key", r"(?<![A-Za-z0-9_~.])[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),  # Azure AD
        ("token", _EDGE + r"(?:gh[pousr]_[A-Za-z0-9]{30,}+|github_pat_[A-Za-z0-9_]{30,}+)"),
        ("token", _EDGE + r"gl(?:pat|dt|rt|ptt|cbt|imt|agent|oas|soat|ft|ffct|wt)-[A-Za-z0-9_.=-]{20,}+"),  # GitLab
        ("token", _EDGE + r"(?:xox[abceoprs]|xapp)[.-][A-Za-z0-9.-]{10,}+"),  # Slack
        ("token", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}+"),
        ("token", r"discord(?:app)?\.com/api/webhooks/[0-9]{15,20}/[A-Za-z0-9_-]{40,}+"),
        ("token", r"webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{40,}+"),
        ("API key", _EDGE + r"AIza[A-Za-z0-9_-]{35}"),  # Google
        ("token", _EDGE + r"(?:ya29\.|GOCSPX-|1//0)[A-Za-z0-9_-]{20,}+"),
        ("API key", _EDGE + r"(?:[rsp]k_(?:live|test|prod|org)_|whsec_)[A-Za-z0-9_]{16,}+"),  # Stripe, Clerk
        ("API key", _EDGE + r"SG\.[A-Za-z0-9_-]{16,90}+\.[A-Za-z0-9_-]{16,}+"),  # SendGrid
        (
            "API key",
            _EDGE + r"(?:hf|gsk|npm|r8|nvapi|pplx|xai|fw|lsv2_pt|lsv2_sk|tvly|ntn|api_org)[_-][A-Za-z0-9_-]{24,}+",
        ),
        ("API key", _EDGE + r"(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])"),  # Twilio
        (
            "API key",
            _EDGE
            + r"(?:(?:pub)?key-[0-9a-f]{32}|dapi[0-9a-f]{32}(?:-[0-9])?|[0-9a-f]{32}-us[0-9]{1,2})(?![A-Za-z0-9])",
        ),
        ("token", _EDGE + r"(?:pypi-AgE[A-Za-z0-9_-]{30,}+|do[opr]_v1_[0-9a-f]{60,}+)"),
        ("token", _EDGE + r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),  # Shopify
        (
            "token",
            _EDGE
            + r"(?:lin_api_|secret_|sntry[su]_|sbp_|dckr_[op]at_|rubygems_|hv[sbr]\.|CFPAT-|HRKU-)[A-Za-z0-9_=-]{24,}+",
        ),
        (
            "token",
            _EDGE + r"(?:EAA[A-Za-z0-9]{80,}+|sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}+|EAAA[A-Za-z0-9_-]{60})",
        ),  # Meta, Square
        ("token", _EDGE + r"dp\.(?:ct|pt|st|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}"),  # Doppler
        ("token", _EDGE + r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),  # Dynatrace
        ("token", _EDGE + r"(?:sl\.(?:u\.)?[A-Za-z0-9_-]{60,}+|pat[A-Za-z0-9]{14}\.[0-9a-f]{64})"),  # Dropbox, Airtable
        ("token", _EDGE + r"(?:pat|sat)\.[A-Za-z0-9_-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}"),  # Harness
        ("token", _EDGE + r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),  # HashiCorp Terraform
        (
            "token",
            _EDGE + r"(?:pat-(?:na|eu)[0-9]|access-(?:sandbox|development|production))-"
            r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}",
        ),
        (
            "token",
            _EDGE + r"(?:A3|OPS)-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
        ),  # 1Password
        (
            "token",
            _EDGE + r"(?:FLW(?:PUB|SEC)K(?:_TEST)?-[0-9a-h]{12,32}-X|"
            r"NR(?:AK-[A-Z0-9]{27}|JS-[0-9a-f]{19}|II-[A-Za-z0-9-]{32}))",
        ),
        (
            "token",
            _EDGE + r"(?:API-[A-Z0-9]{26}(?![A-Z0-9])|sha256~[A-Za-z0-9_-]{43}|oy2[a-z0-9]{43})",
        ),  # Octopus, OpenShift, NuGet
        ("token", _EDGE + r"(?:live|test)_(?:pub_)?[0-9a-f]{31,35}(?![A-Za-z0-9])"),  # Lob
        (
            "token",
            _EDGE + r"(?:sm_[aps]at|AVNS|lip|figd|nfp|rnd|re|phc|phx|pcsk|pul|pnu|rdme|sgp|tfp|bkua|glc|glsa|glsat|"
            r"duffel_(?:test|live)|"
            r"shippo_(?:test|live)|pscale_(?:tkn|oauth|pw)|CLOJARS|apify_api|vc[a-z]|sq[pua]|fo1|fm1[ar]|fm2|b|ico|fc|tskey-[a-z]{2,10}|fio-u|"
            r"xkeysib|PMAK|EZ[AT]K|tk-us|p8e|(?:test|live)|s-s4t2(?:ud|af))[_-](?=[A-Za-z0-9_.=/+-]{0,60}[0-9])[A-Za-z0-9_.=/+-]{16,}+",
        ),
        ("token", _EDGE + r"t1\.[A-Za-z0-9_-]{1,200}={0,2}\.[A-Za-z0-9_-]{86}={0,2}"),  # Yandex
        ("token", r"(?<![0-9])[0-9]{15,16}(?:\||%7C)[A-Za-z0-9_-]{27,40}"),  # Meta app tokens
        ("token", _EDGE + r"[sp]k\.[A-Za-z0-9]{20,80}\.[A-Za-z0-9_-]{22}"),  # Mapbox
    )
)
_SECRETS: Final = tuple(each.secrets for each in languages())
_AUTHORIZATION: Final = re.compile(
    r"(?i)\b(?:bearer|basic|token|apikey)\s+(?P<value>[A-Za-z0-9_\-.~+/]{16,600}+={0,2})"
)
_URL: Final = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@'\"<>]{0,200}:(?P<value>[^\s/'\"<>]{1,200})@(?=[^\s@])"
)
STANDS_IN: Final = compile_bounded(
    rf"[*•xX.…_#-]+|[<\[{{(%$].*|//.*|(?:your|my|example|change|some|test)[-_ ]?\w*|user(?:name)?|secret|token|key"
    rf"|[a-z_]*{alternatives(each.example_names for each in _SECRETS)}(?:_[a-z_]+)?",
    re.IGNORECASE,
)
"""What a manual writes where the reader's own password goes."""
_UUID_KEY: Final = re.compile(
    r"(?i)(?:api[ _-]?key|secret|token)\b[^\n]{0,20}?[\s\"'`=:](?P<value>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})"
)
_USER_OPTION: Final = re.compile(r"(?<!\S)(?:-u|--user)[ =][\"']?[^\s:\"']{1,64}:(?P<value>[^\s\"']{1,100})")
_PARAMETER: Final = re.compile(
    r"(?i)[?&;](?:[a-z_-]{0,20}(?:key|token|secret|signature|password|passwd|pwd)|sig|auth|code)=(?P<value>[^&#\s'\"<>]{8,}+)"
)
_NAMED: Final = compile_bounded(rf"(?i){alternatives(each.key_words for each in _SECRETS)}[^\W\d]{{0,12}}")
_VALUE: Final = re.compile(
    r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-][A-Za-z0-9_\-+/.~:]{8,600}[A-Za-z0-9_+/]={0,2}(?![.:/+~-]*[A-Za-z0-9_(\[@])"
)
_BESIDE_ITS_NAME: Final = compile_bounded(
    rf"(?i)[\w.-]{{0,20}}[\"'`*]{{0,2}}(?: ?[:=]>? ?| {alternatives(each.being for each in _SECRETS)} | )[\"'`„“«]?"
)
_NAMED_AFTER: Final = compile_bounded(
    rf"(?i)[\"'`“»]?(?: ?[-–—=] | ?,? ?{alternatives(f'{each.is_the}|{each.as_what}' for each in _SECRETS)} )"
    rf"(?:\S{{1,20}} ){{0,2}}[^\W\d]{{0,5}}-?{alternatives(each.key_words for each in _SECRETS)}"
)
_SIGN_BEFORE: Final = re.compile(r"[:=—–] ?[\"'`„“«]?\Z")
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_STANDS_FOR: Final = re.compile(r"(?i)(?<![a-z0-9])your[-_]")
"""What a manual writes where the reader's own key goes: "xoxb-your-slack-token"."""
_CHECKSUM: Final = compile_bounded(rf"(?i)\b{alternatives(each.checksums for each in _SECRETS)}\b")
_OF_A_STATE: Final = compile_bounded(rf"(?i)\b{alternatives(each.states for each in _SECRETS)}\b")
"""Names of states of a repository, of files and of images are hexadecimal, and no secrets."""
_WORD: Final = re.compile(r"[A-Za-z0-9_+/=~.-]{20,600}+")
_BEFORE_WORD: Final = re.compile(r"[A-Za-z0-9@:/._-]{1,80}+\Z")
_LEAST_DRAWN: Final = 20
_LEAST_UNBROKEN: Final = 13
"""Characters without white space that every other shape but figures has at least ("?key=" and eight more)."""
_LEAST_NAMED: Final = 10
_LEAST_CLEAR: Final = 16
_LEAST_CHANGES: Final = 3
_FIGURE: Final = re.compile(r"[0-9]")
_FIGURES: Final = "0123456789"
_LEAST_FIGURES: Final = 2
_SHORTEST_CARD: Final = 13
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
        if is_hexadecimal(word):
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


_WORDY: Final = re.compile(r"[a-z]{6}")
_RANDOM_BITS: Final = 3.0
_HEXADECIMAL: Final = re.compile(r"[0-9a-f]+|[0-9A-F]+")
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
_HUMP: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NAME_PART: Final = re.compile(r"[0-9]{0,2}[A-Za-z]*+[0-9]{0,4}")
_LEAST_HUMP: Final = 3
_LEAST_LONG_HUMP: Final = 4
_MOSTLY: Final = 0.75
_PART: Final = re.compile(r"[A-Za-z0-9]+")
_HEX: Final = re.compile(r"[0-9a-f]{32,}|[0-9A-F]{32,}")
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


def is_hexadecimal(word: str) -> bool:
    """Return whether a word is figures and the letters a to f alone: a key, or the name of a state of a repository."""
    return _HEX.fullmatch(word[:_MOST]) is not None


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
