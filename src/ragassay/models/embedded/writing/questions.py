"""The embedded model's answers to the tasks of ``tasks/questions.py``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.reading.analysis import analyse
from ragassay.models.embedded.unanswerable.near_miss_rules import near_misses
from ragassay.models.embedded.writing.statements import ENGLISH
from ragassay.models.small import roles
from ragassay.models.small.critic import Pair
from ragassay.tasks.questions import MissCandidates, NearMisses, Question, StatementOnTheme
from ragassay.tasks.statements import Passage


def _question(encoder: Encoder, inputs: Sequence[StatementOnTheme]) -> list[Reply[Question]]:
    """The question that was drafted with the statement, since rules find both together, and how good it is."""
    drafts = [each.statement.draft for each in inputs]
    asked = [
        Question(question=draft.question, answer=draft.answer, pattern=draft.pattern, quality=draft.quality)
        for draft in drafts
        if draft is not None
    ]
    drafted = [each for each in inputs if each.statement.draft is not None]
    rated = iter(_rated(asked, [(each.passage, " ".join(each.statement.quotes)) for each in drafted]))
    unknown: Reply[Question] = Reply(None, "the embedded model asks only about statements that it found itself")
    return [unknown if draft is None else Reply(next(rated)) for draft in drafts]


def _rated(questions: Sequence[Question], rest_on: Sequence[tuple[Passage, str]]) -> list[Question]:
    """With the critic's quality, where it can read them. rest_on: of each the passage, and what in it the answer is."""
    critic = roles.critic()
    read = [place for place, (passage, _) in enumerate(rest_on) if critic is not None and passage.language in ENGLISH]
    if critic is None or not read:
        return list(questions)
    pairs = [
        Pair(passage.title, stated, asked.question, asked.answer, asked.pattern)
        for (passage, stated), asked in ((rest_on[place], questions[place]) for place in read)
    ]
    found = list(questions)
    for place, quality in zip(read, critic.taken(pairs), strict=True):
        found[place] = questions[place].model_copy(update={"quality": quality})
    return found


def _near_misses(encoder: Encoder, inputs: Sequence[MissCandidates]) -> list[Reply[NearMisses]]:
    found: list[list[Question]] = []
    for each in inputs:
        misses = near_misses(analyse(each.passage, each.theme), each.whole_document)
        unique = {miss.question: miss.pattern for miss in misses}
        found.append([Question(question=asked, answer="", pattern=pattern) for asked, pattern in unique.items()])
    rest_on = [(each.passage, each.passage.text) for each, some in zip(inputs, found, strict=True) for _ in some]
    rated = iter(_rated([question for some in found for question in some], rest_on))
    return [Reply(NearMisses(items=tuple(islice(rated, len(some))))) for some in found]


HANDLERS: dict[str, Handler] = {"question": _question, "near_misses": _near_misses}
