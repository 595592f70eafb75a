"""The local model, word by word: the same run that gives a text's vector also gives each word's state.

Late interaction over word states (ColBERT, Khattab and Zaharia 2020) finds what a pooled vector blurs; with all-MiniLM
it is worth more than the pooled vectors themselves (docs/recall.md).
The graph with the extra output is made from the int8 file at its first use and kept beside it, in a process of its own:
``onnx`` would stay in this one's memory.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from cachetools import LRUCache

from adapters.embedding.build import WEIGHTS_SHA256, build_model, locate
from adapters.embedding.minilm import DIMENSION, QUESTION_LENGTH, QUESTION_TEXTS, lower_priority
from adapters.embedding.session import Session, open_session, open_tokenizer
from bot.errors import EmbeddingUnavailable
from bot.ports.embedder import Vectors, WordVectors

if TYPE_CHECKING:
    from tokenizers import Tokenizer

STATES: Final = "states"
"""Name of the added output: the last layer, shape (1, tokens, 384)."""


class MiniLmWordEmbedder:
    """The port :class:`~bot.ports.embedder.WordEmbedder`; use it in place of ``MiniLmEmbedder``, not beside it.

    One text at a time, because dynamic quantisation would let a text's vector depend on its neighbours.
    Texts that nobody waits for run on a niced thread of their own.  Of the others the vectors of the last
    ``cached_texts`` are kept, the longest unused go first; who asks for a text that runs waits for that run.
    """

    def __init__(self, cache_dir: Path, *, cached_texts: int = 1024, niceness: int = 10) -> None:
        self._cache_dir = cache_dir
        self._known: LRUCache[str, WordVectors] = LRUCache(cached_texts)
        self._running: dict[str, asyncio.Future[WordVectors]] = {}
        self._patient = ThreadPoolExecutor(1, "embed-words", initializer=lower_priority, initargs=(niceness,))
        self._prompt = ThreadPoolExecutor(1, "embed-question")
        self._loading = threading.Lock()
        self._loaded: tuple[Session, Tokenizer] | None = None

    @property
    def model(self) -> str:
        """Name and version of weights and quantisation."""
        return f"all-MiniLM-L6-v2-int8-{WEIGHTS_SHA256[:8]}"

    @property
    def dimension(self) -> int:
        """384."""
        return DIMENSION

    async def prepare(self, report: Callable[[str], None]) -> None:
        """Make the model files if needed and load them, telling ``report`` what happens."""
        await asyncio.get_running_loop().run_in_executor(self._prompt, self._load, report)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one normalised row per text, see :class:`~bot.ports.embedder.Embedder`."""
        question = len(texts) <= QUESTION_TEXTS and sum(map(len, texts)) <= QUESTION_LENGTH
        found = await self.embed_words(texts, patient=not question)
        return np.stack([each.vector for each in found]) if found else np.empty((0, DIMENSION), dtype=np.float32)

    async def embed_words(self, texts: Sequence[str], *, patient: bool = False) -> tuple[WordVectors, ...]:
        """Return the vector and the word states of each text."""
        loop = asyncio.get_running_loop()
        found: list[WordVectors] = []
        for text in texts:
            known = self._known.get(text)
            if known is None and patient:
                known = await loop.run_in_executor(self._patient, self._encode, text)
            elif known is None:
                known = await asyncio.shield(self._running.get(text) or self._run(loop, text))
            found.append(known)
        return tuple(found)

    def forget(self) -> None:
        """Drop what is remembered of texts, because one of them may have been erased."""
        self._known.clear()
        self._running.clear()

    def close(self) -> None:
        """Let the threads end after the text they are at."""
        for executor in (self._patient, self._prompt):
            executor.shutdown(wait=False, cancel_futures=True)

    def _run(self, loop: asyncio.AbstractEventLoop, text: str) -> asyncio.Future[WordVectors]:
        """Embed a text that somebody waits for, and keep it unless it is forgotten meanwhile."""
        running = self._running[text] = loop.run_in_executor(self._prompt, self._encode, text)

        def keep(done: asyncio.Future[WordVectors]) -> None:
            failed = done.cancelled() or done.exception() is not None
            if self._running.get(text) is not running:
                return
            del self._running[text]
            if not failed:
                self._known[text] = done.result()

        running.add_done_callback(keep)
        return running

    def _encode(self, text: str) -> WordVectors:
        session, words = self._load(lambda _: None)
        encoded = words.encode(text.encode("utf-8", "replace").decode())
        vectors, states = session.run(["vector", STATES], {"ids": np.array([encoded.ids], dtype=np.int64)})
        spans = np.array(encoded.offsets, dtype=np.int64).reshape(-1, 2)
        real = spans[:, 1] > spans[:, 0]
        return WordVectors(vectors[0], states[0][real], spans[real])

    def _load(self, report: Callable[[str], None]) -> tuple[Session, Tokenizer]:
        with self._loading:
            if self._loaded is None:
                path = _with_states(build_model(self._cache_dir, report))
                try:
                    self._loaded = (open_session(path), open_tokenizer(locate().tokenizer))
                except Exception as error:  # onnxruntime raises its own untyped exceptions for a damaged file
                    path.unlink(missing_ok=True)
                    raise EmbeddingUnavailable(
                        "the embedding model file is damaged; it is made again at the next use"
                    ) from error
            return self._loaded


def _with_states(model: Path) -> Path:
    """Return the model file whose graph also puts out what it pools, making it from ``model`` unless it is there."""
    path = model.with_name(f"{model.stem}-{STATES}.onnx")
    if path.is_file():
        return path
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "adapters.embedding.word_vectors", str(model), str(path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise EmbeddingUnavailable(f"the embedding model cannot be extended: {reason}")
    return path


def add_states(model: Path, path: Path) -> None:
    """Write ``model`` with its last layer as a second output to ``path``, whole or not at all."""
    import onnx  # noqa: PLC0415 - heavy and needed once

    loaded = onnx.load_model(str(model))
    pooling = next(node for node in reversed(loaded.graph.node) if node.op_type == "ReduceMean")
    loaded.graph.node.append(onnx.helper.make_node("Identity", [pooling.input[0]], [STATES]))
    shape: list[str | int | None] = [1, "tokens", DIMENSION]
    loaded.graph.output.append(onnx.helper.make_tensor_value_info(STATES, onnx.TensorProto.FLOAT, shape))
    partial = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    with partial.open("wb") as file:
        file.write(loaded.SerializeToString())
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


if __name__ == "__main__":
    add_states(Path(sys.argv[1]), Path(sys.argv[2]))
