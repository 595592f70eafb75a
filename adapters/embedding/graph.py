"""Write the twelve-layer BERT encoder as an ONNX graph, straight from its weights.

Exporting with PyTorch would need PyTorch; the architecture is small and fixed, so its graph is written by hand, twice:
in float, to see how large the inputs of each matrix get, and in int8 for use.  The lower six layers and the upper six
are a graph each: of a text that is only read beside another the lower ones are enough.
Matrices are quantised per output channel, activations at run time (``DynamicQuantizeLinear``).  The word embeddings,
four fifths of all weights, are no part of it: their rows come in, read from the weights file where it lies.
Before that each input channel is divided by a factor that its weights are multiplied with (SmoothQuant, Xiao et
al. 2022, arXiv 2211.10438): without it the outliers behind Gelu cost Russian texts 1.5 % of their cosine.
Needed at set-up only: this module is the one that imports ``onnx``.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 20
HIDDEN, HEADS, LAYERS = 384, 12, 12
INNER = 6
"""The layer after which a word's state tells names best; the last knows what the text is about instead."""
EPSILON = 1e-12
SMOOTHING = 0.65
"""How much of the difficulty moves from activations to weights: 0.65 was best of 0.5, 0.65, 0.7 (cosine ≥ 0.9956)."""

Array = npt.NDArray[np.float32]
Tensors = dict[str, Array]
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

    def tensor(self, *names: str) -> Array:
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

    def _product(self, value: str, weight: Array) -> str:
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


def build_upper(tensors: Tensors, states: str, ranges: Tensors | None = None, centre: Array | None = None) -> bytes:
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


def _quantise(weight: Array) -> tuple[npt.NDArray[np.int8], Array]:
    """Return symmetric int8 rows and one scale per row: ``weight ≈ rows * scale[:, None]``."""
    scale = np.maximum(np.abs(weight).max(axis=1), 1e-12) / 127
    return np.rint(weight / scale[:, None]).astype(np.int8), scale.astype(np.float32)


def _smoothing(largest: Array, weight: Array) -> Array:
    """Return one factor per input channel, of mean 1 (equation 4 of the paper)."""
    factor = np.maximum(largest, 1e-5) ** SMOOTHING / np.maximum(np.abs(weight).max(axis=0), 1e-5) ** (1 - SMOOTHING)
    scaled: Array = (factor / factor.mean()).astype(np.float32)
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
