"""The set that is chosen from what was accepted: exact, spread, varied, and never over a document's allowance."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from ragassay.generate.balance import SPREAD, chosen, lacking
from ragassay.generate.candidates import Candidate
from ragassay.generate.options import SetPlan
from ragassay.records import LABELS, Critique, Label, Span

OPTIONS = SetPlan(per_document=2)


def made(number: int, label: Label = "fact_single", home: int = 0, rating: int = 3) -> Candidate:
    return Candidate(
        ordinal=home,
        label=label,
        question=f"Question {number:03}?",
        answer="A",
        context=Span(document_id=f"doc-{home}", start=0, end=1, text="x"),
        references=(),
        language="en",
        critiques=(Critique(name="c", value=rating, reason=""),),
    )


def pick(
    pool: list[Candidate], counts: dict[Label, int], options: SetPlan = OPTIONS, length: int = 100
) -> list[Candidate]:
    return chosen(pool, counts, defaultdict(lambda: length), options)


def test_a_document_gives_more_than_its_allowance_only_where_nothing_else_is_left() -> None:
    pool = [made(number) for number in range(9)]
    assert len(pick(pool, {"fact_single": 5})) == 5
    elsewhere = [*pool, *(made(20 + number, home=number + 1, rating=1) for number in range(3))]
    # two of document 0, which rates better, then the other documents
    assert Counter(each.ordinal for each in pick(elsewhere, {"fact_single": 5})) == {0: 2, 1: 1, 2: 1, 3: 1}
    # of a long document three are allowed, but not before each of the others has given one
    assert Counter(each.ordinal for each in pick(elsewhere, {"fact_single": 6}, length=8_000))[0] == 3


def test_a_document_has_a_hard_limit_where_one_is_set() -> None:
    pool = [made(number) for number in range(9)] + [made(20 + number, "summary") for number in range(9)]
    options = SetPlan(per_document=9, most_per_document=4)
    assert len(pick(pool, {"fact_single": 3, "summary": 3}, options)) == 4


def test_no_document_gives_more_than_three_pairs_while_others_can() -> None:
    # Document 0 gives every label four times; documents 1 to 9 give one fact each.
    pool = [made(10 * place + number, label) for place, label in enumerate(LABELS) for number in range(4)]
    pool += [made(100 + number, home=number) for number in range(1, 10)]
    counts: dict[Label, int] = {"fact_single": 9, "summary": 1, "reasoning": 1, "unanswerable": 1}
    picked = pick(pool, counts, SetPlan())
    assert len(picked) == 12
    assert Counter(each.ordinal for each in picked)[0] == SPREAD


pools = st.lists(st.tuples(st.sampled_from(LABELS), st.integers(0, 4), st.integers(1, 5)), max_size=40).map(
    lambda rows: [made(number, *row) for number, row in enumerate(rows)]
)
asked = st.fixed_dictionaries({label: st.integers(0, 8) for label in LABELS})


@given(pools, asked)
def test_laws(pool: list[Candidate], counts: dict[Label, int]) -> None:
    picked = pick(pool, counts)
    assert all(each in pool for each in picked)
    assert len({each.question for each in picked}) == len(picked)
    for label in LABELS:
        # exact: the count asked for, or all there are
        assert sum(each.label == label for each in picked) == min(
            counts[label], sum(each.label == label for each in pool)
        )


def test_pairs_count_under_the_label_that_is_asked_for() -> None:
    pair = replace(made(0, "fact_single"), verified="summary")
    quotas = {"fact_single": 1, "summary": 1}
    for by, short in (("verified", {"fact_single": 1}), ("requested", {"summary": 1})):
        options = SetPlan(balance_by=by)  # type: ignore[arg-type]  # a literal in a loop
        assert lacking([pair], quotas, {"doc-0": 100}, options, within_allowance=True) == short
