"""Names that ragas and deepeval give to metrics are no names of ours, and the message says which one is near."""

from __future__ import annotations

import pytest

from ragassay.errors import UsageError
from ragassay.metrics.catalogue import metric_named


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("answer_relevancy", "answer_relevance"),
        ("AnswerRelevancyMetric", "answer_relevance"),
        ("LLMContextRecall", "context_recall"),
        ("ContextualPrecisionMetric", "context_precision"),
        ("Faithfulness", "faithfulness"),
        ("ToolCallF1", "tool_call_f1"),
    ],
)
def test_names_and_classes(name: str, near: str) -> None:
    with pytest.raises(UsageError, match=f"unknown metric '{name}'; did you mean .*{near}"):
        metric_named(name)
