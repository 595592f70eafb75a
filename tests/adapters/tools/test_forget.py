"""``forget``: what the user asked to forget goes, with a receipt, and nothing else does."""

from __future__ import annotations

import pytest

from adapters.tools.memory import Forget
from adapters.tools.requests import list_forget_requests
from bot.core.rights import Whose
from bot.errors import CommandInvalid
from bot.memory.scope import Scope
from bot.messages import InboundMessage, Quote
from bot.ports.memory_store import Selector
from bot.ports.tool import ConfirmationRequest
from harness.samples import HeldClock
from tests.adapters.tools.fixtures import MINE, OTHER, WHEN, Finds, Store, item, recalled, said
from tests.cases import each_row

CODE = "My booking code is 567-G0."


async def anybody(_command: str, _message: InboundMessage, _scope: Scope, _whose: Whose) -> bool:
    """Allow everything, as in a chat of one person."""
    return True


def tool(store: Store, recall: Finds | None = None) -> Forget:
    return Forget(store.eraser, store.items, recall or Finds(), store.kept, HeldClock(WHEN), anybody)


async def told(store: Store, text: str, arguments: dict[str, object], recall: Finds | None = None) -> str:
    """What the model is told, where nobody is asked."""
    answer = await tool(store, recall).run(said(text), arguments)

    assert isinstance(answer, str)
    return answer


async def test_looking_erases_nothing_and_names_what_can_be_erased(store: Store) -> None:
    """The list shows each memory with its date, author and reference."""
    item_id = await store.items.add(MINE, item(CODE))
    finds = Finds((recalled("my booking code is 567-G0"),))
    answer = await told(store, "Forget my booking code", {"query": "booking code"}, finds)

    assert f"[2026-02-07 Sat 14:30 | user Anna | item, item:{item_id}] {CODE}" in answer
    assert "turn:a1] my booking code is 567-G0" in answer
    assert (await store.items.page(MINE, Selector.ALL)).total == 1


async def test_what_was_asked_for_is_erased_with_a_receipt(store: Store) -> None:
    """The item is gone, others stay, and the receipt says what a search finds now."""
    item_id = await store.items.add(MINE, item(CODE))
    await store.items.add(MINE, item("My sister Vera lives in Porto."))
    answer = await told(store, "Please forget my booking code", {"references": [f"item:{item_id}"]})

    assert answer.startswith("Erased: 1 notes")
    assert "finds nothing any more" in answer
    assert [one.content for one in (await store.items.page(MINE, Selector.ALL)).items] == [
        "My sister Vera lives in Porto."
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Where does Vera live?",
        "Don't forget my booking code",
        "Не забудь мой код",
        "What is my booking code?",
        "Bitte nicht vergessen: booking code",
    ],
)
async def test_without_a_word_of_forgetting_nothing_is_erased(store: Store, text: str) -> None:
    """A memory, a skill or a prompt that says "forget it" is not the user.

    Mutation check: without ``asks_to_forget`` the item goes and this test is red.
    """
    item_id = await store.items.add(MINE, item(CODE))
    asked = await tool(store).run(said(text), {"references": [f"item:{item_id}"]})

    assert asked == ConfirmationRequest(CODE, f"/forget item:{item_id}", forgets=True, about=(f"item:{item_id}",))
    assert (await store.items.page(MINE, Selector.ALL)).total == 1


@pytest.mark.parametrize(
    "text", ["Forget my booking code", "Забудь booking code", "удали booking code", "Lösche booking code"]
)
async def test_the_word_is_known_in_several_languages(store: Store, text: str) -> None:
    """People ask in their own language."""
    item_id = await store.items.add(MINE, item(CODE))

    assert (await told(store, text, {"references": [f"item:{item_id}"]})).startswith("Erased: 1")


async def test_only_what_the_message_is_about_can_be_erased(store: Store) -> None:
    """A request to forget one thing cannot be bent into forgetting another; of several, all must fit.

    Mutation check: without ``_nameable`` the sister goes and this test is red.
    """
    code = await store.items.add(MINE, item(CODE))
    vera = await store.items.add(MINE, item("My sister Vera lives in Porto."))
    references = (f"item:{code}", f"item:{vera}")
    asked = await tool(store).run(said("Forget my booking code"), {"references": list(references)})

    assert asked == ConfirmationRequest(
        f"{CODE}\nMy sister Vera lives in Porto.", f"/forget {' '.join(references)}", forgets=True, about=references
    )
    assert (await store.items.page(MINE, Selector.ALL)).total == 2


@pytest.mark.parametrize("changes", [{"forwarded_from": "Bob"}, {"quote": Quote("Forget my booking code")}])
async def test_a_forwarded_order_is_no_order(store: Store, changes: dict[str, object]) -> None:
    """Text that the user did not write now erases nothing."""
    item_id = await store.items.add(MINE, item(CODE))
    references = {"references": [f"item:{item_id}"]}
    asked = await tool(store).run(said("Forget my booking code", **changes), references)

    assert isinstance(asked, ConfirmationRequest)
    assert not tool(store).is_requested(said("Forget my booking code", **changes), references)
    assert (await store.items.page(MINE, Selector.ALL)).total == 1


async def test_other_chats_memories_cannot_be_named(store: Store) -> None:
    """A reference of another scope finds nothing to erase, even if it exists there."""
    theirs = await store.items.add(OTHER, item(CODE))
    with pytest.raises(CommandInvalid):
        await tool(store).run(said("Forget my booking code"), {"references": [f"item:{theirs}"]})

    assert (await store.items.page(OTHER, Selector.ALL)).total == 1


async def test_what_is_asked_is_all_that_would_go_and_no_more_than_can_be_read(store: Store) -> None:
    """Of another chat's memory nothing is shown, and nobody presses a button under what they cannot read."""
    theirs = await store.items.add(OTHER, item(CODE))
    long = await store.items.add(MINE, item("so " * 1000))

    for item_id in (theirs, long):
        with pytest.raises(CommandInvalid):
            await tool(store).ask(said("Good morning"), {"references": [f"item:{item_id}"]})
    with pytest.raises(CommandInvalid):
        await tool(store).ask(said("Good morning"), {"query": "booking code"})


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"query": "x", "references": ["item:1"]},
        {"references": []},
        {"references": ["everything"]},
        {"references": ["item:0"]},
        {"references": ["item:1; DROP TABLE items"]},
        {"references": "item:1"},
        {"references": [f"item:{number}" for number in range(1, 9)]},
        {"query": ""},
        {"all": True},
    ],
)
async def test_arguments_are_checked(store: Store, arguments: dict[str, object]) -> None:
    """There is no way to say "everything", and no way to say two things at once."""
    with pytest.raises(CommandInvalid):
        await tool(store).run(said("Forget everything"), arguments)


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my booking code",
        "my booking code was deleted",
        "The booking code is unforgettable",
        "Please don't forget to use my booking code",
        "Did you forget my booking code?",
        "Should I delete my booking code?",
        "Я забыл booking code",
        "Ich habe meinen booking code vergessen",
        "Forget it, what is my booking code?",
        "Please delete the flight to Porto",
    ],
)
async def test_speaking_of_forgetting_is_no_request(store: Store, text: str) -> None:
    """Other subjects, other tenses, questions, another object: an obedient model erases nothing.

    Red with the substrings that opened the tool before.
    """
    item_id = await store.items.add(MINE, item(CODE))
    asked = await tool(store).run(said(text), {"references": [f"item:{item_id}"]})

    assert asked == ConfirmationRequest(CODE, f"/forget item:{item_id}", forgets=True, about=(f"item:{item_id}",))
    assert (await store.items.page(MINE, Selector.ALL)).total == 1


@pytest.mark.parametrize(
    "text",
    [
        "Could you please delete what I told you about my booking code?",
        "I'd like you to forget my booking code.",
        "Thanks. Forget the booking codes!",
        "Vergiss bitte meinen booking code",
        "Kannst du bitte meinen booking code löschen?",
        "Удали, пожалуйста, booking code",
    ],
)
async def test_a_request_is_known_by_its_form(store: Store, text: str) -> None:
    """Imperatives and polite questions, in three languages."""
    item_id = await store.items.add(MINE, item(CODE))

    assert (await told(store, text, {"references": [f"item:{item_id}"]})).startswith("Erased: 1")


@pytest.mark.parametrize(
    "text",
    [
        "Would you mind forgetting my booking code?",
        "Please, please kindly forget my booking code",
        "Please remove my booking code from your memory",
        "I need you to forget my booking code",
        "Können Sie bitte meinen booking code löschen?",
        "Ich möchte, dass du meinen booking code vergisst",
        "Meinen booking code bitte vergessen",
        "Не мог бы ты забыть мой booking code?",
        "Удалите, пожалуйста, мой booking code из памяти",
        "Хочу, чтобы ты забыла мой booking code",
    ],
)
async def test_polite_requests_are_requests(store: Store, text: str) -> None:
    """Wishes, questions for the favour, and the verb at the end: each red with the imperatives alone."""
    item_id = await store.items.add(MINE, item(CODE))

    assert (await told(store, text, {"references": [f"item:{item_id}"]})).startswith("Erased: 1")


@each_row(
    "text",
    [
        "Vergiss bitte nicht booking code",
        "Vergiss booking code nicht!",
        "Könntest du booking code nie vergessen?",
        "Lösche booking code auf keinen Fall",
        "Forget not my booking code",
        "Forget nothing but my booking code",
        "Forget everything except my booking code",
        "Will you forget my booking code one day?",
        "Can you forget a booking code?",
        "Forget the booking code, let's go to Rome!",
        "Vergiss booking code, wir fahren nach Rom",
        "Забудь, booking code",
        "Забудь не booking code",
        "Kannst du mich daran erinnern, booking code zu löschen?",
    ],
)
def test_a_negation_a_doubt_or_another_clause_is_no_request(text: str) -> None:
    """What may mean anything is asked; a negation inside of what is to be forgotten is none of the request.

    Red before, each of them.
    """
    assert list_forget_requests(said(text)) == ()
    assert list_forget_requests(said("Forget that I do not like my booking code")) == (("like", "booking", "code"),)
