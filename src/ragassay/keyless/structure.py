"""All drafts that the structure of a page gives, as far as they are fit to be asked."""

from __future__ import annotations

import re

from ragassay.keyless.computed import list_drafts, period_drafts
from ragassay.keyless.draft import Draft
from ragassay.keyless.own_questions import own_question_drafts
from ragassay.keyless.page import Page
from ragassay.keyless.records import is_balanced, missing_drafts, record_drafts, term_drafts
from ragassay.keyless.tables import record_comparisons, table_drafts

_LANGUAGES = frozenset({"en", "und"})
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
)
_BROKEN = re.compile(
    r"\s[,.;:?](?!\w)|\(\s|\s\)|[,;:–—-]\?$|\n|\b(?:the the|a the|an the|of of|in in|a an|the a|is is|for for)\b"
    r"|[\u200b\ufffd]",
    re.IGNORECASE,
)
_COUNTED = frozenset(("table_count", "list_count", "period"))
"""Forms whose answers have a unit that the question holds."""


def structure_drafts(page: Page) -> list[Draft]:
    """Every draft of every rule, each question once, in the order of the rules; none of another language."""
    if page.document.language not in _LANGUAGES:
        return []
    found: dict[str, Draft] = {}
    for rule in _RULES:
        for draft in rule(page):
            if is_fit(draft) and not _is_shared(page, draft):
                found.setdefault(draft.question.lower(), draft)
    return list(found.values())


def is_fit(draft: Draft) -> bool:
    """Whether a draft is whole, and its question does not hold its answer."""
    question, answer = draft.question, draft.answer
    if not 3 <= len(question.split()) <= _MOST_QUESTION_WORDS or not question.endswith("?"):
        return False
    if _BROKEN.search(question) or not is_balanced(question):
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
