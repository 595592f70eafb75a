"""A chat in German through the whole application, without a model."""

from __future__ import annotations

from pathlib import Path

from harness.application import run_console
from language.registry import get_texts


async def test_a_fact_told_in_german_is_answered_in_german_after_new(tmp_path: Path) -> None:
    """What was said is found again in a new session, and every sentence around it is German."""
    texts = get_texts("de")
    async with run_console(tmp_path, {"rag": {"enabled": False}, "language": "de"}) as talk:
        noted = await talk.say("Meine Schwester Vera wohnt in Porto.")
        fresh = await talk.say("/new")
        answer = await talk.say("Wo wohnt meine Schwester?")
        why = await talk.say("/why")
        memory = await talk.say("/memory")
        commands = await talk.say("/help")
        forget = await talk.say("Vergiss meine alte Adresse")

    assert noted.startswith("Ich merke mir: Meine Schwester Vera wohnt in Porto.")
    assert fresh == texts.basic.new_session
    assert answer.startswith("Deine Schwester Vera wohnt in Porto. (Das hast du mir am 7. Februar gesagt.)")
    assert why.startswith("Du hast gefragt: “Wo wohnt meine Schwester?”")
    assert memory.startswith("Erinnerungen dieses Chats: 1")
    assert commands.startswith(texts.basic.help_head)
    assert texts.basic.commands["forget"] in commands
    assert forget == texts.forget.none_found.format(search="meine alte Adresse")


async def test_the_language_is_told_from_the_words_where_nothing_else_tells_it(tmp_path: Path) -> None:
    """No setting and no client's language: a German question gets a German answer."""
    async with run_console(tmp_path) as talk:
        await talk.say("Meine Schwester Vera wohnt in Porto.")
        answer = await talk.say("Wo wohnt meine Schwester?")

    assert answer.startswith("Deine Schwester Vera wohnt in Porto.")
