"""What is told in one long message is found by its sentences, without a model."""

from __future__ import annotations

from pathlib import Path

from adapters.embedding.e5 import E5Embedder
from harness.application import run_chats

_TOLD = (
    "Hi, a lot has happened. We finally moved to Leeds last month. The boys started at Roundhay school. "
    "Sarah is a midwife at the hospital now. The dog's leg had to be operated and the bill was 2300 pounds. "
    "I am learning the cello with a teacher called Mr Bloom. The car needs a new clutch. And mum turns 70 on 4 March."
)


async def test_each_sentence_of_a_long_message_answers_by_itself(tmp_path: Path, model_dir: Path) -> None:
    """In other words than they were told in; ``/why`` knows the message, and nothing is left when it is forgotten.

    Seen to fail where messages are compared as a whole: a vector of eight things is like a question about none.
    """
    model = E5Embedder(model_dir, niceness=0)
    model.load()
    async with run_chats(tmp_path, {"rag": {"enabled": False}}, model) as chats:
        await chats.say(0, _TOLD)
        await chats.parts.housekeeping.catch_up()
        await chats.say(0, "/new")
        instrument = await chats.say(0, "which instrument do I practise?")
        birthday = await chats.say(0, "when is my mother's birthday?")
        why = await chats.say(0, "/why")
        vet = await chats.say(0, "what did the vet cost?")
        await chats.say(0, "/forget cello")
        after = await chats.say(0, "which instrument do I practise?")
    model.close()

    assert "cello" in instrument
    assert "4 March" in birthday
    assert "clutch" not in birthday
    assert "4 March" in why
    assert "2300" in vet
    assert "cello" not in after


async def test_what_stands_far_down_is_not_lost(tmp_path: Path, model_dir: Path) -> None:
    """More sentences than are rated: the others still answer by their words.

    Seen to fail where a message is no more than those of its sentences that were rated.
    """
    model = E5Embedder(model_dir, niceness=0)
    model.load()
    things = ("bread", "milk", "salt", "soap", "rice", "tea", "nails", "paint", "rope", "ink", "glue", "wool", "oil")
    lines = " ".join(f"On the list of Tuesday stood {thing}." for thing in things)
    async with run_chats(tmp_path, {"rag": {"enabled": False}}, model) as chats:
        await chats.say(0, f"{lines} The alarm code of the garage is 4417.")
        await chats.say(0, "/new")
        answer = await chats.say(0, "What is the alarm code of the garage?")
    model.close()

    assert "4417" in answer
