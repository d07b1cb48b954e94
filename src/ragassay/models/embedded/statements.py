"""The embedded model's answers to the tasks of ``tasks/statements.py``: themes, facts, summaries, conclusions.

Prose is parsed (``prose/``); keys, tables and glossaries are read as records, whose questions are right by
construction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.analysis import analyse
from ragassay.models.embedded.drafts import Draft, fault_of
from ragassay.models.embedded.key_groups import key_groups
from ragassay.models.embedded.prose.facts import FactDraft, fact_drafts, quality
from ragassay.models.embedded.prose.reasoning.inference import reasoning_drafts as prose_reasoning
from ragassay.models.embedded.prose.summaries import summary_drafts as prose_summaries
from ragassay.models.embedded.reasoning_rules import reasoning_drafts
from ragassay.models.embedded.structure_facts import structure_facts
from ragassay.models.embedded.themes import theme_of
from ragassay.tasks.statements import (
    Passage,
    PassageFacts,
    PassageOnTheme,
    QuestionDraft,
    Statement,
    Statements,
    Theme,
)

_ENGLISH = frozenset({"en", "und"})
_OTHER_LANGUAGE = "the embedded model writes questions in English and Chinese only"
MOST_OF_A_PASSAGE = 16
"""Prose drafts of one passage and label that go on: the best ones, one for each sentence first."""
WORTH_TRYING = 0.3
"""Least quality of a fact that goes on, unless the passage has fewer than ``FEWEST``."""
FEWEST = 4
LEAST_REASONING = 0.35
"""Least acceptability of a question that must be inferred: readers took fewer of what lies below."""
WORDS = range(4, 36)
"""Of a draft; what the writer makes of it is shorter."""


def _theme(encoder: Encoder, inputs: Sequence[Passage]) -> list[Reply[Theme]]:
    replies: list[Reply[Theme]] = []
    for passage in inputs:
        if passage.language not in _ENGLISH:
            replies.append(Reply(None, f"{_OTHER_LANGUAGE}; the document is {passage.language}"))
            continue
        theme = theme_of(passage) or passage.title.strip()
        replies.append(Reply(Theme(text=theme)) if theme else Reply(None, "nothing names what the document is about"))
    return replies


@lru_cache(maxsize=256)
def drafts_of_facts(passage: Passage, theme: str) -> tuple[Draft, ...]:
    """All drafts of single facts of records and tables that pass the gates of ``drafts.fault_of``."""
    return tuple(_fit(structure_facts(analyse(passage, theme)), theme))


def _fit(drafts: Iterable[Draft], theme: str) -> list[Draft]:
    bare = theme.removeprefix("the ")
    kept: dict[str, Draft] = {}
    for draft in drafts:
        mention = "" if draft.pattern == "term" else draft.about or bare
        if not mention and draft.pattern != "term":
            continue  # nothing in the question would say what it is about
        if fault_of(draft, mention) is None:
            kept.setdefault(draft.question, draft)
    return list(kept.values())


def _facts(encoder: Encoder, inputs: Sequence[PassageOnTheme]) -> list[Reply[Statements]]:
    prose = fact_drafts(*_unzipped(inputs))
    return [
        _reply(drafts_of_facts(each.passage, each.theme), each.passage, _tried(drafts))
        for each, drafts in zip(inputs, prose, strict=True)
    ]


def _summaries(encoder: Encoder, inputs: Sequence[PassageFacts]) -> list[Reply[Statements]]:
    prose = prose_summaries(*_unzipped(inputs))
    return [
        _reply(_fit(key_groups(analyse(each.passage, each.theme)), each.theme), each.passage, drafts)
        for each, drafts in zip(inputs, prose, strict=True)
    ]


def _conclusions(encoder: Encoder, inputs: Sequence[PassageFacts]) -> list[Reply[Statements]]:
    found = prose_reasoning(*_unzipped(inputs))
    prose = [[draft for draft in drafts if draft.acceptability >= LEAST_REASONING] for drafts in found]
    return [
        _reply(_fit(reasoning_drafts(analyse(each.passage, each.theme)), each.theme), each.passage, drafts)
        for each, drafts in zip(inputs, prose, strict=True)
    ]


def _unzipped(inputs: Sequence[PassageOnTheme] | Sequence[PassageFacts]) -> tuple[list[Passage], list[str]]:
    return [each.passage for each in inputs], [each.theme for each in inputs]


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


def _reply(structured: Iterable[Draft], passage: Passage, prose: Sequence[FactDraft]) -> Reply[Statements]:
    of_records = [draft.as_statement() for draft in structured]
    of_prose = [_statement(passage, draft) for draft in prose[:MOST_OF_A_PASSAGE]]
    return Reply(Statements(items=(*of_records, *of_prose)))


def _statement(passage: Passage, draft: FactDraft) -> Statement:
    worth = quality(draft) if draft.worth else draft.acceptability or None
    return Statement(
        text=draft.statement,
        quotes=tuple(passage.text[start:end] for start, end in draft.quotes),
        draft=QuestionDraft(question=draft.question, answer=draft.answer, pattern=draft.form, quality=worth),
    )


HANDLERS = {
    "theme": _theme,
    "facts": _facts,
    "summaries": _summaries,
    "conclusions": _conclusions,
}
