"""Drafts of questions on plain sentences: those of the parse, put into people's words by the small language model.

A person has to mend most of them (``docs/decisions/questions-on-prose.md``).
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.prose.facts import FactDraft, fact_drafts, quality
from ragassay.models.embedded.prose.summaries import summary_drafts
from ragassay.models.embedded.writing import statements
from ragassay.models.small import roles
from ragassay.models.small.writer import Sentence, Writer, Written
from ragassay.tasks.questions import MissCandidates, NearMisses, Question, StatementOnTheme
from ragassay.tasks.statements import (
    Passage,
    PassageFacts,
    PassageOnTheme,
    QuestionDraft,
    Statement,
    Statements,
    Theme,
)

Handler = Callable[[Encoder, Sequence[Any]], list[Reply[Any]]]

BEHIND_RULES = 0.45
"""Factor of the quality of these questions: questions by rules, beside which a writer of one's own
(``writing/adapted.py``) puts them, count as one half, and readers accept more of those."""
MOST_OF_A_PASSAGE = 16
"""Drafts of one passage and label that go on: the best ones, one for each sentence first."""
WORTH_TRYING = 0.3
"""Least quality of a fact that goes on, unless the passage has fewer than ``FEWEST``."""
FEWEST = 4
WORDS = range(4, 36)
"""Of a draft; what the writer makes of it is shorter."""


def _theme(encoder: Encoder, inputs: Sequence[Passage]) -> list[Reply[Theme]]:
    """As by rules, or the title of an English document, whatever it is: its questions need not name it."""
    found = statements.HANDLERS["theme"](encoder, inputs)
    return [
        Reply(Theme(text=passage.title.strip()))
        if reply.value is None and passage.title.strip() and passage.language in ("en", "und")
        else reply
        for passage, reply in zip(inputs, found, strict=True)
    ]


def _facts(encoder: Encoder, inputs: Sequence[PassageOnTheme]) -> list[Reply[Statements]]:
    drafts = fact_drafts([each.passage for each in inputs], [each.theme for each in inputs])
    return [_found(each.passage, _tried(some)) for each, some in zip(inputs, drafts, strict=True)]


def _summaries(encoder: Encoder, inputs: Sequence[PassageFacts]) -> list[Reply[Statements]]:
    drafts = summary_drafts([each.passage for each in inputs], [each.theme for each in inputs])
    return [_found(each.passage, some) for each, some in zip(inputs, drafts, strict=True)]


def _conclusions(encoder: Encoder, inputs: Sequence[PassageFacts]) -> list[Reply[Statements]]:
    """None: nothing is drafted that would have to be inferred."""
    return [Reply(Statements(items=())) for _ in inputs]


def _found(passage: Passage, drafts: Sequence[FactDraft]) -> Reply[Statements]:
    return Reply(Statements(items=tuple(_statement(passage, draft) for draft in drafts[:MOST_OF_A_PASSAGE])))


def _tried(drafts: Sequence[FactDraft]) -> list[FactDraft]:
    """Drafts that are worth a try, the best of every sentence first."""
    unique = {draft.question: draft for draft in reversed(drafts) if len(draft.question.split()) in WORDS}
    drafts = list(reversed(unique.values()))
    good = [draft for draft in drafts if quality(draft) >= WORTH_TRYING]
    seen: Counter[tuple[tuple[int, int], ...]] = Counter()
    ranked = []
    for draft in good if len(good) >= FEWEST else drafts[:FEWEST]:
        ranked.append((seen[draft.quotes], -quality(draft), draft))
        seen[draft.quotes] += 1
    return [draft for *_, draft in sorted(ranked, key=lambda each: each[:2])]


def _statement(passage: Passage, draft: FactDraft) -> Statement:
    worth = quality(draft) if draft.worth else draft.acceptability
    return Statement(
        text=draft.statement,
        quotes=tuple(passage.text[start:end] for start, end in draft.quotes),
        draft=QuestionDraft(
            question=draft.question, answer=draft.answer, pattern=draft.form, quality=BEHIND_RULES * worth
        ),
    )


def _question(encoder: Encoder, inputs: Sequence[StatementOnTheme]) -> list[Reply[Question]]:
    return drafted_questions(inputs, roles.writer)


def drafted_questions(inputs: Sequence[StatementOnTheme], load: Callable[[], Writer | None]) -> list[Reply[Question]]:
    """The question that was drafted with the statement; those on prose in the writer's words.

    load: gives the writer; called where there are drafts on prose.
    """
    prose = [each for each in inputs if _is_of_prose(each.statement.draft)]
    writer = load() if prose else None
    mended = iter(_mended(prose, writer))
    replies: list[Reply[Question]] = []
    for each in inputs:
        draft = each.statement.draft
        if draft is None:
            replies.append(Reply(None, "the embedded model asks only about statements that it found itself"))
        elif writer is None or not _is_of_prose(draft):
            replies.append(Reply(_as_drafted(draft)))
        else:
            found = next(mended)
            replies.append(Reply(None, NOT_WORTH_ASKING) if found is None else Reply(found))
    return replies


def _is_of_prose(draft: QuestionDraft | None) -> bool:
    return draft is not None and draft.quality is not None


def _as_drafted(draft: QuestionDraft) -> Question:
    return Question(question=draft.question, answer=draft.answer, pattern=draft.pattern, quality=draft.quality)


NOT_WORTH_ASKING = "the writer finds no question in it that is worth asking"


def _mended(inputs: Sequence[StatementOnTheme], writer: Writer | None) -> list[Question | None]:
    """The drafts as the writer puts them; None where it finds no question in one, or there is no writer."""
    if writer is None:
        return [None for _ in inputs]
    drafts = [each.statement.draft.question if each.statement.draft else "" for each in inputs]
    written = writer.mend([to_ask_of(each) for each in inputs], drafts)
    return [None if found is None else _reworded(each, found) for each, found in zip(inputs, written, strict=True)]


def to_ask_of(asked: StatementOnTheme) -> Sentence:
    """What a statement rests on, as the writer reads it."""
    passage = asked.passage
    return Sentence(passage.title, " > ".join(passage.section), passage.text, " ".join(asked.statement.quotes))


def _reworded(asked: StatementOnTheme, found: Written) -> Question:
    """The mended question with the draft's answer where it asks for the same; else with the whole statement."""
    draft = asked.statement.draft
    assert draft is not None
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
WRITTEN = "written"


def open_questions(passages: Sequence[Passage], writer: Writer) -> list[list[Question]]:
    """For each passage what the writer thinks that it leaves open, most likely first."""
    sentences = [Sentence(each.title, " > ".join(each.section), each.text, each.text[:200]) for each in passages]
    return [
        [
            Question(
                question=one.question,
                answer="",
                pattern=pattern_of(one.question),
                quality=BEHIND_RULES * math.exp(one.likelihood),
            )
            for one in several
        ]
        for several in writer.ask_missing(sentences, GAP_CANDIDATES)
    ]


def is_read(passage: Passage) -> bool:
    """One passage in ``GAP_EVERY``, by its text alone."""
    return hashlib.sha256(passage.text.encode("utf-8", "replace")).digest()[0] % GAP_EVERY == 0


def pattern_of(question: str) -> str:
    """A pattern for each way to begin, so that a set does not read monotonously: written_how_long."""
    return "_".join([WRITTEN, *question.lower().split()[:2]])


def _near_misses(encoder: Encoder, inputs: Sequence[MissCandidates]) -> list[Reply[NearMisses]]:
    """What the writer thinks that some of the passages leave open, each question once; the judge checks them."""
    writer = roles.writer()
    read = [writer is not None and is_read(each.passage) for each in inputs]
    passages = [each.passage for each, wanted in zip(inputs, read, strict=True) if wanted]
    found = iter(open_questions(passages, writer) if writer else ())
    replies: list[Reply[NearMisses]] = []
    for wanted in read:
        unique: dict[str, Question] = {}
        for item in next(found) if wanted else ():
            unique.setdefault(item.question, item)
        replies.append(Reply(NearMisses(items=tuple(unique.values()))))
    return replies


HANDLERS: dict[str, Handler] = {
    "theme": _theme,
    "facts": _facts,
    "summaries": _summaries,
    "conclusions": _conclusions,
    "question": _question,
    "near_misses": _near_misses,
}
