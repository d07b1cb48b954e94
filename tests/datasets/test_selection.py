"""Samples and questions that are asked once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.datasets.foreign import example_of, prediction_of
from ragassay.datasets.format import Notes, Record
from ragassay.datasets.selection import Selection, kept, parse_only, select, value_of
from ragassay.errors import InputError
from ragassay.records import Document, Example, Prediction

DOCUMENT = Document(id="d", title="", source="d", text="x")


def records(*questions: str) -> list[Record]:
    made: list[Record] = [DOCUMENT]
    for number, question in enumerate(questions):
        example = example_of(origin="test", question=question, example_id=f"q{number}")
        made += [prediction_of(example.id, f"a{number}", []), example]
    return made


def ids(chosen: Sequence[Record]) -> list[str]:
    return [each.id for each in chosen if isinstance(each, Example)]


def test_questions_in_the_same_words_count_once() -> None:
    notes = Notes()
    chosen = list(select(records("When was it?", "Who?", "when  WAS it"), Selection(unique=True), notes))
    assert ids(chosen) == ["q0", "q1"]
    assert [each.example_id for each in chosen if isinstance(each, Prediction)] == ["q0", "q1"]
    assert chosen[0] is DOCUMENT
    assert notes.counts == {"not taken: questions that were asked before in the same words": 1}


@given(st.integers(1, 12), st.integers(0, 12), st.integers(0, 3))
def test_a_sample_has_its_size_and_does_not_depend_on_the_order(size: int, count: int, seed: int) -> None:
    every = records(*(f"question {number}" for number in range(count)))
    selection = Selection(sample=size, seed=seed)
    chosen = list(select(every, selection, Notes()))
    assert len(ids(chosen)) == min(size, count)
    assert chosen == [each for each in every if each in chosen]  # in the order of the file, with predictions
    assert sum(isinstance(each, Prediction) for each in chosen) == min(size, count)
    groups = [every[at : at + 2] for at in range(1, len(every), 2)]
    reverse = [DOCUMENT, *(each for group in reversed(groups) for each in group)]
    assert set(ids(list(select(reverse, selection, Notes())))) == set(ids(chosen))
    smaller = list(select(every, Selection(sample=max(1, size - 1), seed=seed), Notes()))
    assert set(ids(smaller)) <= set(ids(chosen))  # a larger sample holds the smaller one


def test_only_a_part_of_the_set_by_fields() -> None:
    documents = [
        Document(id=name, title="", source=name, text="x", language=language, metadata={"domain": domain})
        for name, language, domain in (("a", "en", "Finance"), ("b", "en", "Law"), ("c", "zh", "Finance"))
    ]
    examples = [
        example_of(origin="o", question=each.id, example_id=each.id, references=[each.span(0, 1)], language="und")
        for each in documents
    ]
    predictions = [prediction_of(each.id, "yes", []) for each in examples]

    def left(*texts: str) -> list[str]:
        records = list(kept([*documents, *predictions, *examples], parse_only(texts)))
        ids = [each.id for each in records if isinstance(each, Example)]
        assert [each.example_id for each in records if isinstance(each, Prediction)] == ids
        return ids

    late = list(kept([*documents, *examples, *predictions], parse_only(["domain=law"])))  # answers after their examples
    assert [each.example_id for each in late if isinstance(each, Prediction)] == ["b"]
    assert left() == ["a", "b", "c"]
    assert left("domain=finance,language=en") == left("domain=finance", "language=EN") == ["a"]
    assert left("domain=Finance") == ["a", "c"]
    with pytest.raises(InputError, match="--only: no document has a field 'domian'; use label, type, language or"):
        left("domain=law,domian=law")
    assert left("label=unlabelled,domain=law") == ["b"]
    assert left("type=factual") == []
    quoted = ['title="Sums, where a=b",domain=x', 'title="Sums, where a=b"', 'title="A" and B,type=t']
    assert parse_only(quoted[:1]) == (("title", "Sums, where a=b"), ("domain", "x"))
    assert parse_only(quoted[1:]) == (("title", "Sums, where a=b"), ("title", '"A" and B'), ("type", "t"))
    assert parse_only(["title=A, b,domain=x"]) == (("title", "A, b"), ("domain", "x"))
    assert value_of(examples[1], {"b": "Law"}) == "Law"
