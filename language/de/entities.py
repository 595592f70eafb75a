"""Names in German."""

from __future__ import annotations

from typing import Final

from language.entities import Entities
from language.words import word_set

ENTITIES: Final = Entities(
    titles=word_set("herr herrn frau dr lehrer lehrerin"),
    place_prepositions=word_set("in aus nach bei von ab über durch"),
    place_verbs=word_set(
        """
        wohne wohnst wohnt wohnen wohnte gewohnt lebe lebt leben lebte ziehe zieht zog gezogen umgezogen fahre fährt
        fahren fuhr fliege fliegt fliegen flog geboren reise reist reisen besuche besucht
        """
    ),
    organisation_before=word_set("bei firma arbeite arbeitet"),
    organisation_part="gmbh|ag|kg|ohg|universität|hochschule|institut|stiftung|verein|verlag",
    name_particles=word_set("von van der den zu zur"),
)
