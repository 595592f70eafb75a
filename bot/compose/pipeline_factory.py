"""A pipeline for the settings in force: the systems in order, the commands, the tools.

A new system, command or tool is one line here.
"""

from __future__ import annotations

from collections.abc import Callable

from adapters.tools.date_and_time import DateAndTime
from adapters.tools.forget import Forget as ForgetTool
from adapters.tools.memory_search import MemorySearch
from adapters.tools.remember import Remember as RememberTool
from bot.commands.again import Again
from bot.commands.confirm_memory import Keep
from bot.commands.forget import Forget
from bot.commands.help import Help
from bot.commands.language import Voice, texts_for_author
from bot.commands.memory import Memory
from bot.commands.new import New
from bot.commands.remember import Remember
from bot.commands.router import CommandRouter
from bot.commands.skill import SkillChoices, SkillSwitch
from bot.commands.start import Start
from bot.commands.status import Status
from bot.commands.stop import Halted, Stop
from bot.commands.undo import Undo
from bot.commands.users import Users
from bot.commands.why import Why
from bot.compose.answers import loop_texts, remembered, searched
from bot.compose.health import health_lines
from bot.compose.plugins import all_made
from bot.compose.retrieval import judge, retrieval
from bot.config.schema import Settings
from bot.core.delivery import Ending
from bot.core.pipeline import Answer, Notices, Pipeline
from bot.core.sessions import SessionKeeping
from bot.memory.answering.questions import asks
from bot.memory.scope import Scope, ScopeKind, scope_for
from bot.ports.chat_model import ChatModel
from bot.ports.chats import Chats
from bot.ports.commands import Command
from bot.ports.deliveries import Delivery, OfferWords
from bot.ports.rag import QueryMode
from bot.ports.tools import Tool
from bot.ports.turns import TurnRecord
from bot.runtime.container import Parts
from bot.runtime.pending_turns import Unsaved
from bot.turn import ChatKind, InboundMessage, MessageKind, Reply, ReplyKind, Turn
from language.text_choice import texts_for
from language.texts import Texts
from systems.s20_context_building import ContextBuilding, ContextLimits
from systems.s30_tool_loop import ToolLoop, ToolLoopLimits
from systems.s40_answer_check import AnswerCheck, Consequence
from systems.s50_memory_persist import MemoryPersist
from systems.s55_rag_indexing import RagIndexing
from systems.s60_response_routing import ResponseRouting


def pipeline(
    parts: Parts,
    unsaved: Unsaved,
    stopped: Callable[[InboundMessage], Halted],
    choices: SkillChoices,
    committed: Callable[[Turn], None],
    afterwards: Callable[[Delivery, Ending], None],
) -> Pipeline:
    """Return the pipeline of the settings in force now.

    ``committed`` is told of every turn that was stored; ``afterwards`` takes deliveries that are not settled with it.
    """
    settings = parts.settings.current()
    voice = voice_of(settings)
    model = parts.model()
    tools = _tools(parts, settings)
    answering = remembered(
        voice,
        parts.clock,
        alone=model is None,
        floor=settings.recall.known_floor,
        direct=settings.recall.without_model == "direct",
    )

    def paused(record: TurnRecord, turn: Turn) -> str:
        # Told once per outage; an acknowledgement would claim to have remembered, so that it is replaced every time.
        telling = unsaved.add(record) or record.reply.kind is ReplyKind.NOTED
        return voice(turn.message).notice.memory_paused if telling else ""

    def refused(turn: Turn) -> str:
        taken = parts.longterm.newly_refused(turn.scope)
        return voice(turn.message).notice.memory_refused if taken else ""

    router = CommandRouter(_commands(parts, voice, model, stopped, choices), voice, parts.clock)
    return Pipeline(
        systems=(
            ContextBuilding(
                turns=parts.turns,
                retrieval=retrieval(parts, _reading(parts)),
                items=parts.items if settings.memory.items_enabled else None,
                preferences=parts.preferences,
                tools=tuple((tool.spec.name, tool.spec.description) for tool in tools) if model else (),
                limits=_context_limits(settings),
                clock=parts.clock,
                chosen_skill=choices.chosen,
                remembering=_remembering(parts),
                asking=lambda text: searched(text, model),
                publish=parts.events.publish,
            ),
            ToolLoop(
                model=model,
                tools=tools,
                remembered=answering,
                messengers=parts.messengers,
                deliveries=parts.deliveries,
                limits=ToolLoopLimits(
                    model_calls=settings.llm.max_calls,
                    tool_runs=settings.llm.max_tool_runs,
                    wall_s=settings.llm.wall_seconds,
                    context_tokens=settings.llm.context_tokens,
                ),
                texts=lambda turn: loop_texts(voice(turn.message), turn, remembering=settings.memory.enabled),
                clock=parts.clock,
            ),
            *_checking(parts, voice, model, answering),
            MemoryPersist(remembering=_remembering(parts), deriving=lambda: _items_on(parts)),
            RagIndexing(min_length=settings.rag.index_min_length, writing=_reading(parts), refused=refused),
            ResponseRouting(
                turns=parts.turns,
                deliveries=parts.deliveries,
                messengers=parts.messengers,
                committed=committed,
                unsaved=paused,
                afterwards=afterwards,
            ),
        ),
        shortcut=_shortcut(router, voice),
        scope_of=lambda message: scope_of(message, settings, parts.chats),
        journal=parts.journal,
        turns=parts.turns,
        deliveries=parts.deliveries,
        clock=parts.clock,
        notices=_notices(voice),
    )


def keeping(parts: Parts) -> SessionKeeping:
    """Return the session upkeep of the settings in force now."""
    settings = parts.settings.current()
    extraction, summary = parts.learning() or (None, None)
    return SessionKeeping(
        turns=parts.turns,
        sessions=parts.sessions,
        queue=parts.learning_queue,
        promote=parts.promote,
        extraction=extraction if settings.memory.enabled and settings.memory.items_enabled else None,
        summary=summary,
        clock=parts.clock,
        idle_minutes=settings.session.idle_minutes,
        compact_after_tokens=settings.session.compact_after_tokens,
    )


def voice_of(settings: Settings) -> Voice:
    """Return who is spoken to how: the language is the operator's choice, else the author's; hints are the owner's."""
    return lambda message: texts_for_author(message, settings.language)


def offer_words(settings: Settings, sample: str) -> OfferWords:
    """Return how to offer an answer again, in the operator's language or that of the answer itself."""
    texts = texts_for("", settings.language, sample).doubt
    return OfferWords(texts.one, texts.many, texts.show)


def scope_of(message: InboundMessage, settings: Settings, chats: Chats) -> Scope:
    """Return whose memory a message uses, by the configuration; a group that got another id keeps its memory."""
    memory = settings.memory
    kind = memory.scope_direct if message.chat_kind is ChatKind.DIRECT else memory.scope_group
    return scope_for(
        ScopeKind(kind),
        platform=message.address.platform,
        user_id=message.author.id,
        chat_id=chats.home(message.address.bot_id, message.address.chat_id),
        topic_id=message.address.topic_id,
        shared=memory.shared_name,
    )


def command_menu(texts: Texts) -> tuple[tuple[str, str], ...]:
    """Return the commands with their line of help, for menus and completion."""
    return tuple((name, texts.basic.commands.get(name, "")) for name in _NAMES)


_NAMES = ("start", "help", "new", "stop", "status", "memory", "remember", "forget", "undo", "why", "skill")


def _commands(
    parts: Parts,
    voice: Voice,
    model: ChatModel | None,
    stopped: Callable[[InboundMessage], Halted],
    choices: SkillChoices,
) -> tuple[Command, ...]:
    name = parts.settings.current().llm.model if model else ""
    return (
        Start(voice, lambda: name),
        Help(voice, _NAMES),
        New(voice),
        Stop(voice, stopped),
        Status(
            voice,
            lambda: health_lines(parts),
            parts.editor,
            parts.dead_letters,
            parts.doubts,
            lambda: name,
            _remembering(parts),
        ),
        Memory(voice, parts.editor, parts.eraser),
        Remember(voice, parts.editor, _remembering(parts)),
        Keep(voice, parts.editor, parts.proposals, _remembering(parts)),
        Forget(voice, parts.editor, parts.recall, parts.kept, parts.eraser),
        Undo(voice, parts.undo),
        Why(voice, parts.turns),
        Users(voice, parts.access),
        Again(voice, parts.doubts),
        SkillSwitch(voice, parts.preferences, choices),
    )


def _tools(parts: Parts, settings: Settings) -> tuple[Tool, ...]:
    recall = parts.recall if settings.memory.recall_enabled else None
    items = parts.items if settings.memory.items_enabled else None
    return (
        MemorySearch(
            recall,
            items,
            parts.longterm,
            parts.clock,
            _remembering(parts),
            _reading(parts),
            QueryMode(settings.rag.query_mode),
        ),
        RememberTool(parts.editor, parts.clock, parts.proposals, _remembering(parts)),
        ForgetTool(parts.eraser, parts.items, parts.recall, parts.kept, parts.clock),
        DateAndTime(parts.clock),
        *all_made("tools", settings.plugins.tools),
    )


def _checking(
    parts: Parts, voice: Voice, model: ChatModel | None, answering: Callable[[Turn], Turn]
) -> tuple[AnswerCheck, ...]:
    """Return the check of the model's answers, if it is on."""
    check = parts.settings.current().recall.check
    if model is None or check.mode == "off":
        return ()
    return (
        AnswerCheck(
            judge=judge(check.judge, model),
            consequence=Consequence(check.mode),
            warning=lambda turn: voice(turn.message).notice.not_borne_out,
            remembered=answering,
            floor=check.floor,
            deadline_s=check.deadline_seconds,
        ),
    )


def _remembering(parts: Parts) -> Callable[[], bool]:
    return lambda: parts.settings.current().memory.enabled


def _reading(parts: Parts) -> Callable[[], bool]:
    """Whether long-term memory is on now; for reading and for writing."""
    return lambda: parts.settings.current().memory.enabled and parts.settings.current().rag.enabled


def _items_on(parts: Parts) -> bool:
    return parts.settings.current().memory.items_enabled


def _context_limits(settings: Settings) -> ContextLimits:
    memory, prompt = settings.memory, settings.prompt
    return ContextLimits(
        history_exchanges=settings.session.history_exchanges,
        history_tokens=prompt.history_tokens,
        top_k_per_layer=memory.top_k_per_layer.model_dump(),
        relevance_floor=memory.relevance_floor,
        disclosure=memory.disclosure,
        soft_tokens=memory.soft_tokens,
        max_tokens=memory.max_tokens,
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


def _shortcut(router: CommandRouter, voice: Voice) -> Answer:
    async def answer(turn: Turn) -> Reply | None:
        reply = await router.answer(turn)
        if reply is None and turn.message.kind is MessageKind.EDITED and not asks(turn.typed):
            return Reply(voice(turn.message).notice.edited, ReplyKind.NOTICE)
        return reply

    return answer
