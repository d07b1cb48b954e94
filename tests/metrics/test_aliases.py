"""Names of ragas and deepeval: each is one of ours, and the output says which."""

from __future__ import annotations

import pytest

import ragassay
from ragassay.errors import UsageError
from ragassay.metrics.aliases import ALIASES, aliases_in, ours
from ragassay.metrics.catalogue import _GONE, METRICS

ROW = {"user_input": "When?", "response": "At nine, at the latest.", "reference": "at nine"}


def test_each_is_one_of_ours_and_none_shadows_ours() -> None:
    assert {alias.ours for alias in ALIASES.values()} <= {*METRICS, *_GONE}
    assert [ours(name) for name in METRICS] == [*METRICS]
    assert aliases_in(METRICS) == {}


@pytest.mark.parametrize(
    ("name", "wanted", "note"),
    [
        ("answer_relevancy", "answer_relevance", "evasive"),
        ("AnswerRelevancyMetric", "answer_relevance", "its statements are judged"),  # deepeval's is another
        ("ResponseRelevancy", "answer_relevance", "evasive"),
        ("LLMContextRecall", "context_recall", ""),
        ("ContextualRecallMetric", "context_recall", "not its sentences"),
        ("ContextPrecision", "context_precision", "judged by the answer"),
        ("ContextPrecisionWithReference", "context_precision", "judged by the answer"),
        ("ContextPrecisionWithoutReference", "context_precision", ""),
        ("LLMContextPrecisionWithoutReference", "context_precision", ""),
        ("ContextRelevance", "context_relevance", "rated, from 0 to 2"),
        ("ResponseGroundedness", "faithfulness", "rated, twice"),
        ("nv_accuracy", "correctness", "from 0 to 4"),
        ("Faithfulness", "faithfulness", ""),
        ("FaithfulnessMetric", "faithfulness", "no chunk mentions"),
        ("HallucinationMetric", "hallucination", "not contexts"),
        ("FactualCorrectness", "factual_correctness", ""),
        ("factual_correctness(mode=recall)", "factual_recall", ""),
        ("RougeScore", "rouge_l", "not stemmed"),
        ("rouge_score(mode=fmeasure)", "rouge_l", "not stemmed"),
        ("ExactMatch", "exact_match", "every character counts"),
        ("ExactMatchMetric", "exact_match", "every character counts"),
        ("StringPresence", "string_presence", "whole words"),
        ("ToolCallAccuracy", "tool_call_accuracy", "in any order"),
        ("ToolCallF1", "tool_call_f1", "counts twice"),
        ("ToolCorrectnessMetric", "tool_call_accuracy", "arguments are compared"),
        ("recall@5", "recall@5", ""),
        ("recall_at_5", "recall_at_5", ""),
        ("my_own", "my_own", ""),
        ("MyOwn", "MyOwn", ""),
    ],
)
def test_names_and_classes(name: str, wanted: str, note: str) -> None:
    assert ours(name) == wanted
    assert ours(wanted) == wanted
    differs = aliases_in([name]).get(name, "").partition(": ")[2]
    assert note in differs
    assert bool(note) == bool(differs)


@pytest.mark.parametrize("name", ["NonLLMStringSimilarity", "non_llm_string_similarity"])
def test_of_a_metric_that_is_not_here_the_nearest_is_named(name: str) -> None:
    with pytest.raises(UsageError, match="nearest to this metric of ragas is rouge_l"):
        ragassay.evaluate([ROW], metrics=[name])


def test_a_system_is_evaluated_by_names_of_others() -> None:
    result = ragassay.evaluate([ROW], lambda question: "at nine", ["StringPresence", "semantic_similarity"])
    assert (result["string_present"], result["semantic_similarity"]) == (1, 1)
    assert result.summary.aliases == {
        "StringPresence": "string_presence: " + ALIASES["string_presence"].differs,
        "semantic_similarity": "embedding_similarity: a negative cosine is 0",
    }
    with pytest.raises(UsageError, match="unknown metric 'NotAnyones'"):
        ragassay.evaluate([ROW], lambda question: "", ["NotAnyones"])
