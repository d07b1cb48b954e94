"""Verdicts on statements and keypoints: by words, by cells and roles, and by the verifier beside them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.embedded.judging.clashes import clash
from ragassay.models.embedded.judging.keypoints import keypoints_of
from ragassay.models.embedded.judging.structure import exchanged, in_table
from ragassay.models.embedded.judging.support import Claim, support
from ragassay.models.embedded.judging.verdicts import statements_of
from ragassay.models.embedded.model import handler
from ragassay.models.embeddings import SentenceEncoder
from ragassay.tasks.ratings import AnswerAndReference
from ragassay.tasks.verdicts import AnswerStatement, KeypointsOnAnswer, StatementsOnContext

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
    whole, half, wrong = (reply.value for reply in handler("correctness")(encoder, inputs))
    assert whole.recall > half.recall > wrong.recall
    assert half.precision > wrong.precision


CONTEXT = "The Alba was built in 1998. She was lengthened in March 2004. Her crew did not strike."


def ask(name: str, encoder: Any, item: Any) -> Any:
    (reply,) = handler(name)(encoder, [item])
    assert reply.value is not None
    return reply.value.items


@pytest.mark.parametrize(
    ("keypoint", "verdict"),
    [
        ("The Alba was built in 1998.", "covered"),
        ("The Alba was built in 1989.", "contradicted"),
        ("The Alba was not lengthened.", "contradicted"),
        ("The funnel is painted red.", "neither"),
    ],
)
def test_keypoint_verdicts(encoder: Any, keypoint: str, verdict: str) -> None:
    (found,) = ask("keypoint_verdicts", encoder, KeypointsOnAnswer(question="", keypoints=(keypoint,), answer=CONTEXT))
    assert found.verdict == verdict
    assert 0 <= found.support <= 1


@pytest.mark.parametrize(
    ("answer", "keypoint", "verdict"),
    [
        ("The documents do not name an owner. They list the crew, and the port.", "Unable to answer", "covered"),
        ("Ines Roper owns the Alba. The text does not say since when.", "Unable to answer", "neither"),
        ("Roper owns the Alba. There is no information about the Borg.", "No information on the Borg.", "covered"),
    ],
)
def test_a_keypoint_that_there_is_no_answer(answer: str, keypoint: str, verdict: str, encoder: Any) -> None:
    item = KeypointsOnAnswer(question="Who owns the Alba?", keypoints=(keypoint,), answer=answer)
    assert ask("keypoint_verdicts", encoder, item)[0].verdict == verdict


@pytest.mark.parametrize(
    ("statement", "hint"),
    [
        (
            "The tug Alba was built in June 1998 by Fjord Yards in Bergen.",
            'the text gives "May 1998", and not "June 1998"',
        ),
        ("The tug Alba was not built in May 1998 by Fjord Yards in Bergen.", "only the statement is negated"),
    ],
)
def test_another_month_or_a_denial_is_not_supported_however_much_else_is_said(
    encoder: Any, statement: str, hint: str
) -> None:
    context = "The tug Alba was built in May 1998 by Fjord Yards in Bergen. Its crew of six lives in Molde."
    true = "The tug Alba was built in May 1998 by Fjord Yards in Bergen."
    (reply,) = handler("statement_verdicts")(
        encoder, [StatementsOnContext(statements=(true, statement), context=context)]
    )
    said, changed = reply.value.items
    assert said.supported
    assert said.reason.startswith("the context says it")
    assert not changed.supported
    assert changed.support > 0.65
    assert changed.reason.endswith(f"perhaps contradicted: {hint}")
    assert changed.evidence == true


CITIES = "| City | Highest price of a night |\n| --- | --- |\n| Ghent | 190 euros |\n| Bruges | 140 euros |"
ROOMS = "| Room | Beds | Low season |\n| --- | --- | --- |\n| Attic | 2 | $80 |\n| Tower | 4 | $120 |"
GHENT, BRUGES = (f"What does the company pay for a night in {city}?" for city in ("Ghent", "Bruges"))
TEAMS = "Kestrel beat Rangers after Ndiaye passed to Olsen. Anna pays Ben 400 euros."


@pytest.mark.parametrize(
    ("question", "claim", "text", "place"),
    [
        (GHENT, "140 euros", CITIES, "other"),
        (BRUGES, "140 euros", CITIES, "row"),
        (GHENT, "Not 140 euros", CITIES, ""),
        (GHENT, "150 euros", CITIES, ""),
        (GHENT, "140 euros", "Ghent has 190 euros, Bruges 140 euros.", ""),
        ("", "The Tower room has 4 beds.", ROOMS, "row"),
        ("", "The Tower room has 2 beds.", ROOMS, "other"),
    ],
)
def test_cells_of_a_claim_stand_in_one_row(question: str, claim: str, text: str, place: str) -> None:
    assert in_table(claim, question, text) == place


@pytest.mark.parametrize(
    ("claim", "verb"),
    [
        ("Rangers beat Kestrel.", "beat"),
        ("Olsen passed to Ndiaye.", "pass"),
        ("Anna is paid by Ben.", "pay"),
        ("Ben is paid by Anna.", ""),
        ("Kestrel beat Rangers.", ""),
        ("Clara pays Ben.", ""),
    ],
)
def test_exchanged_participants_are_found(claim: str, verb: str) -> None:
    assert exchanged([(claim, TEAMS)]) == [verb]


@pytest.mark.usefixtures("small_model_on")
@pytest.mark.parametrize(("question", "is_right"), [(GHENT, False), (BRUGES, True)])
def test_the_amount_of_another_city_is_not_supported(question: str, is_right: bool) -> None:
    stated = tuple(statements_of(question, "Up to 140 euros."))
    asked = StatementsOnContext(question=question, statements=stated, context=CITIES)
    value: Any = handler("statement_verdicts")(SentenceEncoder(), [asked])[0].value
    assert value.items[0].supported == is_right


STAFF = """Department | Head | Staff | Base
Engineering | Priya Raman | 74 | Thornsund
Freight | Callum Eadie | 38 | Ravelside
Finance | Marguerite Osei | 16 | Marrowick"""
FILLER = " ".join(f"The council of Molde met for the {number}th time on 6 October." for number in range(40))
LETTER = "MV Stonecutter has 40 sockets. New points were welded following the cargo shift.\n\nYours\nCallum Eadie"


@pytest.mark.usefixtures("small_model_on")
def test_a_row_that_stands_there_is_supported_whatever_is_beside_it() -> None:
    question = "What are the follow-up actions of the cargo shift on MV Stonecutter?"
    stated = tuple(statements_of(question, "Freight | Callum Eadie | 38 | Ravelside"))
    asked = StatementsOnContext(question=question, statements=stated, context="\n\n".join((STAFF, FILLER, LETTER)))
    value: Any = handler("statement_verdicts")(SentenceEncoder(), [asked])[0].value
    assert [each.supported for each in value.items] == [True]


@pytest.mark.parametrize(
    ("question", "answer", "statement", "keypoints"),
    [
        ("When was the Alba built?", "1998", "The Alba was built in 1998.", ["The Alba was built in 1998."]),
        ("When was Ada Lind born, and when did she die?", "1898 and 1961, respectively",
         "Ada Lind was born in 1898. Ada Lind died in 1961.",
         ["Ada Lind was born in 1898.", "Ada Lind died in 1961."]),
        ("What are the port and length of the Alba?", "Port: Lund; Length: 40 m",
         "The Alba: Port: Lund; Length: 40 m.", ["The Alba: Port: Lund", "The Alba: Length: 40 m"]),
        ("What are the parameters of DROP TUB?", "IF EXISTS, name, CASCADE",
         "The parameters of DROP TUB are IF EXISTS, name, CASCADE.",
         [f"The parameters of DROP TUB include {each}" for each in ("IF EXISTS", "name", "CASCADE")]),
        # two dates that the answer does not have
        ("How old was Ada Lind when she died?", "63 years old",
         "Ada Lind was 63 years old when she died: born 3 May 1898, 9 June 1961.",
         ["How old was Ada Lind when she died: 63 years old"]),
        # the statement without the conclusion
        ("Was the Alba built before or after she was named?", "Before (1998, against 2001)",
         "The Alba was built in 1998; the Alba was named in 2001.",
         ["Was the Alba built before or after she was named: Before (1998, against 2001)"]),
        ("总部位于哪里？", "中国北京市", "云杉公司的总部位于中国北京市。", ["云杉公司的总部位于中国北京市。"]),
        ("云杉公司从上市到投资新厂，相隔多少个月？", "9个月（从2017年3月到2017年12月）。",
         "云杉公司于2017年3月上市，于2017年12月投资了新厂。", ["云杉公司从上市到投资新厂，相隔9个月。"]),
    ],
)  # fmt: skip
def test_keypoints(question: str, answer: str, statement: str, keypoints: list[str]) -> None:
    item = AnswerStatement(question=question, answer=answer, statements=(statement,))
    assert list(keypoints_of(item)) == keypoints
