"""Names in German."""

from __future__ import annotations

from typing import Final

from language.entities import Entities
from language.words import vocabulary

ENTITIES: Final = Entities(
    titles=vocabulary("herr herrn frau dr lehrer lehrerin"),
    place_prepositions=vocabulary("in aus nach bei von ab über durch"),
    place_verbs=vocabulary(
        """
        wohne wohnst wohnt wohnen wohnte gewohnt lebe lebt leben lebte ziehe zieht zog gezogen umgezogen fahre fährt
        fahren fuhr fliege fliegt fliegen flog geboren reise reist reisen besuche besucht
        """
    ),
    organisation_before=vocabulary("bei firma arbeite arbeitet"),
    organisation_part="gmbh|ag|kg|ohg|universität|hochschule|institut|stiftung|verein|verlag",
    name_particles=vocabulary("von van der den zu zur"),
)
