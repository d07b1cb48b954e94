"""The four figures of RAGEval's released scorer, for one question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragassay.metrics.released.rouge_l import released_rouge_l
from ragassay.metrics.released.sentences import released_sentences
from ragassay.metrics.retrieval.eir import released_effective_information_rate, without_metadata


class ReleasedScores(NamedTuple):
    """all_references_recall: what was published as "Precision". Its depth k is the number of chunks given.

    rouge_l_released: None for a Chinese text where jieba is not installed.
    """

    reference_recall: float
    eir_released: float
    all_references_recall: float
    rouge_l_released: float | None


def released_scores(
    *, answer: str, reference_answer: str, references: Sequence[str], chunks: Sequence[str], language: str = "en"
) -> ReleasedScores:
    """What the released scorer gives one question, to the last digit.

    references: texts that the answer rests on. chunks: texts of the retrieved chunks as they were shown, a leading
    block of metadata in parentheses included. language: of sentences and words, ``zh`` or else English.
    As released, and unlike ``reference_recall@k`` and its kin: without references recall and EIR are 0; a reference
    without a sentence is found; all-references recall joins the references before it splits them, and is 0 without
    chunks; an empty text has ROUGE-L 0.
    Source: RAGEval (ACL 2025), its released scorer.
    """
    split = [released_sentences(reference, language) for reference in references]
    found = [_all_in(sentences, chunks) for sentences in split]
    together = released_sentences(" ".join(references), language)
    return ReleasedScores(
        reference_recall=sum(found) / len(found) if found else 0.0,
        eir_released=released_effective_information_rate(list(map(without_metadata, chunks)), split, language),
        all_references_recall=float(bool(chunks) and _all_in(together, chunks)),
        rouge_l_released=released_rouge_l(answer, reference_answer, language),
    )


def _all_in(sentences: Sequence[str], chunks: Sequence[str]) -> bool:
    return all(any(sentence in chunk for chunk in chunks) for sentence in sentences)
