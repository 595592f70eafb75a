"""P9, P17: what stands in a second place goes and changes with the first: kept by a model, put right, quoted, read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.memory.scope import Scope
from bot.messages import Address
from harness.application import ANNA, TelegramChats, run_on_telegram
from harness.fakes.openai import FakeOpenAi, Says
from harness.fakes.telegram import FakeTelegram
from tests.cases import each_row

FIRST, SECOND = 901, 902


def quoted(telegram: FakeTelegram, number: int, text: str = "?") -> Any:  # Any: JSON
    """Return a message as a reply to it holds it."""
    return telegram.message(text, user=ANNA, message_id=number)


@each_row(
    ("told", "right", "old", "new", "other"),
    [
        (
            "Remember that my plumber is called Kovacs. Remember that my dog is called Kovacs.",
            "Sorry, my plumber is called Novak.",
            "plumber is called Kovacs",
            "plumber is called Novak",
            "dog is called Kovacs",
        ),
        ("Merk dir: mein Zug fährt um 8:20 Uhr.", "nein, um 8:40 Uhr", "8:20", "8:40", ""),
        ("Запомни, что мой стоматолог — Линд.", "ой, не Линд, а Ковач", "Линд", "Ковач", ""),
    ],
)
async def test_what_was_kept_of_a_message_is_put_right_with_it(
    tmp_path: Path, told: str, right: str, old: str, new: str, other: str
) -> None:
    """Though the memory has the words without what asked to keep them; what else was told stays, and /undo works.

    Red where the memory was left as it was, in /memory and in each prompt.
    """
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path / old, telegram) as talk:
        await talk.ask(told)
        await talk.ask(right)
        after = await talk.ask("/memory")
        await talk.ask("/undo")
        back = await talk.ask("/memory")

    assert new in after
    assert other in after
    assert old not in after
    assert old in back
    assert new not in back


async def test_what_a_model_kept_of_a_message_is_put_right_with_it(tmp_path: Path) -> None:
    """By its tool, as a memory beside the message."""
    kept = Says(calls=(("remember", json.dumps({"text": "My plumber is called Kovacs."})),))
    async with FakeTelegram() as telegram, FakeOpenAi(default=lambda _: Says("All right.")) as server:
        server.script.append(kept)
        model = {"llm": {"url": server.url, "model": "fake-model"}}
        async with run_on_telegram(tmp_path, telegram, others=model) as talk:
            await talk.ask("Remember that my plumber is called Kovacs.")
            before = await talk.ask("/memory")
            await talk.ask("not Kovacs, Novak")
            after = await talk.ask("/memory")

    assert "Kovacs" in before
    assert "Novak" in after
    assert "Kovacs" not in after


async def test_forgetting_a_correction_takes_what_it_put_right(tmp_path: Path) -> None:
    """Not what was put right again since.  Red where the message went and its words were told on."""
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path, telegram) as talk:
        await talk.ask("My gate code is 4711.")
        await talk.ask("no wait, 5822, I mixed them up", message_id=FIRST)
        await talk.ask("not 5822, 6933", message_id=SECOND)
        await talk.ask("forget that", reply_to_message=quoted(telegram, FIRST))
        kept = await talk.ask("/memory")
        gone = await talk.ask("forget that", reply_to_message=quoted(telegram, SECOND))
        left = [await talk.ask(text) for text in ("/memory", "What is my gate code?")]

    assert "6933" in kept
    assert "“My gate code is 6933.”" in gone
    assert not any(code in each for each in left for code in ("4711", "5822", "6933"))


async def test_forgetting_an_edited_command_takes_what_it_had_kept(tmp_path: Path) -> None:
    """The edit was refused, and told as such: what was kept before is the same message's."""
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path, telegram) as talk:
        await talk.ask("/remember My gate code is 4711.", message_id=FIRST)
        await telegram.edits("/remember My gate code is 5822.", user=ANNA, message_id=FIRST)
        await talk.taken()
        gone = await talk.ask("/forget", reply_to_message=quoted(telegram, FIRST))
        left = await talk.ask("/memory") + await talk.ask("What is my gate code?")

    assert "Forgotten." in gone
    assert "4711" not in left


async def test_a_quotation_of_what_nobody_told_is_found_beside_what_was_told(tmp_path: Path) -> None:
    """Nothing else holds its words: with what was found alone it would not go, and each prompt would show it."""
    told = "The gate code of the neighbours is 4711."
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path, telegram) as talk:
        await talk.ask("I will go there on Monday.", reply_to_message=quoted(telegram, FIRST, told))
        await talk.ask("Our alarm code is 4711, too.", message_id=SECOND)
        await talk.ask("That one is easy.", reply_to_message=quoted(telegram, SECOND, "Our alarm code is 4711, too."))
        offered = await talk.ask("/forget 4711")

    assert told in offered
    assert offered.count("Our alarm code") == 1


@pytest.mark.parametrize("undo_s", [0, 600])
async def test_an_answer_that_read_a_document_out_goes_with_it(tmp_path: Path, undo_s: int) -> None:
    """However few words it read out, and comes back with it; what was answered of another document stays."""
    settings = {"memory": {"undoSeconds": undo_s}}

    async def list_answers(talk: TelegramChats) -> str:
        session = await talk.app.parts.turns.session(Address("telegram", 42, ANNA))
        said = await talk.app.parts.turns.history(Scope(f"tu{ANNA}"), session.id, 50)
        return "\n".join(each.assistant_text for each in said)

    async with FakeTelegram() as telegram, run_on_telegram(tmp_path, telegram, others=settings) as talk:
        for number, name, code in ((FIRST, "gate", 4711), (SECOND, "shed", 5822)):
            file = telegram.files.attach(
                "document", f"# {name}\nThe {name} code is {code}.\n".encode(), name=f"{name}.md"
            )
            sent = telegram.message("", user=ANNA, message_id=number, **file)
            await telegram.push({"message": sent})
            await telegram.push({"edited_message": sent})
            await talk.taken()
            await talk.ask(f"What is the {name} code?")
        gone = await talk.ask("/forget", reply_to_message=quoted(telegram, FIRST))
        left = await list_answers(talk)
        await talk.ask("/undo")
        back = await list_answers(talk)

    assert gone.startswith("“gate.md”")
    assert "Later answers that repeated it, blanked: 1" in gone
    assert "4711" not in left
    assert "5822" in left
    assert ("4711" in back) == bool(undo_s)
