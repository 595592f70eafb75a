"""/remember, /memory and /forget over a real store."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.memory.items import Trust
from bot.messages import Author, Quote
from bot.ports.memory_store import Selector
from tests.bot.commands.chat import ANNA, BOB, Chat, number_in
from tests.cases import each_row


async def stored(chat: Chat, author: Author = ANNA) -> list[str]:
    """Return the contents of the author's items, newest first."""
    page = await chat.items.page(chat.scope(author), Selector.ALL, size=100)
    return [item.content for item in page.items]


async def test_what_is_shown_is_what_is_stored(chat: Chat) -> None:
    """/remember repeats the stored text with its number, author and trust come from the message."""
    told = await chat.ask("/remember My booking code is 567-G0")
    (item,) = (await chat.items.page(chat.scope(), Selector.ALL)).items

    assert "“My booking code is 567-G0”" in told
    assert item.content == "My booking code is 567-G0"
    assert (item.provenance.author_id, item.provenance.source, item.provenance.trust) == (42, "remember", Trust.USER)


async def test_several_lines_with_markup_are_shown_byte_for_byte(chat: Chat) -> None:
    """Whatever would be Markdown stands in a code block, unchanged."""
    text = "plan:\n* *bold* `x` ```\n  <b>end</b>"

    told = await chat.ask(f"/remember {text}")

    assert f"\n````\n{text}\n````" in told
    assert await stored(chat) == [text]


async def test_a_secret_is_masked_and_the_mask_is_admitted(chat: Chat) -> None:
    """The key never reaches the store, and the reply says that something was left out.

    Mutation check: storing the argument instead of the redacted text turns this red.
    """
    key = "sk-abcdefghijklmnopqrstuvwxyz0123456789"

    told = await chat.ask(f"/remember the staging key is {key}")

    assert "API key" in told
    assert key not in told
    assert not any(key in content for content in await stored(chat))


async def test_nothing_but_a_secret_is_not_kept(chat: Chat) -> None:
    """A bare token would leave an empty memory."""
    told = await chat.ask("/remember sk-abcdefghijklmnopqrstuvwxyz0123456789")

    assert "Nothing was kept" in told
    assert await stored(chat) == []


async def test_the_message_replied_to_can_be_remembered_as_its_authors_word(chat: Chat) -> None:
    """/remember as a reply keeps the quotation, attributed, with the trust of foreign text."""
    await chat.ask("/remember", quote=Quote("The deploy is on Friday", "Bob"))
    (item,) = (await chat.items.page(chat.scope(), Selector.ALL)).items

    assert item.content == "Bob wrote: The deploy is on Friday"
    assert item.provenance.trust is Trust.FILE


@each_row(
    ("text", "told"),
    [
        ("/remember", "What shall I remember?"),
        ("/remember " + "x" * 4001, "too long"),
        ("/remember \x00", "What shall"),
    ],
)
async def test_remember_needs_something_that_fits(chat: Chat, text: str, told: str) -> None:
    """Nothing, too much and nothing visible are each answered with what to do."""
    assert told in await chat.ask(text)


async def test_nothing_is_remembered_while_memory_is_off(chat: Chat) -> None:
    """The command never claims to have kept what it did not keep."""
    chat.remembering = False

    assert "switched off" in await chat.ask("/remember My dog is called Rex")
    assert await stored(chat) == []


async def test_memory_lists_number_text_author_date_and_source(chat: Chat) -> None:
    """What was said and what was asked to be remembered look alike and tell where they come from."""
    await chat.say("My sister Vera lives in Porto.")
    await chat.ask("/remember My dog is called Rex")

    listing = await chat.ask("/memory")

    assert "“My sister Vera lives in Porto.” — you, 7 February 2026 · from conversation" in listing
    assert "“My dog is called Rex” — you, 7 February 2026 · you asked me to remember it" in listing
    assert "/memory help" in listing
    assert "- /memory WORDS" in await chat.ask("/memory help")


async def test_memory_searches_and_pages(chat: Chat) -> None:
    """Words search; more than a page offers the next one as a button that keeps the search; each memory has its own."""
    for number in range(10):
        await chat.ask(f"/remember cat number {number} likes fish")
    await chat.ask("/remember the dog likes bones")

    first = await chat.type("/memory fish")
    assert first is not None
    onwards = dict(first.buttons)
    second = await chat.type(onwards["›"])

    assert "Memories with “fish”: 10" in first.text
    assert onwards["›"] == "/memory show find 2 fish"
    assert onwards["10"] == "/memory open 10 find 1 fish"
    assert "‹" not in onwards
    assert second is not None
    assert dict(second.buttons)["‹"] == "/memory show find 1 fish"
    assert "›" not in dict(second.buttons)
    assert second.text.count("\n- ") + second.text.startswith("- ") == 2
    assert "dog" not in first.text + second.text


@each_row(
    ("text", "told"),
    [
        ("/memory", "no memories here yet"),
        ("/memory zebra", "No memory matches “zebra”"),
        ("/memory pinned", "Nothing is pinned"),
        ("/memory history", "No memory has been replaced"),
        ("/memory page 99", "no memories here yet"),
        ("/memory edit", "/memory edit NUMBER"),
        ("/memory pin 7", "There is no memory 7 here"),
        ("/memory edit 7 new text", "There is no memory 7 here"),
        ("/memory forget 7", "There is no 7"),
    ],
)
async def test_an_empty_memory_says_so_in_its_own_words(chat: Chat, text: str, told: str) -> None:
    """Each view and each action has an answer when there is nothing."""
    assert told in await chat.ask(text)


async def test_edit_pin_and_history(chat: Chat) -> None:
    """An edit is redacted and shown; a pin is marked; what a newer fact replaced stays in the history."""
    await chat.say("My sister Vera lives in Porto.")
    number = number_in(await chat.ask("/remember the meeting is on Monday"))

    edited = await chat.ask(f"/memory edit {number} the meeting is on Tuesday")
    await chat.ask(f"/memory pin {number}")
    pinned = await chat.ask("/memory pinned")
    await chat.ask(f"/memory unpin #{number}")
    await chat.say("My sister Vera lives in Lisbon now.")
    history = await chat.ask("/memory history")

    assert f"Memory {number} now says: “the meeting is on Tuesday”" in edited
    assert "Tuesday” — you" in pinned
    assert "· pinned" in pinned
    assert "Nothing is pinned" in await chat.ask("/memory pinned")
    assert "Porto" in history
    assert "replaced by" in history


async def test_what_was_replaced_is_not_edited(chat: Chat) -> None:
    """Its new words would be in answers and in no list: it is told what holds now."""
    number = number_in(await chat.ask("/remember the meeting is on Monday"))
    await chat.ask(f"/memory edit {number} the meeting is on Tuesday")
    former = number_in(await chat.ask("/memory history"))

    told = await chat.ask(f"/memory edit {former} the meeting is on Friday")

    assert former != number
    assert "Nothing was done" in told
    assert "Tuesday" in told
    assert "No memory matches" in await chat.ask("/memory Friday")


async def test_forget_by_number_gives_a_receipt_that_repeats_nothing(chat: Chat) -> None:
    """What was forgotten is gone from the store and not quoted in the reply."""
    number = number_in(await chat.ask("/remember my shoe size is 44 and a half"))

    told = await chat.ask(f"/forget {number}")

    assert told.startswith("Forgotten.")
    assert "Memories removed: 1" in told
    assert "finds nothing any more" in told
    assert "shoe" not in told
    assert await stored(chat) == []


async def test_forget_says_that_its_message_told_more(chat: Chat) -> None:
    """A message goes as a whole: nobody is to miss the rest of it later; its words are not repeated."""
    await chat.say("My sister Vera lives in Porto. My dentist is Dr. Lind.")
    alone = number_in(await chat.ask("/remember my shoe size is 44"))

    with_more = await chat.ask("/forget Porto")
    without = await chat.ask(f"/forget {alone}")

    assert "What else they told is gone, too: 1" in with_more
    assert "Lind" not in with_more
    assert "What else" not in without


async def test_forget_by_words_erases_what_alone_fits(chat: Chat) -> None:
    """One exchange with its item holds all the words: it goes, everything else stays."""
    await chat.say("My sister Vera lives in Porto.")
    await chat.say("My booking code is 567-G0.")

    told = await chat.ask("/forget booking code")

    assert "Conversation turns removed: 1" in told
    assert await stored(chat) == ["My sister Vera lives in Porto."]
    assert "nothing to forget" in await chat.ask("/forget booking code")


async def test_a_code_is_forgotten_by_its_digits(chat: Chat) -> None:
    """They are no memory's number, and were told to be missing while they stayed."""
    await chat.say("My sister Vera lives in Porto.")
    await chat.say("My door code is 4711.")

    told = await chat.ask("/forget 4711")

    assert "Conversation turns removed: 1" in told
    assert await stored(chat) == ["My sister Vera lives in Porto."]
    assert "There is no 4711" in await chat.ask("/forget 4711")


async def test_forget_by_words_lists_when_several_fit(chat: Chat) -> None:
    """Nothing is erased; each candidate comes with its command, all of them with a button that works."""
    await chat.say("My sister Vera lives in Porto.")
    await chat.say("Is Vera coming on Friday?")
    kept = len(await stored(chat))

    listed = await chat.type("/forget vera")
    assert listed is not None
    (_, everything) = listed.buttons[-1]
    still = len(await stored(chat))
    told = await chat.ask(everything)

    assert "Which of it shall I forget?" in listed.text
    assert listed.text.count("`/forget ") == 2
    assert still == kept
    assert "Conversation turns removed: 2" in told


@pytest.mark.parametrize("words", ["everything about my sister", "all that you know of Vera", "vera's", "Porto?"])
async def test_forget_looks_for_what_the_words_are_about(chat: Chat, words: str) -> None:
    """Little words and punctuation do not hide what is meant, nor does "everything about" mean everything."""
    await chat.say("My sister Vera lives in Porto.")
    await chat.say("I love jazz.")

    assert "Conversation turns removed: 1" in await chat.ask(f"/forget {words}")
    assert await stored(chat) == ["I love jazz."]


async def test_forget_does_not_take_what_only_means_something_alike(chat: Chat) -> None:
    """Recall also returns loosely related turns: without the words they are no candidates."""
    await chat.say("The weather in Porto is fine.")

    assert "nothing to forget" in await chat.ask("/forget booking code in Lisbon")


async def test_forget_everything_asks_first(chat: Chat) -> None:
    """One word too few changes nothing; the confirmation erases the whole scope, and only that one."""
    await chat.say("My sister Vera lives in Porto.")
    await chat.say("I love jazz.", author=BOB)

    asked = await chat.type("/forget everything")
    assert asked is not None
    before = await stored(chat)
    done = await chat.ask(asked.buttons[0][1])

    assert "cannot be undone" in asked.text
    assert before == ["My sister Vera lives in Porto."]
    assert done.startswith("Everything of this chat is forgotten.")
    assert await stored(chat) == []
    assert await stored(chat, BOB) == ["I love jazz."]


@pytest.mark.parametrize("text", ["/forget всё", "/forget все", "/forget everything"])
async def test_forget_everything_is_understood_in_russian(chat: Chat, text: str) -> None:
    """The Russian words and the English one, each with its confirmation."""
    await chat.say("Меня зовут Аня, я живу в Казани.")

    assert "Вернуть это нельзя" in await chat.ask(text, language="ru")
    assert "Всё из этого чата забыто" in await chat.ask(f"{text} да", language="ru")


async def test_forgetting_asks_with_all_that_goes(chat: Chat) -> None:
    """What is shown is the whole of it: nothing says that there is more."""
    await chat.say("My sister Vera lives in Porto.")
    asked = await chat.ask(f"/memory drop {number_in(await chat.ask('/memory'))}")

    assert asked.endswith("\n\n- “My sister Vera lives in Porto.”")


async def test_no_command_reaches_another_scope(chat: Chat) -> None:
    """Bob sees, edits, pins and forgets nothing of Anna's, by number, words or exchange; nor does the group.

    Mutation check: taking the scope of the item's author instead of the call's turns this red.
    """
    uid = await chat.say("My sister Vera lives in Porto.")
    number = number_in(await chat.ask("/remember Vera likes tea"))
    for place in ({"author": BOB, "group": False}, {"author": ANNA, "group": True}):
        for text in (
            "/memory",
            "/memory vera",
            f"/memory edit {number} hacked",
            f"/memory pin {number}",
            f"/forget {number}",
            f"/forget turn:{uid}",
            "/forget vera",
        ):
            told = await chat.ask(text, **place)  # type: ignore[arg-type]  # author and group, as type() takes them

            assert "Porto" not in told
            assert "likes tea" not in told

    assert sorted(await stored(chat)) == ["My sister Vera lives in Porto.", "Vera likes tea"]


async def test_a_broken_store_is_admitted(chat: Chat) -> None:
    """When the store cannot write, /remember does not claim to have remembered."""
    turn = await chat._turn("/remember my dog is called Rex", ANNA, group=False)
    await chat.database.close()

    reply = await chat.router.answer(turn)

    assert reply is not None
    assert "did not work" in reply.text
    assert "Rex" not in reply.text


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Maria lives in Rome.", "Marian"),
        ("The contract ends in May.", "contraception"),
        ("The street is called Portobello.", "Porto"),
    ],
)
async def test_forget_never_takes_a_word_that_only_begins_alike(chat: Chat, said: str, asked: str) -> None:
    """Nothing is erased and nothing is offered.

    Red with the five letters that were compared before.
    """
    await chat.say(said)

    assert "nothing to forget" in await chat.ask(f"/forget {asked}")
    assert "Conversation turns removed: 1" in await chat.ask(f"/forget {said}")


@pytest.mark.parametrize("asked", ["Vera Berlin", "Александра", "Vera"])
async def test_forget_asks_where_there_is_a_doubt(chat: Chat, asked: str) -> None:
    """Half of the words, a name in another form, two memories: a list with a button each, and nothing is erased."""
    await chat.say("My sister Vera lives in Porto.")
    await chat.say("My aunt Vera lives in Rome.")
    await chat.say("Мой брат Александр живёт в Казани.")
    before = await stored(chat)
    listed = await chat.type(f"/forget {asked}")
    after = await stored(chat)
    assert listed is not None
    told = await chat.ask(listed.buttons[0][1])

    assert "Which of it shall I forget?" in listed.text
    assert before == after
    assert told.startswith("Forgotten.")


async def test_what_was_forgotten_can_be_taken_back(chat: Chat) -> None:
    """By the button or by /undo, for as long as the receipt says; not by somebody else."""
    chat.undo_s = 150
    await chat.say("My sister Vera lives in Porto.")
    receipt = await chat.type("/forget porto")
    assert receipt is not None
    gone = await stored(chat)
    bobs = await chat.ask(receipt.buttons[0][1], author=BOB)
    annas = await chat.ask(receipt.buttons[0][1])
    back = await stored(chat)
    await chat.ask("/forget porto")
    chat.clock.at += timedelta(seconds=151)
    late = await chat.ask("/undo")

    assert gone == []
    assert "Gone from every file in 150 seconds" in receipt.text
    assert receipt.buttons[0][0] == "Undo"
    assert receipt.buttons_last_s == 150
    assert bobs == late
    assert annas == "It is back.\n\n- Conversation turns: 1\n- Memories: 1"
    assert back == ["My sister Vera lives in Porto."]


async def test_standing_wishes_have_a_section_of_their_own(chat: Chat) -> None:
    """They stand above the other memories, once, and ``/memory wishes`` lists nothing else."""
    assert "No standing wishes" in await chat.ask("/memory wishes")
    await chat.ask("/remember Always answer in metric units.")
    await chat.ask("/remember My booking code is 567-G0")

    told = await chat.ask("/memory")
    wishes = await chat.ask("/memory wishes")

    assert told.startswith("Standing wishes:\n- 1: “Always answer in metric units.”")
    assert told.count("metric") == 1
    assert "booking" in told
    assert "metric" in wishes
    assert "booking" not in wishes


async def test_a_wish_that_is_forgotten_or_taken_back_is_listed_no_more(chat: Chat) -> None:
    """By its number, or by saying so."""
    await chat.ask("/remember Never suggest seafood restaurants.")
    await chat.ask("/remember You can suggest seafood again.")
    assert "No standing wishes" in await chat.ask("/memory wishes")

    await chat.ask("/remember Call me Sam.")
    assert "Sam" in await chat.ask("/memory wishes")
    await chat.ask(f"/memory forget {number_in(await chat.ask('/memory wishes'))}")

    assert "No standing wishes" in await chat.ask("/memory wishes")
