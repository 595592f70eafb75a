"""Speech acts, told by a sentence's form: patterns for statements, questions, requests and suppositions."""

from __future__ import annotations

from dataclasses import dataclass


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
    keeps_by_question: str = ""
    """Such a request as a question, up to what it wants kept, matched as a whole: "can you remember that"."""
    not_kept: str = ""
    """Words that make what follows a request to keep a question or an order: "where", "to"."""
    questions: str = ""
    """Beginnings of questions, for where people leave their mark out."""
    wondering: str = ""
    """Questions in the form of a statement about who asks: "I wonder whether"."""
    commands: str = ""
    """Beginnings of requests: "translate", "can you"."""
    wishes: str = ""
    """Requests and wishes that are none where something is to be kept: "I want you to", "please"."""
    asks_memory: str = ""
    """Requests to be told something, after ``please``: "remind me where"."""
    supposes: str = ""
    """Words that begin a supposition: "if", "imagine"."""
    suppositions: tuple[str, ...] = ()
    """Phrases that make a supposition of the sentence they stand in, in small letters: "i wish"."""
    hedges: str = ""
    """Words anywhere in a sentence by which its speaker says that they are not sure: "maybe"."""
