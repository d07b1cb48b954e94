"""What a judged answer costs: prompts are short, so that most tokens are the user's own texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ragassay.tasks.base import TaskData
from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.contexts import AnswerFromChunks
from ragassay.tasks.prompts import messages_for
from ragassay.tasks.verdicts import AnswerToQuestion, StatementsOnContext

CHARS_PER_TOKEN = 4

# An answer of three sentences, and three chunks as long as a paragraph of a manual, about 90 words.
QUESTION = "What does the harbour handbook say about mooring lines in winter, in the section on frozen rope?"
SENTENCES = (
    "A mooring line that has frozen overnight is thawed with sea water before anybody puts weight on it.",
    "Lines older than four winters are taken out of use, whatever they look like from the outside.",
    "The watch officer writes the state of every line into the deck log at six in the morning.",
)
CHUNK = f"""{" ".join(SENTENCES)} Where the quay is higher than the deck, the spring line takes most of the load, and it
is the first one to be looked at when the wind turns to the north; its chafing gear is moved along twice a watch."""


def tokens(asked: Sequence[tuple[str, TaskData]]) -> float:
    def chars(name: str, inputs: Any) -> int:
        return sum(len(message.content) for message in messages_for(TASKS[name], inputs))

    return sum(chars(name, inputs) for name, inputs in asked) / CHARS_PER_TOKEN


def test_three_metrics_of_an_answer_take_under_2200_prompt_tokens() -> None:
    answer = " ".join(SENTENCES)
    chunks = tuple(f"{place}. {CHUNK}" for place in ("Quay", "Pier", "Slip"))
    asked = AnswerToQuestion(question=QUESTION, answer=answer)
    on_context = StatementsOnContext(question=QUESTION, statements=SENTENCES * 2, context="\n\n".join(chunks))
    calls: list[tuple[str, TaskData]] = [
        ("answer_statements", asked),
        ("statement_verdicts", on_context),
        ("answer_relevance", asked),
        ("context_usefulness", AnswerFromChunks(question=QUESTION, answer=answer, chunks=chunks)),
    ]
    assert tokens(calls) < 2200
