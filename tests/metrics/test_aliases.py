"""Names of ragas and deepeval: each is one of ours, and the output says which."""

from __future__ import annotations

import pytest

import ragassay
from ragassay.errors import UsageError
from ragassay.metrics.aliases import ALIASES, aliases_in, ours
from ragassay.metrics.catalogue import METRICS

ROW = {"user_input": "When?", "response": "At nine, at the latest.", "reference": "at nine"}


def test_each_is_one_of_ours_and_none_shadows_ours() -> None:
    assert {alias.ours for alias in ALIASES.values()} <= set(METRICS)
    assert not set(ALIASES) & set(METRICS)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("answer_relevancy", "answer_relevance"),
        ("AnswerRelevancyMetric", "answer_relevance"),
        ("ResponseRelevancy", "answer_relevance"),
        ("LLMContextRecall", "context_recall"),
        ("ContextualRecallMetric", "context_recall"),
        ("LLMContextPrecisionWithoutReference", "context_precision"),
        ("Faithfulness", "faithfulness"),
        ("FactualCorrectness", "factual_correctness"),
        ("factual_correctness(mode=recall)", "factual_recall"),
        ("BleuScore", "bleu"),
        ("recall@5", "recall@5"),
        ("recall_at_5", "recall_at_5"),
        ("my_own", "my_own"),
        ("MyOwn", "MyOwn"),
    ],
)
def test_names_and_classes(name: str, wanted: str) -> None:
    assert ours(name) == wanted
    assert ours(wanted) == wanted


def test_the_output_says_which_of_ours_they_are() -> None:
    result = ragassay.score([ROW], ["StringPresence", "string_present", "ExactMatch", "token_f1"])
    assert list(result.metrics) == ["string_presence", "exact_match", "token_f1"]
    assert result["string_present"] == result["StringPresence"] == result["string_presence"] == 1
    assert "string_present is string_presence: whole words, whatever their case" in str(result)
    assert result.summary.aliases["ExactMatch"] == "exact_match"
    assert aliases_in(["token_f1"]) == {}
    with pytest.raises(KeyError):
        result["answer_relevancy"]


def test_a_system_is_evaluated_by_names_of_others() -> None:
    result = ragassay.evaluate([ROW], lambda question: "at nine", ["StringPresence", "semantic_similarity"])
    assert (result["string_present"], result["semantic_similarity"]) == (1, 1)
    assert result.summary.aliases == {
        "StringPresence": "string_presence",
        "semantic_similarity": "embedding_similarity",
    }
    with pytest.raises(UsageError, match="unknown metric 'NotAnyones'"):
        ragassay.evaluate([ROW], lambda question: "", ["NotAnyones"])
