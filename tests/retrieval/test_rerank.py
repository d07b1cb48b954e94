"""Rerankers: what they score, and that a failure is a reason."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np

from ragassay.models.base import Reply
from ragassay.models.embeddings import SentenceEncoder
from ragassay.models.scripted import ScriptedModel
from ragassay.retrieval.rerank import (
    Candidates,
    CrossEncoderReranker,
    JudgeReranker,
    LateInteractionReranker,
    reordered,
)
from ragassay.tasks.answering import ChunkGrades

ASKED = [
    Candidates("Who repairs the bilge pump?", ("Tickets are sold at the pier.", "The engineer repairs bilge pumps.")),
    Candidates("What is sold at the pier?", ("The engineer repairs bilge pumps.", "Tickets are sold at the pier.")),
]


def test_new_scores_change_the_order_of_the_first_only() -> None:
    ranked = np.array([7, 3, 9, 1, -1], np.int32)
    assert reordered(ranked, [0.1, 0.9, 0.1]).tolist() == [3, 7, 9, 1, -1]  # equal ones stay as they were
    assert reordered(ranked, [1, 2, 3, 4, 5]).tolist() == [1, 9, 3, 7, -1]
    assert reordered(ranked, []).tolist() == ranked.tolist()


def test_late_interaction_finds_the_words_of_the_question(ragassay_cache: Path) -> None:
    reranker = LateInteractionReranker(SentenceEncoder(precision="int8"))
    found = asyncio.run(reranker.score_all(ASKED))
    for each in found:
        assert each.scores is not None
        assert each.scores[1] > each.scores[0] + 0.2
    # the same alone and among others, and where vectors are remembered
    assert asyncio.run(LateInteractionReranker(SentenceEncoder(precision="int8")).score_all(ASKED[1:])) == found[1:]
    assert asyncio.run(reranker.score_all(ASKED)) == found


def test_a_judge_grades_all_chunks_of_a_question_in_one_call() -> None:
    model = ScriptedModel([ChunkGrades(grades=(0, 3)), Reply(None, "the reply was no JSON")])
    first, second = asyncio.run(JudgeReranker(model).score_all(ASKED))
    shown = model.asked("chunk_grades")[0].chunks
    # in an order of its own, the same for any ranking of the chunks
    assert shown == model.asked("chunk_grades")[1].chunks
    assert first.scores == tuple(float((0, 3)[shown.index(text)]) for text in ASKED[0].texts)
    assert second.scores is None
    assert second.reason == "not re-ranked: the reply was no JSON"


class Pairs:
    """In the place of a cross-encoder: counts the words that question and text share."""

    def predict(self, sentences: list[tuple[str, str]], **options: Any) -> np.ndarray:
        return np.array([len(set(q.lower().split()) & set(t.lower().split())) for q, t in sentences], np.float32)


def test_a_cross_encoder_reads_pairs() -> None:
    reranker = CrossEncoderReranker("some/model", Pairs())
    assert reranker.name == "cross_encoder:some/model"
    first, second = asyncio.run(reranker.score_all(ASKED))
    assert first.scores == (1.0, 3.0)  # the; the, repairs, bilge
    assert second.scores == (1.0, 3.0)  # the; sold, at, the: "pier?" is another word
    assert asyncio.run(reranker.score_all([])) == []
