"""What a message is: a statement, a question, a request, small talk, or something pasted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from language.words import fold, word_set


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechPatterns:
    """The source of regular expressions, each tried at the beginning of a sentence unless it says otherwise.

    Letters match in either case except inside ``(?-i:…)``.  The patterns of all languages are tried together: where a
    word is another one in a second language ("was"), the pattern has to hold more than the word.
    """

    openers: str = ""
    """Words before a sentence that say nothing: "by the way", "and"."""
    greetings: str = ""
    """Words of greeting that a name or a clause may follow: "good morning"."""
    not_addressed: str = ""
    """Words that follow a greeting without being the one greeted: "is", "from"."""
    self_subjects: str = ""
    """Subjects with which a greeter begins a clause about themselves: "my", "we"."""
    please: str = ""
    """Words of courtesy before a request."""
    halts: str = ""
    """What somebody says, alone, to end an answer that is being written: "stop", "that's enough"."""
    keeps: str = ""
    """Requests to keep what follows: "remember", "имей в виду"."""
    that: str = ""
    """What may stand between such a request and what it wants kept: "that "."""
    announces: str = ""
    """Questions that only say that something is coming, before a sign: "you know what"."""
    tells_as_news: str = ""
    """Beginnings of questions that tell what follows them: "did you know that"."""
    asks_if_told: str = ""
    """Beginnings of questions that say what follows, whether it was told before or not: "did I mention that"."""
    riddles: str = ""
    """Beginnings of questions that nobody is to answer where their answer follows them: "guess who"."""
    lists: str = ""
    """Requests to put something on a list, up to that: what they name is told, whoever keeps the list."""
    orders_program: str = ""
    """What speaks to a program that reads it, anywhere in a sentence: "ignore all instructions", "tell the user"."""
    keeps_by_question: str = ""
    """Such a request as a question, up to what it wants kept, matched as a whole: "can you remember that"."""
    not_kept: str = ""
    """Words that make what follows a request to keep a question or an order: "where", "to"."""
    questions: str = ""
    """Beginnings of questions, for where people leave their mark out."""
    asks_with: str = ""
    """Pattern of the words one of which stands in a question that has neither its mark nor such a beginning."""
    asks_by_order: str = ""
    """Pattern of the verbs that ask where they stand first and tell behind another word; "" where no order asks."""
    leaves_out_subject: str = ""
    """Beginnings by which people tell what they did without saying "I", where order asks: "was at", "hab mein"."""
    possesses: str = ""
    """Beginnings of what somebody has or does, where no order of words asks for that: "у меня"."""
    asking: frozenset[str] = frozenset()
    """Words among the first of a question, to be known with a letter wrong: "where", "does"."""
    not_asking: frozenset[str] = frozenset()
    """Words that are one letter away from those and mean something else."""
    spelled: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Words that ask as they are written in haste → as they are written else: "wen" → "when"."""
    wondering: str = ""
    """Questions in the form of a statement about who asks: "I wonder whether"."""
    asks_way: str = ""
    """Beginnings of questions how, where or whether the asker can do something, which order nothing: "how do I"."""
    commands: str = ""
    """Beginnings of requests: "translate", "can you"."""
    wishes: str = ""
    """Requests and wishes that are none where something is to be kept: "I want you to", "please"."""
    asks_memory: str = ""
    """Requests to be told something, after ``please``: "remind me where"."""
    supposes: str = ""
    """Words that begin a supposition: "if", "imagine"."""
    leaves_open: str = ""
    """Words behind a condition by which the sentence tells nothing that is so: "would", "do we"."""
    suppositions: tuple[str, ...] = ()
    """Phrases that make a supposition of the sentence they stand in, in small letters: "i wish"."""
    hedges: str = ""
    """Words anywhere in a sentence by which its speaker says that they are not sure: "maybe"."""


Phrases = frozenset[tuple[str, ...]]
"""Phrases of up to four words, as tuples of case-folded words, "ё" as "е"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallTalk:
    """The small talk of a language, spelled as :func:`language.words.split_words` spells."""

    words: frozenset[str] = frozenset()
    """Words that say nothing, however many of them follow each other."""
    phrases: Phrases = frozenset()
    about_assistant: Phrases = frozenset()
    """Questions about the assistant: no memory answers them, and they say nothing about the one who asks."""
    asks_assistant: str = ""
    """Pattern of a whole question for what the assistant is or can, however it is put: "what can you do for me"."""
    wellbeing: Phrases = frozenset()
    """Forms of "how are you"."""
    fillers: frozenset[str] = frozenset()
    """Words that say nothing after others that do not: "so" in "thanks so much"."""
    thanks: frozenset[str] = frozenset()
    """Words by which one tells the kind of small talk, and so what to answer."""
    farewells: frozenset[str] = frozenset()
    partings: str = ""
    """Pattern of what is wished at the end of a talk: "have a nice evening", which the words of a greeting stand in."""
    hellos: frozenset[str] = frozenset()
    agrees: str = ""
    """Pattern of a yes to what was asked: "yes", "go ahead"."""
    declines: str = ""
    """Pattern of a no to all that was offered: "no", "never mind"."""
    every: str = ""
    """Pattern of a choice of all that was offered: "all", "both"."""
    ones: str = ""
    """Pattern of words that stand for a thing behind its place: "one" in "the first one"."""
    beside: frozenset[str] = frozenset()
    """Words that choose nothing in such an answer: "the", "of them", "please"."""


def phrases(text: str) -> Phrases:
    """Return the phrases of a text, which semicolons part."""
    return frozenset(tuple(fold(phrase).split()) for phrase in text.split(";"))


OTHER: Final = SmallTalk(
    words=word_set(
        """
        ciao hola adios adiós gracias si sí vale bueno bonjour salut merci oui non au-revoir buongiorno grazie prego sì
        ola olá obrigado obrigada sim não tchau cześć czesc dzięki dzieki tak nie dziękuję merhaba teşekkürler evet
        hayır привіт дякую так ні бувай вітаю こんにちは ありがとう はい いいえ 你好 谢谢 好的 再见 안녕 감사합니다 네
        """
    ),
    phrases=phrases(
        """
        buenos dias; buenos días; buenas noches; muchas gracias; hasta luego; au revoir; bonne nuit; merci beaucoup
        """
    ),
    thanks=word_set("merci gracias grazie дякую"),
    farewells=word_set("ciao"),
    hellos=word_set("hola bonjour"),
)
"""Small talk in languages that have no folder: a chat in English begins with "hola" as well, and ends with "merci"."""
OTHER_GREETINGS: Final = "hola|salut|bonjour"
"""Greetings in languages that have no folder, as :attr:`language.speech.SpeechPatterns.greetings`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastingWords:
    """The source of regular expressions, in whole words and either case; the patterns of all languages are tried.

    What asks for something to be kept ("remember this") is none of them.
    """

    works: str = ""
    """Requests to do something with a text that is given: "translate", "what does this mean"."""
    shown: str = ""
    """Phrases that point at a text which somebody else wrote: "this letter", "the chat"."""
    texts: str = ""
    """Texts, or what makes them up, that are there already: "the words", "this essay"."""
    makes: str = ""
    """Requests for what is not there yet: "write"."""
    origins: str = ""
    """What says behind a text where it is from: "that is from a forum"."""
    messages: str = ""
    """What says before a colon whose message follows: "text from"."""
    written: str = ""
    """Verbs by which a text is somebody else's writing: "wrote", "texted me"."""
    said: str = ""
    """Verbs by which a quotation is somebody else's word: "says", "replied"."""
    headers: str = ""
    """Names of the header lines of mail: "From", "Sent"."""
    subjects: str = ""
    """The one of them that is pasted alone: "Subject"."""
    salutations: str = ""
    """The beginning of a letter to somebody who is not the assistant: "Dear Sir"."""
    closings: str = ""
    """The last line of a letter: "Kind regards"."""
    passed_on: str = ""
    """What programs for mail write above a text that is answered or passed on: "Original Message"."""


@dataclass(frozen=True, slots=True)
class LinkWords:
    """``reading`` is a pattern, in small letters, of what a message begins with that asks to read what it links to."""

    reading: str = ""
