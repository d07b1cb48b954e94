"""The names that ragas and deepeval give to metrics, and which of ours they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ragassay.datasets.lines import snake_case
from ragassay.metrics.catalogue import METRICS


class Alias(NamedTuple):
    """ours: the name of our metric. differs: in what it departs from the other's; empty where only in wording."""

    ours: str
    differs: str = ""


_BY_ANSWER = "chunks are judged by the answer, and not by the reference"
ALIASES: Mapping[str, Alias] = MappingProxyType(
    {
        # ragas
        "answer_relevancy": Alias("answer_relevance"),  # deepeval's, too
        "response_relevancy": Alias("answer_relevance"),
        "llm_context_precision_without_reference": Alias("context_precision"),
        "llm_context_precision_with_reference": Alias("context_precision", _BY_ANSWER),
        "context_utilization": Alias("context_precision"),
        "llm_context_recall": Alias("context_recall"),
        "context_entities_recall": Alias("context_entity_recall"),
        "noise_sensitivity(mode=relevant)": Alias("noise_sensitivity"),
        "noise_sensitivity(mode=irrelevant)": Alias("noise_sensitivity_irrelevant"),
        "factual_correctness(mode=f1)": Alias("factual_correctness"),
        "factual_correctness(mode=precision)": Alias("factual_precision"),
        "factual_correctness(mode=recall)": Alias("factual_recall"),
        "answer_correctness": Alias("correctness", "the factual part alone, without the similarity of embeddings"),
        "semantic_similarity": Alias("embedding_similarity"),
        "answer_similarity": Alias("embedding_similarity"),
        "string_present": Alias("string_presence", "whole words, whatever their case"),
        "bleu_score": Alias("bleu"),
        "chrf_score": Alias("chrf"),
        "rouge_score": Alias("rouge_l"),
        # deepeval
        "contextual_precision": Alias("context_precision", _BY_ANSWER),
        "contextual_recall": Alias("context_recall"),
        "tool_correctness": Alias("tool_call_accuracy", "arguments are compared, too"),
        "contextual_relevancy": Alias("context_relevance", "sentences are counted, and not statements"),
    }
)


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
    if name in ALIASES:
        return ALIASES[name]
    if not name[:1].isupper() or not name.isidentifier():
        return None
    snake = snake_case(name).removesuffix("_metric")
    return ALIASES.get(snake) or (Alias(snake) if snake in METRICS else None)
