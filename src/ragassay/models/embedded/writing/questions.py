"""The embedded model's answers to the tasks of ``tasks/questions.py``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.languages import ENGLISH
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.reading.analysis import Analysis, analyse
from ragassay.models.embedded.unanswerable.kinds import OF_KIND, open_of_kinds
from ragassay.models.embedded.unanswerable.open import Open
from ragassay.models.embedded.unanswerable.records import open_of_records
from ragassay.models.embedded.unanswerable.tasks import open_of_tasks
from ragassay.models.small import roles
from ragassay.models.small.critic import HeadName, Pair
from ragassay.tasks.questions import MissCandidates, NearMisses, Question, StatementOnTheme
from ragassay.tasks.statements import Passage

NOT_ITS_OWN = "the embedded model asks only about statements that it found itself"


def _question(encoder: Encoder, inputs: Sequence[StatementOnTheme]) -> list[Reply[Question]]:
    """Return the question drafted with each statement, since rules find both together, and how good it is."""
    drafted = [on for on in inputs if on.statement.draft is not None]
    rated = iter(_rated(list(map(_drafted, drafted)), list(map(_rest_on, drafted))))
    return [Reply(next(rated)) if on.statement.draft is not None else Reply(None, NOT_ITS_OWN) for on in inputs]


def form_of(pattern: str) -> str:
    """The form by which the critic knows a question: all that ask of a kind have one."""
    return OF_KIND if pattern.startswith(f"{OF_KIND}_") else pattern


def _drafted(on: StatementOnTheme) -> Question:
    draft = on.statement.draft
    assert draft is not None
    return Question(question=draft.question, answer=draft.answer, pattern=draft.pattern, quality=draft.quality)


def _rest_on(on: StatementOnTheme) -> tuple[Passage, str]:
    return on.passage, " ".join(on.statement.quotes)


def _rated(
    questions: Sequence[Question], rest_on: Sequence[tuple[Passage, str]], of: HeadName = "answered"
) -> list[Question]:
    """Put the probability that a reader takes a question as its quality, where the critic can read it.

    rest_on: of each the passage, and what in it the answer is.
    """
    critic = roles.critic(of)
    rated = list(questions)
    read = [place for place, (passage, _) in enumerate(rest_on) if passage.language in ENGLISH]
    if critic is None or not read:
        return rated
    pairs = [
        Pair(rest_on[place][0].title, rest_on[place][1], rated[place].question, form_of(rated[place].pattern))
        for place in read
    ]
    for place, quality in zip(read, critic.taken(pairs), strict=True):
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
    for each in inputs:
        unique = {miss.question: miss.pattern for miss in _open(analyse(each.passage, each.theme), each.whole_document)}
        found.append([Question(question=asked, answer="", pattern=pattern) for asked, pattern in unique.items()])
    rest_on = [(each.passage, each.passage.text) for each, some in zip(inputs, found, strict=True) for _ in some]
    rated = iter(_rated([question for some in found for question in some], rest_on, "open"))
    return [Reply(NearMisses(items=tuple(islice(rated, len(some))))) for some in found]


HANDLERS: dict[str, Handler] = {"question": _question, "near_misses": _near_misses}
