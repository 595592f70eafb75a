"""/again: show an answer that may not have arrived."""

from __future__ import annotations

import asyncio
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Final

from bot.commands.language import Voice, make_reply
from bot.files import OutboundFile, name_outbound
from bot.ports.command import CommandCall
from bot.ports.deliveries import UncertainDeliveries
from bot.turn import Reply

_ARCHIVE: Final = "files.zip"


@dataclass(frozen=True, slots=True)
class Again:
    """Answers the button of an offer, ``/again NUMBER``; typed without a number it shows all that is in doubt here.

    The texts are this chat's own and were meant for it, so that whoever reads along may ask.  They come without the
    buttons they had: those stand for what was so then.
    """

    texts: Voice
    doubts: UncertainDeliveries
    outgoing: Path
    """Where files are made that go with replies."""

    name: ClassVar[str] = "again"

    async def run(self, call: CommandCall) -> Reply:
        """Return the answers as they were, in one reply."""
        number = int(call.argument) if call.argument.isdecimal() and len(call.argument) < 18 else None  # noqa: PLR2004 - SQLite's integers
        missed = (
            ()
            if call.argument and number is None
            else await self.doubts.list_for_repetition(call.message.address, number)
        )
        files = tuple(delivery.file for delivery in missed if delivery.file is not None and delivery.file.path.exists())
        reply = make_reply(*(delivery.text for delivery in missed))
        if not (reply.text or files):
            return make_reply(self.texts(call.message).doubt.nothing)
        return replace(reply, file=await asyncio.to_thread(_join, files, self.outgoing))


def _join(files: tuple[OutboundFile, ...], outgoing: Path) -> OutboundFile | None:
    """Return the file that goes with the reply: the only one, or an archive of several."""
    if len(files) < 2:  # noqa: PLR2004 - several
        return files[0] if files else None
    archive = name_outbound(outgoing, _ARCHIVE)
    with zipfile.ZipFile(archive.path, "x", zipfile.ZIP_DEFLATED) as packed:
        for number, file in enumerate(files, 1):
            packed.write(file.path, f"{number} {file.name}")
    return archive
