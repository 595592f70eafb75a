"""Finds passwords that somebody tells in a sentence.

A password has no shape, so the sentence around it must give it away: "my password is …", "the Wi-Fi key: …".  The words
after it are taken for the password unless they are among those with which people talk *about* passwords ("is wrong",
"forgotten").  How much a value must look like one depends on the sentence, and on whether a person typed it: manuals
and programs are full of the word.
"""

import itertools
import re
from collections.abc import Iterator
from enum import IntEnum
from typing import Final

from bot.memory.patterns import compile_bounded
from bot.memory.secrets.shapes import STANDS_IN, Finding
from language import alternatives, languages
from language.words import fold


class Look(IntEnum):
    """How much a value looks like a password; a sentence asks for one of these at least."""

    WORD = 1
    """Any word with which nobody talks about passwords."""
    ODD = 2
    """No ordinary word: figures or signs among letters, capitals inside, figures alone."""
    SURE = 3
    """Neither a word nor a name in a program."""
    NONE = 4
    """Nothing is one there."""


_SECRETS: Final = tuple(each.secrets for each in languages())


def _mistype(word: str, vowels: str) -> Iterator[str]:
    """Yield a word with two letters swapped, one left out or doubled, or another vowel; its first letter is right."""
    for place in range(1, len(word)):
        yield word[:place] + word[place + 1 :]
        yield word[:place] + word[place] + word[place:]
        yield word[:place] + word[place : place + 2][::-1] + word[place + 2 :]
        yield from (word[:place] + other + word[place + 1 :] for other in vowels if word[place] in vowels)


def _mistype_twice(word: str, vowels: str) -> frozenset[str]:
    """Return a word with one slip or two; two letters fewer make another word too easily."""
    once = set(_mistype(word, vowels))
    twice = {again for typed in once for again in _mistype(typed, vowels) if len(again) >= len(word) - 1}
    return frozenset(once | twice) - {word}


_MISTYPED: Final = frozenset[str]().union(
    *(_mistype_twice(head, each.vowels) for each in _SECRETS for head in each.heads)
) - frozenset(head for each in _SECRETS for head in each.heads)
_SLIP: Final = "\ue000"
"""Fills the place of a mistyped word for a password, so that patterns need not know all of them."""
_KEY: Final = alternatives((*(each.keys for each in _SECRETS), rf"{_SLIP}+(?![^\W_-])"))
_PIN_KEY: Final = rf"(?<![^\W_]){alternatives(each.pin_keys for each in _SECRETS)}(?![^\W_])"
_WHOSE: Final = rf"(?:\s+{alternatives(each.whose for each in _SECRETS)}){{0,4}}"
_FOR: Final = alternatives(each.belongs_to for each in _SECRETS)
_OF: Final = rf"(?:\s+\([^()\n]{{1,40}}\)(?=\s*[:=—–-]|\s+\w))?(?:\s+{_FOR}\s+\S[^\n:=.!?]{{0,50}}?)?"
_BEING: Final = alternatives(each.being for each in _SECRETS)
_SIGN: Final = rf"\s*(?:\)\s*)?(?:(?<=\s)\(|(?::(?!:)|=)>?|->|→|:=|\s[-–—]\s)\s*(?:{_BEING}\s+)?"
_VERB: Final = alternatives(each.verbs for each in _SECRETS)
_ADVERB: Final = alternatives(each.adverbs for each in _SECRETS)
_IS: Final = rf"{_SIGN}|(?<=['’]s)\s+|\s+{_VERB}(?:\s*:\s*|\s+[–—-]\s+|\s+)(?:{_ADVERB}\s*:?\s+){{0,2}}"
_TOLD: Final = compile_bounded(rf"(?i)(?P<key>{_KEY})[\"'`*]{{0,2}}{_OF}(?:{_IS})(?=(?P<value>\S))")
_ASKED: Final = compile_bounded(
    rf"(?i)(?<![^\W_]){alternatives(each.remembers for each in _SECRETS)}(?![^\W_])"
    rf"[^\n.!?]{{0,40}}?(?P<key>{_KEY}){_OF}\s*[,;:–—-]\s*"
    rf"{alternatives(each.refers for each in _SECRETS)}\s*:?\s+(?=(?P<value>\S))"
)
_BESIDE: Final = compile_bounded(rf"(?i)(?P<key>{_KEY}){_OF}[\s/]+(?=(?P<value>\S))")
_PHRASE_KEY: Final = rf"(?<![^\W_]){alternatives(each.phrase_keys for each in _SECRETS)}(?![^\W_])[\"'`*»”“]{{0,2}}"
_OPENING: Final = r"(?P<mark>[\"'«„“]?)"
_PHRASE: Final = compile_bounded(
    rf"(?i){_PHRASE_KEY}(?:{_OF}(?P<is>{_IS})|\s+(?:{_ADVERB} )?){_OPENING}"
    rf"(?P<value>[^\W\d_]+(?:[ -][^\W\d_]+){{2,11}}?)"
    rf"(?=[\"'»“”.!]?\s*(?:$|\n)|[\"'»“”,]|\s(?:{alternatives(each.next_clause for each in _SECRETS)})\b)"
)
_DESCRIBED: Final = compile_bounded(
    rf"(?i)(?:{_KEY}){_OF}(?:\s+[^\W_]+){{1,5}}?\s+{alternatives(each.phrase_names for each in _SECRETS)}"
    rf"\s*[,:–—-]\s*(?P<is>(?:{alternatives(each.namely for each in _SECRETS)}\s*:?\s+)?){_OPENING}"
    r"(?P<value>[^\W\d_]+(?:,? [^\W\d_]+){2,11})(?=[\"'»“”.!]?\s*(?:$|\n|[^\W\d_]))"
)
_CHOSEN: Final = compile_bounded(
    rf"(?i)(?<![^\W_]){alternatives(f'(?:{each.as_what})' for each in _SECRETS)}\s+"
    rf"(?:{alternatives(each.possessives for each in _SECRETS)}\s+)?(?:{_PHRASE_KEY}|{_KEY}){_OF},?\s+"
    rf"(?P<is>{alternatives(each.chooses for each in _SECRETS)})\s*:?\s+{_OPENING}"
    r"(?P<value>[^\s\"'«»„“”]{4,40}(?: [^\W\d_]+){0,9}?)"
    rf"(?=(?:\s{alternatives(each.chosen for each in _SECRETS)})?[\"'»“”.!]?\s*(?:$|\n|[.,;]))"
)
_PHRASE_BEFORE: Final = compile_bounded(
    r"(?im)(?:^|(?<=[.!?:] ))(?P<value>[^\W\d_]+(?: [^\W_]+){2,7}) (?P<is>)"
    rf"{alternatives(each.is_the for each in _SECRETS)} {alternatives(each.possessives for each in _SECRETS)} "
    rf"(?:{_KEY})(?=[.!]?\s*$)"
)
_USED: Final = compile_bounded(
    rf"(?i)\b{alternatives(each.uses for each in _SECRETS)}[\s:,][^\n.!?]{{0,40}}?(?P<key>{_KEY})[\s/:]+"
    r"(?=(?P<value>\S))"
)
_CHANGED: Final = compile_bounded(
    rf"(?i)\b{alternatives(each.changes for each in _SECRETS)}\b[^\n.!?]{{0,40}}?(?P<key>{_KEY})"
    rf"(?:\s+\S{{1,30}}){{0,5}}?\s+{alternatives(each.changed_to for each in _SECRETS)}\s+(?=(?P<value>\S))"
)
_CHANGED_FROM: Final = compile_bounded(
    rf"(?i)(?P<key>{_KEY})(?:\s+\S{{1,30}}){{0,4}}?\s+{alternatives(each.changed_from for each in _SECRETS)}\s+"
    rf"(?P<value>[^\s,;]{{4,64}}|[\"“„«][^\"”“»\n]{{4,60}}[\"”“»])"
    rf"(?:\s+{alternatives(each.changed_to for each in _SECRETS)}\s+(?P<new>[^\s.,;!?]{{4,64}})(?P<last>[.,;!?]|\s*$"
    rf"|\s+{alternatives(f'(?:{each.chosen})' for each in _SECRETS if each.chosen)})?)?"
)
_CHANGES: Final = compile_bounded(rf"(?i)\b{alternatives(each.changes for each in _SECRETS)}\b[^\n.!?]{{0,60}}$")
_GOES_ON: Final = alternatives(each.goes_on for each in _SECRETS)
_BACKWARDS: Final = compile_bounded(
    r"(?i)(?:^|(?<=\s))(?P<value>\S{4,64}|\"[^\"\n]{4,80}\"|«[^»\n]{4,80}»|“[^”\n]{4,80}”|„[^“”\n]{4,80}[“”]),? +"
    rf"(?:{alternatives(each.is_the for each in _SECRETS)}|(?P<dash>[-–—])) +"
    rf"(?:{alternatives(each.possessives for each in _SECRETS)} +)?(?P<between>(?:\S{{1,20}} +){{0,2}}?)"
    rf"(?P<key>{_KEY})"
)
_AFTER_KEY: Final = compile_bounded(rf"(?i)\s*(?:[.,;!\n]|$|{_GOES_ON}\b)")
_PIN_NEAR: Final = compile_bounded(
    rf"(?i){_PIN_KEY}(?:[ ,:]+(?!{_FOR} [0-9])[^\W\d_]{{1,20}}){{0,5}}[ ,:–—-]+"
    r"(?P<value>(?!(?:19|20)[0-9]{2}\b)[0-9]{4,8})(?=[.,;!?)]|\s*$|\s*\n)(?![.,:/][0-9])"
)
_PIN_BEFORE: Final = compile_bounded(
    rf"(?im)(?:^|(?<=[.!?:,] ))(?P<value>[0-9]{{4,8}}),? +(?:{alternatives(each.is_the for each in _SECRETS)}|[-–—]) +"
    rf"(?:[^\W\d_]{{1,12}} +){{0,2}}?{_PIN_KEY}"
)
_PIN: Final = compile_bounded(
    rf"(?i)(?:{_PIN_KEY}){_WHOSE}{_OF}(?:{_IS}|\s+(?!(?:19|20)[0-9]{{2}}\b))[\"'«]?"
    r"(?P<value>[0-9]{3,8})(?![0-9A-Za-z.,:/-]*[0-9])"
)
_SEED: Final = compile_bounded(
    rf"(?i){alternatives(each.seed_before for each in _SECRETS)}[- ]?"
    rf"{alternatives(each.seed_phrase for each in _SECRETS)}"
    rf"(?: [^\W\d_]{{1,20}}){{0,3}}?\s*(?:{_BEING}|:|[-–—])?\s*:?\s*[\"'«]?"
    r"(?P<value>[^\W\d_]+(?:[ ,]+[^\W\d_]+){11,23})"
)
_AS: Final = compile_bounded(
    rf"(?i)(?<![^\W_]){alternatives(each.uses_as for each in _SECRETS)}\s+"
    r"(?P<value>[\"“„«'`][^\"”“»'`\n]{3,80}[\"”“»'`]|\S{1,64}(?: \S{1,30}){0,7}?)\s+"
    rf"{alternatives(each.as_what for each in _SECRETS)}\s+(?:[^\W\d_]{{1,15}}\s+){{0,3}}?(?P<key>{_KEY})"
    rf"(?=\s*(?:[.,;:!?)\n]|$|(?:{_GOES_ON}|{alternatives(each.goes_on_used for each in _SECRETS)})\b))"
)
_LAST: Final = (
    r"[\"'«„“]?(?P<value>[^\s\"'«»„“”.,;:!?()/]{4,64}(?:[.!-][^\s\"'«»„“”.,;:!?()/]{1,40}){0,3}!?)[\"'»“”]?"
    rf"(?=[.!,;)]?\s*(?:$|\n)|[.!] |, |\s+{alternatives(each.fillers for each in _SECRETS)}[.!]?\s*(?:$|\n))"
)
_LOGIN: Final = compile_bounded(
    rf"(?i)(?<![^\W_])(?P<key>{alternatives(each.logins for each in _SECRETS)})(?![^\W_])[^\n.!?:;/]{{0,60}}?"
    rf"(?:\s*[:=–—]|\s-|\s{_VERB})\s+(?P<user>[\w.@+-]{{2,60}})"
    rf"(?:\s*[/:|]\s*|\s*[,;]\s+|\s+(?:[-–—]|{alternatives(each.conjoins for each in _SECRETS)})\s+){_LAST}"
)
_STILL: Final = compile_bounded(
    rf"(?i)(?P<key>{_KEY})(?:\s*\?\s+|{_OF}(?:\s*[,?:–—-]\s+|\s+(?:{_VERB}\s+)?)"
    rf"{alternatives(each.unchanged for each in _SECRETS)}(?:\s*[,:–—-])?\s+)"
    rf"(?:{alternatives(each.unchanged for each in _SECRETS)}\s+)?{_LAST}"
)
_PLACED: Final = compile_bounded(
    rf"(?im)(?:^|(?<=[.!?]\s))(?:[^\n.!?:,]{{3,60}}(?:[:,]|\s[-–—])"
    rf"|{alternatives(each.possessives for each in _SECRETS)})\s+(?P<key>{_KEY})\s+{_LAST}"
)
_ASKS: Final = compile_bounded(
    rf"(?i)\b{alternatives(each.uses for each in _SECRETS)}"
    rf"(?:\s(?:{alternatives(each.possessives for each in _SECRETS)}))?\s$"
)
_BEFORE: Final = 30
_ACCOUNTS: Final = frozenset({"admin", "administrator", "root", "guest"})
"""Names of accounts that are also words about passwords."""
_VERBAL: Final = compile_bounded(alternatives(each.verbal for each in _SECRETS))
_TELLS: Final = compile_bounded(rf"(?i)[:=→–—]|\b{alternatives(each.tells for each in _SECRETS)}\b")
_MAY_BEGIN: Final = frozenset[str]().union(*(each.begins for each in _SECRETS))
"""Words of ``ABOUT_PASSWORDS`` with which a phrase begins as well."""
_NEXT_CLAUSE: Final = compile_bounded(rf"{alternatives(each.next_clause for each in _SECRETS)}\b", re.IGNORECASE)
_HINTS: Final = tuple(dict.fromkeys(hint for each in _SECRETS for hint in each.hints))
"""One of these, in small letters, stands in every text that any pattern here matches."""
_ASCII_HINTS: Final = tuple(hint for hint in _HINTS if hint.isascii())
ABOUT_PASSWORDS: Final = frozenset[str]().union(*(each.about for each in _SECRETS))
"""Words that may follow "password" without being one."""
_OTHER_SENSE: Final = compile_bounded(alternatives(each.ambiguous for each in _SECRETS), re.IGNORECASE)
_TALK: Final = compile_bounded(alternatives(each.participles for each in _SECRETS))
_KEY_WORD: Final = compile_bounded(rf"(?i)\W*(?:{_KEY})")
_COPULA: Final = compile_bounded(rf"(?i)\s(?:{_VERB})(?:\s+{_ADVERB})?\s*:?\s*")
_AT_A_PLACE: Final = compile_bounded(
    rf"(?i)(?:[^\s.,;!?]+[?]|{alternatives(each.places for each in _SECRETS)}(?![^\W_]))"
)
_METHOD: Final = compile_bounded(alternatives(each.checksums for each in _SECRETS), re.IGNORECASE)
_ANY_KEY: Final = compile_bounded(rf"(?i)(?:{_KEY})")
_LINK: Final = compile_bounded(
    "(?i)"
    + alternatives(
        pattern
        for each in _SECRETS
        for pattern in (each.belongs_to, each.possessives, each.whose, each.uses, each.goes_on)
    )
)
"""Words behind which a name stands rather than a password: "for", "my", "user"."""
_MEASURE: Final = re.compile(r"[0-9]{1,2}-?[^\W\d_]+|[0-9]{1,4}(?:[-:.][0-9]{1,4})+.{0,16}")
"""Lengths, places in a row, moments: "12characters", "2nd", "2024-05-01T10:00"."""
MASK: Final = "[redacted: "
"""What stands before the kind of a secret in its place."""
_MOST_WORDS: Final = 8
_SENTENCES: Final = (
    (_TOLD, Look.WORD),
    (_ASKED, Look.WORD),
    (_USED, Look.WORD),
    (_CHANGED, Look.WORD),
    (_BESIDE, Look.ODD),
)
_EXAMPLE: Final = compile_bounded(
    rf"(?i)(?<![^\W_]){alternatives(each.example_names for each in _SECRETS)}[0-9]{{0,4}}(?![^\W_])"
)
"""What the makers of examples write: "secure_password123"."""
_SHORTEST: Final = 4
_LEAST_SURE: Final = 6
_LEAST_LISTED: Final = 3
"""Words behind the first of a phrase after a colon: it may begin with any word then."""
_LONGEST: Final = 200
_IN_PROGRAMS: Final = re.compile(
    r"[()\[\]{}<>=`\"';,\\]|^[@%$&|]|^[\w.+-]+@[\w-]+\.[\w.-]+$|::|^\W{0,16}[\w.-]*/[\w./-]*$"
)
_LONG_WORD: Final = re.compile(r"[^\W\d_]{5,}")
_TOKEN: Final = re.compile(r"\S{1,400}")
_FOLLOWING: Final = re.compile(r"(?: [^\W_][\w'’-]{0,30}){1,9}+(?=\s*(?:[.!?;,\")»”]|\n|$))")
_QUOTED: Final = re.compile(
    r"[\"“„«‘'`]{1,3}(?P<inner>[^\"“”„«»’'`\n]{1,100})[\"”“»’'`]"
    r"|\"(?P<within>[^\"\n]{1,100})\"|“(?P<curved>[^”\n]{1,100})”|«(?P<angled>[^»\n]{1,100})»|„(?P<low>[^“”\n]{1,100})[“”]"
)
_PLACEHOLDER: Final = compile_bounded(
    rf"(?:{STANDS_IN.pattern})|%[A-Z_]+%|.*\[redacted.*"
    r"|@?[a-z_][\w.]*[(\[{].*|@[a-z_]\w*(?:\.\w+)+|[a-z_]+=[a-z\"'{\[(].*"  # an expression, a decorator, an argument
    r"|[brfu]{1,2}[\"'].*|:\w+:.*"  # a literal, a role of reStructuredText
    r"|&'?[a-z]\w*|[a-z]\w*<[\w<>&' ]*|!\w+|(?:\w+::)+.*"  # a borrowed type, a tag, a name
    r"|(?:~|\.{1,2}|/[\w.-]+)/[\w./-]*|(?:[a-z_]+/)+[a-z_]+|[A-Z]:\\.*"  # paths
    r"|[a-z_$]\w*(?:(?:\??\.|->)\w+)*(?:\??\.|->)\w*(?:_|pass|pwd|secret|cred|token|key)\w*(?:\.\w+)*"  # a reference
    rf"|{alternatives(each.such_as for each in _SECRETS)}"
    r"|(?:os|env|self|settings|config|process|request|req|args|data|getpass)\..*|https?://.*|[-–—:=]+",
    re.IGNORECASE,
)


def find_told_secrets(text: str, *, guessing: bool = True) -> Iterator[Finding]:
    """Yield passwords, PINs and seed phrases that sentences give away, possibly overlapping.

    Without ``guessing`` an ordinary word is one only in quotation marks behind "is".
    """
    if not _hinted(text):
        return
    text = _LONG_WORD.sub(_hide_slip, text)
    for pattern, least in _SENTENCES:
        for match in pattern.finditer(text):
            yield from _password(match, least if guessing else Look.SURE)
    yield from _find_changed(text, guessing=guessing)
    for match in itertools.chain(_BACKWARDS.finditer(text), _AS.finditer(text)):
        start, end = _core(text, *match.span("value"))
        if _is_secret_phrase(
            text[start:end], _ask_before(match, quoted=start > match.start("value"), guessing=guessing)
        ):
            yield Finding(start, end, "password")
    for match in _PIN.finditer(text):
        if is_secret(match["value"], Look.WORD):
            yield Finding(*match.span("value"), "PIN")
    for match in _SEED.finditer(text):
        yield Finding(*match.span("value"), "seed phrase")
    if guessing:
        yield from _find_near(text)


def _find_changed(text: str, *, guessing: bool) -> Iterator[Finding]:
    """Yield what a password was before it was changed, and what it was changed to."""
    for match in _CHANGED_FROM.finditer(text):
        start, end = _core(text, *match.span("value"))
        if not match["new"] and not _CHANGES.search(text[: match.start()][-_LONGEST:]):
            continue
        plain = guessing and match["new"] and not _OTHER_SENSE.fullmatch(match["key"])
        if _is_secret_phrase(text[start:end], Look.WORD if plain else Look.ODD if guessing else Look.SURE):
            yield Finding(start, end, "password")
            if plain and match["last"] is not None and is_secret(match["new"], Look.WORD):
                yield Finding(*match.span("new"), "password")


def _find_near(text: str) -> Iterator[Finding]:
    """Yield what stands near a word for a password and looks like nothing else, and phrases called one."""
    for key in _ANY_KEY.finditer(text):
        if not text.endswith(MASK, 0, key.start()):
            yield from _look_behind(text, key.end())
    for pattern in (_PIN_NEAR, _PIN_BEFORE):
        for match in pattern.finditer(text):
            yield Finding(*match.span("value"), "PIN")
    phrases = (match for pattern in (_PHRASE, _PHRASE_BEFORE, _DESCRIBED, _CHOSEN) for match in pattern.finditer(text))
    lone = (match for pattern in (_LOGIN, _STILL, _PLACED) for match in pattern.finditer(text))
    for match in (*itertools.filterfalse(_is_talk, phrases), *filter(_is_lone, lone)):
        yield Finding(*match.span("value"), "password")


def _is_talk(match: re.Match[str]) -> bool:
    """Return whether what stands where a phrase may stand is said about passwords.

    Behind a colon, a quotation mark or "reads" most words of it must be; behind "is" its beginning tells.
    """
    said = fold(match["value"]).replace(",", "").split()
    about = [word in ABOUT_PASSWORDS for word in said]
    marks = match.groupdict()
    if any(map(_KEY_WORD.match, said)) or all(about) or _PLACEHOLDER.fullmatch(match["value"]):
        return True
    if marks.get("mark") or match.re in (_DESCRIBED, _CHOSEN) or _TELLS.search(marks["is"] or ""):
        return sum(about) * 2 > len(about)
    if not (marks["is"] or "").strip():
        asked = len(said) > _LEAST_LISTED and _ASKS.search(match.string[: match.start()][-_BEFORE:])
        return about[0] or sum(about) * (2 if asked else len(about)) > len(about) - 1
    if about[0] and said[0] in _MAY_BEGIN and len(said) > _LEAST_LISTED:
        return about[1] or _TALK.fullmatch(said[1]) is not None
    return about[0] or (_TALK.fullmatch(said[0]) is not None and (about[1] or _TALK.fullmatch(said[1]) is not None))


def _is_lone(match: re.Match[str]) -> bool:
    """Return whether the last word of a clause, where a password may stand, is one and no verb about it."""
    value, user = match["value"], match.groupdict().get("user")
    if _OTHER_SENSE.fullmatch(match["key"]) and not (user and _is_odd(value)):
        return False
    if user and fold(user) not in _ACCOUNTS and (fold(user) in ABOUT_PASSWORDS or _KEY_WORD.fullmatch(user)):
        return False
    return is_secret(value, Look.WORD) and (
        _is_odd(value) or not (_TALK.fullmatch(fold(value)) or _VERBAL.fullmatch(fold(value)))
    )


def _look_behind(text: str, key_end: int) -> Iterator[Finding]:
    """Yield the first sure password behind its name: in its clause, and no name of what the password is for."""
    before = ""
    for word in _TOKEN.finditer(text, key_end, key_end + _LONGEST):
        start, end = _core(text, *word.span())
        value = text[start:end]
        between = text[key_end : word.start()]
        if "\n" in between or MASK.strip() in word[0] or between.count(" ") > _MOST_WORDS:
            return
        if is_secret(value, Look.SURE) and not _MEASURE.fullmatch(value) and any(map(str.isalpha, value)):
            if before[-1:] in set(":,?–—-") or (
                not _LINK.fullmatch(before) and _ends_clause(text[end : end + _LONGEST])
            ):
                yield Finding(start, end, "password")
            return
        before = word[0]
        if (
            before[-1] in ".!;"
            or (before[-1] == "?" and before != "?")
            or (_NEXT_CLAUSE.fullmatch(before) and not _LINK.fullmatch(before))
        ):
            return


def _ask_before(match: re.Match[str], *, quoted: bool, guessing: bool) -> Look:
    """Return how a value must look that stands before its password: before a dash, a heading or a name may, too."""
    if not guessing:
        return Look.ODD if quoted else Look.SURE
    if not quoted and match.re == _AS and fold(match["value"].split()[0]) in ABOUT_PASSWORDS:  # "use my birthday as"
        return Look.NONE
    if quoted or match.re != _BACKWARDS:
        return Look.WORD
    begins = match.string[: match.start()].rstrip(" ").endswith("\n") or not match.string[: match.start()].strip()
    bare = match["dash"] and (match["between"] or not begins)
    if not _AFTER_KEY.match(match.string, match.end()):
        return Look.SURE
    return Look.ODD if bare or _OTHER_SENSE.fullmatch(match["key"]) else Look.WORD


def _hide_slip(word: re.Match[str]) -> str:
    return _SLIP * len(word[0]) if word[0].casefold() in _MISTYPED else word[0]


def _hinted(text: str) -> bool:
    """Return whether any pattern can match; to them the Turkish letters i are "i", which folding does not make them."""
    if text.isascii():
        folded, hints = text.lower(), _ASCII_HINTS
    else:
        folded, hints = text.replace("İ", "i").replace("ı", "i").casefold(), _HINTS
    for hint in hints:  # any() takes twice as long, and this is asked about every message
        if hint in folded:
            return True
    return not _MISTYPED.isdisjoint(_LONG_WORD.findall(folded))


def _password(match: re.Match[str], least: Look) -> Iterator[Finding]:
    text, start = match.string, match.start("value")
    copula = _COPULA.search(match[0])
    least = _ask_behind(match, least)
    if least is Look.NONE:
        return
    quoted = _QUOTED.match(text, start)
    if quoted and match.re == _BESIDE and least is Look.ODD:
        word = fold(quoted[quoted.lastgroup or 0])
        least = Look.WORD if word.isalpha() and not _VERBAL.fullmatch(word) else least
    if quoted and _is_secret_phrase(
        quoted[quoted.lastgroup or 0], Look.WORD if copula and least is Look.SURE else least
    ):
        yield Finding(*quoted.span(quoted.lastgroup or 0), "password")
        return
    token = _TOKEN.match(text, start)
    end = token.end() if token else start
    start, end = _core(text, start, end)
    value = text[start:end]
    if least is Look.ODD and value.isascii() and match[0][0] > "\x7f" and match[0][0] != _SLIP:
        least = Look.WORD
    if least is Look.WORD and value.isalpha():
        phrase = match.re in (_TOLD, _ASKED, _CHANGED) and "\n" not in match[0] and _phrase_end(text, start, end)
        if phrase:
            yield Finding(start, phrase, "password")
            return
        if ((copula or match.re == _ASKED) and _TALK.fullmatch(value)) or not _ends_clause(text[end : end + _LONGEST]):
            least = Look.ODD
    if is_secret(value, least):
        yield Finding(start, end, "password")


def _ask_behind(match: re.Match[str], least: Look) -> Look:
    """Return how a value must look behind its password, which may mean something else or belong to what is named."""
    if match.string[match.start("value") - 1] == "(":  # "passwords (TOTP)"
        least = max(least, Look.ODD)
    if _OTHER_SENSE.fullmatch(match["key"]):
        return Look.NONE if least is Look.SURE else Look.SURE
    if match.re == _CHANGED and _AT_A_PLACE.match(match.string, match.start("value")):
        return Look.ODD
    if match.re == _BESIDE and _LINK.fullmatch(match[0].split()[-1]):  # "on my iPhone15"
        return Look.NONE
    return least


def _phrase_end(text: str, start: int, end: int) -> int:
    """Return where a pass phrase of several words ends that begins with a word, 0 where none does.

    It reaches to the end of its clause and is not made of the words with which people talk about passwords.
    """
    following = _FOLLOWING.match(text, end)
    if following is None:
        return 0
    said = fold(following[0]).split()
    listed = text[start - 2 : start].strip()[-1:] in {":", "="} and len(said) >= _LEAST_LISTED
    if not listed and not is_secret(text[start:end], Look.WORD):
        return 0
    if _NEXT_CLAUSE.match(" ".join(said)) or any(word in ABOUT_PASSWORDS or _KEY_WORD.match(word) for word in said):
        return 0
    if any(map(_TALK.fullmatch, (*said, text[start:end]))):
        return 0
    return following.end()


def _is_secret_phrase(value: str, least: Look) -> bool:
    """Return whether what stands in quotation marks is a password: one word, or several that are more than talk."""
    said = value.split()
    if len(said) < 2:  # noqa: PLR2004  one word
        return is_secret(value.strip(), least)
    if least is Look.WORD:
        return any(is_secret(word, least) for word in said)
    return least is Look.ODD and not any(fold(word) in ABOUT_PASSWORDS or _KEY_WORD.match(word) for word in said)


def _core(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out quotes and the punctuation of the sentence around a value; "!" belongs to it."""
    while start < end and text[start] in "\"'`«“„*(":
        start += 1
    while start < end and (text[end - 1] in "\"'`»”“,;:*}]" or (text[end - 1] in ".)?" and end - start > 1)):
        end -= 1
    return start, end


def is_secret(value: str, least: Look) -> bool:
    """Return whether one word can be a password: it looks like one, and is neither talk nor code for one."""
    folded = fold(value).strip("!,.;:")
    if len(folded) < _SHORTEST - 1 or folded in ABOUT_PASSWORDS or _PLACEHOLDER.fullmatch(value):
        return False
    return least is Look.WORD or (_is_odd(value) and (least is Look.ODD or _is_sure(value)))


def _is_odd(value: str) -> bool:
    """Return whether no word looks like ``value``: figures or signs among letters, capitals inside, figures alone."""
    body = value.rstrip("!?.")
    if len(value) < _SHORTEST:
        return False
    has_figure = any(c.isdigit() for c in body)
    has_sign = any(not c.isalnum() and c not in "-'’./_" for c in body)
    has_capital = not body.isupper() and any(c.isupper() for c in body[1:])
    return has_figure or has_sign or (has_capital and body.isascii())


def _is_sure(value: str) -> bool:
    """Return whether ``value`` is neither a name in a program nor one of a method ("sha256"), nor short of a key."""
    figures, letters = sum(map(str.isdigit, value)), sum(map(str.isalpha, value))
    signs = sum(c in "!@#$%^&*+?~§" for c in value)
    if len(value) < _LEAST_SURE or _METHOD.fullmatch(value) or _EXAMPLE.search(value) or _IN_PROGRAMS.search(value):
        return False
    return bool((figures or signs) and letters) or figures >= _LEAST_SURE


def _ends_clause(rest: str) -> bool:
    """Return whether nothing that belongs to the same clause follows: a lone word after "is" is a password then."""
    following = rest.lstrip("\"'`»”").lstrip()
    return not following or following[0] in ".,;!?)\n(–—-" or _NEXT_CLAUSE.match(following) is not None
