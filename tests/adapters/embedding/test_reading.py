"""The model that reads a question and a message together: what answers is told from what is about the same thing."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from adapters.embedding import graph
from adapters.embedding.e5 import (
    MOST_TOKENS,
    STATES_READ,
    E5Embedder,
    Floats,
    Loaded,
    change_tensors,
    load_reading,
)
from adapters.embedding.encoder import PASSAGE, QUESTION, open_session
from adapters.embedding.files import ANSWERS, CHANGES, ModelFiles
from adapters.embedding.graph import WeightsFile, locate_e5
from bot.errors import EmbeddingUnavailable
from bot.memory.ranking.vectors import map_question
from tests.cases import each_row

PAIRS = (
    ("which day does the flour come", "the flour guy comes every tuesday at 5am", "the flour guy is called Ted"),
    ("how much was the oven repair", "HeatPro fixed our oven, cost 340 quid", "HeatPro fixed our oven in march"),
    ("Wann kommt der Klempner?", "der Klempner ist am Freitag um 9 da", "der Klempner heißt Ritter"),
    ("was kostet die neue brille", "für die Brille hab ich 280 gezahlt", "die Brille hab ich beim Optiker Kern geholt"),
    ("где работает дочь", "дочка Света работает в аптеке", "дочка Света живет в Вологде"),
    ("когда поезд", "Наш поезд отправляется в 7:40", "Билеты на поезд купила мама"),
)


@pytest.fixture
def model(model_dir: Path) -> Iterator[E5Embedder]:
    """The local model."""
    embedder = E5Embedder(model_dir)
    yield embedder
    embedder.close()


@each_row(("question", "answers", "beside"), PAIRS)
async def test_what_answers_is_rated_above_what_is_about_the_same_thing(
    model: E5Embedder, question: str, answers: str, beside: str
) -> None:
    """In each language; what has nothing to do with the question is rated at next to nothing."""
    right, near, far = await model.rate_answers(question, (answers, beside, "ok see you then"))

    assert right > near
    assert right > 0.15
    assert far < 0.05


async def test_a_rate_depends_on_nothing_else(model_dir: Path, model: E5Embedder) -> None:
    """Alone, among others and after an erase it is the same; what is empty answers nothing, what is long is cut."""
    question, answers, beside = PAIRS[0]
    rates = await model.rate_answers(question, (answers, "", beside, answers, "word " * 2000))
    model.forget()

    assert rates[0] == rates[3] == (await model.rate_answers(question, (answers,)))[0]
    assert rates[1] == 0.0
    assert all(0 <= rate <= 1 for rate in rates)
    assert await model.rate_answers("", (answers,)) == (0.0,)
    assert await model.rate_answers(question, ()) == ()
    assert rates == await E5Embedder(model_dir).rate_answers(question, (answers, "", beside, answers, "word " * 2000))


async def test_int8_rates_are_those_of_the_float_model(model: E5Embedder) -> None:
    """No rate is far off."""
    loaded, reading = model.load(), load_reading(ANSWERS)
    exact = open_session(
        graph.build_upper(change_tensors(WeightsFile(locate_e5()).read_tensors(), ANSWERS), STATES_READ)
    )

    def read(prefix: str, text: str) -> tuple[Floats, Floats]:
        both = loaded.embed(loaded.read(text, prefix))
        return both.words.vector, both.inner

    for question, *texts in PAIRS:
        meant, asked = read(QUESTION, question)
        rates = await model.rate_answers(question, texts)
        for rate, (vector, told) in zip(rates, (read(PASSAGE, text) for text in texts), strict=True):
            (states,) = exact.run([STATES_READ], {"words": reading.join(asked, told)})
            odds = reading.judge(states[0], len(asked))
            odds += reading.likeness * float(map_question(meant, model.model) @ vector)
            assert abs(1 / (1 + np.exp(-odds)) - rate) < 0.2


async def test_what_is_known_to_be_alike_is_not_embedded(model: E5Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what may answer by its likeness nor what cannot, which is not read either."""
    question, answers, _ = PAIRS[1]
    far = "ok see you then"
    (exact,) = await model.rate_answers(question, (answers,))
    (asked,), (told,) = await model.embed((question,), question=True), await model.embed((answers,))
    alike = float(map_question(asked, model.model) @ told)
    model.forget()
    monkeypatch.setattr(Loaded, "embed", None)

    rates = await model.rate_answers(question, (answers, far), (alike, 0.05))

    assert rates[0] == exact
    assert rates[1] < 0.01


@each_row(("learnt",), ((ANSWERS,), (CHANGES,)))
def test_what_training_changed_has_the_shapes_of_the_model(learnt: Path) -> None:
    """Each of the upper layers is changed, and none of the lower ones; what is read is cut at the window."""
    tensors = WeightsFile(locate_e5()).read_tensors()
    changed = change_tensors(tensors, learnt)
    layers = {int(name.split(".")[2]) for name, each in changed.items() if not np.array_equal(each, tensors[name])}
    long = np.zeros((200, 384), np.float32)

    assert changed.keys() == tensors.keys()
    assert all(changed[name].shape == each.shape for name, each in tensors.items())
    assert layers == set(range(graph.INNER, graph.LAYERS))
    assert load_reading(learnt).join(long, long).shape == (1, MOST_TOKENS, 384)


CHANGED = (
    ("I drive a silver Volvo", "the Volvo is gone, a student gave me 900", "my brother sold his Volvo"),
    ("Leni geht dienstags zum Turnen", "Turnen ist für Leni jetzt immer donnerstags", "Mia turnt jetzt auch"),
    ("я работаю в пекарне на Мира", "ушла из пекарни, с понедельника я в аптеке", "подруга ушла из пекарни"),
)


@each_row(("told", "changes", "leaves"), CHANGED)
async def test_what_changes_a_message_is_rated_above_what_leaves_it(
    model: E5Embedder, told: str, changes: str, leaves: str
) -> None:
    """In each language; what has nothing to do with it is rated low, and each text as if it were alone."""
    new, near, far, nothing = await model.rate_changes("", told, (changes, leaves, "ok see you then", ""))

    assert new > 0.25
    assert near < new
    assert far < 0.1
    assert nothing == 0.0
    assert await model.rate_changes("", told, (changes,)) == (new,)


TWO_THINGS = (
    ("Ruth lives in Leeds and teaches maths", "Ruth only does physics now", "what does Ruth teach?", "where is Ruth?"),
    (
        "der Elektriker heißt Bauer und kommt am Montag",
        "der Elektriker schafft es erst am Freitag",
        "wann kommt der Elektriker?",
        "wie heißt der Elektriker?",
    ),
    (
        "у Тани собака Рекс, гуляет с ней в семь утра",
        "Таня теперь гуляет с собакой вечером",
        "когда Таня гуляет с собакой?",
        "как зовут собаку Тани?",
    ),
)


@each_row(("told", "changes", "asked", "other"), TWO_THINGS)
async def test_a_change_is_one_for_the_question_that_it_is_about(
    model: E5Embedder, told: str, changes: str, asked: str, other: str
) -> None:
    """What else the same message tells holds still."""
    (changed,), (kept,) = [await model.rate_changes(question, told, (changes,)) for question in (asked, other)]

    assert changed > 0.5
    assert kept < changed / 2


@pytest.mark.parametrize("learnt", [ANSWERS, CHANGES])
def test_a_damaged_reader_is_named(model_dir: Path, tmp_path: Path, learnt: Path) -> None:
    """Nothing is rated with it, and the error says which file it is."""
    folder = tmp_path / "models"
    folder.mkdir()
    for path in model_dir.iterdir():
        (folder / path.name).symlink_to(path)
    files = ModelFiles(folder)
    damaged = files.reader if learnt == ANSWERS else files.change_reader
    content = bytearray(damaged.read_bytes())
    content[1000] ^= 1
    damaged.unlink()
    damaged.write_bytes(content)

    with pytest.raises(EmbeddingUnavailable, match=damaged.name):
        E5Embedder(folder).load_reader(learnt)
