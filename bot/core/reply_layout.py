"""Lays a reply out as the messages that its chat will show: texts, and at the end its file.

Nobody reads an answer of a dozen messages in a chat; beyond a limit it is a file, and its beginning the message.
"""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

import structlog

from bot.files import OutboundFile, write_outbound
from bot.memory.secrets.redaction import redact
from bot.messages import LOST_DRAFT
from bot.ports.messenger import FileMessenger, Messenger
from bot.turn import Reply, Turn
from language.texts import FileTexts

_SPLIT_AT_ONCE: Final = 2_000
"""Characters whose Markdown is converted in a few milliseconds, whatever they are."""
_BEGINNING: Final = 800
"""Characters of a long answer that its message shows: with the note it fits below the file."""
_HEADING: Final = re.compile(r"#{1,3}[ \t]+(\S.{0,79}?)[ \t#]*$", re.MULTILINE)
_FENCE: Final = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_BREAKS: Final = (re.compile(r"\n[ \t]*\n"), re.compile(r"\n"))
_MARKS: Final = re.compile(r"[*_`~\[\]()#]+")


@dataclass(frozen=True, slots=True)
class ReplyLayout:
    """Returns the parts of a reply, one per message; a file goes with the last of them, which may be empty then.

    An answer of more than ``most_messages`` becomes a file in the folder ``outgoing``; 0 never does it.
    """

    texts: Callable[[Turn], FileTexts]
    outgoing: Path
    most_messages: int

    async def __call__(self, turn: Turn, reply: Reply, messenger: Messenger) -> tuple[Reply, tuple[str, ...]]:
        """Return the reply as it will be sent, with or without a file, and its parts."""
        if reply.file is not None:
            reply = self._check(turn, reply, reply.file, messenger)
        parts = await split_reply(messenger, reply.text) if reply.text.strip() or reply.file is None else ()
        if reply.file is None and 0 < self.most_messages < len(parts) and isinstance(messenger, FileMessenger):
            reply, parts = await self._put_into_file(turn, reply, parts, messenger)
        if reply.file is None or not isinstance(messenger, FileMessenger):
            return reply, parts
        alone = not parts or len(parts) > 1 or turn.draft_id is not None or not messenger.is_caption(parts[0])
        return reply, (*parts, "") if alone else parts

    def _check(self, turn: Turn, reply: Reply, file: OutboundFile, messenger: Messenger) -> Reply:
        """Say why a file cannot be sent, in its place."""
        texts = self.texts(turn)
        if not isinstance(messenger, FileMessenger):
            said = texts.not_here.format(name=file.name)
        else:
            try:
                size = file.path.stat().st_size
            except OSError:
                said = texts.gone.format(name=file.name)
            else:
                if 0 < size <= messenger.largest_file:
                    return reply
                most = messenger.largest_file // 1_000_000
                too_large = texts.too_large.format(name=file.name, size=-(-size // 1_000_000), most=most)
                said = too_large if size else texts.gone.format(name=file.name)
        return replace(reply, text="\n\n".join(filter(None, (reply.text, said))), file=None)

    async def _put_into_file(
        self, turn: Turn, reply: Reply, parts: tuple[str, ...], messenger: Messenger
    ) -> tuple[Reply, tuple[str, ...]]:
        texts = self.texts(turn)
        # Where nobody knows what the chat shows, the file is kept until it is asked for: without secrets, like texts.
        text = reply.text if turn.draft_id != LOST_DRAFT else redact(reply.text).text
        name = f"{_find_title(reply.text) or texts.answer} {_format_moment(turn.message.sent_at)}.md"
        try:
            file = await asyncio.to_thread(write_outbound, self.outgoing, name, f"{text.strip()}\n".encode())
        except OSError as error:
            structlog.get_logger().error("long answer sent as messages", cause=error.strerror)
            return reply, parts
        begun = f"{_cut_beginning(parts[0])}\n\n*{texts.whole_answer.format(name=file.name)}*"
        return replace(reply, file=file), messenger.parts(begun)


async def split_reply(messenger: Messenger, text: str) -> tuple[str, ...]:
    """Split an answer, a long one beside the event loop: its Markdown may take a third of a second to convert."""
    if len(text) <= _SPLIT_AT_ONCE:
        return messenger.parts(text)
    return await asyncio.to_thread(messenger.parts, text)


def _cut_beginning(part: str) -> str:
    """Return the beginning of a part, cut between blocks, lines or words outside markup; all of it if there is none."""
    if len(part) <= _BEGINNING:
        return part
    for border in _BREAKS:
        ends = [match.start() for match in border.finditer(part, _BEGINNING // 4, _BEGINNING)]
        for end in reversed(ends):
            if part[:end].strip() and len(_FENCE.findall(part, 0, end)) % 2 == 0:
                return f"{part[:end].rstrip()}\n\n…"
    head = part[:_BEGINNING].rpartition(" ")[0]
    return f"{head.rstrip()} …" if head and _MARKS.search(head) is None else part


def _find_title(text: str) -> str:
    """Return the first heading if the answer begins with one, "" if not."""
    heading = _HEADING.match(text.lstrip())
    return _MARKS.sub("", heading[1]).strip()[:60].strip() if heading is not None else ""


def _format_moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H.%M}"
