"""/import: conversations from elsewhere, sent as a file; shown first, begun by a button, told of until the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import ClassVar, Final

from bot.commands.formatting import escape
from bot.commands.language import Voice, make_reply
from bot.errors import FileUnavailable, ImportRefused
from bot.features.transfer.door import ImportDoor, ImportLook
from bot.files import InboundFile
from bot.memory.secrets.redaction import Source, redact
from bot.ports.command import CommandCall
from bot.ports.import_jobs import JobState
from bot.turn import Reply
from language.command_texts import ImportTexts
from language.texts import Texts

_PEOPLE: Final = 8
"""People that are offered as the user; others can be named: ``/import as TOKEN NAME``."""
LARGEST: Final = 20
"""Megabytes that a bot may fetch: https://core.telegram.org/bots/api#getfile."""
NOBODY: Final = "nobody"


@dataclass(frozen=True, slots=True)
class Import:
    """Shows what stands in a file, then imports it for whoever sent it.

    ``may`` says who may import into the memory of a chat: its own person, of a group its admins and the owner.
    """

    texts: Voice
    door: ImportDoor
    remembering: Callable[[], bool]
    may: Callable[[CommandCall], Awaitable[bool]]
    describe: Callable[..., str]
    local: Callable[[str], bool]
    """Whether who writes on a platform sits at this machine, and hands over files by their path."""

    name: ClassVar[str] = "import"

    async def run(self, call: CommandCall) -> Reply:
        """Return what stands in the file, or how an import goes on."""
        texts = self.texts(call.message).importing
        if not self.remembering() or not await self.may(call):
            return make_reply(texts.owner_only if self.remembering() else texts.memory_off)
        match call.argument.split(maxsplit=2):
            case ["as", token, who]:
                return await self._begin(call, token, who, texts)
            case ["cancel", token]:
                job = await self.door.cancel(call.message, call.scope, token)
                return make_reply(texts.gone if job is None else self.describe(job, texts))
        file = call.message.file
        if file is not None:
            return await self.look(call, file)
        return await self._tell(call, texts)

    def _is_local(self, call: CommandCall) -> bool:
        return self.local(call.message.address.platform)

    async def _tell(self, call: CommandCall, texts: ImportTexts) -> Reply:
        """Return how far the import of this memory is, or how one is begun."""
        job = await self.door.find(call.scope)
        if call.argument or job is None or job.state is JobState.SHOWN:
            return make_reply(texts.none, texts.usage_terminal if self._is_local(call) else texts.usage)
        return make_reply(self.describe(job, texts), buttons=((texts.cancel_button, f"/import cancel {job.token}"),))

    async def look(self, call: CommandCall, file: InboundFile) -> Reply:
        """Return what stands in a file, with the buttons that go on."""
        texts = self.texts(call.message)
        open_job = await self.door.find(call.scope)
        if open_job is not None and open_job.state is JobState.WAITING:
            return make_reply(texts.importing.busy)
        try:
            found = await self.door.look(call.message, call.scope, file)
        except ImportRefused as error:
            return make_reply(
                texts.importing.refused.format(reason=escape(redact(str(error), Source.DOCUMENT).text, 400))
            )
        except FileUnavailable as error:
            too_large = error.why == "too_large"
            words = texts.importing
            if too_large:
                return make_reply(words.too_large.format(limit=LARGEST))
            return make_reply(words.not_fetched, words.usage_terminal if self._is_local(call) else "")
        return _show(found, texts, call)

    async def _begin(self, call: CommandCall, token: str, who: str, texts: ImportTexts) -> Reply:
        job = await self.door.begin(call.message, call.scope, token, () if who == NOBODY else (who,))
        if job is None:
            return make_reply(texts.gone)
        button = (texts.cancel_button, f"/import cancel {job.token}")
        return make_reply(texts.begun.format(name=escape(job.name, 80)), buttons=(button,))


def _show(found: ImportLook, texts: Texts, call: CommandCall) -> Reply:
    words, survey, token, reading = texts.importing, found.survey, found.job.token, found.reading
    tokens = words.tokens_priced if reading.money else words.tokens
    zone = call.now.tzinfo
    first = texts.day(survey.first, zone) if survey.first else ""
    last = texts.day(survey.last, zone) if survey.last else ""
    head = words.survey.format(
        format=found.format, messages=survey.messages, chats=len(survey.chats), first=first, last=last
    )
    left_out = [
        words.left_out.format(what=words.reasons.get(reason.name, reason.name), count=count)
        for reason, count in survey.left_out.most_common()
    ]
    people = [f"- {escape(seen.name or seen.author, 60)}: {seen.messages}" for seen in survey.people[:_PEOPLE]]
    if len(survey.people) > _PEOPLE:
        people.append(f"- {words.more_people.format(count=len(survey.people) - _PEOPLE)}")
    lines = [
        head,
        words.archive.format(items=survey.memories) if survey.memories else "",
        "\n".join(people),
        "\n".join(left_out),
        tokens.format(tokens=f"{reading.tokens:,}", money=reading.money) if reading.tokens else "",
    ]
    cancel = (words.cancel_button, f"/import cancel {token}")
    if found.own is None:
        each = tuple(
            (f"{escape(seen.name or seen.author, 30)}", f"/import as {token} {seen.author}")
            for seen in survey.people[:_PEOPLE]
        )
        nobody = (words.nobody_button, f"/import as {token} {NOBODY}")
        return make_reply(*lines, words.who, buttons=(*each, nobody, cancel))
    who = found.own[0].author if found.own else NOBODY
    name = escape(found.own[0].name or found.own[0].author, 60) if found.own else ""
    told = words.own_export if found.ours else words.you.format(name=name) if name else ""
    start = (words.start_button, f"/import as {token} {who}")
    return make_reply(*lines, told, words.start, buttons=(start, cancel))
