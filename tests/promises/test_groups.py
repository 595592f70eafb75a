"""P18: in a group everybody's words stay theirs: who said what is told, and nobody's hides or overwrites another's."""

from __future__ import annotations

from pathlib import Path

from harness.application import ANNA, TelegramChats, run_on_telegram
from harness.fakes.telegram import FakeTelegram
from tests.cases import each_row
from tests.promises.test_replies import _ROOM, EVE, ROOM, get_shown, send

_NAMES = {ANNA: "Anna", EVE: "Eve"}


async def say(talk: TelegramChats, user: int, text: str, *, to: object = None) -> tuple[object, str]:
    """Say something in the group; return the message and what the bot showed."""
    who = {"id": user, "is_bot": False, "first_name": _NAMES[user], "language_code": "en"}
    more = {} if to is None else {"reply_to_message": to}
    said = await send(talk, f"@mneme_bot {text}", user=user, chat=ROOM, **{"from": who}, **more)
    return said, talk.telegram.texts(ROOM)[-1]


@each_row(("asked",), [("who said that?",), ("wer hat das gesagt?",), ("von wem ist das?",), ("кто это сказал?",)])
async def test_who_said_it_asks_of_the_message_replied_to(tmp_path: Path, asked: str) -> None:
    """Red before: whoever asked was told their own words, or what the bot is."""
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path / asked, telegram, **_ROOM) as talk:
        by_anna, _ = await say(talk, ANNA, "The surgery is on the 9th of December.")
        await say(talk, EVE, "My train leaves at 8:30.")
        _, of_anna = await say(talk, EVE, asked, to=by_anna)
        await say(talk, ANNA, "When is the surgery?")
        _, of_answer = await say(talk, EVE, asked, to=get_shown(talk, ROOM))

    assert of_anna.startswith("“The surgery is on the 9th of December.” — Anna, ")
    assert "Anna, " in of_answer
    assert "8:30" not in of_anna + of_answer


@each_row(("own", "reply"), [("Surgery is expensive.", "no, on the 10th"), ("Der Zahnarzt ist um 8.", "nein, am 10.")])
async def test_a_reply_to_anothers_message_leans_on_that(tmp_path: Path, own: str, reply: str) -> None:
    """It is told with the message that it replies to, named, and with nothing that its author said before."""
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path / reply, telegram, **_ROOM) as talk:
        by_anna, _ = await say(talk, ANNA, "The surgery is on the 9th of December.")
        await say(talk, EVE, own)
        await say(talk, EVE, reply, to=by_anna)
        told = [(await say(talk, user, "When is the surgery?"))[1] for user in (ANNA, EVE)]

    assert all("(↩ Anna: The surgery is on the 9th of December.)" in text for text in told)
    assert all("10" in text and own not in text.replace("8.", "") for text in told)
    assert "The surgery is on the 9th of December. (You told me today.)" in told[0]
    assert "Eve said today: " in told[0]


async def test_nobody_hides_anothers_word_by_saying_more(tmp_path: Path) -> None:
    """Red before: the newest three of one person stood there alone."""
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path, telegram, **_ROOM) as talk:
        await say(talk, ANNA, "Leo is allergic to hazelnuts.")
        for more in ("nothing", "walnuts", "pears", "apples"):
            await say(talk, EVE, f"Leo is allergic to {more}.")
        _, told = await say(talk, EVE, "What is Leo allergic to?")

    assert "Anna said today: “Leo is allergic to hazelnuts.”" in told
    assert "(You told me today.)" in told


@each_row(("order",), [("forget Leo",), ("/forget hazelnuts",), ("forget that Leo is allergic to hazelnuts",)])
async def test_what_others_said_is_not_offered_to_who_cannot_forget_it(tmp_path: Path, order: str) -> None:
    """Red before: it was listed with buttons that were refused when they were pressed."""
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path / order.strip("/"), telegram, **_ROOM) as talk:
        await say(talk, ANNA, "Leo is allergic to hazelnuts.")
        await say(talk, ANNA, "What is Leo allergic to?")
        _, refused = await say(talk, EVE, order)
        button = telegram.chats.of(ROOM)[-1].keyboard
        _, told = await say(talk, EVE, "What is Leo allergic to?")

    assert "Said by others, and left as it is" in refused
    assert button is None
    assert "Anna said today: “Leo is allergic to hazelnuts.”" in told


@each_row(
    ("order", "taken"),
    [
        ("remove everything Eve added to the shopping list", {"tent", "ducks"}),
        ("streich alles, was Eve auf die Einkaufsliste gesetzt hat", {"tent", "ducks"}),
        ("remove everything that Zoe put on the shopping list", set()),
    ],
)
async def test_what_one_put_on_a_list_is_taken_off_alone(tmp_path: Path, order: str, taken: set[str]) -> None:
    """Red before: everything was taken off."""
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path / order, telegram, **_ROOM) as talk:
        await say(talk, ANNA, "put bread and butter on the shopping list")
        await say(talk, EVE, "add tent and ducks to the shopping list")
        await say(talk, ANNA, order)
        _, left = await say(talk, ANNA, "/list")

    assert {each for each in ("bread", "butter", "tent", "ducks") if each in left} == {
        "bread",
        "butter",
        "tent",
        "ducks",
    } - taken
