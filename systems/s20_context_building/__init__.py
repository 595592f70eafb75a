"""System 20: put what we remember in front of the model.

Both memories are asked at once, under one deadline; whatever is late or broken costs the turn its memories and
leaves a note in the trace, never an error.
"""

import asyncio
import math
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import ClassVar, Final

import structlog

from bot.core.pipeline import mask_put_right
from bot.errors import MnemeError
from bot.memory.answering.changes import mark_changed
from bot.memory.answering.evidence import is_held_by_another, lacks_form, tells_age
from bot.memory.answering.follow_ups import (
    Topic,
    goes_on,
    leaves_out,
    list_topics,
    resolve_follow_up,
    strip_formerly,
)
from bot.memory.answering.questions import analyse, holds_kind, list_named, measure_asking, strip_again
from bot.memory.concepts import list_concepts, mend_opening, tells
from bot.memory.helpfulness import ANSWERING, HELP_FLOOR, MAY_ANSWER, get_answering, order_by_answering, rate_going_on
from bot.memory.items import Channel, MemoryItem, Recalled, Trust
from bot.memory.learning.correction import begins_with_value, looks_like_correction
from bot.memory.learning.wishes import choose_wishes
from bot.memory.overviews import asks_about_time
from bot.memory.patterns import cut_for_rules
from bot.memory.prompt.rendering import (
    Attribution,
    Disclosure,
    name_nobody,
    pack_items,
    render_context,
    render_front,
    render_summary,
    render_wishes,
)
from bot.memory.prompt.selection import SelectionLimits, select_memories
from bot.memory.ranking.fusion import WindowMessage
from bot.memory.sanitise import make_mark
from bot.memory.scope import Scope
from bot.memory.skills import choose_skill
from bot.memory.speakers import Reader, find_namesakes
from bot.messages import Address, Author, ChatKind, InboundMessage, MessageKind
from bot.ports.embedder import AnswerReader
from bot.ports.events import ContextBuilt, Publish
from bot.ports.memory_store import MemoryQuery, MemoryStore
from bot.ports.preferences import Preferences
from bot.ports.system import OnError
from bot.ports.turn_store import TurnStore
from bot.turn import Exchange, Reading, Session, Trace, Turn
from language.tokens import count_left_out, count_tokens
from systems.s20_context_building.asking import within
from systems.s20_context_building.retrieval import Fusion, Retrieval, RetrievalOptions, Retrieved, together

__all__ = ["ContextBuilding", "ContextLimits", "Fusion", "Retrieval", "RetrievalOptions", "Retrieved"]


@dataclass(frozen=True, slots=True)
class ContextLimits:
    """How much is shown.  Sizes in tokens.  The history is cut in steps of half of what it may hold."""

    history_exchanges: int = 200
    history_tokens: int = 12_000
    summary_tokens: int = 1000
    relevance_floor: float = 0.15
    help_floor: float = HELP_FLOOR
    """Probability of being of use below which no memory is shown but pinned items."""
    disclosure: str = "selective_detail"
    top_k_per_layer: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Items of each layer at most, by the layer's name; a layer without an entry is not limited."""
    soft_tokens: int = 600
    max_tokens: int = 1000
    relevant_tokens: int = 1000
    focus_tokens: int = 3000
    """In its place where a message is about certain documents: then they are all that there is to answer from."""
    wish_tokens: int = 600
    section_tokens: int = 2000
    skill_tokens: int = 2000


_KEY: Final = secrets.token_bytes(32)
"""What the marks of this process's fences are made of; kept nowhere else."""
_FURTHER_BACK: Final = 1.6
"""Log odds by which what was said before the last thing is less likely gone on about, for each thing in between."""


@dataclass(frozen=True, slots=True)
class ContextBuilding:
    """Load the history, the skill and both memories, and build what the model is told.

    ``items`` is ``None`` when the configuration takes them off the read path; ``remembering`` is asked anew in every
    turn, so that switching memory off acts at once; ``asking`` returns what to search for of a message: nothing if
    nobody will look at it, or several questions, each by itself.  ``chosen_skill`` returns what was chosen by command
    in a session, ``None`` if nothing was.  ``publish`` is told of the finished prompt.  ``tools`` are the names of
    those that go out with a request.  ``key`` makes the marks of fences.  Where no model is told anything
    (``prompting``), what was found is all that is wanted.
    """

    turns: TurnStore
    retrieval: Retrieval
    items: MemoryStore | None
    preferences: Preferences
    tools: tuple[str, ...]
    limits: ContextLimits
    chosen_skill: Callable[[Address, Session], str | None]
    remembering: Callable[[], bool]
    asking: Callable[[str], tuple[str, ...]] = lambda text: (text,)
    publish: Publish = lambda _: None
    prompting: bool = True
    key: bytes = field(default=_KEY, repr=False)
    _refreshing: set[asyncio.Task[None]] = field(default_factory=set, init=False, compare=False)

    order: ClassVar[int] = 20
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with history, memories, skill and system prompt."""
        now, message, analysed = turn.started_at, turn.message, turn.analysed
        searching = self.remembering() and bool(turn.text.strip())
        correcting = looks_like_correction(analysed) or begins_with_value(analysed)
        further = searching and turn.is_own and not turn.focus and goes_on(analysed)  # "it" is the document
        if further or correcting or self.retrieval.options.window:
            turn = mask_put_right(replace(turn, history=await self._history(turn)))
            message, analysed = turn.message, turn.analysed
            turn = replace(turn, meant=_resolve(turn)) if further else turn
        wanted = self.asking(turn.meant or cut_for_rules(turn.text)) if searching else ()
        if turn.history:
            asked, wishes = await asyncio.gather(
                self._remembered(turn, message.author, wanted, now), self._wished(turn.scope, message.author.id, wanted)
            )
        else:
            history, asked, wishes = await asyncio.gather(
                self._history(turn),
                self._remembered(turn, message.author, wanted, now),
                self._wished(turn.scope, message.author.id, wanted),
            )
            turn = replace(turn, history=history)
        if wanted and not self.prompting and turn.is_own and not turn.focus:
            turn, asked = await self._read_on(turn, asked, now)
        found = together(asked)
        if len(asked) > 1:
            turn = replace(turn, readings=tuple(Reading(one.query.text, one.relevant, one.unread) for one in asked))
        skills = self.preferences.skills()
        sticky = self.chosen_skill(turn.address, turn.session)
        if sticky is None:
            sticky = next((exchange.skill for exchange in reversed(turn.history) if exchange.skill), "")
        skill = choose_skill(analysed, skills, sticky)
        turn = replace(turn, skill=skill, relevant=found.relevant, unread=found.unread)
        turn = replace(turn, trace=_add_notes(turn.trace.measuring(**found.counts), found.notes))
        shown: tuple[MemoryItem, ...] = ()
        if self.prompting:
            turn, shown = self._render(turn, message, analysed, found, wishes, now, searched=searching)
        if message.kind is MessageKind.EDITED:  # what it said before is neither memory nor history
            same = message.message_id
            turn = replace(turn, history=tuple(each for each in turn.history if each.message_id != same))
        refreshing = asyncio.create_task(self._refresh(turn, shown), name="refresh items")
        self._refreshing.add(refreshing)
        refreshing.add_done_callback(self._refreshing.discard)
        self.publish(ContextBuilt(turn))
        return turn

    async def _refresh(self, turn: Turn, shown: tuple[MemoryItem, ...]) -> None:
        """Let the items that are shown count as used; nobody waits for it."""
        if self.items is None or not shown:
            return
        try:
            await self.items.touch(turn.scope, tuple(item.id for item in shown), turn.started_at)
        except MnemeError as error:
            structlog.get_logger().warning("items not refreshed", cause=type(error).__name__)

    async def _wished(self, scope: Scope, asker: int, wanted: tuple[str, ...]) -> tuple[MemoryItem, ...]:
        """Return what the asker wants of every answer; nothing where memory is off, late, broken or not looked at."""
        if self.items is None or not (wanted and self.prompting) or self.limits.wish_tokens <= 0:
            return ()
        reading = {"wishes": asyncio.create_task(self.items.wishes(scope))}
        options = self.retrieval.options
        read, missed = await within(max(options.deadline_s, options.store_deadline_s), reading)
        for note in missed:
            structlog.get_logger().warning("wishes not read", cause=note)
        return choose_wishes(read.get("wishes", ()), asker)

    async def _history(self, turn: Turn) -> tuple[Exchange, ...]:
        """Return the newest exchanges of the session that fit into their budget, oldest first, cut in large steps."""
        most = self.limits.history_exchanges
        try:
            history = await self.turns.history(turn.scope, turn.session.id, most, step=max(most // 2, 1))
        except MnemeError as error:
            structlog.get_logger().warning("history unavailable", cause=type(error).__name__)
            return ()
        costs = [sum(map(count_tokens, exchange.texts)) for exchange in history]
        return history[count_left_out(costs, self.limits.history_tokens) :]

    async def _remembered(
        self, turn: Turn, author: Author, wanted: tuple[str, ...], now: datetime
    ) -> tuple[Retrieved, ...]:
        """Ask the memories, unless they are off, nothing was said or nobody would look at them."""
        query = MemoryQuery(
            text=turn.meant or cut_for_rules(turn.text),
            author_id=author.id,
            author_name=author.name,
            now=now,
            limit=self.retrieval.options.results,
            budget=self.retrieval.options.budget,
            documents=turn.focus,
        )
        window = _window(turn, self.retrieval.options.window)
        texts = map(strip_formerly, wanted) if turn.meant else wanted
        asked = (self.retrieval(turn.scope, replace(query, text=text), window) for text in texts)
        found = tuple(await asyncio.gather(*asked)) or (Retrieved(turn.scope, query),)
        former = await self._find_edited(turn) if turn.edited else ""
        return tuple(_leave_out(each, former) for each in found) if former else found

    async def _find_edited(self, turn: Turn) -> str:
        """Return the exchange whose words an edit takes back, which hold until it is stored; "" for none."""
        try:
            found = await self.turns.find_replied(turn.scope, turn.address, turn.edited)
        except MnemeError:
            return ""  # what cannot be read was not found either
        return "" if found is None or found.answer else found.exchange.uid

    async def _read_on(
        self, turn: Turn, asked: tuple[Retrieved, ...], now: datetime
    ) -> tuple[Turn, tuple[Retrieved, ...]]:
        """Return the turn as it is meant beside what its author said before, where that likely answers.

        What the last answer told goes before all that was said before it.
        """
        said, resolved = mend_opening(turn.analysed), turn.meant
        if strip_formerly(resolved) != resolved:
            return turn, asked
        read = ((each.key, get_answering(each)) for each in together(asked).relevant)
        rates = {key: rate for key, rate in read if rate is not None}
        surest, named = max(rates, key=lambda key: rates[key], default=""), list_named(said)
        sure = rates.get(surest, 0.0) >= ANSWERING
        if self.retrieval.reader is None or (sure and not (resolved or leaves_out(said))):
            return turn, asked
        chosen = turn, asked
        for back, topic in enumerate(list_topics(said, _list_own(turn))):
            meant = replace(turn, meant=topic.reading)
            (found,) = await self._remembered(meant, turn.message.author, (topic.reading,), now)
            odds = await _rate_told(self.retrieval.reader, said, topic, found.relevant)
            likely = {key: 1 / (1 + math.exp(-each)) for key, each in odds.items()}
            going = meant, (replace(found, relevant=order_by_answering(found.relevant, likely)),)
            if max(odds.values(), default=-math.inf) >= _FURTHER_BACK * back:
                return (turn, asked) if sure and surest in odds else going
            may = not named or (not sure and max(likely.values(), default=0.0) >= MAY_ANSWER)
            if may and not (back or (resolved and sure)):  # what names nothing goes on about the last thing
                chosen = (turn if named else meant), going[1]
            if topic.asked and not named:
                break
        return chosen

    def _render(
        self,
        turn: Turn,
        message: InboundMessage,
        analysed: str,
        found: Retrieved,
        wishes: tuple[MemoryItem, ...],
        now: datetime,
        *,
        searched: bool,
    ) -> tuple[Turn, tuple[MemoryItem, ...]]:
        """Return the turn with its memories and system prompt, and the items that stand in it."""
        limits, reader = self.limits, message.find_reader(turn.scope)
        relevant_tokens = max(limits.relevant_tokens, limits.focus_tokens) if turn.focus else limits.relevant_tokens
        mark = make_mark(self.key, turn.scope.tag, turn.session.id)
        in_history = {exchange.uid for exchange in turn.history}
        # What the history says word for word comes here when the history has lost it: until then nothing changes.
        standing = tuple(wish for wish in wishes if wish.provenance.exchange not in in_history)
        # Wishes are the asker's: where askers alternate they stand behind the history, so that the front stays as it is
        # for everybody.  In a direct chat it marks no one either whose memory is shared.
        direct = message.chat_kind is ChatKind.DIRECT
        wished = render_wishes(
            standing,
            attribution=Attribution(now, reader if reader.alone or not direct else Reader()),
            fence=mark,
            wish_tokens=limits.wish_tokens,
        )
        front = render_front(
            tuple((section.name, section.text) for section in self.preferences.sections()),
            (turn.skill.name, turn.skill.body) if turn.skill else None,
            self.tools,
            wishes=wished.text if direct else "",
            fence=mark,
            section_tokens=limits.section_tokens,
            skill_tokens=limits.skill_tokens,
        )
        chosen = select_memories(
            found.items,
            found.relevant,
            message=turn.text,
            history=turn.history,
            asking=measure_asking(analysed),
            standing=wished.items,
            summary=turn.session.summary,
            broad=found.overview is not None or bool(turn.focus),
            by_day=found.by_day,
            limits=SelectionLimits(limits.relevance_floor, limits.top_k_per_layer, limits.help_floor, relevant_tokens),
        )
        relevant, changed = mark_changed(
            analysed, chosen.relevant, chosen.items, found.relevant, reader, hidden=in_history
        )
        if found.chronological:
            relevant = chosen.relevant
        attribution = Attribution(
            now,
            reader,
            find_namesakes(reader, relevant, chosen.items),
            asks_about_time(analysed),
            changed,
            found.by_day,
        )
        context = render_context(
            pack_items(
                chosen.items,
                attribution=attribution,
                disclosure=Disclosure(limits.disclosure),
                soft_tokens=limits.soft_tokens,
                max_tokens=limits.max_tokens,
                left_out=chosen.left_out_items,
            ),
            relevant,
            attribution=attribution,
            fence=mark,
            relevant_tokens=relevant_tokens,
            wishes="" if direct else wished.text,
            left_out=chosen.left_out,
            doubtful=bool(relevant) and not found.known,
            unread=found.unread,
            searched=searched,
        )
        summary = render_summary(turn.session.summary, fence=mark, most=limits.summary_tokens)
        used = (*(_summary(turn) if summary else ()), *context.used)
        chars = sum(map(len, (front.text, summary, context.text)))
        trace = turn.trace.measuring(prompt_chars=chars, memories=len(used)).using(used)
        shortened = (
            f"prompt section shortened to its budget: {name}"
            for name in (*front.trimmed, *wished.trimmed, *context.trimmed)
        )
        trace = _add_notes(trace, shortened)
        # The wishes are the asker's or the owner's own word: as trusted as the message, and not counted as used.
        trust = _trust(turn.trust, message.author.id, used, context.items, alone=direct)
        told = replace(turn, system_prompt=front.text, summary=summary, context=context.text, mark=mark)
        return replace(told, trust=trust, trace=trace), context.items


def _add_notes(trace: Trace, notes: Iterable[str]) -> Trace:
    for note in notes:
        trace = trace.noting(note)
    return trace


def _trust(
    read: Trust, reader: int, used: tuple[Recalled, ...], items: tuple[MemoryItem, ...], *, alone: bool
) -> Trust:
    """Return how far the least may be believed of what memory puts into the prompt, for whoever asks."""
    shown = (memory.trust_for(reader, alone=alone) for memory in used)
    noted = (
        item.provenance.trust if item.provenance.author_id == reader else min(item.provenance.trust, Trust.FILE)
        for item in items
    )
    return min((read, *shown, *noted))


def _leave_out(found: Retrieved, exchange: str) -> Retrieved:
    """Return what was found without what an exchange says and was answered, and what is derived from it."""
    return replace(
        found,
        relevant=tuple(each for each in found.relevant if each.exchange != exchange),
        about=tuple(each for each in found.about if each.exchange != exchange),
        items=tuple(each for each in found.items if each[0].provenance.exchange != exchange),
    )


def _list_own(turn: Turn) -> list[tuple[str, str]]:
    own = (each for each in turn.history if each.author.id == turn.message.author.id)
    return [(cut_for_rules(each.user_text), each.assistant_text) for each in own]


async def _rate_told(reader: AnswerReader, said: str, topic: Topic, found: Iterable[Recalled]) -> dict[str, float]:
    """Return the log odds that what told of a topic answers a question that goes on about it, by key."""
    question, named, told = analyse(said), list_named(said), frozenset(list_concepts(topic.told))
    pieces = [each for each in found if each.channel is Channel.TURN and tells(told, each.text)]
    rates = (
        await reader.rate_answers(f"{strip_again(said).rstrip(' ?!.')}?", [each.text for each in pieces])
        if pieces
        else ()
    )
    odds = dict[str, float]()
    for piece, rate in zip(pieces, rates, strict=True):
        holds = tells_age(piece.text) if "age" in question.terms else holds_kind(question, piece.text)
        odds[piece.key] = rate_going_on(rate, len(named), holds=holds)
        names = leaves_out(said) or not named.isdisjoint(list_concepts(piece.text))
        if not names or lacks_form(question, piece.text) or is_held_by_another(question, piece.text, {}):
            odds[piece.key] = min(odds[piece.key], -_FURTHER_BACK)
        if not names and (len(named) > 1 or question.own):  # "the code of our gate" names all it is about
            odds[piece.key] = -math.inf
    return odds


def _resolve(turn: Turn) -> str:
    """Return what a message means that goes on about what its author asked before, "" where that is itself."""
    meant = resolve_follow_up(turn.analysed, _list_own(turn))
    if meant and measure_asking(turn.analysed) and not measure_asking(meant):
        meant = f"{meant}?"  # its kind was told of what was typed alone
    return "" if meant == turn.analysed else meant


def _window(turn: Turn, size: int) -> tuple[WindowMessage, ...]:
    """Return the newest ``size`` messages of the conversation so far, oldest first."""
    said = (
        WindowMessage(name, exchange.said_at, text)
        for exchange in turn.history
        for name, text in (_first_said(exchange), ("Assistant", exchange.assistant_text))
        if text.strip()
    )
    return tuple(said)[-size:] if size else ()


def _first_said(exchange: Exchange) -> tuple[str, str]:
    """Return who said what a message says, and that."""
    forwarded = exchange.forwarded
    if forwarded is not None and not exchange.user_text:
        return forwarded.author or name_nobody(forwarded.author_id), forwarded.text
    return exchange.author.name or "user", exchange.user_text


def _summary(turn: Turn) -> tuple[Recalled, ...]:
    """Return the summary that stands for the older part of this conversation: data, like every memory."""
    session = turn.session
    text = f"Earlier in this conversation: {session.summary}"
    at, trust = session.started_at, session.trust
    return (Recalled(f"summary:{session.id}", text, Channel.ITEM, 1.0, "summary", said_at=at, trust=trust),)
