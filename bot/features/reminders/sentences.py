"""Sentences that ask for reminders, or give orders about those that are set, without a command and without a model.

Of sentences, only what the author typed asks for anything.  A message that says more than that is left to the model
where there is one, which has the same reminders as a tool; so is a time that hangs on something only memory may know.

Orders have a way back: a button, or "undo that".  What somebody's last orders did is noted before it is done, by the
exchange of the order: a turn that a crash cut off does the same to the same reminder when it is run again.
"""

import asyncio
import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final

import structlog

from bot.commands.formatting import make_reply
from bot.commands.replied import quote_replied
from bot.core.choices import read_choice
from bot.core.rights import Whose
from bot.core.shown import ShownLast, choose
from bot.errors import CommandInvalid, MnemeError
from bot.features.reminders.commands import Remind
from bot.features.reminders.orders import (
    Act,
    Description,
    Order,
    comes_then,
    complete_time,
    cut_reason,
    describe,
    drop_idle,
    find_marked_time,
    find_newest,
    find_only_time,
    find_order,
    find_other_time,
    find_others,
    find_placed_order,
    find_reasoned_move,
    find_shown_order,
    list_new_plans,
    name_alarm,
    names_all,
    names_any,
    pick,
    shift,
    write_back,
    write_former,
)
from bot.features.reminders.requests import EventTimes, Outcome, ReminderRequests, Request, is_request, list_plans
from bot.features.reminders.wording import (
    make_kept_reply,
    make_time_buttons,
    make_waiting_reply,
    write_exactly,
    write_line,
    write_text,
)
from bot.memory.answering.questions import FIRST_PERSON
from bot.memory.concepts import is_alike, list_concepts
from bot.memory.learning.correction import begins_with_value, find_corrected_value
from bot.memory.learning.kinds import LIKELY, SentenceKind, measure_telling, tell_kinds
from bot.memory.learning.orders import Role
from bot.memory.learning.speech_acts import (
    is_question,
    is_trivial,
    list_telling_sentences,
    says_goodbye,
    wants_reminder,
)
from bot.memory.patterns import compile_bounded
from bot.messages import MessageKind
from bot.ports.reminders import Reminder
from bot.ports.system import CommandCall
from bot.ports.tickets import Asked, TicketKind
from bot.ports.turn_store import TurnStore
from bot.ports.when import Plan, WhenProblem, WhenReading
from bot.turn import BUTTONS_LAST_S, Reply, ReplyKind, Turn
from language import alternatives, languages
from language.sentences import split_sentences
from language.texts import Texts
from language.words import split_words

_ALL: Final = 1_000
_SHOWN: Final = 6
_KEPT: Final = 12
"""Orders of a person that can be taken back."""


@dataclass(frozen=True, slots=True)
class _Done:
    """What the order of an exchange did, as a command, and the command that takes it back."""

    exchange: str
    command: str
    back: str


@dataclass(frozen=True, slots=True)
class ReminderOrders:
    """Cancels, moves and shows what the words of an order mean."""

    remind: Remind

    async def answer(self, turn: Turn, order: Order) -> Reply | None:
        """Carry an order out and say what was done, or show what it may mean; ``None`` where that is nothing.

        A language model answers what no reminder fits.
        """
        call, texts, alone = CommandCall.by(turn, self.remind.name), turn.texts, turn.without_model
        again = [each for each in await self._load(call) if each.exchange == turn.uid]
        if again:
            return await self._run(call, again[0], texts)
        page = await self.remind.store.page(turn.scope, turn.address, size=_ALL)
        request = Request(turn.message, turn.scope, texts.language, exchange=turn.uid)
        if order.act is Act.MOVE or page.total:
            read = partial(self.remind.requests.read_alone, request=request)
            if order.act is Act.MOVE:
                sentence, beside = cut_reason(order.sentence, read)
                order = replace(order, sentence=sentence, beside=beside or order.beside)
            said = describe(order, read)
            said = drop_idle(said, page.reminders) if order.nameless else said
            if order.act is Act.SHOW:
                return await self._show(call, order, said, page.reminders, texts, alone=alone)
            return await self._change(call, order, said, request, page.reminders, texts, alone=alone)
        return make_reply(texts.reminders.none) if order.named and alone else None

    async def take_back(self, call: CommandCall, exchange: str, *, only_back: bool) -> Reply | None:
        """Take back what an exchange did to reminders, unless ``only_back`` the making of one among it."""
        done = await self._load(call)
        texts = call.texts
        for each in done:
            if each.exchange == exchange:
                left = [other for other in done if other is not each]
                if each.back in await self._list_backs(call):  # the button was pressed
                    await self._save(call, left)
                    return None
                reply = await self._try(call, each.back)
                await self._save(call, await self._renumber(call, each, left))
                return reply
        if only_back:
            return None
        removed = []
        while (reminder := await self.remind.store.find_asked(call.scope, exchange, call.author.id)) is not None:
            if not reminder.open or not await self.remind.store.remove(reminder):
                break
            removed.append(reminder)
        request = Request(call.message, call.scope, texts.language)
        asked_for = await self.remind.requests.drop_question(request, lambda _, wanted_in: wanted_in == exchange)
        if asked_for and not removed:
            return make_reply(texts.reminders.cancelled.format(text=write_text(asked_for, texts)))
        if not removed:
            return None
        told = "\n".join(texts.reminders.cancelled.format(text=write_text(each.text, texts)) for each in removed)
        buttons = tuple((texts.reminders.put_back_button, f"/remind {write_back(each)}") for each in removed)
        return make_reply(told, buttons=buttons)

    async def answer_choice(self, turn: Turn, offered: Sequence[str]) -> Reply | None:
        """Carry out the one order to cancel or move that a message chooses of those just shown, ``None`` for none.

        A number means the reminder that is listed under it, and nothing where another one stands in that place.
        """
        commands = tuple(each[1] for command in offered if (each := _OFFERED.fullmatch(command)) is not None)
        same = bool(commands) and len(commands) == len(offered)
        choice = read_choice(turn.analysed) if same and turn.without_model else None
        if choice is None or choice.none or len(choice.places) > 1:
            return None
        numbered = {each for each in commands if each.split()[1] in map(str, choice.places)}
        meant = numbered | set(choose(commands, choice.places))
        if not choice.places and (choice.agrees or choice.every):
            meant = set(commands)
        if len(meant) != 1:
            return None
        call, command = CommandCall.by(turn, self.remind.name), meant.pop()
        page = await self.remind.store.page(turn.scope, turn.address, size=_ALL)
        reminder = next((each for each in page.reminders if str(each.number) == command.split()[1]), None)
        if reminder is None:
            return await self._try(call, command)
        back = write_back(reminder) if command.startswith("cancel") else write_former(reminder)
        await self.note(call, turn.uid, command, back)
        return await self._run(call, _Done(turn.uid, command, back), turn.texts)

    async def offer_new(self, turn: Turn, sentence: str) -> Reply | None:
        """Return the offer to remind the caller of a sentence at the time that it names; ``None`` without one."""
        call, texts = CommandCall.by(turn, self.remind.name), turn.texts
        request = Request(turn.message, turn.scope, texts.language, exchange=turn.uid)
        reading = await asyncio.to_thread(self.remind.requests.read, sentence, request)  # compiles patterns at first
        plans = list_plans(reading)
        if not plans or not reading.text or await self.remind.store.find_asked(call.scope, turn.uid, call.author.id):
            return None
        return make_reply(texts.reminders.offer_new, buttons=make_time_buttons(plans, reading.text, turn.uid, texts))

    async def offer_move(self, turn: Turn, sentence: str) -> Reply | None:
        """Return the offer to move the caller's one reminder that a sentence names, to the time that it names."""
        call = CommandCall.by(turn, self.remind.name)
        page = await self.remind.store.page(turn.scope, turn.address, size=_ALL)
        mine = [each for each in page.reminders if each.asker_id == call.author.id]
        order = Order(Act.MOVE, sentence, sure=False)
        if not names_any(order, mine):
            return None
        request = Request(turn.message, turn.scope, turn.texts.language)
        said = describe(order, lambda text: self.remind.requests.read_alone(text, request))
        found = pick(mine, said, call.now) if said.words and said.to else ()
        return await self.offer_time(turn, found[0], said.to) if len(found) == 1 else None

    async def offer_time(self, turn: Turn, reminder: Reminder, to: str) -> Reply | None:
        """Return the offer to move a reminder to a time, ``None`` where it comes then, or that is over."""
        request, texts = Request(turn.message, turn.scope, turn.texts.language), turn.texts
        said = Description((), to=to)
        options = self._list_options(Order(Act.MOVE, to, sure=False), said, reminder, request)
        if not options or options == [write_former(reminder)]:
            return None
        buttons = tuple((_label(reminder, option, texts, timed=True), f"/remind {option}") for option in options)
        return make_reply(texts.reminders.offer_move.format(text=write_line(reminder, texts)), buttons=buttons)

    async def note(self, call: CommandCall, exchange: str, command: str, back: str) -> None:
        """Keep the way back of what an exchange does."""
        await self._save(call, [*(await self._load(call)), _Done(exchange, command, back)])

    async def _show(
        self, call: CommandCall, order: Order, said: Description, here: Sequence[Reminder], texts: Texts, *, alone: bool
    ) -> Reply | None:
        found = pick(here, said, call.now) if said.words or said.before is not None else tuple(here)
        if len(found) == 1:
            return await self._try(call, f"show {found[0].number}")
        if not found and not (alone and (order.named or order.sure)):
            return None
        if found and len(found) < len(here):
            return _list(texts.reminders.named, found, [(each, f"/remind show {each.number}") for each in found], texts)
        page = await self.remind.list_page(call, texts, 1)
        return page if found else replace(page, text=f"{texts.reminders.none_named}\n\n{page.text}")

    async def _change(
        self,
        call: CommandCall,
        order: Order,
        said: Description,
        request: Request,
        here: Sequence[Reminder],
        texts: Texts,
        *,
        alone: bool,
    ) -> Reply | None:
        mine = [each for each in here if each.asker_id == call.author.id]
        if order.act is Act.CANCEL and said.every and not said.words and said.before is None and len(mine) > 1:
            words = texts.reminders
            button = (words.cancel_all_button, "/remind cancel all")
            return make_reply(words.confirm_cancel_all.format(count=len(mine)), buttons=(button,))
        found, meant = await self._find(call, order, said, here, mine)
        if not found and alone and (order.sure or order.named) and (here or (order.sure and order.named)):
            return await self._tell_none(call, said, here, mine, texts)
        if not found or not (order.sure or meant) or (order.done and not names_all(said, found)):
            return None
        options = [(each, option) for each in found for option in self._list_options(order, said, each, request)]
        if not options:
            return make_reply(texts.reminders.no_new_time) if order.sure else None
        sure = order.sure or (order.likely and bool(said.words))
        if len(options) == 1 and meant and sure and comes_then(found[0], said, call.now):
            reminder, command = options[0]
            back = write_former(reminder) if order.act is Act.MOVE else write_back(reminder)
            await self.note(call, request.exchange, command, back)
            return await self._run(call, _Done(request.exchange, command, back), texts)
        head = texts.reminders.which_move if order.act is Act.MOVE else texts.reminders.which_cancel
        return _list(head, found, [(each, f"/remind {command}") for each, command in options], texts)

    async def _tell_none(
        self, call: CommandCall, said: Description, here: Sequence[Reminder], mine: Sequence[Reminder], texts: Texts
    ) -> Reply:
        """Return that no reminder of the caller is meant, with those that there are."""
        if not here:
            return make_reply(texts.reminders.none)
        page, words = await self.remind.list_page(call, texts, 1), texts.reminders
        others = not mine if not (said.words or said.before) else bool(pick(here, said, call.now))
        return replace(page, text=f"{words.not_yours if others else words.none_named}\n\n{page.text}")

    async def _find(
        self, call: CommandCall, order: Order, said: Description, here: Sequence[Reminder], mine: Sequence[Reminder]
    ) -> tuple[tuple[Reminder, ...], bool]:
        """Return the reminders that may be meant, and whether that is more than having to choose among all."""
        if order.numbers:
            return tuple(each for each in mine if each.number in order.numbers), True
        if said.words or said.before is not None:
            found = pick(mine, said, call.now)
            if not found and await self.remind.may(self.remind.name, call.message, call.scope, Whose.OTHERS):
                found = pick(here, said, call.now)
            return found, True
        started = call.session.started_at
        newest = find_newest(mine, started)
        if order.act is Act.MOVE:
            newest = find_newest((*mine, *await self._list_said(call)), started)
        if newest is not None:
            others, sure = find_others(order.beside, newest, mine)
            return (newest, *others), sure
        return tuple(mine), len(mine) == 1

    async def _list_said(self, call: CommandCall) -> list[Reminder]:
        """Return the caller's reminders of this chat that came and will not come again."""
        kept, at = await self.remind.store.list_scope(call.scope, limit=_ALL), call.message.address
        here = (at.platform, at.chat_id, at.topic_id)
        return [
            each
            for each in kept
            if not each.open
            and each.asker_id == call.author.id
            and (each.address.platform, each.address.chat_id, each.address.topic_id) == here
        ]

    def _list_options(self, order: Order, said: Description, reminder: Reminder, request: Request) -> list[str]:
        """Return the commands that an order may mean for a reminder."""
        if order.act is Act.CANCEL:
            return [f"cancel {reminder.number}"]
        plans: tuple[Plan, ...] = ()
        if said.to:
            plans = list_new_plans(said.to, reminder, self.remind.requests, request)
        elif said.by is not None and (plan := shift(reminder, said.by)) is not None:
            plans = (plan,)
        return [f"move {reminder.number} {write_exactly(each, '')}" for each in plans]

    async def _run(self, call: CommandCall, done: _Done, texts: Texts) -> Reply:
        """Carry out what was noted, also for the second time, and offer the way back."""
        reply = await self._try(call, done.command)
        button = (texts.reminders.put_back_button, f"/remind {done.back}")
        return replace(reply, kind=ReplyKind.NOTICE, buttons=(button,) if done.back else ())

    async def _try(self, call: CommandCall, argument: str) -> Reply:
        try:
            return await self.remind.run(replace(call, argument=argument))
        except CommandInvalid as error:
            return make_reply(str(error))

    async def _list_backs(self, call: CommandCall) -> set[str]:
        """Return the reminders that are set as what puts back a cancelled one would make them."""
        page = await self.remind.store.page(call.scope, call.message.address, size=_ALL)
        return {write_back(each) for each in page.reminders}

    async def _renumber(self, call: CommandCall, undone: _Done, left: list[_Done]) -> list[_Done]:
        """Return what earlier orders did to a reminder that was put back, by the number that it has now."""
        cancelled = re.fullmatch(r"cancel (\d+)", undone.command)
        page = await self.remind.store.page(call.scope, call.message.address, size=_ALL)
        if cancelled is None or not page.reminders:
            return left
        now = max(each.number for each in page.reminders)
        old, new = f"move {cancelled[1]} ", f"move {now} "
        return [
            replace(each, command=each.command.replace(old, new, 1), back=each.back.replace(old, new, 1))
            if each.back.startswith(old)
            else each
            for each in left
        ]

    async def _load(self, call: CommandCall) -> list[_Done]:
        content = await self.remind.requests.tickets.find(TicketKind.ORDERS, _ask(call), call.now) or ()
        return [_Done(*content[at : at + 3]) for at in range(0, len(content), 3)]

    async def _save(self, call: CommandCall, done: Sequence[_Done]) -> None:
        content = tuple(part for each in done[-_KEPT:] for part in (each.exchange, each.command, each.back))
        await self.remind.requests.tickets.issue(TicketKind.ORDERS, _ask(call), content, call.now, BUTTONS_LAST_S)


def _list(head: str, found: Sequence[Reminder], commands: Sequence[tuple[Reminder, str]], texts: Texts) -> Reply:
    """Return reminders that may be meant, with a button for each command."""
    lines = "\n".join(write_line(each, texts) for each in found[:_SHOWN])
    move = len(found) == 1 and " move " in commands[0][1]
    meant = [each for each, _ in commands]
    buttons = tuple(
        (_label(each, command, texts, timed=move or meant.count(each) > 1), command)
        for each, command in commands[:_SHOWN]
    )
    return make_reply(head, lines, buttons=buttons)


def _label(reminder: Reminder, command: str, texts: Texts, *, timed: bool) -> str:
    """Return what a button says: the number of the reminder, or the time that it is moved to."""
    if not timed:
        return texts.reminders.open_button.format(number=reminder.number)
    local = datetime.fromisoformat(command.removeprefix("/remind ").split()[2])
    return texts.reminders.move_to_button.format(when=texts.moment(local, weekday=True))


def _ask(call: CommandCall) -> Asked:
    return Asked(call.scope, call.message.address, call.author.id)


_MOST: Final = 5
"""Reminders that one message may ask for."""
_LOOKED_AT: Final = 12
"""Sentences of a message: who asks to be reminded does so early."""
_OFFERED: Final = re.compile(r"/remind (cancel (?:\d+|all)|move \d+ .+)")
_NUMBERED: Final = re.compile(r"/remind (?:show|cancel|move) (\d+)")
_LOOKED_BACK: Final = 4
"""Messages between one that asked for a reminder and one that puts its time right, which did so, too."""
_FEW: Final = 3
"""Words that name something to be reminded of where longer ones tell of it: "the dentist", "the boiler man comes"."""
_RIGHTS: Final = (SentenceKind.REMINDER_MOVE, SentenceKind.CORRECTION)
_HARDLY: Final = 0.2
"""Likelihood of a fact from which on the only time that a message names may be of what it tells."""
_SHORT: Final = 6
"""Words of a message that puts another number into a time that was said."""
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
        if not edited and (chosen := await self.orders.answer_choice(turn, self.shown.list_just_shown(turn))):
            return chosen
        order = None if edited else find_order(analysed, only_sure=not turn.without_model)
        if (dropped := await self._drop_question(order, typed, request)) is not None:
            return make_reply(texts.reminders.cancelled.format(text=write_text(dropped, texts)))
        alarm = self._find_alarm(typed, request, texts)
        still = edited or bool(alarm) or _is_bare(typed)  # moves nothing that is set
        order = None if still else order
        shows = order is not None and order.act is Act.SHOW
        idle = is_trivial(typed) and not is_question(typed)
        if idle and (waiting := await self.requests.find_question(request)) is not None:
            return make_waiting_reply(waiting, texts)  # "thanks" says no time: it is still wanted
        if len(typed) <= _ANSWER_CHARS and not (shows or alarm or says_goodbye(typed)):  # "see you tomorrow"
            find_time = partial(self._find_time, request=request, reasoned=not wants_reminder(typed))
            answered = await self.requests.answer_question(typed, request, find_time)
            if answered is not None:
                return make_kept_reply(answered, texts, ReplyKind.NOTICE)  # a time alone tells nothing
        moves = not still and (order is None or order.act is Act.MOVE)
        completed = await self._complete(turn, request) if moves else None
        if not still and (order is None or not order.sure) and completed is None:
            order = await self._find_correction(turn, request) or order
        order = completed or (None if still else await self._find_placed(turn, request)) or order
        reply = await self.orders.answer(turn, order) if order is not None else None
        if shows and (waiting := await self.requests.find_question(request)) is not None:
            told = make_waiting_reply(waiting, texts)
            set_already = reply is not None and reply.text != texts.reminders.none
            return _join(told, reply) if reply is not None and set_already else told
        if reply is None and (kept := await self._keep_all(turn, typed, request, alarm)):
            self.shown.drop(turn)
            reply = _write(kept, texts)
        return reply

    def _find_alarm(self, typed: str, request: Request, texts: Texts) -> str:
        """Return what a new alarm is called that a message orders, "" for none: "from 6 to 7" moves one."""
        alarm = name_alarm(typed, texts.reminders.alarm)
        read = partial(self.requests.read_alone, request=request)
        said = describe(Order(Act.MOVE, typed, sure=True), read) if alarm else None
        two = said is not None and said.before is not None and bool(said.to)
        return "" if two and self.requests.read(typed, request).plan is None else alarm

    async def _drop_question(self, order: Order | None, typed: str, request: Request) -> str | None:
        """Ask no more for a time, if an order is about what that was asked for, or a "no" answers it."""
        choice = read_choice(typed)
        none = choice is not None and choice.none
        if not none and (order is None or order.act is not Act.CANCEL):
            return None
        read = partial(self.requests.read_alone, request=request)
        words = describe(order, read).words if order is not None and not none else ()

        def is_it(wanted: str, _: str) -> bool:
            return not words or any(is_alike(word, one) for word in words for one in list_concepts(wanted))

        return await self.requests.drop_question(request, is_it)

    async def _keep_all(self, turn: Turn, typed: str, request: Request, alarm: str) -> list[Outcome]:
        if wants_reminder(typed) or self.requests.reader.may_ask(typed):
            readings = await self._list_asked(turn, typed, request)
        else:
            readings = await self._list_following(turn, typed, request)
        if not turn.without_model and any(map(_is_unclear, readings)):
            return []
        if any(not list_concepts(each.text) for each in readings) and (this := await quote_replied(self.turns, turn)):
            readings = [each if list_concepts(each.text) else replace(each, text=this) for each in readings]
        readings = [
            replace(each, text=alarm or each.text) if not list_concepts(each.text) else each for each in readings
        ]
        numbered = [
            Request(request.message, request.scope, request.language, number, request.exchange)
            for number in range(len(readings))
        ]
        return [await self.requests.keep(*each) for each in zip(readings, numbered, strict=True)]

    async def _find_placed(self, turn: Turn, request: Request) -> Order | None:
        """Return the order about some of those that were shown last, by nothing but their place, or by their words."""
        numbers, read = self.shown.find_numbers(turn, _NUMBERED), partial(self.requests.read_alone, request=request)
        order = find_placed_order(turn.analysed, numbers)
        said = None if order is None else describe(order, read)
        if said is not None and not said.words and said.before is None:
            return order
        page = await self.orders.remind.store.page(turn.scope, turn.address, size=_ALL) if numbers else None
        shown = [each for each in page.reminders if each.number in numbers] if page is not None else []
        return find_shown_order(turn.analysed, shown, read)

    async def _complete(self, turn: Turn, request: Request) -> Order | None:
        """Return the order that a number makes right behind the request for a reminder: "no, 3" after "in 2 hours"."""
        typed = turn.analysed.strip()
        if not any(map(str.isdigit, typed)) or len(typed.split()) > _SHORT:
            return None
        said, _ = await self._find_asked(turn, request)
        read = partial(self.requests.read_alone, request=request)
        to = complete_time(find_corrected_value(typed) or typed, said, read)
        return Order(Act.MOVE, to, sure=True) if to else None

    async def offer(self, turn: Turn) -> Reply | None:
        """Return the offer to move what the author asked for just now to what may be its new time."""
        request = Request(turn.message, turn.scope, turn.texts.language, exchange=turn.uid)
        if _is_bare(turn.analysed) or self._find_alarm(turn.analysed.strip(), request, turn.texts):
            return None
        _, reminder, to = await self._find_new_time(turn, request)
        return await self.orders.offer_time(turn, reminder, to) if to and reminder is not None else None

    async def _find_correction(self, turn: Turn, request: Request) -> Order | None:
        """Return the order that "sorry, at 10" is right behind the author's message that asked for a reminder.

        Without a model so is a time alone, and an order to move it with the reason; one that names another is, too.
        """
        read = partial(self.requests.read_alone, request=request)
        sure, _, to = await self._find_new_time(turn, request)
        if sure and to:
            return Order(Act.MOVE, to, sure=True)
        move = self._find_reasoned(turn, read)
        return move if move is not None and describe(move, read).words else None

    def _find_reasoned(self, turn: Turn, read: Callable[[str], WhenReading | None]) -> Order | None:
        typed = turn.analysed.strip()
        short = turn.without_model and len(typed) <= _ANSWER_CHARS and not find_corrected_value(typed)
        return find_reasoned_move(typed, read) if short else None

    async def _find_new_time(self, turn: Turn, request: Request) -> tuple[bool, Reminder | None, str]:
        """Return whether a message surely moves what the author asked for just now, that reminder, and its new time.

        "" for no such time.  It surely does where it denies, or is read as an order to move something, or names the
        former time as well, and its clause names nothing but the time; or where it hardly tells of something else.
        """
        typed, read = turn.analysed.strip(), partial(self.requests.read_alone, request=request)
        if len(typed) > _ANSWER_CHARS:
            return False, None, ""
        value, kinds = find_corrected_value(typed), [tell_kinds(each) for each in list_telling_sentences(typed)]
        if (move := self._find_reasoned(turn, read)) is not None:
            value = move.sentence
        rights = max((each.measure(*_RIGHTS) for each in kinds), default=0.0)
        times = any(each.order.pick(Role.TIME, Role.NEW) for each in kinds) or begins_with_value(typed)
        if not (value or (turn.without_model and (times or rights >= _HARDLY))):
            return False, None, ""
        just_now, reminder = await self._find_asked(turn, request)
        if not just_now or (is_question(typed) and rights < LIKELY):
            return False, None, ""
        other = find_other_time(typed, reminder, read, turn.started_at) if reminder is not None else None
        told = max((each.measure(SentenceKind.FACT) for each in kinds), default=0.0)
        if other is None:
            return True, reminder, self._find_time(value or typed, request, reasoned=bool(value))
        likely = rights >= LIKELY
        alone = other.alone or bool(value and find_only_time(value, read))
        sure = (alone and (value or likely or other.instead)) or (likely and other.instead) or other.whole
        return bool(sure), reminder, other.to if sure or other.instead or rights > told else ""

    async def _list_following(self, turn: Turn, typed: str, request: Request) -> list[WhenReading]:
        """Return the reminder that "and on Friday at 10 the dentist" asks for, right behind another one."""
        more = _MORE.match(typed) if turn.without_model and len(typed) <= _ANSWER_CHARS else None
        if more is None or is_question(typed):
            return []
        reading = self.requests.read(typed[more.end() :], request)
        said = split_words(reading.text)
        named = measure_telling(typed) < LIKELY or (len(said) <= _FEW and FIRST_PERSON.isdisjoint(said))
        whole = reading.plan is not None and not reading.plan.assumed and reading.text and named
        return [reading] if whole and (await self._find_asked(turn, request))[0] else []

    async def _find_asked(self, turn: Turn, request: Request) -> tuple[str, Reminder | None]:
        """Return with what the author asked for a reminder last and, since, for nothing but another time, or "".

        With that reminder, ``None`` where we asked for its time.  A reply is about the message that it replies to.
        """
        number = turn.message.replies_to
        replied = await self.turns.find_replied(turn.scope, turn.address, number) if number else None
        me, store = turn.message.author.id, self.orders.remind.store
        before = reversed(await self.turns.history(turn.scope, turn.session.id, _LOOKED_BACK))
        own = tuple(itertools.takewhile(lambda each: each.author.id == me, before))
        asked = [await store.find_asked(turn.scope, each.uid, me) for each in own]
        wants = [one is not None or wants_reminder(each.user_text) for one, each in zip(asked, own, strict=True)]
        for place, exchange in enumerate(own):
            if not any(wants[place:]):
                return "", None  # before a time is looked for, which takes long
            if asked[place] is not None or not self._find_time(exchange.user_text, request, reasoned=not wants[place]):
                meant = wants[place] and (replied is None or replied.exchange.uid == exchange.uid)
                return exchange.user_text if meant else "", asked[place]
        return "", None

    def _find_time(self, text: str, request: Request, *, reasoned: bool = False) -> str:
        """Return the time that a text names alone, or with what says why where that is ``reasoned``."""
        read = partial(self.requests.read_alone, request=request)
        if not reasoned:
            return find_only_time(text, read)
        to = find_only_time(cut_reason(text, read)[0], read)
        return to or ("" if tell_kinds(text).measure(SentenceKind.FACT) >= _HARDLY else find_marked_time(text, read))

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


def _is_bare(text: str) -> bool:
    """Whether a text is a number alone, which says no time."""
    return text.strip(" .!#").isdigit()


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
