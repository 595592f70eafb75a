"""Sentences that ask for reminders, or give orders about those that are set, without a command and without a model.

Of sentences, only what the author typed asks for anything.  A message that says more than that is left to the model
where there is one, which has the same reminders as a tool; so is a time that hangs on something only memory may know.
"""

import asyncio
import re
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import structlog

from bot.commands.formatting import make_reply
from bot.commands.replied import quote_replied
from bot.core.shown import ShownLast
from bot.errors import MnemeError
from bot.features.reminders.changes import ReminderOrders
from bot.features.reminders.events import EventTimes
from bot.features.reminders.orders import Act, Order, describe, find_only_time, find_order, find_placed_order
from bot.features.reminders.requests import Outcome, ReminderRequests, Request, is_request
from bot.features.reminders.wording import make_kept_reply, make_waiting_reply, write_text
from bot.memory.concepts import is_alike, list_concepts
from bot.memory.learning.correction import begins_with_value, find_corrected_value
from bot.memory.learning.kinds import LIKELY, measure_telling
from bot.memory.learning.speech_acts import is_question, is_trivial, says_goodbye, wants_reminder
from bot.memory.patterns import compile_bounded
from bot.messages import MessageKind
from bot.ports.turn_store import TurnStore
from bot.ports.when import WhenProblem, WhenReading
from bot.turn import Reply, ReplyKind, Turn
from language import alternatives, languages
from language.sentences import split_sentences
from language.texts import Texts

_MOST: Final = 5
"""Reminders that one message may ask for."""
_LOOKED_AT: Final = 12
"""Sentences of a message: who asks to be reminded does so early."""
_NUMBERED: Final = re.compile(r"/remind (?:show|cancel|move) (\d+)")
_LOOKED_BACK: Final = 4
"""Messages between one that asked for a reminder and one that puts its time right, which did so, too."""
_FEW: Final = 3
"""Words that name something to be reminded of where longer ones tell of it: "the dentist", "the boiler man comes"."""
_ANSWER_CHARS: Final = 120
"""An answer to "when?" is short."""
_MORE: Final = compile_bounded(
    rf"\s*(?:{alternatives(each.schedule.joins for each in languages())}|"
    rf"{alternatives(word for each in languages() for word in sorted(each.lists.follows))})(?!\w)[,\s]*",
    re.IGNORECASE,
)
_AGAIN: Final = compile_bounded(
    rf"(?:,\s*|\s+)(?:{alternatives(each.schedule.joins for each in languages())}\s+)"
    rf"(?={alternatives(each.schedule.imperative for each in languages())}(?!\w))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SentenceReminders:
    """Answers messages that ask for reminders."""

    requests: ReminderRequests
    turns: TurnStore
    orders: ReminderOrders
    shown: ShownLast
    events: EventTimes

    async def answer(self, turn: Turn) -> Reply | None:
        """Return the reply to a request, or to the answer to our question, or of an order about those that are set.

        ``None`` for any other message.
        """
        if not turn.is_own:
            return None
        message = turn.message
        texts = message.texts
        try:
            return await self._answer(turn, Request(message, turn.scope, texts.language, exchange=turn.uid), texts)
        except MnemeError as error:
            structlog.get_logger().warning("reminder not kept", cause=type(error).__name__)
            return Reply(texts.notice.command_failed, ReplyKind.NOTICE)

    async def _answer(self, turn: Turn, request: Request, texts: Texts) -> Reply | None:
        analysed = turn.analysed
        typed = analysed.strip()
        edited = any(entry.message.kind is MessageKind.EDITED for entry in turn.accepted)
        order = None if edited else find_order(analysed, only_sure=not turn.without_model)
        if order is not None and order.act is Act.CANCEL and (dropped := await self._drop_question(order, request)):
            return make_reply(texts.reminders.cancelled.format(text=write_text(dropped, texts)))
        shows = order is not None and order.act is Act.SHOW
        if len(typed) <= _ANSWER_CHARS and not shows and not says_goodbye(typed):  # "see you tomorrow"
            answered = await self.requests.answer_question(typed, request, partial(self._find_time, request=request))
            if answered is not None:
                return _write([answered], texts)
        if not edited and (order is None or not order.sure):
            order = await self._find_correction(turn, request) or order
        order = (None if edited else self._find_placed(turn, request)) or order
        reply = await self.orders.answer(turn, order) if order is not None else None
        if shows and (waiting := await self.requests.find_question(request)) is not None:
            told = make_waiting_reply(waiting, texts)
            set_already = reply is not None and reply.text != texts.reminders.none
            return _join(told, reply) if reply is not None and set_already else told
        if reply is None and (kept := await self._keep_all(turn, typed, request)):
            self.shown.drop(turn)
            reply = _write(kept, texts)
        return reply

    async def _drop_question(self, order: Order, request: Request) -> str | None:
        """Ask no more for a time, if an order is about what that was asked for."""
        words = describe(order, lambda part: self.requests.read_alone(part, request)).words

        def is_it(wanted: str, _: str) -> bool:
            return not words or any(is_alike(word, one) for word in words for one in list_concepts(wanted))

        return await self.requests.drop_question(request, is_it)

    async def _keep_all(self, turn: Turn, typed: str, request: Request) -> list[Outcome]:
        if wants_reminder(typed) or self.requests.reader.may_ask(typed):
            readings = await self._list_asked(turn, typed, request)
        else:
            readings = await self._list_following(turn, typed, request)
        if not turn.without_model and any(map(_is_unclear, readings)):
            return []
        if any(not list_concepts(each.text) for each in readings) and (this := await quote_replied(self.turns, turn)):
            readings = [each if list_concepts(each.text) else replace(each, text=this) for each in readings]
        numbered = [
            Request(request.message, request.scope, request.language, number, request.exchange)
            for number in range(len(readings))
        ]
        return [await self.requests.keep(*each) for each in zip(readings, numbered, strict=True)]

    def _find_placed(self, turn: Turn, request: Request) -> Order | None:
        """Return the order that names reminders by nothing but their place among those that were shown last."""
        order = find_placed_order(turn.analysed, self.shown.find_numbers(turn, _NUMBERED))
        said = None if order is None else describe(order, lambda part: self.requests.read_alone(part, request))
        return order if said is not None and not said.words and said.before is None else None

    async def _find_correction(self, turn: Turn, request: Request) -> Order | None:
        """Return the order that "sorry, at 10" is right behind the author's message that asked for a reminder.

        Without a model so is a time alone.
        """
        analysed = turn.analysed
        typed = analysed.strip()
        value = find_corrected_value(typed) if len(typed) <= _ANSWER_CHARS else ""
        if not value and not (turn.without_model and begins_with_value(typed)):
            return None
        to = self._find_time(value or typed, request)
        return Order(Act.MOVE, to, sure=True) if to and await self._asked_just_now(turn, request) else None

    async def _list_following(self, turn: Turn, typed: str, request: Request) -> list[WhenReading]:
        """Return the reminder that "and on Friday at 10 the dentist" asks for, right behind another one."""
        more = _MORE.match(typed) if turn.without_model and len(typed) <= _ANSWER_CHARS else None
        if more is None or is_question(typed):
            return []
        reading = self.requests.read(typed[more.end() :], request)
        named = measure_telling(typed) < LIKELY or len(reading.text.split()) <= _FEW
        whole = reading.plan is not None and not reading.plan.assumed and reading.text and named
        return [reading] if whole and await self._asked_just_now(turn, request) else []

    async def _asked_just_now(self, turn: Turn, request: Request) -> bool:
        """Whether the author's last messages asked for a reminder and, since, for nothing but another time.

        A reply is about the message that it replies to.
        """
        number = turn.message.replies_to
        replied = await self.turns.find_replied(turn.scope, turn.address, number) if number else None
        for exchange in reversed(await self.turns.history(turn.scope, turn.session.id, _LOOKED_BACK)):
            if exchange.author.id != turn.message.author.id:
                return False
            reminder = await self.orders.remind.store.find_asked(turn.scope, exchange.uid, exchange.author.id)
            if reminder is not None or not self._find_time(exchange.user_text, request):
                if replied is not None and replied.exchange.uid != exchange.uid:
                    return False
                return reminder is not None or wants_reminder(exchange.user_text)  # whose time we asked for
        return False

    def _find_time(self, text: str, request: Request) -> str:
        return find_only_time(text, lambda part: self.requests.read_alone(part, request))

    async def _list_asked(self, turn: Turn, typed: str, request: Request) -> list[WhenReading]:
        """Return what the sentences say that ask for a reminder; none if a model had better read the message."""
        sentences = [part for each in split_sentences(typed)[:_LOOKED_AT] for part in _split_requests(each)]
        read = [(each, await asyncio.to_thread(self.requests.read, each, request)) for each in sentences]
        wanted = [(sentence, reading) for sentence, reading in read if is_request(sentence, reading)]
        asked = [await self.events.read(sentence, reading, request) for sentence, reading in wanted]
        others = [each for each, reading in read if not is_request(each, reading) and not is_trivial(each)]
        if len(asked) > _MOST or (others and not turn.without_model):
            return []
        return self._read_whole(typed, asked, request) if len(asked) == 1 < len(sentences) else asked

    def _read_whole(self, typed: str, asked: list[WhenReading], request: Request) -> list[WhenReading]:
        """Return what the sentences say together, where the one that asks leaves the time to another."""
        whole = self.requests.read(typed, request) if asked[0].plan is None and len(typed) <= _ANSWER_CHARS else None
        return asked if whole is None or whole.plan is None else [whole]


def _split_requests(sentence: str) -> list[str]:
    """Return a sentence parted before each further request: "remind me … and remind me …"."""
    parts = _AGAIN.split(sentence)
    return parts if all(wants_reminder(part) for part in parts) else [sentence]


def _is_unclear(reading: WhenReading) -> bool:
    return reading.problem in (WhenProblem.NO_TIME, WhenProblem.EVENT)


def _join(first: Reply, then: Reply) -> Reply:
    return replace(then, text=f"{first.text}\n\n{then.text}", buttons=(*first.buttons, *then.buttons))


def _write(outcomes: list[Outcome], texts: Texts) -> Reply | None:
    replies = [make_kept_reply(outcome, texts, ReplyKind.NOTED) for outcome in outcomes]
    if not replies:
        return None
    text = "\n\n".join(reply.text for reply in replies)
    return Reply(text, ReplyKind.NOTED, tuple(button for reply in replies for button in reply.buttons))
