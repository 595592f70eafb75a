"""Tells a chat how far its import is: one message that is edited now and then, and reads the end when it is over.

The message is marked before it is sent, so that a restart never sends a second one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import structlog

from bot.commands.formatting import escape
from bot.errors import DeliveryUnknown, NotDelivered
from bot.ports.command import CommandCall
from bot.ports.import_jobs import ImportJob, ImportJobs, JobState
from bot.ports.messenger import Messenger, RateLimitedMessenger
from language.command_texts import ImportTexts
from language.texts import Texts

_PAUSE_S: Final = 5.0
"""Between two edits: Telegram allows some twenty a minute in a group."""


@dataclass(slots=True)
class ImportTelling:
    """Tells chats how far their imports are.

    ``texts`` returns the sentences in a chat's language, by the import's own; ``edits`` whether messages of a platform
    can be changed: where an edit would be another line, only the end is told.
    """

    jobs: ImportJobs
    messengers: Mapping[str, Messenger]
    texts: Callable[[ImportJob], ImportTexts]
    edits: Callable[[str], bool]
    monotonic: Callable[[], float] = time.monotonic
    _messages: dict[str, int] = field(default_factory=dict)
    _told_at: float = 0.0

    async def __call__(self, job: ImportJob) -> None:
        """Show how an import stands; what cannot be sent now is told with the next step, or by ``/import``."""
        messenger = self.messengers.get(job.address.platform) if job.address is not None else None
        ended = job.state is not JobState.WAITING
        early = self.monotonic() - self._told_at < _PAUSE_S
        if messenger is None or (not ended and (early or job.address is None or not self.edits(job.address.platform))):
            return
        self._told_at = self.monotonic()
        try:
            await self._show(messenger, replace(job, message_id=self._messages.get(job.token, job.message_id)))
        except (NotDelivered, DeliveryUnknown) as error:
            structlog.get_logger().warning("progress of an import not shown", cause=type(error).__name__)
        if ended:
            self._messages.pop(job.token, None)

    async def _show(self, messenger: Messenger, job: ImportJob) -> None:
        if job.address is None:
            return
        text = describe_job(job, self.texts(job))
        if isinstance(messenger, RateLimitedMessenger):
            await messenger.reserve(job.address)
        if job.message_id:
            await messenger.send(job.address, text, draft_id=job.message_id)
        elif job.message_id is None or job.state is not JobState.WAITING:
            await self.jobs.show(job.token, 0)
            self._messages[job.token] = await messenger.send(job.address, text)
            await self.jobs.show(job.token, self._messages[job.token])


def describe_job(job: ImportJob, texts: ImportTexts) -> str:
    """Return how an import stands, in words."""
    name = job.name
    match job.state:
        case JobState.DONE:
            known = max(0, job.done - job.added - job.forgotten)
            done = texts.done.format(name=name, added=job.added, known=known)
            return f"{done}\n{texts.forgotten.format(count=job.forgotten)}" if job.forgotten else done
        case JobState.REFUSED:
            return texts.refused.format(reason=job.reason)
        case JobState.CANCELLED:
            return texts.cancelled.format(name=name, added=job.added)
        case _:
            done_now = min(job.done, job.total)
            share = 100 * done_now // max(1, job.total)
            return texts.progress.format(name=name, done=done_now, total=job.total, share=share)


async def list_refused(jobs: ImportJobs, call: CommandCall, texts: Texts) -> list[str]:
    """Return the line of /status about the last import of a memory, if that was refused."""
    last = await jobs.find_last(call.scope)
    if last is None or last.state is not JobState.REFUSED:
        return []
    return [texts.status.refused_import.format(name=escape(last.name), reason=escape(last.reason))]
