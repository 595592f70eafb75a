"""What the pages show, and what changing something there does: the same as in the chat."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from adapters.page.gate import Visitor
from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.memory.speakers import Reader
from bot.messages import Address, Author
from bot.ports.memory_store import Selector
from harness.application import ConsoleChat
from harness.page import OpenedPage, show_text
from harness.samples import exchange, item, turn
from tests.bot.features.page.conftest import HERE, SAID

ANNA = Visitor((HERE,), Reader(42, "Anna", alone=True))


async def test_the_timeline_shows_days(page: OpenedPage) -> None:
    """Who said what when; what was said last stands below what was said before it."""
    async with page.visit(ANNA) as visitor:
        shown = await visitor.read("/m/cu42/timeline")

    assert "Saturday, 7 February 2026" in shown
    assert shown.index(SAID[0]) < shown.index(SAID[1])
    assert "you 13:30" in shown


async def test_the_timeline_is_read_page_by_page(page: OpenedPage, chat: ConsoleChat) -> None:
    """Every exchange once, in order of time, whenever it was stored; a month begins with its end."""
    start = datetime(2025, 1, 1, 12, tzinfo=UTC)
    for number in (*range(50, 100), *range(50)):
        said = exchange(f"x{number}", f"Remark {number}.", scope=HERE, said_at=start + timedelta(days=number))
        await chat.app.parts.turns.commit(turn(said, scope=HERE, address=Address("console", 0, 1)))
    async with page.visit(ANNA) as visitor:
        pages, path = [], "/m/cu42/timeline"
        while path:
            shown = (await visitor.get(path)).text
            pages.append(shown)
            path = (
                shown.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&") if 'rel="next"' in shown else ""
            )
        january = await visitor.read("/m/cu42/timeline?month=2025-01")
        wrong = await visitor.read("/m/cu42/timeline?month=0000-99&before=nonsense")

    found = [number for text in pages for number in range(100) if f"Remark {number}." in show_text(text)]
    assert sorted(found) == list(range(100))
    assert [max(n for n in found if f"Remark {n}." in show_text(text)) for text in pages[1:]] == [62, 22]
    assert "Remark 30." in january
    assert "Remark 31." not in january
    assert "January 2025" in january
    assert SAID[0] in wrong


async def test_no_text_turns_around_what_stands_beside_it(page: OpenedPage, chat: ConsoleChat) -> None:
    """Marks of direction in what people wrote are on no page; the letters and emoji are.

    Mutation check: red without what the templates' texts go through.
    """
    told = await chat.say("/remember My friend \u202eVera\u2066 lives in Porto 👩‍🚀.")
    await chat.say("/list add \u202eboat\u200f: rope\u2069")
    found = re.search(r"number (\d+)", told)
    assert found is not None
    memory = f"memories/{found[1]}"
    places = ("timeline", "people", "memories", memory, f"{memory}/forget", "search?q=Vera", "lists")
    async with page.visit(ANNA) as visitor:
        shown = [(await visitor.get(f"/m/cu42/{place}")).text for place in places]

    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200f]", "".join(shown))
    assert all("👩‍🚀" in shown[place] for place in (0, 2, 3, 4, 5))
    assert all(word in shown[-1] for word in ("boat", "rope"))


async def test_memories_are_found_by_kind_and_words(page: OpenedPage) -> None:
    """With a count for each kind."""
    async with page.visit(ANNA) as visitor:
        everything = await visitor.read("/m/cu42/memories")
        preferences = await visitor.read("/m/cu42/memories?kind=preference")
        found = await visitor.read("/m/cu42/memories?q=sister")
        nothing = await visitor.read("/m/cu42/memories?kind=bogus&q=zebra&from=9999")

    assert SAID[0] in everything
    assert SAID[1] in everything
    assert SAID[0] not in preferences
    assert SAID[1] not in found
    assert "Shown here: 1" in found
    assert "Shown here: 0" in nothing


async def test_a_search_says_why(page: OpenedPage) -> None:
    """Which part of memory found it, how well it fits and what carried it, in words; what does not fit is not shown."""
    async with page.visit(ANNA) as visitor:
        shown = await visitor.read("/m/cu42/search?q=Where does my sister live?")
        everything = await visitor.read("/m/cu42/search?q=Where does my sister live?&all=1")
        nothing = await visitor.read("/m/cu42/search?q=Who invented the zeppelin engine?")

    assert SAID[0] in shown
    assert "from the store (said word for word)" in shown
    assert "from my notes" in shown
    assert "fits " in shown
    assert "Found because of: " in shown
    assert "from my notes Found because" not in shown
    assert re.search(r"[0-9]\.[0-9]", shown) is None
    assert SAID[2] not in shown
    assert SAID[2] in everything
    assert "Nothing was found." in nothing


async def test_one_memory_needs_no_choice(page: OpenedPage) -> None:
    """The link leads into it, with no way to others; an empty one says what to do."""
    async with page.visit(ANNA) as visitor:
        own = await visitor.get("/")
    async with page.visit(Visitor(None)) as visitor:
        only = await visitor.get("/")
    async with page.visit(Visitor((Scope("tu9"),))) as visitor:
        empty = [await visitor.read(path) for path in ("/", "/m/tu9/memories")]

    for shown in (own, only):
        assert shown.url.path.endswith("/m/cu42/timeline")
        assert "Other memories" not in shown.text
    assert ["Write to the assistant" in shown for shown in empty] == [True, True]


async def test_a_memory_is_edited_and_pinned(page: OpenedPage, chat: ConsoleChat) -> None:
    """A secret that is typed is left out, as everywhere."""
    async with page.visit(ANNA) as visitor:
        edited = await visitor.submit(
            "/m/cu42/memories/1/edit", "/m/cu42/memories/1", text="My sister Vera lives in Faro."
        )
        pinned = await visitor.submit("/m/cu42/memories/1/pin", "/m/cu42/memories/1", pinned="1")
        secret = await visitor.submit(
            "/m/cu42/memories/2/edit", "/m/cu42/memories/2", text="My card is 4111 1111 1111 1111."
        )
    kept = await chat.app.parts.editor.page(HERE, Selector.PINNED)

    assert "Faro" in edited.text
    assert "Pinned" in pinned.text
    assert [one.content for one in kept.items] == ["My sister Vera lives in Faro."]
    assert "4111" not in secret.text
    assert "without what looks like a secret" in secret.text


async def test_forgetting_shows_what_goes_and_can_be_undone(page: OpenedPage) -> None:
    """First the words that would go, then the receipt; undone, the memory is back and the receipt is gone."""
    async with page.visit(ANNA) as visitor:
        asked = await visitor.read("/m/cu42/memories/1/forget")
        done = await visitor.submit("/m/cu42/memories/1/forget", "/m/cu42/memories/1/forget")
        gone = await visitor.get("/m/cu42/memories/1")
        records = await visitor.read("/m/cu42/forgotten")
        erase = done.text.split('name="erase" value="')[1].split('"')[0]
        back = await visitor.submit("/m/cu42/undo", "/m/cu42/memories", erase=erase)
        again = await visitor.read("/m/cu42/memories/1")
        afterwards = await visitor.read("/m/cu42/forgotten")

    assert SAID[0] in asked
    assert "Conversation turns removed: 1" in done.text
    assert gone.status_code == 404
    assert "single memories 1 1" in records
    assert "Vera" not in records
    assert "It is back" in back.text
    assert "Conversation turns: 1" in back.text
    assert SAID[0] in again
    assert "Nothing was forgotten here." in afterwards


async def test_memories_are_added_and_several_forgotten(page: OpenedPage) -> None:
    """Added as /remember does, without a secret; the chosen ones are shown word for word, go, and come back."""
    async with page.visit(ANNA) as visitor:
        listed = "/m/cu42/memories"
        added = await visitor.submit(listed, listed, text="My plumber is Mr. Kovacs.")
        masked = await visitor.submit(listed, listed, text="My card is 4111 1111 1111 1111, I said.")
        nothing = [await visitor.submit(listed, listed, text=text) for text in (" ", "4111 1111 1111 1111")]
        kovacs = int(added.url.path.rpartition("/")[2])
        asking = f"{listed}/forget?item=1&item={kovacs}"
        asked = await visitor.read(asking)
        wrong = [await visitor.get(f"{listed}/forget?item={item}") for item in ("999", "x", "0", "1&item=999")]
        stale = await visitor.submit(f"{listed}/forget", asking, items="1")
        done = await visitor.submit(f"{listed}/forget", asking)
        left = await visitor.read(listed)
        erase = done.text.split('name="erase" value="')[1].split('"')[0]
        await visitor.submit("/m/cu42/undo", listed, erase=erase)
        back = await visitor.read(listed)

    assert "Saved." in added.text
    assert "without what looks like a secret" in masked.text
    assert "4111" not in masked.text
    assert [each.status_code for each in nothing] == [409, 409]
    assert [text in asked for text in ("Kovacs", SAID[0], SAID[1])] == [True, True, False]
    assert [each.status_code for each in wrong] == [404] * 4
    assert stale.status_code == 409
    assert [text in left for text in ("Kovacs", SAID[0], SAID[1])] == [False, False, True]
    assert [text in back for text in ("Kovacs", SAID[0], SAID[1])] == [True, True, True]


async def test_a_shared_memory_is_changed_by_the_table_of_rights(page: OpenedPage, chat: ConsoleChat) -> None:
    """Own words by who said them, others' by the operator.  Seen to fail without the table's question."""
    shared = Scope("s_family")
    for author in (42, 43):
        await chat.app.parts.editor.add(shared, item(f"Fact of {author}.", author=Author(author, "", Trust.USER)))
    member = Visitor((shared,), Reader(42, "Anna"), author_id=42)
    codes: dict[str, list[int]] = {}
    for name, who in (("member", member), ("operator", replace(member, operator=True))):
        async with page.visit(who) as visitor:
            for number in ("1", "2"):
                path = f"/m/s_family/memories/{number}"
                sent = [await visitor.submit(f"{path}/{verb}", path, text="New.") for verb in ("pin", "edit")]
                codes[f"{name} {number}"] = [each.status_code for each in sent]
            forgotten = await visitor.submit("/m/s_family/memories/2/forget", "/m/s_family/memories/2/forget")
            codes[name] = [forgotten.status_code, (await visitor.get("/m/s_family/memories/2")).status_code]

    assert codes == {
        "member 1": [200, 200],
        "member 2": [403, 403],
        "member": [200, 200],
        "operator 1": [200, 200],
        "operator 2": [200, 200],
        "operator": [200, 404],
    }


async def test_a_whole_turn_is_forgotten(page: OpenedPage) -> None:
    """With what it taught; nothing is done when it has changed since it was shown."""
    async with page.visit(ANNA) as visitor:
        timeline = (await visitor.get("/m/cu42/timeline")).text
        turn_path = timeline.split('class="when" href="')[1].split('"')[0]
        stale = await visitor.submit(f"{turn_path}/forget", f"{turn_path}/forget", shown="another")
        still = await visitor.get(turn_path)
        done = await visitor.submit(f"{turn_path}/forget", f"{turn_path}/forget")
        gone = await visitor.get(turn_path)

    assert stale.status_code == 409
    assert still.status_code == 200
    assert done.status_code == 200
    assert gone.status_code == 404


async def test_everything_forgotten_leaves_one_receipt(page: OpenedPage, chat: ConsoleChat) -> None:
    """Earlier ones go with the rest: they were about what is not there any more."""
    async with page.visit(ANNA) as visitor:
        await visitor.submit("/m/cu42/memories/1/forget", "/m/cu42/memories/1/forget")
        await chat.app.parts.eraser.erase_scope(HERE)
        records = await chat.app.parts.records.list_records(HERE)
        shown = await visitor.read("/m/cu42/timeline")

    assert [(one.everything, one.exchanges) for one in records] == [(True, 2)]
    assert "Nothing is remembered here yet." in shown


async def test_the_page_speaks_the_visitors_language(page: OpenedPage) -> None:
    """The client's, else the browser's."""
    async with page.visit(Visitor((HERE,), language="ru-RU")) as visitor:
        russian = await visitor.read("/m/cu42/timeline")
    async with page.visit(ANNA) as visitor:
        german = (await visitor.http.get("/m/cu42/timeline", headers={"accept-language": "de-AT,en;q=0.5"})).text

    assert "Воспоминания" in russian
    assert '<html lang="de">' in german
    assert "Samstag" in german


async def test_leaving_ends_the_session(page: OpenedPage) -> None:
    """The cookie that is left opens nothing."""
    async with page.visit(ANNA) as visitor:
        cookies = dict(visitor.http.cookies)
        left = await visitor.submit("/leave", "/m/cu42/timeline")
        async with page.call() as http:
            again = await http.get("/m/cu42/timeline", cookies=cookies)

    assert "closed" in left.text
    assert again.status_code == 401
