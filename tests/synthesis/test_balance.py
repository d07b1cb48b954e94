"""The set that is chosen from what was accepted: exact, spread, varied, and never over a document's allowance."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from ragassay.records import LABELS, Critique, Label, Span
from ragassay.synthesis.balance import chosen
from ragassay.synthesis.candidates import Candidate
from ragassay.synthesis.options import SynthesisOptions

OPTIONS = SynthesisOptions(per_document=2, pattern_share=0.5)


def made(number: int, label: Label = "fact_single", home: int = 0, pattern: str = "p", rating: int = 3) -> Candidate:
    return Candidate(
        ordinal=home,
        label=label,
        question=f"Question {number:03}?",
        answer="A",
        pattern=pattern,
        statement="S",
        keypoints=(),
        context=Span(document_id=f"doc-{home}", start=0, end=1, text="x"),
        references=(),
        language="en",
        critiques=(Critique(name="c", value=rating, reason=""),),
    )


def pick(
    pool: list[Candidate], counts: dict[Label, int], options: SynthesisOptions = OPTIONS, length: int = 100
) -> list[Candidate]:
    return chosen(pool, counts, defaultdict(lambda: length), options)


def test_as_many_as_asked_for_and_no_more() -> None:
    pool = [made(number, home=number) for number in range(9)]
    assert len(pick(pool, {"fact_single": 4})) == 4
    assert len(pick(pool, {"fact_single": 9})) == 9
    assert len(pick(pool, {"fact_single": 20})) == 9
    assert pick(pool, {"fact_single": 0}) == []
    assert pick([], {"fact_single": 4}) == []


def test_documents_take_turns() -> None:
    # three documents with 2, 2 and 1 candidates: the first three chosen are of three documents
    pool = [made(0, home=0), made(1, home=0), made(2, home=1), made(3, home=1), made(4, home=2)]
    assert Counter(each.ordinal for each in pick(pool, {"fact_single": 3})) == {0: 1, 1: 1, 2: 1}


def test_labels_share_the_documents_out_among_them() -> None:
    # Two documents, both can give either label: each label takes another one.
    pool = [
        made(number, label, home) for number, (label, home) in enumerate((("fact_single", 0), ("fact_single", 1)) * 1)
    ]
    pool += [made(5, "summary", 0), made(6, "summary", 1)]
    picked = pick(pool, {"fact_single": 1, "summary": 1})
    assert len({each.ordinal for each in picked}) == 2


def test_a_document_gives_at_most_its_allowance_of_a_label() -> None:
    pool = [made(number) for number in range(9)]
    assert len(pick(pool, {"fact_single": 5})) == 2
    assert len(pick(pool, {"fact_single": 5}, length=16_000)) == 4  # two and one for each 8 000 characters
    both = [*pool, *(made(20 + number, "summary") for number in range(9))]
    assert Counter(each.label for each in pick(both, {"fact_single": 5, "summary": 5})) == {
        "fact_single": 2,
        "summary": 2,
    }


def test_a_pattern_has_at_most_its_share_while_others_are_left() -> None:
    # five of eight asked for may be of one pattern at most four (0.5 * 8), as others can fill the rest
    pool = [made(number, home=number, pattern="common", rating=5) for number in range(20)]
    pool += [made(30 + number, home=30 + number, pattern=f"rare {number}", rating=1) for number in range(4)]
    patterns = Counter(each.pattern for each in pick(pool, {"fact_single": 8}))
    assert patterns["common"] == 4
    assert len(patterns) == 5


def test_a_pattern_fills_up_when_nothing_else_is_left() -> None:
    pool = [made(number, home=number, pattern="common") for number in range(20)]
    assert len(pick(pool, {"fact_single": 8})) == 8


def test_the_better_rated_of_equals_comes_first() -> None:
    pool = [made(1, home=0, rating=2), made(2, home=0, rating=5), made(3, home=0, rating=4)]
    assert [each.question for each in pick(pool, {"fact_single": 2})] == ["Question 002?", "Question 003?"]


def test_the_result_is_in_the_order_of_documents() -> None:
    pool = [made(number, home=home) for number, home in enumerate((5, 1, 4, 2, 3, 0))]
    assert [each.ordinal for each in pick(pool, {"fact_single": 6})] == [0, 1, 2, 3, 4, 5]


pools = st.lists(
    st.tuples(st.sampled_from(LABELS), st.integers(0, 4), st.sampled_from("xyz"), st.integers(1, 5)), max_size=40
).map(lambda rows: [made(number, *row) for number, row in enumerate(rows)])
asked = st.fixed_dictionaries({label: st.integers(0, 8) for label in LABELS})


@given(pools, asked)
def test_laws(pool: list[Candidate], counts: dict[Label, int]) -> None:
    picked = pick(pool, counts)
    assert all(each in pool for each in picked)
    assert len({each.question for each in picked}) == len(picked)
    for label in LABELS:
        have = Counter(each.ordinal for each in picked if each.label == label)
        there = Counter(each.ordinal for each in pool if each.label == label)
        assert all(count <= 2 for count in have.values())
        # exact: the count asked for, or all that the allowances leave
        assert have.total() == min(counts[label], sum(min(count, 2) for count in there.values()))


@given(pools, asked, st.randoms())
def test_the_order_of_the_pool_does_not_matter(pool: list[Candidate], counts: dict[Label, int], chance: object) -> None:
    shuffled = list(pool)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert pick(shuffled, counts) == pick(pool, counts)


def test_ties_are_broken_by_the_question(candidate: Callable[..., Candidate]) -> None:
    pool = [made(2), made(0), made(1)]
    assert [each.question for each in pick(pool, {"fact_single": 2})] == ["Question 000?", "Question 001?"]
