"""What a judge is told for each metric, to the letter.

After a change that is meant, raise the version of the task and run: pytest tests/tasks/test_judged_prompts.py
--snapshot-update
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.contexts import HELPFUL_SENTENCES, HelpfulSentencesReply, QuestionOnContext
from ragassay.tasks.prompts import messages_for, system_text
from ragassay.tasks.verdicts import RELEVANCE, AnswerToQuestion, relevance_task

JUDGED = (
    "pair_judgement",
    "answer_judgement",
    "chunk_judgement",
    "answer_statements",
    "statement_verdicts",
    "answer_claims",
    "statement_inferences",
    "keypoint_verdicts",
    "answer_relevance",
    "context_usefulness",
    "helpful_sentences",
    "correctness",
    "block_ratings",
    "score_faithfulness",
    "score_answer_relevance",
    "score_context_relevance",
    "prefer_faithfulness",
    "prefer_answer_relevance",
    "prefer_context_relevance",
    "rubric",
)
CONTEXT = "The bridge opened in 1998. It is red. The toll is 3 crowns, paid on the north side."


@pytest.mark.parametrize("name", JUDGED)
def test_prompts_to_the_letter(name: str, sample: Callable[[str], Any], snapshot: Any) -> None:
    messages = messages_for(TASKS[name], sample(name).inputs)
    assert "\n\n=====\n\n".join(message.content for message in messages) == snapshot


@pytest.mark.parametrize(
    ("copied", "items", "foreign"),
    [
        (["The bridge opened in 1998."], ["The bridge opened in 1998."], []),
        # white space and case apart, and two sentences in one copy
        (["it is  red. The toll is 3 crowns, paid on the north side."], None, []),
        # most of a sentence stands for it, a word of it does not
        (["The toll is 3 crowns, paid on"], ["The toll is 3 crowns, paid on the north side."], []),
        (["north"], [], []),
        # what the context does not say counts nothing
        (["The bridge opened in 1999."], [], ["The bridge opened in 1999."]),
        (["It is red.", "It is red.", " "], ["It is red."], []),
        ([], [], []),
    ],
)
def test_only_copied_sentences_count(copied: list[str], items: list[str] | None, foreign: list[str]) -> None:
    reply = HelpfulSentencesReply(reason="r", sentences=tuple(copied))
    found = HELPFUL_SENTENCES.to_output(QuestionOnContext(question="?", context=CONTEXT), reply)
    wanted = items if items is not None else ["It is red.", "The toll is 3 crowns, paid on the north side."]
    assert (list(found.items), list(found.foreign)) == (wanted, foreign)


def test_as_many_questions_as_asked_for() -> None:
    assert relevance_task(3) is RELEVANCE
    five = relevance_task(5)
    assert "Write 5 different questions" in system_text(five)
    assert "- questions (list of texts): exactly 5" in system_text(five)
    assert "Write one question" in system_text(relevance_task(1))
    reply = {"questions": ["a?", "b?", "c?", "d?"], "reason": "r", "committal": True}
    with pytest.raises(ValueError, match="5 different questions are to be written, and there are 4"):
        five.to_output(AnswerToQuestion(question="?", answer="a"), five.filled_in.model_validate(reply))
    assert list(five.filled_in.model_fields) == ["questions", "reason", "committal"]
    with pytest.raises(ValueError, match="0 questions"):
        relevance_task(0)
