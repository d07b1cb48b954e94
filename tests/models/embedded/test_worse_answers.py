from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ragassay.models.embedded.judging.clashes import clash
from ragassay.models.embedded.model import EmbeddedModel
from ragassay.tasks.worse_answers import GUESSED_ANSWER, INCOMPLETE_ANSWER, RightAnswer

CONTEXT = "Ines Halvorsen designed the Gannet Bridge. It was opened on 4 May 1998 at 08:30 and is 1,412 m long."


def asked(encoder: Any, task: Any, **inputs: Any) -> Any:
    return asyncio.run(EmbeddedModel(encoder).ask(task, RightAnswer(context=CONTEXT, **inputs)))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When was the Gannet Bridge opened?", "The Gannet Bridge was opened on 4 May 1998."),
        ("How long is the Gannet Bridge?", "The Gannet Bridge is 1,412 m long."),
        ("How far is it open?", "It is open to 62.5 percent."),
        ("加内特桥是哪一年开通的？", "加内特桥于1998年开通。"),
    ],
)
def test_values_that_the_question_does_not_give_are_replaced(encoder: Any, question: str, answer: str) -> None:
    worse = asked(encoder, GUESSED_ANSWER, question=question, answer=answer).value
    assert worse.how == "other numbers, dates and names"
    assert clash(worse.text, [answer], answer, question) is not None
    assert worse == asked(encoder, GUESSED_ANSWER, question=question, answer=answer).value


def test_an_answer_without_numbers_and_names_cannot_be_made_wrong_by_these_rules(encoder: Any) -> None:
    reply = asked(encoder, GUESSED_ANSWER, question="Why was it closed?", answer="It was closed after a storm.")
    assert (reply.value, reply.reason) == (
        None,
        "the answer has neither a number nor a name to put another in the place of",
    )


def test_half_of_the_sentences_or_entries_are_left_out(encoder: Any) -> None:
    two = asked(encoder, INCOMPLETE_ANSWER, question="q", answer="It opened in 1998. It is 412 m long.").value
    assert (two.text, two.how) == ("It opened in 1998.", "1 of 2 sentences left out")
    entries = asked(encoder, INCOMPLETE_ANSWER, question="q", answer="Pumps; seals; hoses").value
    assert (entries.text, entries.how) == ("Pumps", "2 of 3 entries left out")
    chinese = asked(encoder, INCOMPLETE_ANSWER, question="q", answer="桥于1998年开通。桥长四百米。").value
    assert chinese.text == "桥于1998年开通。"
    assert asked(encoder, INCOMPLETE_ANSWER, question="q", answer="It opened in 1998.").value is None
