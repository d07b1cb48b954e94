"""The embedded model's answers to the tasks of ``tasks/statements.py``: themes, facts, summaries, conclusions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.languages import ENGLISH, no_questions_in
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.reading.analysis import Analysis, analyse
from ragassay.models.embedded.reading.themes import bare, is_generic, quoted_title, theme_of
from ragassay.models.embedded.reasoning.events import events_asked
from ragassay.models.embedded.reasoning.rules import reasoning_drafts
from ragassay.models.embedded.reasoning.scoped_tables import scoped_table_reasoning
from ragassay.models.embedded.structure.drafts import OWN_QUESTION, Draft, fault_of
from ragassay.models.embedded.structure.key_groups import key_groups
from ragassay.models.embedded.structure.own_questions import (
    has_own_questions,
    own_question_facts,
    own_question_summaries,
)
from ragassay.models.embedded.structure.record_keys import key_facts
from ragassay.models.embedded.structure.sections import section_drafts
from ragassay.models.embedded.structure.table_facts import scoped_table_facts, table_facts
from ragassay.models.embedded.structure.terms import framed_terms, glossary_facts
from ragassay.models.embedded.writing.prose import conclusions_of_prose, facts_of_prose, summaries_of_prose
from ragassay.tasks.statements import Passage, PassageFacts, PassageOnTheme, Statement, Statements, Theme

_NAMELESS = "neither title nor opening names what the document is about"
_NEEDS_NO_THEME = frozenset({OWN_QUESTION, "term"})


UNTITLED = "untitled"
"""The theme of a document without a name: a generic title, so that only what is clear without it is asked."""


def _theme(encoder: Encoder, inputs: Sequence[Passage]) -> list[Reply[Theme]]:
    replies: list[Reply[Theme]] = []
    for passage in inputs:
        if passage.language not in ENGLISH:
            replies.append(Reply(None, no_questions_in(passage.language)))
            continue
        theme = theme_of(passage)
        if not theme and (passage.widely or has_own_questions(passage.text, passage.title, passage.blocks)):
            title = bare(passage.title)
            theme = quoted_title(passage) or f"“{title if is_generic(title) else UNTITLED}”"  # need not be named
        replies.append(Reply(Theme(text=theme)) if theme else Reply(None, _NAMELESS))
    return replies


@lru_cache(maxsize=256)
def drafts_of_facts(passage: Passage, theme: str) -> tuple[Draft, ...]:
    """All drafts of single facts of a passage that pass the gates of ``drafts.fault_of``; three tasks ask for them."""
    analysis = analyse(passage, theme)
    return tuple(_fit(_all_facts(analysis), theme))


def _all_facts(analysis: Analysis) -> Iterator[Draft]:
    yield from own_question_facts(analysis)
    yield from events_asked(analysis)
    yield from key_facts(analysis)
    yield from glossary_facts(analysis)
    for table in analysis.tables if analysis.theme_is_a_name else ():
        yield from table_facts(table, analysis.profile.theme)
    if analysis.passage.widely:
        yield from framed_terms(analysis)
        yield from scoped_table_facts(analysis)


def _fit(drafts: Iterable[Draft], theme: str) -> list[Draft]:
    bare = theme.removeprefix("the ")
    kept: dict[str, Draft] = {}
    for draft in drafts:
        is_clear = draft.stands_alone or draft.pattern in _NEEDS_NO_THEME
        mention = "" if is_clear else draft.about or bare
        if not is_clear and (not mention or is_generic(theme)):
            continue  # nothing in the question would say what it is about
        if fault_of(draft, mention) is None:
            kept.setdefault(draft.question, draft)
    return list(kept.values())


def _facts(encoder: Encoder, inputs: Sequence[PassageOnTheme]) -> list[Reply[Statements]]:
    """By rules; behind them, where more is looked for, questions on plain sentences, by their parse."""
    parsed = iter(facts_of_prose([each for each in inputs if each.passage.widely]))
    return [
        _reply(drafts_of_facts(each.passage, each.theme), next(parsed) if each.passage.widely else ())
        for each in inputs
    ]


def _with_prose(
    rule: Callable[..., Iterable[Draft]], prose: Callable[[Sequence[PassageFacts]], list[tuple[Statement, ...]]]
) -> Callable[[Encoder, Sequence[PassageFacts]], list[Reply[Statements]]]:
    """By a rule; behind it, where more is looked for, of plain sentences, by their parse."""

    def answer(encoder: Encoder, inputs: Sequence[PassageFacts]) -> list[Reply[Statements]]:
        parsed = iter(prose([each for each in inputs if each.passage.widely]))
        replies = []
        for each in inputs:
            facts = drafts_of_facts(each.passage, each.theme)
            found = _fit(rule(analyse(each.passage, each.theme), facts), each.theme)
            replies.append(_reply(found, next(parsed) if each.passage.widely else ()))
        return replies

    return answer


def _all_summaries(analysis: Analysis, facts: Sequence[Draft]) -> Iterator[Draft]:
    yield from own_question_summaries(analysis)
    if analysis.profile.theme:
        yield from key_groups(analysis)
    if analysis.passage.widely:
        yield from section_drafts(analysis)


def _all_conclusions(analysis: Analysis, facts: Sequence[Draft]) -> Iterator[Draft]:
    yield from reasoning_drafts(analysis, facts)
    if analysis.passage.widely:
        yield from scoped_table_reasoning(analysis)


def _reply(drafts: Iterable[Draft], further: Iterable[Statement] = ()) -> Reply[Statements]:
    return Reply(Statements(items=(*(draft.as_statement() for draft in drafts), *further)))


HANDLERS: dict[str, Handler] = {
    "theme": _theme,
    "facts": _facts,
    "summaries": _with_prose(_all_summaries, summaries_of_prose),
    "conclusions": _with_prose(_all_conclusions, conclusions_of_prose),
}
