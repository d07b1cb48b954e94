"""The tiny model in the place of the published weights, and adapters for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tiny_model import HIDDEN, SHAPES, Floats, TinyModel

from ragassay.models.small import weights


class AdapterFile:
    """Writes adapters for the tiny model; every argument can be made wrong."""

    def __init__(self, folder: Path, base: str) -> None:
        self._folder = folder
        self._base = base
        rng = np.random.default_rng(5)
        self.tensors: dict[str, npt.NDArray[np.float16]] = {}
        for name in ("blk.0.attn_q", "blk.0.attn_k", "blk.1.ffn_up", "blk.1.ffn_down", "blk.1.attn_v"):
            n_out, n_in = SHAPES[name.split(".")[2]]
            self.tensors[f"{name}.a"] = rng.normal(0, 0.2, (4, n_in)).astype(np.float16)
            self.tensors[f"{name}.b"] = rng.normal(0, 0.2, (n_out, 4)).astype(np.float16)
        self.head = {
            "head.weight": rng.normal(0, 0.5, (3, HIDDEN)).astype(np.float16),
            "head.bias": np.array([0.5, -1, 2], np.float16),
        }

    def write(self, *, metadata: Mapping[str, str] | None = None, **tensors: Any) -> Path:
        """tensors: instead of or in addition to the usual ones; None leaves one out."""
        from safetensors.numpy import save_file

        meta = {"format": "ragassay-adapter", "version": "1", "base": self._base, "task": "verifier"}
        meta |= {"rank": "4", "alpha": "8", "labels": json.dumps(["yes", "no", "open"])} | dict(metadata or {})
        merged = self.tensors | self.head | tensors
        path = self._folder / "adapter.safetensors"
        save_file({name: tensor for name, tensor in merged.items() if tensor is not None}, path, meta)
        return path

    def merged(self, base: Mapping[str, Floats]) -> dict[str, Floats]:
        """base with the usual changes: alpha / rank is 2."""
        changed = dict(base)
        for name in {name[:-2] for name in self.tensors}:
            a, b = (self.tensors[f"{name}.{factor}"].astype(np.float64) for factor in "ab")
            changed[name] = base[name] + 2 * (b @ a)
        return changed


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TinyModel:
    """The tiny model in place of the published weights, with a cache folder of its own."""
    folder = tmp_path / "model"
    folder.mkdir()
    model = TinyModel(folder / weights.WEIGHTS_FILE, seed=3)
    monkeypatch.setenv(weights.FOLDER_VARIABLE, str(folder))
    monkeypatch.setattr(weights, "WEIGHTS_SHA256", model.sha256)
    monkeypatch.setenv("RAGASSAY_CACHE", str(tmp_path / "cache"))
    return model


@pytest.fixture
def adapters(tiny: TinyModel, tmp_path: Path) -> AdapterFile:
    return AdapterFile(tmp_path, tiny.sha256)
