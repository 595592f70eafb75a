"""Reading files and pages into sections.

Nothing of Mneme is imported here: a process that reads documents has little memory and starts for each of them.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """A stretch of a document under one heading.

    ``headings`` is the path to it, outermost first, () before the first heading; a slide deck has its slides, a
    workbook its sheets.  ``page`` counts from 1, 0 where there are no pages.
    """

    headings: tuple[str, ...]
    text: str
    page: int = 0


@dataclass(frozen=True, slots=True)
class DocumentContent:
    """What a file says: data, whoever sent it.

    ``kind`` is what it turned out to be ("pdf", "html", "docx" …), whatever its name said.  ``cut`` says that limits
    left the rest unread.
    """

    title: str
    kind: str
    sections: tuple[DocumentSection, ...]
    pages: int = 0
    cut: bool = False


class DocumentReader(Protocol):
    """Reads files of many kinds."""

    async def read(self, path: Path, *, name: str, media_type: str = "") -> DocumentContent:
        """Return what the file says.

        Read apart from this process, within limits of memory, time and size, and without the network.
        Raises :class:`~bot.errors.DocumentUnreadable` with the reason.
        """


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """What an address gave: ``url`` is where redirections led."""

    url: str
    media_type: str
    size: int


class PageFetcher(Protocol):
    """Fetches what lies at a public address of the web."""

    def normalise(self, url: str) -> str:
        """Return an address in its plain form, which tells whether two of them are the same.

        Raises :class:`~bot.errors.PageRefused` for what is never fetched, whatever its name leads to.
        """

    async def fetch(self, url: str, into: Path) -> FetchedPage:
        """Write what lies at ``url`` to ``into``.

        Addresses of this machine and of private networks are refused, however they are written and wherever a
        redirection leads.  Raises :class:`~bot.errors.PageRefused` with the reason.
        """
