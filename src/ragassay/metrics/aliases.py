"""The names that ragas and deepeval give to metrics, and which of ours they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ragassay.datasets.format import snake_case
from ragassay.metrics.catalogue import METRICS


class Alias(NamedTuple):
    """ours: the name of our metric. differs: in what it departs from the other's; empty where only in wording."""

    ours: str
    differs: str = ""


_BY_ANSWER = "chunks are judged by the answer, and not by the reference"
_BY_SIGNS = "case, punctuation and articles do not count, and 12.0 is 12; there every character counts"
_RATED = "statements are judged one by one; there the whole is rated, twice, from 0 to 2"
ALIASES: Mapping[str, Alias] = MappingProxyType(
    {
        # ragas
        "answer_relevancy": Alias("answer_relevance", "an evasive answer is 0 with --evasive-is-zero only"),
        "response_relevancy": Alias("answer_relevance", "an evasive answer is 0 with --evasive-is-zero only"),
        "context_precision": Alias("context_precision", _BY_ANSWER),
        "context_precision_with_reference": Alias("context_precision", _BY_ANSWER),
        "context_precision_without_reference": Alias("context_precision"),
        "llm_context_precision_without_reference": Alias("context_precision"),
        "llm_context_precision_with_reference": Alias("context_precision", _BY_ANSWER),
        "context_utilization": Alias("context_precision"),
        "llm_context_recall": Alias("context_recall"),
        "context_relevance": Alias(
            "context_relevance", "sentences that help are counted; there the chunks are rated, from 0 to 2"
        ),
        "nv_context_relevance": Alias(
            "context_relevance", "sentences that help are counted; there the chunks are rated, from 0 to 2"
        ),
        "response_groundedness": Alias("faithfulness", _RATED),
        "nv_response_groundedness": Alias("faithfulness", _RATED),
        "answer_accuracy": Alias("correctness", _RATED.replace("0 to 2", "0 to 4")),
        "nv_accuracy": Alias("correctness", _RATED.replace("0 to 2", "0 to 4")),
        "factual_correctness(mode=f1)": Alias("factual_correctness"),
        "factual_correctness(mode=precision)": Alias("factual_precision"),
        "factual_correctness(mode=recall)": Alias("factual_recall"),
        "answer_correctness": Alias("correctness", "the factual part alone, without the similarity of embeddings"),
        "semantic_similarity": Alias("embedding_similarity", "a negative cosine is 0"),
        "answer_similarity": Alias("embedding_similarity", "a negative cosine is 0"),
        "exact_match": Alias("exact_match", _BY_SIGNS),
        "string_present": Alias("string_presence", f"whole words; {_BY_SIGNS}"),
        "string_presence": Alias("string_presence", f"whole words; {_BY_SIGNS}"),
        "rouge_score": Alias("rouge_l", "words are not stemmed; there they are"),
        "rouge_score(mode=fmeasure)": Alias("rouge_l", "words are not stemmed; there they are"),
        "tool_call_accuracy": Alias(
            "tool_call_accuracy",
            "in any order, and a call with a wrong argument is wrong; there another order gives 0, and some right "
            "arguments a part",
        ),
        "tool_call_f1": Alias(
            "tool_call_f1",
            "a call made twice counts twice; there once, and nothing expected and nothing called gives 0",
        ),
        # gone: their sentence says what to use
        "bleu_score": Alias("bleu"),
        "chrf_score": Alias("chrf"),
        "context_entity_recall": Alias("context_entity_recall"),
        "context_entities_recall": Alias("context_entity_recall"),
        "noise_sensitivity": Alias("noise_sensitivity"),
        # deepeval, where the name is not ragas' or means something else
        "answer_relevancy_metric": Alias(
            "answer_relevance", "by questions that the answer answers; there its statements are judged one by one"
        ),
        "faithfulness_metric": Alias(
            "faithfulness", "a claim that no chunk mentions counts against it; there it does not"
        ),
        "contextual_precision": Alias("context_precision", _BY_ANSWER),
        "contextual_recall": Alias("context_recall", "statements of the reference are counted, and not its sentences"),
        "contextual_relevancy": Alias("context_relevance", "sentences are counted, and not statements"),
        "exact_match_metric": Alias("exact_match", _BY_SIGNS),
        "hallucination_metric": Alias("hallucination", "keypoints that the answer contradicts, and not contexts"),
        "tool_correctness": Alias(
            "tool_call_accuracy",
            "arguments are compared too, and a call too many counts; there names, over those expected",
        ),
    }
)
"""Under their names in lower case, a class's without deepeval's ``Metric``. One that is ours, too, is ours as a plain
name, and the other's as the name of a class."""


def ours(name: str) -> str:
    """Our name for what ragas or deepeval call so, be it a metric's name or its class; any other name as it is."""
    alias = _alias(name)
    return name if alias is None else alias.ours


def aliases_in(names: Iterable[str]) -> dict[str, str]:
    """Those of the names that are others' for ours, each with ours and, where there is one, the difference."""
    found = ((name, _alias(name)) for name in names)
    return {name: ": ".join(filter(None, alias)) for name, alias in found if alias is not None and alias.ours != name}


def _alias(name: str) -> Alias | None:
    """``LLMContextRecall`` and ``ContextualRecallMetric`` are names of classes."""
    if not name[:1].isupper() or not name.isidentifier():
        return None if name in METRICS else ALIASES.get(name)
    snake = snake_case(name)
    bare = snake.removesuffix("_metric")
    return ALIASES.get(snake) or ALIASES.get(bare) or (Alias(bare) if bare in METRICS else None)
