"""The embedded answers to the tasks of judged metrics: in order of what is plainly better, and none where rules end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ragassay.models.embedded.model import EmbeddedModel
from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.contexts import HELPFUL_SENTENCES, QuestionOnContext
from ragassay.tasks.ratings import BLOCK_RATINGS, AnswerOnBlock, Candidates, QualityCase

QUESTION = "When was the Gannet Bridge opened?"
BLOCK = "The Gannet Bridge is 412 m long. The Gannet Bridge was opened in May 1998. A ferry ran before it."
RIGHT, WRONG, SILENT = (
    "The Gannet Bridge was opened in May 1998.",
    "A painter of Ribe bought nine horses.",
    "I do not know.",
)


def asked(encoder: Any, task: Any, *inputs: Any) -> list[Any]:
    return [reply.value for reply in asyncio.run(EmbeddedModel(encoder).ask_all(task, inputs))]


def test_sentences_near_the_question_come_in_their_order(encoder: Any) -> None:
    found, nothing = asked(
        encoder,
        HELPFUL_SENTENCES,
        QuestionOnContext(question=QUESTION, context=BLOCK),
        QuestionOnContext(question=QUESTION, context=""),
    )
    assert "The Gannet Bridge was opened in May 1998." in found.items
    assert "A ferry ran before it." not in found.items
    assert (nothing.items, nothing.reason) == ((), "0 of 0 sentences are near the question in words and meaning")


def test_right_answers_are_rated_above_wrong_ones(encoder: Any) -> None:
    right, wrong, silent = asked(
        encoder,
        BLOCK_RATINGS,
        *(AnswerOnBlock(question=QUESTION, answer=text, block=BLOCK) for text in (RIGHT, WRONG, SILENT)),
    )
    assert 5 >= right.truthfulness > wrong.truthfulness >= 1
    assert 5 >= right.relevance > wrong.relevance > silent.relevance >= 1
    assert round(silent.relevance) == 1


@pytest.mark.parametrize("name", [name for name in TASKS if name.startswith(("score_", "prefer_"))])
def test_where_rules_end_there_is_no_value(name: str, encoder: Any) -> None:
    inputs = {
        "score": QualityCase(question=QUESTION, answer=RIGHT, context=BLOCK),
        "prefer": Candidates(question=QUESTION, first=RIGHT, second=WRONG),
    }[name.partition("_")[0]]
    (reply,) = asyncio.run(EmbeddedModel(encoder).ask_all(TASKS[name], [inputs]))
    assert reply.value is None
    assert "name a language model with --model" in str(reply.reason)
