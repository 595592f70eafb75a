"""/why: what the last answer was based on, and why: in words, and in figures where they are asked for.

Without a language model "how do you know that?" asks the same.
"""

import re
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import ClassVar, Final

from bot.commands.formatting import escape, fold, make_page, make_reply, name_author, quote
from bot.commands.memory_views import WHY
from bot.memory.answering.questions import AnswerKind, analyse, holds_kind
from bot.memory.answering.reasons import find_reasons
from bot.memory.document import render_place
from bot.memory.helpfulness import HELPS, KNOWN, find_signal_group
from bot.memory.items import Channel, Origin, Recalled, Trust
from bot.memory.overviews import asks_about_time
from bot.memory.patterns import compile_bounded
from bot.memory.scope import to_number
from bot.memory.speakers import Reader, find_namesakes, list_shared
from bot.messages import ChatKind, Quote
from bot.ports.system import CommandCall
from bot.ports.turn_store import AnsweredTurn, RepliedTo, TurnStore
from bot.turn import Exchange, Reply, Turn
from language import alternatives, languages
from language.texts import Texts
from language.words import split_words

_ASKS: Final = compile_bounded(
    rf"{alternatives(each.questions.sources for each in languages())}\W{{0,9}}", re.IGNORECASE
)
_MOST_BARE: Final = 2
"""Words of "and why"."""
_SHOWN: Final = 10
_QUOTED: Final = 700
"""Characters of a source that are shown: more than its beginning, since a long quotation is folded."""
_SIGNALS_SHOWN: Final = 4
_LOOK_BACK: Final = 50
_FIGURES: Final = "figures"
_BORDER: Final = re.compile(r"(?<=[:;,]) ")
_HINT: Final = re.compile(r"://|[\w.]:[0-9]{2,5}\b|\b[a-z]+\.[a-z]+[A-Z]?\w*|\b[A-Z]+_[A-Z_]+\b")
"""An address, a port, a setting (``rag.topK``), a variable of the environment."""


async def asks_why(turn: Turn, turns: TurnStore) -> bool:
    """Return whether a message asks in words how the last answer of its place is known, and that rests on memories.

    "Why?" alone asks for a reason where one of these gives any.  In a reply it asks of the message that it replies to.
    """
    foreign = any(part.origin is not Origin.QUOTED for part in turn.parts)
    if not turn.is_own or foreign or _ASKS.fullmatch(turn.analysed.strip()) is None:
        return False
    if turn.message.replies_to:
        return True
    last = await turns.last(turn.address)
    if last is None or len(split_words(turn.analysed)) > _MOST_BARE:
        return last is not None and bool(last.trace.memories)
    asked = replace(analyse(turn.analysed), kind=AnswerKind.REASON)
    return bool(last.trace.memories) and not any(holds_kind(asked, each.text) for each in last.trace.memories)


@dataclass(frozen=True, slots=True)
class Why:
    """Explains the newest answer of this place from its stored trace."""

    turns: TurnStore

    name: ClassVar[str] = "why"

    async def run(self, call: CommandCall) -> Reply:
        """Return the memories that stood behind the answer, each with its words, and the notes on what was missing."""
        texts, to = call.texts, call.message.replies_to
        replied = await self.turns.find_replied(call.scope, call.message.address, to) if to else None
        if call.message.quote is not None and (replied is None or not replied.answer):
            return await self._tell_quoted(call, call.message.quote, replied.exchange if replied else None)
        asked = _make_answered(replied) if replied else await self.turns.last(call.message.address)
        if asked is None or not await self._is_ours(call, asked):
            return make_reply(texts.why.nothing_answered)
        memories = asked.trace.memories
        reader = call.message.find_reader(call.scope)
        heads = _Heads(
            reader,
            find_namesakes(reader, memories),
            call.now.tzinfo,
            asks_about_time(asked.question),
            asked.question,
            in_figures=call.argument.strip().casefold() in {_FIGURES, texts.why.figures},
        )
        shown = memories[:_SHOWN]
        sources = (_write_source(number, memory, heads, texts) for number, memory in enumerate(shown, 1))
        head = texts.why.head.format(count=len(memories)) if memories else texts.why.no_memories
        more = texts.why.more.format(count=len(memories) - _SHOWN) if len(memories) > _SHOWN else ""
        owner = call.author.trust is Trust.OWNER
        notes = "\n".join(f"- {escape(note if owner else _without_hints(note))}" for note in asked.trace.notes)
        asked_or_forwarded, source = texts.why.question, asked.forwarded_from
        if source is not None:
            asked_or_forwarded = texts.why.forwarded
        question = asked_or_forwarded.format(
            text=quote(asked.question), name=escape(source or "") or texts.answers.another_source
        )
        answered = f"{question} ({texts.moment(asked.said_at, call.now.tzinfo)})"
        return make_page(
            answered, head, *sources, more, f"{texts.why.notes}\n\n{notes}" if notes else "", buttons=_list_ways(shown)
        )

    async def _tell_quoted(self, call: CommandCall, quoted: Quote, said: Exchange | None) -> Reply:
        """Return who said a message of a person, and when, as far as that is kept."""
        reader, texts = call.message.find_reader(call.scope), call.texts
        speaker = reader.identify_part(0, quoted.author, "user")
        if said is not None:
            by, passed_on = said.author, said.forwarded
            speaker = reader.identify_part(by.id, by.name, "user")
            if passed_on is not None and not said.user_text:
                speaker = reader.identify_part(passed_on.author_id, passed_on.author, "forwarded")
        namesakes = list_shared(await self.turns.list_authors(call.scope))
        day = texts.moment(said.said_at, call.now.tzinfo) if said else ""
        whose = ", ".join(filter(None, (name_author(speaker, texts.memory, namesakes), day)))
        return make_reply(f"{quote(said.said if said else quoted.text)} — {whose}")

    async def _is_ours(self, call: CommandCall, asked: AnsweredTurn) -> bool:
        """Whether the answer came from the caller's memory: in a group it may be another member's."""
        if call.message.chat_kind is ChatKind.DIRECT:
            return True
        history = await self.turns.history(call.scope, asked.session_id, _LOOK_BACK)
        return any(exchange.uid == asked.exchange for exchange in history)


def _make_answered(replied: RepliedTo) -> AnsweredTurn:
    said = replied.exchange
    source = said.forwarded.author if said.forwarded is not None and not said.user_text else None
    return AnsweredTurn(said.uid, said.session_id, said.said, said.assistant_text, said.said_at, replied.trace, source)


def _without_hints(note: str) -> str:
    """Return the note without its clauses that name an address or a setting: those are the owner's business."""
    return " ".join(clause for clause in _BORDER.split(note) if not _HINT.search(clause)).strip(" :;,")


@dataclass(frozen=True, slots=True)
class _Heads:
    """For whom, in which zone and for which question it is told who said what and when.

    ``weekdays`` where the question was about time; ``in_figures`` tells the scores as well, and where something stands.
    """

    reader: Reader
    namesakes: frozenset[str]
    zone: tzinfo | None
    weekdays: bool
    question: str
    in_figures: bool = False


def _list_ways(memories: tuple[Recalled, ...]) -> tuple[tuple[str, str], ...]:
    """Return a button for each source that can be opened, under its number in the list."""
    found = ((str(number), _find_way(memory)) for number, memory in enumerate(memories, 1))
    return tuple((label, way) for label, way in found if way)


def _find_way(memory: Recalled) -> str:
    """Return the command that opens a source, "" for what is no memory of its own (a piece of the graph)."""
    number = memory.key.removeprefix("item:")
    if memory.channel is Channel.ITEM and number.isdecimal():
        return f"/memory open {to_number(int(number))} {WHY}"
    return f"/memory said {memory.exchange} {WHY}" if memory.exchange else ""


def _write_source(number: int, memory: Recalled, heads: _Heads, texts: Texts) -> str:
    """Return who said a memory, when, from where and why it was found, and below it its words, folded if long."""
    said_by = [name_author(heads.reader.identify(memory), texts.memory, heads.namesakes)]
    if memory.said_at is not None:
        said_by.append(texts.moment(memory.said_at, heads.zone, weekday=heads.weekdays))
    source = texts.why.channels[memory.channel]
    if memory.place is not None:
        source += f" {render_place(memory.place, texts.documents.place_page, escape)}"
    if memory.channel is Channel.ITEM:
        item = memory.key.removeprefix("item:")
        source += f", {to_number(int(item)) if item.isdecimal() else escape(item)}"
    if memory.exchange and heads.in_figures:
        source += f", {texts.why.exchange.format(uid=memory.exchange)}"
    if memory.channel is Channel.TURN and not heads.in_figures:
        source = ""  # what was said is the rule: who said it and when tells it
    found = _strength(memory, texts) if heads.in_figures else _give_reasons(heads.question, memory, texts)
    facts = (", ".join(filter(None, said_by)), source, found)
    words = f"{memory.before} {memory.text}".strip()
    return f"{number}. {' · '.join(filter(None, facts))}\n{fold(escape(words, _QUOTED))}"


def _give_reasons(question: str, memory: Recalled, texts: Texts) -> str:
    """Return why a memory was found for a question: "about your sister, the same words"."""
    reasons = find_reasons(question, memory)
    return ", ".join(texts.why.reasons[each.reason].format(whom=escape(each.whom)) for each in reasons)


def _strength(memory: Recalled, texts: Texts) -> str:
    """Return the score and what carried it: signals of one kind added up, the certainty first, then the strongest."""
    kinds: dict[str, float] = {}
    for name, value in memory.signals.items():
        if name == KNOWN and HELPS in memory.signals:
            continue  # both are certainties: the one that decided whether it was shown is told
        kind = find_signal_group(name)
        kinds[kind] = kinds.get(kind, 0.0) + value
    certain = find_signal_group(HELPS)
    strongest = sorted(kinds.items(), key=lambda pair: (pair[0] != certain, -abs(pair[1])))[:_SIGNALS_SHOWN]
    signals = ", ".join(f"{texts.why.signals.get(kind, escape(kind))} {value:.2g}" for kind, value in strongest)
    strength = texts.why.strength.format(score=f"{memory.score:.2f}")
    return f"{strength} ({signals})" if signals else strength
