"""English: its parts, and those that are not worth a file beside words.txt."""

from language.language import Language, gather_parts
from language.vocabulary import Entities, Inflection, Vocabulary

LANGUAGE = Language(
    code="en",
    name="English",
    stemmer="english",
    abbreviations=(
        r"mrs?|ms|dr|prof|fr|rev|br|capt|lt|sgt|gov|mt|st|jr|sr|vs|no|nr|approx|etc|e\.g|i\.e|a\.m|p\.m|dept|inc|ltd|"
        "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
    ),
    vocabulary=Vocabulary(
        negations=r"\b(?:not|never|no|none|nobody|nothing|nowhere|neither|nor|cannot|without)\b|n['’]t\b|\b(?:ca|do|does|did|wo|is|are|was|has|have)nt\b"
    ),
    inflection=Inflection(
        ending=r"(?<=.{3})(?:ies|ing|ed|es|s|e)(?<!ss)(?<!us)(?<!is)$",
        ending_instead={"ies": "y"},
        possessives=("'s", "’s"),
    ),
    entities=Entities(
        organisation_part=(
            "inc|ltd|llc|corp|corporation|university|college|institute|bank|foundation|agency|studio|labs?"
        ),
        name_case=r"(?<=.{3})(?<!s)s$",  # German names have this genitive, too
        currency="usd|eur|dollars?|euros?",
        verb=r"[a-z]{2}(?:ed|ly|ize|ized|izes|ise|ised)$|..ing$",
        verb_like=(
            "^(?:meeting|building|wedding|training|morning|evening|painting|parking|spring|string|engineering|"
            "marketing|pricing|billing|booking|shopping|camping|hiking|climbing|thing)$"
        ),
    ),
    **gather_parts(__name__, __path__),
)
