"""Files written by hand, and a data set read from them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragassay.datasets.format import Notes, Record
from ragassay.datasets.registry import read_dataset
from ragassay.records import Document, Example, Prediction

Written = Callable[..., Path]


class Read:
    """What was read from a path, by kind, with the notes."""

    def __init__(self, path: Path, **options: Any) -> None:
        self.notes = Notes(keep_going=options.pop("keep_going", False))
        self.records: list[Record] = list(read_dataset(path, notes=self.notes, **options))
        self.examples = [each for each in self.records if isinstance(each, Example)]
        self.documents = [each for each in self.records if isinstance(each, Document)]
        self.predictions = [each for each in self.records if isinstance(each, Prediction)]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Writes a file: text as it is, objects as JSONL."""

    def write(name: str, *content: str | bytes | dict[str, Any]) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            for each in content:
                if isinstance(each, dict):
                    file.write(json.dumps(each, ensure_ascii=False).encode() + b"\n")
                else:
                    file.write(each if isinstance(each, bytes) else each.encode())
        return path

    return write


@pytest.fixture
def read() -> Callable[..., Read]:
    """Reads a data set; ``keep_going`` collects faults instead of raising the first."""
    return Read
