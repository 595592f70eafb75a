"""Finds requests in the user's own typed words: nothing else may make a tool change memory.

A model reads memories, quotes and tool results beside the user's message, and any of them may try to command it.
So a change needs words of the user's own, checked here without asking the model.
"""

from __future__ import annotations

import re

from bot.memory.learning.speech_acts import asks_to_keep as is_request_to_keep
from bot.memory.learning.speech_acts import opened, own_words
from bot.memory.sanitise import visible
from bot.memory.synonyms import STOP_WORDS
from bot.turn import Turn
from language.sentences import sentences
from language.words import word_set

_TYPED_CHARS = 1000
"""Of one message; more is rarely typed."""
_SPEAKER = re.compile(r"\s*[^\s:][^\n:]{0,40}: ")
_NOT_WORDS = re.compile(r"[^\w]+")
_PLEASE = r"(?:please|kindly|bitte|пожалуйста|будь(?:те)? добры?)"
_VERB_EN = r"(?:forget|erase|delete|remove)"
_LAST_DE = r"(?:vergessen|löschen|entfernen)"
_INFINITIVE_RU = r"(?:забыть|удалить|стереть)"
_REQUESTS = tuple(
    re.compile(f"(?i)(?:{_PLEASE}[,\\s]{{1,3}}){{0,3}}(?:{form})", re.DOTALL)
    for form in (
        # imperatives, and questions and wishes that put the verb before its object
        (
            rf"(?:(?:(?:can|could|would|will) you|i(?:['’]d| would) like you to|i (?:want|need) you to)\s{{1,3}}"
            rf"(?:{_PLEASE}[,\s]{{1,3}})?)?{_VERB_EN}\b(?!-)(?P<object>.{{1,500}})"
        ),
        r"would you mind\s{1,3}(?:forgetting|erasing|deleting|removing)\b(?P<object>.{1,500})",
        r"(?:забудь|удали|сотри)(?:те)?\b(?P<object>.{1,500})",
        (
            rf"(?:(?:не\s{{1,3}})?мо(?:жешь|жете|г(?:ла|ли)?\s{{1,3}}бы(?:\s{{1,3}}(?:ты|вы))?)|прошу(?:\s{{1,3}}(?:тебя|вас))?)"
            rf"[,\s]{{1,3}}(?:{_PLEASE}[,\s]{{1,3}})?{_INFINITIVE_RU}\b(?P<object>.{{1,500}})"
        ),
        (
            r"(?:я\s{1,3})?(?:хочу|прошу|нужно),?\s{1,3}чтобы\s{1,3}(?:ты|вы)\s{1,3}(?:забыл|удалил|ст[её]р)[аи]?\b"
            r"(?P<object>.{1,500})"
        ),
        (
            r"(?:(?:vergiss|vergesst|lösche?|löscht|entferne?|entfernt)|(?:vergessen|löschen|entfernen) sie)\b"
            r"(?P<object>.{1,500})"
        ),
        # German puts the verb of a question, of a wish and of a bare request last
        rf"(?:kannst|könntest|würdest) du\s{{1,3}}(?P<object>.{{1,500}}?)\s{_LAST_DE}\b",
        rf"(?:können|könnten|würden) sie\s{{1,3}}(?P<object>.{{1,500}}?)\s{_LAST_DE}\b",
        (
            r"ich (?:möchte|will), dass (?:du|sie)\s{1,3}(?P<object>.{1,500}?)\s"
            rf"(?:vergisst|löschst|entfernst|{_LAST_DE})\b"
        ),
        rf"(?<=bitte )(?P<object>[^,:]{{1,500}}?)\s{_LAST_DE}\s{{0,3}}[.!]{{0,9}}$",
        rf"(?P<object>[^,:]{{1,500}}?)\sbitte\s{_LAST_DE}\s{{0,3}}[.!]{{0,9}}$",
    )
)
"""The forms of a request in three languages; ``object`` is what it is about."""
_POLITE = re.compile(rf"(?i)\b{_PLEASE}\b|^would you mind\b")
_FAVOUR = re.compile(
    r"(?i)(?:can|could|kannst|könntest|können|könnten|würdest|würden|(?:не\s{1,3})?мо(?:жешь|жете|гл?[аи]?))\b"
)
_OURS = re.compile(
    r"(?i)(?:\s{0,3}(?:about|of|про|обо?|über|von))?\s{0,3}(?:(?:my|our|mein\w{0,2}|unser\w{0,2}|мо[йяеёиюх]\w{0,2}|"
    r"наш\w{0,3})\b|(?:what|that|everything|all|alles|was|dass|что|вс[её])\b)"
)
"""The beginning of the object of a question that asks for the favour and not whether such a thing can be."""
_SUBORDINATE = re.compile(
    r"(?i)[,\s]\s{0,3}(?:that|what|who|where|when|which|how|dass|was|wo|wer|wie|что|как|где|кто)\b"
)
_DENIED = re.compile(
    r"(?i)\b(?:not|never|no|none|nothing|except|but|nicht|nichts|nie|niemals|kein\w{0,2}|außer|не|ни|нет|никогда|"
    r"ничего|кроме)\b|n['’]t\b"
)
_COURTESY = re.compile(rf"(?i),?\s{{0,3}}\b{_PLEASE}\b,?")
_FROM_MEMORY = re.compile(
    r"(?i)\s(?:(?:from|out of)(?: your| the)? memory|aus (?:dem|deinem) gedächtnis|из (?:своей )?памяти)$"
)
_CLAUSE = re.compile(r"[,;:–—]")
_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"['’]s\b")
_EMPTY = word_set(
    "all everything anything kindly alles bitte doch mal einfach wieder jetzt все этом этого этой эту него нее нем "
    "них ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn ihnen der die das den dem des dass daß "
    "ein eine einen einem einer eines dies diese diesen dieser dieses was wer wo wie mein meine meinen meinem meiner "
    "meines unser unsere unseren unserem unserer dein deine deinen und oder in im an am auf aus bei mit nach von vom "
    "zu zum zur über um für habe hast haben bist ist sind"
)
"""Words of a request that name nothing: besides the stop words, German articles, pronouns and prepositions."""


def says_verbatim(turn: Turn, text: str) -> bool:
    """Return whether the user typed these words, in this order; case, spaces and punctuation do not count."""
    return _contains_words(turn.typed, text)


def asks_to_keep(turn: Turn, text: str) -> bool:
    """Return whether the user typed a request to remember something, and these words in it or after it."""
    typed = sentences(own_words(visible(turn.analysed)))
    begun = next((place for place, sentence in enumerate(typed) if is_request_to_keep(sentence)), None)
    return begun is not None and _contains_words("\n".join(typed[begun:]), text)


def looks_pasted(turn: Turn) -> bool:
    """Return whether what was typed may hold somebody else's words: long, or lines of several speakers, or a citation.

    A paste cannot be told from typing by a machine; what looks like one is asked about, and it costs a press of a
    button where it was not.
    """
    typed = visible(turn.typed).strip()
    lines = typed.split("\n")
    spoken = len(lines) > 1 and any(_SPEAKER.match(line) for line in lines)
    return spoken or len(typed) > _TYPED_CHARS or own_words(typed).strip() != typed


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
    objects = (_read_object(opened(sentence.strip())) for sentence in sentences(own_words(visible(turn.analysed))))
    named = (
        tuple(word for word in _WORD.findall(_POSSESSIVE.sub("", about)) if _fold(word) not in STOP_WORDS | _EMPTY)
        for about in objects
    )
    return tuple(words for words in named if words)


def _read_object(sentence: str) -> str:
    """Return what a sentence asks to forget, "" if it does not ask for that beyond doubt."""
    request = next((found for form in _REQUESTS if (found := form.match(sentence)) is not None), None)
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


def _fold(word: str) -> str:
    return word.casefold().replace("ё", "е")


def _contains_words(said: str, text: str) -> bool:
    words = _normalise(text)
    return bool(words.strip()) and words in _normalise(said)


def _normalise(text: str) -> str:
    return f" {_NOT_WORDS.sub(' ', visible(text).casefold()).strip()} "
