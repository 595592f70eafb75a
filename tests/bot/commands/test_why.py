"""/why explains the last answer from its trace."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import pytest

from bot.commands.formatting import escape
from bot.memory.helpfulness import FULL, LEXICAL, SIGNAL_GROUPS, VECTORS, find_signal_group
from bot.memory.items import Channel, Recalled
from bot.turn import Trace
from harness.application import run_console
from language import languages
from language.registry import get_texts
from language.texts import Texts
from tests.bot.commands.chat import ANNA, BOB, OWNER, SIGNALS, Chat
from tests.cases import each_row

SAID_AT = datetime(2026, 1, 5, 9, 15, tzinfo=UTC)
VERA = Recalled(
    "turn:a1:user",
    "My sister Vera lives in Porto.",
    Channel.TURN,
    0.83,
    author="Anna",
    author_id=42,
    role="user",
    said_at=SAID_AT,
    exchange="a1",
    signals=SIGNALS,
)
PORTO = Recalled("entity:Porto", "Porto: *a city*", Channel.ENTITY, 0.5)


async def test_why_names_text_author_date_channel_signals_and_exchange(chat: Chat) -> None:
    """All that carried the answer, in plain words, and what was missing."""
    trace = Trace(memories=(VERA, PORTO), notes=("long-term memory unavailable: HTTP 503",))
    await chat.say("Where does Vera live?", "In Porto.", trace=trace)

    told = await chat.ask("/why figures")

    assert "You asked: “Where does Vera live?” (7 February 2026, 14:31)" in told
    assert "memories: 2" in told
    assert (
        "1. you, 5 January 2026, 09:15 · from the store (said word for word), exchange a1 · match 0.83 (words 2.1, "
        "meaning 0.4)\n> My sister Vera lives in Porto."
    ) in told
    assert "2. from LightRAG (what it knows about a name) · match 0.50\n> Porto: \\*a city\\*" in told
    assert "- long-term memory unavailable: HTTP 503" in told


async def test_every_source_that_is_a_memory_can_be_opened(chat: Chat) -> None:
    """By its number in the list: what was said, or the note that was made of it; the graph's own words cannot."""
    uid = await chat.say("My sister Vera lives in Porto.", "Noted.")
    said = replace(VERA, key=f"turn:{uid}:user", exchange=uid)
    noted = replace(VERA, key=f"item:{1 << 32 | 1}", channel=Channel.ITEM, exchange=uid)
    await chat.say("Where does Vera live?", "In Porto.", trace=Trace(memories=(PORTO, said, noted)))

    reply = await chat.type("/why")
    assert reply is not None
    first, second = [await chat.type(command) for _, command in reply.buttons]

    assert [label for label, _ in reply.buttons] == ["2", "3"]
    assert first is not None
    assert first.text.startswith("you, 7 February 2026, 14:31\n\n“My sister Vera lives in Porto.”")
    assert "I answered: “Noted.”" in first.text
    assert "- 1: “My sister Vera lives in Porto.”" in first.text
    assert second is not None
    assert second.text.startswith("Memory 1 · Facts")
    assert first.buttons[-1] == second.buttons[-1] == ("‹ Back", "/why")


async def test_why_speaks_russian(chat: Chat) -> None:
    """Dates, channels and signals too."""
    await chat.say("Где живёт Вера?", "В Порту.", trace=Trace(memories=(VERA,)))

    told = await chat.ask("/why числа", language="ru")
    plain = await chat.ask("/why", language="ru")

    assert "вы, 5 января 2026, 09:15 · часть тех же слов, почти то же по смыслу" in plain
    assert "вы, 5 января 2026, 09:15 · из хранилища (сказано дословно), обмен a1" in told
    assert "слова 2.1, смысл 0.4" in told


async def test_why_without_an_answer_or_without_memories(chat: Chat) -> None:
    """Both are said plainly."""
    nothing = await chat.ask("/why")
    await chat.say("Tell me a joke", "No.")

    assert "not answered anything" in nothing
    assert "used no memories" in await chat.ask("/why")


async def test_many_memories_are_counted_not_listed(chat: Chat) -> None:
    """Ten lines and a number."""
    await chat.say("What do you know?", "Much.", trace=Trace(memories=(VERA,) * 14))

    told = await chat.ask("/why")

    assert told.count("My sister Vera") == 10
    assert "Further ones: 4" in told


async def test_in_a_group_only_an_answer_from_the_callers_memory_is_explained(chat: Chat) -> None:
    """When every member has a memory of their own, the memories behind Anna's answer are not shown to Bob.

    Mutation check: without the look at the scope's history Bob reads Porto here.
    """
    await chat.say("Where does Vera live?", "In Porto.", ANNA, group=True, trace=Trace(memories=(VERA,)))
    turn = await chat._turn("/why", BOB, group=True)

    others = await chat.router.answer(replace(turn, scope=chat.scope(BOB)))
    shared = await chat.ask("/why", BOB, group=True)

    assert others is not None
    assert "Porto" not in others.text
    assert "Porto" in shared
    assert "1. Anna, 5 January 2026" in shared


async def test_every_signal_of_recall_is_told_in_plain_words(chat: Chat) -> None:
    """Signals of one kind are added up; no name of the code's own reaches a reader."""
    signals = MappingProxyType({"known": 0.93, "lexical_share": 1.0, "lexical_around": 0.5, "when_vaguely": 0.4})
    await chat.say("Where does Vera live?", "In Porto.", trace=Trace(memories=(replace(VERA, signals=signals),)))

    assert "match 0.83 (certainty 0.93, words 1.5, date 0.4)" in await chat.ask("/why figures")


@pytest.mark.parametrize(
    ("question", "memory", "reasons"),
    [
        ("Where does Vera live?", VERA, "about Vera, the same words"),
        ("Where does my sister live?", VERA, "about your sister, the same words"),
        ("Where is Vera's flat?", replace(VERA, signals={"dense": 2.0}), "about Vera, means nearly the same"),
        ("Anything beside the Douro?", replace(VERA, signals={"sentence": 1.2}), "means nearly the same"),
        ("What did I say in January?", replace(VERA, signals={"date": 1.0}), "said in the time you asked about"),
        ("What did I tell you today?", replace(VERA, signals={"then": 1.0}), "said in the time you asked about"),
        ("How is the weather?", replace(VERA, signals={}), "the nearest of what I know"),
    ],
)
async def test_why_gives_reasons_in_words(chat: Chat, question: str, memory: Recalled, reasons: str) -> None:
    """Each can be checked by reading both; scores stand only in what asks for figures."""
    await chat.say(question, "In Porto.", trace=Trace(memories=(memory,)))

    told = await chat.ask("/why")

    assert f"1. you, 5 January 2026, 09:15 · {reasons}\n> My sister" in told.replace("Monday, 5", "5")
    assert "match" not in told


@each_row("texts", [get_texts(each.code) for each in languages()])
def test_every_kind_of_signal_has_its_word(texts: Texts) -> None:
    """In every language, whatever signals the ranking has."""
    weighed = {find_signal_group(name) for weights in (FULL, VECTORS, LEXICAL) for name in weights}

    assert weighed <= SIGNAL_GROUPS <= texts.why.signals.keys()


@pytest.mark.parametrize(
    ("note", "shown"),
    [
        ("long-term memory unavailable: HTTP 503", "long-term memory unavailable: HTTP 503"),
        ("rerank: the reranker failed, the ranking stands", "rerank: the reranker failed, the ranking stands"),
        ("long-term memory unavailable: http://10.0.0.7:9621 refuses", "long-term memory unavailable"),
        ("long-term memory unavailable: 10.0.0.7:9621 refuses; set rag.url", "long-term memory unavailable"),
        ("a piece was cut; raise rag.topK or RAG_TOP_K", "a piece was cut"),
    ],
)
async def test_notes_name_addresses_and_settings_to_the_owner_alone(chat: Chat, note: str, shown: str) -> None:
    """Others read what was missing, without the clauses that are the operator's business."""
    await chat.say("where does Vera live?", trace=Trace(notes=(note,)))

    assert (await chat.ask("/why")).endswith(f"- {escape(shown)}")
    assert (await chat.ask("/why", OWNER)).endswith(f"- {escape(note)}")


@each_row(
    ("told", "asked", "how", "beside"),
    [
        ("My dentist is Dr. Lind.", "Who is my dentist?", "how do you know that??", "why not?"),
        ("Mein Zahnarzt ist Dr. Lind.", "Wer ist mein Zahnarzt?", "woher weißt du das", "warum nicht?"),
        ("Мой стоматолог — Линд.", "Кто мой стоматолог?", "откуда ты это знаешь?", "почему нет?"),
        ("My dentist is Dr. Lind.", "Who is my dentist?", "why?", "why is the ferry late?"),
    ],
)
async def test_how_it_is_known_may_be_asked_in_words(
    tmp_path: Path, told: str, asked: str, how: str, beside: str
) -> None:
    """Behind an answer; behind a statement, and in other words, such a message is none of that."""
    async with run_console(tmp_path / how.strip("?")) as mneme:
        told_first = [await mneme.say(each) for each in (told, how)]
        answer, why, other = [await mneme.say(each) for each in (asked, how, beside)]

    name = told.rstrip(".").split()[-1]
    assert name in answer
    assert asked in why
    assert name in why
    assert name not in told_first[1] + other
