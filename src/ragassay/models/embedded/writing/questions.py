"""The embedded model's answers to the tasks of ``tasks/questions.py``."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.reading.analysis import analyse
from ragassay.models.embedded.unanswerable.near_miss_rules import near_misses
from ragassay.tasks.questions import MissCandidates, NearMisses, Question, StatementOnTheme


def _question(encoder: Encoder, inputs: Sequence[StatementOnTheme]) -> list[Reply[Question]]:
    """The question that was drafted with the statement: rules find both together."""
    replies: list[Reply[Question]] = []
    for each in inputs:
        draft = each.statement.draft
        if draft is None:
            replies.append(Reply(None, "the embedded model asks only about statements that it found itself"))
        else:
            replies.append(
                Reply(
                    Question(question=draft.question, answer=draft.answer, pattern=draft.pattern, quality=draft.quality)
                )
            )
    return replies


def _near_misses(encoder: Encoder, inputs: Sequence[MissCandidates]) -> list[Reply[NearMisses]]:
    replies: list[Reply[NearMisses]] = []
    for each in inputs:
        misses = near_misses(analyse(each.passage, each.theme), each.whole_document)
        unique = {miss.question: miss for miss in misses}
        items = tuple(Question(question=miss.question, answer="", pattern=miss.pattern) for miss in unique.values())
        replies.append(Reply(NearMisses(items=items)))
    return replies


HANDLERS: dict[str, Handler] = {"question": _question, "near_misses": _near_misses}
