"""Critiques and keypoints of a pair in one call: what the tasks of these names say one by one.

The label is told apart from them, by a labeller who does not see the answer (Know Your RAG, labels).
"""

from __future__ import annotations

from functools import lru_cache

from ragassay.tasks.base import pieces
from ragassay.tasks.critique import CRITIQUES, OF_ANSWERS, Pair
from ragassay.tasks.joint import JointTask, Part, joint_task
from ragassay.tasks.verdicts import KEYPOINTS, AnswerStatement, other_statements


class JudgedPair(Pair):
    """statements: what the answer was made from."""

    statements: tuple[str, ...] = ()


def _critiqued(inputs: JudgedPair) -> Pair:
    return Pair(context=inputs.context, question=inputs.question, answer=inputs.answer)


def _answer(inputs: JudgedPair) -> AnswerStatement:
    return AnswerStatement(question=inputs.question, answer=inputs.answer, statements=inputs.statements)


_BRIEF = {
    "question_groundedness": "can the context alone answer the question? 5: clearly and unambiguously. 3: in part, or "
    "with more than one reading. 1: not at all, or it is no question.",
    "answer_groundedness": "can the answer be inferred from the context alone, true or not? 5: all of it. 3: its main "
    "point. 1: nothing, or the context contradicts it.",
    "feasibility": "could a search with the question find the context among thousands? 5: it names what sets this one "
    "apart. 3: it fits a number alike. 1: it fits nearly any, or not this one.",
    "stand_alone": "does the question make sense where the context was not seen? 5: all it speaks of is named; jargon "
    "is fine. 3: one has to guess. 1: it points at a text or table that only its writer saw.",
    "question_usefulness": "to somebody who knows the field and searches it. 5: they may well need to know this. 1: it "
    "is trivial, or about wording or layout.",
    "context_usefulness": "5: several statements worth looking up. 3: one or two. 1: none: a menu or boilerplate.",
    "context_clarity": "5: whole sentences or clean tables, understood alone. 3: parts cut off or out of order. 1: "
    "debris.",
    "tautology": "5: all that the answer says is new. 3: half of it repeats the question. 1: it only repeats it.",
    "keypoints": "what another answer must say to be as complete, in its language: one necessary fact or conclusion, "
    "each with one condition, one sentence understood alone; usually one to five; nothing that the question says or "
    "the answer does not. It was made from the statements.",
}
_PARTS = {
    **{name: Part(task, _critiqued, _BRIEF[name]) for name, task in CRITIQUES.items()},
    "keypoints": Part(KEYPOINTS, _answer, _BRIEF["keypoints"]),
}
PARTS = tuple(_PARTS)
WITHOUT_ANSWER = tuple(name for name in PARTS if name not in OF_ANSWERS and name != "keypoints")
"""Parts that can be told where there is no reference answer."""


@lru_cache
def pair_judgement(names: tuple[str, ...] = PARTS) -> JointTask[JudgedPair]:
    """The task for some of the parts."""
    judged = (
        "question on a context, and its answer" if set(names) & {*OF_ANSWERS, "keypoints"} else "question on a context"
    )
    return joint_task(
        "pair_judgement",
        version=2,
        input_type=JudgedPair,
        head=f"You judge a {judged}. Decide each by itself. Ratings: 1 to 5; what is not explained lies between.",
        parts={name: _PARTS[name] for name in PARTS if name in names},
        material=pieces("context", "question", "answer", other_statements),
    )


PAIR_JUDGEMENT = pair_judgement()
