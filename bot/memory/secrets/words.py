"""Finds passwords that somebody tells in a sentence.

A password has no shape, so the sentence around it must give it away: "my password is …", "the Wi-Fi key: …".  The words
after it are taken for the password unless they are among those with which people talk *about* passwords ("is wrong",
"forgotten").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bot.memory.patterns import compile_bounded
from bot.memory.secrets.financial import Finding
from language import alternatives, languages
from language.words import fold

_SECRETS: Final = tuple(each.secrets for each in languages())
_KEY: Final = alternatives(each.keys for each in _SECRETS)
_PIN_KEY: Final = rf"(?<![^\W_]){alternatives(each.pin_keys for each in _SECRETS)}(?![^\W_])"
_WHOSE: Final = rf"(?:\s+{alternatives(each.whose for each in _SECRETS)}){{0,4}}"
_FOR: Final = alternatives(each.belongs_to for each in _SECRETS)
_OF: Final = rf"(?:\s*\([^()\n]{{1,40}}\)(?=\s*[:=—–-]|\s+\w))?(?:\s+{_FOR}\s+\S[^\n:=.!?]{{0,50}}?)?"
_BEING: Final = alternatives(each.being for each in _SECRETS)
_SIGN: Final = rf"\s*(?:\)\s*)?(?:(?<=\s)\(|[:=]>?|->|→|:=|\s[-–—]\s)\s*(?:{_BEING}\s+)?"
_VERB: Final = alternatives(each.verbs for each in _SECRETS)
_ADVERB: Final = alternatives(each.adverbs for each in _SECRETS)
_IS: Final = rf"{_SIGN}|(?<=['’]s)\s+|\s+{_VERB}(?:\s*:\s*|\s+[–—-]\s+|\s+)(?:{_ADVERB}\s*:?\s+){{0,2}}"
_TOLD: Final = compile_bounded(rf"(?i)(?:{_KEY})[\"'`*]{{0,2}}{_OF}(?:{_IS})(?=(?P<value>\S))")
_BESIDE: Final = compile_bounded(rf"(?i)(?:{_KEY}){_OF}[\s/]+(?=(?P<value>\S))")
_PHRASE: Final = compile_bounded(
    rf"(?i)(?<![^\W_]){alternatives(each.phrase_keys for each in _SECRETS)}{_OF}(?:{_IS})[\"'«„]?"
    r"(?P<value>[^\W\d_]+(?:[ -][^\W\d_]+){2,11})(?=[\"'»“.!]?\s*(?:$|\n))"
)
_USED: Final = compile_bounded(
    rf"(?i)\b{alternatives(each.uses for each in _SECRETS)}\b[^\n.!?]{{0,40}}?(?:{_KEY})[\s/:]+(?=(?P<value>\S))"
)
_CHANGED: Final = compile_bounded(
    rf"(?i)\b{alternatives(each.changes for each in _SECRETS)}\b[^\n.!?]{{0,40}}?(?:{_KEY})(?:\s+\S{{1,30}}){{0,5}}?"
    rf"\s+{alternatives(each.changed_to for each in _SECRETS)}\s+(?=(?P<value>\S))"
)
_GOES_ON: Final = alternatives(each.goes_on for each in _SECRETS)
_BACKWARDS: Final = compile_bounded(
    r"(?i)(?:^|(?<=\s))(?P<value>\S{4,64}|\"[^\"\n]{4,80}\"|«[^»\n]{4,80}»|“[^”\n]{4,80}”|„[^“”\n]{4,80}[“”])\s+"
    rf"(?:{alternatives(each.is_the for each in _SECRETS)}|[-–—])\s+"
    rf"(?:{alternatives(each.possessives for each in _SECRETS)}\s+)?(?:\S{{1,20}}\s+){{0,2}}?"
    rf"(?:{_KEY})(?=\s*(?:[.,;!\n]|$|{_GOES_ON}\b))"
)
_PIN: Final = compile_bounded(
    rf"(?i)(?:{_PIN_KEY}){_WHOSE}{_OF}(?:{_IS}|\s+)[\"'«]?(?P<value>[0-9]{{3,8}})(?![0-9A-Za-z.,:/-]*[0-9])"
)
_SEED: Final = compile_bounded(
    rf"(?i){alternatives(each.seed_before for each in _SECRETS)}[- ]"
    rf"{alternatives(each.seed_phrase for each in _SECRETS)}"
    rf"\s*(?:{_BEING}|are|:|[-–—])?\s*:?\s*[\"'«]?(?P<value>[^\W\d_]+(?:[ ,]+[^\W\d_]+){{11,23}})"
)
_AS: Final = compile_bounded(
    rf"(?i)(?<![^\W_]){alternatives(each.uses_as for each in _SECRETS)}\s+"
    r"(?P<value>[\"“„«'`][^\"”“»'`\n]{3,80}[\"”“»'`]|\S{1,64}(?: \S{1,30}){0,7}?)\s+"
    rf"{alternatives(each.as_what for each in _SECRETS)}\s+(?:[^\W\d_]{{1,15}}\s+){{0,3}}?(?:{_KEY})"
    rf"(?=\s*(?:[.,;:!?)\n]|$|(?:{_GOES_ON}|{alternatives(each.goes_on_used for each in _SECRETS)})\b))"
)
_NEXT_CLAUSE: Final = compile_bounded(rf"{alternatives(each.next_clause for each in _SECRETS)}\b", re.IGNORECASE)
_HINTS: Final = tuple(dict.fromkeys(hint for each in _SECRETS for hint in each.hints))
"""One of these, in small letters, stands in every text that any pattern here matches."""
_ASCII_HINTS: Final = tuple(hint for hint in _HINTS if hint.isascii())
ABOUT_PASSWORDS: Final = frozenset[str]().union(*(each.about for each in _SECRETS))
"""Words that may follow "password" without being one."""
_PASS_ALONE: Final = compile_bounded(r"\bpass[\s/:]+$", re.IGNORECASE)
_SHORTEST: Final = 4
_LONGEST: Final = 200
_TOKEN: Final = re.compile(r"\S{1,400}")
_FOLLOWING: Final = re.compile(r"(?: [^\W_][\w'’-]{0,30}){1,9}+(?=\s*(?:[.!?;,\")»”]|\n|$))")
_QUOTED: Final = re.compile(
    r"[\"“„«‘'`]{1,3}(?P<inner>[^\"“”„«»’'`\n]{1,100})[\"”“»’'`]"
    r"|\"(?P<within>[^\"\n]{1,100})\"|“(?P<curved>[^”\n]{1,100})”|«(?P<angled>[^»\n]{1,100})»|„(?P<low>[^“”\n]{1,100})[“”]"
)
_PLACEHOLDER: Final = compile_bounded(
    r"[*•xX.…_#-]+|[<\[{(].*|\$(?:\{.*|[A-Z_]+)|%(?:[A-Z_]+%|[sdr])|.*\[redacted.*|(?:your|my|example|"
    r"change)[-_ ]?\w*"
    rf"|[a-z_]*{alternatives(each.example_names for each in _SECRETS)}(?:_[a-z_]+)?"
    r"|@?[a-z_][\w.]*[(\[].*|@[a-z_]\w*(?:\.\w+)+|[a-z_]+=[a-z]+"  # an expression, a decorator, a named argument
    rf"|{alternatives(each.such_as for each in _SECRETS)}"
    r"|(?:os|env|self|settings|config|process|request|req|args|data|getpass)\..*|https?://.*|[-–—:=]+",
    re.IGNORECASE,
)


def find_told_secrets(text: str) -> Iterator[Finding]:
    """Yield passwords, PINs and seed phrases that sentences give away, possibly overlapping."""
    if not _hinted(text):
        return
    for pattern, word_is_enough in ((_TOLD, True), (_USED, True), (_CHANGED, True), (_BESIDE, False)):
        for match in pattern.finditer(text):
            yield from _password(match, word_is_enough=word_is_enough)
    for pattern in (_BACKWARDS, _AS):
        for match in pattern.finditer(text):
            start, end = _core(text, *match.span("value"))
            said = text[start:end].split()
            if said and _is_secret(said[0], plain=True) and _is_secret_phrase(text[start:end], plain=True):
                yield Finding(start, end, "password")
    for pattern, kind in ((_PIN, "PIN"), (_SEED, "seed phrase"), (_PHRASE, "password")):
        for match in pattern.finditer(text):
            if pattern is _SEED or _is_secret(match["value"].split()[0], plain=True):
                yield Finding(*match.span("value"), kind)


def _hinted(text: str) -> bool:
    """Return whether any pattern can match; to them the Turkish letters i are "i", which folding does not make them."""
    if text.isascii():
        folded, hints = text.lower(), _ASCII_HINTS
    else:
        folded, hints = text.replace("İ", "i").replace("ı", "i").casefold(), _HINTS
    for hint in hints:  # noqa: SIM110  any() takes twice as long, and this is asked about every message
        if hint in folded:
            return True
    return False


def _password(match: re.Match[str], *, word_is_enough: bool) -> Iterator[Finding]:
    text, start = match.string, match.start("value")
    quoted = _QUOTED.match(text, start)
    if quoted and _is_secret_phrase(quoted[quoted.lastgroup or 0], plain=word_is_enough):
        yield Finding(*quoted.span(quoted.lastgroup or 0), "password")
        return
    token = _TOKEN.match(text, start)
    end = token.end() if token else start
    start, end = _core(text, start, end)
    value = text[start:end]
    word_is_enough = word_is_enough or (value.isascii() and not match[0][:1].isascii())
    if text[start - 1 : start] == "(" or (match.re is _USED and _PASS_ALONE.search(match[0])):
        word_is_enough = False  # "passwords (TOTP)", "with a 95 % pass rate"
    if (
        match.re in (_TOLD, _CHANGED)
        and value.isalpha()
        and "\n" not in match[0]
        and (phrase := _phrase_end(text, start, end))
    ):
        yield Finding(start, phrase, "password")
    elif _is_secret(value, plain=word_is_enough and (not value.isalpha() or _ends_clause(text[end : end + _LONGEST]))):
        yield Finding(start, end, "password")


def _phrase_end(text: str, start: int, end: int) -> int:
    """Return where a pass phrase of several words ends that begins with a word, 0 where none does.

    It reaches to the end of its clause and is not made of the words with which people talk about passwords.
    """
    following = _FOLLOWING.match(text, end)
    if following is None or not _is_secret(text[start:end], plain=True):
        return 0
    said = fold(following[0]).split()
    if _NEXT_CLAUSE.match(" ".join(said)) or any(word in ABOUT_PASSWORDS for word in said):
        return 0
    return following.end()


def _is_secret_phrase(value: str, *, plain: bool) -> bool:
    """Return whether what stands in quotation marks is a password: one word, or several that are more than talk."""
    said = value.split()
    if len(said) < 2:  # noqa: PLR2004  one word
        return _is_secret(value.strip(), plain=plain)
    return plain and any(_is_secret(word, plain=True) for word in said)


def _core(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out quotes and the punctuation of the sentence around a value; "!" belongs to it."""
    while start < end and text[start] in "\"'`«“„*(":
        start += 1
    while start < end and (text[end - 1] in "\"'`»”“,;:*}]" or (text[end - 1] in ".)?" and end - start > 1)):
        end -= 1
    return start, end


def _is_secret(value: str, *, plain: bool) -> bool:
    folded = fold(value).strip("!,.;:")
    if len(folded) < _SHORTEST - 1 or folded in ABOUT_PASSWORDS or _PLACEHOLDER.fullmatch(value):
        return False
    return plain or _is_odd(value)


def _is_odd(value: str) -> bool:
    """Return whether no word looks like ``value``: figures or signs among letters, capitals inside, figures alone."""
    body = value.rstrip("!?.")
    if len(value) < _SHORTEST or _PLACEHOLDER.fullmatch(value) or value.casefold() in ABOUT_PASSWORDS:
        return False
    has_figure = any(c.isdigit() for c in body)
    has_sign = any(not c.isalnum() and c not in "-'’./_" for c in body)
    has_capital = not body.isupper() and any(c.isupper() for c in body[1:])
    return has_figure or has_sign or (has_capital and body.isascii())


def _ends_clause(rest: str) -> bool:
    """Return whether nothing that belongs to the same clause follows: a lone word after "is" is a password then."""
    following = rest.lstrip("\"'`»”").lstrip()
    return not following or following[0] in ".,;!?)\n(–—-" or _NEXT_CLAUSE.match(following) is not None
