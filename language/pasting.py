"""Words by which a text that somebody pasted is told from what they typed around it."""

from __future__ import annotations

from dataclasses import dataclass


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
