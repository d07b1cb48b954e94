"""What the search over the whole corpus, and the memory of earlier questions, let through."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.corpus.store import DocumentStore
from ragassay.records import Document
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.lexical import build_lexical_index
from ragassay.retrieval.tokens import tokenize_documents
from ragassay.synthesis.candidates import Candidate
from ragassay.synthesis.gates import AskedBefore, SearchGates

ELSEWHERE = "another document may answer it"

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


def test_a_chunk_elsewhere_that_holds_every_word_may_answer_too(
    small_corpus: Callable, document: Callable[..., Document], candidate: Callable[..., Candidate]
) -> None:
    twice = [
        document("The north pump has a red valve.", "1.md", id="north"),
        document("A red valve sits on every pump of the north and south station.", "2.md", id="all"),
        document("Bread is baked at dawn.", "3.md", id="bread"),
    ]
    gates = small_corpus(twice).gates
    question = "Where is the red valve of the north pump?"
    assert gates.searched([candidate(question, home="north")])[0].fault == ELSEWHERE
    # an unanswerable pair is about its context: what other documents say does not matter;
    # a summary or an inference needs more than one place that holds the words
    assert gates.searched([candidate(question, home="north", label="unanswerable")])[0].fault is None
    assert gates.searched([candidate(question, home="north", label="summary")])[0].fault is None
    assert gates.searched([candidate(question, home="north", label="reasoning")])[0].fault is None
    assert gates.searched([candidate("Where is the pump of the south station?", home="all")])[0].fault is None


def test_many_candidates_keep_their_order(gates: SearchGates, candidate: Callable[..., Candidate]) -> None:
    # more than the block of 64 that is scored at once
    asked = [
        candidate("What does the dairy make?", home="dairy" if place % 3 else "ferry", label="summary")
        for place in range(130)
    ]
    assert gates.searched(asked) == [(None, "easy" if place % 3 else "hard") for place in range(130)]
    assert gates.searched([]) == []


def test_the_texts_nearest_to_a_question_come_best_first(gates: SearchGates) -> None:
    # "keeper" stands in two texts, "forge" and "anchors" in one
    forge, mill = gates.nearest(["keeper forge anchors"])[0]
    assert (forge, mill) == (HOUSES["forge"], HOUSES["mill"])


def test_at_most_three_texts_are_near_and_none_without_a_word(
    small_corpus: Callable, document: Callable[..., Document]
) -> None:
    texts = [f"The valve of pump {name} is red." for name in ("north", "south", "east", "west")]
    gates = small_corpus([document(text, f"{place}.md", id=f"d{place}") for place, text in enumerate(texts)]).gates
    near = gates.nearest(["Which valve of the west pump?", "Quando xyzzy plugh?", "", "south"])
    assert [len(found) for found in near] == [3, 0, 0, 1]
    assert near[0][0] == texts[3]
    assert near[3] == [texts[1]]


def test_many_questions_keep_their_order(gates: SearchGates) -> None:
    # more than the block of 64 that is scored at once
    asked = ["cheese and butter" if place % 3 else "xyzzy" for place in range(130)]
    assert gates.nearest(asked) == [[HOUSES["dairy"]] if place % 3 else [] for place in range(130)]
    assert gates.nearest([]) == []


def test_nearest_texts_are_those_of_the_chunk_alone(tmp_path: Path) -> None:
    store = DocumentStore.write(
        tmp_path / "d.jsonl",
        [Document(id="d", title="", source="a.md", text="Dogs travel free. Cats pay double.", language="en")],
    )
    tokens = tokenize_documents(each.text for each in store)
    table = ChunkTable(
        np.array([0, 0], dtype=np.int32), np.array([0, 18], dtype=np.int32), np.array([17, 34], dtype=np.int32)
    )
    gates = SearchGates(store, tokens, table, build_lexical_index(tokens, table))
    assert gates.nearest(["Do cats pay?"]) == [["Cats pay double."]]
    store.close()


def test_nearly_the_same_question_is_asked_once() -> None:
    memory = AskedBefore()
    ten = "when was the old stone mill of the harbour built".split()  # nine different words: 'the' stands twice
    assert not memory.is_repeat(ten)
    memory.remember(ten)
    assert memory.is_repeat(ten)
    assert memory.is_repeat(ten[::-1])
    assert memory.is_repeat([*ten, "again"])  # 9 of 10 words shared: exactly nine tenths
    assert not memory.is_repeat([*ten, "twice", "over"])  # 9 of 11


def test_asking_whether_is_not_remembering() -> None:
    memory = AskedBefore()
    words = [f"w{number}" for number in range(19)]
    assert not memory.is_repeat(words)
    assert not memory.is_repeat(words)
    memory.remember(words)
    assert memory.is_repeat([*words, "x"])  # 19 of 20
    assert not memory.is_repeat([*words, "x", "y", "z"])  # 19 of 22 of the first; the second left no trace


def test_a_question_without_words_is_no_question() -> None:
    assert AskedBefore().is_repeat([])


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


def test_questions_of_one_template_are_not_compared_one_by_one() -> None:
    """10,000 times 10,000 comparisons took minutes."""
    memory, begun = AskedBefore(), time.process_time()
    for number in range(10_000):
        words = f"what is the registered office of company number {number}".split()
        assert not memory.is_repeat(words)  # 8 of 10 words
        memory.remember(words)
    assert time.process_time() - begun < 10


@given(st.lists(st.frozensets(st.sampled_from("abcdefghijklmn"), min_size=1), max_size=12))
def test_what_is_kept_differs_pairwise(questions: list[frozenset[str]]) -> None:
    memory = AskedBefore()
    kept = []
    for question in questions:
        if not memory.is_repeat(question):
            memory.remember(question)
            kept.append(question)
    for place, one in enumerate(kept):
        for other in kept[place + 1 :]:
            assert len(one & other) < 0.9 * len(one | other)
    assert set(questions) == set() or kept[0] == questions[0]
