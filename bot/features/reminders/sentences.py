"""Sentences that ask for a reminder, answered without a command and without a language model.

Only what the author typed asks for anything.  A message that says more than that is left to the model where there is
one, which has the same reminders as a tool; so is a time that hangs on something only memory may know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import structlog

from bot.commands.language import Voice
from bot.errors import MnemeError
from bot.features.reminders.requests import Outcome, ReminderRequests, Request, is_request
from bot.features.reminders.wording import make_kept_reply
from bot.memory.learning.correction import find_corrected_value
from bot.memory.learning.speech_acts import is_trivial, wants_reminder
from bot.messages import InboundMessage, MessageKind
from bot.ports.turn_store import TurnStore
from bot.ports.when import WhenProblem, WhenReading
from bot.turn import Reply, ReplyKind, Turn
from language.sentences import split_sentences

_SPOKEN: Final = ("voice", "video_note")
"""Kinds of files that somebody records for the chat; an audio file may be anybody's words."""
_MOST: Final = 5
"""Reminders that one message may ask for."""
_LOOKED_AT: Final = 12
"""Sentences of a message: who asks to be reminded does so early."""
_ANSWER_CHARS: Final = 120
"""An answer to "when?" is short."""


@dataclass(frozen=True, slots=True)
class SentenceReminders:
    """Answers messages that ask for reminders; ``alone`` says that there is no language model."""

    texts: Voice
    requests: ReminderRequests
    turns: TurnStore
    alone: Callable[[], bool]

    async def answer(self, turn: Turn) -> Reply | None:
        """Return the reply to a request, or to the answer to our question; ``None`` for any other message."""
        if not _is_own(turn):
            return None
        texts = self.texts(turn.message)
        request = Request(turn.message, turn.scope, texts.language, exchange=turn.uid)
        try:
            outcomes = await self._keep_all(turn, request)
        except MnemeError as error:
            structlog.get_logger().warning("reminder not kept", cause=type(error).__name__)
            return Reply(texts.notice.command_failed, ReplyKind.NOTICE)
        if not outcomes:
            return None
        replies = [make_kept_reply(outcome, texts, ReplyKind.NOTED) for outcome in outcomes]
        text = "\n\n".join(reply.text for reply in replies)
        return Reply(text, ReplyKind.NOTED, tuple(button for reply in replies for button in reply.buttons))

    async def _keep_all(self, turn: Turn, request: Request) -> list[Outcome]:
        typed = turn.analysed.strip()
        if len(typed) <= _ANSWER_CHARS:
            answered = await self.requests.answer_question(typed, request)
            if answered is not None:
                return [answered]
            corrected = await self._correct(typed, request)
            if corrected is not None:
                return [corrected]
        if not wants_reminder(typed) and not self.requests.reader.may_ask(typed):
            return []
        readings = self._list_asked(typed, request)
        if not self.alone() and any(map(_is_unclear, readings)):
            return []
        numbered = [
            Request(request.message, request.scope, request.language, number, request.exchange)
            for number in range(len(readings))
        ]
        return [await self.requests.keep(*each) for each in zip(readings, numbered, strict=True)]

    async def _correct(self, typed: str, request: Request) -> Outcome | None:
        """Return what comes of "sorry, at 10" behind the message that asked for a reminder."""
        value = find_corrected_value(typed)
        last = await self.turns.last(request.message.address) if value else None
        return None if last is None else await self.requests.correct(value, last.exchange, request)

    def _list_asked(self, typed: str, request: Request) -> list[WhenReading]:
        """Return what the sentences say that ask for a reminder; none if a model had better read the message."""
        sentences = split_sentences(typed)[:_LOOKED_AT]
        read = [(sentence, self.requests.read(sentence, request)) for sentence in sentences]
        asked = [reading for sentence, reading in read if is_request(sentence, reading)]
        others = [each for each, reading in read if not is_request(each, reading) and not is_trivial(each)]
        if len(asked) > _MOST or (others and not self.alone()):
            return []
        return self._read_whole(typed, asked, request) if len(asked) == 1 < len(sentences) else asked

    def _read_whole(self, typed: str, asked: list[WhenReading], request: Request) -> list[WhenReading]:
        """Return what the sentences say together, where the one that asks leaves the time to another."""
        whole = self.requests.read(typed, request) if asked[0].plan is None and len(typed) <= _ANSWER_CHARS else None
        return asked if whole is None or whole.plan is None else [whole]


def _is_own(turn: Turn) -> bool:
    """Whether the author typed or spoke all of it now: a command, a press, a forward and a caption are not that."""
    forwarded = any(entry.message.forwarded_from is not None for entry in turn.accepted)
    return all(_is_said(entry.message) for entry in turn.accepted) and not forwarded and bool(turn.typed.strip())


def _is_said(message: InboundMessage) -> bool:
    spoken = message.file is not None and message.file.kind in _SPOKEN
    return message.kind in (MessageKind.TEXT, MessageKind.EDITED) or spoken


def _is_unclear(reading: WhenReading) -> bool:
    return reading.problem in (WhenProblem.NO_TIME, WhenProblem.EVENT)
