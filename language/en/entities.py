"""Names in English."""

from __future__ import annotations

from typing import Final

from language.entities import Entities
from language.words import word_set

ENTITIES: Final = Entities(
    titles=word_set("mr mrs ms dr teacher"),
    place_prepositions=word_set("in from near to at around toward towards"),
    place_verbs=word_set(
        """
        live lives lived living move moved moving travel travelled traveled fly flew flight visit visited visiting
        born trip arrive arrived stay staying stayed
        """
    ),
    organisation_before=word_set("at for join joined company startup"),
    organisation_part=("inc|ltd|llc|corp|corporation|university|college|institute|bank|foundation|agency|studio|labs?"),
    name_particles=word_set("of de da di van la le el ibn bin"),
    currency="usd|eur|dollars?|euros?",
    verb=r"[a-z]{2}(?:ed|ly|ize|ized|izes|ise|ised)$|..ing$",
    verb_like=(
        "^(?:meeting|building|wedding|training|morning|evening|painting|parking|spring|string|engineering|"
        "marketing|pricing|billing|booking|shopping|camping|hiking|climbing|thing)$"
    ),
)
