"""One example at a time: values by hand through the catalogue, and a reason wherever there is none."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import numpy as np
import pytest
from by_hand import example_of

import ragassay.metrics
from ragassay.datasets.texts import Texts
from ragassay.errors import RecordError, UsageError
from ragassay.metrics.answered import NO_PREDICTION, Answered
from ragassay.metrics.catalogue import METRICS, metric_named, metrics_named
from ragassay.metrics.scoring import embedding_similarities, paired, scored
from ragassay.records import Example, Prediction, RankedChunk, Score, Span

TEXT = "The bridge is long. It was opened in 1998."


def example(**changes: Any) -> Example:
    made = example_of(
        "q1",
        question="When was it opened?",
        answer="It was opened in 1998.",
        context=Span(document_id="d1", start=0, end=42, text=TEXT),
        references=(
            Span(document_id="d1", start=20, end=42, text="It was opened in 1998."),
            Span(document_id="d2", start=0, end=9, text="Not here."),
        ),
        requested_label="fact_single",
        verified_label="fact_single",
        language="en",
    )
    return replace(made, **changes)


def chunk(number: int, document: str = "d1", start: int = 0, end: int = 10, text: str = "") -> RankedChunk:
    return RankedChunk(
        chunk_id=f"c{number}", document_id=document, start=start, end=end, score=1 / number, text=text or None
    )


CHUNKS = (
    chunk(1, "d3", 0, 12, "Nothing here"),
    chunk(2, "d1", 0, 42, TEXT),
    chunk(3, "d1", 20, 42, "It was opened in 1998."),
    chunk(4, "d3", 12, 20, "at all. "),
)


def prediction(**changes: Any) -> Prediction:
    return replace(Prediction(example_id="q1", system="ours", chunks=CHUNKS, answer="opened in May 1998"), **changes)


def score(
    name: str, of: Example | None = None, by: Prediction | None = None, texts: dict[str, str] | None = None
) -> Score:
    answered = paired([of or example()], [by or prediction()], (texts or {}).get)
    return next(scored([metric_named(name)], answered))


@pytest.mark.parametrize(
    ("name", "value", "evidence"),
    [
        # two spans; chunks 2 and 3 hold the first whole, none the second
        ("recall@5", 1 / 2, "right at ranks 2, 3"),
        ("precision@5", 2 / 5, "right at ranks 2, 3"),
        ("mrr@5", 1 / 2, "right at ranks 2, 3"),
        # the one span that is found counts from rank 2
        ("map@5", (1 / 2) / 2, "right at ranks 2, 3"),
        ("r_precision@5", 1 / 2, "right at ranks 2, 3"),
        # documents d3, d1: of d1 and d2 the first
        ("document_recall@5", 1 / 2, "right at ranks 2"),
        ("document_recall@1", 0, "right at ranks 2"),
        ("sentence_recall@5", 1 / 2, "right at ranks 2, 3"),
        ("sentence_precision@5", 2 / 4, "It was opened in 1998."),
        ("reference_recall@5", 1 / 2, "It was opened in 1998."),
        # 5 words of 2 + 9 + 5 + 2
        ("eir@5", 5 / 18, "It was opened in 1998."),
        # 3 of 4 and 5 tokens
        ("token_f1", 6 / 9, "3 tokens in common; 4 in the answer, 5 in the reference"),
        ("rouge_2", 2 / 7, "1 word pairs in common; 3 in the answer, 4 in the reference"),
    ],
)
def test_values_and_evidence(name: str, value: float, evidence: str) -> None:
    found = score(name)
    assert found == Score(
        example_id="q1", system="ours", metric=name, value=pytest.approx(value), reason=None, evidence=(evidence,)
    )


@pytest.mark.parametrize(
    ("name", "changes", "reason"),
    [
        ("token_f1", {"answer": None}, "the answer is empty"),
        ("token_f1", {"answer": None, "error": "HTTP 500"}, "the system failed: HTTP 500"),
        ("recall@5", {"error": "HTTP 500", "chunks": ()}, "the system failed: HTTP 500"),
        ("rouge_l_released", {"error": "HTTP 500"}, "the system failed: HTTP 500"),
        ("eir@5", {"chunks": (CHUNKS[0], chunk(2))}, "the chunk at rank 2 has no text"),
        ("eir@5", {"chunks": (chunk(1), chunk(2))}, "the retrieved chunks have no text"),
        ("document_recall@5", {"chunks": (CHUNKS[0], chunk(2, ""))}, "the chunk at rank 2 names no document"),
        ("abstention_precision", {}, "the system answered"),
        ("abstention_recall", {}, "the question is answerable"),
        ("abstention_accuracy", {"answer": None}, "the answer is empty"),
        ("abstention_accuracy", {"answer": None, "error": "full"}, "the system failed: full"),
    ],
)
def test_reasons_in_the_prediction(name: str, changes: dict[str, Any], reason: str) -> None:
    found = score(name, by=prediction(**changes))
    assert (found.value, found.reason) == (None, reason)


@pytest.mark.parametrize(
    ("name", "changes", "reason"),
    [
        ("rouge_1", {"answer": ""}, "the example has no reference answer"),
        ("eir@5", {"references": ()}, "the example has no references"),
        (
            "sentence_recall@5",
            {"references": (Span(document_id="d", start=0, end=1, text=" "),)},
            "the example has no references",
        ),
        ("rouge_2", {"answer": "1998"}, "the reference answer has no word pair"),
        (
            "recall@5",
            {"references": (), "context": Span(document_id="", start=0, end=0, text="")},
            "the example names no ground span that a retriever could find",
        ),
    ],
)
def test_reasons_in_the_example(name: str, changes: dict[str, Any], reason: str) -> None:
    found = score(name, of=example(**changes))
    assert (found.value, found.reason) == (None, reason)


def test_nothing_retrieved_and_abstaining_are_values() -> None:
    for name in ("recall@5", "document_mrr@5", "eir@5", "sentence_precision@5"):
        assert score(name, by=prediction(chunks=())).value == 0
    refused = prediction(answer="I do not know.", abstained=True)
    assert (score("rouge_1", by=refused).value, score("token_f1", by=refused).evidence) == (
        0,
        ("the system abstained",),
    )
    for name in ("token_f1", "exact_match", "rouge_l"):
        assert score(name, example(answer="Insufficient information."), refused).value == 1
    assert score("abstention_precision", by=refused).value == 0
    unanswerable = example(requested_label="unanswerable", references=(), answer="")
    assert score("abstention_precision", unanswerable, refused).value == 1
    assert score("abstention_recall", unanswerable, refused).value == 1
    assert score("abstention_recall", unanswerable).value == 0
    assert score("abstention_accuracy", unanswerable, refused).value == 1


ABSTENTION = ("abstention_precision", "abstention_recall", "abstention_accuracy")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"requested_label": "unanswerable"}, (1, 1, 1)),
        ({"requested_label": "unanswerable", "verified_label": "summary"}, (1, 1, 1)),
        ({"requested_label": "reasoning", "verified_label": "unanswerable"}, (0, None, 0)),
        ({"verified_label": "summary"}, (0, None, 0)),
        ({"verified_label": "unanswerable"}, (None, None, None)),
        ({"answer": "In 1998."}, (0, None, 0)),
        ({"answer": "Unable to answer."}, (1, 1, 1)),
        ({"keypoints": ("无法回答",)}, (1, 1, 1)),
        ({"references": example().references}, (0, None, 0)),
        ({"keypoints": ("It was opened in 1998.",)}, (0, None, 0)),
        ({}, (None, None, None)),
    ],
)
def test_refusing_is_judged_only_where_it_is_known_whether_there_is_an_answer(
    changes: dict[str, Any], expected: tuple[float | None, ...]
) -> None:
    bare: dict[str, Any] = {"requested_label": None, "verified_label": None, "answer": "", "references": ()}
    found = [score(name, example(**(bare | changes)), prediction(abstained=True)) for name in ABSTENTION]
    assert tuple(each.value for each in found) == expected
    if not changes:
        assert found[2].reason == "neither a label nor a reference says whether the question has an answer"


def test_answers_go_to_other_processes_with_the_documents_that_they_need() -> None:
    """Of placed chunks, those in whose place their document has other words; texts lie in a file, which cannot go."""
    with Texts() as texts:
        texts.add("d1", TEXT)
        marked = (chunk(1, "d1", 0, 42, "The bridge is **long**. It was opened | in 1998."),)
        answered = next(iter(paired([example()], [prediction(chunks=marked)], texts.get)))
        plain = next(iter(paired([example()], [prediction()], texts.get)))
        sent, sent_plain = (pickle.loads(pickle.dumps(each)) for each in (answered, plain))
    assert (sent, sent_plain) == (answered, plain)
    assert sent.quoted_texts == (TEXT,)
    assert sent_plain.text_of("d1") is None


def test_references_are_looked_for_in_what_a_placed_chunk_was_made_from() -> None:
    marked = "The *bridge* is long. It was **opened** in 1998."
    placed, nowhere = chunk(1, "d1", 0, 42, marked), chunk(1, "", 0, 0, marked)
    names = ("reference_recall@5", "sentence_recall@5", "eir@5", "sentence_precision@5", "reference_recall_released@5")
    documents = {"d1": TEXT}
    found = [score(name, by=prediction(chunks=(placed,)), texts=documents) for name in names]
    # one of two references; 5 of the 9 words at the place; the one chunk has one; the released scorer as released
    assert [each.value for each in found] == [1 / 2, 1 / 2, 5 / 9, 1, 0]
    assert [each.evidence for each in (found[0], found[4])] == [
        ("It was opened in 1998.",),
        ("no chunk contains a sentence of the references",),
    ]
    assert [score(name, by=prediction(chunks=(nowhere,)), texts=documents).value for name in names] == [0] * 5
    assert [score(name, by=prediction(chunks=(placed,))).value for name in names] == [0] * 5  # no documents at hand


def test_unfitting_records_are_named() -> None:
    with pytest.raises(RecordError, match="example q1 occurs twice; drop one, or give"):
        paired([example(), example()], [])
    with pytest.raises(
        RecordError, match="ours for example q9 belongs to no example; drop it, or score it with its own set"
    ):
        paired([example()], [prediction(example_id="q9")])
    with pytest.raises(RecordError, match="ours for example q1 occurs twice"):
        paired([example()], [prediction(), prediction()])
    with pytest.raises(RecordError, match="the score of chunk c1 must be a number, not nan"):
        paired([example()], [prediction(chunks=(replace(CHUNKS[0], score=math.nan),))])
    left_out = paired([example(), example(id="q2")], [prediction()])
    reasons = [each.reason for each in scored(metrics_named(["token_f1"]), left_out)]
    assert reasons == [None, NO_PREDICTION]


def test_every_metric_of_ours_is_declared_once_and_under_its_own_name() -> None:
    for name, metric in METRICS.items():
        assert (metric.name, metric.origin, metric.code) == (name, "ragassay", "")
        assert metric.meaning
        assert (metric.measure is None) == (metric.judge is not None or metric.needs == "encoder")
    for found in walk_packages(ragassay.metrics.__path__, "ragassay.metrics."):
        for metric in getattr(import_module(found.name), "METRICS", ()):
            assert (metric if isinstance(metric, str) else metric.name) in METRICS, (
                f"name {found.name} in the catalogue"
            )


def test_names() -> None:
    assert metric_named("recall@7")[1] == 7
    for name, words in (
        ("recall", "needs a number of chunks, such as recall@5"),
        ("recall@0", "needs a number of chunks, such as"),
        ("recall@k", "needs a number of chunks, such as"),
        ("recall@" + "9" * 5_000, "recall: a depth of 5000 digits is too large"),
        ("rouge_1@5", "unknown metric 'rouge_1@5'"),
        ("bleu", "unknown metric 'bleu'"),
        ("recal@3", "unknown metric 'recal@3'; did you mean recall@3?"),
        ("recal@0", "unknown metric 'recal@0'; did you mean recall@5?"),
        ("AnswerRelevancyMetric", "did you mean .*answer_relevance"),  # ragas and deepeval
        ("LLMContextRecall", "did you mean .*context_recall"),
    ):
        with pytest.raises(UsageError, match=words):
            metric_named(name)
    with pytest.raises(UsageError, match="no metric given"):
        metrics_named([])
    with pytest.raises(ValueError, match="faithfulness asks a model"):
        next(scored(metrics_named(["faithfulness"]), []))


def test_embedding_similarity_is_asked_for_all_at_once() -> None:
    class Same:
        name, dimension = "same", 1

        def encode(self, texts: Any) -> Any:
            return np.ones((len(texts), 1), dtype=np.float32)

    answered: list[Answered] = [
        *paired([example()], [prediction()]),
        *paired([example()], [prediction(abstained=True)]),
        *paired([example(answer="")], [prediction()]),
    ]
    scores = embedding_similarities(Same(), METRICS["embedding_similarity"], answered)
    assert [each.value for each in scores] == [1, 0, None]
    assert scores[2].reason == "the example has no reference answer"
