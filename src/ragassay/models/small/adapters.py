"""Reads adapters: the low-rank changes (LoRA, Hu et al. 2021) that make a verifier of the base model.

An adapter is one safetensors file. Metadata: format "ragassay-adapter", version "1", base (sha256 of the base's GGUF
file), task ("verifier"), rank, alpha and labels (a JSON list). Tensors, with rows in the
order of Hugging Face: blk.{layer}.{part}.a (rank, n_in) and blk.{layer}.{part}.b (n_out, rank) for any of the layers'
products, and optionally head.weight (n_labels, hidden) and head.bias (n_labels).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ragassay.errors import ModelError
from ragassay.models.small.gguf import Architecture, Weight

FORMAT = "ragassay-adapter"
VERSION = "1"
PARTS = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
_FACTOR = re.compile(rf"blk\.(0|[1-9]\d*)\.({'|'.join(PARTS)})\.([ab])")


class Factors(NamedTuple):
    """The change b @ a of one weight. a: (rank, n_in); b: (n_out, rank)."""

    a: Weight
    b: Weight


class Head(NamedTuple):
    """A linear classification of the last token's hidden state. weight: (n_labels, hidden); bias: (n_labels,)."""

    weight: Weight
    bias: Weight


class Adapter(NamedTuple):
    """An adapter that was checked. sha256: of its file; scale: alpha / rank; changes: by weight, "blk.0.attn_q"."""

    sha256: str
    scale: float
    changes: Mapping[str, Factors]
    labels: tuple[str, ...]
    head: Head | None

    def merged(self, name: str, weight: Weight) -> Weight:
        """weight, (n_out, n_in) in the order of Hugging Face, with the adapter's change where it has one."""
        if name not in self.changes:
            return weight
        a, b = self.changes[name]
        return weight + np.float32(self.scale) * (b @ a)


class _Header(NamedTuple):
    rank: int
    alpha: float
    labels: tuple[str, ...]


def read_adapter(path: Path, architecture: Architecture, base: str) -> Adapter:
    """The adapter of a file. base: sha256 of the base model.

    Raises ModelError where the file is not a verifier's adapter, not for this base, or has tensors that do not fit.
    """
    metadata, tensors, sha256 = _read(path)
    header = _header(path, metadata, base)
    for name, tensor in tensors.items():
        if not np.isfinite(tensor).all():
            raise ModelError(f"{path}: {name} has values that are not finite; train the adapter again")
    pairs = {name: tensor for name, tensor in tensors.items() if not name.startswith("head.")}
    changes = _changes(path, pairs, header.rank, architecture)
    return Adapter(
        sha256,
        header.alpha / header.rank,
        changes,
        header.labels,
        _head(path, tensors, header, architecture),
    )


def _read(path: Path) -> tuple[dict[str, str], dict[str, Weight], str]:
    from safetensors import SafetensorError, safe_open

    try:
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        with safe_open(path, framework="numpy") as opened:
            metadata = opened.metadata() or {}
            tensors = {name: np.asarray(opened.get_tensor(name)).astype(np.float32) for name in opened.keys()}  # noqa: SIM118
    except FileNotFoundError:
        raise ModelError(f"the adapter {path} does not exist") from None
    except OSError as error:
        raise ModelError(f"the adapter {path} cannot be read: {error.strerror or error}") from error
    except (SafetensorError, TypeError, ValueError) as error:
        raise ModelError(f"{path} is not a safetensors file of fp16 or fp32 numbers, or is damaged: {error}") from error
    return metadata, tensors, sha256


def _header(path: Path, metadata: Mapping[str, str], base: str) -> _Header:
    if metadata.get("format") != FORMAT or metadata.get("version") != VERSION:
        raise ModelError(
            f"{path} is not an adapter of format {FORMAT}, version {VERSION}; write it with `ragassay train`"
        )
    if metadata.get("base") != base:
        raise ModelError(
            f"{path} was trained on another base model (sha256 {metadata.get('base')}, not {base}); train it again"
        )
    if metadata.get("task") != "verifier":
        raise ModelError(f"{path} is for task {metadata.get('task')!r}, not a verifier's")
    try:
        rank, alpha = int(metadata.get("rank", "")), float(metadata.get("alpha", ""))
        labels = json.loads(metadata.get("labels", "[]"))
    except ValueError:
        raise ModelError(f"{path}: rank, alpha or labels in its metadata cannot be read; train it again") from None
    if rank < 1 or not np.isfinite(alpha):
        raise ModelError(f"{path}: rank must be at least 1 and alpha finite; they are {rank} and {alpha}")
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise ModelError(f"{path}: labels in its metadata must be a JSON list of strings")
    return _Header(rank, alpha, tuple(labels))


def _changes(path: Path, tensors: Mapping[str, Weight], rank: int, architecture: Architecture) -> dict[str, Factors]:
    for name, tensor in tensors.items():
        match = _FACTOR.fullmatch(name)
        if (
            match is None
            or int(match[1]) >= architecture.layers
            or name != f"blk.{int(match[1])}.{match[2]}.{match[3]}"
        ):
            raise ModelError(f"{path}: unknown tensor {name}; the base has no such weight")
        n_out, n_in = architecture.product_shape(match[2])
        expected = (rank, n_in) if match[3] == "a" else (n_out, rank)
        if tensor.shape != expected:
            raise ModelError(f"{path}: {name} has shape {tensor.shape}, expected {expected} (rank {rank})")
    weights = sorted({name.rpartition(".")[0] for name in tensors})
    for weight in weights:
        for factor in "ab":
            if f"{weight}.{factor}" not in tensors:
                raise ModelError(f"{path}: {weight}.{factor} is missing; a change needs both its factors")
    return {weight: Factors(tensors[f"{weight}.a"], tensors[f"{weight}.b"]) for weight in weights}


def _head(path: Path, tensors: Mapping[str, Weight], header: _Header, architecture: Architecture) -> Head | None:
    expected = {"head.weight": (len(header.labels), architecture.hidden), "head.bias": (len(header.labels),)}
    present = {name: tensor for name, tensor in tensors.items() if name.startswith("head.")}
    if not present:
        return None
    for name, tensor in present.items():
        if name not in expected:
            raise ModelError(f"{path}: unknown tensor {name}; a head has head.weight and head.bias")
        if tensor.shape != expected[name] or not header.labels:
            raise ModelError(
                f"{path}: {name} has shape {tensor.shape}, expected {expected[name]} for {len(header.labels)} labels"
            )
    if len(present) < len(expected):
        raise ModelError(f"{path}: a head needs both head.weight and head.bias")
    return Head(present["head.weight"], present["head.bias"])
