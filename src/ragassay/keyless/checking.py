"""Drafts read by the small language model before they are delivered: whether the page supports question and answer.

``docs/decisions/embedded-questions.md`` has what each threshold lets through.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragassay.keyless.draft import Draft
from ragassay.models.small.likelihood import Likelihood, Pair
from ragassay.models.small.verifier import Check, Verifier

SUPPORTED_FROM = 0.8
"""Probability from which on a page supports "question answer". Of 100 drafts on training passages 95 reach it, of the
same questions with another draft's answer of the same form 12."""
OPEN_BELOW = 0.3
"""Probability that a text answers a question, below which it leaves it open."""
READS_WELL_FROM = 0.02
"""Least probability, by the likelihood of its wording, that a strict reader takes a question on a sentence."""
OPEN_WINDOWS = 3
"""Windows of a document, and of each passage of the corpus that is nearest, read for a question that is to be open."""
READS_ODDLY, NOT_SUPPORTED = "its wording is unlikely", "the verifier finds that the document does not say so"
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


def faults(items: Sequence[Checked], verifier: Verifier | None, likelihood: Likelihood | None) -> list[str | None]:
    """For each draft why it must not be delivered, or None. Without a verifier only what is certain passes."""
    found: list[str | None] = [None] * len(items)
    if verifier is None or likelihood is None:
        return [None if item.draft.is_certain else UNVERIFIED for item in items]
    worded = [place for place, item in enumerate(items) if item.draft.unframed]
    rated = likelihood.taken([_worded(items[place]) for place in worded])
    for place, probability in zip(worded, rated, strict=True):
        if probability < READS_WELL_FROM:
            found[place] = READS_ODDLY
    read = [place for place, item in enumerate(items) if found[place] is None and not item.draft.is_certain]
    checks = [check for place in read for check in _checks(items[place])]
    judged = iter(verifier.judge(checks))
    for place in read:
        item = items[place]
        probabilities = [next(judged)[0].supported for _ in _checks(item)]
        found[place] = _fault(item.draft, probabilities)
    return found


def _worded(item: Checked) -> Pair:
    stated = " ".join(item.text[start:end] for start, end in item.draft.spans) or item.draft.claim
    return Pair(item.title, stated, item.draft.unframed)


def _checks(item: Checked) -> list[Check]:
    draft = item.draft
    if draft.label == "unanswerable":
        texts = (item.text, *item.nearest)
        return [Check(text, [draft.question], questions=True, windows=OPEN_WINDOWS) for text in texts]
    return [Check(item.passage, [draft.claim or f"{draft.question} {draft.answer}"], title=item.title)]


def _fault(draft: Draft, probabilities: Sequence[float]) -> str | None:
    if draft.label != "unanswerable":
        return None if probabilities[0] >= SUPPORTED_FROM else NOT_SUPPORTED
    if probabilities[0] >= OPEN_BELOW:
        return ANSWERED
    return ANSWERED_ELSEWHERE if any(each >= OPEN_BELOW for each in probabilities[1:]) else None
