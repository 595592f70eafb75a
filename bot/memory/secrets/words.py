"""Passwords that somebody tells in a sentence, in English, Russian and German.

A password has no shape, so the sentence around it must give it away: "my password is …", "пароль от почты: …",
"das Kennwort lautet …".  What follows is then taken for the password unless it is one of the words with which people
talk *about* passwords ("is wrong", "не подходит", "vergessen").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bot.memory.patterns import compiled
from bot.memory.secrets.folding import Finding
from bot.memory.secrets.talk import ABOUT_PASSWORDS

_KEY: Final = (
    r"(?:pass(?:words?|codes?|phrase|wd)|pwd)(?:['’]s)?(?![^\W_-])"
    r"|(?<![^\W_])(?:pass|passw|pw|psw|pswd|creds?|credentials)(?![^\W_-])"
    r"|(?:passwort|passwörter|kennwort|zugangscode|losungswort|codewort|geheimwort|netzwerkschlüssel)(?![^\W_-])"
    r"|(?<![^\W_])(?:wlan|wi-?fi|wpa[23]?|wep|router|netzwerk)[- ]?(?:schlüssel|key|ключ|code)(?![^\W_-])"
    r"|(?<![^\W_])ключ (?:от |для |к )?(?:wi-?fi|wlan|вай-?фая?|вайфаю|сети|роутера)(?![^\W_-])"
    r"|(?<![^\W_])(?:парол(?:ь|я|ем|и)?|пассворд|пасс(?=\s*[:=])|кодов(?:ое|ым) слово|кодовая фраза)(?![^\W_-])"
)
_PIN_KEY: Final = (
    r"(?<![^\W_])(?:pin(?:[- ]?(?:code|number|nummer|kode))?|пин(?:[- ]?код\w{0,2})?|cvv2?|cvc2?|puk|пук)(?![^\W_])"
)
_WHOSE: Final = (
    r"(?:\s+(?:моей|моего|твоей|нашей|своей|meiner|meines|unserer|unseres|my|our|the|der|des|visa|mastercard|мир|bank|"
    r"credit|debit|ec|giro|sim|сим|кредитной|дебетовой|банковской|phone|card|карты|карточки|картой|симки|сим-карты|"
    r"телефона|айфона|смартфона|сейфа|karte|handys|telefons|bankkarte|kreditkarte|ec-karte|girokarte|sim-karte)){0,4}"
)
_FOR: Final = r"for|to|of|on|from|at|in|от|к|на|для|в|из|у|für|fürs|fuer|zum|zur|vom|von|beim|im|am|der|des"
_OF: Final = rf"(?:\s*\([^()\n]{{1,40}}\)(?=\s*[:=—–-]|\s+\w))?(?:\s+(?:{_FOR})\s+\S[^\n:=.!?]{{0,50}}?)?"
_SIGN: Final = r"\s*(?:\)\s*)?(?:(?<=\s)\(|[:=]>?|->|→|:=|\s[-–—]\s)\s*(?:(?:is|ist|это|такой|такая)\s+)?"
_VERB: Final = (
    r"is|was|are|will be|should be|became|has been (?:changed|set) to|(?:was |is )?(?:re)?set to|(?:was |"
    r"is )?changed to"
    r"|(?:был |была )?(?:измен[её]н|смен[её]н|поменян)а? на|wurde auf"
    r"|это|такой|такая|был|будет|стал|теперь|ist|war|lautet|lautete|wird|heißt|heisst|wäre"
)
_ADVERB: Final = (
    r"now|still|simply|just|always|also|currently|actually|this|the following|теперь|сейчас|просто|такой|"
    r"вот такой|вот"
    r"|jetzt|nun|einfach|folgendes|immer noch|noch"
)
_IS: Final = rf"{_SIGN}|(?<=['’]s)\s+|\s+(?:{_VERB})(?:\s*:\s*|\s+[–—-]\s+|\s+)(?:(?:{_ADVERB})\s*:?\s+){{0,2}}"
_TOLD: Final = compiled(rf"(?i)(?:{_KEY})[\"'`*]{{0,2}}{_OF}(?:{_IS})(?=(?P<value>\S))")
_BESIDE: Final = compiled(rf"(?i)(?:{_KEY}){_OF}[\s/]+(?=(?P<value>\S))")
_PHRASE: Final = compiled(
    rf"(?i)(?<![^\W_])(?:passphrase|кодовая фраза){_OF}(?:{_IS})[\"'«„]?"
    r"(?P<value>[^\W\d_]+(?:[ -][^\W\d_]+){2,11})(?=[\"'»“.!]?\s*(?:$|\n))"
)
_USED: Final = compiled(
    rf"(?i)\b(?:use|try|enter|type|with|user(?:name)?|login|log in|ssh|benutzer(?:name)?|nimm|используй(?:те)?|"
    rf"введи(?:те)?|"
    rf"логин\w*|юзер|пользователь)\b[^\n.!?]{{0,40}}?(?:{_KEY})[\s/:]+(?=(?P<value>\S))"
)
_CHANGED: Final = compiled(
    rf"(?i)\b(?:changed?|changing|set|reset|updated?|смени\w*|поменя\w*|измени\w*|замени\w*|обнови\w*|habe|wurde|"
    rf"ändere)\b"
    rf"[^\n.!?]{{0,40}}?(?:{_KEY})(?:\s+\S{{1,30}}){{0,5}}?\s+(?:to|as|auf|als|на)\s+(?=(?P<value>\S))"
)
_BACKWARDS: Final = compiled(
    r"(?i)(?:^|(?<=\s))(?P<value>\S{4,64}|\"[^\"\n]{4,80}\"|«[^»\n]{4,80}»|“[^”\n]{4,80}”|„[^“”\n]{4,80}[“”])\s+(?:is|ist|lautet|[-–—]?\s?это|[-–—])\s+"
    r"(?:(?:my|our|the|his|her|mein|unser|das|dein|мой|наш|его|её|ее)\s+)?(?:\S{1,20}\s+){0,2}?"
    rf"(?:{_KEY})(?=\s*(?:[.,;!\n]|$|(?:for|and|on|от|для|на|für|и)\b))"
)
_PIN: Final = compiled(
    rf"(?i)(?:{_PIN_KEY}){_WHOSE}{_OF}(?:{_IS}|\s+)[\"'«]?(?P<value>[0-9]{{3,8}})(?![0-9A-Za-z.,:/-]*[0-9])"
)
_SEED: Final = compiled(
    r"(?i)(?:seed|recovery|mnemonic|wallet|сид|мнемо\w*)[- ](?:phrase|words|фраз\w+)\s*(?:is|are|:|[-–—]|"
    r"это)?\s*:?\s*"
    r"[\"'«]?(?P<value>[a-zа-яё]+(?:[ ,]+[a-zа-яё]+){11,23})"
)
_AS: Final = compiled(
    rf"(?i)(?<![^\W_])(?:use|using|used|set|take|choose|chose|pick|enter|nimm|nehmen|nehme|verwende\w{{0,2}}|benutze\w{{0,2}}|"
    rf"setze|используй\w{{0,2}}|использую|возьми|поставь|поставил\w?|введи|задай|напиши)\s+(?:bitte\s+)?"
    rf"(?P<value>[\"“„«'`][^\"”“»'`\n]{{3,80}}[\"”“»'`]|\S{{1,64}}(?: \S{{1,30}}){{0,7}}?)\s+"
    rf"(?:as|for|als|für|как|в качестве|для)\s+(?:[^\W\d_]{{1,15}}\s+){{0,3}}?(?:{_KEY})"
    r"(?=\s*(?:[.,;:!?)\n]|$|(?:for|and|on|of|to|at|in|от|для|на|в|и|für|und|im|am)\b))"
)
_NEXT_CLAUSE: Final = compiled(
    r"(?:and|but|so|for|on|if|in case|now|today|yesterday|btw|please|i think|i guess|lol|thanks|to (?:log|enter|get)|"
    r"и|а|но|если|вчера|сегодня|теперь|кстати|пожалуйста|спасибо|für|und|aber|bitte|geändert|gesetzt|übrigens)\b",
    re.IGNORECASE,
)
_ASCII_HINTS: Final[tuple[str, ...]] = (
    "pass",
    "pw",
    "psw",
    "cred",
    "kennwort",
    "zugangscode",
    "losungswort",
    "codewort",
    "geheimwort",
    "wifi",
    "wi-fi",
    "wlan",
    "wpa",
    "wep",
    "router",
    "netzwerk",
    "puk",
    "pin",
    "cvv",
    "cvc",
    "seed",
    "recovery",
    "mnemonic",
    "wallet",
)
_HINTS: Final[tuple[str, ...]] = (
    *_ASCII_HINTS,
    "парол",
    "пасс",
    "кодов",
    "schlüssel",
    "ключ",
    "пук",
    "пин",
    "сид",
    "мнемо",
)
"""One of these, in small letters, stands in every text that any pattern here matches."""
_CYRILLIC: Final = compiled("[а-яё]", re.IGNORECASE)
_PASS_ALONE: Final = compiled(r"\bpass[\s/:]+$", re.IGNORECASE)
_SHORTEST: Final = 4
_LONGEST: Final = 200
_TOKEN: Final = re.compile(r"\S{1,400}")
_FOLLOWING: Final = re.compile(r"(?: [^\W_][\w'’-]{0,30}){1,9}+(?=\s*(?:[.!?;,\")»”]|\n|$))")
_QUOTED: Final = re.compile(
    r"[\"“„«‘'`]{1,3}(?P<inner>[^\"“”„«»’'`\n]{1,100})[\"”“»’'`]"
    r"|\"(?P<within>[^\"\n]{1,100})\"|“(?P<curved>[^”\n]{1,100})”|«(?P<angled>[^»\n]{1,100})»|„(?P<low>[^“”\n]{1,100})[“”]"
)
_PLACEHOLDER: Final = compiled(
    r"[*•xX.…_#-]+|[<\[{(].*|\$(?:\{.*|[A-Z_]+)|%(?:[A-Z_]+%|[sdr])|.*\[redacted.*|(?:your|my|example|"
    r"change)[-_ ]?\w*"
    r"|[a-z_]*(?:pass(?:word|phrase|code)?|pwd|pw|passwd|пароль|passwort|kennwort)(?:_[a-z_]+)?"
    r"|@?[a-z_][\w.]*[(\[].*|@[a-z_]\w*(?:\.\w+)+|[a-z_]+=[a-z]+"  # an expression, a decorator, a named argument
    r"|e\.g\.?|i\.e\.?|z\.b\.?"
    r"|(?:os|env|self|settings|config|process|request|req|args|data|getpass)\..*|https?://.*|[-–—:=]+",
    re.IGNORECASE,
)


def told_secrets(text: str) -> Iterator[Finding]:
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
    word_is_enough = word_is_enough or (value.isascii() and _CYRILLIC.match(match[0]) is not None)
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
    said = following[0].casefold().replace("ё", "е").split()
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
    folded = value.casefold().replace("ё", "е").strip("!,.;:")
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
