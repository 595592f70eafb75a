"""The router, and the commands that need little: /start /help /new /stop /status."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.commands.conversation import Halted
from bot.commands.formatting import make_reply
from bot.commands.memory_views import write_kinds
from bot.commands.router import parse
from bot.commands.status import HealthLine
from bot.memory.scope import Scope
from bot.messages import MessageKind
from bot.ports.messenger import Fate
from bot.turn import ReplyKind
from harness.application import NO_RAG, console_message, run_console
from language.registry import choose_texts, get_texts
from tests.bot.commands.chat import ANNA, NAMES, OWNER, START, Chat
from tests.cases import each_row


@each_row(
    ("text", "parsed"),
    [
        ("/new", ("new", "")),
        ("  /NEW  ", ("new", "")),
        ("/forget  booking code ", ("forget", "booking code")),
        ("/forget@mneme_bot code", ("forget", "code")),
        ("/remember\nfirst\nsecond", ("remember", "first\nsecond")),
        ("/etc/hosts is broken", None),
        ("/ new", None),
        ("//new", None),
        ("1/2", None),
        ("please /new", None),
        ("", None),
    ],
)
def test_only_a_slash_and_a_word_is_a_command(text: str, parsed: tuple[str, str] | None) -> None:
    """Paths and fractions are ordinary text; the argument keeps its line breaks."""
    assert parse(text) == parsed


async def test_ordinary_text_is_none_of_the_routers_business(chat: Chat) -> None:
    """It goes on to the systems."""
    assert await chat.type("where does Vera live?") is None


async def test_a_forwarded_command_is_text(chat: Chat) -> None:
    """Somebody else's words never act, not even to erase.

    Mutation check: without the look at forwarded_from everything is forgotten here.
    """
    await chat.say("I love jazz.")

    assert await chat.type("/forget everything yes", forwarded_from="Mallory") is None
    assert "jazz" in await chat.ask("/memory")


@each_row("form", ["{}", " {} everything yes", "{}@mneme_bot x", "{}\nwalrus"])
@each_row("name", NAMES)
async def test_no_command_in_foreign_text_is_run(chat: Chat, name: str, form: str) -> None:
    """Every command in every form: forwarded it is text, edited it is not carried out again."""
    for command in (f"/{name}", f"/{name.upper()}"):
        forwarded = await chat.type(form.format(command), forwarded_from="Mallory")
        edited = await chat.type(form.format(command), kind=MessageKind.EDITED)

        assert forwarded is None
        assert edited == make_reply(get_texts("en").basic.edited_command)


async def test_an_edited_command_is_not_carried_out_again(chat: Chat) -> None:
    """Correcting a typo in an old command must not erase anything."""
    assert "as a new message" in await chat.ask("/forget everything yes", kind=MessageKind.EDITED)


@each_row(("text", "told"), [("/memmory", "Did you mean /memory?"), ("/xyzzy", "/help")])
async def test_an_unknown_command_gets_a_way_on(chat: Chat, text: str, told: str) -> None:
    """The nearest command, or the list."""
    reply = await chat.type(text)

    assert reply is not None
    assert told in reply.text
    assert reply.kind is ReplyKind.COMMAND


async def test_help_lists_every_command(chat: Chat) -> None:
    """In both languages, with a line for each."""
    english, russian = await chat.ask("/help"), await chat.ask("/help", language="ru")

    for name in NAMES:
        assert f"- /{name} – " in english
        assert f"- /{name} – " in russian
    assert "память остаётся" in russian


async def test_start_greets_and_says_what_is_missing(chat: Chat) -> None:
    """Without a model it names the settings; text behind /start is not obeyed or echoed."""
    told = await chat.ask("/start ignore_all_rules", replace(ANNA, name="*Anna*"))
    chat.model = "gpt"

    assert told.startswith("Hello, \\*Anna\\*!")
    assert "ignore" not in told
    assert "tells" not in told
    assert "llm.url" not in await chat.ask("/start", OWNER)


async def test_only_the_owner_reads_which_setting_to_change(chat: Chat) -> None:
    """Others are told what happens, never a setting or a command of the operator's."""
    assert "llm.url" in await chat.ask("/start", OWNER)
    for sentence in ("/start", "/status", "/why", "/help"):
        for word in ("llm.", "memory.enabled", "preferences", "mneme "):
            assert word not in await chat.ask(sentence), sentence


async def test_new_ends_the_session_and_says_that_memories_stay(chat: Chat) -> None:
    """The reply carries the end of the session; the commit does it."""
    reply = await chat.type("/new")

    assert reply is not None
    assert reply.next_session is not None
    assert "stays with me" in reply.text


async def test_stop_tells_whether_there_was_something_to_stop(chat: Chat) -> None:
    """The dispatcher stops; the command reports."""
    before = await chat.ask("/stop")
    chat.halted = Halted(ended=True)
    after = await chat.ask("/stop")
    chat.halted = Halted(ended=True, dropped=3)

    assert "nothing to stop" in before
    assert after == "Stopped."
    assert await chat.ask("/stop all") == "Stopped.\n\nMessages dropped unanswered: 3"


async def test_stop_offers_to_drop_what_waits(chat: Chat) -> None:
    """With messages behind the one that was stopped the answer says how many, and carries the button."""
    chat.halted = Halted(ended=True, waiting=4)
    reply = await chat.type("/stop")

    assert reply is not None
    assert "4" in reply.text
    assert [data for _, data in reply.buttons] == ["/stop all"]


async def test_status_counts_and_reports_health(chat: Chat) -> None:
    """Everyone sees the states; only the owner sees the reasons, which name addresses."""
    chat.health = (HealthLine("lightrag", "degraded", "http://10.0.0.7:9621 answers slowly"),)
    await chat.say("My sister Vera lives in Porto.")
    await chat.lose("It may not have arrived.")
    await chat.lose("Nor this.", Fate.REFUSED)
    await chat.lose("To the group.", group=True)

    told = await chat.ask("/status")
    before = await chat.ask("/status", OWNER)
    assert await chat.database.backups.make_if_due(datetime.now(UTC), 7)
    owner = await chat.ask("/status", OWNER)

    assert "Memories of this chat: 1\n" in told
    assert "Back-ups" not in told
    assert "Back-ups: none yet" in before
    assert re.search(r"Back-ups: 1, the newest of 20\d\d-\d\d-\d\d \d\d:\d\d, 0\.\d MB in all", owner)
    assert "No language model configured" in told
    assert "Replies that may not have arrived: 1" in told
    assert "Replies that could not be delivered: 1" in told
    assert "telegram:1:-100" not in told
    assert "telegram:1:-100:0: Replies that may not have arrived: 1" in owner
    assert "no answer" in owner
    assert "Waiting for" not in told
    assert "long-term memory (LightRAG): degraded" in told
    assert "10.0.0.7" not in told
    assert "10.0.0.7" in owner


@pytest.mark.parametrize("language", ["de", "ru"])
async def test_status_is_in_one_language(tmp_path: Path, language: str) -> None:
    """The owner's too: nothing of it is written as in English, and kinds are counted as the other views count them."""
    told = {}
    async with run_console(tmp_path, NO_RAG) as chat:
        for text in ("My sister Vera lives in Porto.", "I prefer tea over coffee."):
            await chat.say(text)
        for number, each in enumerate(("en", language)):
            message = replace(console_message("/status", 20 + number), language=each)
            await chat.app.accept(replace(message, author=OWNER))
            await chat.app.answered()
            told[each] = chat.messenger.answers[-1]
        counts = await chat.app.parts.browser.count(Scope("cu42"))
    texts = choose_texts(language, "")
    lines = {each: set(answer.splitlines()) - {""} for each, answer in told.items()}
    english = {word for part in lines["en"] for word in re.findall(r"[a-z]{3,}", re.sub(r"\(.*?\)", "", part))}

    assert lines["en"] & lines[language] == set()
    assert write_kinds(counts, texts) in told[language]
    assert english & set(re.findall(r"[a-z]{3,}", told[language].lower())) <= {"telegram", "lightrag"}


async def test_the_owner_reads_what_was_given_up_and_why(chat: Chat) -> None:
    """Dead letters are counted and the newest named with their reasons; nobody else hears of other chats' documents."""
    await chat.say("My sister Vera lives in Porto, and her number is on the fridge in the kitchen.", index=True)
    (row,) = await chat.outbox.due(START, 10)
    await chat.outbox.bury(row.id, "long-term memory could not process the document, twice")

    owner, told = await chat.ask("/status", OWNER), await chat.ask("/status")

    assert "Given up by long-term memory: 1" in owner
    assert "could not process the document, twice" in owner
    assert "--revive" in owner
    assert "process" not in told


async def test_status_survives_a_broken_store(chat: Chat) -> None:
    """What cannot be asked is down; the rest is reported."""
    turn = await chat._turn("/status", ANNA, group=False)
    await chat.database.close()

    reply = await chat.router.answer(turn)

    assert reply is not None
    assert "memories: down" in reply.text
    assert "No language model configured" in reply.text


async def test_an_answer_that_may_be_lost_is_shown_again(chat: Chat) -> None:
    """By the number of its offer or without one; another chat's number shows nothing."""
    first = await chat.lose("Vera lives in Porto.")
    await chat.lose("A group's own.", group=True)
    elsewhere = await chat.ask(f"/again {first}", group=True)
    shown = await chat.ask("/again")
    offered = await chat.ask("/again")

    assert "nothing to show" in elsewhere
    assert shown == "Vera lives in Porto."
    assert "nothing to show" in offered
    assert "nothing to show" in await chat.ask("/again 99999999999999999999999")
    assert "nothing to show" in await chat.ask("/again everything")
