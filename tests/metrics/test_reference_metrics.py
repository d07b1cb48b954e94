from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from ragassay.metrics.released import released_sentences
from ragassay.metrics.retrieval.references import (
    all_references_recall,
    effective_information_rate,
    reference_recall,
    released_effective_information_rate,
    sentence_precision,
    without_metadata,
)
from ragassay.text import sentences

CHUNKS = ["One two three. Four five.", "Six seven. Eight", "Nothing of use here."]
REFERENCES = [["One two three.", "Six seven."], ["Four five.", "Eight nine."]]


def test_recall_needs_every_sentence_of_a_reference_somewhere() -> None:
    # the first reference is found over two chunks; of the second, "Eight nine." is missing
    assert reference_recall(CHUNKS, REFERENCES) == 0.5
    assert all_references_recall(CHUNKS, REFERENCES) == 0
    assert all_references_recall(CHUNKS, REFERENCES[:1]) == 1
    assert reference_recall([], REFERENCES) == 0


def test_precision_by_sentences() -> None:
    assert sentence_precision(CHUNKS, REFERENCES) == pytest.approx(2 / 3)
    assert sentence_precision([], REFERENCES) == 0


def test_effective_information_rate_by_hand() -> None:
    # words retrieved: 5 + 3 + 4 = 12; the first reference has 3 + 2 = 5, "Four five." 2 more in the released count
    assert effective_information_rate(CHUNKS, REFERENCES) == pytest.approx(5 / 12)
    assert released_effective_information_rate(CHUNKS, REFERENCES) == pytest.approx(7 / 12)
    assert effective_information_rate([], REFERENCES) == 0


def test_effective_information_rate_is_at_most_1() -> None:
    # two references share the one sentence of 2 words that was retrieved: 2 / 2, and 4 / 2 in the released count
    assert effective_information_rate(["Four five."], [["Four five."], ["Four five."]]) == 1
    assert released_effective_information_rate(["Four five."], [["Four five."], ["Four five."]]) == 2
    # the second sentence lies within the first: 3 + 2 = 5 words of 3 are cut at 1
    assert effective_information_rate(["One two three."], [["One two three."], ["two three."]]) == 1
    # of 5 words retrieved 2 are reference, however often they are named
    assert effective_information_rate(["One two three. Four five."], [["Four five."], ["Four five."]]) == 2 / 5


def test_undefined_without_references() -> None:
    metrics = (reference_recall, all_references_recall, sentence_precision, effective_information_rate)
    assert [metric(CHUNKS, []) for metric in metrics] == [None] * 4
    assert released_effective_information_rate(CHUNKS, []) == 0
    with pytest.raises(ValueError, match="holds no sentence"):
        reference_recall(CHUNKS, [[]])


@pytest.mark.shared_data
def test_sentence_precision_on_the_published_answers(shared_data: Path) -> None:
    values = []
    for item in _rows(shared_data / "dragonball" / "finance_en_gpt4o.jsonl"):
        references = [released_sentences(reference) for reference in item["ground_truth"]["references"]]
        values.append(sentence_precision(item["prediction"]["references"], references) or 0.0)
    assert fmean(values) == pytest.approx(0.2114, abs=5e-5)


@pytest.mark.shared_data
def test_published_figures_with_our_own_sentences(shared_data: Path) -> None:
    """Above the published ones: 24 references glue two sentences together, which stand apart in the chunks."""
    recalls, rates = [], []
    for item in _rows(shared_data / "dragonball" / "finance_en_gpt4o.jsonl"):
        references = [sentences(reference) for reference in item["ground_truth"]["references"]]
        chunks = [without_metadata(chunk) for chunk in item["prediction"]["references"]]
        recalls.append(reference_recall(chunks, references) or 0.0)
        rates.append(released_effective_information_rate(chunks, references))
    assert fmean(recalls) == pytest.approx(0.6030, abs=5e-5)
    assert fmean(rates) == pytest.approx(0.1148, abs=5e-5)


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
