"""Secrets in sentences, drawn from a seed: keys, cards, accounts, seed phrases, and passwords that people tell.

``secret_corpus.json`` holds the formats that issuers of keys publish, the last ones of what has no mark at all, and
what people write around a secret; ``otherwise`` was written after the rules for passwords.  In a format ``{a8}`` is
eight characters of the alphabet ``a``; no key opens anything.
"""

from __future__ import annotations

import json
import random
import re
import string
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from bot.memory.secrets.redaction import redact
from bot.memory.secrets.shapes import is_luhn

Said = tuple[str, str]
"""A text and the secret in it, as it is written there."""
_WRITTEN: Final[dict[str, Any]] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
_FIELD: Final = re.compile(r"\{([a-z])([0-9]{1,3})\}")
_COUNTRIES: Final = (("DE", 22), ("FR", 27), ("ES", 24), ("NL", 18), ("PL", 28), ("AT", 20), ("PT", 25))
_IN_ADDRESS: Final = re.compile("://[a-z]+:([^@]+)@")
_ALPHABETS: Final = {
    "a": string.ascii_letters + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "u": string.ascii_uppercase + string.digits,
    "s": string.ascii_letters + string.digits + "-_",
    "b": string.ascii_letters + string.digits + "+/",
    "h": string.digits + "abcdef",
    "d": string.digits,
    "w": string.ascii_letters,
    "n": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "q": "023456789acdefghjklmnpqrstuvwxyz",
}


def keys(seed: int, count: int, *, labelled: bool) -> Iterator[Said]:
    """Yield keys in sentences with, or without, a word that says what they are."""
    chance = random.Random(seed)
    for n in range(count):
        form = _WRITTEN["formats"][n % len(_WRITTEN["formats"])]
        key = _FIELD.sub(lambda field: "".join(chance.choices(_ALPHABETS[field[1]], k=int(field[2]))), form)
        inside = _IN_ADDRESS.search(key)
        secret = inside[1] if inside else key
        yield chance.choice(_WRITTEN["labels" if labelled else "bare"]).format(key), secret


def cards(seed: int, count: int) -> Iterator[Said]:
    """Yield card numbers as they are pasted: grouped by any blank, in wide figures, after other numbers."""
    chance = random.Random(seed)
    for n in range(count):
        body = chance.choice(("4", "51", "53", "2221", "2202", "37", "6011"))
        body += "".join(chance.choices(string.digits, k=(14 if body == "37" else 15) - len(body)))
        number = next(body + last for last in string.digits if is_luhn(body + last))
        sizes = (4, 6, 5) if body.startswith("37") else (4, 4, 4, 4)
        parts = [number[sum(sizes[:i]) : sum(sizes[: i + 1])] for i in range(len(sizes))]
        written = _WRITTEN["groupings"][n % len(_WRITTEN["groupings"])].join(parts)
        if n % 5 == 0:
            written = written.translate({ord(d): ord("０") + int(d) for d in string.digits})
        if n % 3 == 0:
            before = " ".join(str(chance.randrange(10, 9999)) for _ in range(10))
            yield f"{before}, {written}", written
        else:
            yield chance.choice(_WRITTEN["numbers"]).format(written), written


def accounts(seed: int, count: int) -> Iterator[Said]:
    """Yield account numbers (IBAN) of several countries, in one piece or in fours, in capitals or not."""
    chance = random.Random(seed)
    for n in range(count):
        country, length = _COUNTRIES[n % len(_COUNTRIES)]
        bank = "ABNA" if country == "NL" else ""
        body = bank + "".join(chance.choices(string.digits, k=length - 4 - len(bank)))
        check = 98 - int("".join(str(int(sign, 36)) for sign in f"{body}{country}00")) % 97
        number = f"{country}{check:02d}{body}"
        fours = " ".join(number[start : start + 4] for start in range(0, length, 4))
        written = chance.choice((number, fours, fours.lower()))
        yield chance.choice(_WRITTEN["numbers"]).format(written), written


def seeds(seed: int, count: int, known: tuple[str, ...]) -> Iterator[Said]:
    """Yield phrases of 12 or 24 words of the list ``known``, most without a word beside them."""
    chance = random.Random(seed)
    for n in range(count):
        words = chance.choices(known, k=(12, 24)[n % 2])
        phrase = (
            " ".join(words),
            ", ".join(words),
            "\n".join(words),
            "\n".join(f"{place}. {word}" for place, word in enumerate(words, 1)),
        )[n // 2 % 4]
        yield chance.choice(("{}", "keep this: {}", "вот: {}", "write it down\n{}")).format(phrase), phrase


def told(seed: int, count: int, *, phrases: bool = False) -> Iterator[Said]:
    """Yield PINs and passwords in sentences of three languages, in equal parts; with ``phrases`` of several words."""
    chance = random.Random(seed)
    for n in range(count):
        if n % 7 == 0:
            pin = str(chance.randrange(1000, 10**6))
            yield chance.choice(_WRITTEN["pins"]).format(pin), pin
            continue
        language = ("en", "ru", "de")[n % 3]
        words = _WRITTEN["words"][language]
        password = chance.choice(_phrases(chance, words) if phrases else _passwords(chance, words))
        yield chance.choice(_WRITTEN["passwords"][language]).format(password), password


def told_otherwise(seed: int, count: int) -> Iterator[Said]:
    """Yield passwords in sentences that the rules were not made from."""
    chance = random.Random(seed)
    sayings, words = _WRITTEN["otherwise"], [word for own in _WRITTEN["words"].values() for word in own]
    for n in range(count):
        password = chance.choice(_passwords(chance, words))
        yield sayings[n % len(sayings)].format(password), password


def _passwords(chance: random.Random, words: list[str]) -> tuple[str, ...]:
    word = chance.choice(words)
    return (
        word + str(chance.randrange(10, 9999)),
        word.capitalize() + chance.choice("!?#$%&*") + str(chance.randrange(99)),
        "".join(chance.choices(string.ascii_letters + string.digits + "!@#$%^&*", k=chance.randrange(8, 17))),
        word,
        word.replace("o", "0").replace("e", "3").replace("а", "@") + f"_{chance.randrange(100)}",
    )


def _phrases(chance: random.Random, words: list[str]) -> tuple[str, ...]:
    return (
        "-".join(chance.choices(words, k=3)),
        " ".join(chance.sample(words, k=chance.randrange(3, 6))),
        " ".join([*chance.sample(words, k=2), str(chance.randrange(100))]),
    )


def corpus(seed: int, count: int) -> dict[str, list[Said]]:
    """Return texts with secrets, by their sort."""
    words = tuple(files("mnemonic").joinpath("wordlist", "english.txt").read_text(encoding="utf-8").split())
    return {
        "keys with a key word": list(keys(seed, count, labelled=True)),
        "keys alone": list(keys(seed + 1, count, labelled=False)),
        "cards": list(cards(seed + 2, count)),
        "accounts": list(accounts(seed + 5, count)),
        "seed phrases": list(seeds(seed + 3, count // 4, words)),
        "told passwords": list(told(seed + 4, count)),
        "told phrases": list(told(seed + 7, count, phrases=True)),
        "passwords told in other words": list(told_otherwise(seed + 6, count)),
    }


def masks(text: str, secret: str) -> bool:
    """Return whether nothing of a secret is left in a text: not it, nor a half of it."""
    left = redact(text).text
    half = max(4, len(secret) // 2)
    return secret[:half] not in left and secret[-half:] not in left
