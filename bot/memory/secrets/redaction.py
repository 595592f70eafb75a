"""Takes secrets out of a text before it is stored, indexed, logged or shown.

What never was stored cannot leak.  Precision matters as much as recall: a booking code or a PIN *hint* is what people
want remembered, so every rule asks for a checksum, an issuer's prefix, entropy beside a telling word, or a sentence
that tells a password.
Secrets are pasted from tables, cards and chats: with narrow or several blanks between the groups, with characters of
no width, in full-width figures (Unicode Standard Annex 15, NFKC).  The rules see one plain form; what is masked is what
was written.

What programs read has rules of its own here: in configuration files, command lines and SQL a password stands behind a
directive, in an attribute beside the one that names it, or behind an option whose meaning only its program knows.
Programs and options are those that their manuals warn about; what refers to a password that is kept elsewhere (a
variable, a path) is none.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Final

from bot.memory.secrets.shapes import Finding, find_seed_phrases, find_shaped_secrets
from bot.memory.secrets.words import MASK, Look, find_told_secrets, is_secret
from language.patterns import compile_at_use

_UNUSUAL: Final = compile_at_use(
    "[\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2010\u2011\u2028-\u202f"
    "\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff\t\r\x0b\x0c]| {2}| \n|\n "
)
_BLANK: Final = " "
_MASKED: Final = compile_at_use(rf"{re.escape(MASK)}[^\]]*\]")


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A text in its plain spelling; ``places[n]`` is where its character ``n`` stands in what was written."""

    text: str
    places: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the written part that ``text[start:end]`` was made of."""
        return self.places[start], self.places[end - 1] + 1


def fold_spelling(text: str) -> FoldedText:
    """Return ``text`` in NFKC without characters of no width; blanks of every kind become one space, line ends stay."""
    if text.isascii() and text.isprintable() and "  " not in text:  # most messages
        return FoldedText(text, range(len(text)))
    if (text.isascii() or unicodedata.is_normalized("NFKC", text)) and _UNUSUAL.search(text) is None:
        return FoldedText(text, range(len(text)))
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if letters and unicodedata.combining(character):  # an accent of its own belongs to the letter before it
            joined = unicodedata.normalize("NFC", letters[-1] + character)
            letters[-1] = joined if len(joined) == 1 else letters[-1]
            continue
        for plain in _fold_character(character):
            if plain == _BLANK and letters and letters[-1] in " \n":
                continue
            if plain == "\n" and letters and letters[-1] == _BLANK:
                letters[-1], places[-1] = plain, place
                continue
            letters.append(plain)
            places.append(place)
    return FoldedText("".join(letters), places)


def _fold_character(character: str) -> str:
    if " " <= character <= "~" or character == "\n":
        return character
    if character in "\r\u2028\u2029\x0b\x0c":
        return "\n"
    if character.isspace() or character in "\u3164\uffa0\u115f\u1160":
        return _BLANK
    if unicodedata.category(character) in {"Cf", "Mn"} and unicodedata.combining(character) == 0:
        return ""  # no width: joiners, marks of direction, variation selectors, tags
    if character in "\u2010\u2011\u2012\u2212":
        return "-"
    return unicodedata.normalize("NFKC", character)


_RECENT: Final = 8
"""Texts kept with what was found in them: one turn asks several times about the same message."""


class Source(Enum):
    """Where a text comes from: what is masked by mistake cannot be had again, so not everywhere is guessed alike."""

    TYPED = "typed"
    """A person's words: a sentence may give a password away that is an ordinary word."""
    ANSWER = "answer"
    """An assistant's words, which speak of passwords and programs more often than they tell one."""
    DOCUMENT = "document"
    """What was written elsewhere: published formats, checksums, and values that stand beside their own name."""


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets; ``kinds`` names what was taken out, in order, each once ("API key", "password").

    ``secrets`` is what was taken out, for masking what repeats it.
    """

    text: str
    kinds: tuple[str, ...] = ()
    secrets: tuple[str, ...] = field(default=(), repr=False)


@lru_cache(maxsize=_RECENT)
def redact(text: str, source: Source = Source.TYPED, *, known: tuple[str, ...] = ()) -> Redacted:
    """Return ``text`` with every secret replaced by ``[redacted: kind]``; redacting twice changes nothing more.

    ``known`` are secrets that were told before: they go wherever they stand.
    """
    plain = fold_spelling(text)
    found = {
        *find_shaped_secrets(plain.text, guessing=source is not Source.DOCUMENT),
        *find_told_secrets(plain.text, guessing=source is Source.TYPED),
        *find_configured_secrets(plain.text, guessing=source is Source.TYPED),
        *find_seed_phrases(plain.text, guessing=source is Source.TYPED),
        *_find_known(plain.text, known),
    }
    if not found:
        return Redacted(text)
    findings = [Finding(*plain.span(one.start, one.end), one.kind) for one in found]
    pieces: list[str] = []
    kinds: dict[str, None] = {}
    secrets: dict[str, None] = {}
    end = 0
    for finding in _join_overlapping(sorted(findings, key=lambda f: (f.start, -f.end))):
        pieces += (text[end : finding.start], f"{MASK}{finding.kind}]")
        kinds[finding.kind] = None
        secrets[text[finding.start : finding.end]] = None
        end = finding.end
    return Redacted("".join((*pieces, text[end:])), tuple(kinds), tuple(secrets))


def is_redacted(text: str) -> bool:
    """Return whether something was taken out of ``text``."""
    return MASK in text


def remove_masks(text: str) -> str:
    """Return ``text`` without what stands in the place of secrets."""
    return _MASKED.sub(" ", text)


def _find_known(text: str, known: tuple[str, ...]) -> Iterator[Finding]:
    for secret in known:
        for match in re.finditer(rf"(?<![^\W_]){re.escape(fold_spelling(secret).text)}(?![^\W_])", text):
            yield Finding(*match.span(), "secret")


def _join_overlapping(findings: list[Finding]) -> list[Finding]:
    """Join findings that overlap; the first names the kind."""
    apart: list[Finding] = []
    for finding in findings:
        if apart and finding.start < apart[-1].end:
            last = apart.pop()
            finding = Finding(last.start, max(last.end, finding.end), last.kind)  # noqa: PLW2901  the joined one
        apart.append(finding)
    return apart


_VALUE: Final = r"(?P<quote>[\"'])?(?P<value>(?(quote)[^\"'\n]{1,100}|[^\s\"'<>;|,]{1,100}+))(?(quote)(?P=quote))"
_WORD: Final = r"pass(?:w(?:or)?d|phrase|wort)?|pw|pwd|psk"
_ATTRIBUTES: Final = r"\s[^<>\n]{0,80}?"
_ARGUMENTS: Final = r"(?: [^\s|;]{1,80}+){0,10}? "
_OPTIONS: Final = (
    (r"mysql\w{0,10}|mariadb[\w-]{0,10}|7za?|rar|unrar|sshpass", "-p"),
    (r"sshpass|(?:docker|podman|oc|az|helm registry|nerdctl|buildah) login|rdesktop|mongo\w{0,9}", r"-p[ =]"),
    (r"unzip|zip|zipcloak|mosquitto_[ps]ub", "-P ?"),
    (r"redis-(?:cli|benchmark)", "-a "),
    (r"ldap(?:search|add|modify|delete|passwd|whoami)", "-w ?"),
    (r"keytool|jarsigner", "-(?:store|key|new|dest(?:store|key)|src(?:store|key))pass "),
    (r"openssl", "-pass(?:in|out)? pass:"),
    (r"htpasswd", r"-[a-zA-Z]{0,6}b[a-zA-Z]{0,6} \S{1,60} \S{1,60} "),
    (r"xfreerdp\d?|wlfreerdp", "/p:"),
)
_PLACES: Final = tuple(
    compile_at_use(pattern)
    for pattern in (
        # a name that ends in a word for a password and is more than it: "requirepass x", "SMTP_PASS=x"
        (
            rf"(?im)^[ \t]{{0,20}}(?:export |set |env )?(?:[\w.-]{{1,40}}[_.-](?:{_WORD})|(?:require|root|bind|auth|"
            rf"user|db|smtp|mail|admin|become|store)(?:{_WORD})|masterauth|(?:wpa[_-]?)?psk|(?:pre-?)?shared[_-]?key)"
            rf"(?:[ \t]{{0,4}}[:=][ \t]{{0,4}}|[ \t]{{1,8}}){_VALUE}(?=[ \t,;]{{0,4}}(?:$|#|//))"
        ),
        rf"(?i)(?<![a-z0-9])psk ?[:=] ?{_VALUE}(?![<(])",
        rf"(?im)^[ \t]{{0,20}}enable (?:secret|password) (?:[0-9] )?{_VALUE}[ \t]{{0,4}}$",
        rf"(?i)<[\w:.-]{{0,40}}(?:{_WORD})(?:\s[^<>\n]{{0,80}})?>(?P<value>[^<>\s]{{1,100}})</",
        (
            rf"(?i)<[\w:.-]{{1,40}}{_ATTRIBUTES}(?:name|key|property|id)=[\"'][\w:. -]{{0,60}}(?:{_WORD})[\"']"
            rf"(?:\s[^<>\n]{{0,80}}?)?(?:\svalue={_VALUE}|>(?P<text>[^<>\s]{{1,100}})</)"
        ),
        *(
            rf"(?<![\w.-])(?:{program})(?:\.exe)?(?![\w.-]){_ARGUMENTS}{option}(?!-){_VALUE}(?=[\s\"';|)]|$)"
            for program, option in _OPTIONS
        ),
        rf"(?i)(?<!\w)(?:echo|printf) (?:-\w{{1,3}} )?{_VALUE} ?\| ?(?:[\w/]{{0,20}} )?sudo -\w{{0,5}}S",
        (
            r"(?<!\w)(?:echo|printf) (?:-\w{1,3} )?[\"']?[\w.-]{1,40}:"
            r"(?P<value>[^\s\"'|]{1,100}+)[\"']? ?\| ?(?:sudo )?chpasswd"
        ),
        rf"(?i)(?<!\w)net use \S{{1,80}}(?: \\\\\S{{1,80}})? (?![/\\]){_VALUE}(?= /user)",
        rf"(?i)(?<!\w)identified (?:with [\w\"']{{1,40}} )?by (?=[\"']){_VALUE}",
        rf"(?i)ConvertTo-SecureString (?:-String )?{_VALUE}",
        (
            r"(?i)(?:secret|secret[_.-]?key|api[_.-]?key|private[_.-]?key|signing[_.-]?key|encryption[_.-]?key)[\"']?\]?"
            r" ?(?:[:=]|=>) ?[\"'](?P<key>[^\"'\s]{8,100})[\"']"
        ),
    )
)
_HINT: Final = compile_at_use(
    r"(?i)pass|p[sw]d|pw\b|psk|secret|[\w-] -[paw]|sudo|securestring|net use|identified|[_ .-]key|apikey|masterauth|rdp"
)
_SWITCH: Final = compile_at_use(r"(?i)|true|false|yes|no|on|off|null|none|nil|[0-9]{1,3}|password|passwd|pass|string")


def find_configured_secrets(text: str, *, guessing: bool = True) -> Iterator[Finding]:
    """Yield passwords in configuration and commands, possibly overlapping.

    Without ``guessing`` an ordinary word is none: manuals show how an option is used.
    """
    if _HINT.search(text) is None:
        return
    for pattern in _PLACES:
        for match in pattern.finditer(text):
            name = next(name for name in ("value", "text", "key") if name in pattern.groupindex and match[name])
            least = Look.ODD if name == "key" and guessing else Look.WORD if guessing else Look.SURE
            if not _SWITCH.fullmatch(match[name].strip(".:?! ")) and is_secret(match[name], least):
                yield Finding(*match.span(name), "password" if name != "key" else "API key")
