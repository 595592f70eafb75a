"""What this installation's memories are called on a server that others may use too.

Two bots give the same tag to the same person, and every terminal is ``cu1``; so whatever a server keeps by name carries
the installation's own name as well: the workspace where the server keeps workspaces apart, the document where it has
one workspace for all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.memory.document import Source, parse_source
from bot.memory.scope import Installation, Scope

_MARKED: Final = re.compile(r"(?P<installation>[a-z][a-z0-9]{15})_(?P<source>conv_.+)")
_NOBODY: Final = "-"
"""No scope's tag."""


@dataclass(frozen=True, slots=True)
class Names:
    """Names for the server in force; ``shared`` says whether it keeps (or may keep) everything in one workspace."""

    installation: Installation
    shared: Callable[[], bool] = lambda: False

    def workspace(self, scope: Scope) -> str:
        """Return the name of a scope's workspace."""
        return self.installation.workspace(scope)

    def document(self, source: str) -> str:
        """Return the name that a document has on the server."""
        return f"{self.installation.name}_{source}" if self.shared() else source

    def source(self, document: str) -> Source | None:
        """Return what a document's name on the server says, ``None`` for one that no Mneme gives.

        A document of another installation belongs to a tag that no scope has.
        """
        marked = _MARKED.fullmatch(document)
        said = parse_source(marked["source"] if marked else document)
        if said is None:
            return None
        foreign = marked["installation"] != self.installation.name if marked else self.shared()
        return Source(said.said_at, _NOBODY, said.uid) if foreign else said
