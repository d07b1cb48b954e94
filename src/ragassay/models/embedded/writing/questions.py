"""The embedded model's answers to the tasks of ``tasks/questions.py``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.languages import ENGLISH
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.prose.forms import FORMS
from ragassay.models.embedded.reading.analysis import analyse
from ragassay.models.embedded.unanswerable.near_miss_rules import near_misses
from ragassay.models.small import roles
from ragassay.models.small.critic import Pair
from ragassay.models.small.writer import Wanted, Writer, asks_yes_or_no
from ragassay.tasks.questions import MissCandidates, NearMisses, Question, StatementOnTheme
from ragassay.tasks.statements import Passage

ANEW = "asked"
"""Form of what the writer asks."""


def _question(encoder: Encoder, inputs: Sequence[StatementOnTheme]) -> list[Reply[Question]]:
    """The question that was drafted with the statement, since rules find both together, and how good it is.

    Of a plain sentence the writer asks, too; the question that the critic likes better is taken.
    """
    writer = roles.writer()
    plain = [each for each in inputs if writer is not None and is_plain(each)]
    asked = [] if writer is None else asked_anew(writer, plain)
    anew = {id(each): question for each, question in zip(plain, asked, strict=True) if question is not None}
    drafted = [(each, _drafted(each)) for each in inputs if each.statement.draft is not None]
    all_ = [(each, question) for each, draft in drafted for question in (draft, anew.get(id(each))) if question]
    rated = _rated([question for _, question in all_], [_rest_on(each) for each, _ in all_])
    best: dict[int, Question] = {}
    for (each, _), question in zip(all_, rated, strict=True):
        if id(each) not in best or (question.quality or 0.0) > (best[id(each)].quality or 0.0):
            best[id(each)] = question
    unknown: Reply[Question] = Reply(None, "the embedded model asks only about statements that it found itself")
    return [Reply(best[id(each)]) if id(each) in best else unknown for each in inputs]


def is_plain(on: StatementOnTheme) -> bool:
    """Whether a statement is a plain sentence in English, of which the parse asked."""
    draft = on.statement.draft
    return draft is not None and draft.pattern in FORMS and on.passage.language in ENGLISH


def asked_anew(writer: Writer, plain: Sequence[StatementOnTheme]) -> list[Question | None]:
    """For each plain sentence the writer's question for the answer that it came with.

    The whole statement is the answer, unless that is yes or no: it often asks for more or less than the words given.
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
        None
        if found is None
        else Question(
            question=found,
            answer=draft.answer if asks_yes_or_no(found) else each.statement.text,
            pattern=pattern_of(found),
            quality=draft.quality,
        )
        for each, draft, found in zip(plain, drafts, writer.ask(wanted), strict=True)
    ]


def pattern_of(question: str) -> str:
    """A pattern for each way to begin, so that a set does not read monotonously: asked_how_long."""
    return "_".join([ANEW, *question.lower().split()[:2]])


def _form_of(pattern: str) -> str:
    """The form by which the critic knows a question: all that the writer asks have one."""
    return ANEW if pattern.startswith(f"{ANEW}_") else pattern


def _drafted(on: StatementOnTheme) -> Question:
    draft = on.statement.draft
    assert draft is not None
    return Question(question=draft.question, answer=draft.answer, pattern=draft.pattern, quality=draft.quality)


def _rest_on(on: StatementOnTheme) -> tuple[Passage, str]:
    return on.passage, " ".join(on.statement.quotes)


def _rated(questions: Sequence[Question], rest_on: Sequence[tuple[Passage, str]]) -> list[Question]:
    """With the critic's quality, where it can read them. rest_on: of each the passage, and what in it the answer is."""
    critic = roles.critic()
    read = [place for place, (passage, _) in enumerate(rest_on) if critic is not None and passage.language in ENGLISH]
    if critic is None or not read:
        return list(questions)
    pairs = [
        Pair(passage.title, stated, asked.question, _form_of(asked.pattern))
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
