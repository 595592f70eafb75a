"""Lets the model read a page of the web.

What it reads is text from outside.  What it asks for leaves the machine, and an address can carry words away with it:
as soon as the model has read anything that the user did not write, only addresses that they typed in this very
message are fetched, and every other is shown, whole, with a button.  So is one that holds a word of memory or of the
conversation that the user has not typed just now.  To press the button is to send the address oneself.
"""

import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final
from urllib.parse import unquote_plus

from adapters.tools.requests import check_names, read_integer, read_text
from bot.errors import CommandInvalid, PageRefused
from bot.memory.concepts import STOP_WORDS
from bot.memory.sanitise import list_fenced, remove_hidden
from bot.ports.chat_model import ToolSpec
from bot.ports.document_reading import DocumentContent, DocumentReader, PageFetcher
from bot.ports.tool import ConfirmationRequest
from bot.turn import Turn
from language.words import fold

_PART_CHARS: Final = 12_000
"""Of a page in one result; the next part is another call."""
_PARTS: Final = 100
_ADDRESS_CHARS: Final = 2000
_ASKED_CHARS: Final = 1000
"""As much as people read before they press a button."""
_TYPED: Final = re.compile(r"[^\s<>\"'«»„“”]++")
_SCHEME: Final = re.compile(r"(?i)https?://")
_AROUND: Final = "()[]{}*_,;:!?…"


@dataclass(frozen=True, slots=True)
class WebFetch:
    """The tool ``web_fetch``: fetches one address and shows its text, a part at a time."""

    pages: PageFetcher
    reader: DocumentReader

    spec: ClassVar[ToolSpec] = ToolSpec(
        "web_fetch",
        "Read a page or document of the public web at its address. Long ones come in parts.",
        {
            "type": "object",
            "properties": {
                "url": {"type": "string", "description": "the address, with http:// or https://"},
                "part": {"type": "integer", "description": "which part of a long page, 1 by default"},
            },
            "required": ["url"],
            "additionalProperties": False,
        },
    )
    writes: ClassVar[bool] = True
    """It tells another server something, which is not to be done on the word of a text from outside."""
    outside: ClassVar[bool] = True

    async def run(self, turn: Turn, arguments: dict[str, Any]) -> str | ConfirmationRequest:  # Any: JSON from the model
        """Return a part of the page under its title and address; ask where the address tells what is remembered.

        Raises :class:`~bot.errors.PageRefused` and :class:`~bot.errors.DocumentUnreadable`, which the model is told.
        """
        url, part = self._read_arguments(arguments)
        if not self.is_requested(turn, arguments) and tells_unsaid(turn, url):
            return await self.ask(turn, arguments)
        with tempfile.TemporaryDirectory(prefix="mneme-page-") as folder:
            file = Path(folder) / "page"
            page = await self.pages.fetch(url, file)
            name = page.url.partition("?")[0].rstrip("/").rpartition("/")[2]
            document = await self.reader.read(file, name=name, media_type=page.media_type)
        return _render(document, page.url, part)

    async def ask(self, turn: Turn, arguments: dict[str, Any]) -> ConfirmationRequest:  # Any: as above
        """Fetch nothing and return the exact address to ask about."""
        url, _ = self._read_arguments(arguments)
        if len(url) > _ASKED_CHARS:
            raise CommandInvalid("the address is too long to be asked about; tell the user to send it")
        return ConfirmationRequest(url, url, fetches=True)

    def is_requested(self, turn: Turn, arguments: dict[str, Any]) -> bool:  # Any: as above
        """Return whether the user typed this address, to the letter, in this message."""
        url, _ = self._read_arguments(arguments)
        wanted = _SCHEME.sub("", url)
        return any(_SCHEME.sub("", typed) == wanted for typed in self._list_typed(turn.typed))

    def _read_arguments(self, arguments: dict[str, Any]) -> tuple[str, int]:  # Any: as above
        check_names(arguments, "url", "part")
        part = read_integer(arguments, "part", default=1, least=1, most=_PARTS)
        try:
            return self.pages.normalise(read_text(arguments, "url", most=_ADDRESS_CHARS)), part
        except PageRefused as refusal:
            raise CommandInvalid(str(refusal)) from refusal

    def _list_typed(self, text: str) -> Iterator[str]:
        """Yield the addresses in a text in their plain form, with or without what ends a sentence."""
        for found in _TYPED.findall(remove_hidden(text)):
            if "." not in found.strip("."):
                continue
            for word in dict.fromkeys((found, found.strip(_AROUND), found.strip(_AROUND + "."))):
                try:
                    yield self.pages.normalise(word if _SCHEME.match(word) else f"https://{word}")
                except PageRefused:
                    continue


def _render(document: DocumentContent, url: str, part: int) -> str:
    text = "\n\n".join(_list_blocks(document))
    parts = max(1, -(-len(text) // _PART_CHARS))
    if part > parts:
        raise CommandInvalid(f"the page has {parts} parts")
    shown = text[(part - 1) * _PART_CHARS : part * _PART_CHARS]
    more = f" Call again with part {part + 1} for more." if part < parts else ""
    cut = " The page is longer than what is read of one." if document.cut and part == parts else ""
    return f"Title: {document.title}\nAddress: {url}\nPart {part} of {parts}.{more}{cut}\n\n{shown}"


def _list_blocks(document: DocumentContent) -> Iterator[str]:
    """Yield the texts of a document, each heading before the first of its own."""
    above: tuple[str, ...] = ()
    for section in document.sections:
        if section.headings and section.headings != above:
            yield f"# {' > '.join(section.headings)}"
            above = section.headings
        yield section.text


_WORD: Final = re.compile(r"[^\W_]{3,}")
_PUNYCODE: Final = re.compile(r"xn--[a-z0-9-]++")
_LAST_LABEL: Final = re.compile(r"^https?://(?:www\.)?([^/?#:]*)\.[^./?#:]++")
_WITHIN: Final = 6
"""Letters of a word that tells even within a longer one."""


def tells_unsaid(turn: Turn, url: str) -> bool:
    """Return whether an address holds a word of memory or of the conversation that the user has not typed just now."""
    address = fold(unquote_plus(_PUNYCODE.sub(_decode, _LAST_LABEL.sub(r"\1", url))))
    asked = set(_WORD.findall(address))
    known = _list_known(turn) - set(_WORD.findall(fold(turn.typed))) - STOP_WORDS - {f"{turn.started_at.year}"}
    return any(word in asked or (len(word) >= _WITHIN and word in address) for word in known)


def _list_known(turn: Turn) -> set[str]:
    """Return the words of what the model has read of memory, of the conversation and from tools of ours."""
    texts = [text for exchange in turn.history for text in exchange.texts]
    texts += [run.output for run in turn.tool_runs if not (run.tainted or run.synthetic)]
    for shown in (turn.system_prompt, turn.summary, turn.context):
        texts += list_fenced(shown, turn.mark)
    return {word for text in texts for word in _WORD.findall(fold(text))}


def _decode(label: re.Match[str]) -> str:
    """Return a label of a host in its own letters (RFC 5891)."""
    with suppress(UnicodeError):
        return label[0].encode().decode("idna")
    return label[0]
