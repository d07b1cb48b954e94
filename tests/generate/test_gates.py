"""What the search over the whole corpus, and the memory of earlier questions, let through."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.generate.candidates import Candidate
from ragassay.generate.gates import SearchGates
from ragassay.generate.repeats import AskedBefore
from ragassay.records import Document

HOUSES = {
    "mill": "The mill grinds barley. Its keeper is Ada Moss.",
    "forge": "The forge makes anchors. Its keeper is Ben Tarn.",
    "dairy": "The dairy makes cheese and butter for the town.",
    "school": "The school teaches forty children in two rooms.",
    "light": "The lighthouse warns ships of the reef by night.",
    "ferry": "The ferry crosses the sound twice a day.",
}


@pytest.fixture
def gates(small_corpus: Callable, document: Callable[..., Document]) -> SearchGates:
    return small_corpus([document(text, f"{name}.md", id=name) for name, text in HOUSES.items()]).gates


def test_a_question_that_does_not_find_its_document_is_hard_and_stays(
    gates: SearchGates, candidate: Callable[..., Candidate]
) -> None:
    asked = [
        candidate("What does the forge make?", home="forge"),
        candidate("What does the forge make?", home="ferry", label="summary"),
        candidate("Quando xyzzy plugh?", home="mill"),  # no word of the corpus
    ]
    assert gates.searched(asked) == [(None, "easy"), (None, "hard"), (None, "hard")]


def test_the_texts_nearest_to_a_question_come_best_first(gates: SearchGates) -> None:
    # "keeper" stands in two texts, "forge" and "anchors" in one
    forge, mill = gates.nearest(["keeper forge anchors"])[0]
    assert (forge, mill) == (HOUSES["forge"], HOUSES["mill"])


def test_nearly_the_same_question_is_asked_once() -> None:
    memory = AskedBefore()
    ten = "when was the old stone mill of the harbour built".split()  # nine different words: 'the' stands twice
    assert not memory.is_repeat(ten)
    memory.remember(ten)
    assert memory.is_repeat(ten)
    assert memory.is_repeat(ten[::-1])
    assert memory.is_repeat([*ten, "again"])  # 9 of 10 words shared: exactly nine tenths
    assert not memory.is_repeat([*ten, "twice", "over"])  # 9 of 11


_sets = st.frozensets(st.integers(0, 24).map(str), min_size=1)


@given(st.lists(_sets | _sets.map(lambda some: some | set(map(str, range(20)))), max_size=12))
def test_what_is_remembered_is_found_by_nine_tenths(questions: list[frozenset[str]]) -> None:
    memory, before = AskedBefore(), list[frozenset[str]]()
    for question in questions:
        assert memory.is_repeat(question) == any(
            10 * len(question & earlier) >= 9 * len(question | earlier) for earlier in before
        )
        memory.remember(question)
        before.append(question)
