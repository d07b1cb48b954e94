"""Sets for deepeval and Hugging Face: read as their makers write them, written as they read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragassay.datasets.registry import recognised
from ragassay.errors import InputError
from ragassay.records import Document

Written = Callable[..., Path]
Reader = Callable[..., Any]
DOCUMENT = Document(id="d", title="", source="d", text="Opened in 1998.", metadata={"place": "north"})


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_goldens_as_deepeval_saves_them(written: Written, read: Reader, tmp_path: Path, suffix: str) -> None:
    golden = {
        "input": "When?",
        "actual_output": "1998",
        "expected_output": "In 1998.",
        "context": ["Opened in 1998.", "412 m long."],
        "retrieval_context": None,
        "source_file": "bridge.md",
    }
    path = written(f"g{suffix}", json.dumps([golden], indent=4) if suffix == ".json" else golden)
    assert recognised(path).name == "deepeval"
    found = read(path)
    assert [each.text for each in found.examples[0].references] == ["Opened in 1998.", "412 m long."]
    assert (found.examples[0].answer, found.predictions[0].answer) == ("In 1998.", "1998")
    assert found.notes.counts == {"not read: the field 'source_file'": 1}


def test_camel_case_and_conversations_of_deepeval(written: Written, read: Reader) -> None:
    path = written("g.jsonl", {"input": "When?", "expectedOutput": "In 1998.", "retrievalContext": ["c"]})
    found = read(path)
    assert (found.examples[0].answer, found.predictions[0].chunks[0].text) == ("In 1998.", "c")
    with pytest.raises(InputError, match=r"c\.jsonl line 1: the field 'turns' has no message of a user; add"):
        read(written("c.jsonl", {"scenario": "x", "turns": []}), format_name="deepeval")
