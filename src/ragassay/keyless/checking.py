"""Drafts read by the small language model before they are delivered: whether the page supports question and answer.

``docs/decisions/embedded-questions.md`` has what each threshold lets through.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragassay.keyless.draft import Draft
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
    found: list[str | None] = [None] * len(items)
    if verifier is None:
        return [None if item.draft.is_certain else UNVERIFIED for item in items]
    read = [place for place, item in enumerate(items) if not item.draft.is_certain]
    for place, (probability,) in zip(read, _read(verifier, [_own_check(items[place]) for place in read]), strict=True):
        found[place] = _fault(items[place].draft, probability)
    still_open = [place for place in read if found[place] is None and items[place].draft.label == "unanswerable"]
    elsewhere = [[_open_check(text, items[place].draft) for text in items[place].nearest] for place in still_open]
    for place, probabilities in zip(still_open, _read_each(verifier, elsewhere), strict=True):
        if any(probability >= OPEN_BELOW for probability in probabilities):
            found[place] = ANSWERED_ELSEWHERE
    return found


def _read(verifier: Verifier, checks: Sequence[Check]) -> list[list[float]]:
    return [[judged.supported for judged in of_check] for of_check in verifier.judge(checks)]


def _read_each(verifier: Verifier, groups: Sequence[Sequence[Check]]) -> list[list[float]]:
    read = iter(_read(verifier, [check for group in groups for check in group]))
    return [[next(read)[0] for _ in group] for group in groups]


def _open_check(text: str, draft: Draft) -> Check:
    return Check(text, [draft.question], questions=True, windows=OPEN_WINDOWS)


def _own_check(item: Checked) -> Check:
    draft = item.draft
    if draft.label == "unanswerable":
        return _open_check(item.text, draft)
    return Check(item.passage, [draft.claim or f"{draft.question} {draft.answer}"], title=item.title)


def _fault(draft: Draft, probability: float) -> str | None:
    if draft.label == "unanswerable":
        return ANSWERED if probability >= OPEN_BELOW else None
    return None if probability >= SUPPORTED_FROM else NOT_SUPPORTED
