"""All drafts of a document that are fit to ask, and which of them the small language model lets through.

``docs/decisions/embedded-questions.md`` has what each threshold lets through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ragassay.keyless.computed import list_drafts, period_drafts
from ragassay.keyless.own_questions import own_question_drafts
from ragassay.keyless.page import Draft, Page
from ragassay.keyless.records import is_balanced, missing_drafts, record_drafts, term_drafts
from ragassay.keyless.sentences import sentence_drafts
from ragassay.keyless.tables import record_comparisons, table_drafts
from ragassay.keyless.topics import open_drafts, section_drafts
from ragassay.keyless.wording import is_fragment
from ragassay.models.small.verifier import Check, Verifier

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
    holds = page.collection.boilerplate.holds
    if page.document.language not in LANGUAGES:
        return
    for rule in _RULES:
        for draft in rule(page):
            if draft.question.lower() not in asked and is_fit(draft):
                if draft.spans and all(holds(page.document, page.document.span(*span)) for span in draft.spans):
                    continue  # a line that many documents share
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


SUPPORTED_FROM = 0.8
"""Probability from which on a page supports "question answer". Of 100 drafts on training passages the lowest twentieth
has less than .797; with another draft's answer of the same form nine tenths have less than .754 (AUROC .98)."""
OPEN_BELOW = 0.3
"""Probability that a text answers a question, below which it leaves it open."""
OPEN_WINDOWS = 3
"""Windows of a document, and of each passage of the corpus that is nearest, read for a question that is to be open."""
NOT_SUPPORTED = "the verifier finds that the document does not say so"
ANSWERED, ANSWERED_ELSEWHERE = "the document may answer it", "another passage of the corpus may answer it"
UNVERIFIED = "it needs the verifier, which is off"


class Checked(NamedTuple):
    """title, text: of the document. passage: what holds the spans. nearest: passages that come nearest."""

    draft: Draft
    title: str
    text: str
    passage: str
    nearest: Sequence[str] = ()


def faults(items: Sequence[Checked], verifier: Verifier | None) -> list[str | None]:
    """For each draft why it must not be delivered, or None. Without a verifier only what is certain passes."""
    found: list[str | None] = [None] * len(items)
    if verifier is None:
        return [None if item.draft.is_certain else UNVERIFIED for item in items]
    read = [place for place, item in enumerate(items) if not item.draft.is_certain]
    for place, (judged,) in zip(read, verifier.judge([_own_check(items[place]) for place in read]), strict=True):
        if items[place].draft.label == "unanswerable":
            found[place] = ANSWERED if judged.supported >= OPEN_BELOW else None
        else:
            found[place] = None if judged.supported >= SUPPORTED_FROM else NOT_SUPPORTED
    still_open = [place for place in read if found[place] is None and items[place].draft.label == "unanswerable"]
    elsewhere = [
        (place, _open_check(text, items[place].draft)) for place in still_open for text in items[place].nearest
    ]
    for (place, _), (judged,) in zip(elsewhere, verifier.judge([check for _, check in elsewhere]), strict=True):
        if judged.supported >= OPEN_BELOW:
            found[place] = ANSWERED_ELSEWHERE
    return found


def _open_check(text: str, draft: Draft) -> Check:
    return Check(text, [draft.question], questions=True, windows=OPEN_WINDOWS)


def _own_check(item: Checked) -> Check:
    draft = item.draft
    if draft.label == "unanswerable":
        return _open_check(item.text, draft)
    return Check(item.passage, [draft.claim or f"{draft.question} {draft.answer}"], title=item.title)
