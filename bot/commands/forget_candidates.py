"""What /forget asks for and what it says afterwards.

A receipt never repeats what was forgotten: the words would live on in the chat and in our own log of replies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from unicodedata import normalize

from bot.commands.item_numbers import number_of
from bot.memory.items import Recalled
from bot.memory.synonyms import STOP_WORDS
from bot.ports.memory import Found, Named, Receipt
from bot.texts.texts import ForgetTexts

SHOWN: Final = 6
"""Candidates that are listed at once."""
_WORD: Final = re.compile(r"[^\W_]+", re.UNICODE)
_PREFIX: Final = re.compile(r"\b(?!i)([^\W\d_])['\u2019](?=[^\W\d_]{3})", re.IGNORECASE)
_POSSESSIVE: Final = re.compile(r"['\u2019]s\b")
_SWEEPING: Final = frozenset(
    ["all", "everything", "forget", "delete", "remove", "erase", "все", "всё", "забудь", "забыть", "удали", "alles"]
)
_COPIES: Final = ("summary", "entry", "trace", "reply", "document", "proposal", "typed")
_REF: Final = re.compile(
    r"(?:#|item:)?(?P<item>\d{1,18})|turn:(?P<turn>[a-z0-9]+)(?::\w+)?"
    rf"|(?P<copy>(?:{'|'.join(_COPIES)}):[\w.-]{{1,200}})",
    re.IGNORECASE,
)


def topic(words: str) -> tuple[str, ...]:
    """Return the words of a search that say what it is about: "everything about my sister" is about a sister."""
    said = _WORD.findall(_POSSESSIVE.sub("", normalize("NFKC", words)))
    names = set(_PREFIX.findall(words))  # the D of D'Angelo is no stop word
    told = [word for word in said if word in names or word.casefold().replace("ё", "е") not in STOP_WORDS | _SWEEPING]
    return tuple(told or said)


def named(words: Iterable[str]) -> Named | None:
    """Return what references name, items by the numbers that people see; ``None`` if a word is no reference."""
    items, exchanges, copies = [], [], []
    for word in words:
        match = _REF.fullmatch(word)
        if match is None:
            return None
        if match["item"]:
            items.append(int(match["item"]))
        elif match["turn"]:
            exchanges.append(match["turn"].lower())
        else:
            copies.append(match["copy"])
    return Named(tuple(items), tuple(exchanges), tuple(copies))


def reference(found: Found) -> str:
    """Return what /forget takes for a result: an item goes by the number that people see."""
    kind, _, key = found.ref.partition(":")
    return str(number_of(int(key))) if kind == "item" else found.ref


def worth_showing(found: tuple[Found, ...]) -> tuple[Found, ...]:
    """Return what can be meant: all that hold every word, or, if nothing does, what holds half of them."""
    least = 1.0 if any(one.share == 1 for one in found) else 0.5
    return tuple(one for one in found if one.share >= least)


def akin(recalled: Iterable[Recalled]) -> tuple[Found, ...]:
    """Return what only means something similar, as results that hold none of the words."""
    found: dict[str, Found] = {}
    for turn in recalled:
        if turn.exchange:
            one = Found(
                f"turn:{turn.exchange}",
                turn.text,
                0.0,
                certain=False,
                author_id=turn.author_id,
                author=turn.author,
                role=turn.role,
                said_at=turn.said_at,
            )
            found.setdefault(turn.exchange, one)
    return tuple(found.values())


def receipt(done: Receipt, ref: str, texts: ForgetTexts, *, everything: bool = False) -> str:
    """Return the receipt in words; ``ref`` names what was asked for, in case there was nothing of the kind."""
    removed = (
        (texts.exchanges, done.exchanges),
        (texts.items, done.items),
        (texts.answers, done.answers),
        (texts.documents, done.documents),
    )
    lines = [sentence.format(count=count) for sentence, count in removed if count]
    if not lines and not done.pending and not done.residue and not everything:
        return texts.missing.format(ref=ref)
    if done.undo and done.pending:
        lines.append(texts.withheld)
    elif done.pending:
        lines.append(texts.pending)
    elif done.documents:
        lines.append(texts.confirmed)
    lines.append(texts.residue.format(count=len(done.residue)) if done.residue else texts.verified)
    head = texts.done_everything if everything else texts.done
    undo = texts.undoable.format(seconds=f"{done.undo_s:g}") if done.undo else ""
    return "\n\n".join(part for part in (head, "\n".join(f"- {line}" for line in lines), undo) if part)
