"""``--model small:ADAPTER``: which file is meant, and one sentence for each that cannot be used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragassay.errors import ModelError
from ragassay.models.small.named import adapter_of, check_writer, digest_of, is_writer
from ragassay.models.small.writer import ADAPTER

NO_HEAD: dict[str, Any] = {"head.weight": None, "head.bias": None}


def test_names() -> None:
    assert [is_writer(name) for name in ("small", "small:a.safetensors", "smaller", "embedded", "openai:small")] == [
        *(True, True, False, False, False)
    ]
    assert (adapter_of("small"), adapter_of("small:a/b.safetensors")) == (ADAPTER, Path("a/b.safetensors"))


def test_a_writer_for_the_base_is_taken_and_known_by_its_bytes(adapters: Any) -> None:
    path = adapters.write(metadata={"task": "writer", "labels": "[]"}, **NO_HEAD)
    check_writer(f"small:{path}")
    path.write_bytes(b"abc")
    assert digest_of(path).startswith("ba7816bf")  # the published SHA-256 of "abc" begins so (FIPS 180-4)
    with pytest.raises(ModelError, match="is not a safetensors file"):  # looked at anew: it has other bytes now
        check_writer(f"small:{path}")


@pytest.mark.parametrize(
    ("metadata", "tensors", "said"),
    [
        ({}, {}, "is an adapter for a verifier, not for a writer"),
        ({"task": "writer", "base": "0" * 64}, NO_HEAD, "was trained on another base model"),
        ({"task": "writer", "rank": "8"}, NO_HEAD, r"expected \(8, 64\) \(rank 8\)"),
        ({"task": "writer"}, {"blk.0.attn_q.a": np.zeros((4, 3), np.float16)}, "has shape"),
    ],
)
def test_what_does_not_fit(metadata: dict[str, str], tensors: dict[str, Any], said: str, adapters: Any) -> None:
    path = adapters.write(metadata=metadata, **tensors)
    with pytest.raises(ModelError, match=said) as raised:
        check_writer(f"small:{path}")
    assert "\n" not in str(raised.value)


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="needs an adapter; append the file that `ragassay train writer` wrote"):
        check_writer("small:")
    with pytest.raises(ModelError, match=r"cannot be read \(No such file or directory\)"):
        check_writer(f"small:{tmp_path / 'none'}")
    with pytest.raises(ModelError, match=r"is a folder.*only adapters of the built-in base .* serve yours"):
        check_writer(f"small:{tmp_path}")
