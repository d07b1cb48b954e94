"""A tiny Llama with random weights as a GGUF file, and the same model in plain numpy, float64, written by itself."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from tokenizers.pre_tokenizers import ByteLevel

LAYERS, HIDDEN, HEADS, KV_HEADS, SIZE, INNER = 2, 64, 4, 2, 32, 96
SHAPES = {
    "attn_q": (HEADS * SIZE, HIDDEN),
    "attn_k": (KV_HEADS * SIZE, HIDDEN),
    "attn_v": (KV_HEADS * SIZE, HIDDEN),
    "attn_output": (HIDDEN, HEADS * SIZE),
    "ffn_gate": (INNER, HIDDEN),
    "ffn_up": (INNER, HIDDEN),
    "ffn_down": (HIDDEN, INNER),
}
CONTROLS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
TOKENS = [*CONTROLS, *sorted(ByteLevel.alphabet()), "th", "the", "Ġthe", "Ġa"]
MERGES = ["t h", "th e", "Ġ the", "Ġ a"]
BASE, EPSILON = 10000.0, 1e-5

Floats = npt.NDArray[np.float64]


class TinyModel:
    """The file's path and sha256, and what the weights in it amount to, in the order of Hugging Face."""

    def __init__(self, path: Path, seed: int) -> None:
        self.path = path
        rng = np.random.default_rng(seed)
        self.weights: dict[str, Floats] = {}
        stored: list[tuple[str, Sequence[int], int, bytes]] = []
        stored.append(("token_embd.weight", (HIDDEN, len(TOKENS)), 8, self._q8_0(rng)))
        for layer in range(LAYERS):
            for part, (rows, columns) in SHAPES.items():
                data = self._q4_1(rng, f"blk.{layer}.{part}", rows, columns)
                stored.append((f"blk.{layer}.{part}.weight", (columns, rows), 3, data))
            for norm in ("attn_norm", "ffn_norm"):
                stored.append((f"blk.{layer}.{norm}.weight", (HIDDEN,), 0, self._f32(rng, f"blk.{layer}.{norm}")))
        stored.append(("output_norm.weight", (HIDDEN,), 0, self._f32(rng, "output_norm")))
        path.write_bytes(gguf_bytes(stored))
        self.sha256 = hashlib.sha256(path.read_bytes()).hexdigest()

    def _f32(self, rng: np.random.Generator, name: str) -> bytes:
        values = rng.uniform(0.5, 1.5, HIDDEN).astype(np.float32)
        self.weights[name] = values.astype(np.float64)
        return values.tobytes()

    def _q8_0(self, rng: np.random.Generator) -> bytes:
        levels = rng.integers(-127, 128, (len(TOKENS), HIDDEN // 32, 32)).astype(np.int8)
        scales = rng.uniform(0.002, 0.01, (len(TOKENS), HIDDEN // 32)).astype(np.float16)
        self.weights["token_embd"] = (levels * scales[:, :, None].astype(np.float64)).reshape(len(TOKENS), HIDDEN)
        return b"".join(
            scales[row, block].tobytes() + levels[row, block].tobytes()
            for row in range(len(TOKENS))
            for block in range(HIDDEN // 32)
        )

    def _q4_1(self, rng: np.random.Generator, name: str, rows: int, columns: int) -> bytes:
        levels = rng.integers(0, 16, (rows, columns // 32, 32)).astype(np.uint8)
        steps = rng.uniform(0.01, 0.04, (rows, columns // 32)).astype(np.float16)
        least = (-7.5 * steps).astype(np.float16)
        values = levels * steps[:, :, None].astype(np.float64) + least[:, :, None]
        self.weights[name] = values.reshape(rows, columns)
        order = list(range(rows))
        if name.endswith(("attn_q", "attn_k")):
            # GGUF's row 2i of a head is row i of Hugging Face, its row 2i + 1 is row i + size / 2.
            order = [
                head * SIZE + half * SIZE // 2 + i
                for head in range(rows // SIZE)
                for i in range(SIZE // 2)
                for half in range(2)
            ]
        return b"".join(
            steps[row, block].tobytes()
            + least[row, block].tobytes()
            + (levels[row, block, :16] | levels[row, block, 16:] << 4).tobytes()
            for row in order
            for block in range(columns // 32)
        )

    def hidden(self, ids: Sequence[int], weights: Mapping[str, Floats] | None = None) -> Floats:
        """The last normalisation's output for each token: (n_tokens, hidden)."""
        w = self.weights if weights is None else weights
        x = self.weights["token_embd"][list(ids)]
        for layer in range(LAYERS):
            p = f"blk.{layer}."
            y = norm(x, w[p + "attn_norm"])
            q, k, v = (y @ w[p + part].T for part in ("attn_q", "attn_k", "attn_v"))
            heads = []
            for head in range(HEADS):
                group = head // (HEADS // KV_HEADS)
                here, shared = slice(head * SIZE, (head + 1) * SIZE), slice(group * SIZE, (group + 1) * SIZE)
                heads.append(attend(rotate(q[:, here]), rotate(k[:, shared]), v[:, shared]))
            x = x + np.concatenate(heads, 1) @ w[p + "attn_output"].T
            y = norm(x, w[p + "ffn_norm"])
            gate = y @ w[p + "ffn_gate"].T
            x = x + (gate / (1 + np.exp(-gate)) * (y @ w[p + "ffn_up"].T)) @ w[p + "ffn_down"].T
        return norm(x, w["output_norm"])


def norm(x: Floats, weight: Floats) -> Floats:
    return x / np.sqrt((x**2).mean(axis=1, keepdims=True) + EPSILON) * weight


def rotate(x: Floats) -> Floats:
    """Value i of a head and value i + size / 2 are a point in the plane, turned by position times base^(-2i/size)."""
    points = x[:, : SIZE // 2] + 1j * x[:, SIZE // 2 :]
    angles = np.arange(len(x))[:, None] * BASE ** (-np.arange(SIZE // 2) / (SIZE // 2))
    turned = points * np.exp(1j * angles)
    return np.concatenate([turned.real, turned.imag], axis=1)


def attend(q: Floats, k: Floats, v: Floats) -> Floats:
    mixed = np.empty_like(q)
    for position in range(len(q)):
        scores = np.exp(k[: position + 1] @ q[position] / np.sqrt(SIZE))
        mixed[position] = scores @ v[: position + 1] / scores.sum()
    return mixed


def gguf_bytes(tensors: Sequence[tuple[str, Sequence[int], int, bytes]]) -> bytes:
    def string(text: str) -> bytes:
        return struct.pack("<Q", len(text.encode())) + text.encode()

    def value(content: Any) -> bytes:
        if isinstance(content, list):
            kind = 8 if isinstance(content[0], str) else 5
            items = (string(item) if kind == 8 else struct.pack("<i", item) for item in content)
            return struct.pack("<IIQ", 9, kind, len(content)) + b"".join(items)
        return struct.pack("<If", 6, content) if isinstance(content, float) else struct.pack("<II", 4, content)

    fields: dict[str, Any] = {
        "llama.block_count": LAYERS,
        "llama.embedding_length": HIDDEN,
        "llama.feed_forward_length": INNER,
        "llama.attention.head_count": HEADS,
        "llama.attention.head_count_kv": KV_HEADS,
        "llama.rope.dimension_count": SIZE,
        "llama.rope.freq_base": BASE,
        "llama.attention.layer_norm_rms_epsilon": EPSILON,
        "tokenizer.ggml.tokens": TOKENS,
        "tokenizer.ggml.merges": MERGES,
        "tokenizer.ggml.token_type": [3 if token in CONTROLS else 1 for token in TOKENS],
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
    }
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(fields))
    head += b"".join(string(key) + value(content) for key, content in fields.items())
    data = b""
    for name, dimensions, kind, content in tensors:
        head += string(name) + struct.pack(f"<I{len(dimensions)}Q", len(dimensions), *dimensions)
        head += struct.pack("<IQ", kind, len(data))
        data += content + b"\0" * (-len(content) % 32)
    return head + b"\0" * (-len(head) % 32) + data
