"""All drafts of a document: what rules read off its structure, its sentences and what it leaves open, if fit to ask."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.keyless.computed import list_drafts, period_drafts
from ragassay.keyless.draft import Draft
from ragassay.keyless.open import open_drafts
from ragassay.keyless.own_questions import own_question_drafts
from ragassay.keyless.page import Page
from ragassay.keyless.records import is_balanced, missing_drafts, record_drafts, term_drafts
from ragassay.keyless.sections import section_drafts
from ragassay.keyless.sentences import sentence_drafts
from ragassay.keyless.tables import record_comparisons, table_drafts
from ragassay.keyless.wording import is_fragment

LANGUAGES = frozenset({"en", "und"})
_MOST_QUESTION_WORDS = 34
_RULES = (
    own_question_drafts,
    record_drafts,
    term_drafts,
    record_comparisons,
    table_drafts,
    period_drafts,
    list_drafts,
    missing_drafts,
    section_drafts,
    sentence_drafts,
    open_drafts,
)
_BROKEN = re.compile(
    r"\s[,.;:?](?!\w)|\(\s|\s\)|[,;:–—-]\?$|\n|\b(?:of of|in in|is is|for for)\b|[\u200b\ufffd]"
    r"|\b(?:the|an?) (?:the|an?|this|these|those|our|your|my)\b",
    re.IGNORECASE,
)
_COUNTED = frozenset(("table_count", "list_count", "period", "how_many"))
"""Forms whose answers have a unit that the question holds."""


def drafts_of(page: Page) -> Iterator[Draft]:
    """Yield all that rules can ask of a page, each question once, in the order of the rules."""
    asked: set[str] = set()
    if page.document.language not in LANGUAGES:
        return
    for rule in _RULES:
        for draft in rule(page):
            if draft.question.lower() not in asked and is_fit(draft) and not _is_shared(page, draft):
                asked.add(draft.question.lower())
                yield draft


def is_fit(draft: Draft) -> bool:
    """Whether a draft is whole, quotes whole phrases, and its question does not hold its answer."""
    question, answer = draft.question, draft.answer
    if not 3 <= len(question.split()) <= _MOST_QUESTION_WORDS or not question.endswith("?"):
        return False
    if _BROKEN.search(question) or not is_balanced(question):
        return False
    if any(map(is_fragment, re.findall("“([^”]*)”", question))):
        return False
    if draft.label == "unanswerable":
        return True
    words = [word for word in re.findall(r"[^\W_]+", answer.lower()) if len(word) > 3 or word.isdigit()]
    asked = set(re.findall(r"[^\W_]+", question.lower()))
    if draft.form in _COUNTED:
        words = [word for word in words if word.isdigit()]
    leaks = draft.label == "fact_single" and len(words) > 0 and sum(word in asked for word in words) * 2 > len(words)
    return bool(answer.strip()) and bool(draft.spans) and not leaks


def _is_shared(page: Page, draft: Draft) -> bool:
    """Whether what answers is a line that many documents share."""
    return bool(draft.spans) and all(
        page.collection.boilerplate.holds(page.document, page.document.span(*span)) for span in draft.spans
    )
