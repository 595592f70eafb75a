"""Every sentence that the bot itself says, as data: a language is one value of :class:`Texts`.

``{names}`` in braces are filled in by whoever says the sentence; all languages have the same ones (a test holds them
to it).  Counts stand behind a colon, so that no language needs plural rules.  A sentence that a language leaves out is
said in English (:func:`complete`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime, tzinfo
from types import MappingProxyType
from typing import Any

from language.answer_phrases import AnswerPhrases
from language.call_texts import CallTexts
from language.chat_texts import ChatTexts
from language.costs_texts import CostTexts
from language.document_texts import DocumentTexts
from language.file_texts import FileTexts
from language.media_texts import MediaTexts
from language.memory_view_texts import MemoryViewTexts
from language.page_texts import PageTexts
from language.porting_texts import ExportTexts, ImportTexts
from language.reminder_texts import ReminderTexts
from language.session_texts import SessionTexts
from language.settings_texts import SettingsTexts
from language.users_texts import UsersTexts
from language.web_texts import WebTexts


@dataclass(frozen=True, slots=True)
class Dates:
    """How dates are written; ``months`` begins with January, in the form used after a day, ``weekdays`` with Monday."""

    months: tuple[str, ...] = ()
    weekdays: tuple[str, ...] = ()
    day: str = ""
    weekday: str = ""
    """``{weekday}``, and ``{day}`` as above: where the day of the week matters."""
    moment: str = ""


@dataclass(frozen=True, slots=True)
class ServiceTexts:
    """To people who have no access (yet); ``{id}`` is the reader's or the group's numeric id."""

    stranger: str = ""
    wrong_code: str = ""
    group_not_listed: str = ""
    group_joined: str = ""
    group_served: str = ""
    anonymous_admin: str = ""
    button_refused: str = ""
    button_not_yours: str = ""
    button_expired: str = ""
    button_changed: str = ""
    button_not_now: str = ""


@dataclass(frozen=True, slots=True)
class NoticeTexts:
    """When something could not be done."""

    failed: str = ""
    poisoned: str = ""
    unsupported: str = ""
    unread: str = ""
    edited: str = ""
    attachments: Mapping[str, str] = field(default_factory=dict)
    attachment_other: str = ""
    memory_paused: str = ""
    memory_refused: str = ""
    """Told once to a chat whose long-term memory another chat's server does not take."""
    command_failed: str = ""
    not_borne_out: str = ""
    """Below an answer that the memories do not bear out."""


@dataclass(frozen=True, slots=True)
class LoopTexts:
    """When an answer is not simply an answer; ``{reason}`` names the setting to change."""

    stopped: str = ""
    out_of_time: str = ""
    out_of_calls: str = ""
    failed: str = ""
    broke_off: str = ""
    empty: str = ""
    cut_short: str = ""
    ask: str = ""
    agree: str = ""
    ask_forget: str = ""
    agree_forget: str = ""


@dataclass(frozen=True, slots=True)
class BasicTexts:
    """/start, /help, /new, /stop and what no command is."""

    start: str = ""
    start_without_model: str = ""
    help_head: str = ""
    help_tail: str = ""
    commands: Mapping[str, str] = field(default_factory=dict)
    unknown_command: str = ""
    did_you_mean: str = ""
    edited_command: str = ""
    new_session: str = ""
    stopped: str = ""
    nothing_to_stop: str = ""
    waiting: str = ""
    drop_waiting: str = ""
    dropped: str = ""


@dataclass(frozen=True, slots=True)
class DoubtTexts:
    """About answers that may not have arrived."""

    one: str = ""
    many: str = ""
    show: str = ""
    nothing: str = ""


@dataclass(frozen=True, slots=True)
class StatusTexts:
    """/status."""

    head: str = ""
    model: str = ""
    no_model: str = ""
    window: str = ""
    """With {tokens} and {source}, one of ``window_sources``: how much the model can read, and who says so."""
    window_sources: Mapping[str, str] = field(default_factory=dict)
    """By "settings", "server" and "assumed"."""
    tokens_today: str = ""
    """With {prompt}, {cached} (``tokens_cached`` or nothing), {completion}, {background} and {share}, in percent."""
    tokens_in_all: str = ""
    tokens_cached: str = ""
    """With {share}, in percent."""
    memory: str = ""
    memory_off: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    """By the name of the part, "config"; servers of tools are called what the operator calls them."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """By what a part says of itself where nothing is wrong; what an error says is the operator's as it is."""
    waiting: str = ""
    dead: str = ""
    nothing_waiting: str = ""
    unknown_deliveries: str = ""
    refused_deliveries: str = ""
    refused_import: str = ""
    """With {name} and {reason}."""
    backups: str = ""
    """With {count}, {at}, the newest one's time in ISO 8601, and {size}, in MB."""
    no_backups: str = ""
    states: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MemoryTexts:
    """/memory."""

    head: str = ""
    found: str = ""
    empty: str = ""
    none_found: str = ""
    none_pinned: str = ""
    none_in_history: str = ""
    no_wishes: str = ""
    wishes: str = ""
    """Heading of the standing wishes, above the other memories."""
    more_wishes: str = ""
    """``{count}`` wishes are not shown there."""
    page: str = ""
    hint: str = ""
    usage: str = ""
    pinned_mark: str = ""
    superseded_mark: str = ""
    edited: str = ""
    corrected: str = ""
    what_holds: str = ""
    look: str = ""
    pinned: str = ""
    unpinned: str = ""
    not_yours: str = ""
    missing: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
    assistant: str = ""
    forwarded: str = ""
    """``{name}`` wrote it, somebody here passed it on."""
    forwarded_by: str = ""
    """The same where it is known that ``{by}`` did, who is not the reader."""
    you: str = ""
    another: str = ""
    """In place of a name: somebody who is neither the reader nor ourselves."""
    numbered: str = ""
    """``{id}``: in place of a name, somebody of whom only the number is known."""


@dataclass(frozen=True, slots=True)
class RememberTexts:
    """/remember."""

    done: str = ""
    masked: str = ""
    kinds: Mapping[str, str] = field(default_factory=dict)
    nothing_left: str = ""
    usage: str = ""
    quoted: str = ""
    off: str = ""
    too_long: str = ""
    too_late: str = ""


@dataclass(frozen=True, slots=True)
class ForgetTexts:
    """/forget."""

    usage: str = ""
    none_found: str = ""
    candidates: str = ""
    this_one: str = ""
    all_of_them: str = ""
    more: str = ""
    missing: str = ""
    confirm_everything: str = ""
    confirm_button: str = ""
    done: str = ""
    done_everything: str = ""
    not_yours: str = ""
    spared: str = ""
    """``{count}``: memories that others said."""
    files: str = ""
    """``{count}``: documents that were sent."""
    exchanges: str = ""
    items: str = ""
    answers: str = ""
    documents: str = ""
    pending: str = ""
    confirmed: str = ""
    verified: str = ""
    residue: str = ""
    everything_words: tuple[str, ...] = ()
    yes_words: tuple[str, ...] = ()
    withheld: str = ""
    undoable: str = ""
    undo_button: str = ""
    undone: str = ""
    back_exchanges: str = ""
    back_items: str = ""
    back_files: str = ""
    back_answers: str = ""
    back_reminders: str = ""
    nothing_to_undo: str = ""

    def list_back(self, counts: Mapping[str, int]) -> tuple[str, ...]:
        """Return what an undo brought back, a line for each kind that there is any of."""
        lines = (
            (self.back_exchanges, "exchanges"),
            (self.back_items, "items"),
            (self.back_files, "files"),
            (self.back_answers, "answers"),
            (self.back_reminders, "reminders"),
        )
        return tuple(line.format(count=counts[kind]) for line, kind in lines if counts[kind])


@dataclass(frozen=True, slots=True)
class WhyTexts:
    """/why."""

    nothing_answered: str = ""
    question: str = ""
    forwarded: str = ""
    """In place of ``question``: ``{text}`` was forwarded, ``{name}`` wrote it."""
    no_memories: str = ""
    head: str = ""
    more: str = ""
    channels: Mapping[str, str] = field(default_factory=dict)
    signals: Mapping[str, str] = field(default_factory=dict)
    exchange: str = ""
    strength: str = ""
    notes: str = ""


@dataclass(frozen=True, slots=True)
class SkillTexts:
    """/skill."""

    head: str = ""
    none: str = ""
    active: str = ""
    on: str = ""
    off: str = ""
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class UserTexts:
    """Read by people who do not run the bot: without settings, addresses and commands of the operator's."""

    model_failed: str = ""
    broke_off: str = ""
    out_of_time: str = ""
    out_of_calls: str = ""
    cut_short: str = ""
    no_model: str = ""
    start_without_model: str = ""
    memory_off: str = ""
    no_skills: str = ""


@dataclass(frozen=True, slots=True)
class OperatorTexts:
    """To the operator alone."""

    needs_a_hand: str = ""
    solved: str = ""
    dead_letters: str = ""


@dataclass(frozen=True, slots=True)
class Texts:
    """The bot's sentences in one language; :func:`complete` sets ``language``, the two-letter code."""

    language: str = ""
    dates: Dates = Dates()
    service: ServiceTexts = ServiceTexts()
    notice: NoticeTexts = NoticeTexts()
    answers: AnswerPhrases = field(default_factory=AnswerPhrases)
    documents: DocumentTexts = field(default_factory=DocumentTexts)
    files: FileTexts = field(default_factory=FileTexts)
    chat: ChatTexts = field(default_factory=ChatTexts)
    loop: LoopTexts = LoopTexts()
    basic: BasicTexts = BasicTexts()
    doubt: DoubtTexts = DoubtTexts()
    users: UsersTexts = field(default_factory=UsersTexts)
    status: StatusTexts = StatusTexts()
    memory: MemoryTexts = MemoryTexts()
    calls: CallTexts = field(default_factory=CallTexts)
    memory_views: MemoryViewTexts = field(default_factory=MemoryViewTexts)
    remember: RememberTexts = RememberTexts()
    reminders: ReminderTexts = field(default_factory=ReminderTexts)
    forget: ForgetTexts = ForgetTexts()
    why: WhyTexts = WhyTexts()
    skill: SkillTexts = SkillTexts()
    exporting: ExportTexts = field(default_factory=ExportTexts)
    importing: ImportTexts = field(default_factory=ImportTexts)
    user: UserTexts = UserTexts()
    operator: OperatorTexts = OperatorTexts()
    costs: CostTexts = field(default_factory=CostTexts)
    sessions: SessionTexts = field(default_factory=SessionTexts)
    settings: SettingsTexts = field(default_factory=SettingsTexts)
    web: WebTexts = field(default_factory=WebTexts)
    media: MediaTexts = field(default_factory=MediaTexts)
    page: PageTexts = field(default_factory=PageTexts)

    def for_users(self) -> Texts:
        """Return the texts with the operator's hints (settings, addresses, commands) left out."""
        user = self.user
        return replace(
            self,
            answers=replace(self.answers, no_model=user.no_model),
            loop=replace(
                self.loop,
                failed=user.model_failed,
                broke_off=user.broke_off,
                out_of_time=user.out_of_time,
                out_of_calls=user.out_of_calls,
                cut_short=user.cut_short,
            ),
            basic=replace(self.basic, start_without_model=user.start_without_model),
            status=replace(self.status, memory_off=user.memory_off),
            skill=replace(self.skill, none=user.no_skills),
            media=replace(
                self.media, nobody_listens=self.media.nobody_listens_user, not_heard=self.media.not_heard_user
            ),
            costs=replace(self.costs, warned=self.costs.warned_user, stopped=self.costs.stopped_user),
        )

    def day(self, when: datetime, zone: tzinfo | None = None, *, weekday: bool = False) -> str:
        """Return "7 February 2026", in ``zone`` if given, else as ``when`` itself counts.

        ``weekday`` makes it "Saturday, 7 February 2026".
        """
        local = when.astimezone(zone) if zone else when
        dates = self.dates
        day = dates.day.format(day=local.day, month=dates.months[local.month - 1], year=local.year)
        return dates.weekday.format(weekday=dates.weekdays[local.weekday()], day=day) if weekday else day

    def moment(self, when: datetime, zone: tzinfo | None = None, *, weekday: bool = False) -> str:
        """Return "7 February 2026, 14:30"; with ``weekday`` as :meth:`day` does."""
        local = when.astimezone(zone) if zone else when
        return self.dates.moment.format(day=self.day(local, weekday=weekday), time=f"{local:%H:%M}")


def complete(texts: Texts, language: str, instead: Texts) -> Texts:
    """Return the texts of a language, each sentence that is missing taken from ``instead``."""
    filled: Texts = _fill(texts, instead)
    return replace(filled, language=language)


def _fill(given: Any, instead: Any) -> Any:  # Any: a group of texts, a mapping, a tuple or a sentence
    if is_dataclass(given) and not isinstance(given, type):
        names = [each.name for each in fields(given)]
        return replace(given, **{name: _fill(getattr(given, name), getattr(instead, name)) for name in names})
    if isinstance(given, Mapping):
        return MappingProxyType({**instead, **given})
    return given or instead
