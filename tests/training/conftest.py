"""A tiny base model of our own format, and small files of pairs and claims."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from ragassay.models.small import weights

LAYERS, WIDTH, HEADS, KEY_HEADS, INNER = 3, 64, 4, 2, 96
CONTROLS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")


def _byte_tokens() -> list[str]:
    """The 256 signs that stand for bytes in byte-level vocabularies."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in shown]
    return [chr(byte) for byte in shown] + [chr(256 + place) for place in range(len(others))]


def _text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value: Any) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    kind = 8 if value and isinstance(value[0], str) else 4
    body = b"".join(_text(each) if kind == 8 else struct.pack("<I", each) for each in value)
    return struct.pack("<IIQ", 9, kind, len(value)) + body


def write_gguf(path: Path, metadata: Mapping[str, Any], tensors: Mapping[str, np.ndarray[Any, Any]]) -> None:
    """A GGUF file of version 3 with float32 tensors."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    head += b"".join(_text(key) + _value(value) for key, value in metadata.items())
    at = 0
    for name, values in tensors.items():
        sizes = values.shape[::-1]
        head += _text(name) + struct.pack(f"<I{len(sizes)}QIQ", len(sizes), *sizes, 0, at)
        at += values.nbytes
    head += b"\0" * (-len(head) % 32)
    path.write_bytes(head + b"".join(values.tobytes() for values in tensors.values()))


@pytest.fixture(scope="session")
def tiny_gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random Llama of three layers whose vocabulary is single bytes."""
    random_ = np.random.default_rng(0)
    tokens = [*CONTROLS, *_byte_tokens(), "ab"]
    metadata: dict[str, Any] = {
        "llama.block_count": LAYERS,
        "llama.embedding_length": WIDTH,
        "llama.feed_forward_length": INNER,
        "llama.attention.head_count": HEADS,
        "llama.attention.head_count_kv": KEY_HEADS,
        "llama.rope.dimension_count": WIDTH // HEADS,
        "llama.rope.freq_base": 10000.0,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [3] * len(CONTROLS) + [1] * (len(tokens) - len(CONTROLS)),
        "tokenizer.ggml.merges": ["a b"],
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
    }
    key_width = WIDTH // HEADS * KEY_HEADS
    shapes = {"attn_q": (WIDTH, WIDTH), "attn_k": (key_width, WIDTH), "attn_v": (key_width, WIDTH)}
    shapes |= {"attn_output": (WIDTH, WIDTH), "ffn_gate": (INNER, WIDTH), "ffn_up": (INNER, WIDTH)}
    shapes |= {"ffn_down": (WIDTH, INNER)}

    def values(*shape: int) -> np.ndarray[Any, Any]:
        drawn: np.ndarray[Any, Any] = random_.standard_normal(shape) / np.sqrt(shape[-1])
        return drawn.astype(np.float32)

    tensors = {"token_embd.weight": values(len(tokens), WIDTH) * 3}
    for layer in range(LAYERS):
        tensors |= {f"blk.{layer}.{part}.weight": values(*shape) for part, shape in shapes.items()}
        tensors |= {f"blk.{layer}.{norm}.weight": 1 + values(WIDTH) for norm in ("attn_norm", "ffn_norm")}
    tensors["output_norm.weight"] = 1 + values(WIDTH)
    path = tmp_path_factory.mktemp("base") / weights.WEIGHTS_FILE
    write_gguf(path, metadata, tensors)
    return path


@pytest.fixture
def tiny_base(tiny_gguf: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tiny base in the place of the published one."""
    monkeypatch.setenv(weights.FOLDER_VARIABLE, str(tiny_gguf.parent))
    monkeypatch.setattr(weights, "WEIGHTS_SHA256", hashlib.sha256(tiny_gguf.read_bytes()).hexdigest())
    return tiny_gguf


def passage(number: int, **fields: Any) -> dict[str, Any]:
    """A passage about lamp ``number``."""
    hours = 10 + number
    return {
        "id": f"p{number}",
        "source": "lamps" if number % 2 else "tents",
        "title": f"Guide {number // 2}",
        "heading": "Use",
        "text": f"Charge lamp {number} for {hours} hours. Keep it dry.",
        **fields,
    }


def pairs_row(number: int) -> dict[str, Any]:
    """A passage with a pair of two labels, and an open question."""
    fact = {"question": f"How long does lamp {number} charge?", "answer": f"{10 + number} hours"}
    care = {"question": f"what about lamp {number} and water?", "answer": "keep it dry"}
    return passage(number, facts=[fact], summary=care, unanswerable={"question": "What does a lamp cost?"})


def claims_row(number: int) -> dict[str, Any]:
    """A passage with a true and a false claim."""
    hours = 10 + number
    quote = f"Charge lamp {number} for {hours} hours."
    return passage(
        number,
        claims=[
            {"text": f"Lamp {number} needs {hours} hours.", "supported": True, "type": "paraphrase", "quote": quote},
            {"text": f"Lamp {number} needs {hours + 7} hours.", "supported": False, "type": "number", "quote": quote},
            {"text": "Lamps cost little.", "supported": False, "type": "unstated", "quote": ""},
        ],
    )


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Rows as JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


class Rows(NamedTuple):
    """The functions above, for tests."""

    pairs: Callable[..., dict[str, Any]] = pairs_row
    claims: Callable[..., dict[str, Any]] = claims_row
    write: Callable[..., Path] = write_rows


@pytest.fixture
def rows() -> Rows:
    """What makes rows and files of them."""
    return Rows()


@pytest.fixture
def pairs_file(tmp_path: Path) -> Path:
    """Thirty passages, sixty pairs."""
    return write_rows(tmp_path / "pairs.jsonl", [pairs_row(number) for number in range(30)])


@pytest.fixture
def claims_file(tmp_path: Path) -> Path:
    """Thirty passages, ninety claims."""
    return write_rows(tmp_path / "claims.jsonl", [claims_row(number) for number in range(30)])
