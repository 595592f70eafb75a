"""The contract of the structured memory in :mod:`bot.ports.memory_store`."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.memory.items import MemoryItem, Trust
from bot.memory.learning.correction import Correction
from bot.memory.scope import Scope
from bot.messages import Author
from bot.ports.memory_store import Corrected, Selector
from harness.samples import HERE, NOON, SCOPE, item, question
from tests.contracts.stores import Stores

OTHER = Scope("tu43")
KIM = Author(43, "Kim", Trust.USER)


async def found(stores: Stores, text: str, **more: float) -> list[str]:
    """The contents that a question finds, best first."""
    now = NOON + timedelta(**more)
    return [one.content for one, _ in await stores.items.items(SCOPE, question(text, now=now))]


async def history(stores: Stores) -> list[MemoryItem]:
    """What was superseded or has expired."""
    return list((await stores.items.page(SCOPE, Selector.HISTORY)).items)


async def test_an_item_comes_back_as_it_was(stores: Stores) -> None:
    """Every field survives; dates and id are given."""
    wanted = item("Vera lives in Porto", subject="vera", exchange="e1", ttl_s=3600, confidence=0.8)
    item_id = await stores.items.add(SCOPE, wanted)

    ((stored, score),) = await stores.items.items(SCOPE, question("Where does Vera live?"))

    assert stored.id == item_id
    assert (stored.content, stored.provenance, stored.subject) == (wanted.content, wanted.provenance, "vera")
    assert (stored.layer, stored.type, stored.ttl_s, stored.confidence) == (wanted.layer, wanted.type, 3600, 0.8)
    assert stored.created_at == stores.clock.now()
    assert 0 < score <= 1


async def test_words_find_at_once_meaning_soon(stores: Stores) -> None:
    """An item is found by its stem before it has a vector, and embedding it changes nothing for the worse."""
    await stores.items.add(SCOPE, item("The flights were booked on Monday"))
    before = await found(stores, "booking a flight")

    made = [await stores.embed(), await stores.embed()]

    assert before == ["The flights were booked on Monday"]
    assert made == [1, 0]
    assert await found(stores, "booking a flight") == before


async def test_russian_is_stemmed(stores: Stores) -> None:
    """Another case of a noun finds the item."""
    await stores.items.add(SCOPE, item("Моя сестра живёт в Порту"))

    assert await found(stores, "Где живет сестре?") == ["Моя сестра живёт в Порту"]


async def test_nothing_is_relevant_to_a_strange_question(stores: Stores) -> None:
    """No match, no item."""
    await stores.items.add(SCOPE, item("Vera lives in Porto"))

    assert await found(stores, "quantum chromodynamics") == []
    assert await found(stores, "") == []
    assert await found(stores, '" OR NEAR( * ^ -- NULL') == []


async def test_the_better_match_comes_first(stores: Stores) -> None:
    """More of the question's words, and rarer ones, count more."""
    for content in ("Vera likes tea", "Vera lives in Porto", "Ben lives in Berlin"):
        await stores.items.add(SCOPE, item(content))

    assert (await found(stores, "In which city does Vera live?"))[0] == "Vera lives in Porto"


async def test_scopes_never_mix(stores: Stores) -> None:
    """Neither a search nor a page nor an edit reaches another scope's items."""
    mine = await stores.items.add(SCOPE, item("canary one"))
    theirs = await stores.items.add(OTHER, item("canary two"))
    await stores.embed()

    assert await found(stores, "canary") == ["canary one"]
    assert [one.id for one in (await stores.items.page(OTHER, Selector.ALL)).items] == [theirs]
    assert not await stores.items.edit(OTHER, mine, "changed", NOON, KIM)
    assert not await stores.items.pin(OTHER, mine, pinned=True)
    await stores.items.touch(OTHER, (mine,), NOON)
    assert (await stores.items.page(SCOPE, Selector.ALL)).items[0].accessed_at is None


async def test_saying_it_again_strengthens(stores: Stores) -> None:
    """The same fingerprint of the same author is one item, more certain than before."""
    first = await stores.items.add(SCOPE, item("I like tea", fingerprint="tea", exchange="e1"))
    again = await stores.items.add(SCOPE, item("I do like tea", fingerprint="tea", exchange="e2"))
    page = await stores.items.page(SCOPE, Selector.ALL)

    assert first == again
    assert page.total == 1
    assert page.items[0].confidence > 0.7
    assert page.items[0].content == "I like tea"


async def test_two_people_may_say_the_same(stores: Stores) -> None:
    """In a group each keeps the word."""
    await stores.items.add(SCOPE, item("I like tea", fingerprint="tea"))
    await stores.items.add(SCOPE, item("I like tea", fingerprint="tea", author=Author(43, "Ben")))

    assert (await stores.items.page(SCOPE, Selector.ALL)).total == 2


async def test_a_contradiction_supersedes(stores: Stores) -> None:
    """The newer statement on the same subject counts, the older one stays readable."""
    old = await stores.items.add(SCOPE, item("Vera lives in Porto", subject="vera|live"))
    new = await stores.items.add(SCOPE, item("Vera lives in Lisbon", subject="vera|live"))

    assert await found(stores, "Where does Vera live?") == ["Vera lives in Lisbon"]
    assert [(one.id, one.superseded_by) for one in await history(stores)] == [(old, new)]


async def test_nobody_contradicts_for_another_or_from_outside(stores: Stores) -> None:
    """Another author's sister is another sister, and a web page takes nothing back."""
    await stores.items.add(SCOPE, item("My sister lives in Porto", subject="sister"))
    await stores.items.add(SCOPE, item("My sister lives in Kyiv", subject="sister", author=Author(43, "Ben")))
    await stores.items.add(SCOPE, item("Your sister lives on Mars", subject="sister", trust=Trust.TOOL))

    assert await history(stores) == []


async def test_an_expired_item_is_history(stores: Stores) -> None:
    """It is not found after its time, unless it was pinned."""
    short = await stores.items.add(SCOPE, item("The build is running", ttl_s=60))

    assert await found(stores, "build running?", seconds=59) == ["The build is running"]
    assert await found(stores, "build running?", seconds=61) == []
    stores.clock.move(seconds=61)
    assert [one.id for one in await history(stores)] == [short]
    await stores.items.pin(SCOPE, short, pinned=True)
    assert await found(stores, "build running?", seconds=61) == ["The build is running"]


async def test_a_pinned_item_is_in_every_answer(stores: Stores) -> None:
    """It needs no match, and stops when it is unpinned."""
    item_id = await stores.items.add(SCOPE, item("Call me Anni", pinned=True))

    assert await found(stores, "quantum chromodynamics") == ["Call me Anni"]
    assert (await stores.items.page(SCOPE, Selector.PINNED)).total == 1
    assert await stores.items.pin(SCOPE, item_id, pinned=False)
    assert await found(stores, "quantum chromodynamics") == []


async def test_an_edit_is_found_by_its_new_words(stores: Stores) -> None:
    """The old ones lead nowhere, by word or by vector."""
    item_id = await stores.items.add(SCOPE, item("The code is 111"))
    await stores.embed()

    changed = await stores.items.edit(SCOPE, item_id, "The password hint is blue", NOON, KIM)
    await stores.embed()

    assert changed
    assert await found(stores, "code 111") == []
    assert await found(stores, "hint blue") == ["The password hint is blue"]
    assert not await stores.items.edit(SCOPE, item_id + 9, "nothing", NOON, KIM)


async def test_an_edit_replaces_ones_own_twin_alone(stores: Stores) -> None:
    """What another says in the same words stays theirs, and holds.

    Mutation check: red where the twin is looked for among the memories of everybody.
    """
    told = "The gate is B17"
    theirs = await stores.items.add(SCOPE, item(told))
    own = await stores.items.add(SCOPE, item(told, author=KIM))
    item_id = await stores.items.add(SCOPE, item("The gate is C3", author=KIM))

    assert await stores.items.edit(SCOPE, item_id, told, NOON, KIM)
    assert [each.content for each in await history(stores)] == ["The gate is C3", told]
    assert (await history(stores))[1].id == own
    assert sorted(each.id for each in (await stores.items.page(SCOPE, Selector.ALL)).items) == [theirs, item_id]


async def test_touching_refreshes(stores: Stores) -> None:
    """What stood in a prompt is fresher and matters more; reading alone changes nothing."""
    item_id = await stores.items.add(SCOPE, item("I like tea"))
    await found(stores, "tea")
    before = (await stores.items.page(SCOPE, Selector.ALL)).items[0]
    await stores.items.touch(SCOPE, (item_id,), NOON + timedelta(hours=1))
    after = (await stores.items.page(SCOPE, Selector.ALL)).items[0]

    assert before.accessed_at is None
    assert after.accessed_at == NOON + timedelta(hours=1)
    assert after.salience > before.salience


async def test_pages_are_newest_first(stores: Stores) -> None:
    """Offset and size cut them, the total counts all, search narrows them."""
    for number in range(7):
        await stores.items.add(SCOPE, item(f"note number {number} on {'tea' if number % 2 else 'cakes'}"))

    page = await stores.items.page(SCOPE, Selector.ALL, offset=2, size=3)
    cakes = await stores.items.page(SCOPE, Selector.ALL, search="cake")

    assert [one.content[12] for one in page.items] == ["4", "3", "2"]
    assert page.total == 7
    assert cakes.total == 4
    assert (await stores.items.page(OTHER, Selector.ALL)).total == 0


async def test_strange_text_is_only_text(stores: Stores) -> None:
    """NUL, lone surrogates, quotes, right-to-left and emptiness are stored and searched without harm."""
    for number, content in enumerate(("\x00", "\ud800", "'; DROP TABLE items; --", "שלום", "👩‍👩‍👧" * 500, " ")):
        await stores.items.add(SCOPE, item(content, fingerprint=f"f{number}"))

        assert await found(stores, content + " DROP") is not None

    assert (await stores.items.page(SCOPE, Selector.ALL, search="DROP")).total == 1


async def test_standing_wishes_are_read_without_a_question(stores: Stores) -> None:
    """Pinned ones first, then the newest, in an order that reading does not change; nothing else is among them."""
    for content in ("Answer in Dutch.", "Never suggest clowns.", "Call me Sam."):
        await stores.items.add(SCOPE, item(content, tags=("cooking", "wish")))
    await stores.items.add(SCOPE, item("I wish I were there."))
    pinned = await stores.items.add(SCOPE, item("Use metres.", tags=("wish",), pinned=True))
    first = await stores.items.wishes(SCOPE)
    await stores.items.touch(SCOPE, tuple(each.id for each in first), NOON + timedelta(days=3))
    assert await stores.items.edit(SCOPE, pinned, "Use feet.", NOON, KIM)

    said = [each.content for each in await stores.items.wishes(SCOPE)]

    assert said == ["Use feet.", "Call me Sam.", "Never suggest clowns.", "Answer in Dutch."]


async def test_a_wish_of_one_scope_is_none_of_another(stores: Stores) -> None:
    """A scope without wishes, or without anything, has none."""
    await stores.items.add(SCOPE, item("Call me Sam.", tags=("wish",)))
    assert await stores.items.wishes(OTHER) == ()

    await stores.items.add(OTHER, item("Vera lives in Porto"))

    assert await stores.items.wishes(OTHER) == ()


async def test_a_changed_wish_takes_the_place_of_the_old_one(stores: Stores) -> None:
    """So does one that only takes it back; another person's stays."""
    await stores.items.add(SCOPE, item("Call me Sam.", subject="name", tags=("wish",)))
    await stores.items.add(SCOPE, item("Call me Kim.", subject="name", tags=("wish",), author=KIM))
    await stores.items.add(SCOPE, item("Call me Samuel.", subject="name", tags=("wish",)))
    changed = [each.content for each in await stores.items.wishes(SCOPE)]
    await stores.items.add(SCOPE, item("You need not call me anything.", subject="name", tags=("wish withdrawn",)))

    assert changed == ["Call me Samuel.", "Call me Kim."]
    assert [each.content for each in await stores.items.wishes(SCOPE)] == ["Call me Kim."]


async def test_a_correction_edits_the_memory_of_a_sentence(stores: Stores) -> None:
    """Its exchange becomes a source of it; what was said before stands in the history."""
    said = item("My vet is Mrs. Lind. She is in Kiel.", author=KIM, exchange="e1")
    item_id = await stores.items.add(SCOPE, said)
    right = Correction("e1", "My vet is Mrs. Lind.", "My vet is Mrs. Lund.")

    done = await stores.items.correct(SCOPE, right, "e2", NOON, KIM, HERE)
    again = await stores.items.correct(SCOPE, right, "e2", NOON, KIM, HERE)

    assert done == Corrected(item_id, said.content, "My vet is Mrs. Lund. She is in Kiel.")
    assert await stores.items.find_corrected(SCOPE, "e2") == (done,)
    assert await stores.items.find_corrected(OTHER, "e2") == await stores.items.find_corrected(SCOPE, "e9") == ()
    assert again is None
    assert await found(stores, "Who is my vet?") == ["My vet is Mrs. Lund. She is in Kiel."]
    assert [one.content for one in await history(stores)] == [said.content]


async def test_nobody_corrects_what_they_have_not_said(stores: Stores) -> None:
    """Another's memory, another scope's, or words that nobody said."""
    ann = Author(44, "Ann", Trust.OWNER)
    await stores.items.add(SCOPE, item("My vet is Mrs. Lind.", author=KIM, exchange="e1"))
    right = Correction("e1", "My vet is Mrs. Lind.", "My vet is Mrs. Lund.")

    assert await stores.items.correct(SCOPE, right, "e2", NOON, ann, HERE) is None
    assert await stores.items.correct(OTHER, right, "e2", NOON, KIM, HERE) is None
    assert await stores.items.correct(SCOPE, replace(right, uid="e9"), "e2", NOON, KIM, HERE) is None
    assert await found(stores, "Who is my vet?") == ["My vet is Mrs. Lind."]


async def test_an_edit_is_taken_back_by_who_made_it(stores: Stores) -> None:
    """The newest one, if it is not too old; what was said before holds again."""
    ann, early, late = Author(44, "Ann", Trust.USER), NOON - timedelta(minutes=5), NOON + timedelta(minutes=5)
    item_id = await stores.items.add(SCOPE, item("My vet is Mrs. Lind.", author=KIM, exchange="e1"))
    await stores.items.edit(SCOPE, item_id, "My vet is Mrs. Lund.", NOON, KIM)

    refused = [
        await stores.items.take_back(SCOPE, early, NOON, ann, HERE),
        await stores.items.take_back(SCOPE, late, late, KIM, HERE),
        await stores.items.take_back(OTHER, early, NOON, KIM, HERE),
    ]
    done = await stores.items.take_back(SCOPE, early, late, KIM, HERE)

    assert refused == [None] * 3
    assert done == Corrected(item_id, "My vet is Mrs. Lund.", "My vet is Mrs. Lind.")
    assert await found(stores, "Who is my vet?") == ["My vet is Mrs. Lind."]
