"""Names in English."""

from __future__ import annotations

from typing import Final

from language.entities import Entities
from language.words import vocabulary

ENTITIES: Final = Entities(
    titles=vocabulary("mr mrs ms dr teacher"),
    place_prepositions=vocabulary("in from near to at around toward towards"),
    place_verbs=vocabulary(
        """
        live lives lived living move moved moving travel travelled traveled fly flew flight visit visited visiting
        born trip arrive arrived stay staying stayed
        """
    ),
    organisation_before=vocabulary("at for join joined company startup"),
    organisation_part=("inc|ltd|llc|corp|corporation|university|college|institute|bank|foundation|agency|studio|labs?"),
    name_particles=vocabulary("of de da di van la le el ibn bin"),
    currency="usd|eur|dollars?|euros?",
    verb=r"[a-z]{2}(?:ed|ly|ize|ized|izes|ise|ised)$|..ing$",
    verb_like=(
        "^(?:meeting|building|wedding|training|morning|evening|painting|parking|spring|string|engineering|"
        "marketing|pricing|billing|booking|shopping|camping|hiking|climbing|thing)$"
    ),
)
