from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.embedded.judging.critique import HANDLERS
from ragassay.tasks.critique import CRITIQUES, CritiquedPair, Rating

CONTEXT = (
    "Travel policy\n\nOwner: Ines Roper\nEffective from: 4 May 2024\nNext review: 4 May 2026\n\n"
    "Staff of the Molde ferry office may claim 42 euros for each night away. Claims are sent to "
    "Ines Roper within thirty days. "
    "First class is allowed on sleeper trains only. Taxis are paid for after midnight."
)


def rate(encoder: Any, name: str, *, context: str = CONTEXT, question: str = "", answer: str = "") -> int:
    pair = CritiquedPair(context=context, question=question, answer=answer)
    (reply,) = HANDLERS[CRITIQUES[name].name](encoder, [pair])
    assert isinstance(reply.value, Rating)
    assert reply.value.reason
    return reply.value.rating


GOOD = "How much may staff of the Molde ferry office claim for each night away?"


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (GOOD, "How much may the staff of the Bergen bakery claim for breakfast?"),
        ("Who is the owner of the travel policy?", "Who is the printer of the travel policy?"),
        ("When is the next review of the travel policy?", "When was the travel policy printed in Oslo?"),
        (GOOD, "Travel, Molde."),
    ],
)
def test_question_groundedness(encoder: Any, better: str, worse: str) -> None:
    assert rate(encoder, "question_groundedness", question=better) > rate(
        encoder, "question_groundedness", question=worse
    )


def test_no_question_is_rated_1(encoder: Any) -> None:
    assert rate(encoder, "question_groundedness", question="Ferries sail.") == 1


@pytest.mark.parametrize(
    ("question", "better", "worse"),
    [
        (GOOD, "42 euros", "58 euros"),
        (GOOD, "Staff may claim 42 euros for each night away.", "Staff may bring a dog and a piano."),
        ("When are taxis paid for?", "After midnight.", "On Sundays in Lisbon."),
        ("How many days lie between the effective date and the next review?", "730 days", ""),
    ],
)
def test_answer_groundedness(encoder: Any, question: str, better: str, worse: str) -> None:
    good = rate(encoder, "answer_groundedness", question=question, answer=better)
    assert good >= 4
    assert good > rate(encoder, "answer_groundedness", question=question, answer=worse)


def test_a_wrong_computation_is_not_as_good_as_a_right_one(encoder: Any) -> None:
    question = "How many days lie between the effective from date and the next review date of the travel policy?"
    assert rate(encoder, "answer_groundedness", question=question, answer="730 days") == 5  # 4 May 2024 to 4 May 2026
    assert rate(encoder, "answer_groundedness", question=question, answer="12 days") <= 3


@pytest.mark.parametrize("worse", ["What is allowed?", "How much is it?", "Who owns the Lisbon tram museum?"])
def test_feasibility(encoder: Any, worse: str) -> None:
    assert rate(encoder, "feasibility", question=GOOD) >= 4
    assert rate(encoder, "feasibility", question=worse) <= 2


@pytest.mark.parametrize(
    ("question", "rating"),
    [
        (GOOD, 5),
        ("What does NIS2 require of a ferry operator?", 5),
        ("When was Ines Roper born, and where did she study?", 5),
        ("According to the passage, who owns the policy?", 1),
        ("What is described above?", 1),
        ("文中提到的负责人是谁？", 1),
        ("According to “news items 189”, who owns the Lisbon tram museum?", 1),
        ("In “faq.jsonl#3”, what does the fee cover?", 1),
        ("根据《news 12》，谁赢了？", 1),
        ("According to “Board meeting, 6 May”, who chaired?", 5),
        ("When did he leave?", 2),
        ("What did the company decide?", 2),
        ("What is the price?", 3),
    ],
)
def test_stand_alone(encoder: Any, question: str, rating: int) -> None:
    assert rate(encoder, "stand_alone", question=question) == rating


@pytest.mark.parametrize(
    "worse",
    [
        "What?",
        "How many rules are listed for the travel policy?",
        "What does the passage say of taxis and sleeper trains?",
        "Is first class allowed on sleeper trains in the travel policy?",
    ],
)
def test_question_usefulness(encoder: Any, worse: str) -> None:
    assert rate(encoder, "question_usefulness", question=GOOD) > rate(encoder, "question_usefulness", question=worse)


def test_context_usefulness(encoder: Any) -> None:
    # Three sentences with four terms or more (the last has three) and half of three keys: 4.5 of the 5 that a 4 needs.
    assert rate(encoder, "context_usefulness") == 3
    assert rate(encoder, "context_usefulness", context=CONTEXT + " " + CONTEXT) == 5
    assert rate(encoder, "context_usefulness", context="Contents\n\nPage 3\n") == 1
    assert rate(encoder, "context_usefulness", context="Staff may claim 42 euros for each night away.") < 3


@pytest.mark.parametrize(
    "worse",
    [
        "",
        "and then the office closed because nobody had",
        "if (a[0] == b) { return x->y; } /* <td> */ <tr><td>&nbsp;|</td></tr> {{#if}} {{/if}}",
        "Sta� m� claim 42 eu� for each night away from the Molde ferry office of the line, and",
        "Page 3",
    ],
)
def test_context_clarity(encoder: Any, worse: str) -> None:
    assert rate(encoder, "context_clarity") == 5
    assert rate(encoder, "context_clarity", context=worse) < 4


@pytest.mark.parametrize(
    ("answer", "rating"),
    [("42 euros", 5), ("Staff of the Molde ferry office may claim for each night away.", 1), ("", 1)],
)
def test_tautology(encoder: Any, answer: str, rating: int) -> None:
    assert rate(encoder, "tautology", question=GOOD, answer=answer) == rating


TEXT = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=60)


@given(context=TEXT, question=TEXT, answer=TEXT)
def test_any_text_gets_a_rating_with_a_reason(context: str, question: str, answer: str) -> None:
    pair = CritiquedPair(context=context, question=question, answer=answer)
    for name, task in CRITIQUES.items():
        if name != "answer_groundedness":  # the only one that asks the encoder
            (reply,) = HANDLERS[task.name](None, [pair])  # type: ignore[arg-type]
            assert reply.value is not None
            assert reply.value.reason
