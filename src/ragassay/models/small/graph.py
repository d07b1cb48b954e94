"""Writes the small language model's ONNX graph from its weights, in three kinds.

fp32: float32 throughout; the measure of the others.
int8: MatMulIntegerToFloat, one activation scale a token and one weight scale an output channel, activations smoothed
(see Smoothing). A scale a token and not a batch, so that a text's result does not depend on the texts beside it.
int7: the same with weights of seven bits, for CPUs that do not add up products of 8 bits in 32 (no VNNI).

in   ids: (n_texts, n_tokens) int64, padded on the right
     last: (n_texts,) int32, position of each text's last token, those of the cache counted
     total: () int32, the largest of these positions plus one (padding of a first run counted)
     rows: (n_rows,) int64, which tokens to read hidden states from, counted through ids.ravel()
     past_k0, past_v0 ...: (n_texts, kv_heads, room, head_size) float32, the cache
out  hidden: (n_rows, hidden) float32, after the last normalisation
     present_k0, present_v0 ...: the cache with the new tokens, to be bound to the same memory as past
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from ragassay.models.small.adapters import Adapter, Layer, read_layer
from ragassay.models.small.weights import Architecture, Gguf, Weight
from ragassay.models.small.wording import Tokenizer

if TYPE_CHECKING:
    import onnx

Kind = Literal["int8", "int7", "fp32"]
Array = np.ndarray[tuple[int, ...], np.dtype[np.generic]]

# Part of the identity of all results: raise it whenever the graph computes something else.
GRAPH_FORMAT = 3
MAX_POSITIONS = 2048
GRAPH_FILE, WEIGHTS_FILE = "graph.onnx", "weights.bin"

_EMBEDDINGS = "token_embd.weight"
_ZERO_LEVEL = 128  # uint8 levels of values of either sign
_LEVELS = 127.0
# Without VNNI, AVX2 adds two products in 16 bits: 2 * 255 * 63 fits, 2 * 255 * 127 does not, and is cut off.
_WEIGHT_LEVELS = {"int8": _LEVELS, "int7": 63.0}
_SMALLEST_SCALE = 1e-9  # a row of zeros would divide by zero
INLINE_BYTES = 256
_ALIGNMENT = 4096  # of constants in the weights' file: a page, so that they can be mapped
_MICROSOFT = "com.microsoft"
# Share of a channel's range that moves into the weight; the paper's middle value, and the best of .4, .5 and .65 here.
STRENGTH = 0.5
# Constants are powers of 2 ** (1 / 16), so that last bits of a machine's matrix products do not show in the graph.
STEPS_PER_OCTAVE = 16
_SMALLEST = 1e-5

CALIBRATION_TEXTS = (
    "Staff may work from home on two days a week if their manager has agreed to it in writing.",
    "How long do I have to return a faulty item, and who pays for the parcel?",
    "The committee met on 14 March 2019. Present: Ms Adeyemi (chair), Mr Lund, Dr Okafor. Apologies: none.",
    "def total(prices: list[float], rate: float = 0.2) -> float:\n    return sum(prices) * (1 + rate)\n",
    "Melt the butter, stir in 250 g of flour and leave the dough in a cool place for half an hour.",
    "SELECT name, max(price) FROM items WHERE sold IS NULL GROUP BY name HAVING count(*) > 3;",
    "The tenant shall not sublet the premises or any part thereof without the prior written consent of the landlord.",
    "Rain moved in from the west overnight; by morning the river at Kelton stood 40 cm above its usual level.",
    "| Plan | Storage | Price |\n| --- | --- | --- |\n| Basic | 10 GB | €4.50 |\n| Team | 1 TB | €39.00 |",
    "Patients with reduced kidney function received half the dose (2.5 mg twice daily) for six weeks.",
    "What should I do if I lose my badge? Tell the front desk at once; they will block it and print a new one.",
    "Born in a fishing village in 1871, she taught herself Latin and later translated three of Ovid's works.",
    "Error 504: the upstream server did not answer within 30 seconds. Retry, or raise `proxy_timeout` in app.toml.",
    "Revenue rose 12% to $3.4 billion, while operating costs fell from $1.9 billion to $1.7 billion.",
    "Die Bibliothek ist montags geschlossen; an Feiertagen gelten andere Zeiten.",
    "仓库在每个工作日上午九点开门，周末不接收货物。",
    "Question: Who signs off expenses above 500 euros?\nAnswer: The head of finance.",
    "Hi Tom, thanks for yesterday. I have moved the launch to Thursday, as Priya is away until then. Best, Jo",
    "Copper conducts heat better than iron because its electrons move more freely through the lattice.",
    "1. Switch the printer off.\n2. Open the rear cover.\n3. Pull the jammed sheet out gently, with both hands.",
    "No, the museum does not lend paintings to private collectors, although it did so until the 1980s.",
    "https://example.org/docs/v2/setup?lang=en#proxy — see also <b>Known issues</b> &amp; the FAQ.",
    "Under the new rule, a driver who has held a licence for less than two years loses it after six penalty points.",
    'It was late. Nobody spoke. "Well," she said at last, "somebody has to tell him, and it won\'t be me."',
)


class _QuantisedRows(NamedTuple):
    """Names in the graph: value = (levels - 128) * scales. scales: (n_rows, 1)."""

    levels: str
    scales: str


def write_graph(gguf: Gguf, adapter: Adapter | None, kind: Kind, folder: Path) -> Path:
    """Writes graph and weights into folder, which exists, and returns the graph's path."""
    from onnx import save

    path = folder / GRAPH_FILE
    with (folder / WEIGHTS_FILE).open("wb") as weights:
        save(_GraphWriter(gguf, kind, weights).write(adapter), path)
    return path


class _GraphWriter:
    """Collects the nodes of one graph, each named by the method that adds it, and writes its constants to a file."""

    def __init__(self, gguf: Gguf, kind: Kind, weights: Any) -> None:
        self._gguf = gguf
        self._sizes = gguf.architecture
        self._kind = kind
        self._file = weights
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}
        self._quantised: dict[str, _QuantisedRows] = {}

    def write(self, adapter: Adapter | None) -> onnx.ModelProto:
        from onnx import helper

        sizes = self._sizes
        angles = np.arange(MAX_POSITIONS)[:, None] * rope_frequencies(self._sizes)
        self._constant("cos", np.cos(angles).astype(np.float32))
        self._constant("sin", np.sin(angles).astype(np.float32))
        self._constant("last_axis", np.array([-1], np.int64))
        texts = self._node("Shape", ["ids"])
        self._qkv_shape = self._node("Concat", [texts, self._constant("any", np.array([-1], np.int64))], axis=0)
        residual = self._embedded()
        # A layer starts with the normalisation that follows the one before, so each is written when its next is known.
        smoothing = self._smoothing() if self._kind in _WEIGHT_LEVELS else None
        increment = ""
        for number in range(sizes.layers):
            layer = read_layer(self._gguf, adapter, number)
            if smoothing is not None:
                layer = smoothing.next_layer(layer)
            prefix = f"blk.{number}"
            normed, residual = self._added_and_normed(increment, residual, f"{prefix}.attn_norm", layer.attn_norm)
            attended = self._attention(prefix, number, normed, layer)
            normed, residual = self._added_and_normed(attended, residual, f"{prefix}.ffn_norm", layer.ffn_norm)
            increment = self._feed_forward(prefix, normed, layer)
        last_norm = self._gguf.vector("output_norm.weight")
        normed, _ = self._added_and_normed(increment, residual, "output_norm", last_norm)
        self._node("Gather", [normed, "rows"], outputs=["hidden"], axis=0)
        graph = helper.make_graph(
            self._nodes, "SmolLM2", self._inputs(), self._outputs(), list(self._constants.values())
        )
        return helper.make_model(
            graph,
            producer_name="ragassay",
            ir_version=10,
            opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid(_MICROSOFT, 1)],
        )

    def _smoothing(self) -> Smoothing:
        table = self._gguf.matrix(_EMBEDDINGS)
        return Smoothing(
            self._sizes, [table[ids] for ids in Tokenizer(self._gguf.metadata).encode_all(CALIBRATION_TEXTS) if ids]
        )

    # -- building blocks

    def _node(
        self, operator: str, inputs: Sequence[str], *, outputs: Sequence[str] = (), domain: str = "", **attributes: Any
    ) -> str:
        from onnx import helper

        names = list(outputs) or [f"v{len(self._nodes)}"]
        self._nodes.append(helper.make_node(operator, list(inputs), names, domain=domain, **attributes))
        return names[0]

    def _constant(self, name: str, value: Array | np.generic) -> str:
        from onnx import TensorProto, helper, numpy_helper

        if name in self._constants:
            return name
        value = np.asarray(value, order="C")
        if value.nbytes < INLINE_BYTES:
            self._constants[name] = numpy_helper.from_array(value, name)
            return name
        self._file.write(b"\0" * (-self._file.tell() % _ALIGNMENT))
        tensor = TensorProto(
            name=name,
            data_type=helper.np_dtype_to_tensor_dtype(value.dtype),
            dims=value.shape,
            data_location=TensorProto.EXTERNAL,
        )
        place = {"location": WEIGHTS_FILE, "offset": str(self._file.tell()), "length": str(value.nbytes)}
        for key, text in place.items():
            tensor.external_data.add(key=key, value=text)
        self._file.write(value.data)
        self._constants[name] = tensor
        return name

    def _product(self, value: str, name: str, weight: Weight) -> str:
        """value, (n_rows, n_in), times the transposed weight, (n_out, n_in)."""
        if self._kind == "fp32":
            return self._node("MatMul", [value, self._constant(name, weight.T)])
        most = np.float32(_WEIGHT_LEVELS[self._kind])
        scale = np.maximum(np.abs(weight).max(axis=1) / most, np.float32(_SMALLEST_SCALE))
        levels = self._constant(f"{name}.levels", np.rint(weight / scale[:, None]).astype(np.int8).T)
        scales = self._constant(f"{name}.scale", scale)
        rows = self._quantised_rows(value)
        inputs = [rows.levels, levels, self._constant("unit", np.float32(1)), scales, "zero_level"]
        return self._node("Mul", [self._node("MatMulIntegerToFloat", inputs, domain=_MICROSOFT), rows.scales])

    def _quantised_rows(self, value: str) -> _QuantisedRows:
        if value in self._quantised:
            return self._quantised[value]
        largest = self._node("ReduceMax", [self._node("Abs", [value]), "last_axis"], keepdims=1)
        scales = self._node("Mul", [largest, self._constant("per_level", np.float32(1 / _LEVELS))])
        scales = self._node("Max", [scales, self._constant("smallest_scale", np.float32(_SMALLEST_SCALE))])
        # The product knows one scale and one zero for all rows: theirs are multiplied in behind it.
        by_row = self._node("Reshape", [scales, "last_axis"])
        zero = self._constant("zero_level", np.uint8(_ZERO_LEVEL))
        zeros = self._node("Expand", [zero, self._node("Shape", [by_row])])
        levels = self._node("QuantizeLinear", [value, by_row, zeros], axis=0)
        self._quantised[value] = _QuantisedRows(levels, scales)
        return self._quantised[value]

    def _added_and_normed(self, increment: str, residual: str, name: str, weight: Weight) -> tuple[str, str]:
        """The root mean square normalisation of both added up, and their sum. increment: empty for none."""
        scale = self._constant(name, weight)
        settings: dict[str, Any] = {"epsilon": self._sizes.epsilon}
        if not increment:
            return self._node("SimplifiedLayerNormalization", [residual, scale], axis=-1, **settings), residual
        normed, added = f"{name}.out", f"{name}.sum"
        self._node(
            "SkipSimplifiedLayerNormalization",
            [increment, residual, scale],
            outputs=[normed, "", "", added],
            domain=_MICROSOFT,
            **settings,
        )
        return normed, added

    # -- the model

    def _embedded(self) -> str:
        """(n_rows, hidden)."""
        ids = self._node("Reshape", ["ids", "last_axis"])
        if self._kind == "fp32":
            return self._node("Gather", [self._constant("table", self._gguf.matrix(_EMBEDDINGS)), ids])
        levels, scales = self._gguf.quantised_rows(_EMBEDDINGS)
        stored = (levels.astype(np.int16) + _ZERO_LEVEL).astype(np.uint8)
        rows = self._node("Gather", [self._constant("table.levels", stored), ids])
        zero = self._constant("zero_as_float", np.float32(_ZERO_LEVEL))
        signed = self._node("Sub", [self._node("Cast", [rows], to=1), zero])
        row_scales = self._node("Gather", [self._constant("table.scales", scales), ids])
        values = self._node("Mul", [signed, self._node("Unsqueeze", [row_scales, "last_axis"])])
        flat = self._constant("flat", np.array([-1, self._sizes.hidden], np.int64))
        return self._node("Reshape", [values, flat])

    def _attention(self, prefix: str, number: int, normed: str, layer: Layer) -> str:
        sizes = self._sizes
        weight = np.concatenate([layer.attn_q, layer.attn_k, layer.attn_v])
        qkv = self._node("Reshape", [self._product(normed, f"{prefix}.attn_qkv", weight), self._qkv_shape])
        mixed = self._node(
            "GroupQueryAttention",
            [qkv, "", "", f"past_k{number}", f"past_v{number}", "last", "total", "cos", "sin"],
            outputs=[f"{prefix}.mixed", f"present_k{number}", f"present_v{number}"],
            domain=_MICROSOFT,
            num_heads=sizes.heads,
            kv_num_heads=sizes.kv_heads,
            do_rotary=1,
        )
        width = self._constant("attended", np.array([-1, sizes.heads * sizes.head_size], np.int64))
        return self._product(self._node("Reshape", [mixed, width]), f"{prefix}.attn_output", layer.attn_output)

    def _feed_forward(self, prefix: str, normed: str, layer: Layer) -> str:
        gate = self._product(normed, f"{prefix}.ffn_gate", layer.ffn_gate)
        up = self._product(normed, f"{prefix}.ffn_up", layer.ffn_up)
        activated = self._node("QuickGelu", [gate], domain=_MICROSOFT, alpha=1.0)  # with alpha 1 it is SiLU
        return self._product(self._node("Mul", [activated, up]), f"{prefix}.ffn_down", layer.ffn_down)

    def _inputs(self) -> list[onnx.ValueInfoProto]:
        from onnx import TensorProto, helper

        return [
            helper.make_tensor_value_info("ids", TensorProto.INT64, ["n_texts", "n_tokens"]),
            helper.make_tensor_value_info("last", TensorProto.INT32, ["n_texts"]),
            helper.make_tensor_value_info("total", TensorProto.INT32, []),
            helper.make_tensor_value_info("rows", TensorProto.INT64, ["n_rows"]),
            *self._cache("past"),
        ]

    def _outputs(self) -> list[onnx.ValueInfoProto]:
        from onnx import TensorProto, helper

        sizes = self._sizes
        return [
            helper.make_tensor_value_info("hidden", TensorProto.FLOAT, ["n_rows", sizes.hidden]),
            *self._cache("present"),
        ]

    def _cache(self, which: Literal["past", "present"]) -> list[onnx.ValueInfoProto]:
        from onnx import TensorProto, helper

        shape: list[str | int | None] = ["n_texts", self._sizes.kv_heads, "room", self._sizes.head_size]
        return [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in self._sizes.cache_names(which)
        ]


class Smoothing:
    """Moves large activation channels into the weights, layer by layer, so that 8 bits hold both.

    SmoothQuant (Xiao et al. 2023): the input channels of a product are divided by constants where they are made (the
    norm's weights, rows of v, rows of up), and the product's columns multiplied by them, so the graph has no more
    nodes. The constants come from the largest activations in a few fixed texts.
    """

    def __init__(self, architecture: Architecture, embeddings: Sequence[Weight]) -> None:
        """embeddings: for each text its tokens' embeddings, (n_tokens, hidden)."""
        self._architecture = architecture
        self._rows = np.concatenate(embeddings)
        ends = np.cumsum([len(text) for text in embeddings])
        self._texts = [slice(end - len(text), end) for end, text in zip(ends, embeddings, strict=True)]
        positions = np.concatenate([np.arange(len(text)) for text in embeddings])
        frequencies = rope_frequencies(architecture)
        self._cos, self._sin = np.cos(positions[:, None] * frequencies), np.sin(positions[:, None] * frequencies)

    def next_layer(self, layer: Layer) -> Layer:
        """The smoothed layer, which computes the same as the layer. Call it with all layers in order, once each."""
        sizes = self._architecture
        normed = self._normalised(layer.attn_norm)
        mixed = self._attention(normed, layer)
        attention_rows = self._rows + mixed @ layer.attn_output.T
        self._rows = attention_rows
        inner_input = self._normalised(layer.ffn_norm)
        gate = inner_input @ layer.ffn_gate.T
        inner = gate / (1 + np.exp(-gate)) * (inner_input @ layer.ffn_up.T)
        self._rows = attention_rows + inner @ layer.ffn_down.T

        to_qkv = _constants(_largest(normed), layer.attn_q, layer.attn_k, layer.attn_v)
        to_ffn = _constants(_largest(inner_input), layer.ffn_gate, layer.ffn_up)
        to_down = _constants(_largest(inner), layer.ffn_down)
        # The heads of a group share their v, so they share constants: (kv_heads, 1, head_size).
        by_group = (sizes.kv_heads, sizes.heads // sizes.kv_heads, sizes.head_size)
        shared = _largest(mixed).reshape(by_group).max(axis=1)
        columns = np.abs(layer.attn_output).max(axis=0).reshape(by_group).max(axis=1)
        to_v = _balanced(shared.ravel(), columns.ravel())
        to_output = np.broadcast_to(to_v.reshape(sizes.kv_heads, 1, sizes.head_size), by_group).ravel()
        return Layer(
            attn_norm=layer.attn_norm / to_qkv,
            attn_q=layer.attn_q * to_qkv,
            attn_k=layer.attn_k * to_qkv,
            attn_v=layer.attn_v * to_qkv / to_v[:, None],
            attn_output=layer.attn_output * to_output,
            ffn_norm=layer.ffn_norm / to_ffn,
            ffn_gate=layer.ffn_gate * to_ffn,
            ffn_up=layer.ffn_up * to_ffn / to_down[:, None],
            ffn_down=layer.ffn_down * to_down,
        )

    def _normalised(self, weight: Weight) -> Weight:
        mean_square = np.mean(self._rows * self._rows, axis=1, keepdims=True)
        normalised: Weight = self._rows / np.sqrt(mean_square + np.float32(self._architecture.epsilon)) * weight
        return normalised

    def _attention(self, rows: Weight, layer: Layer) -> Weight:
        """Causal attention within each text: (n_rows, heads * head_size)."""
        sizes = self._architecture
        query = self._turned((rows @ layer.attn_q.T).reshape(len(rows), sizes.heads, sizes.head_size))
        key = self._turned((rows @ layer.attn_k.T).reshape(len(rows), sizes.kv_heads, sizes.head_size))
        value = (rows @ layer.attn_v.T).reshape(len(rows), sizes.kv_heads, sizes.head_size)
        mixed = np.empty_like(query)
        for text in self._texts:
            later = np.triu(np.full((text.stop - text.start,) * 2, -np.inf, np.float32), 1)
            for head in range(sizes.heads):
                group = head * sizes.kv_heads // sizes.heads
                scores = query[text, head] @ key[text, group].T / np.float32(np.sqrt(sizes.head_size)) + later
                weights = np.exp(scores - scores.max(axis=1, keepdims=True))
                mixed[text, head] = weights / weights.sum(axis=1, keepdims=True) @ value[text, group]
        return mixed.reshape(len(rows), -1)

    def _turned(self, heads: Weight) -> Weight:
        """Rotary position embeddings (Su et al. 2021) on the halves of each head: (n_rows, n_heads, head_size)."""
        first, second = np.split(heads, 2, axis=2)
        cos, sin = self._cos[:, None].astype(np.float32), self._sin[:, None].astype(np.float32)
        return np.concatenate([first * cos - second * sin, second * cos + first * sin], axis=2)


def rope_frequencies(architecture: Architecture) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The angle by which a position turns each pair of values: (head_size / 2,) float64."""
    exponents = np.arange(0, architecture.head_size, 2, dtype=np.float64) / architecture.head_size
    frequencies: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = architecture.rope_base**-exponents
    return frequencies


def _largest(rows: Weight) -> Weight:
    largest: Weight = np.abs(rows).max(axis=0)
    return largest


def _constants(largest: Weight, *weights: Weight) -> Weight:
    return _balanced(largest, np.max([np.abs(weight).max(axis=0) for weight in weights], axis=0))


def _balanced(activations: Weight, weights: Weight) -> Weight:
    """One constant a channel, from the largest activation and the largest weight; their geometric mean is about 1."""
    logarithms = STRENGTH * np.log2(np.maximum(activations, _SMALLEST))
    logarithms -= (1 - STRENGTH) * np.log2(np.maximum(weights, _SMALLEST))
    logarithms -= logarithms.mean()
    constants: Weight = np.exp2(np.rint(logarithms * STEPS_PER_OCTAVE) / STEPS_PER_OCTAVE).astype(np.float32)
    return constants
