"""Documents, costs and settings on the page."""

from __future__ import annotations

import zipfile
from datetime import time, timedelta
from io import BytesIO

from adapters.page.gate import Visitor
from bot.features.page.parts import find_chat
from bot.memory.chunking import DocumentChunk
from bot.memory.scope import Scope
from bot.memory.speakers import Reader
from bot.ports.documents import DocumentStore, NewDocument
from bot.ports.reminders import Reminder, Reminders
from bot.ports.usage import UsageLedger
from bot.ports.when import load_repetition
from bot.turn import Usage, UsageKind
from harness.application import CONSOLE, ConsoleChat
from harness.page import OpenedPage
from harness.samples import ANNA as AUTHOR
from harness.samples import NOON
from tests.bot.features.page.conftest import HERE

ANNA = Visitor((HERE,), Reader(42, "Anna", alone=True))


def document(number: int = 1) -> NewDocument:
    """A manual with two sections."""
    chunks = (
        DocumentChunk(("Manual", "Water"), "Fill the <b>tank</b>.", 1),
        DocumentChunk(("Manual", "Heat"), "Wait.", 2),
    )
    return NewDocument(
        f"d{number:012x}",
        f"kettle{number}.pdf",
        "Kettle",
        "pdf",
        AUTHOR,
        NOON,
        CONSOLE.key,
        number,
        0,
        "",
        f"h{number}",
        chunks,
    )


async def test_documents_are_listed_opened_and_forgotten(page: OpenedPage, chat: ConsoleChat) -> None:
    """With their sections and pages; what they say is text, and a receipt tells that they are gone."""
    store = chat.app.parts.need(DocumentStore)
    await store.add(HERE, document(1), index=False)
    await store.add(Scope("tu7"), document(2), index=False)
    async with page.visit(ANNA) as visitor:
        listed = await visitor.read("/m/cu42/documents")
        shown = await visitor.read(f"/m/cu42/documents/{document(1).uid}")
        foreign = await visitor.get(f"/m/cu42/documents/{document(2).uid}")
        path = f"/m/cu42/documents/{document(1).uid}/forget"
        stale = await visitor.submit(path, path, shown="9")
        done = await visitor.submit(path, path)
        gone = await visitor.get(f"/m/cu42/documents/{document(1).uid}")
        records = await visitor.read("/m/cu42/forgotten")

    assert "kettle1.pdf" in listed
    assert "kettle2.pdf" not in listed
    assert "Manual › Water page 1 Fill the <b>tank</b>." in shown
    assert foreign.status_code == 404
    assert stale.status_code == 409
    assert "Documents that were sent: 1" in done.text
    assert gone.status_code == 404
    assert "kettle" not in records


async def test_reminders_are_listed_and_cancelled(page: OpenedPage, chat: ConsoleChat) -> None:
    """The next one first, each by who asked for it and as it was shown."""
    async with page.visit(ANNA) as visitor:
        none = await visitor.read("/m/cu42/reminders")
        for days, text, rule in ((9, "take <b>out</b> the bins", "FREQ=WEEKLY;BYDAY=MO"), (1, "water the plants", "")):
            due, repetition = NOON + timedelta(days=days), load_repetition(rule)
            start = due.replace(tzinfo=None)
            reminder = Reminder(HERE, CONSOLE, 42, "Anna", text, due, start, "Europe/Lisbon", repetition=repetition)
            await chat.app.parts.need(Reminders).keep(reminder)
        listed = await visitor.read("/m/cu42/reminders")
        stale = await visitor.submit("/m/cu42/reminders/1/cancel", "/m/cu42/reminders", shown="7")
        missing = await visitor.submit("/m/cu42/reminders/9/cancel", "/m/cu42/reminders")
        await visitor.submit("/m/cu42/reminders/1/cancel", "/m/cu42/reminders", shown="0")
        left = await visitor.read("/m/cu42/reminders")

    assert "There are no reminders." in none
    assert listed.index("water the plants") < listed.index("take <b>out</b> the bins")
    assert "every Monday at " in listed
    assert (stale.status_code, missing.status_code) == (409, 404)
    assert "bins" not in left
    assert "water the plants" in left


async def test_lists_are_shown_ticked_and_opened_again(page: OpenedPage, chat: ConsoleChat) -> None:
    """With who did it, as it was shown; what people wrote is text, whatever it holds."""
    async with page.visit(ANNA) as visitor:
        none = await visitor.read("/m/cu42/lists")
        await chat.say("/list add <b>milk</b>, eggs")
        await chat.say("/list add <i>boat</i>: rope")
        shown = await visitor.read("/m/cu42/lists")
        stale = await visitor.submit("/m/cu42/lists/1", "/m/cu42/lists", shown="DONE")
        missing = await visitor.submit("/m/cu42/lists/9", "/m/cu42/lists")
        await visitor.submit("/m/cu42/lists/1", "/m/cu42/lists", shown="OPEN")
        ticked = await chat.say("/list closed")
        await visitor.submit("/m/cu42/lists/1", "/m/cu42/lists", shown="DONE")
        opened = await chat.say("/list")

    assert "There is no list yet." in none
    assert "Shopping" in shown
    assert all(
        word in shown for word in ("<b>milk</b>", "<i>boat</i>", "rope")
    )  # as text: the page is read as a person
    assert (stale.status_code, missing.status_code) == (409, 404)
    assert "milk" in ticked
    assert "milk" in opened


async def test_everything_is_taken_along(page: OpenedPage, chat: ConsoleChat) -> None:
    """The file of /export, of this memory alone, which is not left lying about; not of a memory that others share."""
    shared = Visitor((Scope("s_family"),), Reader(42, "Anna"))
    async with page.visit(ANNA) as visitor:
        sent = await visitor.submit("/m/cu42/export", "/m/cu42/timeline")
    async with page.visit(shared) as member:
        refused = await member.submit("/m/s_family/export", "/m/s_family/memories")
    with zipfile.ZipFile(BytesIO(sent.content)) as archive:
        turns = archive.read(next(name for name in archive.namelist() if "turns" in name)).decode()

    assert "attachment" in sent.headers["content-disposition"]
    assert "My sister Vera lives in Porto." in turns
    assert refused.status_code == 403
    assert not list(chat.app.parts.places.exports.glob("*.zip"))


async def test_costs_are_told_by_model_and_day(page: OpenedPage, chat: ConsoleChat) -> None:
    """As the ledger has them; without prices there is no money."""
    usage = chat.app.parts.need(UsageLedger)
    async with page.visit(ANNA) as visitor:
        nothing = await visitor.read("/m/cu42/costs")
        usage.note(HERE, UsageKind.ANSWER, "big-model", Usage(1200, 30, 2, cached=1000))
        usage.note(Scope("tu7"), UsageKind.ANSWER, "other-model", Usage(5, 5, 1))
        await chat.say("Hello again.")
        shown = await visitor.read("/m/cu42/costs")

    assert "No language model was asked here yet." in nothing
    assert "big-model 1 200 1 000 30 2 –" in shown.replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert "other-model" not in shown


async def test_settings_of_the_chat_are_changed(page: OpenedPage, chat: ConsoleChat) -> None:
    """What is left empty is the operator's; what is wrong changes nothing."""
    settings, here = chat.app.parts.chat_settings, find_chat(chat.app.parts, HERE)
    assert here is not None
    async with page.visit(ANNA) as visitor:
        path = "/m/cu42/settings"
        saved = await visitor.submit(
            path,
            path,
            language="de",
            memory="off",
            streaming="",
            zone="Europe/Lisbon",
            quiet_from="22:00",
            quiet_to="07:30",
        )
        chosen = settings.find(here)
        zone = await visitor.submit(path, path, language="en", zone="Atlantis")
        half = await visitor.submit(path, path, language="en", quiet_from="22:00")
        after = settings.find(here)
        await visitor.submit(path, path)

    assert "Saved." in saved.text
    assert (chosen.language, chosen.memory, chosen.streaming) == ("de", False, None)
    assert (chosen.time_zone, chosen.quiet_from, chosen.quiet_to) == ("Europe/Lisbon", time(22), time(7, 30))
    assert (zone.status_code, half.status_code) == (400, 400)
    assert "Atlantis" in zone.text
    assert after == chosen
    assert settings.find(here).language == ""


def test_a_shared_memory_has_no_settings_of_its_own(chat: ConsoleChat) -> None:
    """It belongs to several chats, a topic's is settled with its group."""
    parts = chat.app.parts

    assert find_chat(parts, Scope("s_family")) is None
    assert find_chat(parts, Scope("ttn100_7")) is None
    assert find_chat(parts, Scope("tu7")) is None
