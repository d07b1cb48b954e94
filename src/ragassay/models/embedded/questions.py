"""The embedded model's answers to the tasks of ``tasks/questions.py``."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.analysis import analyse
from ragassay.models.embedded.missing_keys import missing_keys
from ragassay.models.embedded.prose.gaps import gap_drafts
from ragassay.tasks.questions import MissCandidates, NearMisses, Question, StatementOnTheme


def _question(encoder: Encoder, inputs: Sequence[StatementOnTheme]) -> list[Reply[Question]]:
    """The question that was drafted with the statement: rules find both together."""
    replies: list[Reply[Question]] = []
    for each in inputs:
        draft = each.statement.draft
        if draft is None:
            replies.append(Reply(None, "the embedded model asks only about statements that it found itself"))
        else:
            question = Question(
                question=draft.question, answer=draft.answer, pattern=draft.pattern, quality=draft.quality
            )
            replies.append(Reply(question))
    return replies


MOST_GAPS = 6
"""Open questions of one passage that go on: the most natural ones."""


def _near_misses(encoder: Encoder, inputs: Sequence[MissCandidates]) -> list[Reply[NearMisses]]:
    prose = gap_drafts(
        [each.passage for each in inputs],
        [each.theme for each in inputs],
        [each.document or each.passage.text for each in inputs],
        encoder=encoder.encode,
    )
    replies: list[Reply[NearMisses]] = []
    for each, drafts in zip(inputs, prose, strict=True):
        misses = missing_keys(analyse(each.passage, each.theme), each.whole_document)
        items = [Question(question=miss.question, answer="", pattern=miss.pattern) for miss in misses]
        items += [
            Question(question=draft.question, answer="", pattern=draft.form, quality=draft.worth)
            for draft in drafts[:MOST_GAPS]
        ]
        unique = {item.question: item for item in items}
        replies.append(Reply(NearMisses(items=tuple(unique.values()))))
    return replies


HANDLERS = {"question": _question, "near_misses": _near_misses}
