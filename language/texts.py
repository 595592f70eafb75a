"""Every sentence that the bot itself says, by section and key; the words stand in each language's *texts.ftl*.

A test holds that each is there in every language with the same gaps, and that something says it.
"""

from datetime import datetime, tzinfo

from language.catalogue import Catalogue, Filled, FilledTable, Lines, Plain, Section, Table
from language.command_texts import (
    ExportTexts,
    ForgetTexts,
    ImportTexts,
    ListTexts,
    MemoryTexts,
    MemoryViewTexts,
    RememberTexts,
    ReminderTexts,
    SessionTexts,
    StatusTexts,
    UsersTexts,
)
from language.page_texts import CostTexts, PageTexts, SettingsTexts


class Dates(Section):
    """How dates are written; ``months`` begins with January, in the form used after a day, ``weekdays`` with Monday."""

    months = Lines()
    weekdays = Lines()
    day = Filled()
    weekday = Filled()
    moment = Filled()


class ServiceTexts(Section):
    """To people who have no access (yet); ``{id}`` is the reader's or the group's numeric id."""

    stranger = Filled()
    wrong_code = Plain()
    group_not_listed = Filled()
    group_joined = Filled()
    group_served = Plain()
    anonymous_admin = Filled()
    button_refused = Plain()
    button_not_yours = Plain()
    button_expired = Plain()
    button_changed = Plain()
    button_not_now = Plain()


class NoticeTexts(Section):
    """When something could not be done."""

    failed = Plain()
    poisoned = Plain()
    unsupported = Filled()
    unread = Filled()
    edited = Plain()
    attachments = Table()
    attachment_other = Plain()
    memory_paused = Plain()
    memory_refused = Plain()
    command_failed = Plain()
    not_borne_out = Plain()


class AnswerPhrases(Section):
    """The words around a remembered answer, in one language; fields in braces are filled in."""

    greeting = Plain()
    thanks = Plain()
    farewell = Plain()
    wellbeing = Plain()
    introduction = Plain()
    other_smalltalk = Plain()
    noted = Filled()
    wish_noted = Filled()
    heard = Plain()
    secret_left_out = Plain()
    told = Filled()
    told_undated = Filled()
    told_quoted = Filled()
    told_quoted_undated = Filled()
    told_these = Filled()
    told_these_undated = Plain()
    listed = Filled()
    told_nothing = Plain()
    told_more = Filled()
    nothing_then = Filled()
    coming = Plain()
    reminds = Filled()
    more_about = Filled()
    quoted = Filled()
    said = Filled()
    said_undated = Filled()
    forwarded = Filled()
    forwarded_undated = Filled()
    forward_noted = Filled()
    shown = Filled()
    shown_undated = Filled()
    shown_noted = Plain()
    answered = Filled()
    answered_undated = Filled()
    imported_answer = Filled()
    found = Filled()
    document = Filled()
    document_page = Filled()
    earlier = Filled()
    earlier_undated = Filled()
    rest = Filled()
    sum = Filled()
    age = Filled()
    age_then = Filled()
    perhaps = Filled()
    unknown = Plain()
    unread = Plain()
    not_answered = Filled()
    how_to_forget = Plain()
    needs_model = Plain()
    in_order = Plain()
    gathered = Plain()
    decided = Plain()
    no_model = Plain()
    another = Plain()
    another_source = Plain()
    numbered = Filled()
    today = Plain()
    yesterday = Plain()
    on_weekdays = Lines()
    on_date = Filled()
    weekday_date = Filled()
    day = Filled()
    date = Filled()
    months = Lines()


class DocumentTexts(Section):
    """``{name}`` is a document's name, ``{about}`` what it is and how long, ``{reason}`` one of ``reasons``."""

    reading = Filled()
    read = Filled()
    known = Filled()
    renewed = Filled()
    cut = Plain()
    masked = Plain()
    how_to_ask = Plain()
    failed = Filled()
    export = Filled()
    links_off = Plain()
    memory_off = Filled()
    unnamed = Plain()
    reasons = Table()
    about_pages = Filled()
    about_sections = Filled()
    about_characters = Filled()
    place_page = Filled()
    listed = Filled()
    none = Plain()
    open_button = Filled()
    forget_button = Plain()
    added = Filled()
    source = Filled()
    outline = Plain()
    more_sections = Filled()
    confirm = Filled()
    yes_forget = Plain()
    several = Filled()
    missing = Filled()
    from_terminal = Plain()
    usage = Plain()
    ask_usage = Plain()
    page_of = Filled()


class FileTexts(Section):
    """``{name}`` is the file's, ``{size}`` and ``{most}`` are megabytes."""

    whole_answer = Filled()
    answer = Plain()
    too_large = Filled()
    not_here = Filled()
    gone = Filled()
    refused = Filled()


class ChatTexts(Section):
    """The button under a growing answer, and what the bot's profile says of it."""

    stop_button = Plain()
    description = Plain()
    short_description = Plain()
    owner_commands = Table()
    topics = Table()


class LoopTexts(Section):
    """When an answer is not simply an answer; ``{reason}`` names the setting to change."""

    stopped = Plain()
    out_of_time = Filled()
    out_of_calls = Plain()
    failed = Filled()
    broke_off = Filled()
    empty = Plain()
    cut_short = Plain()
    ask = Filled()
    agree = Plain()
    ask_forget = Filled()
    agree_forget = Plain()


class BasicTexts(Section):
    """/start, /help, /new, /stop and what no command is."""

    start = Filled()
    start_without_model = Plain()
    help_head = Plain()
    help_tail = Plain()
    commands = Table()
    unknown_command = Filled()
    did_you_mean = Filled()
    edited_command = Plain()
    new_session = Plain()
    stopped = Plain()
    nothing_to_stop = Plain()
    not_yours_to_stop = Plain()
    waiting = Filled()
    drop_waiting = Plain()
    dropped = Filled()


class DoubtTexts(Section):
    """About answers that may not have arrived."""

    undelivered = Filled()
    show = Plain()
    nothing = Plain()


class CallTexts(Section):
    """A call that needs consent, what came of it, and /tools; ``{server}`` and ``{tool}`` are names."""

    ask = Filled()
    agree = Plain()
    done = Filled()
    nothing = Filled()
    failed = Filled()
    unsure = Filled()
    too_late = Plain()
    history = Filled()
    owner_only = Plain()
    none = Plain()
    head = Plain()
    states = Table()
    asks = Plain()
    runs = Plain()
    held = Filled()
    approve = Filled()
    approved = Filled()
    changed = Filled()


class WhyTexts(Section):
    """/why."""

    nothing_answered = Plain()
    question = Filled()
    forwarded = Filled()
    no_memories = Plain()
    head = Filled()
    more = Filled()
    channels = Table()
    reasons = FilledTable()
    figures = Plain()
    signals = Table()
    exchange = Filled()
    strength = Filled()
    notes = Plain()


class SkillTexts(Section):
    """/skill."""

    head = Plain()
    none = Plain()
    active = Plain()
    on = Filled()
    off = Plain()
    unknown = Filled()


class AbilityTexts(Section):
    """What needs no memory.

    ``{weekday}`` and ``{day}`` are a date, ``{then}`` another, ``{sum}`` and ``{result}`` figures.
    """

    time = Filled()
    today = Filled()
    year = Filled()
    week = Filled()
    day = Filled()
    until = Filled()
    weeks = Filled()
    since = Filled()
    between = Filled()
    sum = Filled()
    rounded = Filled()
    by_zero = Filled()


class OperatorTexts(Section):
    """To the operator alone."""

    needs_a_hand = Filled()
    solved = Filled()
    dead_letters = Filled()


class WebTexts(Section):
    """Asking whether a page may be read; ``{url}`` is its address, every letter of it visible."""

    ask_fetch = Filled()
    agree_fetch = Plain()


class MediaTexts(Section):
    """``{reason}`` is a sentence that may name a setting, ``{minutes}`` and ``{most}`` (megabytes) are numbers."""

    nobody_listens = Plain()
    too_long = Filled()
    too_large = Plain()
    not_fetched = Plain()
    not_heard = Filled()
    silent = Plain()
    heard = Filled()
    nobody_sees = Plain()
    picture_too_large = Filled()
    picture_unknown = Plain()
    picture_not_fetched = Plain()
    not_seen = Plain()


class Texts:
    """The bot's sentences in one language."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.language = catalogue.language
        self.dates = Dates(catalogue, "dates")
        self.service = ServiceTexts(catalogue, "service")
        self.notice = NoticeTexts(catalogue, "notice")
        self.answers = AnswerPhrases(catalogue, "answers")
        self.documents = DocumentTexts(catalogue, "documents")
        self.files = FileTexts(catalogue, "files")
        self.chat = ChatTexts(catalogue, "chat")
        self.loop = LoopTexts(catalogue, "loop")
        self.basic = BasicTexts(catalogue, "basic")
        self.doubt = DoubtTexts(catalogue, "doubt")
        self.users = UsersTexts(catalogue, "users")
        self.status = StatusTexts(catalogue, "status")
        self.memory = MemoryTexts(catalogue, "memory")
        self.calls = CallTexts(catalogue, "calls")
        self.memory_views = MemoryViewTexts(catalogue, "memory_views")
        self.remember = RememberTexts(catalogue, "remember")
        self.reminders = ReminderTexts(catalogue, "reminders")
        self.lists = ListTexts(catalogue, "lists")
        self.forget = ForgetTexts(catalogue, "forget")
        self.why = WhyTexts(catalogue, "why")
        self.skill = SkillTexts(catalogue, "skill")
        self.exporting = ExportTexts(catalogue, "exporting")
        self.importing = ImportTexts(catalogue, "importing")
        self.abilities = AbilityTexts(catalogue, "abilities")
        self.operator = OperatorTexts(catalogue, "operator")
        self.costs = CostTexts(catalogue, "costs")
        self.sessions = SessionTexts(catalogue, "sessions")
        self.settings = SettingsTexts(catalogue, "settings")
        self.web = WebTexts(catalogue, "web")
        self.media = MediaTexts(catalogue, "media")
        self.page = PageTexts(catalogue, "page")

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
