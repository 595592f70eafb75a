"""The sentences of commands, by what stands under their names in each language's *texts.ftl*."""

from __future__ import annotations

from collections.abc import Mapping

from language.catalogue import Filled, FilledTable, Lines, Plain, Section, Table


class UsersTexts(Section):
    """/users; ``{id}`` is a user's, ``{name}`` as they write under, ``{who}`` either or both."""

    head = Plain()
    none = Plain()
    owner_only = Plain()
    not_here = Plain()
    line = Filled()
    by_code = Filled()
    by_settings = Plain()
    seen = Filled()
    never_seen = Plain()
    messages = Filled()
    tokens = Filled()
    owner = Plain()
    revoke_button = Plain()
    back = Plain()
    confirm = Filled()
    confirm_button = Filled()
    revoked = Filled()
    unknown = Filled()
    listed = Filled()
    invite_button = Plain()
    invited = Filled()
    link = Filled()
    no_bot = Plain()
    pairing_off = Plain()


class StatusTexts(Section):
    """/status."""

    head = Plain()
    model = Filled()
    no_model = Plain()
    window = Filled()
    window_sources = Table()
    tokens_today = Filled()
    tokens_in_all = Filled()
    tokens_cached = Filled()
    memory = Filled()
    memory_off = Plain()
    parts = Table()
    reasons = Table()
    waiting = Filled()
    dead = Filled()
    nothing_waiting = Plain()
    unknown_deliveries = Filled()
    refused_deliveries = Filled()
    refused_import = Filled()
    backups = Filled()
    no_backups = Plain()
    backed_up_by = Filled()
    states = Table()


class MemoryTexts(Section):
    """/memory."""

    head = Filled()
    found = Filled()
    empty = Plain()
    none_found = Filled()
    none_pinned = Plain()
    none_in_history = Plain()
    no_wishes = Plain()
    wishes = Plain()
    more_wishes = Filled()
    page = Filled()
    hint = Plain()
    usage = Plain()
    pinned_mark = Plain()
    superseded_mark = Filled()
    edited = Filled()
    corrected = Filled()
    what_holds = Filled()
    look = Plain()
    pinned = Filled()
    unpinned = Filled()
    not_yours = Plain()
    missing = Filled()
    sources = Table()
    assistant = Plain()
    forwarded = Filled()
    forwarded_by = Filled()
    you = Plain()
    another = Plain()
    numbered = Filled()


class MemoryViewTexts(Section):
    """/memory by kind, person and time, one memory with its history, and the buttons below; counts follow a colon."""

    kinds = Table()
    times = Table()
    by_kind = Plain()
    by_person = Plain()
    by_time = Plain()
    pinned = Plain()
    history = Plain()
    home = Plain()
    back = Plain()
    people_head = Plain()
    times_head = Plain()
    kinds_head = Plain()
    counted = Filled()
    said_by = Filled()
    about = Filled()
    nobody = Plain()
    gone = Filled()
    none_here = Plain()
    opened = Filled()
    from_message = Filled()
    cut = Filled()
    replaced_head = Plain()
    replaced_by = Filled()
    withdrawn = Plain()
    used = Filled()
    used_last = Filled()
    never_used = Plain()
    restated = Filled()
    edit = Plain()
    pin = Plain()
    unpin = Plain()
    forget = Plain()
    cancel = Plain()
    put_back = Plain()
    ask_edit = Filled()
    ask_edit_group = Filled()
    changed = Filled()
    confirm_forget = Filled()
    answered = Filled()
    learned = Plain()
    open_number = Filled()
    pressed = Filled()


class RememberTexts(Section):
    """/remember."""

    done = Filled()
    masked = Filled()
    kinds = Table()
    nothing_left = Filled()
    usage = Plain()
    quoted = Filled()
    off = Plain()
    too_long = Filled()
    too_late = Plain()


class ReminderTexts(Section):
    """``{text}`` is what to be reminded of, ``{when}`` a full date with its time, ``{zone}`` an IANA name."""

    kept = Filled()
    kept_repeated = Filled()
    changed = Plain()
    assumed_time = Filled()
    assumed_zone = Filled()
    untitled = Plain()
    ask_when = Filled()
    ask_when_event = Filled()
    ambiguous = Filled()
    past = Filled()
    never = Plain()
    too_many = Filled()
    head = Filled()
    none = Plain()
    hint = Plain()
    usage = Plain()
    missing = Filled()
    not_yours = Plain()
    done = Filled()
    cancelled = Filled()
    snoozed = Filled()
    next = Filled()
    late_down = Filled()
    late = Filled()
    missed = Filled()
    done_button = Plain()
    minutes_button = Plain()
    hour_button = Plain()
    tomorrow_button = Plain()
    cancel_button = Plain()
    back_button = Plain()
    open_button = Filled()
    agree_button = Plain()
    ask_agreement = Filled()
    repeats = FilledTable()
    at = Filled()
    until = Filled()
    times = Filled()
    each_weekday = Lines()
    day_and_month = Filled()
    nth_weekday = Filled()


class ListTexts(Section):
    """``{list}`` is the name of a list, ``{items}`` what is spoken of, ``{count}`` how much is open there."""

    names = Table()
    added = Filled()
    known = Filled()
    full = Filled()
    done = Filled()
    removed = Filled()
    head = Filled()
    closed_head = Filled()
    nothing_open = Filled()
    nothing_closed = Filled()
    none = Plain()
    which = Plain()
    is_open = Filled()
    is_done = Filled()
    is_removed = Filled()
    somebody = Plain()
    not_there = Filled()
    tick_button = Filled()
    open_button = Filled()
    closed_button = Filled()
    back_button = Plain()
    missing = Filled()
    usage = Plain()


class ForgetTexts(Section):
    """/forget."""

    usage = Plain()
    none_found = Filled()
    candidates = Filled()
    this_one = Filled()
    all_of_them = Plain()
    more = Plain()
    missing = Filled()
    confirm_everything = Plain()
    confirm_button = Plain()
    done = Plain()
    done_everything = Plain()
    not_yours = Plain()
    spared = Filled()
    files = Filled()
    exchanges = Filled()
    items = Filled()
    beside = Filled()
    answers = Filled()
    documents = Filled()
    pending = Plain()
    confirmed = Plain()
    verified = Plain()
    residue = Filled()
    everything_words = Lines()
    yes_words = Lines()
    withheld = Plain()
    undoable = Filled()
    undo_button = Plain()
    undone = Plain()
    back_exchanges = Filled()
    back_items = Filled()
    back_files = Filled()
    back_answers = Filled()
    back_reminders = Filled()
    nothing_to_undo = Plain()

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


class ExportTexts(Section):
    """/export."""

    ready = Filled()
    written = Filled()
    nothing = Plain()
    too_large = Filled()
    confirm = Plain()
    confirm_button = Plain()
    owner_only = Plain()
    private = Plain()


class ImportTexts(Section):
    """/import."""

    usage = Plain()
    usage_terminal = Plain()
    survey = Filled()
    archive = Filled()
    left_out = Filled()
    reasons = Table()
    more_people = Filled()
    who = Plain()
    nobody_button = Plain()
    you = Filled()
    own_export = Plain()
    tokens = Filled()
    tokens_priced = Filled()
    start = Plain()
    start_button = Plain()
    cancel_button = Plain()
    begun = Filled()
    progress = Filled()
    done = Filled()
    forgotten = Filled()
    refused = Filled()
    cancelled = Filled()
    gone = Plain()
    none = Plain()
    busy = Plain()
    too_large = Filled()
    not_fetched = Plain()
    owner_only = Plain()
    memory_off = Plain()


class SessionTexts(Section):
    """Conversations of a chat, by their titles."""

    titled = Filled()
    head = Plain()
    none = Plain()
    line = Filled()
    current = Plain()
    untitled = Plain()
    hint = Plain()
    opened = Filled()
    already = Plain()
    missing = Plain()
    compacted = Filled()
    too_short = Plain()
    no_model = Plain()
    not_compacted = Plain()
    no_budget = Plain()
