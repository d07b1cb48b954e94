"""Adapters that do not fit say why; so do weights that are missing or are not the published ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragassay.errors import ModelError
from ragassay.models.small.model import SmallModel


def zeros(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float16]]:
    return np.zeros(shape, np.float16)


@pytest.mark.parametrize(
    ("tensors", "message"),
    [
        ({"blk.0.attn_q.a": zeros(4, 32)}, r"blk\.0\.attn_q\.a has shape \(4, 32\), expected \(4, 64\)"),
        ({"blk.0.attn_q.b": zeros(64, 4)}, r"blk\.0\.attn_q\.b has shape \(64, 4\), expected \(128, 4\)"),
        ({"blk.2.attn_q.a": zeros(4, 64)}, r"unknown tensor blk\.2\.attn_q\.a"),
        ({"blk.00.attn_q.a": zeros(4, 64)}, r"unknown tensor blk\.00\.attn_q\.a"),
        ({"lm_head.a": zeros(4, 64)}, r"unknown tensor lm_head\.a"),
        ({"head.scale": zeros(3)}, r"unknown tensor head\.scale"),
        ({"blk.0.attn_q.b": None}, r"blk\.0\.attn_q\.b is missing"),
        ({"head.bias": None}, r"needs both head\.weight and head\.bias"),
        ({"head.bias": np.array([1, np.inf, 0], np.float16)}, r"head\.bias has values that are not finite"),
    ],
)
def test_tensors_that_do_not_fit(tiny: Any, adapters: Any, tensors: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        SmallModel.load(adapters.write(**tensors))


def test_files_that_are_no_adapters(tiny: Any, adapters: Any, tmp_path: Path) -> None:
    whole = adapters.write()
    with pytest.raises(ModelError, match="does not exist"):
        SmallModel.load(tmp_path / "none.safetensors")
    broken = tmp_path / "broken.safetensors"
    for content in (b"", b"\xff" * 100, whole.read_bytes()[:-10], whole.read_bytes()[:500]):
        broken.write_bytes(content)
        with pytest.raises(ModelError, match="is not a safetensors file of fp16 or fp32 numbers, or is damaged"):
            SmallModel.load(broken)
