"""Russian: the words that ask for a page to be read."""

from __future__ import annotations

from typing import Final

from language.links import LinkWords

LINKS: Final = LinkWords(
    reading=r"(?:пожалуйста,?\s+)?(?:можешь\s+|можете\s+)?"
    r"(?:прочит|прочт|почита|чита|откро|открыть|посмотр|глян|изучи|переска[зж]|объясни)\w*\b",
)
