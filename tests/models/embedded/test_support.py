from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.embedded.judging.clashes import clash
from ragassay.models.embedded.judging.support import Claim, support
from ragassay.models.embedded.judging.whole_answers import HANDLERS
from ragassay.tasks.ratings import AnswerAndReference

WORDS = st.sampled_from("the tug Alba Bruma was built sold in 1998 2004 Bergen crew of six not barges .".split())
TEXTS = st.lists(WORDS, max_size=14).map(" ".join)


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=4))
def test_a_batch_gives_what_single_claims_give_in_any_order(rows: list[tuple[str, str, str]]) -> None:
    claims = [Claim(question, (statement,), context) for question, statement, context in rows]
    together = support(None, claims)
    assert together == [support(None, [claim])[0] for claim in claims]
    assert together[::-1] == support(None, claims[::-1])
    for claim, held in zip(claims, together, strict=True):
        assert 0 <= held[0].score <= 1
        assert 0 <= held[0].known <= 1
        assert held[0].evidence in claim.context


@pytest.mark.parametrize(
    ("statement", "passage", "kind"),
    [
        ("It was sold in June 2004.", "It was sold in March 2004.", "date"),
        ("It carries 60 cars.", "It carries 45 cars.", "number"),
        ("It was not sold.", "It was sold in Bergen.", "negation"),
        ("The council approved the plan.", "The council did not approve the plan.", "negation"),
        ("Kvarner Yards built the tug.", "Fjord Yards built the tug.", "name"),
    ],
)
def test_clashes(statement: str, passage: str, kind: str) -> None:
    found = clash(statement, [passage], passage)
    assert found is not None
    assert found.kind == kind


def test_reference_agreement_prefers_the_right_and_the_whole_answer(encoder: Any) -> None:
    reference = "The Alba was built in Bergen in 1998. Her crew of six lives in Molde."
    answers = (
        "She was built in Bergen in 1998, and the crew of six lives in Molde.",
        "She was built in Bergen in 1998.",
        "She is a yacht from Naples with forty sails.",
    )
    inputs = [
        AnswerAndReference(question="Tell me of the Alba.", answer=answer, reference=reference) for answer in answers
    ]
    whole, half, wrong = (reply.value for reply in HANDLERS["correctness"](encoder, inputs))
    assert whole.recall > half.recall > wrong.recall
    assert half.precision > wrong.precision
