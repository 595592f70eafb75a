"""German: its parts, and those that are not worth a file beside words.txt."""

from language.language import Language, gather_parts
from language.vocabulary import Entities, Inflection, Vocabulary

LANGUAGE = Language(
    code="de",
    name="Deutsch",
    stemmer="german",
    letters="äöüß",
    abbreviations=r"z\.b|bzw|usw|nr|dr|em|prof|fr|frl|hr|hrn|hl|geb|verh|std|tel|mo|di|mi|do|sa|jan|feb|aug|sept?|okt|nov|dez|\w*str|ca|evtl|eig|eigtl|vllt|vlt|vmtl|sog|ehem|tgl|mtl|zzgl|ggf|inkl|vgl|d\.h|u\.a",
    after_ordinals=(
        r"stock|etage|klasse|semester|jahrhundert|geburtstag|platz|mal|kapitel|liga|bezirk|advent|hochzeitstag|runde|"
        r"januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|jan|feb|apr|jun|jul|aug|"
        r"sept?|okt|nov|dez"
    ),
    vocabulary=Vocabulary(negations=r"\b(?:nichts?|nich|nie|niemals|niemand\w{0,2}|nirgends|weder|ohne|kein\w{0,2})\b"),
    inflection=Inflection(ending=r"(?<=.{4})(?:ern|en|er|em|es|e|n|s)$"),
    entities=Entities(organisation_part="gmbh|ag|kg|ohg|universität|hochschule|institut|stiftung|verein|verlag"),
    **gather_parts(__name__, __path__),
)
