"""A pipeline for the settings in force: the systems in order, the commands, the tools.

A new system, command or tool is one line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adapters.tools.date_and_time import DateAndTime
from adapters.tools.forget import Forget as ForgetTool
from adapters.tools.memory_search import MemorySearch
from adapters.tools.remember import Remember as RememberTool
from bot.commands.again import Again
from bot.commands.awaited import complete_awaited
from bot.commands.compact import Compact
from bot.commands.confirm_memory import Keep
from bot.commands.forget import Forget
from bot.commands.forget_me import SentenceForgetting
from bot.commands.formatting import escape
from bot.commands.help import Help
from bot.commands.language import Voice, texts_for_author
from bot.commands.memory import Memory
from bot.commands.memory_card import ask_what_holds, tell_corrected
from bot.commands.new import New
from bot.commands.remember import Remember
from bot.commands.router import CommandRouter
from bot.commands.sessions import SessionList
from bot.commands.start import Start
from bot.commands.status import Status
from bot.commands.stop import Stop
from bot.commands.undo import Undo
from bot.commands.why import Why
from bot.compose.attachments import build_attachment_handlers
from bot.compose.documents import (
    build_asking,
    build_document_commands,
    build_document_focus,
    build_link_reading,
)
from bot.compose.health import list_health_lines
from bot.compose.loop_texts import build_loop_texts
from bot.compose.plugins import load_plugins
from bot.compose.reading import build_web_tools
from bot.compose.reminders import build_reminder_commands, build_reminder_tool, build_sentence_reminders
from bot.compose.restoring import sum_up_backups
from bot.compose.retrieval import build_judge, build_retrieval, meter_model
from bot.compose.rights import build_may
from bot.config.schema import Settings
from bot.core.pipeline import Answer, Notices, Pipeline
from bot.core.reply_layout import ReplyLayout
from bot.core.sessions import SessionKeeping
from bot.core.stop_buttons import offer_stop
from bot.errors import StorageUnavailable
from bot.features.chats.joining import build_settings_command, claim_only_what_is_kept
from bot.features.costs.joining import build_budget_notice, build_usage_report, is_paid_for
from bot.features.page.joining import build_page_command
from bot.features.skills.command import SkillSwitch
from bot.features.tools.command import Tools
from bot.features.tools.confirm_call import Allow
from bot.features.transfer.chat_imports import build_porting_commands
from bot.features.users.joining import build_users_command
from bot.memory.answering.answer import Retrieval, answer_from, list_searches
from bot.memory.answering.questions import expects_answer
from bot.memory.helpfulness import FLOOR, is_known
from bot.memory.items import merge_forwarded
from bot.memory.scope import Scope, ScopeKind, build_scope
from bot.messages import InboundMessage, MessageKind
from bot.ports.chat_model import ChatModel, Window
from bot.ports.chat_settings import ChatSettingsStore
from bot.ports.chats import Chats
from bot.ports.clock import Clock
from bot.ports.command import Command
from bot.ports.deliveries import OfferWords
from bot.ports.rag import QueryMode
from bot.ports.tool import Tool
from bot.ports.turn_store import TurnRecord, TurnStore
from bot.runtime.application import TurnHooks
from bot.runtime.chat_rules import find_default_scope
from bot.runtime.container import Container
from bot.turn import Reply, ReplyKind, Turn
from bot.usage import UsageKind
from language.registry import choose_texts
from language.texts import Texts
from systems.s10_attachment_reading import AttachmentReading
from systems.s20_context_building import ContextBuilding, ContextLimits
from systems.s30_tool_loop import ToolLoop, ToolLoopLimits
from systems.s40_answer_check import AnswerCheck, Consequence
from systems.s45_correction import CorrectionSystem
from systems.s50_memory_persist import MemoryPersist
from systems.s55_rag_indexing import RagIndexing
from systems.s60_response_routing import ResponseRouting


def build_pipeline(parts: Container, hooks: TurnHooks) -> Pipeline:
    """Return the pipeline of the settings in force now."""
    settings = parts.settings.current()
    voice = build_voice(settings, parts.chat_settings)
    model = parts.model()
    tools = build_tools(parts, settings, voice)
    answering = claim_only_what_is_kept(
        build_memory_answer(
            voice,
            parts.clock,
            alone=model is None,
            floor=settings.recall.known_floor,
            direct=settings.recall.without_model == "direct",
        ),
        voice,
        parts.rules.is_remembering,
    )

    def paused(record: TurnRecord, turn: Turn) -> str:
        # Told once per outage; an acknowledgement would claim to have remembered, so that it is replaced every time.
        telling = hooks.pending.add(record) or record.reply.kind is ReplyKind.NOTED
        return voice(turn.message).notice.memory_paused if telling else ""

    def refused(turn: Turn) -> str:
        taken = parts.longterm.newly_refused(turn.scope)
        return voice(turn.message).notice.memory_refused if taken else ""

    notices = _notices(voice)
    router = CommandRouter(_commands(parts, voice, model, hooks), voice, parts.clock)
    reminders = build_sentence_reminders(parts, voice, alone=model is None)
    forgetting = SentenceForgetting(_build_forget(parts, voice), parts.clock)
    sentences = (reminders.answer, forgetting.answer) if model is None else (reminders.answer,)
    return Pipeline(
        systems=(
            AttachmentReading(
                handlers=build_attachment_handlers(parts, voice),
                unsupported=lambda turn: notices.unsupported(turn.message),
                words_are_answered=model is not None,
                spoken=reminders.answer,
            ),
            build_link_reading(parts, voice),
            build_document_focus(parts),
            ContextBuilding(
                turns=parts.turns,
                retrieval=build_retrieval(parts, parts.rules.uses_long_term_memory),
                items=parts.items if settings.memory.items_enabled else None,
                preferences=parts.preferences,
                tools=tuple(tool.spec.name for tool in tools) if model else (),
                limits=_context_limits(settings, parts.window.current()),
                clock=parts.clock,
                chosen_skill=hooks.skills.chosen,
                remembering=parts.rules.is_remembering,
                asking=lambda text: list_searched_texts(text, model),
                publish=parts.events.publish,
            ),
            ToolLoop(
                model=meter_model(parts, UsageKind.ANSWER),
                tools=tools,
                remembered=answering,
                messengers=parts.messengers,
                deliveries=parts.deliveries,
                limits=ToolLoopLimits(
                    model_calls=settings.llm.max_calls,
                    tool_runs=settings.llm.max_tool_runs,
                    wall_s=settings.llm.wall_seconds,
                    context_tokens=parts.window.current().tokens,
                ),
                texts=lambda turn: build_loop_texts(voice(turn.message), turn),
                clock=parts.clock,
                too_long=parts.window.halve_assumed,
                stop_button=lambda turn: offer_stop(hooks.stops, turn, voice(turn.message).chat.stop_button),
                paid_for=is_paid_for(parts.budgets),
            ),
            *_checking(parts, voice, answering),
            CorrectionSystem(
                turns=parts.turns,
                editor=parts.editor,
                items=parts.items,
                clock=parts.clock,
                remembering=lambda: parts.rules.is_remembering() and parts.settings.keeps_items(),
                tell=lambda turn, corrected: tell_corrected(corrected, voice(turn.message)),
                ask=lambda turn, told: ask_what_holds(told.uid, told.sentence, voice(turn.message)),
            ),
            MemoryPersist(remembering=parts.rules.is_remembering, deriving=parts.settings.keeps_items),
            RagIndexing(
                min_length=settings.rag.index_min_length, writing=parts.rules.uses_long_term_memory, refused=refused
            ),
            build_budget_notice(parts, voice),
            ResponseRouting(
                turns=parts.turns,
                deliveries=parts.deliveries,
                messengers=parts.messengers,
                committed=hooks.committed,
                unsaved=paused,
                unsettled=hooks.unsettled,
                layout=ReplyLayout(
                    lambda turn: voice(turn.message).files,
                    parts.places.outgoing,
                    settings.telegram.file_after_messages,
                ),
            ),
        ),
        shortcut=_shortcut(router, voice, parts, sentences),
        scope_of=lambda message: find_scope(
            message, settings, parts.chats, parts.rules.find_scope_kind(message, settings)
        ),
        journal=parts.journal,
        turns=parts.turns,
        deliveries=parts.deliveries,
        clock=parts.clock,
        notices=notices,
        localise=parts.rules.localise,
    )


def build_session_keeping(parts: Container) -> SessionKeeping:
    """Return the session upkeep of the settings in force now."""
    settings = parts.settings.current()
    extraction, summary = parts.learning() or (None, None)
    room = count_history_tokens(settings, parts.window.current())
    return SessionKeeping(
        turns=parts.turns,
        sessions=parts.sessions,
        queue=parts.learning_queue,
        promote=parts.promote,
        extraction=extraction if settings.memory.enabled and settings.memory.items_enabled else None,
        summary=summary,
        clock=parts.clock,
        idle_minutes=settings.session.idle_minutes,
        compact_after_tokens=settings.session.compact_after_tokens
        or max(_LEAST_COMPACTED, int(room * _COMPACTION_SHARE)),
    )


def build_voice(settings: Settings, chats: ChatSettingsStore) -> Voice:
    """Return who is spoken to how: in the chat's language, else the operator's choice, else the author's.

    Hints for the operator are the owner's.
    """
    return lambda message: texts_for_author(message, chats.find(message.address).language or settings.language)


def build_offer_words(language: str, sample: str) -> OfferWords:
    """Return how to offer an answer again, in a language or, with "auto", that of the answer itself."""
    texts = choose_texts("", language, sample).doubt
    return OfferWords(texts.one, texts.many, texts.show)


def find_scope(message: InboundMessage, settings: Settings, chats: Chats, chosen: ScopeKind | None = None) -> Scope:
    """Return whose memory a message uses, by the configuration unless its chat has ``chosen``.

    A group that got another id keeps its memory.
    """
    return build_scope(
        chosen or find_default_scope(message.chat_kind, settings),
        platform=message.address.platform,
        user_id=message.author.id,
        chat_id=chats.home(message.address.bot_id, message.address.chat_id),
        topic_id=message.address.topic_id,
        shared=settings.memory.shared_name,
    )


def list_commands(texts: Texts) -> tuple[tuple[str, str], ...]:
    """Return the commands with their line of help, for menus and completion."""
    return tuple((name, texts.basic.commands.get(name, "")) for name in _NAMES)


_FIRST = ("start", "help", "new", "stop", "status", "memory", "remember", "forget", "undo", "why", "docs", "ask")
_THEN = ("skill", "settings", "sessions", "compact", "export", "import", "usage", "remind", "reminders", "page")
_NAMES = (*_FIRST, *_THEN)


def _commands(
    parts: Container,
    voice: Voice,
    model: ChatModel | None,
    hooks: TurnHooks,
) -> tuple[Command, ...]:
    name, may = parts.settings.current().llm.model if model else "", build_may(parts)
    return (
        Start(voice, lambda: name, Help(voice, _NAMES)),
        Help(voice, _NAMES),
        New(voice),
        Stop(voice, hooks.take_halted),
        Status(
            voice,
            lambda: list_health_lines(parts),
            parts.browser,
            parts.dead_letters,
            parts.doubts,
            lambda: name,
            parts.rules.is_remembering,
            parts.window.current,
            parts.usage,
            parts.budgets.list_prices,
            parts.imports.jobs.find_last,
            lambda: sum_up_backups(parts.housekeeping.database),
        ),
        Memory(voice, parts.editor, parts.browser, parts.kept, parts.eraser, parts.awaited, may),
        Remember(voice, parts.editor, parts.rules.is_remembering),
        Keep(voice, parts.editor, parts.proposals, parts.rules.is_remembering),
        _build_forget(parts, voice),
        Undo(voice, parts.undo, parts.editor, may),
        Why(voice, parts.turns),
        build_users_command(parts, voice),
        Allow(voice, parts.pending_calls, parts.tool_servers),
        Tools(voice, parts.tool_servers),
        build_page_command(parts, voice),
        Again(voice, parts.doubts, parts.places.outgoing),
        SkillSwitch(voice, parts.preferences, hooks.skills),
        build_settings_command(parts, voice),
        SessionList(voice, parts.sessions),
        Compact(voice, lambda: name, hooks.compact),
        *build_porting_commands(parts, voice),
        build_usage_report(parts, voice),
        *build_reminder_commands(parts, voice),
        *build_document_commands(parts, voice),
    )


def _build_forget(parts: Container, voice: Voice) -> Forget:
    return Forget(voice, parts.editor, parts.recall, parts.kept, parts.eraser, build_may(parts))


def build_tools(parts: Container, settings: Settings, voice: Voice) -> tuple[Tool, ...]:
    """Return every tool that a model is offered."""
    recall = parts.recall if settings.memory.recall_enabled else None
    items = parts.items if settings.memory.items_enabled else None
    return (
        MemorySearch(
            recall,
            items,
            parts.longterm,
            parts.clock,
            parts.rules.is_remembering,
            parts.rules.uses_long_term_memory,
            QueryMode(settings.rag.query_mode),
            parts.document_search if settings.memory.recall_enabled else None,
        ),
        RememberTool(parts.editor, parts.clock, parts.proposals, parts.rules.is_remembering),
        ForgetTool(parts.eraser, parts.items, parts.recall, parts.kept, parts.clock, build_may(parts)),
        DateAndTime(parts.clock),
        *build_web_tools(parts, settings),
        build_reminder_tool(parts, voice),
        *load_plugins("tools", settings.plugins.tools),
        *parts.tool_servers.list_tools(),
    )


def _checking(parts: Container, voice: Voice, answering: Callable[[Turn], Turn]) -> tuple[AnswerCheck, ...]:
    """Return the check of the model's answers, if it is on."""
    check, model = parts.settings.current().recall.check, meter_model(parts, UsageKind.CHECK)
    if model is None or check.mode == "off":
        return ()
    return (
        AnswerCheck(
            judge=build_judge(check.judge, model),
            consequence=Consequence(check.mode),
            warning=lambda turn: voice(turn.message).notice.not_borne_out,
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


def _notices(voice: Voice) -> Notices:
    def unsupported(message: InboundMessage) -> str:
        notice = voice(message).notice
        what = notice.attachments.get(message.attachment or "", notice.attachment_other)
        return notice.unsupported.format(what=what)

    return Notices(
        failed=lambda message: voice(message).notice.failed,
        poisoned=lambda message: voice(message).notice.poisoned,
        unsupported=unsupported,
    )


def _shortcut(router: CommandRouter, voice: Voice, parts: Container, sentences: tuple[Answer, ...]) -> Answer:
    asking = build_asking(parts)

    async def answer(turn: Turn) -> Reply | None:
        turn = await complete_awaited(turn, parts.awaited, parts.clock)
        if await asking(turn) is not None:
            return None  # a question, whatever its form: the systems answer it
        reply = await router.answer(turn)
        for answer_sentence in sentences:
            reply = reply or await answer_sentence(turn)
        if reply is not None or turn.message.kind is not MessageKind.EDITED or expects_answer(turn.typed):
            return reply
        if parts.model() is not None and await _is_newest(turn.message, parts.turns):
            return None
        return Reply(voice(turn.message).notice.edited, ReplyKind.NOTICE)

    return answer


async def _is_newest(message: InboundMessage, turns: TurnStore) -> bool:
    """Return whether nothing that was said after a message has been answered."""
    try:
        last = await turns.last(message.address)
    except StorageUnavailable:
        return False
    return last is None or message.message_id >= last.newest_message


_KINDS = {"acknowledged": ReplyKind.NOTED}


def list_searched_texts(text: str, model: ChatModel | None) -> tuple[str, ...]:
    """Return what to search memory for to answer a message, each by itself; empty if nobody would look at it.

    A model is shown what is found for the message as it is.  Without one each of several questions is searched for,
    and a statement is acknowledged, whatever is remembered.
    """
    return (text,) if model is not None else list_searches(text)


def build_memory_answer(
    voice: Voice, clock: Clock, *, alone: bool, floor: float = FLOOR, direct: bool = False
) -> Callable[[Turn], Turn]:
    """Return the system-30 answer of an assistant without a model: what memory says, and what it says of itself.

    ``alone`` says that no model is configured, as opposed to one that has failed; only then a model is recommended.
    ``floor`` is the certainty below which memory does not know; ``direct`` lists what was found.
    """

    def answer(turn: Turn) -> Turn:
        author = turn.message.author
        forwarded = merge_forwarded(turn.parts)
        if forwarded is not None and not turn.typed.strip():
            words = voice(turn.message).answers
            name = escape(forwarded.author)
            noted = words.forward_noted.format(name=name) if name else words.shown_noted
            return replace(turn, reply=Reply(noted, ReplyKind.NOTED), trace=turn.trace.using(()))
        found = answer_from(
            turn.analysed,
            turn.relevant,
            asker_id=author.id,
            asker_name=author.name,
            now=clock.now(),
            phrases=voice(turn.message).answers,
            first=not turn.history,
            alone=alone,
            known=is_known(turn.relevant, floor),
            unread=turn.unread,
            direct=direct,
            among_others=not turn.message.find_reader(turn.scope).alone,
            apart={
                each.question: Retrieval(each.relevant, is_known(each.relevant, floor), each.unread)
                for each in turn.readings
            },
        )
        reply = Reply(found.text, _KINDS.get(found.kind, ReplyKind.RECALLED))
        return replace(turn, reply=reply, trace=turn.trace.using(found.used))

    return answer
