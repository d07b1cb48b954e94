from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from ragassay.datasets.foreign import example_of
from ragassay.datasets.format import Notes
from ragassay.datasets.registry import write_dataset
from ragassay.records import Document, Example, Label

LAMP = Document(id="d", title="Lamp", source="lamp.md", text="Charge it for two hours. Keep it dry.")


def example(question: str, answer: str, label: Label | None) -> Example:
    made = example_of(origin="test", question=question, answer=answer, context=LAMP.span(0, len(LAMP.text)))
    return replace(made, requested_label=label)


def written(path: Path, *examples: Example) -> tuple[list[dict[str, str]], Notes]:
    notes = Notes()
    write_dataset(path, [LAMP, *examples], format_name="flan", notes=notes)
    return [json.loads(line) for line in path.read_text().splitlines()], notes


def test_rows_are_those_of_appendix_h(tmp_path: Path) -> None:
    rows, notes = written(
        tmp_path / "rows.jsonl",
        example("How long?", "Two hours.", "fact_single"),
        replace(example("What does it cost?", "", "fact_single"), verified_label="unanswerable"),
    )
    assert rows == [
        {"input": f"<<fact_single>> {LAMP.text}", "target": "<<fact_single>> How long? <a> Two hours."},
    ]
    assert notes.counts["examples left out: unanswerable, for which the paper has no rows"] == 1


def test_the_mark_in_a_question_does_not_cut_it(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    written(path, example("What is <a> for?", "A link.", "fact_single"))
    assert json.loads(path.read_text())["target"] == "<<fact_single>> What is < a > for? <a> A link."
