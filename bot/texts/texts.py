"""Every sentence the bot itself says, as data: a language is one value of :class:`Texts`.

``{names}`` in braces are filled in by whoever says the sentence; all languages have the same ones (a test holds them
to it).  Counts stand behind a colon, so that no language needs plural rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from bot.memory.answering.phrasing import AnswerPhrases


@dataclass(frozen=True, slots=True)
class Dates:
    """How dates are written; ``months`` begins with January, in the form used after a day."""

    months: tuple[str, ...]
    day: str
    moment: str


@dataclass(frozen=True, slots=True)
class ServiceTexts:
    """To people who have no access (yet)."""

    stranger: str
    wrong_code: str
    group_not_listed: str
    group_joined: str
    group_served: str
    anonymous_admin: str
    button_refused: str
    button_not_yours: str
    button_expired: str
    button_changed: str
    button_not_now: str


@dataclass(frozen=True, slots=True)
class NoticeTexts:
    """When something could not be done."""

    failed: str
    poisoned: str
    unsupported: str
    unread: str
    no_reminders: str
    kept_instead: str
    edited: str
    attachments: Mapping[str, str]
    attachment_other: str
    memory_paused: str
    memory_refused: str
    """Told once to a chat whose long-term memory another chat's server does not take."""
    command_failed: str
    not_borne_out: str
    """Below an answer that the memories do not bear out."""


@dataclass(frozen=True, slots=True)
class LoopTexts:
    """When an answer is not simply an answer; ``{reason}`` names the setting to change."""

    stopped: str
    out_of_time: str
    out_of_calls: str
    failed: str
    broke_off: str
    empty: str
    cut_short: str
    ask: str
    agree: str
    ask_forget: str
    agree_forget: str


@dataclass(frozen=True, slots=True)
class BasicTexts:
    """/start, /help, /new, /stop and what no command is."""

    start: str
    start_without_model: str
    help_head: str
    help_tail: str
    commands: Mapping[str, str]
    unknown_command: str
    did_you_mean: str
    edited_command: str
    new_session: str
    stopped: str
    nothing_to_stop: str
    waiting: str
    drop_waiting: str
    dropped: str


@dataclass(frozen=True, slots=True)
class DoubtTexts:
    """About answers that may not have arrived."""

    one: str
    many: str
    show: str
    nothing: str


@dataclass(frozen=True, slots=True)
class UsersTexts:
    """/users; ``{id}`` is a user's."""

    head: str
    none: str
    owner_only: str
    revoke_button: str
    revoked: str
    unknown: str


@dataclass(frozen=True, slots=True)
class StatusTexts:
    """/status."""

    head: str
    model: str
    no_model: str
    memory: str
    memory_off: str
    layers: Mapping[str, str]
    waiting: str
    dead: str
    nothing_waiting: str
    unknown_deliveries: str
    refused_deliveries: str
    states: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class MemoryTexts:
    """/memory."""

    head: str
    found: str
    empty: str
    none_found: str
    none_pinned: str
    none_in_history: str
    page: str
    previous_page: str
    next_page: str
    hint: str
    usage: str
    pinned_mark: str
    superseded_mark: str
    edited: str
    pinned: str
    unpinned: str
    missing: str
    sources: Mapping[str, str]
    assistant: str
    forwarded: str
    """``{name}`` wrote it, somebody here passed it on."""
    you: str
    unknown_author: str


@dataclass(frozen=True, slots=True)
class RememberTexts:
    """/remember."""

    done: str
    masked: str
    kinds: Mapping[str, str]
    nothing_left: str
    usage: str
    quoted: str
    off: str
    too_long: str
    too_late: str


@dataclass(frozen=True, slots=True)
class ForgetTexts:
    """/forget."""

    usage: str
    none_found: str
    candidates: str
    this_one: str
    all_of_them: str
    more: str
    missing: str
    confirm_everything: str
    confirm_button: str
    done: str
    done_everything: str
    exchanges: str
    items: str
    answers: str
    documents: str
    pending: str
    confirmed: str
    verified: str
    residue: str
    everything_words: tuple[str, ...]
    yes_words: tuple[str, ...]
    withheld: str
    undoable: str
    undo_button: str
    undone: str
    nothing_to_undo: str


@dataclass(frozen=True, slots=True)
class WhyTexts:
    """/why."""

    nothing_answered: str
    question: str
    forwarded: str
    """In place of ``question``: ``{text}`` was forwarded, ``{name}`` wrote it."""
    no_memories: str
    head: str
    more: str
    channels: Mapping[str, str]
    signals: Mapping[str, str]
    exchange: str
    strength: str
    notes: str


@dataclass(frozen=True, slots=True)
class SkillTexts:
    """/skill."""

    head: str
    none: str
    active: str
    on: str
    off: str
    unknown: str


@dataclass(frozen=True, slots=True)
class UserTexts:
    """What people who do not run the bot read instead: no setting, no address, no command of the operator's."""

    model_failed: str
    broke_off: str
    out_of_time: str
    out_of_calls: str
    cut_short: str
    no_model: str
    start_without_model: str
    memory_off: str
    no_skills: str


@dataclass(frozen=True, slots=True)
class OperatorTexts:
    """To the operator alone."""

    needs_a_hand: str
    solved: str
    dead_letters: str


@dataclass(frozen=True, slots=True)
class Texts:
    """One language; ``language`` is its two-letter code."""

    language: str
    dates: Dates
    service: ServiceTexts
    notice: NoticeTexts
    answers: AnswerPhrases
    loop: LoopTexts
    basic: BasicTexts
    doubt: DoubtTexts
    users: UsersTexts
    status: StatusTexts
    memory: MemoryTexts
    remember: RememberTexts
    forget: ForgetTexts
    why: WhyTexts
    skill: SkillTexts
    user: UserTexts
    operator: OperatorTexts

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
        )

    def day(self, when: datetime, zone: tzinfo | None = None) -> str:
        """Return "7 February 2026", in ``zone`` if given, else as ``when`` itself counts."""
        local = when.astimezone(zone) if zone else when
        return self.dates.day.format(day=local.day, month=self.dates.months[local.month - 1], year=local.year)

    def moment(self, when: datetime, zone: tzinfo | None = None) -> str:
        """Return "7 February 2026, 14:30"."""
        local = when.astimezone(zone) if zone else when
        return self.dates.moment.format(day=self.day(local), time=f"{local:%H:%M}")
