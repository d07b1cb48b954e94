"""Reads adapters, and layers with their change merged in: LoRA (Hu et al. 2021), which makes a verifier of the base.

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
from ragassay.models.small.weights import Architecture, Gguf, Weight

FORMAT = "ragassay-adapter"
VERSION = "1"
PARTS = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
_WEIGHT = re.compile(rf"blk\.(0|[1-9]\d*)\.({'|'.join(PARTS)})")


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


def read_adapter(path: Path, architecture: Architecture, base: str) -> Adapter:
    """The adapter of a file. base: sha256 of the base. Raises ModelError where it is damaged, or of another base."""
    from safetensors import SafetensorError, safe_open

    try:
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        with safe_open(path, framework="numpy") as opened:
            metadata = opened.metadata() or {}
            tensors = {name: np.asarray(opened.get_tensor(name)).astype(np.float32) for name in opened.keys()}  # noqa: SIM118
        if metadata.get("base") != base:
            raise ModelError(f"{path} was trained on another base model than {base}; train it again")
        if [metadata.get(name) for name in ("format", "version", "task")] != [FORMAT, VERSION, "verifier"]:
            raise ValueError(f"its metadata are not those of format {FORMAT}, version {VERSION}")
        rank, alpha, labels = int(metadata["rank"]), float(metadata["alpha"]), json.loads(metadata.get("labels", "[]"))
        head = _head(tensors, len(labels), architecture)
        return Adapter(sha256, alpha / rank, _changes(tensors, rank, architecture), tuple(labels), head)
    except OSError as error:
        raise ModelError(f"the adapter {path} cannot be read: {error.strerror or error}") from error
    except (SafetensorError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise ModelError(f"{path} is not an adapter as `ragassay train` writes it, or is damaged: {error}") from error


def _changes(tensors: Mapping[str, Weight], rank: int, architecture: Architecture) -> dict[str, Factors]:
    weights = sorted({name.rpartition(".")[0] for name in tensors if not name.startswith("head.")})
    for name, tensor in tensors.items():
        if not np.isfinite(tensor).all():
            raise ValueError(f"{name} has values that are not finite")
    for weight in weights:
        match = _WEIGHT.fullmatch(weight)
        if match is None or int(match[1]) >= architecture.layers:
            raise ValueError(f"the base has no weight {weight}")
        if len(tensors[f"{weight}.a"]) != rank or tensors[f"{weight}.b"].shape[-1] != rank:
            raise ValueError(f"{weight} has factors of another rank than {rank}")
    return {weight: Factors(tensors[f"{weight}.a"], tensors[f"{weight}.b"]) for weight in weights}


def _head(tensors: Mapping[str, Weight], n_labels: int, architecture: Architecture) -> Head | None:
    if "head.weight" not in tensors and "head.bias" not in tensors:
        return None
    head = Head(tensors["head.weight"], tensors["head.bias"])
    if (head.weight.shape, head.bias.shape) != ((n_labels, architecture.hidden), (n_labels,)):
        raise ValueError(f"its head has shapes {head.weight.shape} and {head.bias.shape} for {n_labels} labels")
    return head


class Layer(NamedTuple):
    """One layer of a Llama model. Norms: (hidden,); products: (n_out, n_in), q and k in the order of Hugging Face."""

    attn_norm: Weight
    attn_q: Weight
    attn_k: Weight
    attn_v: Weight
    attn_output: Weight
    ffn_norm: Weight
    ffn_gate: Weight
    ffn_up: Weight
    ffn_down: Weight


def read_layer(gguf: Gguf, adapter: Adapter | None, number: int) -> Layer:
    """Layer number of the base, changed by the adapter."""
    architecture = gguf.architecture

    def product(part: str) -> Weight:
        name = f"blk.{number}.{part}"
        heads = {"attn_q": architecture.heads, "attn_k": architecture.kv_heads}.get(part)
        weight = gguf.head_rows(f"{name}.weight", heads) if heads else gguf.matrix(f"{name}.weight")
        return weight if adapter is None else adapter.merged(name, weight)

    norms = {part: gguf.vector(f"blk.{number}.{part}.weight") for part in ("attn_norm", "ffn_norm")}
    return Layer(**norms, **{part: product(part) for part in PARTS})


class Linear(NamedTuple):
    """Log-odds = bias + state @ weights. weights: (hidden,) float32."""

    bias: float
    weights: Weight

    @classmethod
    def read(cls, path: Path, name: str = "") -> Linear:
        """name: of the head, in a file that holds several."""
        record = json.loads(path.read_text(encoding="utf-8"))
        fitted = record[name] if name else record
        return cls(fitted["bias"], np.array(fitted["weights"], np.float32))

    def odds(self, states: Weight) -> list[float]:
        """Of each state, (n, hidden). Row by row, which a matrix product does not promise to add up alike."""
        return [float((state * self.weights).sum(dtype=np.float64)) + self.bias for state in states]

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.bias!r}".encode() + self.weights.tobytes()).hexdigest()
