"""Drafts read by the small language model before they are delivered: whether the page supports question and answer.

``docs/decisions/embedded-questions.md`` has what each threshold lets through.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragassay.keyless.page import Draft
from ragassay.models.small.verifier import Check, Verifier

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
    """A draft in its document.

    title, text: of the document. passage: what holds the spans. nearest: passages of the corpus that come nearest.
    """

    draft: Draft
    title: str
    text: str
    passage: str
    nearest: Sequence[str] = ()


def faults(items: Sequence[Checked], verifier: Verifier | None) -> list[str | None]:
    """For each draft why it must not be delivered, or None. Without a verifier only what is certain passes."""
    if verifier is None:
        return [None if item.draft.is_certain else UNVERIFIED for item in items]
    checks = [[] if item.draft.is_certain else _checks(item) for item in items]
    read = iter(verifier.judge([check for of_item in checks for check in of_item]))
    probabilities = [[next(read)[0].supported for _ in of_item] for of_item in checks]
    return [_fault(item.draft, of_item) for item, of_item in zip(items, probabilities, strict=True)]


def _checks(item: Checked) -> list[Check]:
    """Return what is read: its passage; of a question that is to be open its document, then what comes nearest."""
    draft = item.draft
    if draft.label == "unanswerable":
        texts = (item.text, *item.nearest)
        return [Check(text, [draft.question], questions=True, windows=OPEN_WINDOWS) for text in texts]
    return [Check(item.passage, [draft.claim or f"{draft.question} {draft.answer}"], title=item.title)]


def _fault(draft: Draft, probabilities: Sequence[float]) -> str | None:
    if not probabilities:
        return None
    own, *elsewhere = probabilities
    if draft.label != "unanswerable":
        return None if own >= SUPPORTED_FROM else NOT_SUPPORTED
    if own >= OPEN_BELOW:
        return ANSWERED
    return ANSWERED_ELSEWHERE if any(each >= OPEN_BELOW for each in elsewhere) else None
