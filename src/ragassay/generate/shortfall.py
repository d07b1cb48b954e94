"""What is missing of what was asked for, and why: the account of every candidate that did not become an example."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragassay.generate.balance import Quotas, counted_as
from ragassay.generate.candidates import Candidate
from ragassay.generate.options import ANY, SetPlan

_USUAL_ROUNDS = 4
"""A look at each document, then all that it is allowed to give, then a wider one, then one that brings nothing more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortage:
    """A label of which examples are missing.

    candidates: pairs that were made of it; good: those that passed all gates. dropped: why the others did not, to how
    many. reason: the whole in a sentence.
    """

    name: str
    asked: int
    candidates: int
    good: int
    delivered: int
    dropped: Mapping[str, int]
    reason: str

    @property
    def missing(self) -> int:
        return self.asked - self.delivered

    @classmethod
    def of(cls, name: str, asked: int, good: int, delivered: int, lost: Counter[str], reason: str) -> Shortage:
        """The account of a label of which so many good candidates came, and so many others were lost."""
        return cls(
            name=name,
            asked=asked,
            candidates=good + lost.total(),
            good=good,
            delivered=delivered,
            dropped=dict(lost.most_common()),
            reason=reason,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Visits:
    """How far documents were read. rounds: times that all of them were; stopped: whether a limit ended the calls.

    good_for: pairs that their texts are long enough for; None where that is not limited.
    """

    visited: int
    documents: int
    rounds: int
    stopped: bool
    good_for: int | None = None

    def are_short_for(self, n: int) -> bool:
        """Whether the texts are good for some pairs, but fewer than so many."""
        return not self.stopped and 0 < (self.good_for or 0) < n


def shortages(
    picked: Sequence[Candidate],
    accepted: Sequence[Candidate],
    quotas: Quotas,
    dropped: Mapping[str, Counter[str]],
    lost_before: Counter[str],
    visits: Visits,
    options: SetPlan,
) -> tuple[Shortage, ...]:
    """What is missing of labels.

    dropped: label, or ``ANY`` for candidates that were asked for none, to reason to count. lost_before: reasons that
    come before a candidate has a label.
    """
    have, good = (Counter(counted_as(each, options) for each in group) for group in (picked, accepted))
    found: list[Shortage] = []
    for label, asked in quotas.items():
        if have[label] >= asked:
            continue
        lost = dropped.get(label, Counter())
        if label != ANY:  # what was asked for no label might have become this one
            lost = lost + dropped.get(ANY, Counter())
        reason = _reason(good[label], have[label], lost, lost_before, visits, options)
        if not found and visits.are_short_for(options.n):  # once, whatever the label
            pairs = "1 pair" if visits.good_for == 1 else f"{visits.good_for} pairs"
            reason += f"; the texts are good for about {pairs} (one for each 65 words): give more or longer documents, "
            reason += "or use --synthesizer per_chunk"
        found.append(Shortage.of(label, asked, good[label], have[label], lost, reason))
    return tuple(found)


def spare(
    picked: Sequence[Candidate], accepted: Sequence[Candidate], quotas: Quotas, options: SetPlan
) -> dict[str, int]:
    """Label to good candidates that are not in the set because it has as many as were asked for."""
    have, good = (Counter(counted_as(each, options) for each in group) for group in (picked, accepted))
    full = (label for label, asked in quotas.items() if label != ANY and have[label] >= asked)
    return {label: good[label] - have[label] for label in full if good[label] > have[label]}


def _reason(
    good: int, have: int, lost: Counter[str], lost_before: Counter[str], visits: Visits, options: SetPlan
) -> str:
    if visits.stopped:
        return f"the calls were stopped after {visits.visited} of {visits.documents} documents"
    parts = _listed(lost)
    times = "" if visits.rounds <= _USUAL_ROUNDS else f" {visits.rounds} times, until nothing good came of them,"
    all_read = {1: "the one document was read", 2: "both documents were read"}
    read = all_read.get(visits.documents, f"all {visits.documents} documents were read")
    if visits.visited < visits.documents:
        read = f"{visits.visited} of {visits.documents} documents were read"
    n = good + lost.total()
    if not n and visits.are_short_for(options.n):
        return "none was made, since the texts are too short for more pairs"
    if not n:
        before = _listed(lost_before)
        why = f"; left out before labelling, whatever the label: {before}" if before else ""
        return f"{read}{times} and gave no candidate{why}"
    told = f"{read}{times} and gave {n} candidate{'' if n == 1 else 's'}, "
    told += f"{good or 'none'} of them good" + (f"; dropped: {parts}" if parts else "")
    if good > have and options.most_per_document is not None:
        told += f"; at most {options.most_per_document} are taken from one document"
    elif good > have:
        told += "; the rest would exceed the share of another label"
    return told


def _listed(reasons: Counter[str]) -> str:
    return ", ".join(f"{reason} ({number})" for reason, number in reasons.most_common(3))
