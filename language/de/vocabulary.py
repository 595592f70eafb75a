"""Patterns of German beside its words.txt: words that deny, forms, and what tells what a name is."""

from typing import Final

from language.vocabulary import Entities, Inflection, Vocabulary

VOCABULARY: Final = Vocabulary(
    negations=r"\b(?:nicht|nichts|nie|niemals|niemand\w{0,2}|nirgends|weder|ohne|kein\w{0,2})\b",
)
ABBREVIATIONS: Final = r"z\.b|bzw|usw|nr|dr|em|prof|fr|frl|hr|hrn|hl|geb|verh|\w*str|ca|evtl|ggf|inkl|vgl|d\.h|u\.a"
AFTER_ORDINALS: Final = (
    r"stock|etage|klasse|semester|jahrhundert|geburtstag|platz|mal|kapitel|liga|bezirk|advent|hochzeitstag|runde|"
    r"januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|jan|feb|apr|jun|jul|aug|"
    r"sept?|okt|nov|dez"
)


INFLECTION: Final = Inflection(
    ending=r"(?<=.{4})(?:ern|en|er|em|es|e|n|s)$",
)


ENTITIES: Final = Entities(
    organisation_part="gmbh|ag|kg|ohg|universität|hochschule|institut|stiftung|verein|verlag",
)
