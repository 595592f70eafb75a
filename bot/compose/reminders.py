"""Joins what reminders are made of: the table, the reader of times, the chats' zones, the clock that says them."""

from __future__ import annotations

from datetime import datetime

from tzlocal import get_localzone_name

from adapters.when.reader import LanguageWhenReader
from bot.commands.language import Voice
from bot.compose.rights import build_may
from bot.features.reminders.clock import ReminderClock, ReminderHooks, ReminderRules
from bot.features.reminders.commands import ListReminders, Remind
from bot.features.reminders.requests import ReminderRequests, Zone
from bot.features.reminders.sentences import SentenceReminders
from bot.features.reminders.tool import Remind as RemindTool
from bot.features.reminders.tool import ReminderWords
from bot.features.reminders.wording import write_exactly, write_kept, write_line, write_text
from bot.messages import Address
from bot.ports.command import Command
from bot.ports.reminders import Reminder
from bot.ports.tool import Tool
from bot.ports.when import Plan
from bot.runtime.container import Container
from bot.turn import Turn
from language.registry import choose_texts
from language.texts import Texts


def build_reminder_commands(parts: Container, voice: Voice) -> tuple[Command, ...]:
    """Return /remind and /reminders."""
    remind = Remind(voice, _build_requests(parts), parts.reminders, build_may(parts))
    return remind, ListReminders(remind)


def build_sentence_reminders(parts: Container, voice: Voice, *, alone: bool) -> SentenceReminders:
    """Return what answers sentences that ask for reminders; ``alone`` without a language model."""
    return SentenceReminders(voice, _build_requests(parts), parts.turns, alone)


def build_reminder_tool(parts: Container, voice: Voice) -> Tool:
    """Return the model's tool."""

    def ask(turn: Turn, plan: Plan, text: str, zone: str) -> tuple[str, str, str]:
        texts = voice(turn.message)
        words = texts.reminders
        when = texts.moment(plan.local, weekday=True)
        question = words.ask_agreement.format(when=when, zone=zone, text=write_text(text, texts))
        return question, words.agree_button, f"/remind {write_exactly(plan, text)}"

    words = ReminderWords(
        language=lambda turn: voice(turn.message).language,
        kept=lambda turn, outcome: write_kept(outcome, voice(turn.message)),
        line=lambda turn, reminder: write_line(reminder, voice(turn.message)),
        question=ask,
    )
    return RemindTool(_build_requests(parts), parts.reminders, words)


def build_reminder_clock(parts: Container, hooks: ReminderHooks) -> ReminderClock:
    """Return what says reminders when they are due."""

    def choose(reminder: Reminder) -> Texts:
        return choose_texts(reminder.language, parts.rules.find_language(reminder.address))

    async def is_admitted(reminder: Reminder) -> bool:
        return await _is_admitted(parts, reminder)

    def find_quiet_end(address: Address, now: datetime) -> datetime | None:
        return parts.rules.find_quiet_end(address, now)

    def list_zones() -> object:
        chosen = tuple((address, settings.time_zone) for address, settings in parts.chat_settings.list_chats())
        return parts.settings.time_zone(), chosen

    rules = ReminderRules(
        choose, lambda address: find_zone(parts, address).name, list_zones, find_quiet_end, is_admitted
    )
    return ReminderClock(
        parts.agenda,
        parts.deliveries,
        parts.messengers,
        parts.chats,
        parts.clock,
        rules=rules,
        hooks=hooks,
        woken=parts.reminder_woken,
    )


def find_zone(parts: Container, address: Address) -> Zone:
    """Return the zone of a chat: its own, else the operator's, else the machine's."""
    own = parts.chat_settings.find(address).time_zone
    return Zone(own or parts.settings.time_zone() or get_localzone_name() or "UTC", known=bool(own))


def _build_requests(parts: Container) -> ReminderRequests:
    return ReminderRequests(
        parts.reminders,
        LanguageWhenReader(),
        lambda message: find_zone(parts, message.address),
        parts.clock,
        parts.reminder_woken.set,
    )


async def _is_admitted(parts: Container, reminder: Reminder) -> bool:
    """Whether who asked may still talk to the bot: a name taken off the allow list is written to no more."""
    if reminder.address.platform != "telegram":
        return True
    settings, address = parts.settings.current().telegram, reminder.address
    if not reminder.direct:
        home = parts.chats.home(address.bot_id, address.chat_id)
        return not {home, address.chat_id}.isdisjoint(settings.allowed_chats)
    if reminder.asker_id in (*settings.allowed_users, settings.owner_id):
        return True
    return await parts.access.is_paired(address.bot_id, reminder.asker_id)
