"""Chinese answers to the tasks of ``tasks/statements.py``, from records, tables, lists and headings that ask.

Sentences are not asked about: a language model asks better questions of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.chinese.conclusions import conclusion_drafts
from ragassay.models.embedded.chinese.entry_facts import entry_facts
from ragassay.models.embedded.chinese.gates import fault_of
from ragassay.models.embedded.chinese.page import Page, read_page
from ragassay.models.embedded.chinese.profile import Profile, of_theme, profile_of
from ragassay.models.embedded.chinese.summaries import summary_drafts
from ragassay.models.embedded.chinese.table_facts import table_facts
from ragassay.models.embedded.structure.drafts import Draft
from ragassay.tasks.statements import Passage, PassageFacts, PassageOnTheme, Statements, Theme


class _Read(NamedTuple):
    """A passage, read once for all tasks."""

    page: Page
    profile: Profile


@lru_cache(maxsize=256)
def _read(passage: Passage, theme: str) -> _Read:
    return _Read(read_page(passage), of_theme(passage, theme))


def _theme(_: Encoder, inputs: Sequence[Passage]) -> list[Reply[Theme]]:
    found = [profile_of(passage) for passage in inputs]
    return [
        Reply(Theme(text=profile.theme)) if profile else Reply(None, "nothing names what the document is about")
        for profile in found
    ]


def _fact_drafts(read: _Read) -> list[Draft]:
    return [*entry_facts(read.page, read.profile), *table_facts(read.page, read.profile)]


def _summary_drafts(read: _Read) -> Iterable[Draft]:
    return summary_drafts(read.page, read.profile)


def _conclusion_drafts(read: _Read) -> Iterable[Draft]:
    return conclusion_drafts(read.page, read.profile)


def _fit(drafts: Iterable[Draft], theme: str) -> Statements:
    """The drafts that pass the gates, one for each question; a question with two answers is dropped."""
    kept: dict[str, Draft] = {}
    answers: dict[str, set[str]] = {}
    for draft in drafts:
        if fault_of(draft, draft.about or theme) is None:
            kept.setdefault(draft.question, draft)
            answers.setdefault(draft.question, set()).add(draft.answer)
    return Statements(
        items=tuple(draft.as_statement() for question, draft in kept.items() if len(answers[question]) == 1)
    )


def _facts(_: Encoder, inputs: Sequence[PassageOnTheme]) -> list[Reply[Statements]]:
    return [Reply(_fit(_fact_drafts(_read(each.passage, each.theme)), each.theme)) for each in inputs]


def _composed(
    drafts: Callable[[_Read], Iterable[Draft]],
) -> Callable[[Encoder, Sequence[PassageFacts]], list[Reply[Statements]]]:
    def answer(_: Encoder, inputs: Sequence[PassageFacts]) -> list[Reply[Statements]]:
        return [Reply(_fit(drafts(_read(each.passage, each.theme)), each.theme)) for each in inputs]

    return answer


HANDLERS = {
    "theme": _theme,
    "facts": _facts,
    "summaries": _composed(_summary_drafts),
    "conclusions": _composed(_conclusion_drafts),
}
