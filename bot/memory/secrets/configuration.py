"""Finds passwords in what programs read: configuration files, command lines, SQL.

There a password stands behind a directive, in an attribute beside the one that names it, or behind an option whose
meaning only its program knows.  What refers to a password that is kept elsewhere (a variable, a path) is none.
Programs and options are those that their manuals warn about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bot.memory.secrets.financial import Finding
from bot.memory.secrets.words import Look, is_secret

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
    re.compile(pattern)
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
_HINT: Final = re.compile(
    r"(?i)pass|p[sw]d|pw\b|psk|secret|[\w-] -[paw]|sudo|securestring|net use|identified|[_ .-]key|apikey|masterauth|rdp"
)
_SWITCH: Final = re.compile(r"(?i)|true|false|yes|no|on|off|null|none|nil|[0-9]{1,3}|password|passwd|pass|string")


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
