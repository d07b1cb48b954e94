"""What may be changed of an example, and the example that comes of it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.errors import UsageError
from ragassay.people.annotation.mending import MOST_QUESTION_CHARS, example_of, mended, pieces
from ragassay.records import Critique, Example, Provenance, Span, content_id

TEXT = "The Argo carries 40 cars. She was built in 1998.\n\nDogs travel free."
START = 7
"""The passage does not begin with its document."""


def span(words: str) -> Span:
    start = START + TEXT.index(words)
    return Span(document_id="d", start=start, end=start + len(words), text=words)


def made(**changes: Any) -> Example:
    found = Example(
        id="q1",
        question="How many cars is carried by Argo?",
        answer="40 cars",
        context=span(TEXT),
        references=(span("The Argo carries 40 cars."),),
        keypoints=("The Argo carries 40 cars.",),
        requested_label="fact_single",
        verified_label="fact_single",
        provenance=Provenance(synthesizer="statements", model="m", pattern="count", statement="S"),
        critiques=(Critique(name="tautology", value=4, reason=""),),
        difficulty="hard",
    )
    return replace(found, **changes)


def said(decision: str = "mended", **changes: Any) -> str:
    return json.dumps({"decision": decision, **changes})


def after(example: Example, **changes: Any) -> Example:
    found = example_of(example, mended(example, said(**changes)))
    assert found is not None
    return found


def test_kept_changes_nothing_but_the_mark() -> None:
    example = made()
    assert after(example, decision="kept", question="ignored").provenance.mending == "kept"
    same = after(example, label="fact_single", question=example.question, answer=f" {example.answer}\n")
    assert same == replace(example, provenance=replace(example.provenance, mending="kept"))  # nothing was changed
    assert example_of(example, mended(example, said("dropped"))) is None


def test_a_mended_question_is_another_example_with_the_same_answer() -> None:
    example = made()
    found = after(example, question="How many cars\ndoes the  Argo carry?")
    assert found.question == "How many cars does the Argo carry?"
    assert found.id == content_id("q", found.question, "d", str(START), str(START + len(TEXT)))
    assert (found.references, found.keypoints, found.critiques) == (example.references, example.keypoints, ())
    assert (found.provenance.mending, found.provenance.statement, found.provenance.pattern) == ("mended", "", "count")
    assert (found.verified_label, found.difficulty) == ("fact_single", None)  # it was another question's
    assert after(example, answer="forty").difficulty == "hard"


def test_a_mended_answer_loses_its_keypoints() -> None:
    found = after(made(), answer="Forty.")
    assert (found.id, found.answer, found.keypoints) == ("q1", "Forty.", ())


def test_other_sentences_become_the_references_and_neighbours_one() -> None:
    assert after(made(), sentences=[1]).references == (span("She was built in 1998."),)
    assert after(made(), sentences=[2, 0]).references == (span("The Argo carries 40 cars."), span("Dogs travel free."))
    assert after(made(), sentences=[2, 1, 0, 1]).references == (span(TEXT),)
    elsewhere = Span(document_id="other", start=0, end=2, text="Hm")
    example = made(references=(span("40 cars"), elsewhere))
    assert after(example, sentences=[2]).references == (span("Dogs travel free."), elsewhere)


def test_a_person_may_say_that_nothing_answers_it_or_that_something_does() -> None:
    open_ = after(made(), label="unanswerable", answer="")
    assert (open_.answer, open_.references, open_.label) == ("", (), "unanswerable")
    assert open_.provenance.unanswerable_in == "context"
    closed = after(open_, label="summary", answer="In 1998.", sentences=[1])
    assert (closed.requested_label, closed.verified_label) == ("summary", "summary")
    assert (closed.references, closed.provenance.unanswerable_in) == ((span("She was built in 1998."),), None)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"question": " \n"}, "the question is empty; write one, or drop the example"),
        ({"question": "x" * (MOST_QUESTION_CHARS + 1)}, "the question has 601 characters; it may have 600"),
        ({"answer": ""}, "the answer is empty; write one, or choose the label unanswerable"),
        ({"label": "unanswerable"}, "an unanswerable question has no answer; empty it, or choose another label"),
        ({"sentences": [3]}, "the passage has 3 sentences, numbered from 0; one that was picked is not among them"),
        ({"sentences": [-1]}, "the passage has 3 sentences"),
        ({"label": "other"}, "mend: record: label: "),
        ({"decision": "perhaps"}, "mend: record: decision: "),
    ],
)
def test_what_cannot_be_is_refused_in_words(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError) as refused:
        mended(made(), said(**changes))
    assert str(refused.value).startswith(why)


def test_an_answer_needs_a_place() -> None:
    example = made(references=(), answer="", requested_label="unanswerable", verified_label="unanswerable")
    with pytest.raises(UsageError, match=r"^nothing says where the answer stands; pick a sentence of the passage$"):
        mended(example, said(label="summary", answer="40"))


@given(st.text("ab. \n", max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_pieces_join_to_the_passage_and_mark_the_reference(text: str, one: int, other: int) -> None:
    first, last = sorted((min(one, len(text)), min(other, len(text))))
    reference = Span(document_id="d", start=first, end=last, text=text[first:last])
    example = made(context=Span(document_id="d", start=0, end=len(text), text=text), references=(reference,))
    found = pieces(example)
    if not text.strip():
        assert found == []
        return
    assert "".join(piece.text for piece in found) == text
    assert "".join(piece.text for piece in found if piece.is_reference) == text[first:last]
    numbers = [piece.sentence for piece in found if piece.sentence is not None]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(max(numbers) + 1))
