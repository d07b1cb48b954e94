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
    ("tensors", "named"),
    [
        ({"blk.0.attn_q.a": zeros(4, 32)}, r"blk\.0\.attn_q"),
        ({"blk.2.attn_q.a": zeros(4, 64)}, r"blk\.2\.attn_q"),
        ({"lm_head.a": zeros(4, 64)}, "lm_head"),
        ({"blk.0.attn_q.b": None}, r"blk\.0\.attn_q"),
        ({"head.bias": None}, "head"),
        ({"head.bias": np.array([1, np.inf, 0], np.float16)}, r"head\.bias has values that are not finite"),
    ],
)
def test_tensors_that_do_not_fit(tiny: Any, adapters: Any, tensors: dict[str, Any], named: str) -> None:
    with pytest.raises(ModelError, match=named):
        SmallModel.load(adapters.write(**tensors))


def test_files_that_are_no_adapters(tiny: Any, adapters: Any, tmp_path: Path) -> None:
    whole = adapters.write()
    with pytest.raises(ModelError, match="cannot be read"):
        SmallModel.load(tmp_path / "none.safetensors")
    broken = tmp_path / "broken.safetensors"
    for content in (b"", b"\xff" * 100, whole.read_bytes()[:-10], whole.read_bytes()[:500]):
        broken.write_bytes(content)
        with pytest.raises(ModelError, match="or is damaged"):
            SmallModel.load(broken)
