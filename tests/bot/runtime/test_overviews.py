"""Questions over time and over everything through the whole application, without a model."""

from __future__ import annotations

from pathlib import Path

from adapters.embedding.e5 import E5Embedder
from harness.application import run_chats, run_console
from language.registry import get_texts

NOTHING_ELSE = {"rag": {"enabled": False}}


async def test_an_order_is_told_over_several_sessions_and_what_is_forgotten_is_gone(tmp_path: Path) -> None:
    """From the write path to the chat; /why says what the lines are, and an erased exchange has none."""
    texts = get_texts("en")
    async with run_console(tmp_path, NOTHING_ELSE) as talk:
        for said in (
            "We sold the old stove of the kitchen.",
            "We painted the kitchen green.",
            "We bought kitchen tiles.",
        ):
            await talk.say(said)
            await talk.say("/new")
        answer = await talk.say("In what order did we renovate the kitchen?")
        why = await talk.say("/why")
        await talk.say("/forget painted")
        await talk.say("yes")
        after = await talk.say("In what order did we renovate the kitchen?")

    assert answer.startswith(texts.answers.in_order)
    places = [answer.index(word) for word in ("sold the old stove", "painted the kitchen", "bought kitchen tiles")]
    assert places == sorted(places)
    assert texts.why.channels["digest"] in why
    assert "painted" not in after
    assert "bought kitchen tiles" in after


async def test_what_nobody_told_is_not_summed_up(tmp_path: Path, model_dir: Path) -> None:
    """Memory says that it does not know, with the real model: to the sample one any two messages are alike."""
    model = E5Embedder(model_dir, niceness=0)
    model.load()
    async with run_chats(tmp_path, NOTHING_ELSE, model) as chats:
        await chats.say(0, "We painted the kitchen green.")
        answer = await chats.say(0, "Summarise what I told you about my motorcycle.")
    model.close()

    assert "kitchen" not in answer


async def test_what_is_asked_the_reason_of_is_no_reason(tmp_path: Path, model_dir: Path) -> None:
    """In all languages, with the real model: what only says that it is so is told as what may help, if at all."""
    told = {
        "Марат женится в июне": "почему Марат женится",
        "Zoe quit the choir in May": "why did Zoe quit the choir",
        "Der Kronenwirt hört im Juni auf": "warum hört der Kronenwirt auf",
        "Вика не ест в столовой потому что там тараканы": "почему Вика не ест в столовой",
    }
    texts = get_texts("en").answers
    model = E5Embedder(model_dir, niceness=0)
    model.load()
    async with run_chats(tmp_path, NOTHING_ELSE, model) as chats:
        for each in told:
            await chats.say(0, each)
        await chats.say(0, "/new")
        said = [await chats.say(0, each) for each in told.values()]
    model.close()

    unsure = (str(texts.unknown), str(texts.unread), texts.perhaps.format(line=""))
    assert [any(each and each in answer for each in unsure) for answer in said] == [True, True, True, False]
