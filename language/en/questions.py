"""Questions of English."""

from __future__ import annotations

from typing import Final

from language.questions import QuestionPatterns
from language.words import word_set

_WORD: Final = r"(?:what|where|when|who|whom|whose|why|how|which)(?:['’](?:s|re|d))?\b"
_SUBJECT: Final = r"(?:i|you|he|she|it|we|they|there|my|your|his|her|our|their|the|this|that|an?|(?-i:[A-Z])\w*)\b"
_INVERTED: Final = (
    rf"(?:(?:is|are|am|was|were|does|did|can|could|will|would|shall|should|has|had)\s+{_SUBJECT}"
    r"|(?:do|have)\s+(?:i|you|we|they)\b)"
)

QUESTIONS: Final = QuestionPatterns(
    place=r"where|which (?:city|town|country|place|street)|what (?:city|town|country|place|address)",
    time=(r"when|what (?:time|date|day|year|month)|which (?:day|year|month|date)|how long ago|since when"),
    number=(
        r"how (?:many|much|old|tall|long|far|big|often)|"
        r"what(?:['’]s| is| was)?(?: \w+){0,4}? (?:number|code|pin|phone|price|size|age|id|zip)"
    ),
    person=r"who|whom|whose|what(?:['’]s| is| was)?(?: [\w'’]+){0,4}? names?|called",
    reason=r"why|how come|what for",
    yes_no=r"^(?:is|are|am|was|were|do|does|did|have|has|had|can|could|will)\b",
    place_words=word_set("city town country place street located location address find"),
    time_words=word_set("time date day year month hour"),
    person_words=word_set("name names named called call person people"),
    number_words=word_set("old age"),
    which="what|which",
    no_kind="is|was|are",
    about_asker=r"\b(?:about me|of me|remember\??$|have i told you\??$|did i tell you\??$)",
    own_name=(
        r"(?:what(?:['’]s| is| was)|(?:do|can) you (?:still )?(?:know|remember|tell me))\s+(?:again\s+)?my "
        r"(?:first |full |own )?name\b|who am i\b"
    ),
    occupation=r"what do(?:es)?\s+.{1,40}?\s+do(?:\s+for\s+(?:a|my|his|her|their|our)\s+living)?\W*$",
    occupied=word_set("living"),
    first_person=word_set("my our mine i we me us i'm i've"),
    asker=word_set("i i'm i've me"),
    begins=f"{_WORD}|{_INVERTED}",
    joins=word_set("and also plus &"),
    too=word_set("also then"),
    continues=rf"(?:{_WORD}|{_INVERTED})\s+\S",
    listed=(
        rf"{_WORD}(?:['’](?:s|re)|(?:\s+[\w'’-]+){{0,3}}?\s+"
        r"(?:is|are|am|was|were|do|does|did|can|will|has|have|had))\s+\S"
    ),
    who=r"who|what|which",
    determined=r"my|your|his|her|our|their|the|this|that|an?",
    supposes="when|if|while|once",
    refers=word_set("he she it they him her them his hers its their"),
)
