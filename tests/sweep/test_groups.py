"""Questions by type, domain and language, and their values: worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from by_hand import example_of

from ragassay.metrics.catalogue import metric_named
from ragassay.rag.setting import Setting
from ragassay.records import Example, Span
from ragassay.sweep.outcome import outcome
from ragassay.sweep.results import result_rows
from ragassay.sweep.values import ALL, COST, TOKENS_IN, TOKENS_OUT, SettingValues, groups_of

RECALL, _ = metric_named("recall@5")
ABSTAINED, _ = metric_named("abstention_accuracy")


def example(number: int, document: str, language: str, question_type: str | None) -> Example:
    references = (Span(document_id=document, start=0, end=1, text="x"),)
    return example_of(f"e{number}", references=references, language=language, question_type=question_type)


EXAMPLES = [
    example(0, "a", "en", "factual"),
    example(1, "b", "zh", "factual"),
    example(2, "a", "en", None),
    example(3, "c", "en", "temporal"),
]
DOMAINS = {"a": "law", "b": "finance"}


def test_groups_are_by_type_domain_and_language() -> None:
    found = [(each.by, each.name, each.rows.tolist()) for each in groups_of(EXAMPLES, DOMAINS)]
    assert found == [
        ("type", "factual", [0, 1]),  # the third has no type, and belongs to no group of them
        ("type", "temporal", [3]),
        ("domain", "finance", [1]),
        ("domain", "law", [0, 2]),
        ("language", "en", [0, 2, 3]),
        ("language", "zh", [1]),
    ]


def test_values_of_groups_are_over_their_answerable_questions_and_refusals_over_all() -> None:
    labels = ["fact_single", "fact_single", "unanswerable", "summary"]
    columns = {
        "recall@5": np.array([1.0, 0.0, 0.0, 1.0]),
        "abstention_accuracy": np.array([1.0, 1.0, 0.0, 1.0]),
        TOKENS_IN: np.array([10.0, 20.0, 90.0, 30.0]),
        TOKENS_OUT: np.array([1.0, 1.0, 1.0, 1.0]),
        COST: np.array([0.1, np.nan, 0.3, 0.2]),
    }
    values = SettingValues(Setting(), np.arange(4), columns, {})
    groups = groups_of(EXAMPLES, DOMAINS)
    found = outcome([values], labels, [RECALL, ABSTAINED], RECALL, groups=groups)
    rows = {(row["by"], row["group"], row["metric"]): row for row in result_rows(found, [values])}

    def value(*key: str) -> object:
        return rows[key]["value"], rows[key]["n"], rows[key]["total"]

    assert value("language", "en", "recall@5") == (1.0, 2, 2)  # questions 0 and 3; 2 has no answer
    assert value("language", "en", "abstention_accuracy") == (pytest.approx(2 / 3), 3, 3)
    assert value("language", "en", "tokens") == (21.0, 2, 2)  # (11 + 31) / 2
    assert value("domain", "law", "recall@5") == (1.0, 1, 1)
    assert value("domain", "finance", "cost_usd") == (None, 0, 1)
    assert value("language", "en", "cost_usd") == (pytest.approx(0.15), 2, 2)
    assert not any(row["is_best"] for row in rows.values() if row["by"] != "label")
    assert [each.label for each in found.best] == ["fact_single", "summary", "answerable", ALL]  # groups decide nothing
