"""Builds a running Mneme from its parts, and its pipeline for the settings in force: systems, commands, tools.

A new system, command or tool of Mneme itself is one line here; those of a feature stand in its ``register``.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Final

from adapters.tools.date_and_time import DateAndTime
from adapters.tools.memory import Forget as ForgetTool
from adapters.tools.memory import MemorySearch
from adapters.tools.memory import Remember as RememberTool
from adapters.when.reader import LanguageWhenReader
from bot.commands.conversation import Again, Compact, Help, New, SessionList, Start, Stop
from bot.commands.forget import Forget, SentenceForgetting, Undo
from bot.commands.formatting import escape, show_verbatim
from bot.commands.memory import Keep, Memory, Remember
from bot.commands.memory_views import ask_what_holds, tell_corrected
from bot.commands.replied import RepliedTexts
from bot.commands.router import CommandRouter, complete_awaited, parse
from bot.commands.status import Status
from bot.commands.undoing import SentenceUndo, UndoLast
from bot.commands.why import Why, asks_why
from bot.compose.building import build_judge
from bot.compose.health import list_health_lines
from bot.compose.maintenance import sum_up_backups
from bot.config.schema import Settings
from bot.core.delivery import ReplyLayout
from bot.core.pipeline import Answer, Pipeline
from bot.core.sessions import SessionKeeping
from bot.errors import StorageUnavailable
from bot.memory.answering.agenda import ComingLine
from bot.memory.answering.answer import Retrieval, answer_from, list_searches
from bot.memory.answering.follow_ups import LOOKED_BACK
from bot.memory.answering.questions import expects_answer
from bot.memory.helpfulness import FLOOR, is_known
from bot.memory.items import merge_forwarded
from bot.memory.learning.kinds import KindReader, SentenceKind, decide_kind
from bot.memory.learning.speech_acts import asks_the_way, list_telling_sentences
from bot.memory.secrets.redaction import redact
from bot.messages import ChatKind, InboundMessage, MessageKind
from bot.ports.chat_model import Window
from bot.ports.documents import DocumentStore
from bot.ports.embedder import AnswerReader, SentenceReader
from bot.ports.messenger import OfferWords
from bot.ports.rag import QueryMode
from bot.ports.reminders import ComingReminders
from bot.ports.system import Command, System
from bot.ports.tool import Tool
from bot.ports.turn_store import TurnRecord, TurnStore
from bot.runtime.app import App
from bot.runtime.application import Application, TurnHooks, Wiring
from bot.runtime.channel import load_plugins
from bot.runtime.chat_rules import find_scope
from bot.runtime.installation import adjust_logs
from bot.turn import Reply, ReplyKind, Turn, UsageKind
from language.registry import choose_texts
from language.texts import Texts
from systems.s10_attachment_reading import AttachmentReading
from systems.s18_recollection import Recollection
from systems.s20_context_building import ContextBuilding, ContextLimits
from systems.s30_tool_loop import ToolLoop, ToolLoopLimits
from systems.s35_help import HelpAnswer
from systems.s40_answer_check import AnswerCheck, Consequence
from systems.s45_correction import CorrectionSystem
from systems.s50_memory_persist import MemoryPersist
from systems.s55_rag_indexing import RagIndexing
from systems.s60_response_routing import ResponseRouting


def build_pipeline(app: App, hooks: TurnHooks) -> Pipeline:
    """Return the pipeline of the settings in force now."""
    settings, rules = app.settings.current, app.rules
    model = app.model()
    tools = build_tools(app, settings)
    answering = claim_only_what_is_kept(
        build_memory_answer(
            alone=model is None,
            floor=settings.recall.known_floor,
            direct=settings.recall.without_model == "direct",
        ),
        rules.is_remembering,
    )

    def paused(record: TurnRecord, turn: Turn) -> str:
        # Told once per outage; an acknowledgement would claim to have remembered, so that it is replaced every time.
        telling = hooks.pending.add(record) or record.reply.kind is ReplyKind.NOTED
        return turn.texts.notice.memory_paused if telling else ""

    def refused(turn: Turn) -> str:
        taken = app.longterm.newly_refused(turn.scope)
        return turn.texts.notice.memory_refused if taken else ""

    undoing = SentenceUndo(
        _build_forget(app),
        Undo(app.undo, app.editor, app.may),
        app.tickets,
        app.buttons,
        app.clock,
        app.added.taking_back,
        app.shown,
    )
    router = CommandRouter((*_commands(app, hooks), UndoLast(undoing), *app.added.commands))
    forgetting = SentenceForgetting(_build_forget(app), app.shown)
    spoken = (forgetting.answer_choice, undoing.answer, *app.added.sentences)

    async def explain(turn: Turn) -> Reply | None:
        asks = await asks_why(turn, app.turns)
        return await router.answer(replace(turn, text=f"/{Why.name}")) if asks else None

    sentences = (*spoken, *((forgetting.answer, explain) if model is None else ()))

    async def answer_spoken(turn: Turn) -> Reply | None:
        for answer_sentence in spoken:
            if (reply := await answer_sentence(turn)) is not None:
                return reply
        return None

    systems: tuple[System, ...] = (
        AttachmentReading(
            handlers=tuple(chain.from_iterable(make() for make in app.added.attachments)),
            words_are_answered=model is not None,
            spoken=answer_spoken,
        ),
        Recollection(
            timeline=app.timeline,
            reader=LanguageWhenReader(),
            wanted=model is None and settings.memory.recall_enabled,
            coming=partial(_list_coming, app),
            recent=lambda turn: app.turns.history(turn.scope, turn.session.id, LOOKED_BACK),
        ),
        ContextBuilding(
            turns=app.turns,
            retrieval=app.make_retrieval(app.rules.uses_long_term_memory),
            items=app.items if settings.memory.items_enabled else None,
            preferences=app.preferences,
            tools=tuple(tool.spec.name for tool in tools) if model else (),
            limits=_context_limits(settings, app.window.current()),
            chosen_skill=app.chosen_skill,
            remembering=app.rules.is_remembering,
            asking=lambda text: list_searches(text) if model is None else (text,),
            publish=app.events.publish,
            prompting=model is not None,
        ),
        ToolLoop(
            model=app.find_model(UsageKind.ANSWER),
            tools=tools,
            remembered=answering,
            messengers=app.messengers,
            deliveries=app.deliveries,
            limits=ToolLoopLimits(
                model_calls=settings.llm.max_calls,
                tool_runs=settings.llm.max_tool_runs,
                wall_s=settings.llm.wall_seconds,
                context_tokens=app.window.current().tokens,
            ),
            show=show_verbatim,
            clock=app.clock,
            too_long=app.window.halve_assumed,
            stop_button=lambda turn: hooks.stops.offer(turn, turn.texts.chat.stop_button),
            paid_for=lambda turn: not any(stops(turn) for stops in app.added.stoppers),
        ),
        *((HelpAnswer(app.embedder, lambda texts: dict(list_commands(app, texts))),) if model is None else ()),
        *_checking(app, answering),
        CorrectionSystem(
            turns=app.turns,
            editor=app.editor,
            items=app.items,
            remembering=lambda: app.rules.is_remembering() and app.settings.keeps_items(),
            tell=lambda turn, corrected: tell_corrected(corrected, turn.texts),
            ask=lambda turn, told: ask_what_holds(told.uid, told.sentence, turn.texts),
        ),
        MemoryPersist(remembering=app.rules.is_remembering, deriving=app.settings.keeps_items),
        RagIndexing(min_length=settings.rag.index_min_length, writing=app.rules.uses_long_term_memory, refused=refused),
        ResponseRouting(
            turns=app.turns,
            deliveries=app.deliveries,
            messengers=app.messengers,
            committed=hooks.committed,
            unsaved=paused,
            unsettled=hooks.unsettled,
            layout=ReplyLayout(app.places.outgoing, settings.telegram.file_after_messages),
        ),
        app.shown,
        *(make() for make in app.added.systems),
    )
    return Pipeline(
        systems=tuple(sorted(systems, key=lambda system: system.order)),
        shortcut=_shortcut(router, app, sentences),
        scope_of=lambda message: find_scope(message, settings, app.chats, app.rules.find_scope_kind(message, settings)),
        journal=app.journal,
        turns=app.turns,
        deliveries=app.deliveries,
        clock=app.clock,
        read=_read_kinds(app),
        without_model=model is None,
        localise=app.rules.localise,
        admits=app.rules.is_admitted,
        publish=app.events.publish,
    )


async def _list_coming(app: App, turn: Turn, since: datetime, until: datetime) -> tuple[ComingLine, ...]:
    """Return the reminders of a turn's chat that come then, a repeating one at its first time."""
    reminders = app.find(ComingReminders)
    listed = await reminders.list_coming(turn.scope, turn.texts) if reminders is not None else ()
    here = (each for each in listed if each.reminder.address == turn.address)
    found = ((each.text, each.reminder.find_between(since, until)) for each in here)
    return tuple(ComingLine(at.astimezone(since.tzinfo), text) for text, at in found if at is not None)


def _read_kinds(app: App) -> Callable[[Turn], Awaitable[None]]:
    """Return what tells the kinds of the sentences of a message that is neither a command nor a button.

    Greetings, thanks and the like are known by their words: they are not worth a run of the model.
    """
    embedder = app.embedder
    reader = KindReader(embedder.read_sentences, embedder.model) if isinstance(embedder, SentenceReader) else None

    async def read(turn: Turn) -> None:
        if reader is not None and turn.message.kind is not MessageKind.BUTTON and not turn.text.startswith("/"):
            await reader.read(list_telling_sentences(turn.analysed))

    return read


def build_session_keeping(app: App) -> SessionKeeping:
    """Return the session upkeep of the settings in force now."""
    settings = app.settings.current
    extraction, summary = app.learning() or (None, None)
    room = count_history_tokens(settings, app.window.current())
    return SessionKeeping(
        turns=app.turns,
        sessions=app.sessions,
        queue=app.learning_queue,
        promote=app.promote,
        extraction=extraction if settings.memory.enabled and settings.memory.items_enabled else None,
        summary=summary,
        clock=app.clock,
        idle_minutes=settings.session.idle_minutes,
        compact_after_tokens=settings.session.compact_after_tokens
        or max(_LEAST_COMPACTED, int(room * _COMPACTION_SHARE)),
    )


def build_offer_words(language: str, sample: str) -> OfferWords:
    """Return how to offer an answer again, in a language or, with "auto", that of the answer itself."""
    texts = choose_texts("", language, sample).doubt
    return OfferWords(lambda count: texts.undelivered.format(count=count), texts.show)


def list_commands(app: App, texts: Texts) -> tuple[tuple[str, str], ...]:
    """Return the commands with their line of help, for menus and completion."""
    own = app.added.help
    return tuple((name, texts.basic.commands.get(name, own.get(name, ""))) for name in list_menu(app))


def list_menu(app: App) -> tuple[str, ...]:
    """Return the names of the commands that menus and /help list."""
    return (*_FIRST, *app.added.menu, *_LAST)


_FIRST = ("start", "help", "new", "stop", "status", "memory", "remember", "forget", "undo", "why")
_LAST = ("sessions", "compact")


def _commands(app: App, hooks: TurnHooks) -> tuple[Command, ...]:
    may, remembering = app.may, app.rules.is_remembering
    name, menu = app.settings.current.llm.model if app.model() else "", list_menu(app)
    return (
        Start(lambda: name, Help(menu, app.added.help)),
        Help(menu, app.added.help),
        New(),
        Stop(hooks.take_halted),
        Status(
            lambda: list_health_lines(app),
            app.browser,
            app.dead_letters,
            app.doubts,
            lambda: name,
            remembering,
            app.window.current,
            app.added.status,
            lambda: sum_up_backups(app.database),
        ),
        Memory(app.editor, app.browser, app.kept, app.eraser, app.tickets, may),
        Remember(app.editor, remembering),
        Keep(app.editor, app.tickets, remembering),
        _build_forget(app),
        Why(app.turns),
        Again(app.doubts, app.places.outgoing),
        SessionList(app.sessions),
        Compact(lambda: name, hooks.compact),
    )


def _build_forget(app: App) -> Forget:
    replied = RepliedTexts(app.turns, app.editor, app.find(DocumentStore))
    reader = app.embedder if isinstance(app.embedder, AnswerReader) else None
    return Forget(app.editor, app.recall, app.kept, app.eraser, app.may, app.turns, replied, reader)


def build_tools(app: App, settings: Settings) -> tuple[Tool, ...]:
    """Return every tool that a model is offered."""
    searched = settings.memory.recall_enabled
    recall = app.recall if searched else None
    items = app.items if settings.memory.items_enabled else None
    return (
        MemorySearch(
            recall,
            items,
            app.longterm,
            app.clock,
            app.rules.is_remembering,
            app.rules.uses_long_term_memory,
            QueryMode(settings.rag.query_mode),
            app.documents_to_search if searched else None,
        ),
        RememberTool(app.editor, app.clock, app.tickets, Keep.name, app.rules.is_remembering),
        ForgetTool(app.eraser, app.items, app.recall, app.kept, app.clock, app.may),
        DateAndTime(app.clock),
        *load_plugins("tools", settings.plugins.tools),
        *chain.from_iterable(make(settings) for make in app.added.tools),
    )


def _checking(app: App, answering: Callable[[Turn], Turn]) -> tuple[AnswerCheck, ...]:
    check, model = app.settings.current.recall.check, app.find_model(UsageKind.CHECK)
    if model is None or check.mode == "off":
        return ()
    return (
        AnswerCheck(
            judge=build_judge(check.judge, model),
            consequence=Consequence(check.mode),
            remembered=answering,
            floor=check.floor,
            deadline_s=check.deadline_seconds,
        ),
    )


_COMPACTION_SHARE = 0.9
"""Of what history may fill: above it, the older part becomes a summary."""


_LEAST_COMPACTED = 500
"""Tokens below which a summary saves nothing."""


def count_history_tokens(settings: Settings, window: Window) -> int:
    """Return how many tokens history may fill: its share of the window, and no more than is set."""
    return min(settings.prompt.history_tokens, int(window.tokens * settings.prompt.history_share))


def _context_limits(settings: Settings, window: Window) -> ContextLimits:
    memory, prompt = settings.memory, settings.prompt
    return ContextLimits(
        history_exchanges=settings.session.history_exchanges,
        history_tokens=count_history_tokens(settings, window),
        top_k_per_layer=memory.top_k_per_layer.model_dump(),
        relevance_floor=memory.relevance_floor,
        help_floor=settings.recall.help_floor,
        disclosure=memory.disclosure,
        soft_tokens=memory.soft_tokens,
        max_tokens=memory.max_tokens,
        wish_tokens=memory.wish_tokens,
        relevant_tokens=prompt.relevant_tokens,
        section_tokens=prompt.sections_tokens,
        skill_tokens=prompt.skill_tokens,
    )


_ORDERED: Final = (SentenceKind.REMINDER, SentenceKind.LIST_ADD, SentenceKind.LIST_DONE)
"""Kinds of what may be asked for by "can I have"; whoever asks how to erase or see something orders nothing."""


def _shortcut(router: CommandRouter, app: App, sentences: tuple[Answer, ...]) -> Answer:
    async def answer(turn: Turn) -> Reply | None:
        turn = await complete_awaited(turn, app.tickets)
        name, _ = parse(turn.text) or ("", "")
        if (is_question := app.added.questions.get(name)) is not None and await is_question(turn):
            return None  # whatever its form: the systems answer it
        reply = await router.answer(turn)
        orders = turn.text.strip() and not (asks_the_way(turn.typed) and decide_kind(turn.typed) not in _ORDERED)
        for answer_sentence in sentences if orders else ():
            reply = reply or await answer_sentence(turn)
        if reply is not None or turn.message.kind is not MessageKind.EDITED or expects_answer(turn.typed) or turn.files:
            return reply  # what a file says is a part of the message, and is read with it
        if not turn.without_model and await _is_newest(turn.message, app.turns):
            return None
        texts = turn.texts
        noted = texts.notice.edited if app.rules.is_remembering() else texts.settings.not_kept
        left_out = texts.answers.secret_left_out if redact(turn.typed).kinds else ""
        return Reply(f"{noted}\n{left_out}".strip(), ReplyKind.NOTED)

    return answer


async def _is_newest(message: InboundMessage, turns: TurnStore) -> bool:
    """Return whether nothing that was said after a message has been answered."""
    try:
        last = await turns.last(message.address)
    except StorageUnavailable:
        return False
    return last is None or message.message_id >= last.newest_message


_KINDS = {"acknowledged": ReplyKind.NOTED}


def build_memory_answer(*, alone: bool, floor: float = FLOOR, direct: bool = False) -> Callable[[Turn], Turn]:
    """Return the system-30 answer of an assistant without a model: what memory says, and what it says of itself.

    ``alone`` says that no model is configured, as opposed to one that has failed; only then a model is recommended.
    ``floor`` is the certainty below which memory does not know; ``direct`` lists what was found.
    """

    def answer(turn: Turn) -> Turn:
        message = turn.message
        words = turn.texts.answers
        author, forwarded = message.author, merge_forwarded(turn.parts)
        if forwarded is not None and not turn.typed.strip():
            name = escape(forwarded.author)
            noted = words.forward_noted.format(name=name) if name else words.shown_noted
            return replace(turn, reply=Reply(noted, ReplyKind.NOTED), trace=turn.trace.using(()))
        found = answer_from(
            turn.meant or turn.analysed,
            turn.relevant,
            asker_id=author.id,
            asker_name=author.name,
            now=turn.started_at,
            phrases=words,
            first=not turn.history,
            alone=alone,
            known=is_known(turn.relevant, floor),
            unread=turn.unread,
            direct=direct,
            guessing=floor <= FLOOR,
            among_others=not message.find_reader(turn.scope).alone,
            namesakes=frozenset(message.namesakes),
            apart={
                each.question: Retrieval(each.relevant, is_known(each.relevant, floor), each.unread)
                for each in turn.readings
            },
        )
        known = found.kind != "unknown" or turn.unread
        reply = Reply(found.text, _KINDS.get(found.kind, ReplyKind.RECALLED), known=known)
        direct_chat = message.chat_kind is ChatKind.DIRECT
        trust = min((turn.trust, *(each.trust_for(author.id, alone=direct_chat) for each in found.used)))
        return replace(turn, reply=reply, trace=turn.trace.using(found.used), trust=trust)

    return answer


def claim_only_what_is_kept(
    answering: Callable[[Turn], Turn], remembering: Callable[[], bool]
) -> Callable[[Turn], Turn]:
    """Return an answer without a model that does not say "noted" where memory is off."""

    def answer(turn: Turn) -> Turn:
        turn = answering(turn)
        if turn.reply is None or turn.reply.kind is not ReplyKind.NOTED or remembering():
            return turn
        return replace(turn, reply=replace(turn.reply, text=turn.texts.settings.not_kept))

    return answer


_WIRING = Wiring(
    pipeline=build_pipeline,
    session_keeping=build_session_keeping,
    judge=lambda app: build_judge(app.settings.current.recall.evaluation.judge, app.find_model(UsageKind.CHECK)),
    subscribers=lambda settings: load_plugins("subscribers", settings.plugins.subscribers),
    offer_words=build_offer_words,
    adjust_logs=lambda settings: adjust_logs(settings.log.level, settings.log.format),
)


def build_application(app: App) -> Application:
    """Return the application of these parts, not started yet."""
    return Application(app, _WIRING)
