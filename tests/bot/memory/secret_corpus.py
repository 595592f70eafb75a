"""Made-up secrets in made-up sentences: a seed gives the same ones again; none has ever opened anything."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Iterator

ALNUM = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + string.digits
URLSAFE = ALNUM + "-_"
HEX = "0123456789abcdef"

AROUND_KEYS = (
    "{}",
    "here is my key: {}",
    "the token is {} please don't share",
    "export TOKEN={}",
    "token = '{}'",
    '{{"token": "{}"}}',
    "I pasted {} into the config by mistake",
    "curl -H 'X-Key: {}' https://api.example.com",
    "вот токен {} от бота",
    "ключ: {}",
    "Mein Schlüssel: {}.",
    "({})",
    "`{}`",
    "first line\n{}\nlast line",
)
AROUND_NUMBERS = (
    "{}",
    "my card number is {}",
    "please pay to {} by Friday",
    "card: {}, exp 12/27",
    "карта {}",
    "переведи на {} пожалуйста",
    "Bitte auf {} überweisen",
    "({})",
    "{} 09/28 123",
    "Visa {}.",
)
TOLD = (
    # English
    "My password is {}",
    "my password is {}.",
    "password: {}",
    "Password = {}",
    "pwd={}",
    "the wifi password is {}",
    "The wifi password at home is {}, tell the guests",
    "My Netflix password is {}",
    "my gmail password: {}",
    "I changed my password to {}",
    "we set the root password to {} yesterday",
    "login: anna, password: {}",
    "user anna / pass {}",
    "username anna password {}",
    'the password is "{}"',
    "Use the password {} to log in",
    "remember that my laptop password is {}",
    "my new password will be {}",
    "the passcode is {}",
    "Password for the router: {}",
    "passwd: {}",
    "DB_PASSWORD={}",
    "admin password -> {}",
    "pw: {}",
    "password for my bank is {} and do not tell anyone",
    "My password's {}",
    "the password of the server is still {}",
    "{} is my password",
    "my password used to be weak, now the password is {}",
    "ssh anna@host, password {}",
    # Russian
    "мой пароль {}",
    "Мой пароль: {}",
    "пароль: {}",
    "пароль - {}",
    "пароль — {}",
    "пароль от вайфая {}",
    "пароль от почты: {}",
    "Пароль от госуслуг такой: {}",
    "логин anna пароль {}",
    "сменил пароль на {}",
    "поставила пароль {}",
    "новый пароль {}",
    "пароль будет {}",
    "запомни пароль от ноутбука: {}",
    "пароль это {}",
    "пасс: {}",
    "мой пароль от стима теперь {}",
    "пароль={}",
    "пароль для гостей {}",
    "используй пароль {}",
    # German
    "Mein Passwort ist {}",
    "mein Passwort: {}",
    "Das Passwort lautet {}",
    "Das WLAN-Passwort ist {}",
    "Passwort für das WLAN: {}",
    "Kennwort: {}",
    "Das Kennwort für den Router ist {}",
    "Ich habe mein Passwort auf {} geändert",
    "Benutzer anna, Passwort {}",
    "Neues Passwort: {}",
    "Merk dir mein Passwort {}",
    "Passwort={}",
)
TOLD_OTHERWISE = (
    # written after the rules were, and not looked at while they were changed but once
    "hey so the pass for my laptop is {} btw",
    "{} - пароль от ноута",
    "пароль у меня такой: {}",
    "Login: anna Passwort: {}",
    "my mom's facebook password is {} I think",
    "The code to unlock my phone: password {}",
    "Email password ({})",
    "Please store this: github password = {}",
    "my password (the new one) is {}",
    "My passwords are {} and another one",
    "password for work laptop = {}",
    "wifi: HomeNet / password: {}",
    "WiFi password -> {}",
    "the pass is {}",
    "пароль от рабочей почты теперь {}",
    "у меня пароль {}",
    "мой новый пароль: {}",
    "Пароль к архиву: {}",
    "пароль на телефон {}",
    "Кодовое слово: {}",
    "вайфай Home, пароль {}",
    "Пароль такой - {}",
    "пароль изменён на {}",
    "Passwort vom Router: {}",
    "Mein neues Passwort heißt {}",
    "Mein Passwort war {}",
    'Passwort: "{}"',
    "Das Passwort für mein Handy ist jetzt {}",
    "Zugangscode: {}",
    "You can log in with anna@example.com and password {}",
    "so I set my password as {}",
    "Password is: {}",
    "the admin password: `{}`",
    "my vpn passphrase is {}",
    "passcode = {}",
    "Netflix pw {}",
    "pass={}",
    "psw: {}",
    "Пароль от Wi-Fi дома — {}, гостям можно",
    "Парол: {}",
)
WORDS = (
    *("sunshine", "dragon", "monkey", "hunter", "letmein", "princess", "football", "shadow", "butterfly", "coffee"),
    *("солнышко", "котик", "весна", "рыбка", "сирень", "sommer", "katze", "blume", "schatz", "fussball"),
)


def structured_secrets(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """Yield pairs of a text and the secret in it: keys and tokens of many issuers, cards, accounts."""
    chance = random.Random(seed)
    for n in range(count):
        if n % 3 == 0:
            secret = _card(chance) if chance.random() < 0.5 else _iban(chance)
            yield chance.choice(AROUND_NUMBERS).format(secret), secret
            continue
        make, around = chance.choice(_KEYS)
        secret = make(chance)
        yield chance.choice(around).format(secret), secret


def told(seed: int, count: int, sayings: tuple[str, ...] = TOLD) -> Iterator[tuple[str, str]]:
    """Yield pairs of a sentence that tells a password and the password."""
    chance = random.Random(seed)
    for n in range(count):
        password = _password(chance)
        yield sayings[n % len(sayings)].format(password), password


def _password(chance: random.Random) -> str:
    word = chance.choice(WORDS)
    return chance.choice(
        (
            word + str(chance.randrange(1, 9999)),
            word.capitalize() + str(chance.randrange(10, 99)) + chance.choice("!?#$%&*"),
            "".join(chance.choices(ALNUM + "!@#$%^&*", k=chance.randrange(8, 17))),
            word,
            word.replace("o", "0").replace("e", "3").replace("а", "@") + "_" + str(chance.randrange(100)),
            f"{chance.choice(WORDS)}-{chance.choice(WORDS)}-{chance.randrange(10, 99)}",
        )
    )


def _pick(chance: random.Random, letters: str, length: int) -> str:
    return "".join(chance.choices(letters, k=length))


def _openai(chance: random.Random) -> str:
    return chance.choice(("sk-", "sk-proj-")) + _pick(chance, ALNUM, chance.choice((32, 48)))


def _anthropic(chance: random.Random) -> str:
    return "sk-ant-api03-" + _pick(chance, URLSAFE, 80) + "AA"


def _aws_id(chance: random.Random) -> str:
    return "AKIA" + _pick(chance, UPPER, 16)


def _aws_secret(chance: random.Random) -> str:
    return _pick(chance, ALNUM + "/+", 40)


def _github(chance: random.Random) -> str:
    return chance.choice(("ghp_", "gho_", "ghs_")) + _pick(chance, ALNUM, 36)


def _gitlab(chance: random.Random) -> str:
    return "glpat-" + _pick(chance, URLSAFE, 20)


def _slack(chance: random.Random) -> str:
    return f"xoxb-{chance.randrange(10**11, 10**12)}-{chance.randrange(10**12, 10**13)}-{_pick(chance, ALNUM, 24)}"


def _google(chance: random.Random) -> str:
    return "AIza" + _pick(chance, URLSAFE, 35)


def _telegram(chance: random.Random) -> str:
    return f"{chance.randrange(10**8, 10**10)}:AA{_pick(chance, URLSAFE, 33)}"


def _jwt(chance: random.Random) -> str:
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": str(chance.randrange(10**9)), "exp": chance.randrange(10**10)})
    head = ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts)
    return f"{head}.{_pick(chance, URLSAFE, 43)}"


def _pem(chance: random.Random) -> str:
    kind = chance.choice(("RSA ", "EC ", "OPENSSH ", ""))
    body = "\n".join(_pick(chance, ALNUM + "+/", 64) for _ in range(4))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"


def _stripe(chance: random.Random) -> str:
    return chance.choice(("sk_live_", "rk_test_", "sk_test_")) + _pick(chance, ALNUM, 24)


def _generic(chance: random.Random) -> str:
    return _pick(chance, chance.choice((HEX, ALNUM, URLSAFE)), chance.choice((24, 32, 40, 64)))


def _huggingface(chance: random.Random) -> str:
    return "hf_" + _pick(chance, string.ascii_letters, 34)


def _npm(chance: random.Random) -> str:
    return "npm_" + _pick(chance, ALNUM, 36)


def _sendgrid(chance: random.Random) -> str:
    return f"SG.{_pick(chance, URLSAFE, 22)}.{_pick(chance, URLSAFE, 43)}"


def _discord(chance: random.Random) -> str:
    return f"M{_pick(chance, ALNUM, 23)}.{_pick(chance, URLSAFE, 6)}.{_pick(chance, URLSAFE, 27)}"


def _bearer(chance: random.Random) -> str:
    return _pick(chance, URLSAFE, 40)


def _short(chance: random.Random) -> str:
    return _pick(chance, ALNUM, chance.randrange(6, 20))


def _luhn(body: str) -> str:
    total = 0
    for place, digit in enumerate(reversed(body)):
        value = int(digit) * (1 if place % 2 else 2)
        total += value - 9 if value > 9 else value
    return body + str(-total % 10)


def _card(chance: random.Random) -> str:
    prefix, length = chance.choice(
        (("4", 16), ("51", 16), ("2221", 16), ("34", 15), ("6011", 16), ("2202", 16), ("36", 14))
    )
    number = _luhn(prefix + _pick(chance, string.digits, length - 1 - len(prefix)))
    cut = (4, 10) if length in (14, 15) else (4, 8, 12)
    mark = chance.choice(("", " ", "-"))
    return mark.join(number[a:b] for a, b in zip((0, *cut), (*cut, length), strict=True))


def _iban(chance: random.Random) -> str:
    country, length = chance.choice(
        (("DE", 22), ("FR", 27), ("ES", 24), ("NL", 18), ("PL", 28), ("AT", 20), ("PT", 25))
    )
    body = _pick(chance, string.digits, length - 4)
    if country == "NL":
        body = "ABNA" + body[4:]
    check = 98 - int("".join(str(int(c, 36)) for c in body + country + "00")) % 97
    compact = f"{country}{check:02d}{body}"
    style = chance.randrange(3)
    if style == 0:
        return compact
    spaced = " ".join(compact[n : n + 4] for n in range(0, length, 4))
    return spaced if style == 1 else spaced.lower()


_IN_CONTEXT = ("api_key={}", "SECRET_KEY: {}", "my secret key is {}", "access token: {}", "API ключ {}")
_IN_URLS = tuple(
    "the database is at " + scheme + "://anna:{}@db.example.com:5432/app, ok"
    for scheme in ("postgres", "https", "redis", "mongodb+srv", "amqp")
)
_KEYS = (
    *(
        (make, AROUND_KEYS)
        for make in (_openai, _anthropic, _aws_id, _github, _gitlab, _slack, _google, _telegram, _jwt)
    ),
    *((make, AROUND_KEYS) for make in (_pem, _stripe, _huggingface, _npm, _sendgrid, _discord)),
    *((make, _IN_CONTEXT) for make in (_aws_secret, _generic)),
    (_bearer, ("Authorization: Bearer {}",)),
    (_short, _IN_URLS),
)
