"""The critiques that the embedded model rates, in English and Chinese, and those that it leaves to a language model."""

from __future__ import annotations

from typing import Any

import pytest

from ragassay.models.base import Reply
from ragassay.models.embedded.judging.critique import HANDLERS
from ragassay.tasks.critique import CRITIQUES, NO_RULE, Pair, Rating

CONTEXT = (
    "Travel policy\n\nOwner: Ines Roper\nEffective from: 4 May 2024\nNext review: 4 May 2026\n\n"
    "Staff of the Molde ferry office may claim 42 euros for each night away. Claims are sent to "
    "Ines Roper within thirty days. "
    "First class is allowed on sleeper trains only. Taxis are paid for after midnight."
)
CHINESE = "云杉航运有限公司成立于1998年6月，总部设在宁海。公司的董事长是孟书远。营业收入为9.6亿元，净利润为0.8亿元。"
GOOD = "How much may staff of the Molde ferry office claim for each night away?"
DAYS = "How many days lie between the effective from date and the next review date of the travel policy?"
RATED = ("question_groundedness", "answer_groundedness", "stand_alone", "tautology")


def reply(encoder: Any, name: str, question: str = "", answer: str = "") -> Reply[Rating]:
    context = CONTEXT if question.isascii() else CHINESE
    pair = Pair(context=context, question=question, answer=answer)
    (found,) = HANDLERS[CRITIQUES[name].name](encoder, [pair])
    return found


def rate(encoder: Any, name: str, question: str = "", answer: str = "") -> int:
    found = reply(encoder, name, question, answer).value
    assert found is not None
    assert found.reason
    return found.rating


@pytest.mark.parametrize(
    ("question", "rating"),
    [
        (GOOD, 5),
        ("When was the travel policy printed in Oslo?", 1),
        ("云杉航运有限公司的总部设在哪里？", 5),
        ("云杉航运有限公司的船员培训由哪个学院负责？", 1),
    ],
)
def test_question_groundedness(encoder: Any, question: str, rating: int) -> None:
    assert rate(encoder, "question_groundedness", question) == rating


@pytest.mark.parametrize(
    ("question", "answer", "rating"),
    [
        (GOOD, "58 euros", 1),
        (GOOD, "Staff of the Molde ferry office may claim 42 euros for each night away.", 5),
        (GOOD, "Staff may claim 42 euros for each night away. Staff may bring a dog and a piano.", 3),  # 1 of 2
        (DAYS, "12 days", 3),  # nothing reckons
        ("云杉航运有限公司的董事长是谁？", "孟书远", 5),
        ("云杉航运有限公司的营业收入比净利润多多少？", "多8.8亿元。", 3),
    ],
)
def test_answer_groundedness(encoder: Any, question: str, answer: str, rating: int) -> None:
    assert rate(encoder, "answer_groundedness", question, answer) == rating


@pytest.mark.parametrize(
    ("question", "rating"),
    [
        (GOOD, 5),
        ("According to the passage, who owns the policy?", 1),
        ("文中提到的负责人是谁？", 1),
        ("According to “news items 189”, who owns the Lisbon tram museum?", 1),
        ("According to “Board meeting, 6 May”, who chaired?", 5),
        ("When did he leave?", 2),
        ("What is the price?", 3),
        ("云杉航运有限公司的董事长是谁？", 5),
    ],
)
def test_stand_alone(encoder: Any, question: str, rating: int) -> None:
    assert rate(encoder, "stand_alone", question) == rating


@pytest.mark.parametrize("name", sorted(CRITIQUES.keys() - set(RATED)))
def test_what_no_rule_decides_is_left_to_a_language_model(encoder: Any, name: str) -> None:
    assert reply(encoder, name, GOOD, "42 euros") == Reply(None, NO_RULE)
