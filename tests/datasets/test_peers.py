"""Sets for deepeval and Hugging Face: read as their makers write them, written as they read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from ragassay.datasets.foreign import example_of, prediction_of
from ragassay.datasets.registry import read_dataset, recognised, write_dataset
from ragassay.errors import InputError
from ragassay.records import Document, Example, Prediction

Written = Callable[..., Path]
Reader = Callable[..., Any]
DOCUMENT = Document(id="d", title="", source="d", text="Opened in 1998.", metadata={"place": "north"})


def records(question: str = "When?", answer: str = "In 1998.") -> list[Document | Prediction | Example]:
    example = example_of(
        origin="made",
        question=question,
        answer=answer,
        references=[DOCUMENT.span(0, 15)],
        example_id="q1",
        language="en",
    )
    return [DOCUMENT, prediction_of("q1", "1998", ["Opened in 1998."]), example]


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


def test_a_folder_for_load_dataset(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write_dataset(tmp_path / "set", records(), format_name="datasets")
    head = yaml.safe_load((tmp_path / "set" / "README.md").read_text("utf-8").split("---")[1])
    assert head["language"] == ["en"]
    assert [(each["config_name"], each["data_files"]) for each in head["configs"]] == [
        ("examples", "examples.parquet"),
        ("documents", "documents.parquet"),
        ("predictions", "predictions.parquet"),
    ]
    for config in head["configs"]:  # the library has no type for maps, and names every other
        assert "map<" not in str(parquet.read_schema(tmp_path / "set" / config["data_files"]))
    document = next(each for each in read_dataset(tmp_path / "set") if isinstance(each, Document))
    assert document.metadata == {"place": "north"}
