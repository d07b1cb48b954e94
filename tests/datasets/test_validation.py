"""What a check finds, and the figures of the data card, worked by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ragassay.datasets.card import KNOWN_WITHOUT_CONTEXT, Spread, question_word
from ragassay.datasets.format import Notes, Record
from ragassay.datasets.registry import read_dataset
from ragassay.datasets.validation import MOST_KEPT, WARNINGS, Examined, Findings, examine, shown
from ragassay.records import NO_CONTEXT, Critique, Document, Example, Prediction, Provenance, Span

DOCUMENT = Document(
    id="d1", title="Lamps", source="a.md", text="The lamp is red. It stands in the harbour.", language="en"
)
OTHER = replace(DOCUMENT, id="d2", text="Nobody asks about this one.")
GOOD = Example(
    id="q1",
    question="Which colour has the lamp?",
    answer="Red.",
    context=DOCUMENT.span(0, 42),
    references=(DOCUMENT.span(0, 16),),
    keypoints=("The lamp is red.",),
    requested_label="fact_single",
    verified_label="fact_single",
    provenance=Provenance(synthesizer="statements", model="embedded"),
    language="en",
)
MISS = replace(
    GOOD,
    id="q2",
    question="Who bought the lamp in 1902?",
    answer="",
    references=(),
    keypoints=(),
    requested_label="unanswerable",
    verified_label="unanswerable",
)


def examined(*records: Record) -> Examined:
    return examine(records, Notes())


def test_a_sound_set_has_no_findings() -> None:
    found = examined(DOCUMENT, OTHER, GOOD, MISS)
    assert (found.findings.counts, found.findings.errors, found.findings.warnings) == ({}, 0, 0)


@pytest.mark.parametrize(
    ("changes", "kind", "said"),
    [
        ({"id": "q1"}, "id", "two examples have this id"),
        ({"question": " ?! "}, "question", "the question is empty"),
        ({"question": "which  colour has the LAMP"}, "repeat", "example q1 asks the same question"),
        ({"answer": " "}, "answer", "the answer is empty and the label is fact_single"),
        (
            {"requested_label": None, "verified_label": "unanswerable"},
            "answer",
            "the label is unanswerable, but the example has an answer or a reference",
        ),
        ({"verified_label": "unanswerable"}, "label", "fact_single was requested, but the labeller gives unanswerable"),
        (
            {"answer": "", "requested_label": None, "verified_label": None},
            "no answer",
            "no answer, although no label is unanswerable",
        ),
        ({"references": ()}, "no reference", "no passage is named"),
        ({"keypoints": ()}, "no keypoint", "the answer has no keypoint"),
        ({"keypoints": ("a", " ")}, "keypoint", "a keypoint is empty"),
        ({"question_type": "riddle"}, "question type", "unknown question type 'riddle'"),
        ({"critiques": (Critique(name="clarity", value=7, reason=""),)}, "rating", "the rating 'clarity' is 7"),
        (
            {"context": replace(GOOD.context, end=40)},
            "context",
            "the context has 42 characters and the offsets 0 to 40",
        ),
        (
            {"references": (Span(document_id="d1", start=1, end=9, text="The lamp"),)},
            "reference",
            "reference 1 is not at 1 but at 0 of d1",
        ),
        (
            {"references": (GOOD.references[0], Span(document_id="d1", start=0, end=5, text="green"))},
            "reference",
            "reference 2 does not occur in d1: 'green'",
        ),
        (
            {"references": (Span(document_id="d9", start=0, end=3, text="The"),)},
            "reference",
            "reference 1 is of the document 'd9', which is not there",
        ),
        (
            {"references": (Span(document_id="d1", start=0, end=0, text="The lamp\nis blue."),)},
            "reference",
            r"reference 1 was not found in its document: 'The lamp\nis blue.'",
        ),
        ({"references": (Span(document_id="d1", start=0, end=0, text=""),)}, "reference", "reference 1 is empty"),
        ({"references": (Span(document_id="d1", start=-3, end=0, text="The"),)}, "reference", "the offsets -3 to 0"),
    ],
)
def test_each_fault_is_found_once_and_named(changes: dict[str, object], kind: str, said: str) -> None:
    bad = replace(GOOD, **{"id": "q3", "question": "Where does it stand at night?", **changes})  # type: ignore[arg-type]
    found = examined(DOCUMENT, GOOD, bad).findings
    assert list(found.counts.items()) == [(kind, 1)]
    assert said in found.kept[0].message
    assert found.kept[0].record == f"example {bad.id}"
    assert found.errors == (kind not in WARNINGS)


def test_faults_of_documents_and_predictions() -> None:
    lost = Prediction(example_id="q9", system="bm25", chunks=())
    found = examined(DOCUMENT, DOCUMENT, replace(OTHER, text=" "), lost, GOOD).findings
    assert [(each.kind, each.record) for each in found.kept] == [
        ("id", "document d1"),
        ("empty document", "document d2"),
        ("prediction", "prediction of bm25"),
    ]


def test_unreadable_lines_are_findings_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"user_input":"a","reference":"b"}\n{oops\n[]\n{"user_input":"c","reference":"d"}\n')
    notes = Notes(keep_going=True)
    found = examine(read_dataset(path, notes=notes), notes)
    assert found.card.examples == 2
    assert [each.message.partition(":")[0] for each in found.findings.kept if each.kind == "unreadable"] == [
        "rows.jsonl line 2",
        "rows.jsonl line 3",
    ]


def test_findings_are_bounded_and_one_kind_does_not_hide_another() -> None:
    findings = Findings()
    for number in range(3 * MOST_KEPT):
        findings.add("no reference", f"example {number}", "x")
        findings.add("reference", f"example {number}", "x")
    findings.add("answer", "example 7", "x")
    assert len(findings.kept) == 2 * MOST_KEPT + 1
    assert (findings.errors, findings.warnings) == (3 * MOST_KEPT + 1, 3 * MOST_KEPT)
    assert [each.kind for each in shown(findings, 4)] == ["answer", "reference", "reference", "reference"]
    assert not list(shown(findings, 0))


def test_the_card_counts() -> None:
    rated = Critique(name=KNOWN_WITHOUT_CONTEXT, value=5, reason="")
    records: list[Record] = [
        DOCUMENT,
        OTHER,
        Prediction(example_id="q1", system="bm25", chunks=()),
        replace(GOOD, critiques=(rated,)),
        replace(MISS, critiques=(replace(rated, value=1),)),
        replace(
            GOOD, id="q3", verified_label="summary", question_type="factual", question="Which colour has that lamp?"
        ),
        replace(GOOD, id="q4", requested_label=None, verified_label=None, context=NO_CONTEXT, question="Is it blue?"),
    ]
    card = examined(*records).card
    assert (card.examples, card.documents, card.predictions) == (4, 2, 1)
    assert card.labels == {"fact_single": 1, "summary": 1, "unanswerable": 1, "unlabelled": 1}
    assert (card.verified, card.both, card.agreeing) == (3, 3, 2)
    assert card.question_types == {"none": 3, "factual": 1}
    assert card.question_words == {"which": 2, "who": 1, "yes or no": 1}
    assert (card.documents_used, card.documents_of_examples, card.most_per_document) == (1, 1, 4)
    assert (card.known_without_context, card.measured_without_context) == (1, 2)
    # questions of 5, 6, 5 and 3 words
    assert card.lengths["words of a question"] == Spread(count=4, least=3, median=5, mean=4.75, p95=6, most=6)
    assert card.lengths["keypoints of an answer"].count == 3


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("How many lamps are there?", "how many"),
        ("Is the lamp that burns red?", "yes or no"),
        ("What is it, and why?", "what"),
        ("Compare the two lamps.", "an order"),
        ("灯塔是什么时候建成的？", "when"),
        ("为什么是红色？", "why"),
        ("灯是否是红色的？", "yes or no"),
        ("总结灯塔的历史。", "an order"),
    ],
)
def test_what_a_question_asks_with(question: str, word: str) -> None:
    assert question_word(question) == word
