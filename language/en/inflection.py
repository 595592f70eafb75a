"""Inflection of English."""

from __future__ import annotations

from typing import Final

from language.inflection import Inflection
from language.words import word_set

_IRREGULAR: Final = """
go goes went gone|buy bought|bring brought|take took taken|make made|get got gotten|give gave given|win won
write wrote written|see saw seen|say said|tell told|think thought|know knew known|come came|find found|feel felt
leave left|meet met|run ran|begin began begun|build built|choose chose chosen|draw drew drawn|drive drove driven
eat ate eaten|fall fell fallen|fly flew flown|grow grew grown|hear heard|hold held|keep kept|lead led|lose lost
mean meant|pay paid|ride rode ridden|sell sold|send sent|sing sang sung|sit sat|sleep slept|speak spoke spoken
spend spent|stand stood|swim swam swum|teach taught|wear wore worn|break broke broken|catch caught|fight fought
forget forgot forgotten|hide hid hidden|steal stole stolen|shoot shot|throw threw thrown|wake woke woken
become became|understand understood|drink drank drunk|bite bit bitten|blow blew blown|dig dug|feed fed|freeze froze
hang hung|lend lent|ring rang rung|rise rose risen|seek sought|shake shook shaken|shine shone|sink sank sunk
slide slid|stick stuck|strike struck|swear swore sworn|sweep swept|tear tore torn|weep wept|wind wound|bear bore born
child children|woman women|man men|foot feet|tooth teeth|mouse mice|goose geese|person people|life lives|wife wives
knife knives|leaf leaves|shelf shelves|half halves
"""
"""Words that no suffix stemmer can fold ("went" is "go"): the base first, then its forms."""

_BASE_FORMS: Final[dict[str, str]] = {
    form: words[0]
    for family in _IRREGULAR.replace("\n", "|").split("|")
    if (words := family.split())
    for form in words[1:]
}

INFLECTION: Final = Inflection(
    base_forms=_BASE_FORMS,
    ending=r"(?<=.{3})(?:ies|ing|ed|es|s|e)(?<!ss)(?<!us)(?<!is)$",
    ending_instead={"ies": "y"},
    possessives=("'s", "’s"),
    erasable_endings=word_set("s es ed d ing e y ies ied ying"),
    doubling_endings=word_set("ed ing"),
    doubtful_endings=word_set("e"),
)
