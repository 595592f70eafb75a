"""What a chat has settled for itself holds there and nowhere else, at once and over restarts."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from adapters.sqlite.conversations.chats import SqliteChats, SqliteChatSettings
from adapters.sqlite.database import Database
from adapters.sqlite.rooms import ROOMS
from bot.core.pipeline import in_chat
from bot.memory.scope import Scope, ScopeKind
from bot.messages import Address, ChatKind
from bot.ports.chats import ChatSettings
from harness.application import ANNA, CONSOLE, GROUP, NO_RAG, console_message, run_chats, run_console, run_on_telegram
from harness.fakes.telegram import FakeTelegram
from harness.samples import WordEmbedder
from tests.cases import each_row

BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = ChatSettings(time_zone="Europe/Berlin", quiet_from=time(22), quiet_to=time(7, 30))


@each_row(
    ("hour", "minute", "left"),
    [(21, 59, None), (22, 0, timedelta(hours=9, minutes=30)), (0, 0, timedelta(hours=7, minutes=30)), (7, 30, None)],
)
def test_quiet_hours_end_in_the_morning(hour: int, minute: int, left: timedelta | None) -> None:
    """They begin at their first minute and are over at their last, across midnight, in the chat's own zone."""
    now = datetime(2026, 7, 1, hour, minute, tzinfo=BERLIN).astimezone(UTC)

    end = NIGHT.find_quiet_end(now)

    assert (end - now if end else None) == left


def test_the_night_that_summer_time_ends_is_an_hour_longer() -> None:
    """The hours are those of the clock on the wall."""
    now = datetime(2026, 10, 24, 23, 0, tzinfo=BERLIN).astimezone(UTC)

    end = NIGHT.find_quiet_end(now)

    assert end is not None
    assert end - now == timedelta(hours=9, minutes=30)


def test_no_hours_are_quiet_where_none_are_set_or_both_are_the_same() -> None:
    """A stretch without length is none."""
    same = ChatSettings(quiet_from=time(7), quiet_to=time(7))

    assert ChatSettings().find_quiet_end(datetime.now(UTC)) is None
    assert same.find_quiet_end(datetime(2026, 7, 1, 7, tzinfo=UTC)) is None


async def test_choices_are_kept_by_chat_and_move_with_a_group(tmp_path: Path) -> None:
    """All topics of a group have the same, another bot's chat has its own, and a new id changes nothing."""
    database = Database(tmp_path / "mneme.db", ROOMS)
    await database.open()
    chats = SqliteChats(database)
    store = SqliteChatSettings(database, chats)
    chosen = ChatSettings(
        "de", memory=False, streaming=True, scope=ScopeKind.TOPIC, quiet_from=time(1), quiet_to=time(2)
    )
    await store.adjust(Address("telegram", 1, -5, 9), lambda _: chosen)
    await chats.record_move(1, -5, -1005)
    await store.adjust(Address("telegram", 1, -1005), lambda settings: ChatSettings("ru", settings.memory))
    await store.adjust(Address("telegram", 2, -5), lambda _: NIGHT)
    again = SqliteChatSettings(database, chats)
    await again.load()

    for each in (store, again):
        assert each.find(Address("telegram", 1, -1005, 3)) == ChatSettings("ru", memory=False)
        assert each.find(Address("telegram", 1, -5)) == ChatSettings("ru", memory=False)
        assert each.find(Address("telegram", 1, 7)) == ChatSettings()
        assert [address.chat_id for address, _ in each.list_chats()] == [-5, -5]
    await again.adjust(Address("telegram", 2, -5), lambda _: ChatSettings())
    assert len(again.list_chats()) == 1
    await database.close()


async def test_a_choice_that_cannot_be_read_counts_as_none(tmp_path: Path) -> None:
    """A zone that is not known any more does not keep Mneme from starting, nor the others from holding."""
    database = Database(tmp_path / "mneme.db", ROOMS)
    await database.open()
    store = SqliteChatSettings(database, SqliteChats(database))
    await store.adjust(
        CONSOLE, lambda _: ChatSettings("de", time_zone="Europe/Berlin", quiet_from=time(1), quiet_to=time(2))
    )
    await database.write(
        lambda db: (
            db.execute("UPDATE chat_settings SET time_zone = 'Mars/Base', quiet_to = 'late', scope = 'all'").rowcount
        )
    )
    await store.load()

    assert store.find(CONSOLE) == ChatSettings("de")
    await database.close()


async def test_a_chats_language_is_spoken_there_alone(tmp_path: Path) -> None:
    """It outweighs the author's; the next chat is spoken to as before, and a restart changes nothing."""
    for start in (1, 2):
        async with run_chats(tmp_path, NO_RAG, WordEmbedder()) as chats:
            if start == 1:
                await chats.parts.chat_settings.adjust(Address("telegram", 1, 1000), lambda _: ChatSettings("de"))
            german, english = await chats.say(0, "/new"), await chats.say(1, "/new")

        assert "neue" in german.casefold()
        assert "neue" not in english.casefold()


async def test_memory_off_in_a_chat_stops_at_its_door(tmp_path: Path) -> None:
    """What is said meanwhile is known in its session and never again; the other chat remembers on."""
    async with run_chats(tmp_path, NO_RAG, WordEmbedder()) as chats:
        await chats.parts.chat_settings.adjust(Address("telegram", 1, 1000), lambda _: ChatSettings(memory=False))
        told = [await chats.say(chat, "My sister Vera lives in Porto.") for chat in (0, 1)]
        kept = [await chats.parts.browser.count(Scope(tag)) for tag in ("tu1000", "tu1001")]
        for chat in (0, 1):
            await chats.say(chat, "/new")
        answers = [await chats.say(chat, "Where does my sister live?") for chat in (0, 1)]

    assert [each.total for each in kept] == [0, 1]
    assert "I keep nothing of that" in told[0]
    assert "I will remember" in told[1]
    assert "Porto" not in answers[0]
    assert "Porto" in answers[1]


async def test_a_chat_cannot_switch_on_what_the_operator_switched_off(tmp_path: Path) -> None:
    """Memory off is everybody's."""
    async with run_console(tmp_path, {**NO_RAG, "memory": {"enabled": False}}) as chat:
        await chat.app.parts.chat_settings.adjust(CONSOLE, lambda _: ChatSettings(memory=True))
        await chat.say("My sister Vera lives in Porto.")
        await chat.say("/new")

        answer = await chat.say("Where does my sister live?")

    assert "Porto" not in answer


async def test_the_clock_of_a_turn_is_its_chats(tmp_path: Path) -> None:
    """Dates of answers and of what is kept are told in the chat's zone, and in the operator's elsewhere."""
    async with run_chats(tmp_path, {**NO_RAG, "timeZone": "Europe/Lisbon"}, WordEmbedder()) as chats:
        await chats.parts.chat_settings.adjust(
            Address("telegram", 1, 1000), lambda _: ChatSettings(time_zone="Asia/Tokyo")
        )
        late = datetime(2026, 2, 7, 16, 30, tzinfo=UTC)
        for chat in (0, 1):
            await chats.say(chat, "My sister Vera lives in Porto.", sent_at=late)
        tokyo, lisbon = [await chats.say(chat, "Where does my sister live?") for chat in (0, 1)]
        offsets = await chats.parts.housekeeping.database.read(
            lambda db: [row[0] for row in db.execute("SELECT said_offset FROM exchanges ORDER BY said_at, id")]
        )

    assert "8 February" in tokyo
    assert "7 February" in lisbon
    assert offsets[:2] == [9 * 60, 0]


@pytest.mark.parametrize(("chosen", "tag"), [(None, "ccn7"), (ScopeKind.TOPIC, "ctn7_3"), (ScopeKind.USER, "ccn7")])
async def test_a_group_chooses_between_itself_and_its_topics(tmp_path: Path, chosen: ScopeKind, tag: str) -> None:
    """Nothing else: whose memory its members have is not the group's to open."""
    async with run_console(tmp_path) as chat:
        await chat.app.parts.chat_settings.adjust(Address("console", 0, -7), lambda _: ChatSettings(scope=chosen))

        scope = chat.app._pipeline.scope_of(console_message("hello", kind=ChatKind.GROUP, chat=-7, topic=3))

    assert scope.tag == tag


@pytest.mark.parametrize("memory", [{"scopeDirect": "shared", "sharedName": "home"}, {"scopeDirect": "user"}])
async def test_a_shared_memory_is_not_left_by_a_chat(tmp_path: Path, memory: dict[str, str]) -> None:
    """The operator put the chat there; nor is any chosen where the operator does not let chats choose."""
    settings = {**NO_RAG, "memory": memory, "chats": {"scope": "sharedName" in memory}}
    async with run_console(tmp_path, settings) as chat:
        await chat.app.parts.chat_settings.adjust(CONSOLE, lambda _: ChatSettings(scope=ScopeKind.CHAT))

        scope = chat.app._pipeline.scope_of(console_message("hello"))

    assert scope.tag == ("s_home" if "sharedName" in memory else "cu42")


async def test_a_chat_streams_or_not_whatever_the_other_does(tmp_path: Path) -> None:
    """The messenger asks within the turn, and hears of the chat that the turn belongs to."""
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path, telegram) as chats:
        rules, bot_id = chats.app.parts.rules, int(telegram.token.split(":")[0])
        await chats.app.parts.chat_settings.adjust(
            Address("telegram", bot_id, ANNA), lambda _: ChatSettings(streaming=False)
        )
        with in_chat(Address("telegram", bot_id, ANNA)):
            hers = rules.is_streaming()
        with in_chat(Address("telegram", bot_id, GROUP)):
            theirs = rules.is_streaming()

    assert (hers, theirs) == (False, True)


async def test_nobody_is_alerted_in_their_quiet_hours(tmp_path: Path) -> None:
    """A trouble waits for the morning, and is told then if it lasts."""
    async with run_console(tmp_path) as chat:
        parts, told = chat.app.parts, list[str]()

        async def tell(text: str) -> None:
            told.append(text)

        parts.tell_operator["console"] = tell
        parts.operator_at["console"] = lambda: CONSOLE
        parts.troubles["test"] = lambda: "the roof leaks"
        always = ChatSettings(quiet_from=time(0), quiet_to=time(23, 59, 59, 999_999))
        parts.chat_settings.known[CONSOLE.platform, 0, 1] = always  # type: ignore[index]  # the whole day, which no chat can choose
        for _ in range(3):
            await chat.app._alerts.look()
        quiet = list(told)
        await parts.chat_settings.adjust(CONSOLE, lambda _: ChatSettings("de"))
        for _ in range(3):
            await chat.app._alerts.look()

    assert quiet == []
    assert told == ["Diese Mneme braucht Hilfe: the roof leaks"]
