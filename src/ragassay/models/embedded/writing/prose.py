"""Questions on plain sentences, by their parse: the best of each passage, behind those by rules.

Why no language model words them is in ``docs/decisions/embedded-questions.md``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ragassay.models.embedded.prose.facts import FactDraft, fact_drafts, quality
from ragassay.models.embedded.prose.limits import limit_cases
from ragassay.models.embedded.prose.steps import step_drafts
from ragassay.tasks.statements import Passage, PassageFacts, PassageOnTheme, QuestionDraft, Statement

BEHIND_RULES = 0.45
"""The most that such a question counts: those by rules count as one half."""
BEST = 0.5
"""Quality from which on a question counts that much."""
MOST_OF_A_PASSAGE = 16
"""Drafts of one passage and label that go on: the best ones, one for each sentence first."""
WORTH_TRYING = 0.3
"""Least quality of a fact that goes on, unless the passage has fewer than ``FEWEST``."""
FEWEST = 4
LEAST = 0.15
"""Quality below which no fact goes on."""
WORDS = range(4, 36)
"""Of a question."""


def facts_of_prose(inputs: Sequence[PassageOnTheme]) -> list[tuple[Statement, ...]]:
    """For each passage its facts with their questions, best first."""
    drafts = fact_drafts([each.passage for each in inputs], [each.theme for each in inputs])
    return [_statements(each.passage, _tried(some)) for each, some in zip(inputs, drafts, strict=True)]


def summaries_of_prose(inputs: Sequence[PassageFacts]) -> list[tuple[Statement, ...]]:
    """As ``facts_of_prose``, of what is to be done, step by step."""
    drafts = step_drafts([each.passage for each in inputs], [each.theme for each in inputs])
    return [_statements(each.passage, some) for each, some in zip(inputs, drafts, strict=True)]


def conclusions_of_prose(inputs: Sequence[PassageFacts]) -> list[tuple[Statement, ...]]:
    """As ``facts_of_prose``, of limits that are applied to a case."""
    drafts = limit_cases([each.passage for each in inputs], [each.theme for each in inputs])
    return [_statements(each.passage, some) for each, some in zip(inputs, drafts, strict=True)]


def _statements(passage: Passage, drafts: Sequence[FactDraft]) -> tuple[Statement, ...]:
    return tuple(_statement(passage, draft) for draft in drafts[:MOST_OF_A_PASSAGE])


def _tried(drafts: Sequence[FactDraft]) -> list[FactDraft]:
    """Drafts that are worth a try, the best of every sentence first."""
    unique = {draft.question: draft for draft in reversed(drafts) if len(draft.question.split()) in WORDS}
    drafts = [draft for draft in reversed(unique.values()) if quality(draft) >= LEAST]
    good = [draft for draft in drafts if quality(draft) >= WORTH_TRYING]
    seen: Counter[tuple[tuple[int, int], ...]] = Counter()
    ranked = []
    for draft in good if len(good) >= FEWEST else drafts[:FEWEST]:
        ranked.append((seen[draft.quotes], -quality(draft), draft))
        seen[draft.quotes] += 1
    return [draft for *_, draft in sorted(ranked, key=lambda each: each[:2])]


def _statement(passage: Passage, draft: FactDraft) -> Statement:
    reckoned = quality(draft) if draft.worth else draft.acceptability
    worth = BEHIND_RULES * min(1.0, reckoned / BEST)
    return Statement(
        text=draft.statement,
        quotes=tuple(passage.text[start:end] for start, end in draft.quotes),
        draft=QuestionDraft(
            question=draft.question,
            answer=draft.answer,
            pattern=draft.form,
            quality=worth,
        ),
    )
