"""The embedded model's answers to the tasks of ``tasks/questions.py``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.languages import ENGLISH
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.reading.analysis import Analysis, analyse
from ragassay.models.embedded.unanswerable.kinds import open_of_kinds
from ragassay.models.embedded.unanswerable.open import Open
from ragassay.models.embedded.unanswerable.records import open_of_records
from ragassay.models.embedded.unanswerable.tasks import open_of_tasks
from ragassay.models.small import roles
from ragassay.models.small.likelihood import Pair
from ragassay.tasks.questions import MissCandidates, NearMisses, Question, StatementOnTheme

OPEN_TAKEN = 0.25
"""Share of such questions that strict readers took as they stood (12 of 48); nothing that was tried orders them."""
NOT_ITS_OWN = "the embedded model asks only about statements that it found itself"


def _question(encoder: Encoder, inputs: Sequence[StatementOnTheme]) -> list[Reply[Question]]:
    """Return the question drafted with each statement, since rules find both together, and how good it is."""
    drafted = [on for on in inputs if on.statement.draft is not None]
    rated = iter(_rated(list(map(_drafted, drafted)), drafted))
    return [Reply(next(rated)) if on.statement.draft is not None else Reply(None, NOT_ITS_OWN) for on in inputs]


def _drafted(on: StatementOnTheme) -> Question:
    draft = on.statement.draft
    assert draft is not None
    return Question(question=draft.question, answer=draft.answer, pattern=draft.pattern, quality=draft.quality)


def _rated(questions: Sequence[Question], on: Sequence[StatementOnTheme]) -> list[Question]:
    """Put the probability that a reader takes a question as its quality, where the parse asked.

    What a document's structure asks keeps its own: the scale was fitted on questions of the parse.
    """
    rater = roles.likelihood()
    rated = list(questions)
    read = [
        place
        for place, (question, each) in enumerate(zip(questions, on, strict=True))
        if question.quality is not None and each.passage.language in ENGLISH
    ]
    if rater is None or not read:
        return rated
    pairs = [
        Pair(on[place].passage.title, " ".join(on[place].statement.quotes), rated[place].question) for place in read
    ]
    for place, quality in zip(read, rater.taken(pairs), strict=True):
        rated[place] = rated[place].model_copy(update={"quality": quality})
    return rated


def _open(analysis: Analysis, whole_document: bool) -> Iterator[Open]:
    """What a passage may leave open; some of it can be asked only where the passage is the whole document."""
    if whole_document:
        yield from open_of_kinds(analysis)
        yield from open_of_records(analysis)
    yield from open_of_tasks(analysis)


def _near_misses(encoder: Encoder, inputs: Sequence[MissCandidates]) -> list[Reply[NearMisses]]:
    found: list[list[Question]] = []
    quality = OPEN_TAKEN if roles.is_on() else None
    for each in inputs:
        unique = {miss.question: miss.pattern for miss in _open(analyse(each.passage, each.theme), each.whole_document)}
        found.append(
            [Question(question=asked, answer="", pattern=pattern, quality=quality) for asked, pattern in unique.items()]
        )
    return [Reply(NearMisses(items=tuple(some))) for some in found]


HANDLERS: dict[str, Handler] = {"question": _question, "near_misses": _near_misses}
