"""From accepted candidates to the set that was asked for: exact counts, spread over documents and over wordings."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ragassay.generate.candidates import Candidate
from ragassay.generate.options import SetPlan
from ragassay.models.embedded.reading.question_types import expected_types

SPREAD = 3
"""Pairs of one document beyond which others come first, whatever their label."""

WORDING_SHARE = 0.08
"""Share of a set that may begin with the same three words while others can fill it: three such make under a quarter."""


Quotas = Mapping[str, int]
"""How many examples are wanted of each label, or of ``ANY``."""


@dataclass(slots=True)
class _Used:
    """What the candidates that were picked so far have taken up."""

    documents: Counter[str] = field(default_factory=Counter)
    of_label: Counter[tuple[str, str]] = field(default_factory=Counter)
    wordings: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, label: str, candidate: Candidate) -> None:
        home = candidate.context.document_id
        self.documents[home] += 1
        self.of_label[label, home] += 1
        self.wordings[_wording(candidate.question)] += 1
        self.kinds[expected_types(candidate.question)[0]] += 1


def counted_as(candidate: Candidate, options: SetPlan) -> str:
    """Return the label that a candidate counts under, or ``ANY`` where none was asked for."""
    label = candidate.verified or candidate.label
    if options.balance_by == "requested":
        label = candidate.label or candidate.verified
    return options.counts_under(label)


def lacking(
    accepted: Sequence[Candidate],
    quotas: Quotas,
    lengths: Mapping[str, int],
    options: SetPlan,
    *,
    within_allowance: bool,
) -> dict[str, int]:
    """How many candidates the labels lack that have too few.

    within_allowance: those beyond a document's allowance are left aside, and those beyond ``SPREAD`` where there are
    at least as many documents as examples are wanted. lengths: document id to characters.
    """
    if options.most_per_document is not None:  # which of a document's candidates are taken decides about the others
        have = Counter(counted_as(each, options) for each in chosen(accepted, quotas, lengths, options))
    elif within_allowance:
        have = _available(accepted, lengths, options)
    else:
        have = Counter(counted_as(each, options) for each in accepted)
    return {label: count - have[label] for label, count in quotas.items() if have[label] < count}


def _available(accepted: Sequence[Candidate], lengths: Mapping[str, int], options: SetPlan) -> Counter[str]:
    """The candidates that count while other documents may still give some."""
    of_label: Counter[tuple[str, str]] = Counter()
    of_document: Counter[str] = Counter()
    available: Counter[str] = Counter()
    for each in accepted:
        label, home = counted_as(each, options), each.context.document_id
        is_one_too_many = options.n <= len(lengths) and of_document[home] >= SPREAD
        if is_one_too_many or of_label[label, home] >= options.allowance(lengths[home]):
            continue
        of_label[label, home] += 1
        of_document[home] += 1
        available[label] += 1
    return available


def chosen(
    accepted: Sequence[Candidate], quotas: Quotas, lengths: Mapping[str, int], options: SetPlan
) -> list[Candidate]:
    """As many candidates of each label as asked for, or all there are, by document and place.

    In turns: the candidate whose document has given least so far, then the best rated. Only when nothing else is left
    a document gives more than ``SPREAD``, or more of a label than its allowance, or a wording more than
    ``WORDING_SHARE`` of the set; and never a document more than ``most_per_document``.
    lengths: document id to characters.
    """
    used = _Used()
    picked: list[Candidate] = []
    pools: dict[str, list[Candidate]] = {}
    for each in accepted:
        pools.setdefault(counted_as(each, options), []).append(each)
    wanted = {label: min(quotas.get(label, 0), len(pool)) for label, pool in pools.items()}
    # what is hard to fill chooses first, so that others do not use up its documents
    for label in sorted(wanted, key=lambda label: (len(pools[label]) - wanted[label], label)):
        picked += _of_label(label, pools[label], wanted[label], used, lengths, options)
    return sorted(
        picked, key=lambda each: (each.ordinal, each.context.start, each.verified or each.label or "", each.question)
    )


def _wording(question: str) -> str:
    """The first three words of a question."""
    return " ".join(question.lower().split()[:3])


def _of_label(
    label: str,
    pool: Sequence[Candidate],
    count: int,
    used: _Used,
    lengths: Mapping[str, int],
    options: SetPlan,
) -> list[Candidate]:
    """Pick so many of a label."""
    wording_cap = max(1, int(options.n * WORDING_SHARE))

    def rank(each: Candidate) -> tuple[object, ...]:
        home = each.context.document_id
        return (
            used.documents[home] >= SPREAD,
            used.of_label[label, home] >= options.allowance(lengths[home]),
            used.wordings[_wording(each.question)] >= wording_cap,
            options.has_enough(each.question, used.kinds, options.n),
            used.documents[home],
            -each.quality,
            each.ordinal,
            each.question,
        )

    # Ranks only ever rise while others are picked, so the least one is found by looking again at the least known one.
    heap = [(rank(each), place) for place, each in enumerate(pool)]
    heapq.heapify(heap)
    picked: list[Candidate] = []
    while heap and len(picked) < count:
        known, place = heapq.heappop(heap)
        each = pool[place]
        now = rank(each)
        if now != known:
            heapq.heappush(heap, (now, place))
        elif options.has_room(used.documents[each.context.document_id]):
            picked.append(each)
            used.add(label, each)
    return picked
