"""The embedded model's answers to the tasks of ``tasks/questions.py``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.languages import ENGLISH
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.prose.forms import FORMS
from ragassay.models.embedded.reading.analysis import Analysis, analyse
from ragassay.models.embedded.unanswerable.kinds import OF_KIND, open_of_kinds
from ragassay.models.embedded.unanswerable.open import Open
from ragassay.models.embedded.unanswerable.records import open_of_records
from ragassay.models.embedded.unanswerable.tasks import open_of_tasks
from ragassay.models.small import roles
from ragassay.models.small.asked import taken
from ragassay.models.small.critic import HeadName, Pair
from ragassay.models.small.writer import Likelihood, Wanted, Writer, asks_yes_or_no
from ragassay.tasks.questions import MissCandidates, NearMisses, Question, StatementOnTheme
from ragassay.tasks.statements import Passage

ANEW = "asked"
"""Form of what the writer asks."""
NOT_WORTH_ASKING = "the writer asks nothing that this answers"


class Option(NamedTuple):
    """A question that may be asked. likelihood: where the writer wrote it, who is the better judge of it then."""

    question: Question
    likelihood: Likelihood | None = None


def _question(encoder: Encoder, inputs: Sequence[StatementOnTheme]) -> list[Reply[Question]]:
    """The question that was drafted with the statement, since rules find both together, and how good it is.

    Of a plain sentence the writer asks instead, in several ways, of which the one is taken that a reader takes most
    likely.
    """
    writer = roles.writer()
    plain = [each for each in inputs if writer is not None and is_plain(each)]
    anew = dict(zip(map(id, plain), [] if writer is None else asked_anew(writer, plain), strict=True))
    options = [
        (each, option)
        for each in inputs
        if each.statement.draft is not None
        for option in (anew[id(each)] if id(each) in anew else [Option(_drafted(each))])
    ]
    rated = _rated([option for _, option in options], [_rest_on(each) for each, _ in options])
    best: dict[int, Question] = {}
    for (each, _), question in zip(options, rated, strict=True):
        if id(each) not in best or (question.quality or 0.0) > (best[id(each)].quality or 0.0):
            best[id(each)] = question
    return [Reply(best[id(each)]) if id(each) in best else Reply(None, _why_none(each)) for each in inputs]


def _why_none(on: StatementOnTheme) -> str:
    is_own = on.statement.draft is not None
    return NOT_WORTH_ASKING if is_own else "the embedded model asks only about statements that it found itself"


def is_plain(on: StatementOnTheme) -> bool:
    """Whether a statement is a plain sentence in English, of which the parse asked.

    What other rules found, which rate nothing, keeps its question, also under the name of a form.
    """
    draft = on.statement.draft
    return draft is not None and draft.quality is not None and draft.pattern in FORMS and on.passage.language in ENGLISH


def asked_anew(writer: Writer, plain: Sequence[StatementOnTheme]) -> list[list[Option]]:
    """For each plain sentence the writer's questions for the answer that it came with, the likeliest first.

    The whole statement is the answer, unless that is yes or no or the parse asks the same: the writer often asks for
    more or less than the words given.
    """
    drafts = list(map(_drafted, plain))
    wanted = [
        Wanted(
            each.passage.title,
            " > ".join(each.passage.section),
            each.passage.text,
            " ".join(each.statement.quotes),
            draft.answer,
        )
        for each, draft in zip(plain, drafts, strict=True)
    ]
    return [
        [Option(_worded(each, draft, asked), likelihood) for asked, likelihood in found]
        for each, draft, found in zip(plain, drafts, writer.ask(wanted), strict=True)
    ]


def _worded(on: StatementOnTheme, draft: Question, asked: str) -> Question:
    is_same = asked.casefold() == draft.question.casefold()
    answer = draft.answer if is_same or asks_yes_or_no(asked) else on.statement.text
    return Question(question=asked, answer=answer, pattern=pattern_of(asked), quality=draft.quality)


def pattern_of(question: str) -> str:
    """A pattern for each way to begin, so that a set does not read monotonously: asked_how_long."""
    return "_".join([ANEW, *question.lower().split()[:2]])


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
    options: Sequence[Option], rest_on: Sequence[tuple[Passage, str]], of: HeadName = "answered"
) -> list[Question]:
    """With the probability that a reader takes it as its quality.

    Of what the writer asked by how it asked, of others by the critic, where that can read them.
    rest_on: of each the passage, and what in it the answer is.
    """
    critic = roles.critic(of)
    found = [option.question for option in options]
    read: list[int] = []
    for place, ((question, likelihood), (passage, stated)) in enumerate(zip(options, rest_on, strict=True)):
        if likelihood is not None:
            quality = taken(question.question, stated, passage.title, likelihood)
            found[place] = question.model_copy(update={"quality": quality})
        elif critic is not None and passage.language in ENGLISH:
            read.append(place)
    if critic is None or not read:
        return found
    pairs = [
        Pair(passage.title, stated, found[place].question, form_of(found[place].pattern))
        for place in read
        for passage, stated in (rest_on[place],)
    ]
    for place, quality in zip(read, critic.taken(pairs), strict=True):
        found[place] = found[place].model_copy(update={"quality": quality})
    return found


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
    rated = iter(_rated([Option(question) for some in found for question in some], rest_on, "open"))
    return [Reply(NearMisses(items=tuple(islice(rated, len(some))))) for some in found]


HANDLERS: dict[str, Handler] = {"question": _question, "near_misses": _near_misses}
