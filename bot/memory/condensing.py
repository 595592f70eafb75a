"""Shortens what was said to what tells most, word for word, for a model that reads it behind the conversation.

A summary or a note rests on names, numbers, dates and what somebody says of themselves; the long explanations between
them are the greater part of an assistant's answers, and are paid for with every reading.
"""

from __future__ import annotations

import re
from typing import Final

from bot.memory.learning.speech_acts import SpeechAct, classify_speech, keep_own_words
from bot.memory.learning.statements import find_facts, states_fact
from bot.memory.learning.wishes import states_wish
from bot.memory.patterns import cut_for_rules
from bot.memory.ranking.passages import FIRST_PERSON, NAME, NUMBER, TIME, find_cues
from language.sentences import split_sentences
from language.tokens import count_tokens, shorten

_CODE: Final = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_CODE_MARK: Final = "[…]"
_FACT: Final = 3.0
_FIRST: Final = 1.0
"""An answer's first sentence says what it is about."""
_SENTENCES: Final = 200
"""Sentences that are looked at; behind them a text is an attachment rather than something said."""


def drop_code(text: str) -> str:
    """Return a text with its fenced blocks marked instead of shown, unless it is nothing else.

    Beside other words it is code that somebody speaks about.
    """
    return _CODE.sub(_CODE_MARK, text) if _CODE.sub("", text).strip() else text


def choose_telling(text: str, most_tokens: int) -> str:
    """Return the sentences of a text that tell most, verbatim and in their order, within so many tokens.

    A text that fits is returned as it is, but for code; where sentences are left out, there is an ellipsis.
    """
    text = drop_code(text)
    if count_tokens(text) <= most_tokens:
        return text
    sentences = split_sentences(cut_for_rules(text))[:_SENTENCES]
    facts = {fact.sentence for fact in find_facts(text)}
    weights = [_weigh(sentence, facts) + _FIRST * (number == 0) for number, sentence in enumerate(sentences)]
    left, chosen = most_tokens, set[int]()
    for number in sorted(range(len(sentences)), key=lambda number: (-weights[number], number)):
        cost = count_tokens(sentences[number]) + 2
        if cost <= left:
            chosen.add(number)
            left -= cost
    if not chosen:
        return shorten(text, most_tokens)
    return " ".join(
        sentences[number] if number == 0 or number - 1 in chosen else f"… {sentences[number]}"
        for number in sorted(chosen)
    )


def states_something(text: str) -> bool:
    """Return whether a message may say something about its author or their world: worth asking a model what.

    Small talk does not, nor does a question that is not about oneself, nor a request that names nobody, no number, no
    time and no standing wish.  In doubt it does.
    """
    if states_fact(text) or states_wish(text):
        return True
    own = keep_own_words(cut_for_rules(text))
    if not own.strip():
        return bool(text.strip())
    sentences = split_sentences(own)
    return len(sentences) > _SENTENCES or any(map(_states, sentences))


def _states(sentence: str) -> bool:
    act, cues = classify_speech(sentence), find_cues(sentence)
    if act is SpeechAct.SMALLTALK:
        return False
    if act is SpeechAct.QUESTION:
        return bool(cues & FIRST_PERSON)
    if act is SpeechAct.REQUEST:
        return bool(cues & (FIRST_PERSON | NAME | NUMBER | TIME))
    return True


def _weigh(sentence: str, facts: set[str]) -> float:
    cues = find_cues(sentence)
    told = sum(bool(cues & cue) for cue in (FIRST_PERSON, NAME, NUMBER, TIME))
    return _FACT * (sentence in facts) + told - 0.5 * (classify_speech(sentence) is SpeechAct.SMALLTALK)
