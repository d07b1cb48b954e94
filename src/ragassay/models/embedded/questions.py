"""The embedded model's answers to the tasks of ``tasks/questions.py``."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.analysis import analyse
from ragassay.models.embedded.missing_keys import missing_keys
from ragassay.models.embedded.prose.gaps import gap_drafts
from ragassay.models.small import roles
from ragassay.models.small.writer import Sentence, Written
from ragassay.tasks.questions import MissCandidates, NearMisses, Question, StatementOnTheme
from ragassay.tasks.statements import Passage, QuestionDraft


def _question(encoder: Encoder, inputs: Sequence[StatementOnTheme]) -> list[Reply[Question]]:
    """The question that was drafted with the statement; those on prose in the writer's words."""
    drafts = [each.statement.draft for each in inputs]
    mended = _mended([each for each, draft in zip(inputs, drafts, strict=True) if _is_of_prose(draft)])
    replies: list[Reply[Question]] = []
    for draft in drafts:
        if draft is None:
            replies.append(Reply(None, "the embedded model asks only about statements that it found itself"))
        elif _is_of_prose(draft):
            replies.append(next(mended))
        else:
            replies.append(Reply(_as_drafted(draft)))
    return replies


def _is_of_prose(draft: QuestionDraft | None) -> bool:
    return draft is not None and draft.quality is not None


def _as_drafted(draft: QuestionDraft) -> Question:
    return Question(question=draft.question, answer=draft.answer, pattern=draft.pattern, quality=draft.quality)


def _mended(inputs: Sequence[StatementOnTheme]) -> Iterator[Reply[Question]]:
    """The drafts as the writer puts them, or as they are where the small language model is off."""
    writer = roles.writer()
    drafts = [each.statement.draft for each in inputs if each.statement.draft is not None]
    if writer is None:
        yield from (Reply(_as_drafted(draft)) for draft in drafts)
        return
    sentences = [
        Sentence(
            each.passage.title, " > ".join(each.passage.section), each.passage.text, " ".join(each.statement.quotes)
        )
        for each in inputs
    ]
    written = writer.mend(sentences, [draft.question for draft in drafts])
    for each, draft, found in zip(inputs, drafts, written, strict=True):
        if found is None:
            yield Reply(None, "the writer finds no question in it that is worth asking")
        else:
            yield Reply(_reworded(each, draft, found))


def _reworded(asked: StatementOnTheme, draft: QuestionDraft, found: Written) -> Question:
    """The mended question with the draft's answer where it asks for the same; else with the whole statement."""
    same = found.question.split()[0].lower() in draft.question.lower().split()
    quality = (draft.quality or 0.0) * math.exp(found.likelihood)
    return Question(
        question=found.question,
        answer=draft.answer if same else asked.statement.text.rstrip("."),
        pattern=draft.pattern,
        quality=quality,
    )


GAP_EVERY = 4
"""Of so many passages the writer reads one for what it leaves open: reading takes half a second."""
GAP_CANDIDATES = 3
GAP_PATTERN = "written"


def _written_gaps(inputs: Sequence[MissCandidates]) -> dict[int, list[Question]]:
    """Number of a passage to the questions that the writer thinks it leaves open; the judge checks them."""
    writer = roles.writer()
    if writer is None:
        return {}
    numbers = [number for number, each in enumerate(inputs) if _is_read(each.passage)]
    passages = [inputs[number].passage for number in numbers]
    sentences = [Sentence(each.title, " > ".join(each.section), each.text, each.text[:200]) for each in passages]
    found = writer.ask_missing(sentences, GAP_CANDIDATES)
    return {
        number: [
            Question(
                question=one.question,
                answer="",
                pattern=_pattern_of_gap(one.question),
                quality=math.exp(one.likelihood),
            )
            for one in several
        ]
        for number, several in zip(numbers, found, strict=True)
    }


def _is_read(passage: Passage) -> bool:
    """One passage in ``GAP_EVERY``, by its text alone."""
    return hashlib.sha256(passage.text.encode("utf-8", "replace")).digest()[0] % GAP_EVERY == 0


def _pattern_of_gap(question: str) -> str:
    """A pattern for each way to begin, so that a set does not read monotonously: written_how_long."""
    return "_".join([GAP_PATTERN, *question.lower().split()[:2]])


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
    written = _written_gaps(inputs)
    for number, (each, drafts) in enumerate(zip(inputs, prose, strict=True)):
        misses = missing_keys(analyse(each.passage, each.theme), each.whole_document)
        items = [Question(question=miss.question, answer="", pattern=miss.pattern) for miss in misses]
        items += [
            Question(question=draft.question, answer="", pattern=draft.form, quality=draft.worth)
            for draft in drafts[:MOST_GAPS]
        ]
        items += written.get(number, ())
        unique = {item.question: item for item in items}
        replies.append(Reply(NearMisses(items=tuple(unique.values()))))
    return replies


HANDLERS = {"question": _question, "near_misses": _near_misses}
