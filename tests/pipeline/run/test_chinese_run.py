"""A whole run on Chinese documents with no key: the mix is met, answers are judged, the report is readable."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ragassay.pipeline.make.run_options import RunOptions
from ragassay.pipeline.run.run import Run, run
from ragassay.records import Example, Prediction, read_jsonl, to_json
from ragassay.synthesis.scenario.generate import ScenarioOptions, generate
from ragassay.synthesis.scenario.schema_file import load_schema

MIX = {"fact_single": 0.4, "summary": 0.2, "reasoning": 0.2, "unanswerable": 0.2}


@pytest.fixture(scope="module")
def chinese(tmp_path_factory: pytest.TempPathFactory, ragassay_cache: Path) -> Run:
    folder = tmp_path_factory.mktemp("chinese")
    documents = folder / "documents.jsonl"
    with documents.open("w", encoding="utf-8") as file:
        for name in ("finance", "law", "medicine"):
            for document in generate(load_schema(name, "zh")[0], ScenarioOptions(documents=4)).documents:
                file.write(to_json(document) + "\n")
    options: dict[str, Any] = {"documents": (documents,), "out": folder / "run", "n": 20, "mix": MIX, "processes": 1}
    return run(RunOptions(**options))


def test_the_mix_is_met_in_chinese(chinese: Run) -> None:
    examples = list(read_jsonl(chinese.folder / "examples.jsonl", Example))
    labels = Counter(example.verified_label for example in examples)
    assert labels == {"fact_single": 8, "summary": 4, "reasoning": 4, "unanswerable": 4}
    assert all(example.language == "zh" and example.question.endswith("？") for example in examples)
    assert all(bool(example.references) == bool(example.answer) for example in examples)


def test_chinese_questions_find_their_documents_and_are_answered(chinese: Run) -> None:
    examples = {example.id: example for example in read_jsonl(chinese.folder / "examples.jsonl", Example)}
    predictions = list(read_jsonl(chinese.folder / "predictions.jsonl", Prediction))
    facts = [one for one in predictions if examples[one.example_id].verified_label == "fact_single" and one.answer]
    held = sum(examples[one.example_id].answer in (one.answer or "") for one in facts)
    assert facts
    # Chunks of 256 characters hold a figure without its company, which eleven other documents have, too.
    assert held >= 0.5 * len(facts)


def test_the_report_shows_chinese_text(chinese: Run) -> None:
    page = (chinese.folder / "report.html").read_text(encoding="utf-8")
    example = next(iter(read_jsonl(chinese.folder / "examples.jsonl", Example)))
    assert example.question in page
