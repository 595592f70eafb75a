"""Reads the arguments of a tool call, which a model wrote and anybody may have talked it into.

Nothing is converted: a number in a string is told to be wrong, and models repair that.

A model reads memories, quotes and tool results beside the user's message, and any of them may try to command it.  So a
change of memory needs a request in the user's own typed words, found here without asking the model.
"""

import re
from collections.abc import Mapping
from typing import Any

from bot.errors import CommandInvalid
from bot.memory.concepts import STOP_WORDS
from bot.memory.items import Origin
from bot.memory.learning.speech_acts import asks_to_keep as is_request_to_keep
from bot.memory.learning.speech_acts import strip_opening
from bot.memory.sanitise import clean, is_quoted, remove_hidden
from bot.turn import Turn
from language import alternatives, languages
from language.analyser import list_possessives
from language.patterns import compile_at_use
from language.sentences import split_sentences
from language.words import fold

Arguments = Mapping[str, Any]  # Any: JSON, checked below


def check_names(arguments: Arguments, *names: str) -> None:
    """Raise :class:`~bot.errors.CommandInvalid` if there are arguments of other names."""
    strange = sorted(set(arguments) - set(names))
    if strange:
        raise CommandInvalid(f"the arguments are {', '.join(names) or 'none'}; there is no {clean(strange[0])[:60]!r}")


def read_text(arguments: Arguments, name: str, *, most: int, required: bool = True) -> str:
    """Return a text of at most ``most`` characters, cleaned and stripped; "" for a missing one that is not required."""
    value = arguments.get(name)
    if value is None and not required:
        return ""
    if not isinstance(value, str):
        raise CommandInvalid(f"{name} must be a text")
    text = clean(value).strip()
    if required and not text:
        raise CommandInvalid(f"{name} must not be empty")
    if len(text) > most:
        raise CommandInvalid(f"{name} is too long: {len(text)} characters, {most} at most")
    return text


def read_integer(arguments: Arguments, name: str, *, default: int, least: int, most: int) -> int:
    """Return a whole number between ``least`` and ``most``."""
    value = arguments.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise CommandInvalid(f"{name} must be a whole number")
    if not least <= value <= most:
        raise CommandInvalid(f"{name} must lie between {least} and {most}")
    return value


def read_texts(arguments: Arguments, name: str, *, most: int) -> tuple[str, ...]:
    """Return a list of one to ``most`` short texts without repetitions."""
    value = arguments.get(name)
    if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
        raise CommandInvalid(f"{name} must be a list of texts")
    if len(value) > most:
        raise CommandInvalid(f"{name} holds too much: {most} at most")
    return tuple(dict.fromkeys(value))


_TYPED_CHARS = 1000
"""Of one message; more is rarely typed."""
_SPEAKER = compile_at_use(r"\s*[^\s:][^\n:]{0,40}: ")
_FORGETTING = tuple(each.forgetting for each in languages())
_PLEASE = alternatives(each.please for each in _FORGETTING)
_REQUESTS = tuple(
    compile_at_use(f"(?i)(?:{_PLEASE}[,\\s]{{1,3}}){{0,3}}(?:{form})", re.DOTALL)
    for each in _FORGETTING
    for form in each.requests
)
"""The forms of a request; ``object`` is what it is about."""
_POLITE = compile_at_use(rf"(?i)\b{_PLEASE}\b|^{alternatives(each.polite_questions for each in _FORGETTING)}")
_FAVOUR = compile_at_use(rf"(?i){alternatives(each.favours for each in _FORGETTING)}\b")
_OURS = compile_at_use(
    rf"(?i)(?:\s{{0,3}}{alternatives(each.about for each in _FORGETTING)})?"
    rf"\s{{0,3}}{alternatives(each.ours for each in _FORGETTING)}\b"
)
"""The beginning of the object of a question that asks for the favour and not whether such a thing can be."""
_SUBORDINATE = compile_at_use(rf"(?i)[,\s]\s{{0,3}}{alternatives(each.clauses for each in _FORGETTING)}\b")
_DENIED = compile_at_use(f"(?i){alternatives(each.denials for each in _FORGETTING)}")
_COURTESY = compile_at_use(rf"(?i),?\s{{0,3}}\b{_PLEASE}\b,?")
_FROM_MEMORY = compile_at_use(rf"(?i)\s{alternatives(each.from_memory for each in _FORGETTING)}$")
_CLAUSE = compile_at_use(r"[,;:–—]")
_WORD = compile_at_use(r"[^\W_]+")
_POSSESSIVE = compile_at_use(rf"{alternatives(list_possessives())}\b")
_NAMES_NOTHING = STOP_WORDS.union(*(each.empty_words for each in _FORGETTING))
"""Words of a request that do not say what it is about."""


def says_verbatim(turn: Turn, text: str) -> bool:
    """Return whether the user typed these words, in this order; case, spaces and punctuation do not count."""
    return is_quoted(text, turn.typed)


def asks_to_keep(turn: Turn, text: str) -> bool:
    """Return whether the user typed a request to remember something, and these words in it or after it."""
    typed = split_sentences(remove_hidden(turn.analysed))
    begun = next((place for place, sentence in enumerate(typed) if is_request_to_keep(sentence)), None)
    return begun is not None and is_quoted(text, "\n".join(typed[begun:]))


def looks_pasted(turn: Turn) -> bool:
    """Return whether what was typed may still hold somebody else's words: a part of it was pasted, or it is long.

    A paste cannot be told from typing by a machine; what looks like one is asked about, and it costs a press of a
    button where it was not.
    """
    typed = remove_hidden(turn.typed).strip()
    lines = typed.split("\n")
    spoken = len(lines) > 1 and any(_SPEAKER.match(line) for line in lines)
    return spoken or len(typed) > _TYPED_CHARS or any(part.origin is Origin.PASTED for part in turn.parts)


def asks_to_forget(turn: Turn) -> bool:
    """Return whether the user typed a request to forget something: not that they forgot, nor a negated one."""
    return bool(list_forget_requests(turn))


def list_forget_requests(turn: Turn) -> tuple[tuple[str, ...], ...]:
    """Return what the user asks to forget, as the words that name it, once per request; () without one or in a paste.

    A request is a sentence that begins as one: an imperative, or a question for the favour.  "I forgot my umbrella",
    "my flight was deleted" and "don't forget to call" are none; neither is one with a negation or a further clause of
    its own ("forget Paris, let's go to Rome"): it may mean anything, and the user is better asked.
    """
    if looks_pasted(turn):
        return ()
    objects = (
        _read_object(strip_opening(sentence.strip())) for sentence in split_sentences(remove_hidden(turn.analysed))
    )
    named = (
        tuple(word for word in _WORD.findall(_POSSESSIVE.sub("", about)) if fold(word) not in _NAMES_NOTHING)
        for about in objects
    )
    return tuple(words for words in named if words)


def _read_object(sentence: str) -> str:
    """Return what a sentence asks to forget, "" if it does not ask for that beyond doubt."""
    request = next((found for pattern in _REQUESTS if (found := pattern.match(sentence)) is not None), None)
    if request is None:
        return ""
    about = _FROM_MEMORY.sub("", _COURTESY.sub("", request["object"]).rstrip(".!? "))
    inner = _SUBORDINATE.search(about)
    main = about if inner is None else about[: inner.start()]
    if _DENIED.search(main) or _CLAUSE.search(main):
        return ""
    if sentence.rstrip(".!) ").endswith("?") and not _POLITE.search(sentence):
        return about if _FAVOUR.match(sentence) and _OURS.match(about) else ""
    return about
