"""A tiny base model of our own format, and a small file of claims."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tiny_model import TinyModel

from ragassay.models.small import weights


@pytest.fixture(scope="session")
def tiny_gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random Llama of two layers whose vocabulary is bytes."""
    return TinyModel(tmp_path_factory.mktemp("base") / weights.WEIGHTS_FILE, seed=0).path


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

    claims: Callable[..., dict[str, Any]] = claims_row
    write: Callable[..., Path] = write_rows


@pytest.fixture
def rows() -> Rows:
    """What makes rows and files of them."""
    return Rows()


@pytest.fixture
def claims_file(tmp_path: Path) -> Path:
    """Thirty passages, ninety claims."""
    return write_rows(tmp_path / "claims.jsonl", [claims_row(number) for number in range(30)])
