"""What kind of sentence it is, told by the real embedding model and the weights that come along."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from adapters.embedding.e5 import E5Embedder
from bot.memory.learning import kinds
from bot.memory.learning.kinds import KindReader, SentenceKind, decide_kind, load_model, tell_kinds
from bot.memory.learning.speech_acts import SpeechAct, classify_speech, find_forgotten, list_own_sentences
from bot.memory.learning.statements import find_facts
from bot.memory.learning.wishes import find_wishes
from bot.ports.embedder import WordStates
from harness.application import run_chats
from tests.cases import each_row

NOTHING_READ = WordStates(np.zeros((0, 384), dtype=np.float32), np.zeros((0, 2), dtype=np.int64))

SENTENCES = {
    "Gerda and I swim every Tuesday morning at the Lido.": SentenceKind.FACT,
    "Whatever I ask, give me the bare answer without any decoration.": SentenceKind.WISH,
    "Sag mir morgen um acht Bescheid, dass der Ofen abgeholt wird.": SentenceKind.REMINDER,
    "Как зовут ту женщину из банка, про которую я говорил?": SentenceKind.QUESTION,
    "Fass mir zusammen, wie es mit dem Umbau bisher gelaufen ist.": SentenceKind.OVERVIEW,
    "Вычеркни из памяти мой старый адрес.": SentenceKind.FORGET,
    "Ugh, what a day, I could eat a whole cake.": SentenceKind.CHATTER,
    "Explain how a heat pump works.": SentenceKind.REQUEST,
}


@pytest.fixture(autouse=True)
def nothing_read() -> None:
    """What other tests have read is not known here."""
    kinds._read.clear()
    kinds.keep_read({})


async def test_kinds_are_told_in_words_that_no_rule_knows(model: E5Embedder) -> None:
    """In three languages, none of them among the sentences that it was made from."""
    reader = KindReader(model.read_sentences, model.model)

    for sentence in SENTENCES:
        await reader.read((sentence,))

    assert {sentence: decide_kind(sentence) for sentence in SENTENCES} == SENTENCES


async def test_a_kind_decides_where_rules_find_no_form(model: E5Embedder) -> None:
    """A wish, a fact and small talk; before they are read rules alone decide."""
    reader = KindReader(model.read_sentences, model.model)
    fact, wish, *_, chatter, _ = SENTENCES

    before = (len(find_wishes(wish)), classify_speech(chatter))
    for sentence in SENTENCES:
        await reader.read(list_own_sentences(sentence))

    assert before == (0, SpeechAct.STATEMENT)
    assert [each.content for each in find_wishes(wish)] == [wish]
    assert [each.sentence for each in find_facts(fact)] == [fact]
    assert classify_speech(chatter) is SpeechAct.SMALLTALK
    assert find_facts(chatter) == ()


ASKED = (
    "what thread does the garden hose take",
    "was nimmt der schlosser für die anfahrt",
    "чего моей тёще нельзя после операции",
    "под каким деревом мы закопали ключ",
    "kriegen wir im herbst eine neue heizung",
    "fahr ich noch mit dem roller",
)
TOLD = (
    "the garden hose takes a three quarter thread",
    "der schlosser nimmt 40 euro anfahrt",
    "тёще после операции нельзя острое",
    "ключ закопали под старой яблоней",
    "opa sucht ne neue wohnung",
    "hab ich gestern gekauft",
    "das kindergeld wurde auf 255 angehoben",
    "shifted the ladder to the boiler room",
    "she owes me for the gas",
    "wir nennen den kater Willi",
    "meine chefin heißt frau Kranz",
    "павел взял у меня дрель",
)


async def test_questions_need_no_mark_and_statements_no_point(model: E5Embedder) -> None:
    """As people type them, in small letters; a statement that is taken for anything else would never be found."""
    reader = KindReader(model.read_sentences, model.model)

    for sentence in (*ASKED, *TOLD):
        await reader.read((sentence,))

    assert [each for each in ASKED if classify_speech(each) is not SpeechAct.QUESTION] == []
    assert [each for each in TOLD if classify_speech(each) is not SpeechAct.STATEMENT] == []


async def test_vectors_of_another_model_tell_nothing() -> None:
    """An endpoint's vectors, or the sample embedder's, lie elsewhere: rules decide alone."""

    async def embed(texts: object) -> tuple[np.ndarray, tuple[WordStates, ...]]:
        raise AssertionError("nothing is embedded for nothing")

    await KindReader(embed, "another model").read(tuple(SENTENCES))

    assert not any(tell_kinds(sentence) for sentence in SENTENCES)


async def test_a_long_message_is_not_read() -> None:
    """What holds many sentences, or very long ones, was pasted: it is no order, and would take long."""
    asked: list[object] = []

    async def embed(texts: object) -> tuple[np.ndarray, tuple[WordStates, ...]]:
        asked.append(texts)
        return np.zeros((1, 3, 384), dtype=np.float32), (NOTHING_READ,)

    reader = KindReader(embed, load_model().embedding)
    await reader.read(tuple(f"Line {number}." for number in range(20)))
    await reader.read(("word " * 100,))

    assert asked == []


async def test_the_first_message_waits_for_the_model_to_load(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same words are told alike right after a start; later messages do not wait for a busy machine."""
    monkeypatch.setattr(kinds, "_PATIENCE_S", 0.01)
    monkeypatch.setattr(kinds, "_FIRST_S", 30.0)

    async def embed(texts: Sequence[str]) -> tuple[np.ndarray, tuple[WordStates, ...]]:
        await asyncio.sleep(0.2 if "The first thing I say." in texts else 3600)
        return np.zeros((len(texts), 3, 384), dtype=np.float32), (NOTHING_READ,) * len(texts)

    reader = KindReader(embed, load_model().embedding)
    await reader.read(("The first thing I say.",))
    await reader.read(("The second thing I say.",))

    assert tell_kinds("The first thing I say.")
    assert not tell_kinds("The second thing I say.")


async def test_the_product_reads_no_greetings(tmp_path: Path, model: E5Embedder) -> None:
    """They are known by their words; what stands beside them is read."""
    async with run_chats(tmp_path, {"rag": {"enabled": False}}, model) as chats:
        await chats.say(0, "Thanks! I keep bees on the roof.")

    assert tell_kinds("I keep bees on the roof.")
    assert not tell_kinds("Thanks!")


async def test_the_product_keeps_a_wish_and_no_small_talk(tmp_path: Path, model: E5Embedder) -> None:
    """Through the receiver, without a language model."""
    _, wish, *_, chatter, _ = SENTENCES
    async with run_chats(tmp_path, {"rag": {"enabled": False}}, model) as chats:
        await chats.say(0, wish)
        await chats.say(0, chatter)
        listed = await chats.say(0, "/memory")

    assert wish in listed
    assert chatter not in listed


@pytest.mark.parametrize("said", ["these days I cycle to work", "ich rauche"])
async def test_what_somebody_says_of_themselves_is_a_statement(model: E5Embedder, said: str) -> None:
    """However sure the model is that it is chatter: what is none would be in no answer."""
    reader = KindReader(model.read_sentences, model.model)
    await reader.read((said,))

    assert classify_speech(said) is SpeechAct.STATEMENT


async def test_where_somebody_lives_is_noted_also_without_a_pronoun(model: E5Embedder) -> None:
    """Russian leaves it out, and the model is sure that it is chatter."""
    said = "Живу в Омске."
    await KindReader(model.read_sentences, model.model).read((said,))

    assert decide_kind(said) is SentenceKind.CHATTER
    assert [fact.sentence for fact in find_facts(said)] == [said]


async def test_what_tells_of_its_author_is_no_chatter(model: E5Embedder) -> None:
    """Without "I" as with it, whatever stands behind it; a number that is told makes no question of its clause."""
    told = (
        "can't drink milk myself, how ironic is that",
        "broke my favourite mug again lol",
        "hab meinen Schlüssel verloren, haha",
        "потеряла телефон, вот умора",
        "paid back 70 of what I owed the neighbour",
        "у Ани аллергия на орехи",
        "сдала зачёт по истории",
        "wax invoice is paid",
    )
    reader = KindReader(model.read_sentences, model.model)
    for sentence in told:
        await reader.read((sentence,))

    assert {sentence: classify_speech(sentence) for sentence in told} == dict.fromkeys(told, SpeechAct.STATEMENT)
    assert find_facts(told[0])


@each_row(
    ("said", "order"),
    [
        (("the shed code is 4471",), "forget the shed code please"),
        (("мёд стоит за печкой в бане",), "забудь про мёд, муж читает"),
        (("the shed code is 4471", "the old shed code was 1234"), "forget the shed code please"),
    ],
)
async def test_a_sure_order_forgets_what_alone_has_all_its_words(
    tmp_path: Path, model: E5Embedder, said: tuple[str, ...], order: str
) -> None:
    """It is told word for word; what two things hold is asked about.

    Mutation check: where such an order is only offered, nothing is gone.
    """
    async with run_chats(tmp_path / str(len(said)) / order[:4], {"rag": {"enabled": False}}, model) as chats:
        for each in said:
            await chats.say(0, each)
        told = await chats.say(0, order)
        back = await chats.say(0, "/undo")

    assert said[0] in told
    assert ("/forget" in told) is (len(said) > 1)
    assert ("nothing" in back) is (len(said) > 1)


async def test_what_a_relative_did_is_no_order_to_forget(model: E5Embedder) -> None:
    """However surely it looks like one; what is a relative's may be forgotten."""
    reader = KindReader(model.read_sentences, model.model)
    told = ("Брат потерял список вещей", "Mein Onkel hat die Adresse gelöscht", "My aunt deleted her account")
    ordered = ("mum’s address please delete", "Omas Nummer löschen", "адрес моей тёти удали")
    for sentence in (*told, *ordered):
        await reader.read((sentence,))

    assert [find_forgotten(each) for each in told] == [None] * len(told)
    assert None not in [find_forgotten(each) for each in ordered]
