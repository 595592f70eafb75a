"""Carries out orders in words about reminders, each with a way back: a button, or "undo that".

What somebody's last orders did is noted before it is done, by the exchange of the order: a turn that a crash cut off
does the same to the same reminder when it is run again, and the way back is there after a restart.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.commands.formatting import make_reply
from bot.core.rights import Whose
from bot.errors import CommandInvalid
from bot.features.reminders.commands import Remind
from bot.features.reminders.orders import (
    Act,
    Description,
    Order,
    comes_then,
    describe,
    find_newest,
    find_others,
    list_new_plans,
    names_any,
    pick,
    shift,
    write_back,
    write_former,
)
from bot.features.reminders.requests import Request, list_plans
from bot.features.reminders.wording import make_time_buttons, write_exactly, write_line, write_text
from bot.ports.reminders import Reminder
from bot.ports.system import CommandCall
from bot.ports.tickets import Asked, TicketKind
from bot.ports.when import Plan
from bot.turn import BUTTONS_LAST_S, Reply, ReplyKind, Turn
from language.texts import Texts

_MOST: Final = 1_000
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
        page = await self.remind.store.page(turn.scope, turn.address, size=_MOST)
        request = Request(turn.message, turn.scope, texts.language, exchange=turn.uid)
        if order.act is Act.MOVE or page.total:
            said = describe(order, lambda text: self.remind.requests.read_alone(text, request))
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
        call, texts = CommandCall.by(turn, self.remind.name), turn.texts
        page = await self.remind.store.page(turn.scope, turn.address, size=_MOST)
        mine = [each for each in page.reminders if each.asker_id == call.author.id]
        order = Order(Act.MOVE, sentence, sure=False)
        if not names_any(order, mine):
            return None
        request = Request(turn.message, turn.scope, texts.language)
        said = describe(order, lambda text: self.remind.requests.read_alone(text, request))
        found = pick(mine, said, call.now) if said.words and said.to else ()
        options = [option for each in found for option in self._list_options(order, said, each, request)]
        if len(found) != 1 or not options or options == [write_former(found[0])]:
            return None
        buttons = tuple((_label(found[0], option, texts, timed=True), f"/remind {option}") for option in options)
        return make_reply(texts.reminders.offer_move.format(text=write_line(found[0], texts)), buttons=buttons)

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
        if not found and here and alone and (order.sure or order.named):
            page, words = await self.remind.list_page(call, texts, 1), texts.reminders
            others = not mine if not (said.words or said.before) else bool(pick(here, said, call.now))
            return replace(page, text=f"{words.not_yours if others else words.none_named}\n\n{page.text}")
        if not found or not (order.sure or meant):
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
        kept, at = await self.remind.store.list_scope(call.scope, limit=_MOST), call.message.address
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
        page = await self.remind.store.page(call.scope, call.message.address, size=_MOST)
        return {write_back(each) for each in page.reminders}

    async def _renumber(self, call: CommandCall, undone: _Done, left: list[_Done]) -> list[_Done]:
        """Return what earlier orders did to a reminder that was put back, by the number that it has now."""
        cancelled = re.fullmatch(r"cancel (\d+)", undone.command)
        page = await self.remind.store.page(call.scope, call.message.address, size=_MOST)
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
