"""The four figures of RAGEval's released scorer, for one question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragassay.metrics.released.rouge_l import released_rouge_l
from ragassay.metrics.released.sentences import released_sentences
from ragassay.metrics.retrieval.eir import released_effective_information_rate, without_metadata
from ragassay.metrics.retrieval.reference_recall import is_matched


class ReleasedScores(NamedTuple):
    """all_references_recall: what was published as "Precision". Its depth k is the number of chunks given."""

    reference_recall: float
    eir_released: float
    all_references_recall: float
    rouge_l_released: float


def released_scores(
    *, answer: str, reference_answer: str, references: Sequence[str], chunks: Sequence[str], language: str = "en"
) -> ReleasedScores:
    """What the released scorer gives one question, to the last digit.

    references: texts that the answer rests on. chunks: texts of the retrieved chunks as they were shown, a leading
    block of metadata in parentheses included. language: ``zh`` counts characters, others words.
    As released, and unlike ``reference_recall@k`` and its kin: without references recall and EIR are 0 and
    all-references recall is 1; an empty text has ROUGE-L 0. References without any sentence are left out.
    Source: RAGEval (ACL 2025), its released scorer.
    """
    split = [sentences for reference in references if (sentences := released_sentences(reference, language))]
    matched = sum(is_matched(sentences, chunks) for sentences in split)
    rate = released_effective_information_rate([without_metadata(chunk) for chunk in chunks], split, language)
    return ReleasedScores(
        reference_recall=matched / len(split) if split else 0.0,
        eir_released=rate or 0.0,
        all_references_recall=float(matched == len(split)),
        rouge_l_released=released_rouge_l(answer, reference_answer),
    )
